//! Which men stand on the board, as a name of a table and as a number to look it up.

use std::collections::BTreeMap;

use crate::chess::{Color, PieceKind, Position};

/// The most men, kings included, that tables exist for.
pub const MOST_MEN: u32 = 7;

/// Every kind but the king, as names of tables order them.
const KINDS: [PieceKind; 5] =
    [PieceKind::Queen, PieceKind::Rook, PieceKind::Bishop, PieceKind::Knight, PieceKind::Pawn];

/// How many queens, rooks, bishops, knights and pawns one side has.
type Side = [u8; 5];

const PAWN: usize = 4;

/// The men of both sides without their kings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Material {
    white: Side,
    black: Side,
}

impl Material {
    /// The men of a position.
    pub(super) fn of(position: &Position) -> Material {
        let board = position.board();
        let side = |color| KINDS.map(|kind| board.pieces(color, kind).len() as u8);
        Material { white: side(Color::White), black: side(Color::Black) }
    }

    /// The men that a table is named for, `KQvKR`; none for other texts and for names that no table has, since the
    /// stronger side comes first.
    pub(super) fn from_name(name: &str) -> Option<Material> {
        let (white, black) = name.split_once('v')?;
        let material = Material { white: side_from_name(white)?, black: side_from_name(black)? };
        let is_first = (total(&material.white), material.white) >= (total(&material.black), material.black);
        (is_first && (3..=MOST_MEN).contains(&material.men())).then_some(material)
    }

    /// Men of both sides, kings included.
    pub(super) fn men(&self) -> u32 {
        2 + total(&self.white) + total(&self.black)
    }

    /// The same number for the same men, whichever side has which.
    pub(super) fn signature(&self) -> u32 {
        let bits = |side: &Side| side.iter().fold(0, |bits, &count| bits << 3 | u32::from(count.min(7)));
        let (white, black) = (bits(&self.white), bits(&self.black));
        white.max(black) << 15 | white.min(black)
    }

    fn has_pawns(&self) -> bool {
        self.white[PAWN] + self.black[PAWN] > 0
    }

    /// What one capture, also by a promoting pawn, can leave.
    fn after_captures(&self) -> Vec<Material> {
        let mut found = Vec::new();
        for (mover, victim, swapped) in [(self.white, self.black, false), (self.black, self.white, true)] {
            for captured in 0..KINDS.len() {
                let Some(rest) = changed(victim, captured, None) else { continue };
                found.extend(with_promotions(mover).into_iter().map(|mover| ordered(mover, rest, swapped)));
            }
        }
        found
    }

    /// What one promotion without capture can leave.
    fn after_promotions(&self) -> Vec<Material> {
        let white = with_promotions(self.white).into_iter().map(|white| Material { white, ..*self });
        let black = with_promotions(self.black).into_iter().map(|black| Material { black, ..*self });
        white.chain(black).filter(|material| material != self).collect()
    }
}

fn total(side: &Side) -> u32 {
    side.iter().map(|&count| u32::from(count)).sum()
}

fn side_from_name(name: &str) -> Option<Side> {
    let mut side = Side::default();
    let mut last = 0;
    for letter in name.strip_prefix('K')?.chars() {
        let index = KINDS.iter().position(|kind| kind.letter().eq_ignore_ascii_case(&letter))?;
        if index < last || !letter.is_ascii_uppercase() || side[index] == 5 {
            return None;
        }
        last = index;
        side[index] += 1;
    }
    Some(side)
}

/// The side with a man less, and with another in its place if there is one.
fn changed(mut side: Side, lost: usize, gained: Option<usize>) -> Option<Side> {
    side[lost] = side[lost].checked_sub(1)?;
    if let Some(gained) = gained {
        side[gained] += 1;
    }
    Some(side)
}

/// The side as it is, and after the promotion of a pawn to each kind.
fn with_promotions(side: Side) -> Vec<Side> {
    let promoted = (0..PAWN).filter_map(|kind| changed(side, PAWN, Some(kind)));
    std::iter::once(side).chain(promoted).collect()
}

fn ordered(mover: Side, other: Side, swapped: bool) -> Material {
    let (white, black) = if swapped { (other, mover) } else { (mover, other) };
    Material { white, black }
}

/// What can be asked about some men.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Answers {
    /// Win, draw or loss.
    pub(super) wdl: bool,
    /// The distance to the next capture or pawn move.
    pub(super) dtz: bool,
}

/// The tables that can be used: a probe also looks at what captures and promotions lead to, so a table whose
/// successors are missing answers nothing.
pub(super) fn usable(files: &BTreeMap<Material, Answers>) -> BTreeMap<u32, Answers> {
    let mut known: BTreeMap<u32, bool> = BTreeMap::new();
    let files: BTreeMap<u32, (Material, Answers)> =
        files.iter().map(|(&material, &answers)| (material.signature(), (material, answers))).collect();
    let has = |signature: u32| files.get(&signature).is_some_and(|(_, answers)| answers.wdl);
    let mut usable = BTreeMap::new();
    for (&signature, (material, answers)) in &files {
        let wdl = has_successors(material, &has, &mut known);
        let mut promotions = || !material.has_pawns() || all_usable(&material.after_promotions(), &has, &mut known);
        usable.insert(signature, Answers { wdl, dtz: wdl && answers.dtz && promotions() });
    }
    usable
}

fn all_usable(materials: &[Material], has: &impl Fn(u32) -> bool, known: &mut BTreeMap<u32, bool>) -> bool {
    materials.iter().all(|material| has_successors(material, has, known))
}

/// Whether this table and all that captures lead to are there. Bare kings need none.
fn has_successors(material: &Material, has: &impl Fn(u32) -> bool, known: &mut BTreeMap<u32, bool>) -> bool {
    if material.men() == 2 {
        return true;
    }
    let signature = material.signature();
    if let Some(&answer) = known.get(&signature) {
        return answer;
    }
    let answer = has(signature) && all_usable(&material.after_captures(), has, known);
    known.insert(signature, answer);
    answer
}

#[cfg(test)]
mod tests {
    use super::*;

    fn material(name: &str) -> Material {
        Material::from_name(name).unwrap_or_else(|| panic!("{name}"))
    }

    #[test]
    fn names_of_tables_and_of_nothing() {
        assert_eq!(material("KRPvKR").men(), 5);
        for name in ["", "v", "KvK", "KRvKQ", "KvKQ", "KPRvK", "KQvK2", "kqvk", "KQQQQQQvK", "KQv", "QvK", "KQvKé"] {
            assert_eq!(Material::from_name(name), None, "{name}");
        }
    }

    #[test]
    fn positions_have_the_signature_of_their_table() {
        let of = |fen: &str| Material::of(&fen.parse().expect("a position")).signature();
        assert_eq!(of("4k3/8/8/8/8/8/8/KQ6 w - - 0 1"), material("KQvK").signature());
        assert_eq!(of("4kq2/8/8/8/8/8/8/KR6 b - - 0 1"), material("KQvKR").signature());
        assert_ne!(material("KRvKB").signature(), material("KRvKN").signature());
    }

    #[test]
    fn a_table_needs_those_it_leads_to() {
        let all = Answers { wdl: true, dtz: true };
        let usable_of = |names: &[&str]| usable(&names.iter().map(|name| (material(name), all)).collect());
        let signature = |name| material(name).signature();
        assert_eq!(usable_of(&["KQvKR", "KQvK", "KRvK"])[&signature("KQvKR")], all);
        assert!(!usable_of(&["KQvKR", "KQvK"])[&signature("KQvKR")].wdl);
        // A pawn's win needs the table of what it promotes to only for the distance.
        assert_eq!(usable_of(&["KPvK"])[&signature("KPvK")], Answers { wdl: true, dtz: false });
        assert_eq!(usable_of(&["KPvK", "KQvK", "KRvK", "KBvK", "KNvK"])[&signature("KPvK")], all);
        // The pawn can capture and promote at once.
        let without_promotions = usable_of(&["KNvKP", "KPvK", "KNvK"]);
        assert!(!without_promotions[&signature("KNvKP")].wdl && without_promotions[&signature("KNvK")].wdl);
    }
}
