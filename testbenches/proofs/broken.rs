// SPDX-License-Identifier: MIT OR Apache-2.0
//! Broken circuits; for each of them some claims must fail.

use rayon::prelude::*;
use regex::Regex;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::sync::LazyLock;
use std::time::Instant;
use tidegate::claims::{Harness, Mistake, harnesses};
use tidegate::registry::{SCHEMES, Scheme};
use tidegate::rtl::circuit::Circuit;
use tidegate::toolchain::formal::{Judgement, Method, Prover};
use tidegate::verify::formal::{judge, prove};
use tidegate::verilog;

/// Settings for the circuits of a scheme: the defaults, the variants that `verify` checks, and switches of other sizes.
pub fn variants(scheme: &Scheme) -> Vec<&'static [(&'static str, &'static str)]> {
    const SIZES: [&[(&str, &str)]; 4] = [
        &[("ports", "2")],
        &[("ports", "2"), ("marking", "naive")],
        &[("ports", "8")],
        &[("ports", "8"), ("marking", "naive")],
    ];
    let mut variants = vec![&[][..]];
    variants.extend(scheme.variants());
    if scheme.name == "infiniband" {
        variants.extend(SIZES);
    }
    variants
}

/// A circuit of that module, and a scheme that has it.
pub fn circuit(module: &str) -> (&'static Scheme, &'static Circuit) {
    /// All circuits of all schemes: one of them takes longer to make than to find.
    static CIRCUITS: LazyLock<Vec<(&Scheme, Circuit)>> = LazyLock::new(|| {
        let variants = SCHEMES.iter().flat_map(|scheme| variants(scheme).into_iter().map(move |set| (scheme, set)));
        let parts = variants.flat_map(|(scheme, set)| super::PARTS.map(|part| (scheme, scheme.circuits_of(part, set))));
        let others = SCHEMES
            .iter()
            .flat_map(|scheme| super::PARTS.map(|part| scheme.other_circuits(part).map(move |of| (scheme, of))))
            .flatten();
        parts
            .flat_map(|(scheme, (blocks, whole))| blocks.into_iter().chain([whole]).map(move |of| (scheme, of)))
            .chain(others)
            .collect()
    });
    let found = CIRCUITS.iter().find(|(_, circuit)| circuit.module == module);
    found.map(|(scheme, circuit)| (*scheme, circuit)).unwrap_or_else(|| panic!("no scheme has a module {module}"))
}

/// The circuit in a wrapper with its name and ports. `spoiled` is a port and the expression that replaces it. In the
/// expression for an input, its name is the value from outside; for an output, `real` is the value of the circuit.
/// `flip` is high in every second cycle.
fn broken(circuit: &Circuit, spoiled: (&str, &str)) -> String {
    let module = circuit.module;
    let header = Regex::new(&format!(r"(?m)^(\s*module\s+){module}(\s*[(#;])")).unwrap();
    let whole = verilog::text(&circuit.netlist);
    assert_eq!(header.find_iter(&whole).count(), 1, "{module} is defined once");
    let mut text = header.replace(&whole, format!("${{1}}{module}_real${{2}}")).into_owned();
    assert!(circuit.ports.iter().any(|port| port.name == spoiled.0), "{module} has no port {}", spoiled.0);
    let (mut declared, mut inside, mut connected) = (Vec::new(), String::new(), Vec::new());
    for port in &circuit.ports {
        let (name, range) = (&port.name, format!("[{}:0]", port.bits - 1));
        let spoil = (*name == spoiled.0).then_some(spoiled.1);
        if port.input {
            declared.push(format!("input wire {range} {name}"));
            writeln!(inside, "wire {range} {name}_in = {};", spoil.unwrap_or(name)).unwrap();
            connected.push(format!(".{name}({name}_in)"));
        } else {
            declared.push(format!("output wire {range} {name}"));
            let said = spoil.map_or(format!("{name}_out"), |spoil| spoil.replace("real", &format!("{name}_out")));
            writeln!(inside, "wire {range} {name}_out; assign {name} = {said};").unwrap();
            connected.push(format!(".{name}({name}_out)"));
        }
    }
    write!(
        text,
        "\nmodule {module}({});\nreg flip;\nalways @(posedge clock) flip <= !flip && !reset;\n{inside}{module}_real real_one({});\nendmodule\n",
        declared.join(", "),
        connected.join(", ")
    )
    .unwrap();
    text
}

/// Of the blocks that several schemes have. The others are with the claims of the schemes.
const SHARED: &[Mistake] = &[
    ("sampler", 7, "sample", "enqueue", &["not_too_early", "as_described"]),
    ("sampler", 30, "sample", "1'b0", &["not_too_late", "as_described"]),
    ("sampler", 2, "sample", "1'b1", &["only_packets"]),
    ("queue_monitor", 3, "queue_bytes", "real + 24'd1", &["length_is_clamped_sum", "length_is_true"]),
    ("queue_monitor", 3, "clamped", "!real", &["clamped_tells", "possible_is_never_clamped"]),
    ("queue_monitor", 3, "q_offset", "{real[23], real[23:0]}", &["offset_exact"]),
    ("queue_monitor", 3, "q_delta", "real + 25'd1", &["change_exact"]),
    ("queue_monitor", 3, "enqueue", "enqueue && !dequeue", &["length_is_clamped_sum", "length_is_true"]),
    ("sample_queue", 6, "head_q_offset", "real ^ 25'd1", &["in_order_and_whole"]),
    ("sample_queue", 6, "head_flow_id", "real ^ 16'd1", &["in_order_and_whole"]),
    ("sample_queue", 8, "pop", "pop && flip", &["none_dropped_none_twice"]),
    ("sample_queue", 6, "head_valid", "real && flip", &["none_dropped_none_twice", "head_stays"]),
    ("sample_queue", 3, "head_valid", "1'b1", &["none_dropped_none_twice", "at_most_four"]),
    ("sample_queue", 3, "ready", "flip", &["ready_tells"]),
    ("sample_queue", 3, "lost", "!real", &["lost_tells"]),
    ("packet_generator", 4, "data_low", "real ^ flip", &["word_is_the_frames", "held_until_ready"]),
    ("packet_generator", 5, "flow_id", "{flow_id[7:0], flow_id[15:8]}", &["word_is_the_frames"]),
    ("packet_generator", 4, "ready", "ready || flip", &["word_is_the_frames"]),
    ("packet_generator", 10, "frame_done", "1'b0", &["done_with_the_last"]),
    ("packet_generator", 10, "last", "1'b0", &["eight_words"]),
    ("packet_generator", 4, "valid", "real && flip", &["nothing_unasked", "no_gap_in_a_frame", "held_until_ready"]),
    ("parser", 12, "feedback_valid", "real && flip", &["once_each", "held_until_ready"]),
    ("parser", 10, "quantized_feedback", "real ^ 6'd1", &["fields_are_the_frames"]),
    ("parser", 12, "flow_id", "real ^ 16'd1", &["fields_are_the_frames"]),
    ("parser", 3, "frame_elsewhere", "real ^ flip", &["elsewhere_told"]),
    ("parser", 3, "frame_malformed", "real ^ flip", &["malformed_told"]),
    ("parser", 3, "frame_refused", "real ^ flip", &["refused_told"]),
    ("parser", 3, "frame_dropped", "real ^ flip", &["taken_or_dropped", "all_accounted_for"]),
    ("parser", 12, "rp_mac_low", "rp_mac_low ^ 32'd1", &["once_each", "elsewhere_told"]),
    ("parser", 12, "same_point", "!real", &["fields_are_the_frames"]),
    ("frame_counters", 3, "refused_frames", "real + 16'd1", &["counts_and_stops"]),
    ("rate_limiter", 6, "bucket_bytes", "bucket_bytes + 14'd1", &["any_window", "oversize_tells"]),
    ("rate_limiter", 4, "rate", "rate + 25'd1", &["from_reset"]),
    ("rate_limiter", 3, "grant", "1'b1", &["asked_for"]),
    ("sampling_exception", 4, "sample", "enqueue", &["not_the_last_source", "one_for_each_due"]),
    ("sampling_exception", 3, "sample", "1'b0", &["first_of_another"]),
    ("sampling_exception", 5, "exception_waits", "1'b1", &["never_two_in_a_row"]),
    ("feedback_flow", 4, "flow", "real ^ 12'd1", &["flow_is_the_frames"]),
    ("feedback_flow", 4, "flow", "12'hfff", &["flow_exists"]),
    ("feedback_flow", 3, "unknown", "!real", &["unknown_tells"]),
    ("feedback_flow", 3, "unknown_frames", "real + 16'd1", &["unknown_counted"]),
    ("flow_points", 10, "same_point", "!real", &["same_point_exact"]),
    ("flow_points", 6, "flow", "flow ^ 12'd1", &["remembered_for_its_flow"]),
    ("flow_limiter", 3, "refused", "!real", &["refused_exactly"]),
    ("flow_limiter", 3, "grant", "1'b1", &["granted_was_announced", "nothing_while_clearing"]),
    ("flow_limiter", 4, "grant", "flip", &["grant_held"]),
    ("flow_limiter", 3, "sent", "1'b1", &["sent_when_granted", "paid_for"]),
];

/// For modules of 2, 4 and 8 ports; the number is appended to the name.
const SIZED: &[Mistake] = &[
    ("input_buffer_", 3, "waiting_0", "real + 4'd1", &["waiting_exact"]),
    ("input_buffer_", 3, "full", "!real", &["full_tells"]),
    ("input_buffer_", 3, "impossible", "!real", &["impossible_tells"]),
    ("input_buffer_", 3, "entering", "real ^ 1'b1", &["events_tell"]),
    ("input_buffer_", 3, "congested", "real & 1'b0", &["congested_tells", "some_is_congested"]),
    ("input_buffer_", 3, "mark", "!real", &["mark_tells"]),
    ("input_buffer_", 4, "complete", "complete && flip", &["congested_tells"]),
    ("input_buffer_", 4, "full_when_whole", "full_when_whole && flip", &["congested_tells"]),
    ("output_marker_", 3, "marking", "!real", &["marks_what_is_owed"]),
    ("output_marker_", 4, "marking", "1'b0", &["marks_as_many_as_counted", "to_mark_are_there"]),
    ("output_marker_", 4, "leaving_1", "leaving_1 && flip", &["marks_what_is_owed"]),
    ("naive_marker_", 3, "marking", "~real", &["marks_what_was_there"]),
    ("naive_marker_", 4, "marking", "real & 1'b0", &["marks_as_many_as_were_there"]),
];

/// For whole switches.
const WIRED: &[Mistake] = &[
    ("marking_4", 4, "mark", "real & 1'b0", &["marks_by_output"]),
    ("marking_4", 4, "leave_output", "leave_output ^ 1'b1", &["marks_by_output", "impossible_by_input"]),
    ("marking_4", 4, "complete", "complete ^ 1'b1", &["marks_by_output", "impossible_by_input"]),
    ("marking_4", 3, "full", "real ^ 1'b1", &["full_by_input"]),
    ("marking_4", 3, "impossible", "~real", &["impossible_by_input"]),
    ("naive_marking_2", 4, "mark", "real & 1'b0", &["marks_by_input"]),
    ("naive_marking_2", 3, "full", "real ^ 1'b1", &["full_by_input"]),
    ("naive_marking_2", 3, "impossible", "~real", &["impossible_by_input"]),
    ("naive_marking_4", 4, "mark", "real & 1'b0", &["marks_by_input"]),
    ("naive_marking_4", 3, "full", "real ^ 1'b1", &["full_by_input"]),
    ("naive_marking_4", 3, "impossible", "~real", &["impossible_by_input"]),
];

/// The harness as it is, but that a sampler's intervals are short: a fault in one shows after a few cycles.
fn for_a_search(harness: &Harness) -> Harness {
    let settings: Option<&[(&str, &str)]> = match harness.settings {
        Some([("sample_mode", "packets")]) => {
            Some(&[("sample_mode", "packets"), ("sample_packets", "4"), ("sample_jitter_percent", "50")])
        }
        Some([("sample_mode", "bytes")]) => {
            Some(&[("sample_mode", "bytes"), ("sample_bytes", "64"), ("sample_jitter_percent", "50")])
        }
        Some([("sample_mode", "time")]) => Some(&[
            ("sample_mode", "time"),
            ("sample_packets", "1"),
            ("packet_bytes", "64"),
            ("line_rate_mbps", "4000"),
            ("sample_jitter_percent", "50"),
        ]),
        other => other,
    };
    Harness { settings, ..*harness }
}

/// The end of the names of modules, a place of their Verilog and what replaces it, and the claims that must not be proved
/// then.
type Rewritten = (&'static str, &'static str, &'static str, &'static [&'static str]);

/// Claims that a search cannot refute in a few cycles, as they are about many cycles or about what is stored.
const REWRITTEN: &[Rewritten] = &[
    ("flow_limiter", "takes_grant = idle && sends", "takes_grant = idle && sends && turn != 3'd1", &["sent_in_time"]),
    ("flow_limiter", "rates_write_address = flow;", "rates_write_address = flow ^ 12'd1;", &["kept_by_other_flows"]),
    (
        "flow_limiter",
        "if (level_negative) begin",
        "if (level_negative || climb_ends) begin",
        &["granted_if_it_has_enough"],
    ),
    // A flow may be put into the list that is being emptied, again and again.
    (
        "flow_limiter",
        "(list_digit == list_reached) || (not_before && before_now)",
        "(not_before && before_now)",
        &["looked_at_in_time"],
    ),
    // A packet time that has become shorter than it is long already ends only after 65,536 cycles.
    ("inter_packet_delay", "next_cycles >= packet_cycles", "next_cycles == packet_cycles", &["goes_when_it_may"]),
    ("_congestion_point_array", "all_cleared && !packet_waits && room", "all_cleared && !packet_waits", &["none_lost"]),
    ("_congestion_point_array", "owners[write_pointer]", "owners[read_pointer]", &["frame_for_its_queue"]),
];

/// Whether the search in a module is in the short test: in blocks that schemes share, in those of one scheme, and in the
/// smallest switch. The harnesses of the schemes share most of their text. A whole array of queues takes minutes.
fn is_short(module: &str) -> bool {
    let of_another = ["qcn", "bcn", "asm", "dsm"].iter().any(|scheme| module.contains(scheme));
    !of_another && !["_4", "_8", "_array"].iter().any(|end| module.ends_with(end))
}

#[test]
fn every_property_of_some_blocks_fails_of_some_broken_circuit() {
    let only_counted = ["calculator_smcc_at_once", "calculator_qcn_wide", "calculator_qcn_wide_set"];
    every_property_fails(|module| {
        ["queue_monitor", "rate_limiter"].contains(&module) || only_counted.contains(&module)
    });
}

#[test]
#[ignore = "long: minutes of z3"]
fn every_property_fails_of_some_broken_circuit() {
    every_property_fails(is_short);
}

#[test]
#[ignore = "long: five minutes; `scripts/test --long` runs it"]
fn every_property_fails_of_the_other_broken_circuits() {
    every_property_fails(|module| !is_short(module));
}

/// Each claim for some modules fails of a broken circuit.
fn every_property_fails(wanted: impl Fn(&str) -> bool + Sync) {
    let prover = Prover::find().unwrap();
    let sized = SIZED.iter().flat_map(|case| ["2", "4", "8"].map(|ports| (case.0.to_string() + ports, case)));
    let sized = sized.chain(WIRED.iter().map(|case| (case.0.to_string(), case)));
    let whole = SHARED.iter().chain(SCHEMES.iter().flat_map(|scheme| scheme.mistakes));
    let cases = whole.map(|case| (case.0.to_string(), case)).chain(sized);
    let cases: Vec<_> = cases.filter(|(module, _)| wanted(module)).collect();
    // Those that take longest begin first.
    let rewritten = REWRITTEN.par_iter().flat_map(|case| not_proved(case, &prover, &wanted));
    let spoiled = cases.par_iter().flat_map(|(module, case)| refuted(module, case, &prover));
    let able_to_fail: BTreeSet<(usize, &str)> = rewritten.chain(spoiled).collect();
    for (row, harness) in harnesses().enumerate().filter(|(_, harness)| wanted(harness.module)) {
        for (label, claim) in harness.claims {
            assert!(able_to_fail.contains(&(row, *label)), "{}: nothing makes `{label}` fail: {claim}", harness.module);
        }
    }
}

/// The claims that have a counterexample in a module with a spoiled port: the row of their harness, and their label.
fn refuted(module: &str, (_, depth, port, spoil, labels): &Mistake, prover: &Prover) -> Vec<(usize, &'static str)> {
    let (scheme, circuit) = circuit(module);
    let verilog = broken(circuit, (port, spoil));
    let mut found = Vec::new();
    for (row, harness) in harnesses().enumerate().filter(|(_, harness)| harness.module == module) {
        // A module may have several harnesses, each with claims of its own.
        let of_row = |label: &&&str| harness.claims.iter().any(|(claim, _)| claim == *label);
        let labels: Vec<&str> = labels.iter().filter(of_row).copied().collect();
        if labels.is_empty() {
            continue;
        }
        let started = Instant::now();
        let (search, method) = (for_a_search(harness), Method::Bounded(*depth));
        let outcomes = judge(&search, method, prover, scheme, circuit, &verilog, &labels).unwrap();
        for label in labels {
            let outcome = outcomes.iter().find(|outcome| outcome.name == label);
            let judgement = &outcome.unwrap_or_else(|| panic!("{module} has no claim {label}")).judgement;
            assert!(
                matches!(judgement, Judgement::Counterexample { .. }),
                "{module} with {port} = {spoil}: {label} (row {row}) is {judgement:?}"
            );
            found.push((row, label));
        }
        println!("{module} with {port} = {spoil}: {:.1} s", started.elapsed().as_secs_f64());
    }
    found
}

/// The harnesses with claims about what is rewritten, and their rows.
fn about((end, _, _, labels): &'static Rewritten) -> impl Iterator<Item = (usize, &'static Harness)> {
    let about = |harness: &Harness| harness.claims.iter().any(|(claim, _)| labels.contains(claim));
    harnesses().enumerate().filter(move |(_, harness)| harness.module.ends_with(end) && about(harness))
}

/// The Verilog of a circuit, in which a text stands once.
fn verilog_with(circuit: &Circuit, text: &str) -> String {
    let verilog = verilog::text(&circuit.netlist);
    assert_eq!(verilog.matches(text).count(), 1, "{}: `{text}`", circuit.module);
    verilog
}

/// The claims that are not proved of modules with another text: the row of their harness, and their label.
fn not_proved(
    rewritten: &'static Rewritten,
    prover: &Prover,
    wanted: &(impl Fn(&str) -> bool + Sync),
) -> Vec<(usize, &'static str)> {
    let (_, from, to, labels) = rewritten;
    let mut found = Vec::new();
    for (row, harness) in about(rewritten).filter(|(_, harness)| wanted(harness.module)) {
        let (started, module) = (Instant::now(), harness.module);
        let (scheme, circuit) = circuit(module);
        let verilog = verilog_with(circuit, from).replace(from, to);
        let outcomes = prove(harness, prover, scheme, circuit, &verilog).unwrap();
        for outcome in outcomes.iter().filter(|outcome| labels.contains(&outcome.name.as_str())) {
            assert_ne!(outcome.judgement, Judgement::Proved, "{module} with `{to}`: {}", outcome.name);
            found.push((row, *labels.iter().find(|label| **label == outcome.name).expect("it was looked for")));
        }
        println!("{module} with `{to}`: {:.1} s", started.elapsed().as_secs_f64());
    }
    found
}

#[test]
fn what_is_rewritten_stands_once() {
    for rewritten in REWRITTEN {
        assert!(about(rewritten).next().is_some(), "no claims about {}", rewritten.0);
        about(rewritten).for_each(|(_, harness)| drop(verilog_with(circuit(harness.module).1, rewritten.1)));
    }
}

#[test]
fn a_shell_that_spoils_nothing_is_proved() {
    let prover = Prover::find().unwrap();
    for module in ["queue_monitor", "packet_generator"] {
        let (scheme, circuit) = circuit(module);
        let harness = harnesses().find(|harness| harness.module == module).unwrap();
        let outcomes = prove(harness, &prover, scheme, circuit, &broken(circuit, ("clock", "clock"))).unwrap();
        assert!(outcomes.iter().all(|outcome| outcome.judgement == Judgement::Proved), "{outcomes:?}");
    }
}
