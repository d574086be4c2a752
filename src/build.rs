//! The build script: puts the network into the program.
//!
//! That is the file which the environment variable `EVALFILE` names, or else `src/nnue/luft.nnue`. A file that is no network
//! for this program fails the build.

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

const VARIABLE: &str = "EVALFILE";
const DEFAULT: &str = "src/nnue/luft.nnue";

fn chosen() -> PathBuf {
    env::var_os(VARIABLE).filter(|path| !path.is_empty()).map_or_else(|| PathBuf::from(DEFAULT), PathBuf::from)
}

fn embed(path: &Path) -> Result<(), String> {
    let bytes = fs::read(path).map_err(|error| error.to_string())?;
    network::Network::from_bytes(&bytes).map_err(|error| error.to_string())?;
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
