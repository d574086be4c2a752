//! x
use luft::chess::*;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let p: Position = if a.len() > 2 { a[2].parse().unwrap() } else { Position::initial() };
    let d: u32 = a[1].parse().unwrap();
    let t = std::time::Instant::now();
    let n = perft::perft(&p, d);
    let s = t.elapsed().as_secs_f64();
    println!("{n} {s:.3} {:.1}M", n as f64 / s / 1e6);
}
