//! stub
pub mod statistics;
