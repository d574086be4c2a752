//! Every tuned number of the search, one line each: name, default, and where it comes from.

/// The numbers that steer the search. All scores are in evaluation units, depths in plies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Params {
    /// Half the first aspiration window. Hand-set.
    pub aspiration_window: i32,
    /// The first iteration with an aspiration window. Hand-set.
    pub aspiration_depth: i32,
    /// The least depth at which a null move is tried. Hand-set.
    pub null_move_depth: i32,
    /// What a null move reduces by at least. Hand-set.
    pub null_move_base: i32,
    /// One more ply of null-move reduction for so many plies of depth. Hand-set.
    pub null_move_depth_divisor: i32,
    /// One more ply of null-move reduction for so much evaluation above beta, three at most. Hand-set.
    pub null_move_evaluation_divisor: i32,
    /// The least depth at which late moves are reduced. Hand-set.
    pub late_move_depth: i32,
    /// Late-move reduction at depth 1 and move 1, in 1/1024 ply. Hand-set.
    pub late_move_base: i32,
    /// What divides ln(depth) * ln(move number), in hundredths. Hand-set.
    pub late_move_divisor: i32,
    /// One ply less reduction for so much history. Hand-set.
    pub late_move_history_divisor: i32,
    /// Bonus of a history entry per ply of depth. Hand-set.
    pub history_bonus: i32,
    /// The largest single bonus. Hand-set.
    pub history_bonus_limit: i32,
}

impl Params {
    /// The numbers Luft plays with.
    pub const DEFAULT: Params = Params {
        aspiration_window: 20,
        aspiration_depth: 5,
        null_move_depth: 3,
        null_move_base: 3,
        null_move_depth_divisor: 4,
        null_move_evaluation_divisor: 200,
        late_move_depth: 3,
        late_move_base: 400,
        late_move_divisor: 230,
        late_move_history_divisor: 6000,
        history_bonus: 160,
        history_bonus_limit: 1600,
    };
}
