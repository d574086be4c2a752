//! What Luft promises on stdin and stdout, checked from outside: the program runs as a client would run it.
//!
//! A module for each part of the contract; names of tests are its sentences, and `sentences.md` is the
//! list of them.

#[path = "../engine_process/mod.rs"]
mod engine_process;

mod best_move;
mod castling;
mod console;
mod draws;
mod ending;
mod extremes;
mod go;
mod info;
mod input;
mod memory;
mod network;
mod options;
mod position;
mod queue;
mod sentences;
mod strength;
mod syzygy;
mod threads;

/// Positions of many kinds that any search must cope with.
const POSITIONS: [&str; 13] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 8",
    // The most moves a position can have.
    "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
    // Mate in one, one legal move, bare kings, a blockade.
    "6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1",
    "k6r/8/8/8/8/8/6r1/7K w - - 0 1",
    "8/8/4k3/8/8/4K3/8/8 w - - 0 1",
    "k7/8/8/p1p1p1p1/P1P1P1P1/8/8/K7 w - - 0 1",
    // Promotions, en passant, double check.
    "8/PPPk4/8/8/8/8/4Kppp/8 b - - 0 1",
    "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
    "4k3/8/4r3/8/8/5n2/8/4K3 w - - 0 1",
    // Chess960.
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
];
