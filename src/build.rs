//! The build script: puts the network into the program.
//!
//! That is the file which the environment variable `EVALFILE` names, or else `src/nnue/luft.nnue`. A file that is no network
//! for this program fails the build. `EVALFILE=zeros` puts in a network that knows nothing: after a change of the architecture
//! no file fits, and the trainer that will make one has to be built.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

#[allow(dead_code)]
#[path = "nnue/architecture.rs"]
mod architecture;
#[allow(dead_code)]
#[path = "nnue/network.rs"]
mod network;
#[path = "nnue/range.rs"]
mod range;

use architecture::{HIDDEN, INPUTS, OUTPUT_BUCKETS};
use network::{Network, Parameters};

const VARIABLE: &str = "EVALFILE";
const DEFAULT: &str = "src/nnue/luft.nnue";
const ZEROS: &str = "zeros";

fn chosen() -> PathBuf {
    env::var_os(VARIABLE).filter(|path| !path.is_empty()).map_or_else(|| PathBuf::from(DEFAULT), PathBuf::from)
}

/// The bytes of a network of this architecture with all weights zero.
fn zeros() -> Result<Vec<u8>, String> {
    let parameters = Parameters {
        input_weights: vec![0; INPUTS * HIDDEN],
        input_bias: vec![0; HIDDEN],
        output_weights: vec![0; OUTPUT_BUCKETS * 2 * HIDDEN],
        output_bias: vec![0; OUTPUT_BUCKETS],
    };
    Network::new(&parameters, ZEROS).map(|network| network.to_bytes()).map_err(|error| error.to_string())
}

fn checked(path: &Path) -> Result<Vec<u8>, String> {
    let bytes = fs::read(path).map_err(|error| error.to_string())?;
    Network::from_bytes(&bytes).map_err(|error| error.to_string())?;
    Ok(bytes)
}

fn embed(path: &Path) -> Result<(), String> {
    let bytes = if path == Path::new(ZEROS) { zeros()? } else { checked(path)? };
    let folder = env::var_os("OUT_DIR").ok_or("cargo has set no OUT_DIR")?;
    fs::write(Path::new(&folder).join("network.nnue"), bytes).map_err(|error| error.to_string())
}

fn main() {
    let path = chosen();
    println!("cargo::rerun-if-env-changed={VARIABLE}");
    println!("cargo::rerun-if-changed={}", path.display());
    if let Err(error) = embed(&path) {
        println!("cargo::error=the network to embed ({VARIABLE}, else {DEFAULT}): {}: {error}", path.display());
    }
}
