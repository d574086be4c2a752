//! The board for a person: coloured squares, the last move marked, the person's men at the bottom.

use super::paint::{Paint, Shade};
use crate::chess::{Color, File, Move, Piece, Position, Rank, Square};

/// The lines of the board.
pub(super) fn lines(position: &Position, last: Option<Move>, bottom: Color, paint: Paint) -> Vec<String> {
    let mut ranks: Vec<Rank> = Rank::ALL.into_iter().rev().collect();
    let mut files: Vec<File> = File::ALL.to_vec();
    if bottom == Color::Black {
        ranks.reverse();
        files.reverse();
    }
    let rank_line = |&rank: &Rank| {
        let squares: String =
            files.iter().map(|&file| square(position, Square::new(file, rank), last, paint)).collect();
        format!("  {}  {squares}", rank.digit())
    };
    let mut lines: Vec<String> = ranks.iter().map(rank_line).collect();
    let letters: String = files.iter().map(|file| format!(" {} ", file.letter())).collect();
    lines.push(format!("     {}", letters.trim_end()));
    lines
}

fn square(position: &Position, square: Square, last: Option<Move>, paint: Paint) -> String {
    let piece = position.piece_on(square);
    let letter = piece.map_or('.', Piece::letter);
    let marked = last.is_some_and(|mv| square == mv.from() || square == mv.to());
    let light = (square.file().index() + square.rank().index()) % 2 == 1;
    let shade = if marked {
        Shade::Marked
    } else if light {
        Shade::Light
    } else {
        Shade::Dark
    };
    paint.square(&format!(" {letter} "), shade, piece.is_some_and(|piece| piece.color() == Color::White))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_sides_see_their_men_at_the_bottom() {
        let plain = Paint::new(false);
        let white = lines(&Position::initial(), None, Color::White, plain);
        assert_eq!(
            (white[0].as_str(), white[7].as_str()),
            ("  8   r  n  b  q  k  b  n  r ", "  1   R  N  B  Q  K  B  N  R ")
        );
        assert_eq!(white[8], "      a  b  c  d  e  f  g  h");
        let black = lines(&Position::initial(), None, Color::Black, plain);
        assert_eq!(
            (black[0].as_str(), black[8].as_str()),
            ("  1   R  N  B  K  Q  B  N  R ", "      h  g  f  e  d  c  b  a")
        );
    }

    #[test]
    fn colours_are_closed_on_every_line() {
        for line in &lines(&Position::initial(), None, Color::White, Paint::new(true))[..8] {
            assert!(line.contains("\u{1b}[48;5;") || line.contains(";48;5;"), "{line:?}");
            assert!(line.ends_with("\u{1b}[0m"), "{line:?}");
        }
    }
}
