//! Legal move generation from check and pin masks.
//!
//! One generator walks the men and hands batches of targets to a sink: a list writes moves, a counter adds up
//! population counts, so that perft counts its last ply without making a list.

use super::attacks::{bishop_attacks, king_attacks, knight_attacks, line, pawn_attacks, rook_attacks};
use super::position::Position;
use super::types::{Bitboard, CastlingSide, Color, Move, MoveKind, MoveList, PieceKind, Rank, Square};

/// Which moves to generate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selection {
    /// Every legal move.
    All,
    /// Captures and promotions to a queen.
    Noisy,
    /// All others: castling and underpromotions without capture included.
    Quiet,
}

const ALL: u8 = 0;
const NOISY: u8 = 1;
const QUIET: u8 = 2;

/// Takes batches of legal moves.
trait Sink {
    /// One piece to all targets; those in `enemies` are captures.
    fn piece(&mut self, from: Square, targets: Bitboard, enemies: Bitboard);
    /// Pawns that all came `step` squares (as a difference of indices) to reach their targets.
    fn pawns(&mut self, targets: Bitboard, step: i8, kind: MoveKind);
    /// Any other single move.
    fn single(&mut self, mv: Move);
}

impl Sink for MoveList {
    #[inline(always)]
    fn piece(&mut self, from: Square, targets: Bitboard, enemies: Bitboard) {
        for to in targets & enemies {
            self.single(Move::new(from, to, MoveKind::Capture));
        }
        for to in targets - enemies {
            self.single(Move::new(from, to, MoveKind::Quiet));
        }
    }

    #[inline(always)]
    fn pawns(&mut self, targets: Bitboard, step: i8, kind: MoveKind) {
        for to in targets {
            let from = Square::from_index((to.index() as i8 - step) as usize);
            self.single(Move::new(from, to, kind));
        }
    }

    #[inline(always)]
    fn single(&mut self, mv: Move) {
        debug_assert!(!self.is_full());
        // SAFETY: `MAX_MOVES` bounds the moves of sixteen men of any kind (a promotion counts four times, but a pawn has at
        // most three squares to go to), `Setup` refuses more, and the generator emits each legal move once.
        unsafe { self.push_unchecked(mv) }
    }
}

/// Counts moves without naming them.
struct Counter(u64);

impl Sink for Counter {
    #[inline(always)]
    fn piece(&mut self, _: Square, targets: Bitboard, _: Bitboard) {
        self.0 += targets.len() as u64;
    }

    #[inline(always)]
    fn pawns(&mut self, targets: Bitboard, _: i8, _: MoveKind) {
        self.0 += targets.len() as u64;
    }

    #[inline(always)]
    fn single(&mut self, _: Move) {
        self.0 += 1;
    }
}

impl Position {
    /// All legal moves.
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.generate(Selection::All, &mut list);
        list
    }

    /// Adds the selected legal moves to the list, which must have room for them.
    pub fn generate(&self, selection: Selection, list: &mut MoveList) {
        match selection {
            Selection::All => Generator::<_, ALL>::run(self, list),
            Selection::Noisy => Generator::<_, NOISY>::run(self, list),
            Selection::Quiet => Generator::<_, QUIET>::run(self, list),
        }
    }

    /// How many legal moves there are.
    #[inline]
    pub fn count_legal_moves(&self) -> u64 {
        let mut counter = Counter(0);
        Generator::<_, ALL>::run(self, &mut counter);
        counter.0
    }

    /// Whether there is any legal move.
    pub fn has_legal_move(&self) -> bool {
        self.count_legal_moves() != 0
    }
}

struct Generator<'a, S: Sink, const SELECTION: u8> {
    position: &'a Position,
    sink: &'a mut S,
    us: Color,
    king: Square,
    occupied: Bitboard,
    enemies: Bitboard,
    /// Squares of the selection that answer the checks, for men other than the king.
    targets: Bitboard,
    /// Squares that answer the checks, whatever the selection: promotions are selected by kind, not by square.
    evasions: Bitboard,
}

impl<'a, S: Sink, const SELECTION: u8> Generator<'a, S, SELECTION> {
    /// Generates with the side to move as a constant, so that shifts and masks of either colour are fixed.
    #[inline(always)]
    fn run(position: &'a Position, sink: &'a mut S) {
        match position.side_to_move() {
            Color::White => Self::run_for(position, sink, Color::White),
            Color::Black => Self::run_for(position, sink, Color::Black),
        }
    }

    #[inline(always)]
    fn run_for(position: &'a Position, sink: &'a mut S, us: Color) {
        let board = position.board();
        let evasions = position.evasion_targets();
        let mut generator = Generator::<S, SELECTION> {
            position,
            sink,
            us,
            king: position.king(us),
            occupied: board.occupied(),
            enemies: board.color(!us),
            targets: Bitboard::EMPTY,
            evasions,
        };
        generator.targets = evasions & generator.selected();
        generator.king_moves();
        if evasions.is_empty() {
            return;
        }
        generator.knights();
        generator.sliders();
        generator.pawns();
    }

    /// The squares a piece may go to under this selection.
    #[inline(always)]
    fn selected(&self) -> Bitboard {
        match SELECTION {
            NOISY => self.enemies,
            QUIET => !self.occupied,
            _ => self.enemies | !self.occupied,
        }
    }

    #[inline(always)]
    fn own(&self, kind: PieceKind) -> Bitboard {
        self.position.board().pieces(self.us, kind)
    }

    /// Moves of the king, castling included.
    #[inline(always)]
    fn king_moves(&mut self) {
        let targets = king_attacks(self.king) & self.selected();
        let rooks = self.castling_rooks();
        if targets.is_empty() && rooks == [None; 2] {
            return;
        }
        let attacked = self.position.attacked_by(!self.us);
        self.sink.piece(self.king, targets - attacked, self.enemies);
        for rook in rooks.into_iter().flatten() {
            if let Some(mv) = self.position.castling_move(rook, attacked) {
                self.sink.single(mv);
            }
        }
    }

    #[inline(always)]
    fn castling_rooks(&self) -> [Option<Square>; 2] {
        if SELECTION == NOISY || !self.position.castling().any(self.us) {
            return [None; 2];
        }
        CastlingSide::ALL.map(|side| self.position.open_castling_rook(side))
    }

    #[inline(always)]
    fn knights(&mut self) {
        // A pinned knight never moves.
        for from in self.own(PieceKind::Knight) - self.position.pinned() {
            self.sink.piece(from, knight_attacks(from) & self.targets, self.enemies);
        }
    }

    #[inline(always)]
    fn sliders(&mut self) {
        let pinned = self.position.pinned();
        let diagonal = self.position.board().diagonal_sliders(self.us);
        let straight = self.position.board().straight_sliders(self.us);
        for from in diagonal - pinned {
            self.sink.piece(from, bishop_attacks(from, self.occupied) & self.targets, self.enemies);
        }
        for from in straight - pinned {
            self.sink.piece(from, rook_attacks(from, self.occupied) & self.targets, self.enemies);
        }
        for from in diagonal & pinned {
            let targets = bishop_attacks(from, self.occupied) & self.targets & line(self.king, from);
            self.sink.piece(from, targets, self.enemies);
        }
        for from in straight & pinned {
            let targets = rook_attacks(from, self.occupied) & self.targets & line(self.king, from);
            self.sink.piece(from, targets, self.enemies);
        }
    }

    #[inline(always)]
    fn pawns(&mut self) {
        let pawns = self.own(PieceKind::Pawn);
        let pinned = pawns & self.position.pinned();
        self.pawn_moves(pawns - pinned, Bitboard::FULL);
        for from in pinned {
            self.pawn_moves(from.bitboard(), line(self.king, from));
        }
        if SELECTION != QUIET {
            self.en_passant(pawns);
        }
    }

    /// Pushes and captures of these pawns to squares inside `allowed`.
    #[inline(always)]
    fn pawn_moves(&mut self, pawns: Bitboard, allowed: Bitboard) {
        let us = self.us;
        let forward: i8 = if us == Color::White { 8 } else { -8 };
        let last_rank = Bitboard::rank(Rank::R8.relative_to(us));
        let allowed = allowed & self.evasions;
        let ahead = pawns.forward(us);

        let single = ahead - self.occupied;
        let pushes = single & allowed;
        self.promotions(pushes & last_rank, forward, false);
        if SELECTION != NOISY {
            self.sink.pawns(pushes - last_rank, forward, MoveKind::Quiet);
            let third_rank = Bitboard::rank(Rank::R3.relative_to(us));
            let double = (single & third_rank).forward(us) - self.occupied;
            self.sink.pawns(double & allowed, 2 * forward, MoveKind::DoublePush);
        }
        if SELECTION != QUIET {
            for (captures, step) in [(ahead.left(), forward - 1), (ahead.right(), forward + 1)] {
                let captures = captures & self.enemies & allowed;
                self.promotions(captures & last_rank, step, true);
                self.sink.pawns(captures - last_rank, step, MoveKind::Capture);
            }
        }
    }

    /// Promotions on these squares. All with a capture are noisy; without one, only those to a queen are.
    #[inline(always)]
    fn promotions(&mut self, targets: Bitboard, step: i8, capture: bool) {
        if targets.is_empty() {
            return;
        }
        for piece in PieceKind::PROMOTIONS {
            let noisy = capture || piece == PieceKind::Queen;
            if SELECTION == ALL || noisy == (SELECTION == NOISY) {
                self.sink.pawns(targets, step, MoveKind::promotion(piece, capture));
            }
        }
    }

    #[inline(always)]
    fn en_passant(&mut self, pawns: Bitboard) {
        let Some(target) = self.position.en_passant() else {
            return;
        };
        for from in pawns & pawn_attacks(!self.us, target) {
            if self.position.is_en_passant_safe(from, target) {
                self.sink.single(Move::new(from, target, MoveKind::EnPassant));
            }
        }
    }
}
