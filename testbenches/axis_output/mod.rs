// SPDX-License-Identifier: MIT OR Apache-2.0
//! What stands at the outputs of all AXI4-Streams: it neither loses nor repeats a beat, and costs no cycle.

use tidegate::bus::output_stage::{Stream, output_stage, slow_output_stage};
use tidegate::bus::width::Width;
use tidegate_testing::proofs::Proof;

const STAGE: &str = include_str!("axis_stage.sv");
const SLOW_STAGE: &str = include_str!("slow_stage.sv");

#[test]
fn beats_go_out_in_order_and_at_once() {
    let stream = Stream { module: "axis_stage", port: "m_axis", user_bits: 1, tells_taken: true };
    let broken = &[
        ("in_order_and_unchanged", "kept_tdata <= beat_tdata", "kept_tdata <= next_tdata"),
        ("in_order_and_unchanged", "kept_tkeep <= beat_tkeep", "kept_tkeep <= next_tkeep"),
        ("in_order_and_unchanged", "kept_tuser <= beat_tuser", "kept_tuser <= next_tuser"),
        ("in_order_and_unchanged", "kept_tlast <= beat_tlast", "kept_tlast <= next_tlast"),
        ("there_is_a_beat_if_one_waits", "was_ready || !shown", "was_ready"),
        ("none_goes_twice", "was_ready <= m_axis_tready", "was_ready <= 1'd0"),
        ("held_until_ready", "was_ready <= m_axis_tready", "was_ready <= 1'd1"),
        ("room_in_time", "was_ready || !shown", "was_ready && shown"),
        ("taken_tells", "taken = shown && was_ready", "taken = was_ready"),
    ];
    Proof::new(output_stage(Width::W64, stream), STAGE, broken).sees_mistakes();
}

#[test]
fn beats_of_a_slow_stream_go_out_once() {
    let broken = &[
        ("none_goes_twice", "valid = next_m_axis_cnm_tvalid && !taken", "valid = next_m_axis_cnm_tvalid"),
        ("held_until_ready", "taken = shown && was_ready", "taken = shown && (was_ready || next_m_axis_cnm_tvalid)"),
        ("taken_tells", "taken = shown && was_ready", "taken = was_ready && (shown || next_m_axis_cnm_tvalid)"),
        ("there_is_a_beat_if_one_waits", "next_m_axis_cnm_tvalid && !taken", "next_m_axis_cnm_tvalid && !shown"),
    ];
    Proof::new(slow_output_stage("axis_cnm_stage", "m_axis_cnm"), SLOW_STAGE, broken).sees_mistakes();
}
