//! Where networks come from: the program itself, or a file.

use std::fs;
use std::io::{self, Read};
use std::path::Path;

use super::network::{Network, NetworkError};

/// The network file that the build script has checked and put here.
const EMBEDDED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/network.nnue"));

/// No network of this program is as large; more than this is not read, whatever a file holds.
const MOST_FILE_BYTES: u64 = 64 << 20;

impl Network {
    /// The network that the program carries in itself: `luft.nnue` of the sources, or the file that the environment
    /// variable `EVALFILE` named when the program was built.
    ///
    /// # Errors
    /// None in practice: the build fails when the file is no network.
    pub fn embedded() -> Result<Network, NetworkError> {
        Network::from_bytes(EMBEDDED)
    }

    /// Reads the network file at `path`.
    ///
    /// # Errors
    /// When there is no regular file that can be read, or it holds no network for this program; the error's text says
    /// what is wrong with it.
    pub fn load(path: &Path) -> io::Result<Network> {
        if !fs::metadata(path)?.is_file() {
            return Err(io::Error::other("not a regular file"));
        }
        let mut bytes = Vec::new();
        fs::File::open(path)?.take(MOST_FILE_BYTES).read_to_end(&mut bytes)?;
        Network::from_bytes(&bytes).map_err(io::Error::other)
    }
}
