//! `export_net`: the network in use as a file.

use std::fs;

use super::Work;
use crate::nnue::Network;

pub(super) fn network(network: &Network, path: &str) -> Work {
    let bytes = network.to_bytes();
    match fs::write(path, &bytes) {
        Ok(()) => Work::Lines(vec![format!("info string network of {} bytes written to '{path}'", bytes.len())]),
        Err(error) => Work::Error(format!("export_net: cannot write '{path}': {error}")),
    }
}
