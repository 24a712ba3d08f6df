// SPDX-License-Identifier: MIT OR Apache-2.0
//! Coverage of the stimulus, as visible at the ports.

use super::{CYCLES, all};
use std::collections::BTreeMap;
use tidegate::bench::vectors;
use tidegate::frame::cnm::{Cnm, Rejection};
use tidegate::rtl::circuit::Circuit;
use tidegate::schemes::reference::flow_limiter::stores_modes;
use tidegate::units::RATE_MAX;
use tidegate::verify::model::{SEED, seed_of};
use tidegate::verify::stimulus::{Stimulus, Values};

/// Whether a port is constant: an output that its scheme leaves open, so that its block fits where another's does, or the flows of
/// a circuit that is made for so many.
fn is_constant(circuit: &Circuit, port: &str) -> bool {
    circuit.open.contains(&port) && circuit.block == "feedback"
        || port == "flow_mask" && circuit.module.ends_with("_flows")
        || port == "mode" && circuit.module == "flow_limiter" && !stores_modes(circuit)
}

/// Ports of a row by name.
struct View<'a> {
    circuit: &'a Circuit,
    before: &'a [u32],
    now: &'a [u32],
}

impl View<'_> {
    fn column(&self, name: &str) -> Option<usize> {
        self.circuit.ports.iter().position(|port| port.name == name)
    }

    fn get(&self, name: &str) -> u32 {
        self.column(name).map_or(0, |column| self.now[column])
    }

    fn old(&self, name: &str) -> u32 {
        self.column(name).map_or(0, |column| self.before[column])
    }

    fn is(&self, name: &str) -> bool {
        self.get(name) != 0
    }

    fn wide(&self, high: &str, low: &str) -> u64 {
        u64::from(self.get(high)) << 32 | u64::from(self.get(low))
    }
}

type Events = BTreeMap<&'static str, u64>;

/// The events of a cycle without reset after a cycle without reset.
fn events(view: &View, frame: &mut Vec<u8>, memory: &mut u64) -> Vec<(&'static str, bool)> {
    let bit24 = |name: &str| view.get(name) >> 24 != 0;
    match view.circuit.module {
        "sampler" => (0..3)
            .flat_map(|mode| {
                let sample = view.is("sample") && view.get("sample_mode") == mode;
                let names = [
                    ["packets", "packets without jitter"],
                    ["bytes", "bytes without jitter"],
                    ["time", "time without jitter"],
                ];
                let [any, plain] = names[mode as usize];
                [(any, sample && view.is("interval_span")), (plain, sample && !view.is("interval_span"))]
            })
            .collect(),
        "queue_monitor" => {
            let sampled = view.old("sample") != 0;
            vec![
                ("clamped at nothing", view.is("clamped") && view.get("queue_bytes") == 0),
                ("clamped at the top", view.is("clamped") && view.get("queue_bytes") == 0xff_ffff),
                ("below q0", sampled && bit24("q_offset")),
                ("above q0", sampled && !bit24("q_offset") && view.is("q_offset")),
                ("shorter", sampled && bit24("q_delta")),
                ("as long", sampled && !view.is("q_delta")),
                ("longer", sampled && !bit24("q_delta") && view.is("q_delta")),
            ]
        }
        "sample_queue" => vec![
            ("full", !view.is("ready")),
            ("lost", view.is("lost")),
            ("popped at once", view.old("head_valid") == 0 && view.is("pop")),
            ("popped while full", view.is("pop") && !view.is("ready")),
            ("sampled in a row", view.old("sample") != 0 && view.is("sample")),
            ("empty again", view.old("pop") != 0 && !view.is("head_valid")),
        ],
        "feedback_qcn" => {
            let sent = view.is("pop") && view.is("feedback_valid");
            let controlled = view.is("pop") && view.is("controlled");
            let mut events = vec![
                (
                    "not congested",
                    controlled && !view.is("feedback_valid") && (bit24("q_offset") || !view.is("q_offset")),
                ),
                ("nobody governs it", view.is("pop") && !view.is("controlled")),
                ("sent as zero", sent && !view.is("quantized_feedback")),
                ("saturated", sent && view.get("quantized_feedback") == 63),
                ("the generator waits", view.is("feedback_valid") && !view.is("frame_done")),
            ];
            let row = ["row 0", "row 1", "row 2", "row 3", "row 4", "row 5", "row 6", "row 7"];
            events.push((row[view.get("quantized_feedback") as usize / 8], sent));
            events
        }
        "sampling_exception" => {
            let excepted = view.is("enqueue") && view.is("due") && !view.is("sample");
            vec![
                ("the sampler's choice", view.is("due") && view.is("sample")),
                ("put off", excepted && view.is("exception_waits")),
                ("dropped", excepted && !view.is("exception_waits")),
                ("made up for", !view.is("due") && view.is("sample")),
                ("sent in the cycle of a sample", view.is("sent") && view.is("sample")),
            ]
        }
        "feedback_asm" => vec![
            ("sent", view.is("pop") && view.is("feedback_valid")),
            ("nobody governs it", view.is("pop") && !view.is("controlled")),
            (
                "saturates",
                view.is("feedback_valid")
                    && view.get("q_offset_units") == view.get("quantiser_limit") & view.get("quantiser_mask"),
            ),
            (
                "saturates below",
                view.is("feedback_valid") && view.get("q_delta_units") == !view.get("quantiser_limit") & 0xffff,
            ),
        ],
        "feedback_bcn" => {
            let sent = view.is("pop") && view.is("feedback_valid");
            let zeros = !view.is("q_offset_units") && !view.is("q_delta_units");
            vec![
                ("sent", sent && !zeros),
                ("a stop is sent", sent && zeros),
                ("nothing to say", view.is("pop") && view.is("controlled") && !view.is("feedback_valid")),
                ("nobody governs it", view.is("pop") && !view.is("controlled")),
            ]
        }
        "feedback_dsm" => {
            let sent = view.is("pop") && view.is("feedback_valid");
            let step = ((view.get("q_offset_units") << 16) | view.get("q_delta_units")) as i32;
            let limit = view.get("step_max") as i32;
            vec![
                ("a decrease", sent && step < 0 && step > -limit),
                ("an increase", sent && step > 0 && step < limit),
                ("the largest decrease", sent && step == -limit),
                ("the largest increase", sent && step == limit),
                ("nobody governs it", view.is("pop") && !view.is("controlled")),
            ]
        }
        "feedback_smcc" => vec![
            ("sent", view.is("pop") && view.is("feedback_valid")),
            ("nobody governs it", view.is("pop") && !view.is("controlled")),
            ("offset saturates", view.get("q_offset_units") == 0x7fff && bit24("q_offset") != view.is("q_offset")),
            ("delta saturates below", view.get("q_delta_units") == 0x8000),
        ],
        "packet_generator" => vec![
            ("no tag", view.is("frame_done") && !view.is("has_tag") && !view.is("has_cn_tag")),
            ("a VLAN tag", view.is("frame_done") && view.is("has_tag") && !view.is("has_cn_tag")),
            ("a CN-TAG", view.is("frame_done") && !view.is("has_tag") && view.is("has_cn_tag")),
            ("both tags", view.is("frame_done") && view.is("has_tag") && view.is("has_cn_tag")),
            ("stalls", view.is("valid") && !view.is("ready")),
            ("back to back", view.old("frame_done") != 0 && view.is("valid")),
        ],
        "calculator_qcn" => {
            let (rate, rate_before) = (view.get("current_rate"), view.old("current_rate"));
            // The target changes one cycle before rate and stages: compare with two cycles before.
            let (target, target_before) = (view.get("target_rate"), *memory as u32);
            *memory = view.old("target_rate").into();
            let stage = |name: &str| (view.get(name), view.old(name));
            let ((bytes, bytes_before), (time, time_before)) = (stage("byte_stage"), stage("time_stage"));
            let increase = bytes > bytes_before || time > time_before;
            let (least, most) = (bytes.min(time), bytes.max(time));
            let first = view.get("increase_stage");
            let hyper = increase && least >= first && view.is("hai_rate");
            let cut = rate < rate_before && !increase;
            vec![
                ("cut", cut),
                ("cut by half", cut && rate == rate_before - (rate_before >> 1)),
                ("cut keeps the target", cut && target == target_before && target != rate_before),
                ("at the minimum", rate == view.get("min_rate") && rate < view.get("line_rate")),
                ("end of a byte cycle", bytes > bytes_before),
                ("end of a timer period", time > time_before),
                ("fast recovery", increase && most < first && target == target_before),
                ("active increase", increase && most >= first && !hyper && target > target_before),
                ("hyper-active increase", hyper && target > target_before),
                ("target reduction", increase && target < target_before && target == target_before >> 3),
                ("target saturates", target == RATE_MAX),
                ("target above line rate", target > view.get("line_rate")),
                ("last stage", bytes == 63 || time == 63),
                (
                    "inactive again",
                    bytes_before + time_before > 0 && bytes + time == 0 && rate == view.get("line_rate"),
                ),
                ("a feedback waits", view.is("feedback_valid") && !view.is("feedback_ready")),
                (
                    "sent in the cycle of a feedback",
                    view.is("feedback_valid") && view.is("feedback_ready") && view.is("sent"),
                ),
            ]
        }
        "calculator_qcn_wide" | "calculator_qcn_wide_set" => {
            let change = |name: &str| (view.get(name), view.old(name));
            let (rate, rate_before) = change("current_rate");
            let (target, target_before) = change("target_rate");
            let ((bytes, bytes_before), (time, time_before)) = (change("byte_stage"), change("time_stage"));
            let increase = bytes > bytes_before || time > time_before;
            let first = view.get("increase_stage");
            let cut = rate < rate_before && !increase;
            vec![
                ("cut", cut),
                ("cut by half", cut && rate == rate_before - (rate_before >> 1)),
                ("at the minimum", rate == view.get("min_rate") && rate < view.get("line_rate")),
                ("end of a byte cycle", bytes > bytes_before),
                ("end of a timer period", time > time_before),
                ("fast recovery", increase && bytes.max(time) < first && target == target_before),
                ("active increase", increase && bytes.max(time) >= first && target > target_before),
                ("feedback waits", view.is("feedback_valid") && !view.is("feedback_ready")),
                ("inactive", rate == view.get("line_rate") && view.old("source_empty") != 0),
            ]
        }
        "calculator_smcc" | "calculator_smcc_at_once" => {
            let (rate, before) = (view.get("current_rate"), view.old("current_rate"));
            let (offset, delta) = (view.get("q_offset_units") as u16 as i16, view.get("q_delta_units") as u16 as i16);
            let taken = view.is("feedback_valid") && view.is("feedback_ready");
            let zero_in_state_a = delta == 0 && view.is("zero_in_state_a");
            let state_b = (offset < 0) != (delta < 0) && !zero_in_state_a;
            let large = delta.unsigned_abs() > view.get("t1_units") as u16;
            let up = if state_b { delta < 0 } else { offset < 0 };
            let known = view.is("same_point");
            vec![
                ("up", rate > before),
                ("down", rate < before),
                ("at the minimum", rate == view.get("min_rate") && rate < before),
                ("at line rate again", rate == view.get("line_rate") && rate > before),
                ("state A, large", taken && !state_b && large),
                ("state A, small", taken && !state_b && !large),
                ("state B", taken && state_b),
                ("short, not changing: state A", taken && up && known && zero_in_state_a),
                ("short, not changing: state B", taken && offset < 0 && delta == 0 && state_b),
                ("increase counts", taken && up && known),
                ("increase from another point", taken && up && !known),
                // The one without a state machine takes each at once.
                (
                    "a feedback waits",
                    view.is("feedback_valid")
                        && (view.circuit.module == "calculator_smcc_at_once" || !view.is("feedback_ready")),
                ),
            ]
        }
        "calculator_asm" | "calculator_bcn" | "calculator_dsm" => {
            let (rate, before) = (view.get("current_rate"), view.old("current_rate"));
            let taken = view.old("feedback_valid") != 0 && view.old("feedback_ready") != 0;
            let known = view.old("same_point") != 0;
            let mut events = vec![
                ("up", rate > before),
                ("down", rate < before),
                ("at the minimum", rate == view.get("min_rate") && rate < before),
                ("at line rate again", rate == view.get("line_rate") && rate > before),
                ("a feedback from another point changes nothing", taken && !known && rate == before),
                ("a feedback from the same point raises", taken && known && rate > before),
                ("remember", view.is("remember")),
                ("taken, but not remembered", view.is("feedback_ready") && !view.is("remember")),
                ("a feedback waits", view.is("feedback_valid") && !view.is("feedback_ready")),
            ];
            events.push(("whole levels", view.get("rate_cut") > 0 && rate != before));
            if view.circuit.module == "calculator_bcn" {
                events.push(("stopped", rate == 0 && before > 0));
                events.push(("starts again", rate == view.get("min_rate") && before == 0));
                events.push(("taken while stopped", taken && rate == 0 && before == 0));
            }
            events
        }
        "feedback_flow" => vec![
            ("by address", view.is("valid") && !view.is("flow_from_tag") && view.is("flow")),
            ("by CN-TAG", view.is("valid") && view.is("flow_from_tag")),
            ("no CN-TAG", view.is("unknown") && !view.is("has_flow_id")),
            ("no such flow", view.is("unknown") && view.is("has_flow_id")),
            ("the next frame begins", view.is("feedback_valid") && view.is("frame_start")),
        ],
        "flow_points" => {
            let (any, digests) = (view.is("cpid_any"), view.is("cpid_digest"));
            let (known, same) = (view.is("known"), view.is("same_point"));
            vec![
                ("the same point", same && !any && !digests),
                ("the same digest", same && !any && digests),
                ("another point", known && !same),
                ("none is known", !known && !same),
                ("any point", any && same),
                ("remember", view.is("remember")),
            ]
        }
        "flow_limiter" => {
            let mut events = limiter_of_flows(view);
            events.extend([
                ("a flow with a frame is read", view.is("rate_valid") && view.is("rate_waits")),
                ("a flow without a frame is read", view.is("rate_valid") && !view.is("rate_waits")),
                ("the rate changes", view.is("change")),
                ("the rate stays", view.is("feedback_taken") && !view.is("change")),
                ("a feedback waits", view.is("feedback_valid") && !view.is("rate_valid")),
            ]);
            if stores_modes(view.circuit) {
                events.push(("another mode", view.is("rate_valid") && view.get("mode") > 0));
            }
            events
        }
        "flow_stages" => vec![
            ("a decrease", view.is("start_decrease")),
            ("a decrease keeps the target", view.is("start_decrease") && !view.is("moves_target")),
            ("end of a byte cycle", view.is("start_byte")),
            ("end of a timer period", view.is("start_time")),
            ("a look", view.is("rate_taken") && !view.is("changes")),
            (
                "inactive again",
                view.is("start_decrease") && view.is("moves_target") && view.is("extra_fast_recovery") && {
                    view.get("byte_stage") == 0 && view.get("target") == view.get("line_rate")
                },
            ),
            ("last stage", view.is("rate_wanted") && view.get("byte_stage") == 63),
            ("a frame is not counted yet", !view.is("sent_ready")),
            ("a feedback waits", view.is("feedback_valid") && !view.is("feedback_ready")),
            ("the rate is waited for", view.is("rate_wanted") && !view.is("rate_valid")),
        ],
        "flow_stops" => vec![
            ("a stop", view.is("changes") && view.is("stops")),
            ("another rate", view.is("changes") && !view.is("stops")),
            ("no change", view.is("feedback_ready") && !view.is("changes")),
            ("starts again", view.is("change") && !view.is("feedback_ready")),
            ("taken while stopped", view.is("feedback_ready") && view.is("stopped")),
            ("the rate is waited for", view.is("rate_wanted") && !view.is("rate_valid")),
        ],
        "step_qcn" => {
            let ends = view.is("changes");
            vec![
                ("a decrease", view.is("start_decrease")),
                ("end of a byte cycle", view.is("start_byte")),
                ("end of a timer period", view.is("start_time")),
                ("the target stays", ends && view.old("target_changes") == 0),
                ("target saturates", view.is("target_changes") && view.get("new_target") == RATE_MAX),
                (
                    "target reduction",
                    view.is("target_changes") && view.get("new_target") == view.get("target") >> 3 && view.is("target"),
                ),
                ("cut by half", ends && view.get("new_rate") == view.get("rate") - (view.get("rate") >> 1)),
                ("up", ends && view.get("new_rate") > view.get("rate")),
                ("down", ends && view.get("new_rate") < view.get("rate")),
                ("at the minimum", ends && view.get("new_rate") == view.get("min_rate")),
                ("at line rate", view.is("reaches_line_rate") && ends),
                ("last stage", ends && (view.get("new_byte_stage") == 63 || view.get("new_time_stage") == 63)),
            ]
        }
        "step_smcc" | "step_asm" | "step_dsm" | "step_bcn" => {
            let (changes, taken) = (view.is("changes"), view.is("feedback_ready"));
            let (rate, new_rate) = (view.get("rate"), view.get("new_rate"));
            let mut events = vec![
                ("up", changes && new_rate > rate),
                ("down", changes && new_rate < rate),
                ("at the minimum", changes && new_rate == view.get("min_rate") && rate > new_rate),
                ("at line rate", changes && new_rate == view.get("line_rate") && rate < new_rate),
                ("remember", view.is("remember")),
                ("taken, but not remembered", taken && !view.is("remember")),
                ("from another point", taken && !changes && !view.is("same_point")),
                ("a feedback waits", view.is("feedback_valid") && !taken),
            ];
            let cut = view.get("rate_cut");
            events.push(("a whole level", changes && cut > 0 && cut < view.get("line_rate") && new_rate > 0));
            if view.circuit.module == "step_bcn" {
                events.push(("a stop", changes && view.is("stops")));
                events.push(("taken while stopped", taken && view.is("stopped")));
            }
            if view.circuit.module == "step_smcc" {
                let [offset, delta] = ["q_offset_units", "q_delta_units"].map(|name| view.get(name) as u16 as i16);
                let weighted = i32::from(delta) * view.get("store_weight") as i32;
                let other = taken && !view.is("store_any") && view.is("knows_point") && offset < 0 && delta > 0;
                events.push(("the first one", changes && !view.is("knows_point") && view.is("will_know_point")));
                events.push(("below q0, but Fb < 0", other && weighted > -i32::from(offset) && view.is("remember")));
                events.push(("below q0 and Fb > 0", other && weighted < -i32::from(offset) && !view.is("remember")));
                events.push(("below q0 with any", taken && view.is("store_any") && offset < 0 && view.is("remember")));
            }
            if view.circuit.module == "step_asm" {
                events.push(("sliding begins", changes && !view.is("slides") && view.is("will_slide")));
                events.push(("sliding ends", changes && view.is("slides") && !view.is("will_slide")));
            }
            events
        }
        "frame_counters" => vec![("all at once", FRAME_COUNTS.iter().all(|count| view.get(count) > view.old(count)))],
        "rate_limiter" => limiter(view),
        module if module == "parser" || module.ends_with("_reaction_point") => {
            let mut events = frames(view, frame);
            if view.circuit.module == "parser" {
                events.push(("the calculator waits", view.is("feedback_ready") && !view.is("feedback_valid")));
                events.extend(VERDICTS.map(|output| (output, view.is(output))));
                let waits = view.is("feedback_valid");
                events.push(("another point", waits && !view.is("same_point")));
                events.push(("the same point", waits && view.is("same_point") && !view.is("cpid_any")));
                events.push(("the same digest", waits && view.is("same_point") && view.is("cpid_digest")));
                events.push(("any point", waits && view.is("cpid_any")));
            } else {
                events.extend(limiter(view));
                let (rate, before) = (view.get("current_rate"), view.old("current_rate"));
                events.push(("rate falls", rate < before));
                events.push(("rate rises", rate > before));
                events.push(("at the minimum", rate == view.get("min_rate") && rate < view.get("line_rate")));
            }
            events
        }
        module if module.ends_with("_flows") => {
            let mut events = frames(view, frame);
            events.extend(limiter_of_flows(view));
            let (unknown, before) = (view.get("unknown_frames"), view.old("unknown_frames"));
            events.push(("a frame of no flow", unknown > before));
            events
        }
        module if module.ends_with("_congestion_point") => vec![
            ("full", !view.is("ready")),
            ("lost", view.is("lost")),
            ("sample", view.is("sample")),
            ("clamped", view.is("clamped")),
            ("frame", view.is("valid") && view.is("last") && view.is("data_ready")),
            ("stalls", view.is("valid") && !view.is("data_ready")),
        ],
        "input_buffer_4" => vec![
            ("full", view.is("full")),
            ("becomes full", view.is("congested")),
            ("becomes full by a header", view.is("congested") && view.is("enter") && !view.is("complete")),
            ("becomes full by a last byte", view.is("congested") && view.is("complete") && !view.is("enter")),
            ("becomes full by both in one cycle", view.is("congested") && view.is("complete") && view.is("enter")),
            (
                "a last byte with the next header",
                view.is("full_when_whole") && !view.is("impossible") && {
                    view.is("complete") && view.is("enter") && view.old("enter") != 0 && view.old("complete") == 0
                },
            ),
            ("several outputs are congested", !view.get("congested").is_power_of_two() && view.is("congested")),
            ("marked", view.is("mark")),
            ("impossible", view.is("impossible")),
            ("all in one cycle", view.is("enter") && view.is("leave") && view.is("free") && !view.is("impossible")),
        ],
        "output_marker_4" => {
            let any = |name: &str| (0..4).any(|input| view.is(&format!("{name}_{input}")));
            vec![
                ("marked", view.is("marking") && any("leaving")),
                ("not marked", !view.is("marking") && any("leaving")),
                ("congested again", view.is("marking") && any("congested")),
                ("congested while a packet leaves", any("leaving") && any("congested")),
            ]
        }
        "marking_4" => vec![
            ("marked", view.is("mark")),
            ("not marked", view.is("leave") && !view.is("mark") && !view.is("impossible")),
            ("two marked at once", view.is("mark") && !view.get("mark").is_power_of_two()),
            ("full", view.is("full")),
            ("all full", view.get("full") == 15),
            ("impossible", view.is("impossible")),
            ("a last byte", view.is("complete") && !view.is("impossible")),
            ("full when whole", view.is("full_when_whole") && view.is("mark")),
            ("full with headers", !view.is("full_when_whole") && view.is("mark")),
        ],
        "calculator_infiniband" | "source_infiniband" => vec![
            ("rate falls", view.get("ipd") > view.old("ipd")),
            ("rate rises", view.get("ipd") < view.old("ipd")),
            ("at R_max again", view.old("ipd") != 0 && !view.is("ipd")),
            ("a flow starts", view.is("flow_start")),
        ],
        "inter_packet_delay" => vec![
            ("grant", view.is("grant")),
            ("a request waits", view.is("request") && !view.is("grant")),
            ("stray", view.is("stray")),
            ("an ACK waits", view.is("feedback_valid") && !view.is("feedback_ready")),
        ],
        // Of a scheme about whose blocks nothing more is said above.
        module if module.starts_with("feedback_") => vec![
            ("sent", view.is("pop") && view.is("feedback_valid")),
            ("nobody governs it", view.is("pop") && !view.is("controlled")),
        ],
        module if module.starts_with("calculator_") => vec![
            ("rate falls", view.get("current_rate") < view.old("current_rate")),
            ("rate rises", view.get("current_rate") > view.old("current_rate")),
        ],
        module if module.starts_with("step_") => vec![
            ("rate falls", view.is("changes") && view.get("new_rate") < view.get("rate")),
            ("rate rises", view.is("changes") && view.get("new_rate") > view.get("rate")),
        ],
        other => panic!("what is there to reach in {other}?"),
    }
}

fn limiter(view: &View) -> Vec<(&'static str, bool)> {
    let cost = view.old("request_bytes") + view.get("overhead_bytes");
    let rate = view.get("rate").max(view.get("current_rate"));
    let grant = view.is("grant");
    vec![
        ("grant", grant),
        ("oversize", view.is("oversize")),
        ("the whole bucket", grant && cost == view.get("bucket_bytes")),
        ("a request waits", view.is("request") && !grant && !view.is("oversize")),
        ("a frame of less than a cycle's rate", grant && u64::from(cost) << 18 <= u64::from(rate)),
        ("the next request at once", view.is("request") && view.old("grant") != 0),
    ]
}

fn limiter_of_flows(view: &View) -> Vec<(&'static str, bool)> {
    let sent = ["sent of flow 0", "sent of flow 1", "sent of flow 2", "sent of flow 3"];
    let taken = view.is("announce") && view.is("announce_ready");
    let cost = view.get("announce_bytes") + view.get("overhead_bytes");
    let flow = view.get("announce_flow");
    let mut events: Vec<_> =
        (0..).zip(sent).map(|(flow, event)| (event, view.is("sent") && view.get("grant_flow") == flow)).collect();
    events.extend([
        ("an announcement waits", view.is("announce") && !view.is("announce_ready")),
        ("the whole bucket", taken && flow < 4 && cost == view.get("bucket_bytes")),
        ("longer than the bucket", taken && flow < 4 && cost > view.get("bucket_bytes")),
        ("of no flow", taken && flow >= 4),
        ("refused", view.is("refused")),
        ("the link is busy", view.is("grant") && !view.is("send_ready")),
        ("nothing is granted", !view.is("grant") && view.is("send_ready")),
        ("the memories are cleared", view.is("clearing")),
    ]);
    events
}

/// Joins the words of a stream, and classifies whole frames.
fn frames(view: &View, frame: &mut Vec<u8>) -> Vec<(&'static str, bool)> {
    if !view.is("valid") {
        return vec![];
    }
    let octets = if view.is("last") { view.get("octets") as usize } else { 8 };
    frame.extend(&view.wide("data_high", "data_low").to_be_bytes()[..octets]);
    if !view.is("last") {
        return vec![];
    }
    let cnm = Cnm::parse(frame);
    frame.clear();
    let mask = view.wide("allowed_cpid_mask_high", "allowed_cpid_mask_low");
    let allowed = view.wide("allowed_cpid_high", "allowed_cpid_low");
    let other = |cpid: u64| (cpid ^ allowed) & mask != 0;
    let flows = if view.is("flow_from_tag") { 0 } else { u64::from(view.get("flow_mask")) };
    let elsewhere = |octets: [u8; 6]| {
        let address = octets.iter().fold(0, |address, &octet| address << 8 | u64::from(octet));
        (address ^ view.wide("rp_mac_high", "rp_mac_low")) & !flows != 0
    };
    let what = match cnm {
        Err(Rejection::TooShort(_)) => "too short",
        Err(Rejection::EtherType(_)) => "another type",
        Err(Rejection::TooLong(_)) => "too long",
        Err(Rejection::Version(_)) => "another version",
        Err(Rejection::MsduLength(_)) => "a wrong unit",
        Ok(cnm) if elsewhere(cnm.destination) => "for somebody else",
        Ok(_) if view.is("bad_frame") => "bad",
        Ok(cnm) if other(cnm.cpid) => "a point that is not allowed",
        Ok(cnm) => match (mask != 0, cnm.vlan.is_some(), cnm.flow_id.is_some()) {
            (false, false, false) => "taken",
            (false, true, false) => "taken, tagged",
            (false, false, true) => "taken, of a flow",
            (false, true, true) => "taken, tagged, of a flow",
            (true, false, false) => "taken by a rule",
            (true, true, false) => "taken, tagged, by a rule",
            (true, false, true) => "taken, of a flow, by a rule",
            (true, true, true) => "taken, tagged, of a flow, by a rule",
        },
    };
    vec![(what, true)]
}

const VERDICTS: [&str; 5] = ["frame_taken", "frame_malformed", "frame_refused", "frame_elsewhere", "frame_dropped"];
const FRAME_COUNTS: [&str; 5] =
    ["taken_frames", "malformed_frames", "refused_frames", "elsewhere_frames", "dropped_frames"];
const FRAMES: [&str; 16] = [
    "too short",
    "another type",
    "too long",
    "another version",
    "a wrong unit",
    "for somebody else",
    "bad",
    "a point that is not allowed",
    "taken",
    "taken, tagged",
    "taken, of a flow",
    "taken, tagged, of a flow",
    "taken by a rule",
    "taken, tagged, by a rule",
    "taken, of a flow, by a rule",
    "taken, tagged, of a flow, by a rule",
];
const ROWS: [&str; 8] = ["row 0", "row 1", "row 2", "row 3", "row 4", "row 5", "row 6", "row 7"];

#[test]
fn every_output_moves_and_every_event_happens() {
    for (scheme, _, circuit) in all() {
        let mut stimulus = Stimulus::new(scheme, &circuit, seed_of(circuit.module, SEED), Values::Accepted);
        let columns = circuit.ports.len();
        let reset = circuit.ports.iter().position(|port| port.name == "reset").unwrap();
        let (mut first, mut before) = (Vec::new(), vec![0; columns]);
        let mut moved = vec![false; columns];
        let (mut counts, mut frame, mut memory) = (Events::new(), Vec::new(), 0);
        let expected: &[&'static str] = match circuit.module {
            "feedback_qcn" => &ROWS,
            module if module == "parser" || module.ends_with("_reaction_point") || module.ends_with("_flows") => {
                &FRAMES
            }
            _ => &[],
        };
        counts.extend(expected.iter().map(|&event| (event, 0)));
        vectors::run(&circuit, &mut |cycle, row| stimulus.drive(cycle, row), &mut |cycle, row| {
            assert!(cycle > 0 || row[reset] == 1, "the first row resets");
            if row[reset] != 0 {
                frame.clear();
                memory = 0;
                *counts.entry("reset").or_default() += u64::from(before[reset] == 0);
            } else {
                if first.is_empty() {
                    first = row.to_vec();
                }
                (0..columns).for_each(|at| moved[at] |= row[at] != first[at]);
                if before[reset] == 0 {
                    let view = View { circuit: &circuit, before: &before, now: row };
                    for (event, happens) in events(&view, &mut frame, &mut memory) {
                        *counts.entry(event).or_default() += u64::from(happens);
                    }
                }
            }
            before.copy_from_slice(row);
            cycle + 1 < CYCLES
        });
        println!("{}: {counts:?}", circuit.module);
        for (port, &moved) in circuit.ports.iter().zip(&moved).filter(|(port, _)| port.name != "clock") {
            let constant = port.name == "reset" || is_constant(&circuit, &port.name);
            assert_eq!(moved, !constant, "{}: output or input {}", circuit.module, port.name);
        }
        for (event, count) in counts {
            assert!(count > 0, "{}: `{event}` never", circuit.module);
        }
    }
}
