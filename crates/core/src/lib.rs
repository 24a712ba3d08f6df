// SPDX-License-Identifier: MIT OR Apache-2.0
//! What all crates of tidegate use: errors of the user, files that appear whole, units, frames.

pub mod error;
pub mod frame;
pub mod input;
pub mod interrupt;
pub mod licence;
pub mod output;
pub mod shell;
pub mod units;
