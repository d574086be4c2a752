//! The weights, and network files.
//!
//! A file begins with a header: magic, version, hash of the architecture, sizes, description, checksum of the weights. All
//! numbers are little-endian. Whatever is wrong with a file is told, and nothing of it is used.

use std::fmt;

use super::architecture::{self, HIDDEN, INPUTS, MAX_OUTPUT_WEIGHT, OUTPUT_BUCKETS};
use super::range::{overflowing_output, overflowing_unit};

const MAGIC: &[u8; 8] = b"LUFTNNUE";
const VERSION: u32 = 1;
const MOST_DESCRIPTION_BYTES: usize = 4096;

/// One hidden layer's worth of numbers, aligned for whole-register loads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub(super) struct Row(pub [i16; HIDDEN]);

impl Row {
    pub(super) const ZERO: Row = Row([0; HIDDEN]);
}

/// A network ready to evaluate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Network {
    pub(super) inputs: Box<[Row]>,
    pub(super) input_bias: Row,
    /// For each bucket the weights of the own and of the other perspective.
    pub(super) outputs: [[Row; 2]; OUTPUT_BUCKETS],
    pub(super) output_bias: [i32; OUTPUT_BUCKETS],
    description: String,
}

/// The quantised weights of a network as plain numbers, as a trainer makes them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameters {
    /// For each input a row of hidden units.
    pub input_weights: Vec<i16>,
    /// One for each hidden unit.
    pub input_bias: Vec<i16>,
    /// For each bucket the own, then the other perspective's row.
    pub output_weights: Vec<i16>,
    /// One for each bucket, in units of input scale times output scale.
    pub output_bias: Vec<i32>,
}

/// Why a file is no network for this program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NetworkError {
    /// It does not begin as a network file of Luft does.
    Magic,
    /// It is of another version.
    Version(u32),
    /// It is of another architecture; its sizes: inputs, hidden units, buckets.
    Architecture([u32; 3]),
    /// It ends too early.
    Truncated,
    /// It goes on after its end by so many bytes.
    TooLong(usize),
    /// Its description is no text.
    Description,
    /// Its weights are not those it was written with.
    Checksum,
    /// An output weight is out of its range.
    Range,
    /// This hidden unit could leave sixteen bits with 32 men on the board.
    HiddenOverflow(usize),
    /// The sum of this output could leave thirty-two bits.
    OutputOverflow(usize),
}

impl fmt::Display for NetworkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NetworkError::Magic => write!(f, "not a network file of Luft"),
            NetworkError::Version(version) => write!(f, "network file of version {version}, not {VERSION}"),
            NetworkError::Architecture([inputs, hidden, buckets]) => write!(
                f,
                "network of another architecture: {inputs} inputs, {hidden} hidden units, {buckets} buckets; \
                 this program needs {INPUTS}, {HIDDEN}, {OUTPUT_BUCKETS}"
            ),
            NetworkError::Truncated => write!(f, "network file ends too early"),
            NetworkError::TooLong(bytes) => write!(f, "network file goes on {bytes} bytes after its end"),
            NetworkError::Description => write!(f, "network file has a description that is no text"),
            NetworkError::Checksum => write!(f, "network file is damaged: its checksum does not fit"),
            NetworkError::Range => write!(f, "network has an output weight beyond {MAX_OUTPUT_WEIGHT}"),
            NetworkError::HiddenOverflow(unit) => {
                write!(f, "network has input weights so large that hidden unit {unit} could overflow")
            }
            NetworkError::OutputOverflow(bucket) => {
                write!(f, "network has output weights so large that output {bucket} could overflow")
            }
        }
    }
}

impl std::error::Error for NetworkError {}

/// Reads numbers off the front of a slice.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], NetworkError> {
        let (head, tail) = self.0.split_at_checked(count).ok_or(NetworkError::Truncated)?;
        self.0 = tail;
        Ok(head)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], NetworkError> {
        self.take(N)?.try_into().map_err(|_| NetworkError::Truncated)
    }

    fn u32(&mut self) -> Result<u32, NetworkError> {
        self.array().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Result<u64, NetworkError> {
        self.array().map(u64::from_le_bytes)
    }

    fn numbers(&mut self, count: usize) -> Result<Vec<i16>, NetworkError> {
        let bytes = self.take(2 * count)?;
        Ok(bytes.chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]])).collect())
    }
}

/// FNV-1a over bytes.
fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xCBF2_9CE4_8422_2325, |hash, &byte| (hash ^ byte as u64).wrapping_mul(0x0000_0100_0000_01B3))
}

impl Network {
    /// A network of these weights.
    ///
    /// # Errors
    /// [`NetworkError::Truncated`] when a list has not the length of the architecture, [`NetworkError::Range`] when an
    /// output weight is too large, [`NetworkError::HiddenOverflow`] and [`NetworkError::OutputOverflow`] when sums of
    /// weights could be.
    pub fn new(parameters: &Parameters, description: &str) -> Result<Network, NetworkError> {
        let Parameters { input_weights, input_bias, output_weights, output_bias } = parameters;
        let lengths = [input_weights.len(), input_bias.len(), output_weights.len(), output_bias.len()];
        if lengths != [INPUTS * HIDDEN, HIDDEN, OUTPUT_BUCKETS * 2 * HIDDEN, OUTPUT_BUCKETS] {
            return Err(NetworkError::Truncated);
        }
        if output_weights.iter().any(|weight| weight.unsigned_abs() > MAX_OUTPUT_WEIGHT as u16) {
            return Err(NetworkError::Range);
        }
        let row = |numbers: &[i16]| {
            let mut row = Row::ZERO;
            row.0.copy_from_slice(numbers);
            row
        };
        let output = |bucket: usize, side: usize| row(&output_weights[(bucket * 2 + side) * HIDDEN..][..HIDDEN]);
        let network = Network {
            inputs: input_weights.chunks_exact(HIDDEN).map(row).collect(),
            input_bias: row(input_bias),
            outputs: std::array::from_fn(|bucket| [output(bucket, 0), output(bucket, 1)]),
            output_bias: std::array::from_fn(|bucket| output_bias[bucket]),
            description: description.into(),
        };
        network.checked()
    }

    /// Itself, when no position can make its sums overflow.
    fn checked(self) -> Result<Network, NetworkError> {
        if let Some(unit) = overflowing_unit(&self.inputs, &self.input_bias) {
            return Err(NetworkError::HiddenOverflow(unit));
        }
        match overflowing_output(&self.outputs) {
            Some(bucket) => Err(NetworkError::OutputOverflow(bucket)),
            None => Ok(self),
        }
    }

    /// Its weights as plain numbers: what [`Network::new`] makes it of.
    pub fn parameters(&self) -> Parameters {
        let numbers = |rows: &mut dyn Iterator<Item = &Row>| rows.flat_map(|row| row.0).collect();
        Parameters {
            input_weights: numbers(&mut self.inputs.iter()),
            input_bias: self.input_bias.0.to_vec(),
            output_weights: numbers(&mut self.outputs.iter().flatten()),
            output_bias: self.output_bias.to_vec(),
        }
    }

    /// What the network says of itself.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// Reads a network file.
    ///
    /// # Errors
    /// See [`NetworkError`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Network, NetworkError> {
        let mut reader = Reader(bytes);
        if reader.take(MAGIC.len()).map_err(|_| NetworkError::Magic)? != MAGIC {
            return Err(NetworkError::Magic);
        }
        match reader.u32()? {
            VERSION => {}
            other => return Err(NetworkError::Version(other)),
        }
        let hash = reader.u64()?;
        let sizes = [reader.u32()?, reader.u32()?, reader.u32()?];
        if hash != architecture::hash() || sizes != sizes_here() {
            return Err(NetworkError::Architecture(sizes));
        }
        let length = reader.u32()? as usize;
        if length > MOST_DESCRIPTION_BYTES {
            return Err(NetworkError::Description);
        }
        let description = std::str::from_utf8(reader.take(length)?).map_err(|_| NetworkError::Description)?;
        let sum = reader.u64()?;
        let weights = reader.0;
        let parameters = read_parameters(&mut reader)?;
        if !reader.0.is_empty() {
            return Err(NetworkError::TooLong(reader.0.len()));
        }
        if checksum(weights) != sum {
            return Err(NetworkError::Checksum);
        }
        Network::new(&parameters, description)
    }

    /// The bytes of a network file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut weights = Vec::new();
        let rows = self.inputs.iter().chain([&self.input_bias]).chain(self.outputs.iter().flatten());
        rows.flat_map(|row| row.0).for_each(|number| weights.extend_from_slice(&number.to_le_bytes()));
        self.output_bias.iter().for_each(|number| weights.extend_from_slice(&number.to_le_bytes()));
        let mut bytes = MAGIC.to_vec();
        bytes.extend_from_slice(&VERSION.to_le_bytes());
        bytes.extend_from_slice(&architecture::hash().to_le_bytes());
        sizes_here().iter().for_each(|size| bytes.extend_from_slice(&size.to_le_bytes()));
        let mut description = self.description.as_str();
        while description.len() > MOST_DESCRIPTION_BYTES {
            let mut letters = description.chars();
            letters.next_back();
            description = letters.as_str();
        }
        bytes.extend_from_slice(&(description.len() as u32).to_le_bytes());
        bytes.extend_from_slice(description.as_bytes());
        bytes.extend_from_slice(&checksum(&weights).to_le_bytes());
        bytes.extend_from_slice(&weights);
        bytes
    }
}

fn sizes_here() -> [u32; 3] {
    [INPUTS as u32, HIDDEN as u32, OUTPUT_BUCKETS as u32]
}

fn read_parameters(reader: &mut Reader<'_>) -> Result<Parameters, NetworkError> {
    Ok(Parameters {
        input_weights: reader.numbers(INPUTS * HIDDEN)?,
        input_bias: reader.numbers(HIDDEN)?,
        output_weights: reader.numbers(OUTPUT_BUCKETS * 2 * HIDDEN)?,
        output_bias: (0..OUTPUT_BUCKETS).map(|_| reader.array().map(i32::from_le_bytes)).collect::<Result<_, _>>()?,
    })
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::chess::random::SplitMix64;

    /// A network of random weights of usual size.
    pub(in crate::nnue) fn random_network(seed: u64) -> Network {
        let mut random = SplitMix64::new(seed);
        let mut numbers = |count: usize, limit: i64| -> Vec<i64> {
            (0..count).map(|_| random.below(2 * limit as u64 + 1) as i64 - limit).collect()
        };
        let narrow = |numbers: Vec<i64>| numbers.into_iter().map(|number| number as i16).collect::<Vec<_>>();
        let parameters = Parameters {
            input_weights: narrow(numbers(INPUTS * HIDDEN, 90)),
            input_bias: narrow(numbers(HIDDEN, 200)),
            output_weights: narrow(numbers(OUTPUT_BUCKETS * 2 * HIDDEN, MAX_OUTPUT_WEIGHT as i64)),
            output_bias: numbers(OUTPUT_BUCKETS, 5_000).into_iter().map(|number| number as i32).collect(),
        };
        Network::new(&parameters, "random").unwrap()
    }

    #[test]
    fn files_come_back_as_they_were() {
        let network = random_network(1);
        assert_eq!(Network::from_bytes(&network.to_bytes()).unwrap(), network);
        assert_eq!(Network::new(&network.parameters(), network.description()).unwrap(), network);
    }

    #[test]
    fn weights_that_could_overflow_are_refused() {
        let sound = random_network(3).parameters();
        let mut parameters = sound.clone();
        parameters.input_weights.iter_mut().skip(7).step_by(HIDDEN).for_each(|weight| *weight = -1_500);
        assert_eq!(Network::new(&parameters, ""), Err(NetworkError::HiddenOverflow(7)));
        let mut parameters = sound.clone();
        parameters.output_weights[3] = -MAX_OUTPUT_WEIGHT - 1;
        assert_eq!(Network::new(&parameters, ""), Err(NetworkError::Range));
    }

    #[test]
    fn whatever_is_wrong_with_a_file_is_told() {
        let bytes = random_network(2).to_bytes();
        let changed = |index: usize| {
            let mut bytes = bytes.clone();
            bytes[index] ^= 1;
            Network::from_bytes(&bytes).unwrap_err()
        };
        assert_eq!(Network::from_bytes(b""), Err(NetworkError::Magic));
        assert_eq!(changed(0), NetworkError::Magic);
        assert_eq!(changed(8), NetworkError::Version(0));
        assert!(matches!(changed(12), NetworkError::Architecture(_)));
        assert!(matches!(changed(24), NetworkError::Architecture([head, ..]) if head as usize != HIDDEN));
        assert_eq!(changed(bytes.len() - 1), NetworkError::Checksum);
        assert_eq!(Network::from_bytes(&bytes[..bytes.len() - 1]), Err(NetworkError::Truncated));
        assert_eq!(Network::from_bytes(&[&bytes[..], &[0; 3]].concat()), Err(NetworkError::TooLong(3)));
        for length in 0..60 {
            assert!(Network::from_bytes(&bytes[..length]).is_err());
        }
    }
}
