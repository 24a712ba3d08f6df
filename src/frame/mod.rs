//! Frames on the wire: the congestion notification message.

pub mod cnm;
