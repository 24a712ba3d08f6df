// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is proved of the circuits of InfiniBand, mistakes that must break it, and mutations of their Verilog.

use crate::claims::{ASKED_FOR, Harness, Mistake, Mutation, mutations, simple};

/// Names of a module and of its harness, for a text that is used for modules of several sizes.
macro_rules! names {
    ($module:literal) => {
        concat!("`define MODULE ", $module, "\n`define TOP ", $module, "_properties\n")
    };
}

const PORTS_2: &str = include_str!("claims/ports_2.sv");
const PORTS_4: &str = include_str!("claims/ports_4.sv");
const PORTS_8: &str = include_str!("claims/ports_8.sv");
const INPUT_BUFFER: &str = include_str!("claims/input_buffer.sv");
const OUTPUT_MARKER: &str = include_str!("claims/output_marker.sv");
const NAIVE_MARKER: &str = include_str!("claims/naive_marker.sv");
const MARKING: &str = include_str!("claims/marking.sv");
const NAIVE_MARKING: &str = include_str!("claims/naive_marking.sv");
const FULL_TELLS: (&str, &str) = ("full_tells", "full is high exactly for the buffers without a free slot");
const IMPOSSIBLE_TELLS: (&str, &str) = (
    "impossible_tells",
    "impossible is high exactly for impossible events; they change nothing, and no counter of a buffer wraps",
);
const FULL_BY_INPUT: (&str, &str) = ("full_by_input", "each bit of full comes from the buffer of its input");
const IMPOSSIBLE_BY_INPUT: (&str, &str) = (
    "impossible_by_input",
    "each bit of impossible comes from the buffer of its input, which gets exactly the events of this input",
);
const MARKS_WHAT_WAS_THERE: (&str, &str) =
    ("marks_what_was_there", "a packet is marked exactly if it was in its buffer when the buffer last became full");
const FALLS_BY_MARKS: (&str, &str) =
    ("falls_by_marks_only", "for any table: the rate falls only after an ACK whose packet was marked");

/// A buffer alone, with free inputs. Its claims are the assumptions of [`of_output_marker`] and [`of_naive_marker`]
/// about their inputs. A switch consists of buffers and markers: each `leaving`, `entering` and `congested` of a marker
/// comes from a buffer, each `marking` of a buffer from a marker, without a combinational loop. A buffer assumes
/// nothing about markers, so its claims hold in any run of a switch. Then the assumptions of the markers hold too,
/// except one that the user of the switch must satisfy: an output sends one packet at a time. With it, the claims of
/// the markers hold in a switch of any size.
const fn of_input_buffer(module: &'static str, text: &'static [&'static str]) -> Harness {
    simple(
        module,
        text,
        &[
            ("waiting_exact", "for each output, waiting is the exact number of packets that wait; no counter wraps"),
            FULL_TELLS,
            IMPOSSIBLE_TELLS,
            (
                "events_tell",
                "entering and leaving are exactly the packets that enter and leave; a packet leaves only if one waits",
            ),
            (
                "congested_tells",
                "when the buffer becomes full, exactly the outputs are congested for which a packet then waits; full is with \
                 full_when_whole when a last byte comes and all slots hold packets with their last bytes, else when a packet \
                 enters and all slots are taken",
            ),
            ("some_is_congested", "when a packet that enters makes the buffer full, at least one output is congested"),
            ("mark_tells", "mark is high exactly if the output on which a packet leaves is marking"),
        ],
    )
}

/// The counters of an output alone. The inputs satisfy the claims of [`of_input_buffer`].
const fn of_output_marker(module: &'static str, text: &'static [&'static str]) -> Harness {
    simple(
        module,
        text,
        &[
            ("marks_what_is_owed", "it marks exactly while cnt2 > 0; cnt1 and cnt2 are exact and do not wrap"),
            (
                "marks_as_many_as_counted",
                "packets marked since the output was last congested, plus cnt2, are the packets counted then",
            ),
            ("to_mark_are_there", "cnt2 never exceeds cnt1: not more packets are to be marked than wait"),
        ],
    )
}

/// The naive marker of a buffer alone. The inputs satisfy the claims of [`of_input_buffer`].
const fn of_naive_marker(module: &'static str, text: &'static [&'static str]) -> Harness {
    simple(
        module,
        text,
        &[
            MARKS_WHAT_WAS_THERE,
            (
                "marks_as_many_as_were_there",
                "packets marked since the buffer became full, plus those still to mark, are the packets that were in it then",
            ),
        ],
    )
}

/// A switch: its blocks are connected as [`of_input_buffer`] describes. For two ports the whole switch is also proved
/// with its sums. For eight ports only the blocks are proved; the same lines of Rust make the connections.
const fn of_marking(module: &'static str, text: &'static [&'static str]) -> Harness {
    simple(
        module,
        text,
        &[
            ("marks_by_output", "a packet is marked exactly if the marker of its output says so"),
            FULL_BY_INPUT,
            IMPOSSIBLE_BY_INPUT,
        ],
    )
}

/// A switch with naive marking; see [`of_marking`].
const fn of_naive_marking(module: &'static str, text: &'static [&'static str]) -> Harness {
    simple(
        module,
        text,
        &[
            ("marks_by_input", "a packet is marked exactly if the marker of its buffer says so"),
            FULL_BY_INPUT,
            IMPOSSIBLE_BY_INPUT,
        ],
    )
}

/// What is proved of its blocks and parts.
pub const CLAIMS: &[Harness] = &[
    simple(
        "marking_2",
        &[include_str!("claims/marking_2.sv")],
        &[
            ("marks_what_is_owed", "a packet is marked exactly if a scan of all buffers finds one still to mark"),
            (
                "marks_as_many_as_counted",
                "packets marked since an output was last congested, plus cnt2, are the packets counted then",
            ),
            ("to_mark_are_there", "cnt2 never exceeds cnt1: not more packets are to be marked than wait"),
            ("full_tells", "full is high exactly for the buffers without a free slot"),
            (
                "impossible_tells",
                "impossible is high exactly for impossible events; they change nothing, and no counter wraps",
            ),
        ],
    ),
    of_input_buffer("input_buffer_2", &[names!("input_buffer_2"), PORTS_2, INPUT_BUFFER]),
    of_output_marker("output_marker_2", &[names!("output_marker_2"), PORTS_2, OUTPUT_MARKER]),
    of_naive_marker("naive_marker_2", &[names!("naive_marker_2"), PORTS_2, NAIVE_MARKER]),
    of_naive_marking("naive_marking_2", &[names!("naive_marking_2"), PORTS_2, NAIVE_MARKING]),
    of_input_buffer("input_buffer_4", &[names!("input_buffer_4"), PORTS_4, INPUT_BUFFER]),
    of_output_marker("output_marker_4", &[names!("output_marker_4"), PORTS_4, OUTPUT_MARKER]),
    of_naive_marker("naive_marker_4", &[names!("naive_marker_4"), PORTS_4, NAIVE_MARKER]),
    of_marking("marking_4", &[names!("marking_4"), PORTS_4, MARKING]),
    of_naive_marking("naive_marking_4", &[names!("naive_marking_4"), PORTS_4, NAIVE_MARKING]),
    of_input_buffer("input_buffer_8", &[names!("input_buffer_8"), PORTS_8, INPUT_BUFFER]),
    of_output_marker("output_marker_8", &[names!("output_marker_8"), PORTS_8, OUTPUT_MARKER]),
    of_naive_marker("naive_marker_8", &[names!("naive_marker_8"), PORTS_8, NAIVE_MARKER]),
    simple(
        "calculator_infiniband",
        &[include_str!("claims/calculator.sv")],
        &[
            ("reset_is_r_max", "for any table: reset sets the rate to R_max"),
            ("new_flow_is_r_max", "for any table: a new flow starts at R_max, if the rate is not persistent"),
            FALLS_BY_MARKS,
            ("rises_by_one_rate", "for any table: the rate rises by one discrete rate at a time"),
            ("rises_while_busy", "for any table: the rate rises only while no ACK is taken"),
            ("busy_behind_an_ack", "no ACK is taken in the cycle after an ACK"),
        ],
    ),
    simple(
        "source_infiniband",
        &[include_str!("claims/source.sv")],
        &[
            ASKED_FOR,
            ("one_packet_out", "no packet is granted while one is outstanding"),
            (
                "interval_kept",
                "no packet is granted before 1 + ipd packet times have passed since the last grant; a packet time is over \
                 in the first cycle in which it is packet_cycles long or longer",
            ),
            ("outstanding_tells", "outstanding rises with a grant and falls only after the ACK"),
            ("stray_tells", "stray is high exactly for the ACKs that belong to no packet"),
            FALLS_BY_MARKS,
        ],
    ),
    simple(
        "inter_packet_delay",
        &[include_str!("claims/inter_packet_delay.sv")],
        &[
            ("one_packet_out", "no packet is granted before the calculator has taken the ACK of the last one"),
            (
                "interval_kept",
                "no packet is granted before 1 + ipd packet times have passed since the last grant, with ipd of the cycle \
                 before; a packet time is over in the first cycle in which it is packet_cycles long or longer",
            ),
            ("goes_when_it_may", "a requested packet that may start is granted in the same cycle"),
            ("outstanding_tells", "outstanding is high exactly while a packet is outstanding"),
            ("every_ack_once", "each ACK of a packet is passed to the calculator once, with its mark"),
            ("stray_tells", "stray is high exactly for the ACKs that belong to no packet"),
        ],
    ),
];

/// Mistakes, each of which must break claims.
pub const MISTAKES: &[Mistake] = &[
    ("marking_2", 6, "mark", "real & {1'b1, flip}", &["marks_what_is_owed", "marks_as_many_as_counted"]),
    ("marking_2", 7, "mark", "2'd0", &["to_mark_are_there", "marks_what_is_owed"]),
    ("marking_2", 3, "full", "real ^ 2'd1", &["full_tells"]),
    ("marking_2", 3, "impossible", "~real", &["impossible_tells"]),
    ("marking_2", 4, "leave", "leave & {1'b1, flip}", &["marks_what_is_owed", "impossible_tells"]),
    ("marking_2", 4, "complete", "complete & {1'b1, flip}", &["marks_what_is_owed", "impossible_tells"]),
    ("marking_2", 6, "full_when_whole", "!full_when_whole", &["marks_what_is_owed"]),
    ("inter_packet_delay", 4, "grant", "request", &["one_packet_out", "interval_kept", "goes_when_it_may"]),
    ("inter_packet_delay", 4, "outstanding", "!real", &["outstanding_tells"]),
    ("inter_packet_delay", 4, "feedback_marked", "real ^ flip", &["every_ack_once"]),
    ("inter_packet_delay", 3, "stray", "ack", &["stray_tells"]),
    ("inter_packet_delay", 8, "packet_cycles", "packet_cycles - 16'd1", &["interval_kept"]),
    ("inter_packet_delay", 8, "packet_cycles", "flip ? 16'd2 : packet_cycles", &["interval_kept"]),
    ("calculator_infiniband", 3, "ipd", "real + 8'd1", &["reset_is_r_max", "new_flow_is_r_max"]),
    (
        "calculator_infiniband",
        9,
        "ipd",
        "flip ? 8'd9 : 8'd3",
        &["falls_by_marks_only", "rises_by_one_rate", "rises_while_busy"],
    ),
    ("calculator_infiniband", 3, "feedback_ready", "1'b1", &["busy_behind_an_ack"]),
    ("source_infiniband", 8, "grant", "1'b1", &["asked_for", "one_packet_out", "interval_kept"]),
    ("source_infiniband", 3, "outstanding", "!real", &["outstanding_tells"]),
    ("source_infiniband", 3, "stray", "!real", &["stray_tells"]),
    ("source_infiniband", 4, "ipd", "real ^ flip", &["falls_by_marks_only"]),
];

/// Mistakes in the Verilog; each module of its own has at least one.
#[rustfmt::skip]
pub const MUTATIONS: &[Mutation] = mutations! {
    "marking_4" "input_buffer_4" "comparison off by one": "takes_last = enters && (next_used >= buffer_packets);" => "takes_last = enters && (next_used > buffer_packets);";
    "marking_4" "input_buffer_4" "wrong operator": "enters_for[2] || (count_2 > 4'd1)" => "enters_for[2] && (count_2 > 4'd1)";
    "marking_4" "input_buffer_4" "missing condition": "makes_full = holds_last && (complete || !full_when_whole) && !sent_leaves;" => "makes_full = holds_last && !sent_leaves;";
    "marking_4" "input_buffer_4" "dropped term": "(complete || !full_when_whole) && !sent_leaves;" => "(complete || !full_when_whole);";
    "marking_4" "input_buffer_4" "wrong operand": "holds_last = (full_when_whole && coming) ? filled : takes_last;" => "holds_last = takes_last;";
    "marking_4" "input_buffer_4" "missing condition": " && !(full_when_whole && coming && !complete);" => ";";
    "marking_4" "input_buffer_4" "dropped term": "(enters && (coming || !complete));" => "(enters && !complete);";
    "marking_4" "marking_4" "wrong bit": "buffers_1_complete = complete[1];" => "buffers_1_complete = complete[0];";
    "marking_4" "output_marker_4" "dropped term": "congested_0 || congested_1 || congested_2 || congested_3" => "congested_0 || congested_1 || congested_2";
    "marking_4" "output_marker_4" "comparison off by one": "owes_one = now_waiting == 7'd1;" => "owes_one = now_waiting == 7'd2;";
    "source_infiniband" "inter_packet_delay" "comparison off by one": "due <= packet_times > {1'd0, ipd};" => "due <= packet_times >= {1'd0, ipd};";
    "calculator_infiniband" "response_lipd" "comparison off by one": "slowest = ipd == 8'd255;" => "slowest = ipd == 8'd254;";
    "calculator_infiniband" "response_table" "wrong word of a table": "words[2]   = 25'h0080341;" => "words[2]   = 25'h0080344;";
    // Always 0 would be found in one of 4,935 states only, which random ACKs hardly reach: testbenches/source_infiniband goes there.
    "calculator_infiniband" "response_table" "wrong bit": "at_minimum = entry[24];" => "at_minimum = entry[16];";
    "calculator_infiniband" "response_shift" "missing bit": "at_minimum = beyond;" => "at_minimum = 1'd0;";
    "calculator_infiniband" "response_shift" "wrong bound": "beyond = wanted >= 16'h100;" => "beyond = wanted > 16'h1ff;";
    "calculator_infiniband" "response_lipd" "wrong constant": "price = 16'h100;" => "price = 16'h101;";
    "calculator_infiniband" "response_shift" "wrong word of a table": "waits[5]   = 16'h0044;" => "waits[5]   = 16'h0045;";
    "source_infiniband" "calculator_infiniband" "missing carry": "credit + {8'd0, delay} + 16'd1" => "credit + {8'd0, delay}";
    "marking_4" "entered_of_four" "wrong constant": "less_one = 4'd2;" => "less_one = 4'd1;";
    "naive_marking_4" "naive_marker_4" "missing condition": "if (leaving[2] && owes_2) begin" => "if (leaving[2]) begin";
    "naive_marking_4" "naive_marking_4" "wrong bit": "buffers_1_complete = complete[1];" => "buffers_1_complete = complete[0];";
    "source_infiniband" "source_infiniband" "wire left out": ".ack_marked(ack_marked)" => ".ack_marked(1'b0)";
};
