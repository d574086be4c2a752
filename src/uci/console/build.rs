//! `compiler`: how the program was built and what it found.

use crate::nnue::Kernels;
use crate::uci::response::name_and_version;

/// Processor features that kernels and tables may use, as found at run time.
fn processor_features() -> Vec<&'static str> {
    #[cfg(target_arch = "x86_64")]
    {
        let features = [
            ("popcnt", is_x86_feature_detected!("popcnt")),
            ("bmi2", is_x86_feature_detected!("bmi2")),
            ("avx2", is_x86_feature_detected!("avx2")),
            ("avx512bw", is_x86_feature_detected!("avx512bw")),
        ];
        features.into_iter().filter(|(_, found)| *found).map(|(name, _)| name).collect()
    }
    #[cfg(target_arch = "aarch64")]
    return vec!["neon"];
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    Vec::new()
}

pub(super) fn lines() -> Vec<String> {
    let features = processor_features();
    let found = if features.is_empty() { "none of those asked for".into() } else { features.join(" ") };
    let sliders = if cfg!(all(target_arch = "x86_64", target_feature = "bmi2", not(slow_pext))) {
        "pext"
    } else {
        "magic multiplication"
    };
    vec![
        format!("version: {}", name_and_version()),
        format!("target: {} {}", std::env::consts::ARCH, std::env::consts::OS),
        format!("debug assertions: {}", if cfg!(debug_assertions) { "on" } else { "off" }),
        format!("processor features found: {found}"),
        format!("slider attacks: {sliders}"),
        format!("network kernels: {}", Kernels::best().name()),
    ]
}
