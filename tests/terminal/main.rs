//! The program on a pseudo-terminal, as a person sees it.
#![cfg(unix)]

mod pty;

use std::process::{Command, Stdio};

use pty::{PROGRAM, Pty};

const COLOURS: [(&str, &str); 1] = [("TERM", "xterm-256color")];
const NO_COLOURS: [(&str, &str); 2] = [("TERM", "xterm-256color"), ("NO_COLOR", "1")];

#[test]
fn a_person_is_greeted_and_asked_for_a_move() {
    let mut terminal = Pty::start(&COLOURS);
    terminal.wait_for("Type a move");
    terminal.wait_for("1. >");
    terminal.ask("help", "play COLOUR");
    terminal.wait_for("export_net");
    terminal.ask("quit", "");
    assert!(terminal.end());
}

#[test]
fn the_board_is_coloured_unless_the_person_or_the_terminal_does_not_want_it() {
    let mut terminal = Pty::start(&COLOURS);
    terminal.ask("d", "White to move: in play");
    assert!(terminal.text().contains("\u{1b}[") && terminal.text().contains("48;5;"), "{}", terminal.text());
    for plain in [NO_COLOURS.as_slice(), &[("TERM", "dumb")]] {
        let mut terminal = Pty::start(plain);
        terminal.ask("d", "White to move: in play");
        terminal.ask("e5", "illegal");
        assert!(terminal.text().contains(" R  N  B  Q  K  B  N  R"), "{}", terminal.text());
        assert!(!terminal.text().contains('\u{1b}'), "{}", terminal.text());
    }
}

#[test]
fn moves_are_typed_as_people_write_them() {
    let mut terminal = Pty::start(&NO_COLOURS);
    for (typed, prompt) in
        [("e4", "1... >"), ("e7e5", "2. >"), ("Nf3 Nc6", "3. >"), ("Bb5", "3... >"), ("a6", "4. >"), ("O-O", "4... >")]
    {
        terminal.ask(typed, prompt);
    }
    terminal.ask("moves", "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. O-O");
    terminal.ask("d", "Black to move, 4. O-O played: in play");
    terminal.ask("Nf9", "'Nf9'");
    terminal.ask("Qh4", "4... >");
    terminal.ask("Nd4 Nxe5", "illegal");
    terminal.ask("undo 3", "4. >");
    terminal.ask("undo 99", "1. >");
    terminal.ask("undo", "no move to take back");
    terminal.ask("undo x", "'x'");
    terminal.ask("nonsense", "unknown command 'nonsense'");
}

#[test]
fn a_search_is_a_table_in_the_words_of_people() {
    let mut terminal = Pty::start(&NO_COLOURS);
    terminal.ask("e4", "1... >");
    terminal.ask("go depth 6", "depth    score     time    nodes  line");
    terminal.wait_for("Best is 1... ");
    let rows: Vec<&str> =
        terminal.text().lines().filter(|line| line.contains("s  ") || line.contains("1... ")).collect();
    assert!(rows.len() >= 6, "{rows:#?}");
    for word in ["bestmove", "info ", "multipv"] {
        assert!(!terminal.text().contains(word), "{word} in {}", terminal.text());
    }
    terminal.ask("analyse", "depth    score");
    terminal.ask("", "Best is 1... ");
    terminal.ask("go infinite", "depth    score");
    terminal.ask("stop", "Best is 1... ");
}

#[test]
fn the_engine_moves_when_told_to() {
    let mut terminal = Pty::start(&NO_COLOURS);
    terminal.ask("position fen 6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1", "1. >");
    terminal.ask("go", "Luft plays 1. Re8#  (#1, depth");
    terminal.wait_for("The game is over: checkmate, White wins.");
    terminal.ask("Kf8", "The game is over");
    terminal.ask("play black", "The game is over");
    terminal.ask("new", "1. >");
}

#[test]
fn a_game_against_the_engine_shows_both_clocks() {
    let mut terminal = Pty::start(&NO_COLOURS);
    terminal.ask("play white 1+1", "[White 0:59");
    terminal.ask("e4", "Luft plays 1... ");
    terminal.wait_for("2. >");
    assert!(terminal.text().contains("Black 0:") || terminal.text().contains("Black 1:0"), "{}", terminal.text());
    assert!(!terminal.text().contains("nodes"), "the engine's mind is not shown: {}", terminal.text());
    terminal.ask("undo", "1. >");
    terminal.ask("d4", "Luft plays 1... ");
    terminal.ask("play black 1+1", "Luft plays 2. ");
    assert!(terminal.text().contains("h  g  f  e  d  c  b  a"), "{}", terminal.text());
    terminal.ask("go", "Luft plays 2... ");
    terminal.ask("go", "Luft plays 3. ");
    terminal.ask("undo 4000000000", "Luft plays 1. ");
    terminal.ask("resign", "Black resigns: White wins.");
    terminal.ask("resign", "no game to resign");
    terminal.ask("play red", "'red'");
    terminal.ask("play white soon", "'soon'");
}

#[test]
fn a_move_taken_back_while_the_engine_thinks_is_taken_back() {
    let mut terminal = Pty::start(&NO_COLOURS);
    terminal.ask("play white 60+0", "1. >");
    terminal.send("e4");
    terminal.send("undo");
    terminal.wait_for("1. >");
    terminal.ask("moves", "No moves yet.");
    terminal.send("e4");
    terminal.send("new");
    terminal.ask("moves", "No moves yet.");
}

#[test]
fn flags_fall() {
    let mut terminal = Pty::start(&NO_COLOURS);
    terminal.ask("play white 0.02", "1. >");
    terminal.wait_for("White's flag has fallen: Black wins on time.");
    terminal.ask("position fen 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "1. >");
    terminal.ask("play white 0.02", "1. >");
    terminal.wait_for("a draw, as Black cannot mate.");
    terminal.ask("e4", "1... >");
}

#[test]
fn with_uci_it_is_plain() {
    let mut terminal = Pty::start(&COLOURS);
    terminal.ask("isready", "readyok");
    terminal.ask("e4", "1... ");
    terminal.ask("uci", "uciok");
    terminal.ask("d", "Legal moves: ");
    terminal.ask("go depth 2", "bestmove ");
    terminal.ask("e5", "info string error: unknown command 'e5'");
    terminal.ask("isready", "readyok");
    let all = terminal.all();
    let after = &all[all.find("uciok").unwrap()..];
    assert!(!after.contains('\u{1b}') && !after.contains(" >"), "{after:?}");
    assert!(after.contains(" b KQkq - 0 1"), "{after:?}");
}

#[test]
fn uci_during_a_search_makes_it_plain_too() {
    let mut terminal = Pty::start(&NO_COLOURS);
    terminal.ask("analyse", "depth    score");
    terminal.send("uci");
    terminal.send("stop");
    terminal.wait_for("bestmove ");
    terminal.wait_for("uciok");
}

#[test]
fn the_end_of_input_leaves() {
    let mut terminal = Pty::start(&NO_COLOURS);
    terminal.ask("analyse", "depth    score");
    terminal.send_bytes(b"\x04");
    assert!(terminal.end());
}

#[test]
fn without_a_terminal_at_both_ends_nobody_is_greeted() {
    // The input is a terminal, the output a pipe.
    let pair = pty::open();
    let mut command = Command::new(PROGRAM);
    command.stdin(pair.1).stdout(Stdio::piped()).stderr(Stdio::null()).env("TERM", "xterm-256color");
    let child = command.spawn().unwrap();
    pty::write_all(&pair.0, b"isready\nd\nquit\n");
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.starts_with("readyok\n") && text.contains("FEN: ") && !text.contains('\u{1b}'), "{text}");
}
