//! The `luft` program.

fn main() {}
