//! The built-in network with changes, or any bytes, as a network file.
//!
//! The first byte chooses: 0 takes the rest as the file, other values take it as a list of changes (place in three bytes,
//! new value in two), after which the checksum fits again if the value is odd, and the file is cut by one of the changes if
//! it is above 127. So the search for inputs gets past the header.
#![no_main]

use std::sync::{Arc, LazyLock};

use libfuzzer_sys::fuzz_target;
use luft::chess::Position;
use luft::nnue::{Kernels, Network, NetworkEvaluator};

static SOUND: LazyLock<Vec<u8>> = LazyLock::new(|| Network::embedded().expect("the built-in network").to_bytes());

/// Where the header tells the length of the description, and how long it is without.
const LENGTH_AT: usize = 32;

/// FNV-1a, as files carry it.
fn checksum(bytes: &[u8]) -> [u8; 8] {
    let mix = |hash: u64, &byte: &u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3);
    bytes.iter().fold(0xCBF2_9CE4_8422_2325, mix).to_le_bytes()
}

/// Writes the sum that the weights have, where the file says that they begin.
fn mend(file: &mut [u8]) {
    let length =
        file.get(LENGTH_AT..LENGTH_AT + 4).and_then(|bytes| bytes.try_into().ok()).map_or(0, u32::from_le_bytes);
    let Some(sum_at) = (LENGTH_AT + 4).checked_add(length as usize) else { return };
    if let Some(sum) = file.get(sum_at + 8..).map(checksum) {
        file[sum_at..sum_at + 8].copy_from_slice(&sum);
    }
}

fn file_of(how: u8, changes: &[u8]) -> Vec<u8> {
    let mut file = SOUND.clone();
    for change in changes.chunks_exact(5) {
        let place = u32::from_le_bytes([change[0], change[1], change[2], 0]) as usize % file.len().max(1);
        for (byte, &new) in file.iter_mut().skip(place).zip(&change[3..]) {
            *byte = new;
        }
        if how > 127 && change[3] == change[4] {
            file.truncate(place);
        }
    }
    if how % 2 == 1 {
        mend(&mut file);
    }
    file
}

/// A file that is taken is one that would be written so, and all kernels agree on it.
fn check(file: &[u8], network: Network) {
    assert!(network.to_bytes() == file, "written otherwise than read");
    let network = Arc::new(network);
    let position = Position::initial();
    let score = |kernels| NetworkEvaluator::new(Arc::clone(&network), kernels, &position).evaluate_buckets(&position);
    let scores: Vec<_> = Kernels::available().into_iter().map(score).collect();
    assert!(scores.windows(2).all(|pair| pair[0] == pair[1]), "{scores:?}");
}

fuzz_target!(|bytes: &[u8]| {
    let Some((&how, rest)) = bytes.split_first() else { return };
    let file = if how == 0 { rest.to_vec() } else { file_of(how, rest) };
    if let Ok(network) = Network::from_bytes(&file).map_err(|error| error.to_string()) {
        check(&file, network);
    }
});
