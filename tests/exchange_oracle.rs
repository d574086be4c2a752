//! Static exchange evaluation against a plain recursive exchange on a board of squares, and against legal play.

mod random_games;

use luft::chess::notation::{PerftLine, parse_move};
use luft::chess::random::SplitMix64;
use luft::chess::{Color, ExchangeValues, Move, MoveList, Piece, PieceKind, Position, Selection, Square};
use random_games::{sample, scaled};

const VALUES: ExchangeValues = ExchangeValues::USUAL;

/// The board as a list of squares, on which captures are really played.
#[derive(Clone)]
struct Exchange {
    squares: [Option<Piece>; 64],
    target: Square,
    /// For each man that alone shields its king at the start: its square, and the line through both.
    shields: Vec<(Square, (i32, i32), Vec<Square>)>,
}

const STEPS: [(i32, i32); 8] = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)];
const LEAPS: [(i32, i32); 8] = [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)];

fn slides(kind: PieceKind, step: (i32, i32)) -> bool {
    let straight = step.0 == 0 || step.1 == 0;
    kind == PieceKind::Queen || kind == if straight { PieceKind::Rook } else { PieceKind::Bishop }
}

/// The squares from `from` to the edge.
fn ray(from: Square, (files, ranks): (i32, i32)) -> impl Iterator<Item = Square> {
    (1..8).map_while(move |distance| from.offset(files * distance, ranks * distance))
}

impl Exchange {
    fn new(position: &Position, target: Square) -> Exchange {
        let squares = std::array::from_fn(|index| position.piece_on(Square::from_index(index)));
        let mut exchange = Exchange { squares, target, shields: Vec::new() };
        for color in Color::ALL {
            exchange.find_shields(position.king(color), color);
        }
        exchange
    }

    fn at(&self, square: Square) -> Option<Piece> {
        self.squares[square.index()]
    }

    fn find_shields(&mut self, king: Square, color: Color) {
        for step in STEPS {
            let mut men = ray(king, step).filter(|&square| self.at(square).is_some());
            let (Some(first), Some(second)) = (men.next(), men.next()) else {
                continue;
            };
            let pinner = self.at(second).filter(|piece| piece.color() != color && slides(piece.kind(), step));
            if pinner.is_some() && self.at(first).is_some_and(|piece| piece.color() == color) {
                let backwards = ray(king, (-step.0, -step.1));
                self.shields.push((first, step, ray(king, step).chain(backwards).collect()));
            }
        }
    }

    fn attacks(&self, from: Square, piece: Piece) -> bool {
        let to = self.target;
        let reaches = |steps: &[(i32, i32)]| steps.iter().any(|&(files, ranks)| from.offset(files, ranks) == Some(to));
        match piece.kind() {
            PieceKind::Pawn => {
                let ahead = if piece.color() == Color::White { 1 } else { -1 };
                reaches(&[(1, ahead), (-1, ahead)])
            }
            PieceKind::Knight => reaches(&LEAPS),
            PieceKind::King => reaches(&STEPS),
            kind => STEPS
                .into_iter()
                .filter(|&step| slides(kind, step))
                .any(|step| ray(from, step).find(|&square| square == to || self.at(square).is_some()) == Some(to)),
        }
    }

    fn attackers(&self, side: Color) -> Vec<(PieceKind, Square)> {
        (Square::all().filter(|&square| square != self.target))
            .filter_map(|square| Some((square, self.at(square).filter(|piece| piece.color() == side)?)))
            .filter(|&(square, piece)| self.attacks(square, piece))
            .map(|(square, piece)| (piece.kind(), square))
            .collect()
    }

    /// Whether a pin forbids the man to capture: it shields its king, the target is off the line, and an enemy slider
    /// that moves along the line still stands on it.
    fn is_held(&self, from: Square, side: Color) -> bool {
        let holds = |square: &Square, step: (i32, i32)| {
            self.at(*square).is_some_and(|piece| piece.color() != side && slides(piece.kind(), step))
        };
        let held =
            |step, line: &[Square]| !line.contains(&self.target) && line.iter().any(|square| holds(square, step));
        self.shields.iter().any(|(square, step, line)| *square == from && held(*step, line))
    }

    /// What `side` wins at best by capturing on the target, the least valuable man first, or by leaving it: 0.
    fn gain(&self, side: Color) -> i32 {
        let standing = self.at(self.target).expect("a man stands on the target").kind();
        let free = self.attackers(side).into_iter().filter(|&(_, from)| !self.is_held(from, side));
        let Some((kind, from)) = free.min() else {
            return 0;
        };
        if kind == PieceKind::King && !self.attackers(!side).is_empty() {
            return 0;
        }
        let mut after = self.clone();
        after.squares[self.target.index()] = after.squares[from.index()].take();
        (VALUES.of(standing) - after.gain(!side)).max(0)
    }
}

/// What a move wins with the best exchange after it.
fn exchange_value(position: &Position, mv: Move) -> i32 {
    if mv.is_castling() {
        return 0;
    }
    let us = position.side_to_move();
    let mut exchange = Exchange::new(position, mv.to());
    let victim = if mv.is_en_passant() { mv.to().forward(!us) } else { mv.to() };
    let captured = exchange.squares[victim.index()].take().map_or(0, |piece| VALUES.of(piece.kind()));
    let mover = exchange.squares[mv.from().index()].take();
    let arriving = mv.promotion().map_or(mover, |kind| Some(Piece::new(us, kind)));
    let promoted = mv.promotion().map_or(0, |kind| VALUES.of(kind) - VALUES.of(PieceKind::Pawn));
    exchange.squares[mv.to().index()] = arriving;
    captured + promoted - exchange.gain(!us)
}

fn assert_agrees(position: &Position, random: &mut SplitMix64) {
    for mv in position.legal_moves() {
        let value = exchange_value(position, mv);
        for threshold in [value, value + 1, 0, random.below(2_000) as i32 - 1_000] {
            let wins = position.exchange_wins(mv, threshold, &VALUES);
            assert_eq!(wins, value >= threshold, "{mv:?} is worth {value}, not {threshold}, in {position}");
        }
    }
}

#[test]
fn agrees_with_the_plain_exchange_in_random_games() {
    let mut random = SplitMix64::new(90);
    for position in sample(91, scaled(10_000), 7) {
        assert_agrees(&position, &mut random);
    }
}

/// The positions of the perft suites are full of pins and batteries.
#[test]
fn agrees_with_the_plain_exchange_in_the_perft_suites() {
    let mut random = SplitMix64::new(93);
    let lines = [include_str!("../perft-suites/standard.epd"), include_str!("../perft-suites/chess960.epd")];
    for line in lines.into_iter().flat_map(str::lines).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let position = line.parse::<PerftLine>().expect("a line of a suite").position;
        assert_agrees(&position, &mut random);
        for mv in position.legal_moves() {
            assert_agrees(&position.after(mv), &mut random);
        }
    }
}

#[test]
fn known_exchanges() {
    let table = [
        // The first two are the examples of the Chess Programming Wiki, "SEE - The Swap Algorithm".
        ("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5", 100),
        ("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "d3e5", 100 - 320),
        // A queen behind a rook makes the second capture pay.
        ("4k3/4r3/8/4p3/8/8/4R3/4Q1K1 w - - 0 1", "e2e5", 100),
        // En passant, and a promotion that is captured.
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 100),
        ("3rk3/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7d8q", 500 + 950 - 100 - 950),
        // The knight that guards is pinned, so what it guards is free; unless the pinner itself captures.
        ("4k3/8/8/4n3/8/3p4/2P5/4R1K1 w - - 0 1", "c2d3", 100),
        ("4k3/8/8/4n3/8/3r4/8/3RR1K1 w - - 0 1", "d1d3", 500),
        ("4k3/8/8/4n3/8/3p4/8/3R2K1 w - - 0 1", "d1d3", 100 - 500),
        ("4k3/8/8/8/8/4n3/8/3bR1K1 w - - 0 1", "e1d1", 330 - 500),
        // The king may not capture what is guarded.
        ("4k3/8/8/8/3b4/4p3/8/4RK2 b - - 0 1", "e3e2", -100),
        ("4k3/4r3/8/8/8/8/4PK2/8 b - - 0 1", "e7e2", 100 - 500),
        ("4k3/4r3/4r3/8/8/8/4PK2/8 b - - 0 1", "e6e2", 100),
        ("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1a1", 0),
    ];
    for (fen, mv, value) in table {
        let position: Position = fen.parse().expect("a position");
        let mv = parse_move(&position, mv).expect("a legal move");
        assert_eq!(exchange_value(&position, mv), value, "{mv:?} in {fen}");
        assert!(position.exchange_wins(mv, value, &VALUES), "{mv:?} in {fen}");
        assert!(!position.exchange_wins(mv, value + 1, &VALUES), "{mv:?} in {fen}");
    }
}

/// What the side to move wins at best by legal captures on the target, in any order, or by leaving it.
fn legal_gain(position: &Position, target: Square) -> i32 {
    let mut moves = MoveList::new();
    position.generate(Selection::Noisy, &mut moves);
    let standing = position.piece_on(target).map_or(0, |piece| VALUES.of(piece.kind()));
    (moves.into_iter().filter(|mv| mv.to() == target && mv.is_capture()))
        .map(|mv| standing - legal_gain(&position.after(mv), target))
        .fold(0, i32::max)
}

#[test]
fn exchanges_are_nearly_always_what_legal_captures_win() {
    let (mut same, mut different) = (0, 0);
    for position in sample(92, scaled(3_000), 7) {
        let is_middle = |mv: &&Move| mv.is_capture() && !mv.is_promotion() && !mv.is_en_passant();
        for &mv in position.legal_moves().iter().filter(is_middle).filter(|mv| (8..56).contains(&mv.to().index())) {
            let captured = position.piece_on(mv.to()).map_or(0, |piece| VALUES.of(piece.kind()));
            let value = captured - legal_gain(&position.after(mv), mv.to());
            for threshold in [0, 1] {
                if position.exchange_wins(mv, threshold, &VALUES) == (value >= threshold) {
                    same += 1;
                } else {
                    different += 1;
                }
            }
        }
    }
    // They differ where a capture opens a line to a king or the cheapest man is not the best to capture with.
    assert!(same > 5_000 && different * 50 < same, "{same} the same, {different} different");
}
