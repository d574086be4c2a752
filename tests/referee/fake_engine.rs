//! A UCI engine that plays fixed legal moves and misbehaves in one way at its third move.

use std::io::{BufRead, Write};
use std::thread::sleep;
use std::time::Duration;

use luft::chess::notation::{CastlingSpelling, format_move, parse_fen, parse_move};
use luft::chess::random::SplitMix64;
use luft::chess::{Game, Move, Position};

/// The environment variable that makes this program an engine, and says of which kind.
pub const BEHAVIOUR: &str = "FAKE_ENGINE";

struct Engine {
    behaviour: String,
    game: Game,
    chess960: bool,
}

/// Talks UCI until the input ends.
pub fn run(behaviour: String) {
    let mut engine = Engine { behaviour, game: Game::new(Position::initial()), chess960: false };
    if engine.behaves("dead") {
        eprintln!("no heart");
        return;
    }
    for line in std::io::stdin().lock().lines() {
        let Ok(line) = line else { return };
        if line == "quit" {
            return;
        }
        engine.obey(&line);
    }
}

fn say(text: &str) {
    let mut output = std::io::stdout().lock();
    // The referee may be gone already: then so is the reason to speak.
    let _ = writeln!(output, "{text}").and_then(|()| output.flush());
}

impl Engine {
    fn behaves(&self, kind: &str) -> bool {
        self.behaviour == kind
    }

    fn obey(&mut self, line: &str) {
        let word = line.split_whitespace().next().unwrap_or_default();
        match word {
            "uci" if self.behaves("standard only") => say("id name fake\nuciok"),
            "uci" => say(
                "id name fake\noption name UCI_Chess960 type check default false\noption name Hash type spin\nuciok",
            ),
            "setoption" => self.chess960 = line.ends_with("UCI_Chess960 value true"),
            "isready" => self.pong(),
            "position" => self.game = read_position(line),
            "go" => self.go(),
            _ => {}
        }
    }

    /// Whether now is the time for mischief: from the third move on.
    fn is_time(&self) -> bool {
        self.game.ply() >= 4
    }

    fn pong(&self) {
        if self.behaves("stall") && self.is_time() {
            return;
        }
        if self.behaves("late ping") && self.is_time() {
            sleep(Duration::from_millis(60));
        }
        say("readyok");
    }

    fn go(&self) {
        let best = self.choose();
        let text = self.spell(best);
        if !self.is_time() {
            say(&format!("info depth 3 score cp 5 nodes 10 pv {text}\nbestmove {text}"));
            return;
        }
        match self.behaviour.as_str() {
            "illegal" => say("info score cp 5\nbestmove e1e9"),
            "impossible" => say("info score cp 5\nbestmove a8a1"),
            "none" => say("info score cp 5\nbestmove (none)"),
            "empty" => say("bestmove"),
            "silent" => {}
            "die" => {
                eprintln!("assertion failed: heart");
                std::process::exit(3);
            }
            "slow" => {
                sleep(Duration::from_millis(700));
                say(&format!("bestmove {text}"));
            }
            "flood" => flood(200_000, &text),
            "endless flood" => flood(u32::MAX, &text),
            "no score" => say(&format!("info depth 1 pv {text}\nbestmove {text}")),
            "bad pv" => say(&format!("info score cp 1 pv {text} a1a1 b2b2\nbestmove {text}")),
            "unlike" => self.say_unlike(best),
            "orphan" => {
                // A child that keeps the pipes open must not outlive the engine.
                let child = std::process::Command::new("sleep").arg("4711").spawn();
                eprintln!("child {}", child.map_or(0, |child| child.id()));
                std::process::exit(3);
            }
            _ => say(&format!("info depth 3 score cp 5 nodes 10 pv {text}\nbestmove {text}")),
        }
    }

    /// Names a principal variation that begins with another move than the one played, if there is one.
    fn say_unlike(&self, best: Move) {
        let moves = self.game.position().legal_moves();
        let other = moves.iter().copied().find(|&mv| mv != best).unwrap_or(best);
        say(&format!("info score cp 1 pv {}\nbestmove {}", self.spell(other), self.spell(best)));
    }

    /// Castles when it can; otherwise a move that depends on position and behaviour alone.
    fn choose(&self) -> Move {
        let position = self.game.position();
        let moves = position.legal_moves();
        if let Some(castling) = moves.iter().find(|mv| mv.is_castling()) {
            return *castling;
        }
        let salt = self.behaviour.bytes().map(u64::from).sum::<u64>();
        let choice = SplitMix64::new(position.key() ^ salt).below(moves.len().max(1) as u64);
        moves[choice as usize]
    }

    fn spell(&self, mv: Move) -> String {
        let king_takes_rook = self.chess960 != self.behaves("wrong castling");
        format_move(mv, if king_takes_rook { CastlingSpelling::KingTakesRook } else { CastlingSpelling::KingTarget })
    }
}

fn flood(lines: u32, best: &str) {
    say(&"x".repeat(1 << 20));
    for number in 0..lines {
        let mut output = std::io::stdout().lock();
        if writeln!(output, "info depth {number} score cp 1 nodes {number} pv {best}\ngarbage {number}").is_err() {
            return;
        }
    }
    say(&format!("bestmove {best}"));
}

fn read_position(line: &str) -> Game {
    let (start, moves) = line.split_once(" moves ").unwrap_or((line, ""));
    let start = match start.strip_prefix("position fen ") {
        Some(fen) => parse_fen(fen).expect("the referee sends sound positions"),
        None => Position::initial(),
    };
    let mut game = Game::new(start);
    for text in moves.split_whitespace() {
        let mv = parse_move(game.position(), text).expect("the referee sends legal moves");
        game.play(mv);
    }
    game
}
