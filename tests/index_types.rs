//! Colours, men and squares become numbers and come back, for every value there is.

use std::collections::HashSet;

use luft::chess::{Color, File, Piece, PieceKind, Rank, Square};

#[test]
fn colours_have_an_opposite() {
    assert_eq!([!Color::White, !Color::Black], [Color::Black, Color::White]);
}

#[test]
fn men_are_made_of_colour_and_kind() {
    let kinds =
        [PieceKind::Pawn, PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen, PieceKind::King];
    let mut seen = HashSet::new();
    for color in Color::ALL {
        for kind in kinds {
            let piece = Piece::new(color, kind);
            assert_eq!((piece.color(), piece.kind()), (color, kind));
            assert!(piece.index() < Piece::COUNT && seen.insert(piece.index()));
        }
    }
    assert_eq!(seen.len(), Piece::COUNT);
}

#[test]
fn squares_are_made_of_file_and_rank() {
    let mut index = 0;
    for rank in Rank::ALL {
        for file in File::ALL {
            let square = Square::new(file, rank);
            assert_eq!((square.index(), square.file(), square.rank()), (index, file, rank));
            assert_eq!(Square::from_index(index), square);
            index += 1;
        }
    }
    for strange in [64, 65, 127, 128, 255, 256, usize::MAX] {
        assert_eq!(Square::from_index(strange).index(), strange % 64);
    }
}

#[test]
fn ranks_count_from_either_side() {
    for rank in Rank::ALL {
        assert_eq!(rank.relative_to(Color::White), rank);
        assert_eq!(rank.relative_to(Color::Black).index(), 7 - rank.index());
    }
}
