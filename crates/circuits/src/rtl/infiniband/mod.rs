// SPDX-License-Identifier: MIT OR Apache-2.0
//! End-to-end marking of InfiniBand: what marks in the switch, and the source.

pub mod calculator;
pub mod input_buffer;
pub mod inter_packet_delay;
pub mod marking;
pub mod naive_marker;
pub mod output_marker;
pub mod response_lipd;
pub mod response_shift;
pub mod response_table;
pub mod source;
