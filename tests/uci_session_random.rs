//! A session survives anything: random lines, most of them nonsense, and starts and stops at random moments.

#[allow(dead_code, reason = "the contract needs more of it")]
mod engine_process;

use std::thread;
use std::time::Duration;

use engine_process::{EngineProcess, PROMPT, Searched, searched::game_of, with_session};
use luft::chess::random::SplitMix64;
use luft::uci::{Command, Source};

/// The seed of all that is random; `LUFT_SEED` sets another, for longer runs.
fn seed() -> u64 {
    std::env::var("LUFT_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(20_260_101)
}

/// Commands that clients send, with limits that end soon.
const VALID: [&str; 35] = [
    "isready",
    "ucinewgame",
    "stop",
    "stop",
    "stop",
    "ponderhit",
    "position startpos",
    "position startpos moves e2e4 e7e5 g1f3 b8c6 f1b5",
    "position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1 moves e1g1 e8c8",
    "position fen 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "position fen 7k/5Q2/8/8/8/8/8/K7 b - - 0 1",
    "position fen 8/8/4k3/8/8/4K3/8/8 w - - 99 1",
    "position fen bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "go depth 2",
    "go nodes 100",
    "go movetime 1",
    "go wtime 10 btime 10 winc 1 binc 1",
    "go infinite",
    "go ponder wtime 5 btime 5",
    "go depth 1 searchmoves e2e4 d2d4",
    "go mate 1 nodes 200",
    "setoption name Hash value 2",
    "setoption name Threads value 1",
    "setoption name Threads value 2",
    "setoption name Threads value 5",
    "setoption name MultiPV value 3",
    "setoption name MultiPV value 1",
    "setoption name UCI_Chess960 value true",
    "setoption name UCI_Chess960 value false",
    "setoption name Clear Hash",
    "setoption name Move Overhead value 1",
    "uci",
    "d",
    "eval",
    "perft 2",
];

const WORDS: [&str; 24] = [
    "go",
    "position",
    "fen",
    "startpos",
    "moves",
    "e2e4",
    "e7e8q",
    "0000",
    "value",
    "name",
    "infinite",
    "-1",
    "0",
    "99999999999999999999",
    "KQkq",
    "8/8/8/8/8/8/8/8",
    "w",
    "-",
    "\u{265e}",
    "\t",
    "#",
    "depth",
    "1",
    "\u{0}",
];

struct Lines(SplitMix64);

impl Lines {
    fn below(&mut self, bound: usize) -> usize {
        self.0.below(bound as u64) as usize
    }

    fn pick(&mut self, from: &[&str]) -> String {
        from[self.below(from.len())].to_string()
    }

    fn next(&mut self) -> String {
        match self.below(10) {
            0..=3 => self.pick(&VALID),
            4..=7 => self.mutated(),
            8 => {
                let count = 1 + self.below(8);
                (0..count).map(|_| self.pick(&WORDS)).collect::<Vec<_>>().join(" ")
            }
            _ => {
                let count = self.below(40);
                (0..count)
                    .filter_map(|_| char::from_u32(1 + self.below(700) as u32))
                    .collect::<String>()
                    .replace('\n', "")
            }
        }
    }

    /// A valid command with something put in, taken out, doubled or changed.
    fn mutated(&mut self) -> String {
        let line = self.pick(&VALID);
        let mut words: Vec<String> = line.split(' ').map(String::from).collect();
        for _ in 0..=self.below(3) {
            let at = self.below(words.len());
            match self.below(5) {
                0 => words.insert(at, self.pick(&WORDS)),
                1 if words.len() > 1 => drop(words.remove(at)),
                2 => words.insert(at, words[at].clone()),
                3 => words[at] = self.pick(&WORDS),
                _ => {
                    let letter = char::from(32 + self.below(95) as u8);
                    let place = self.below(words[at].chars().count() + 1);
                    words[at] = words[at]
                        .chars()
                        .take(place)
                        .chain([letter])
                        .chain(words[at].chars().skip(place + 1))
                        .collect();
                }
            }
        }
        words.join(" ")
    }
}

/// What a line must be answered with.
#[derive(Default)]
struct Expected {
    moves: usize,
    unreadable: usize,
    ready: usize,
}

/// Whether a line may be sent: not one that ends the session, takes a machine's memory or writes files.
fn is_harmless(line: &str) -> bool {
    match Command::parse(line) {
        Ok(Some(Command::Quit | Command::Bench { .. } | Command::Speedtest(_) | Command::Genfens(_))) => false,
        Ok(Some(Command::Perft(perft))) => format!("{perft:?}").contains("Depth(2)") && perft.hash_mib == 0,
        Ok(Some(Command::SetOption { name, value })) => {
            name.len() < 13 && (value.len() < 3 || value.parse::<u64>().is_err())
        }
        _ => true,
    }
}

fn expect(line: &str, expected: &mut Expected) {
    match Command::parse(line) {
        Ok(Some(Command::Go(_))) => expected.moves += 1,
        Ok(Some(Command::IsReady)) => expected.ready += 1,
        Err(_) => expected.unreadable += 1,
        _ => {}
    }
}

#[test]
fn a_hundred_thousand_random_lines_are_all_answered() {
    let mut lines = Lines(SplitMix64::new(seed()));
    let mut engine = EngineProcess::start();
    for batch in 0..1000 {
        let mut expected = Expected::default();
        let mut text = String::new();
        for line in (0..).map(|_| lines.next()).filter(|line| is_harmless(line)).take(99) {
            expect(&line, &mut expected);
            text.push_str(&line);
            text.push_str(if batch % 2 == 0 { "\n" } else { "\r\n" });
        }
        // The last line asks for a word that nothing else prints, after all that waits.
        engine.send_bytes(text.as_bytes());
        engine.send("stop\nsetoption name last of the batch");
        let answers = engine.read_until("info string error: unknown option 'last of the batch'");
        let count = |beginning: &str| answers.iter().filter(|line| line.starts_with(beginning)).count();
        assert_eq!((count("bestmove"), count("readyok")), (expected.moves, expected.ready), "batch {batch}: {text}");
        assert!(count("info string error: ") > expected.unreadable, "batch {batch}: {text}");
    }
    engine.tell("");
    let ended = engine.end();
    assert!(ended.status.success(), "{:?}", ended.status);
    assert_eq!(ended.errors, "");
}

#[test]
fn a_thousand_searches_stopped_at_random_moments() {
    let mut random = SplitMix64::new(seed());
    let game = game_of("", &["e2e4"]);
    with_session(|engine| {
        engine.tell("position startpos moves e2e4");
        for _ in 0..1000 {
            engine.send("go infinite");
            thread::sleep(Duration::from_micros(random.below(3000)));
            engine.send("stop");
            Searched::read(&engine.read_within("bestmove", PROMPT)).check(&game);
        }
        engine.tell("");
    });
}

#[test]
fn a_session_in_memory_answers_the_same_way() {
    let script = ["position startpos moves e2e4", "go depth 3", "isready", "nonsense", "d"].map(String::from);
    let mut output = Vec::new();
    let session = luft::uci::Session::new(&mut output).unwrap();
    // A script tells by its result that a line was wrong.
    assert!(!session.run(Source::Script { lines: script.to_vec(), input: Box::new(std::io::empty()) }).unwrap());
    let text = String::from_utf8(output).unwrap();
    assert!(text.contains("bestmove") && text.contains("\nFEN: ") && text.contains("'nonsense'"));
}
