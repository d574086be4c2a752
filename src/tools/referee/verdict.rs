//! How a game ended: the result, and the one reason for it.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::chess::{Color, Outcome};

/// The result of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum GameResult {
    /// White won.
    #[serde(rename = "1-0")]
    WhiteWins,
    /// Black won.
    #[serde(rename = "0-1")]
    BlackWins,
    /// Nobody won.
    #[serde(rename = "1/2-1/2")]
    Draw,
}

impl GameResult {
    /// A win of `color`.
    pub fn win(color: Color) -> GameResult {
        match color {
            Color::White => GameResult::WhiteWins,
            Color::Black => GameResult::BlackWins,
        }
    }

    /// Who won, if anybody did.
    pub fn winner(self) -> Option<Color> {
        match self {
            GameResult::WhiteWins => Some(Color::White),
            GameResult::BlackWins => Some(Color::Black),
            GameResult::Draw => None,
        }
    }

    /// The half points of `color`: 0, 1 or 2.
    pub fn half_points(self, color: Color) -> u32 {
        self.winner().map_or(1, |winner| if winner == color { 2 } else { 0 })
    }

    /// As PGN writes it.
    pub fn as_str(self) -> &'static str {
        match self {
            GameResult::WhiteWins => "1-0",
            GameResult::BlackWins => "0-1",
            GameResult::Draw => "1/2-1/2",
        }
    }
}

/// Why a game ended. Where a side is at fault, it is the one that lost (or, with a fallen flag, might have).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// Mate on the board.
    Checkmate,
    /// The side to move has no legal move and is not in check.
    Stalemate,
    /// Neither side can mate by any sequence of moves.
    DeadPosition,
    /// The position occurred three times.
    Threefold,
    /// Fifty moves by each side without capture or pawn move.
    FiftyMoves,
    /// The flag fell.
    TimeForfeit,
    /// The flag fell, but the opponent could not have mated by any sequence of moves: a draw.
    TimeForfeitWithoutMatingMaterial,
    /// A move that the laws or the spelling rules forbid.
    IllegalMove {
        /// What is wrong with it, with the engine's own text.
        explanation: String,
    },
    /// An answer without a move although there are legal ones, or none within the time for games without clock.
    NoMove,
    /// The engine's process ended or closed its output.
    EngineDied,
    /// The engine did not answer `isready` in time.
    EngineStalled,
    /// Both engines judged the position level for long enough.
    AdjudicatedDraw,
    /// Both engines judged the position won for the same side for long enough.
    AdjudicatedWin,
    /// The endgame tables know the result.
    Tablebase,
    /// The game reached the greatest number of moves: a draw.
    MoveLimit,
}

impl Reason {
    /// A short word for it, for counting.
    pub fn name(&self) -> &'static str {
        match self {
            Reason::Checkmate => "checkmate",
            Reason::Stalemate => "stalemate",
            Reason::DeadPosition => "dead position",
            Reason::Threefold => "threefold repetition",
            Reason::FiftyMoves => "fifty moves",
            Reason::TimeForfeit => "time forfeit",
            Reason::TimeForfeitWithoutMatingMaterial => "time forfeit without mating material",
            Reason::IllegalMove { .. } => "illegal move",
            Reason::NoMove => "no move",
            Reason::EngineDied => "engine died",
            Reason::EngineStalled => "engine stalled",
            Reason::AdjudicatedDraw => "draw by adjudication",
            Reason::AdjudicatedWin => "win by adjudication",
            Reason::Tablebase => "tablebase",
            Reason::MoveLimit => "move limit",
        }
    }

    /// The word of PGN's Termination tag.
    pub fn termination(&self) -> &'static str {
        match self {
            Reason::Checkmate | Reason::Stalemate | Reason::DeadPosition | Reason::Threefold | Reason::FiftyMoves => {
                "normal"
            }
            Reason::TimeForfeit | Reason::TimeForfeitWithoutMatingMaterial => "time forfeit",
            Reason::IllegalMove { .. } | Reason::NoMove => "rules infraction",
            Reason::EngineDied | Reason::EngineStalled => "abandoned",
            Reason::AdjudicatedDraw | Reason::AdjudicatedWin | Reason::Tablebase | Reason::MoveLimit => "adjudication",
        }
    }

    /// Whether the result says something about the moves played, and not about a fault of a program.
    pub fn is_by_play(&self) -> bool {
        matches!(self.termination(), "normal" | "adjudication")
    }
}

/// The end of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    /// Who won.
    pub result: GameResult,
    /// Why.
    pub reason: Reason,
}

impl Verdict {
    /// A loss of the side at fault.
    pub fn loss(loser: Color, reason: Reason) -> Verdict {
        Verdict { result: GameResult::win(!loser), reason }
    }

    /// A win of `winner`.
    pub fn win(winner: Color, reason: Reason) -> Verdict {
        Verdict { result: GameResult::win(winner), reason }
    }

    /// A draw.
    pub fn draw(reason: Reason) -> Verdict {
        Verdict { result: GameResult::Draw, reason }
    }
}

impl From<Outcome> for Verdict {
    fn from(outcome: Outcome) -> Verdict {
        match outcome {
            Outcome::Checkmate { winner } => Verdict::win(winner, Reason::Checkmate),
            Outcome::Stalemate => Verdict::draw(Reason::Stalemate),
            Outcome::DeadPosition => Verdict::draw(Reason::DeadPosition),
            Outcome::Threefold => Verdict::draw(Reason::Threefold),
            Outcome::FiftyMoves => Verdict::draw(Reason::FiftyMoves),
        }
    }
}

impl fmt::Display for Verdict {
    /// A sentence for people: `Black loses on time`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let winner = self.result.winner();
        let (winner, loser) = (winner.map_or("", color_name), winner.map_or("", |winner| color_name(!winner)));
        match &self.reason {
            Reason::Checkmate => write!(f, "{winner} mates"),
            Reason::Stalemate => write!(f, "Draw by stalemate"),
            Reason::DeadPosition => write!(f, "Draw by dead position"),
            Reason::Threefold => write!(f, "Draw by threefold repetition"),
            Reason::FiftyMoves => write!(f, "Draw by fifty moves"),
            Reason::TimeForfeit => write!(f, "{loser} loses on time"),
            Reason::TimeForfeitWithoutMatingMaterial => write!(f, "Draw: a flag fell, the other side cannot mate"),
            Reason::IllegalMove { explanation } => write!(f, "{loser} makes an illegal move: {explanation}"),
            Reason::NoMove => write!(f, "{loser} makes no move"),
            Reason::EngineDied => write!(f, "{loser}'s engine died"),
            Reason::EngineStalled => write!(f, "{loser}'s engine does not answer"),
            Reason::AdjudicatedDraw => write!(f, "Draw by adjudication"),
            Reason::AdjudicatedWin => write!(f, "{winner} wins by adjudication"),
            Reason::Tablebase if winner.is_empty() => write!(f, "Draw by endgame tables"),
            Reason::Tablebase => write!(f, "{winner} wins by endgame tables"),
            Reason::MoveLimit => write!(f, "Draw by move limit"),
        }
    }
}

/// The English name of a colour.
pub fn color_name(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}
