//! Failures of the engine, gathered: a soak goes on after one, with a new process.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::engine_process::EngineProcess;

/// Runs a part that panics when the engine breaks a promise, stalls or dies; then the text says which.
pub fn attempt<T>(part: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(part)).map_err(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        text.or_else(|| panic.downcast_ref::<&str>().map(|text| text.to_string())).unwrap_or_default()
    })
}

/// Ends a process, which must go in order and without a word on standard error.
pub fn dismiss(engine: EngineProcess) -> Result<(), String> {
    attempt(|| {
        let ended = engine.end();
        assert!(ended.status.success(), "{:?}: {}", ended.status, ended.errors);
        assert_eq!(ended.errors, "");
    })
}
