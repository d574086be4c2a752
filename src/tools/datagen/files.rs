//! Files of game records: count, check, merge, shuffle, pick positions.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use super::correlation::Correlation;
use crate::chess::PieceKind;
use crate::chess::notation::format_fen;
use crate::chess::random::SplitMix64;
use crate::tools::viriformat::{RecordError, TrainingGame, WhiteResult};

/// What a file holds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Counts {
    /// Games.
    pub games: u64,
    /// Moves with scores.
    pub positions: u64,
    /// White's wins, draws, Black's wins.
    pub results: [u64; 3],
    /// Games from other arrays than that of standard chess, as far as castling rights tell.
    pub chess960: u64,
    /// Games added in this run.
    pub new_games: u64,
    /// Positions added in this run.
    pub new_positions: u64,
    /// Of score and result.
    correlation: Correlation,
}

impl Counts {
    /// Counts one more game, added in this run.
    pub fn add(&mut self, record: &TrainingGame) {
        self.count(record);
        self.new_games += 1;
        self.new_positions += record.moves.len() as u64;
    }

    fn count(&mut self, record: &TrainingGame) {
        self.games += 1;
        self.positions += record.moves.len() as u64;
        self.results[2 - record.result as usize] += 1;
        self.chess960 += is_chess960(record) as u64;
        let result = record.result.white_points() as f64;
        for &(_, score) in &record.moves {
            // Scores as expected points, so that mates do not drown the rest.
            self.correlation.add(1.0 / (1.0 + (-(score as f64) / 400.0).exp()), result);
        }
    }

    /// How well scores foretell results, from -1 to 1. Files below 0.3 have their labels wrong.
    pub fn correlation(&self) -> f64 {
        self.correlation.value()
    }

    /// The counts as text.
    pub fn lines(&self) -> Vec<String> {
        let share = |count: u64| 100.0 * count as f64 / self.games.max(1) as f64;
        let [wins, draws, losses] = self.results;
        vec![
            format!("{} games, {} positions", self.games, self.positions),
            format!("White wins {:.1} %, draws {:.1} %, Black wins {:.1} %", share(wins), share(draws), share(losses)),
            format!("{:.1} positions a game", self.positions as f64 / self.games.max(1) as f64),
            format!("Chess960 and double Chess960: {:.1} %", share(self.chess960)),
            match self.correlation() {
                value if value.is_nan() => "all results are the same".to_string(),
                value => format!("correlation of score and result: {value:.3}"),
            },
        ]
    }
}

fn is_chess960(record: &TrainingGame) -> bool {
    let position = &record.start;
    let kings = position.board().kind(PieceKind::King);
    let standard = "e1 e8";
    let stand: Vec<String> = kings.into_iter().map(|square| square.to_string()).collect();
    stand.join(" ") != standard && crate::chess::Color::ALL.into_iter().any(|color| position.castling().any(color))
}

/// Counts the whole games up to the end, or to half a game that a kill has left there, and the bytes they take.
///
/// # Errors
/// When something else than a game stands in the file: then it is not ours to cut.
pub(super) fn whole_games(input: &mut impl Read) -> io::Result<(Counts, u64)> {
    let mut counts = Counts::default();
    let mut length = 0;
    loop {
        match TrainingGame::read(&mut *input) {
            Ok(Some(record)) => {
                counts.count(&record);
                length += 32 + 4 * (record.moves.len() as u64 + 1);
            }
            Ok(None) => return Ok((counts, length)),
            Err(RecordError::Io(error)) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok((counts, length)),
            Err(error) => return Err(io::Error::other(format!("game {}: {error}", counts.games + 1))),
        }
    }
}

/// The games of a file one by one.
pub(in crate::tools) fn games(path: &Path) -> io::Result<impl Iterator<Item = Result<TrainingGame, RecordError>>> {
    let mut input = BufReader::new(File::open(path)?);
    Ok(std::iter::from_fn(move || TrainingGame::read(&mut input).transpose()))
}

/// What the file at `path` holds.
///
/// # Errors
/// When it cannot be read to its end, with the number of the game at fault.
pub fn stats(path: &Path) -> io::Result<Counts> {
    let mut counts = Counts::default();
    for record in games(path)? {
        counts.count(&record.map_err(|error| at_game(counts.games + 1, path, &error))?);
    }
    Ok(counts)
}

fn at_game(number: u64, path: &Path, error: &dyn std::fmt::Display) -> io::Error {
    io::Error::other(format!("{}: game {number}: {error}", path.display()))
}

/// Checks a file: every game can be read, its moves are legal, its result is that of the laws where they decide, and scores
/// foretell results. Returns what is wrong.
///
/// # Errors
/// When the file cannot be read at all.
pub fn check(path: &Path) -> io::Result<Vec<String>> {
    let mut counts = Counts::default();
    let mut problems = Vec::new();
    for record in games(path)? {
        let number = counts.games + 1;
        match record {
            Ok(record) => {
                counts.count(&record);
                problems.extend(wrong_result(&record).map(|problem| format!("game {number}: {problem}")));
            }
            Err(error) => {
                problems.push(format!("game {number}: {error}"));
                break;
            }
        }
    }
    // Not a number where all results are the same.
    if counts.games >= 100 && (counts.correlation().is_nan() || counts.correlation() < 0.3) {
        problems.push(format!("scores and results hardly correlate: {:.3}", counts.correlation()));
    }
    Ok(problems)
}

fn wrong_result(record: &TrainingGame) -> Option<String> {
    let outcome = record.replay().outcome()?;
    let lawful = WhiteResult::of(outcome);
    (lawful != record.result).then(|| format!("ends by {outcome:?}, recorded as {:?}", record.result))
}

/// The games of all files, in order.
///
/// # Errors
/// When a file cannot be read to its end.
pub fn read(paths: &[PathBuf]) -> io::Result<Vec<TrainingGame>> {
    let mut records = Vec::new();
    for path in paths {
        for (index, record) in games(path)?.enumerate() {
            records.push(record.map_err(|error| at_game(index as u64 + 1, path, &error))?);
        }
    }
    Ok(records)
}

/// Writes the games of all inputs to one file, in order.
///
/// # Errors
/// When a file cannot be read to its end or written.
pub fn merge(output: &Path, inputs: &[PathBuf]) -> io::Result<Counts> {
    let mut file = BufWriter::new(File::create_new(output)?);
    let mut counts = Counts::default();
    for input in inputs {
        for (index, record) in games(input)?.enumerate() {
            let record = record.map_err(|error| at_game(index as u64 + 1, input, &error))?;
            record.write(&mut file)?;
            counts.count(&record);
        }
    }
    file.flush()?;
    Ok(counts)
}

/// Writes the games of a file in random order, by a seed. The file is held in memory.
///
/// # Errors
/// When a file cannot be read to its end or written.
pub fn shuffle(input: &Path, output: &Path, seed: u64) -> io::Result<Counts> {
    let mut records = read(&[input.to_path_buf()])?;
    let mut random = SplitMix64::new(seed);
    for end in (1..records.len()).rev() {
        records.swap(end, random.below(end as u64 + 1) as usize);
    }
    let mut file = BufWriter::new(File::create_new(output)?);
    let mut counts = Counts::default();
    for record in &records {
        record.write(&mut file)?;
        counts.count(record);
    }
    file.flush()?;
    Ok(counts)
}

/// Writes one position of each game, picked at random by a seed, as a line of FEN: games that begin there, some random moves
/// later, show the network what can come of mistakes. Returns how many.
///
/// # Errors
/// When a file cannot be read to its end or written.
pub fn pick(input: &Path, output: &Path, seed: u64) -> io::Result<u64> {
    let mut random = SplitMix64::new(seed);
    let mut file = BufWriter::new(File::create_new(output)?);
    let mut count = 0;
    for (index, record) in games(input)?.enumerate() {
        let record = record.map_err(|error| at_game(index as u64 + 1, input, &error))?;
        let place = random.below(record.moves.len().max(1) as u64) as usize;
        if let Some((position, ..)) = record.positions().nth(place) {
            writeln!(file, "{}", format_fen(&position))?;
            count += 1;
        }
    }
    file.flush()?;
    Ok(count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;
    use crate::chess::notation::parse_fen;

    /// A game of so many plies from the first array, its scores all the same.
    fn game(plies: usize, score: i16) -> TrainingGame {
        let mut position = Position::initial();
        let moves = (0..plies).map(|ply| {
            let legal = position.legal_moves();
            let mv = legal[(ply + score as usize) % legal.len()];
            position.make(mv);
            (mv, score)
        });
        TrainingGame { start: Position::initial(), moves: moves.collect(), result: WhiteResult::Draw }
    }

    /// A folder with a file of these games.
    fn folder(name: &str, games: &[TrainingGame]) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("luft-games-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let mut bytes = Vec::new();
        games.iter().for_each(|game| game.write(&mut bytes).unwrap());
        std::fs::write(folder.join("games.vf"), bytes).unwrap();
        folder
    }

    #[test]
    fn merging_keeps_the_order_and_shuffling_keeps_the_games() {
        let all: Vec<TrainingGame> = (0..20).map(|number| game(4 + number, number as i16)).collect();
        let folder = folder("order", &all);
        let [input, merged, shuffled] = ["games.vf", "merged.vf", "shuffled.vf"].map(|name| folder.join(name));
        let counts = merge(&merged, &[input.clone(), input.clone()]).unwrap();
        assert_eq!((counts.games, counts.positions), (40, 2 * (4..24).sum::<u64>()));
        assert_eq!(read(std::slice::from_ref(&merged)).unwrap(), [all.clone(), all.clone()].concat());
        assert_eq!(shuffle(&input, &shuffled, 3).unwrap().games, 20);
        let mut other_order = read(&[shuffled]).unwrap();
        assert_ne!(other_order, all);
        other_order.sort_by_key(|game| game.moves.len());
        assert_eq!(other_order, all);
        assert!(merge(&merged, &[input]).is_err(), "what is there is not overwritten");
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn positions_are_picked_from_all_parts_of_games() {
        let all: Vec<TrainingGame> = (0..60).map(|number| game(30, number)).collect();
        let folder = folder("pick", &all);
        let output = folder.join("positions.epd");
        assert_eq!(pick(&folder.join("games.vf"), &output, 1).unwrap(), 60);
        let text = std::fs::read_to_string(output).unwrap();
        let mut places = Vec::new();
        for (line, game) in text.lines().zip(&all) {
            let picked = parse_fen(line).unwrap();
            places.push(game.positions().position(|(position, ..)| position.key() == picked.key()).unwrap());
        }
        assert!(places.iter().any(|&place| place < 8) && places.iter().any(|&place| place > 22), "{places:?}");
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn half_a_game_at_the_end_is_told_or_cut_off() {
        let folder = folder("half", &[game(9, 1), game(11, 2)]);
        let path = folder.join("games.vf");
        let whole = std::fs::read(&path).unwrap();
        let (counts, length) = whole_games(&mut &whole[..whole.len() - 3]).unwrap();
        assert_eq!((counts.games, counts.positions, length), (1, 9, 32 + 4 * 10));
        std::fs::write(&path, &whole[..whole.len() - 3]).unwrap();
        assert!(stats(&path).unwrap_err().to_string().contains("game 2"));
        assert_eq!(check(&path).unwrap().len(), 1);
        std::fs::remove_dir_all(folder).unwrap();
    }
}
