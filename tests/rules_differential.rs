//! Luft's rules against two independent implementations, move by move through random games.
//!
//! A million positions: standard chess against `cozy-chess` and `chess`, Chess960 and double Chess960 against
//! `cozy-chess`. With `LUFT_FULL` set, ten million.

mod random_games;

use luft::chess::notation::{format_fen, format_shredder_fen, parse_fen};
use luft::chess::random::SplitMix64;
use luft::chess::{CastlingSide, Color, Move, PieceKind, Position};
use random_games::{Variant, random_move, scaled};

/// A move as every implementation has it: indices of two squares, and what a pawn becomes.
type PlainMove = (usize, usize, Option<usize>);

/// Another implementation that follows the game.
trait Peer {
    /// Whether castling is the king's move onto the rook, or else two squares.
    const KING_TAKES_ROOK: bool;
    fn start(position: &Position) -> Self;
    fn play(&mut self, mv: PlainMove);
    fn legal_moves(&self) -> Vec<PlainMove>;
    /// Panics unless the position is the same.
    fn assert_same(&self, position: &Position);
}

impl Peer for cozy_chess::Board {
    const KING_TAKES_ROOK: bool = true;

    fn start(position: &Position) -> Self {
        cozy_chess::Board::from_fen(&format_shredder_fen(position), true).expect("a start position")
    }

    fn play(&mut self, (from, to, promotion): PlainMove) {
        use cozy_chess::{Piece, Square};
        let promotion = promotion.map(Piece::index);
        cozy_chess::Board::play(self, cozy_chess::Move { from: Square::index(from), to: Square::index(to), promotion });
    }

    fn legal_moves(&self) -> Vec<PlainMove> {
        let mut moves = Vec::new();
        self.generate_moves(|batch| {
            moves.extend(
                batch.into_iter().map(|mv| (mv.from as usize, mv.to as usize, mv.promotion.map(|p| p as usize))),
            );
            false
        });
        moves
    }

    fn assert_same(&self, position: &Position) {
        assert_eq!(position.checkers().0, self.checkers().0);
        // This peer keeps an en passant file after every double step, and stops the clock at 100.
        let theirs = format!("{self:#}");
        let theirs: Vec<&str> = theirs.split(' ').collect();
        let ours = format_shredder_fen(position);
        let ours: Vec<&str> = ours.split(' ').collect();
        assert_eq!(ours[..3], theirs[..3]);
        assert_eq!(ours[3], if en_passant_is_legal(self) { theirs[3] } else { "-" });
        assert_eq!(position.halfmove_clock().min(100).to_string(), theirs[4]);
        assert_eq!(ours[5], theirs[5]);
    }
}

fn en_passant_is_legal(board: &cozy_chess::Board) -> bool {
    let Some(file) = board.en_passant() else {
        return false;
    };
    let target = cozy_chess::Square::new(file, cozy_chess::Rank::Sixth.relative_to(board.side_to_move()));
    board.generate_moves_for(board.pieces(cozy_chess::Piece::Pawn), |batch| batch.to.has(target))
}

impl Peer for chess::Board {
    const KING_TAKES_ROOK: bool = false;

    fn start(position: &Position) -> Self {
        format_fen(position).parse().expect("a start position")
    }

    fn play(&mut self, (from, to, promotion): PlainMove) {
        let promotion = promotion.map(|kind| chess::ALL_PIECES[kind]);
        let mv = chess::ChessMove::new(chess::ALL_SQUARES[from], chess::ALL_SQUARES[to], promotion);
        *self = self.make_move_new(mv);
    }

    fn legal_moves(&self) -> Vec<PlainMove> {
        let plain = |mv: chess::ChessMove| {
            (mv.get_source().to_index(), mv.get_dest().to_index(), mv.get_promotion().map(|piece| piece.to_index()))
        };
        chess::MoveGen::new_legal(self).map(plain).collect()
    }

    fn assert_same(&self, position: &Position) {
        assert_eq!(position.checkers().0, self.checkers().0);
        let board = position.board();
        for (kind, theirs) in PieceKind::ALL.into_iter().zip(chess::ALL_PIECES) {
            assert_eq!(board.kind(kind).0, self.pieces(theirs).0, "{kind:?}");
        }
        for (color, theirs) in Color::ALL.into_iter().zip(chess::ALL_COLORS) {
            assert_eq!(board.color(color).0, self.color_combined(theirs).0);
            let rights = position.castling();
            assert_eq!(rights.any(color), self.castle_rights(theirs) != chess::CastleRights::NoRights);
        }
        assert_eq!(position.side_to_move().index(), self.side_to_move().to_index());
    }
}

/// Follows random games of the variant through both implementations and compares them after every move.
fn compare<P: Peer>(variant: Variant, seed: u64, count: usize) {
    let mut random = SplitMix64::new(seed);
    let mut compared = 0;
    while compared < count {
        let mut position = variant.start(&mut random);
        let mut peer = P::start(&position);
        for _ in 0..300 {
            compare_position(&position, &peer);
            compared += 1;
            let Some(mv) = random_move(&position, &mut random) else {
                break;
            };
            position.make(mv);
            peer.play(plain::<P>(mv));
        }
    }
}

fn plain<P: Peer>(mv: Move) -> PlainMove {
    let castles_by_steps = mv.is_castling() && !P::KING_TAKES_ROOK;
    let rank_start = mv.to().index() & !7;
    let to = match CastlingSide::towards(mv.from(), mv.to()) {
        _ if !castles_by_steps => mv.to().index(),
        CastlingSide::King => rank_start + 6,
        CastlingSide::Queen => rank_start + 2,
    };
    (mv.from().index(), to, mv.promotion().map(PieceKind::index))
}

fn compare_position<P: Peer>(position: &Position, peer: &P) {
    let fen = format_shredder_fen(position);
    peer.assert_same(position);
    let mut ours: Vec<PlainMove> = position.legal_moves().into_iter().map(plain::<P>).collect();
    let mut theirs = peer.legal_moves();
    ours.sort_unstable();
    theirs.sort_unstable();
    assert_eq!(ours, theirs, "{fen}");
    // Everything kept up to date move by move, keys included, is what a fresh start finds.
    assert_eq!(parse_fen(&fen).as_ref(), Ok(position), "{fen}");
}

#[test]
fn standard_chess_as_cozy_chess_plays_it() {
    compare::<cozy_chess::Board>(Variant::Standard, 1, scaled(250_000));
}

#[test]
fn standard_chess_as_chess_plays_it() {
    compare::<chess::Board>(Variant::Standard, 2, scaled(250_000));
}

#[test]
fn chess960_as_cozy_chess_plays_it() {
    compare::<cozy_chess::Board>(Variant::Chess960, 3, scaled(250_000));
}

#[test]
fn double_chess960_as_cozy_chess_plays_it() {
    compare::<cozy_chess::Board>(Variant::DoubleChess960, 4, scaled(250_000));
}
