//! The numbers of the search that are worth tuning, one line each: name, default, range, and where it comes from. What has
//! a meaning of its own (shares, caps, the clock) stands as a constant where it is used.
//!
//! All scores are in evaluation units, depths in plies, reductions in 1/1024 ply, histories on the scale of
//! `HISTORY_LIMIT`.

/// Makes the struct of the numbers, their defaults and their table from one line for each.
macro_rules! params {
    ($($(#[$doc:meta])* $name:ident = $default:literal, $low:literal..=$high:literal;)*) => {
        /// The numbers that steer the search.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct Params {
            $($(#[$doc])* pub $name: i32,)*
        }

        impl Params {
            /// The numbers Luft plays with.
            pub const DEFAULT: Params = Params { $($name: $default,)* };

            /// Name, default and range of each number.
            pub const TABLE: &'static [(&'static str, i32, std::ops::RangeInclusive<i32>)] =
                &[$((stringify!($name), $default, $low..=$high),)*];

            /// Sets the number with this name, or the nearest with which the search can work; tells whether there is one.
            pub fn set(&mut self, name: &str, value: i32) -> bool {
                match name {
                    $(stringify!($name) => self.$name = value,)*
                    _ => return false,
                }
                self.make_sound();
                true
            }
        }
    };
}

impl Params {
    /// Numbers that divide are above 0, and limits not below it.
    fn make_sound(&mut self) {
        let divisors = [
            &mut self.aspiration_window,
            &mut self.null_move_depth_divisor,
            &mut self.null_move_evaluation_divisor,
            &mut self.late_move_divisor,
            &mut self.late_noisy_divisor,
            &mut self.late_move_history_divisor,
            &mut self.exchange_worth,
        ];
        divisors.into_iter().for_each(|divisor| *divisor = (*divisor).max(1));
        let limits = [&mut self.late_move_count_base, &mut self.history_bonus_limit, &mut self.history_malus_limit];
        limits.into_iter().for_each(|limit| *limit = (*limit).max(0));
    }
}

params! {
    /// Half the first aspiration window.
    aspiration_window = 22, 5..=50; // tuned, run 1
    /// The first iteration with an aspiration window.
    aspiration_depth = 4, 3..=8; // hand-set

    /// Deepest node that reverse futility may prune.
    reverse_futility_depth = 9, 4..=14; // hand-set
    /// Margin of reverse futility for each ply.
    reverse_futility_slope = 74, 30..=150; // tuned, run 1
    /// How many plies' margins less when the position improves, in hundredths.
    reverse_futility_improving = 88, 0..=100; // tuned, run 1

    /// How many plies' margins less when the opponent's evaluation has fallen, in hundredths.
    reverse_futility_worsening = 25, 0..=100; // hand-set

    /// Deepest node that razoring may drop into quiescence.
    razoring_depth = 3, 1..=6; // hand-set
    /// Margin of razoring without depth.
    razoring_base = 191, 50..=500; // tuned, run 1
    /// Margin of razoring for each ply.
    razoring_slope = 162, 50..=400; // tuned, run 1

    /// The least depth at which a null move is tried.
    null_move_depth = 3, 2..=6; // hand-set
    /// What a null move reduces by at least.
    null_move_base = 4, 2..=6; // hand-set
    /// One more ply of null-move reduction for so many plies of depth.
    null_move_depth_divisor = 4, 2..=8; // hand-set
    /// One more ply of null-move reduction for so much evaluation above beta, three at most.
    null_move_evaluation_divisor = 169, 80..=400; // tuned, run 1
    /// From this depth on a null move's fail-high is verified.
    null_move_verification_depth = 14, 8..=20; // hand-set

    /// The least depth at which ProbCut is tried.
    probcut_depth = 5, 3..=8; // hand-set
    /// How far above beta a capture must come out for ProbCut.
    probcut_margin = 186, 80..=350; // tuned, run 1

    /// The least depth at which a node without table move is searched shallower.
    iir_depth = 4, 3..=8; // hand-set

    /// The least depth of singular extensions.
    singular_depth = 6, 4..=10; // hand-set
    /// Margin of singularity for each ply, in sixteenths.
    singular_margin = 21, 6..=48; // tuned, run 1
    /// How far below that the others must fail for a second ply.
    double_extension_margin = 18, 0..=60; // tuned, run 1
    /// How far below that the others must fail for a third ply.
    triple_extension_margin = 90, 40..=200; // hand-set

    /// Moves tried at depth 0 before the quiet ones that are left are left out.
    late_move_count_base = 4, 1..=10; // hand-set
    /// Below this depth, after reduction, futility leaves out quiet moves.
    futility_depth = 8, 3..=12; // hand-set
    /// Margin of futility without depth.
    futility_base = 114, 20..=300; // tuned, run 1
    /// Margin of futility for each ply left after reduction.
    futility_slope = 100, 30..=200; // tuned, run 1
    /// Below this depth, after reduction, quiet moves of bad history are left out.
    history_pruning_depth = 5, 2..=9; // hand-set
    /// History below which a quiet move is left out, for each ply.
    history_pruning_slope = -5492, -10000..=-1000; // tuned, run 1
    /// What a quiet move may lose by exchange, for the square of each ply left after reduction.
    exchange_quiet_slope = 24, 5..=80; // tuned, run 1
    /// What a noisy move may lose by exchange, for each ply.
    exchange_noisy_slope = 96, 30..=200; // tuned, run 1

    /// The least depth at which late moves are reduced.
    late_move_depth = 2, 2..=4; // hand-set
    /// Late-move reduction of a quiet move at depth 1 and move 1.
    late_move_base = 786, 0..=1500; // tuned, run 1
    /// What divides ln(depth) * ln(move number), in hundredths.
    late_move_divisor = 219, 130..=350; // tuned, run 1
    /// Late-move reduction of a noisy move at depth 1 and move 1.
    late_noisy_base = 246, -500..=1000; // tuned, run 1
    /// What divides ln(depth) * ln(move number) for noisy moves, in hundredths.
    late_noisy_divisor = 320, 150..=500; // tuned, run 1
    /// One ply less reduction for so much history.
    late_move_history_divisor = 9687, 3000..=20000; // tuned, run 1
    /// Less reduction on the principal variation.
    late_move_pv = 848, 0..=2500; // tuned, run 1
    /// Less reduction where the table remembers a principal variation.
    late_move_was_pv = 764, 0..=2500; // tuned, run 1
    /// More reduction where a cutoff is expected.
    late_move_cut_node = 1247, 0..=3000; // tuned, run 1
    /// More reduction when the position does not improve.
    late_move_not_improving = 506, 0..=2000; // tuned, run 1
    /// Less reduction for moves that give check.
    late_move_check = 1009, 0..=2500; // tuned, run 1
    /// More reduction when the table's move is noisy.
    late_move_noisy_table_move = 700, 0..=2000; // hand-set
    /// More reduction when many moves below have cut off lately.
    late_move_child_cutoffs = 1033, 0..=2000; // tuned, run 1
    /// Less reduction for so much correction of the evaluation, in 1/1024 ply for each unit.
    late_move_correction = 8, 0..=30; // tuned, run 1
    /// More reduction when a move has already raised alpha.
    late_move_alpha_raised = 498, 0..=1500; // tuned, run 1
    /// A reduced search that beats the best score by this much is repeated a ply deeper.
    deeper_margin = 45, 10..=150; // hand-set
    /// A reduced search that beats the best score by less than this is repeated a ply shallower.
    shallower_margin = 6, 0..=40; // tuned, run 1
    /// At this depth and above the table cuts off only nodes that were expected to fall on its side.
    unexpected_cutoff_depth = 6, 0..=20; // hand-set

    /// Bonus of a history entry per ply of depth.
    history_bonus_slope = 232, 50..=500; // tuned, run 1
    /// What is taken off a bonus.
    history_bonus_offset = 88, 0..=400; // tuned, run 1
    /// The largest single bonus.
    history_bonus_limit = 1900, 500..=4000; // hand-set
    /// Malus of a history entry per ply of depth.
    history_malus_slope = 255, 50..=800; // tuned, run 1
    /// The largest single malus.
    history_malus_limit = 1700, 500..=4000; // hand-set

    /// What a move learns from the change of evaluation it brought, for each unit, in sixteenths.
    evaluation_swing_slope = 33, 0..=200; // tuned, run 1
    /// The most a move learns from the change of evaluation.
    evaluation_swing_limit = 900, 100..=3000; // hand-set
    /// What a fail-low teaches about the move before, in hundredths of the usual bonus.
    history_fail_low = 55, 0..=200; // tuned, run 1
    /// What a cutoff teaches about the opponent's early move before it, in hundredths of the usual malus.
    history_refutation = 100, 0..=200; // hand-set
    /// What a cutoff by the table teaches, in hundredths of the usual bonus.
    history_table_cutoff = 91, 0..=200; // tuned, run 1
    /// Deepest node that learns nothing from a cutoff by the first quiet move.
    history_expected_depth = 3, 0..=6; // factorial experiment
    /// What a late move's second search teaches, in hundredths of the usual bonus.
    history_second_look = 100, 0..=200; // hand-set

    /// What it counts for the order of quiet moves that a minor piece leaves the attack of a pawn, or enters one.
    escape_minor = 8000, 0..=20000; // hand-set
    /// The same of a rook and the attack of a pawn or minor piece.
    escape_rook = 14000, 0..=30000; // hand-set
    /// The same of a queen and the attack of any lesser piece.
    escape_queen = 20000, 0..=40000; // hand-set

    /// Weight of the correction by pawns, in 1/1024.
    correction_pawns = 1106, 0..=2500; // tuned, run 1
    /// Weight of the correction by each side's pieces, in 1/1024.
    correction_non_pawns = 701, 0..=2500; // tuned, run 1
    /// Weight of the correction by minor pieces, in 1/1024.
    correction_minors = 800, 0..=2500; // hand-set
    /// Weight of the correction by the last two moves, in 1/1024.
    correction_moves = 900, 0..=2500; // hand-set

    /// What the evaluation makes of a man that exchanges count as 100 centipawns.
    exchange_worth = 191, 80..=300; // tuned, run 1
    /// How far below alpha quiescence leaves a capture out, beside its victim.
    quiescence_futility = 193, 50..=600; // tuned, run 1
}
