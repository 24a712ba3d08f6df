// SPDX-License-Identifier: MIT OR Apache-2.0
//! Frames on the wire: the congestion notification message, and captures of real traffic.

pub mod capture;
pub mod cnm;

#[cfg(test)]
mod dissector_test;
