// SPDX-License-Identifier: MIT OR Apache-2.0
//! The harness of each module, and its claims.

use super::Harness;
use tidegate_toolchain::formal::Method;

const CONGESTION_POINT: &str = include_str!("../properties/congestion_point.sv");
const REACTION_POINT: &str = include_str!("../properties/reaction_point.sv");
const REACTION_POINT_FRAMES: &str = include_str!("../properties/reaction_point_frames.sv");
const FLOW_FRAMES: &str = concat!("`define MANY\n", include_str!("../properties/reaction_point_frames.sv"));
const FLOW_RATES: &str = include_str!("../properties/flow_rates.sv");
const FLOW_RATES_THAT_STOP: &str = concat!("`define STOPS\n", include_str!("../properties/flow_rates.sv"));
const FLOW_RATES_OF_SMCC: &str = concat!("`define SMCC\n", include_str!("../properties/flow_rates.sv"));
const FLOW_STEP: &str = include_str!("../properties/flow_step.sv");
const FLOW_STEP_THAT_STOPS: &str = concat!("`define STOPS\n", include_str!("../properties/flow_step.sv"));
const FLOW_STEP_OF_SMCC: &str = concat!("`define SMCC\n", include_str!("../properties/flow_step.sv"));
const FLOW_LIMITER: &str = concat!("`define KNOWN assert\n", include_str!("../properties/flow_limiter.sv"));
// What the proof of the frames has shown.
const KNOWN_FLOW_LIMITER: &str = concat!("`define KNOWN assume\n", include_str!("../properties/flow_limiter.sv"));
const FLOW_VISITS: &str = include_str!("../properties/flow_limiter_visits.sv");
const REACTION_POINT_THAT_STOPS: &str = concat!("`define STOPS\n", include_str!("../properties/reaction_point.sv"));
const REACTION_POINT_OF_SMCC: &str = concat!("`define SMCC\n", include_str!("../properties/reaction_point.sv"));
const RATE_LIMITER: &str = include_str!("../properties/rate_limiter_specification.sv");
const STREAM: &str = include_str!("../properties/stream_specification.sv");
const FEEDBACK: &str = include_str!("../properties/feedback_specification.sv");
const FEEDBACK_WITHOUT_UNITS: &str =
    concat!("`define NO_UNITS\n", include_str!("../properties/feedback_specification.sv"));
const PARSER: &str = include_str!("../properties/parser_specification.sv");
const QUEUE_ARRAY: &str = include_str!("../properties/queue_array.sv");
const QUEUE_ARRAY_FRAMES: &str = include_str!("../properties/queue_array_frames.sv");
const SAMPLER: &str = include_str!("../properties/sampler.sv");

const HELD_UNTIL_READY: (&str, &str) =
    ("held_until_ready", "a valid word of the frame stream does not change until it is taken");
const NO_GAP: (&str, &str) = ("no_gap_in_a_frame", "`valid` stays high between the first and the last word of a frame");
const NEW_RATE_IN_BOUNDS: (&str, &str) = (
    "new_rate_in_bounds",
    "a new rate is never below min_rate nor above line_rate, if the rate before it is not either",
);
const NEW_RATE_IN_BOUNDS_OR_STOPPED: (&str, &str) = (
    "new_rate_in_bounds_or_stopped",
    "a new rate is 0 if the source stops, else never below min_rate nor above line_rate, if the rate before it is not \
     either, or 0 while stopped",
);
const CHANGES_WHEN_TAKEN: (&str, &str) = ("changes_when_taken", "the rate changes only with a feedback that is taken");
const TAKEN_WHEN_OFFERED: (&str, &str) =
    ("taken_when_offered", "a feedback is taken only if one was there in the cycle before");
const EIGHT_WORDS: (&str, &str) =
    ("eight_words", "a frame has eight words; the last one has `last` high and four octets");
const RATE_IN_BOUNDS: (&str, &str) =
    ("rate_in_bounds", "after reset the rate is never below min_rate nor above line_rate");
const RATE_IN_BOUNDS_OR_STOPPED: (&str, &str) = (
    "rate_in_bounds_or_stopped",
    "after reset the rate is 0 (source stopped) or never below min_rate, and never above line_rate",
);
const LINE_RATE_AFTER_RESET: (&str, &str) = ("line_rate_after_reset", "reset sets the rate to line_rate");
const ANY_WINDOW: (&str, &str) = (
    "any_window",
    "in any window of time not more is granted than rate × time + bucket_bytes, for bucket_bytes from 128 to 16224, even \
     if the rate changes in any cycle",
);
const FROM_RESET: (&str, &str) = ("from_reset", "since reset not more is granted than rate × time");
const OVERSIZE_TELLS: (&str, &str) =
    ("oversize_tells", "oversize is high exactly for the requests that exceed the bucket");
const REMEMBERS_DECREASES: (&str, &str) = (
    "remembers_decreases",
    "the congestion point of a feedback is remembered exactly if it is a decrease, and not a step of 0",
);
const BAD_FRAMES_COUNTED: (&str, &str) = (
    "bad_frames_counted",
    "feedback frames for another address, malformed ones and those that are not allowed are counted, each once",
);
const GOOD_FRAMES_COUNTED: (&str, &str) =
    ("good_frames_counted", "each other feedback frame is counted once, as taken or as dropped");
const ASKED_FOR: (&str, &str) = ("asked_for", "a grant comes only after a request in the cycle before");
const FIELDS_HELD: (&str, &str) = ("fields_held", "the fields of a frame do not change until frame_done");
const POPPED_WHEN_SENT: (&str, &str) =
    ("popped_when_sent", "a sample that is sent leaves the queue with the last word of its frame, not before");
const ONLY_SAMPLES: (&str, &str) =
    ("only_samples", "a frame is sent only for a sample of a controlled flow, and only samples are popped");
const UNITS_EXACT: (&str, &str) =
    ("units_exact", "offset and change are in units of 64 octets, rounded down and saturated to 16 bits");
const LOST_TELLS: (&str, &str) = ("lost_tells", "lost is high exactly for the samples that came while ready was low");
const ONLY_PACKETS: (&str, &str) = ("only_packets", "a sample is a packet that enters");

const FALLS_BY_MARKS: (&str, &str) =
    ("falls_by_marks_only", "for any table: the rate falls only after an ACK whose packet was marked");

const PORTS_2: &str = include_str!("../properties/ports_2.sv");
const PORTS_4: &str = include_str!("../properties/ports_4.sv");
const PORTS_8: &str = include_str!("../properties/ports_8.sv");
const INPUT_BUFFER: &str = include_str!("../properties/input_buffer.sv");
const OUTPUT_MARKER: &str = include_str!("../properties/output_marker.sv");
const NAIVE_MARKER: &str = include_str!("../properties/naive_marker.sv");
const MARKING: &str = include_str!("../properties/marking.sv");
const NAIVE_MARKING: &str = include_str!("../properties/naive_marking.sv");
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

/// Names of a module and of its harness, for a text that is used for modules of several sizes.
macro_rules! names {
    ($module:literal) => {
        concat!("`define MODULE ", $module, "\n`define TOP ", $module, "_properties\n")
    };
}

/// A whole congestion point of an Ethernet scheme.
const fn of_congestion_point(module: &'static str) -> Harness {
    Harness {
        module,
        text: &[CONGESTION_POINT, STREAM],
        method: Method::Induction(2),
        settings: None,
        claims: &[HELD_UNTIL_READY, NO_GAP, EIGHT_WORDS, LOST_TELLS, ONLY_PACKETS],
    }
}

/// A whole congestion point of an Ethernet scheme for many queues.
const fn of_congestion_point_array(module: &'static str) -> Harness {
    Harness {
        module,
        text: &[QUEUE_ARRAY],
        method: Method::Induction(4),
        settings: None,
        claims: &[
            (
                "own_events_only",
                "the length of a queue changes only by its own packets and dequeues; it never wraps, and clamped tells \
                 when it is limited",
            ),
            ("unknown_tells", "unknown_queue is high exactly after an event for a queue that does not exist"),
            (
                "none_before_cleared",
                "after a reset no event is taken and nothing is counted before the state of all queues has been cleared",
            ),
        ],
    }
}

/// The frames of a congestion point for many queues. A harness of its own, because the lengths of the queues do not
/// matter for them.
const fn of_queue_array_frames(module: &'static str) -> Harness {
    Harness {
        module,
        text: &[QUEUE_ARRAY_FRAMES, STREAM],
        method: Method::Induction(2),
        settings: None,
        claims: &[
            HELD_UNTIL_READY,
            NO_GAP,
            EIGHT_WORDS,
            ("only_packets", "a sample is a packet that was taken, and it is one sample"),
            ("none_lost", "the sample queue has room for each sample: none is lost"),
            (
                "popped_with_its_frame",
                "while a frame is sent, its sample stays at the head of the sample queue; it leaves with the last word",
            ),
            (
                "frame_for_its_queue",
                "a frame has the CPID of the queue that its sample entered, and goes to the port where it came in",
            ),
        ],
    }
}

/// A whole reaction point of an Ethernet scheme whose rate is never 0.
const fn of_reaction_point(module: &'static str, text: &'static [&'static str]) -> Harness {
    simple(module, text, &[RATE_IN_BOUNDS, ANY_WINDOW, FROM_RESET, ASKED_FOR, OVERSIZE_TELLS])
}

/// What a reaction point counts. A harness of its own, because it has no state in common with the rate limiter.
const fn of_frames(module: &'static str) -> Harness {
    simple(module, &[REACTION_POINT_FRAMES, PARSER], &[BAD_FRAMES_COUNTED, GOOD_FRAMES_COUNTED])
}

/// The step of a calculator for many flows.
const fn of_flow_step(module: &'static str, text: &'static [&'static str]) -> Harness {
    simple(module, text, &[NEW_RATE_IN_BOUNDS, CHANGES_WHEN_TAKEN, TAKEN_WHEN_OFFERED])
}

/// What a reaction point of many flows counts; see [`of_frames`].
const fn of_flow_frames(module: &'static str) -> Harness {
    simple(module, &[FLOW_FRAMES, PARSER], &[BAD_FRAMES_COUNTED, GOOD_FRAMES_COUNTED])
}

/// The rates of a reaction point of many flows, in the memory of its limiter.
const fn of_flow_rates(module: &'static str, text: &'static [&'static str]) -> Harness {
    simple(
        module,
        text,
        &[(
            "all_rates_in_bounds",
            "four flows: after the memories have been cleared no rate is below min_rate or above line_rate",
        )],
    )
}

/// A harness with one step of induction and without constants.
const fn simple(
    module: &'static str,
    text: &'static [&'static str],
    claims: &'static [(&'static str, &'static str)],
) -> Harness {
    Harness { module, text, method: Method::Induction(1), settings: None, claims }
}

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

/// All harnesses.
pub const HARNESSES: &[Harness] = &[
    Harness {
        module: "sampler",
        text: &[SAMPLER],
        method: Method::Induction(1),
        settings: Some(&[("sample_mode", "packets")]),
        claims: &[
            (
                "not_too_early",
                "mode packets, default interval and jitter: no interval is shorter than its jitter allows",
            ),
            ("not_too_late", "mode packets, default interval and jitter: no interval is longer than its jitter allows"),
            ("as_described", "mode packets, default interval and jitter: every sample is drawn as described"),
            ONLY_PACKETS,
        ],
    },
    Harness {
        module: "sampler",
        text: &[SAMPLER],
        method: Method::Induction(1),
        settings: Some(&[("sample_mode", "bytes")]),
        claims: &[
            ("not_too_early", "mode bytes, default interval and jitter: no interval is shorter than its jitter allows"),
            (
                "not_too_late",
                "mode bytes, default interval and jitter: no interval exceeds what its jitter allows by a packet or more",
            ),
            ("as_described", "mode bytes, default interval and jitter: every sample is drawn as described"),
            ONLY_PACKETS,
        ],
    },
    Harness {
        module: "sampler",
        text: &[SAMPLER],
        method: Method::Induction(1),
        settings: Some(&[("sample_mode", "time")]),
        claims: &[
            (
                "not_too_early",
                "mode time, default interval and jitter: the shortest interval never contains three samples",
            ),
            ("not_too_late", "mode time, default interval and jitter: a packet after the longest interval is a sample"),
            ("as_described", "mode time, default interval and jitter: every sample is drawn as described"),
            ONLY_PACKETS,
        ],
    },
    simple(
        "queue_monitor",
        &[include_str!("../properties/queue_monitor.sv")],
        &[
            ("length_is_true", "while no event is impossible, the length is the exact sum of all events"),
            ("length_is_clamped_sum", "the length never wraps: it is the sum, limited to 0 to 2^24 − 1"),
            ("clamped_tells", "clamped is high exactly after the events that lead out of these bounds"),
            ("possible_is_never_clamped", "while no event is impossible, nothing is clamped"),
            ("offset_exact", "q_offset is the length minus q0_bytes, without overflow"),
            ("change_exact", "q_delta is the length minus the length at the sample before, without overflow"),
        ],
    ),
    simple(
        "sample_queue",
        &[include_str!("../properties/sample_queue.sv")],
        &[
            ("in_order_and_whole", "each accepted sample comes to the head in order, with its own fields"),
            ("none_dropped_none_twice", "two cycles later, as many samples have been at the head as were accepted"),
            ("at_most_four", "the queue never holds more than 4 samples"),
            ("ready_tells", "ready is low exactly while the queue holds 4 samples"),
            LOST_TELLS,
            ("head_stays", "a sample stays at the head until it is popped"),
        ],
    ),
    Harness {
        module: "feedback_qcn",
        text: &[include_str!("../properties/feedback_qcn.sv"), FEEDBACK],
        method: Method::Induction(16),
        settings: Some(&[]),
        claims: &[
            FIELDS_HELD,
            POPPED_WHEN_SENT,
            ONLY_SAMPLES,
            UNITS_EXACT,
            ("quantized_exact", "default w and q0: only Fb < 0 is sent, as floor(63·|Fb| / full scale), at most 63"),
            ("zero_only_if_wanted", "QntzFb = 0 is sent only if send_zero_feedback is high"),
            ("interval_from_table", "the sampling interval is an entry of the table"),
        ],
    },
    simple(
        "feedback_smcc",
        &[include_str!("../properties/feedback_smcc.sv"), FEEDBACK],
        &[
            FIELDS_HELD,
            POPPED_WHEN_SENT,
            ONLY_SAMPLES,
            UNITS_EXACT,
            ("every_sample_is_sent", "each sample of a controlled flow gets a frame"),
            (
                "popped_at_once_or_when_sent",
                "a sample of a flow that is not controlled leaves the queue in the same cycle",
            ),
        ],
    ),
    Harness {
        module: "feedback_asm",
        text: &[include_str!("../properties/feedback_asm.sv"), FEEDBACK],
        method: Method::Induction(2),
        settings: None,
        claims: &[
            FIELDS_HELD,
            POPPED_WHEN_SENT,
            ONLY_SAMPLES,
            UNITS_EXACT,
            (
                "every_sample_is_sent",
                "each sample of a controlled flow gets a frame, two cycles after it is at the head",
            ),
            (
                "popped_at_once_or_when_sent",
                "a sample of a flow that is not controlled leaves the queue two cycles after it is at the head",
            ),
        ],
    },
    Harness {
        module: "feedback_bcn",
        text: &[include_str!("../properties/feedback_bcn.sv"), FEEDBACK],
        method: Method::Induction(2),
        settings: None,
        claims: &[
            FIELDS_HELD,
            POPPED_WHEN_SENT,
            ONLY_SAMPLES,
            UNITS_EXACT,
            (
                "every_sample_is_sent",
                "each sample of a controlled flow gets a frame, one cycle after it is at the head, unless both fields \
                 are 0 and the queue is not longer than Q_sc",
            ),
            (
                "popped_at_once_or_when_sent",
                "a sample that is not sent leaves the queue one cycle after it is at the head",
            ),
            ("zeros_only_to_stop", "two zeros, which stop a source, are sent only if the queue is longer than Q_sc"),
        ],
    },
    Harness {
        module: "feedback_dsm",
        text: &[include_str!("../properties/feedback_dsm.sv"), FEEDBACK_WITHOUT_UNITS],
        method: Method::Induction(2),
        settings: None,
        claims: &[
            FIELDS_HELD,
            POPPED_WHEN_SENT,
            ONLY_SAMPLES,
            ("answered_in_time", "each sample of a controlled flow gets a frame, 213 cycles after it is at the head"),
            (
                "dropped_in_time",
                "a sample of a flow that is not controlled leaves the queue 213 cycles after it is at the head",
            ),
            ("step_within_limit", "no step that is sent is larger than step_max"),
        ],
    },
    simple(
        "sampling_exception",
        &[include_str!("../properties/sampling_exception.sv")],
        &[
            (
                "not_the_last_source",
                "no sample comes from the source of the last feedback frame, unless a sample was dropped since",
            ),
            ("one_for_each_due", "there are not more samples than were due and not dropped"),
            (
                "first_of_another",
                "the first packet from another source is the sample that is due, if it was not dropped",
            ),
            (
                "never_two_in_a_row",
                "without exception_waits, of two samples that are due one after the other one is taken, whoever sends, if \
                 no feedback frame is sent between them",
            ),
        ],
    ),
    Harness {
        module: "packet_generator",
        text: &[include_str!("../properties/packet_generator.sv"), STREAM],
        method: Method::Induction(2),
        settings: None,
        claims: &[
            ("word_is_the_frames", "word k of a frame is word k of the message of the fields, in order"),
            ("done_with_the_last", "frame_done is high exactly when the last word is taken"),
            ("nothing_unasked", "words are valid exactly while feedback_valid is high"),
            HELD_UNTIL_READY,
            NO_GAP,
            EIGHT_WORDS,
        ],
    },
    of_congestion_point("qcn_congestion_point"),
    of_congestion_point("smcc_congestion_point"),
    of_congestion_point("asm_congestion_point"),
    of_congestion_point("bcn_congestion_point"),
    of_congestion_point("dsm_congestion_point"),
    of_congestion_point_array("qcn_congestion_point_array"),
    of_congestion_point_array("smcc_congestion_point_array"),
    of_congestion_point_array("bcn_congestion_point_array"),
    of_congestion_point_array("asm_congestion_point_array"),
    of_congestion_point_array("dsm_congestion_point_array"),
    of_queue_array_frames("qcn_congestion_point_array"),
    of_queue_array_frames("smcc_congestion_point_array"),
    of_queue_array_frames("bcn_congestion_point_array"),
    of_queue_array_frames("asm_congestion_point_array"),
    of_queue_array_frames("dsm_congestion_point_array"),
    simple(
        "marking_2",
        &[include_str!("../properties/marking_2.sv")],
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
        &[include_str!("../properties/calculator_infiniband.sv")],
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
        &[include_str!("../properties/source_infiniband.sv")],
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
        &[include_str!("../properties/inter_packet_delay.sv")],
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
    simple(
        "parser",
        &[include_str!("../properties/parser.sv"), PARSER],
        &[
            ("once_each", "each good frame gives one feedback unless another one waits, and no other frame does"),
            (
                "fields_are_the_frames",
                "feedback has the fields of its frame, and same_point tells whether its CPID is that of the last feedback that \
                 was remembered",
            ),
            ("held_until_ready", "feedback does not change until it is taken"),
            ("elsewhere_told", "frame_elsewhere tells of the feedback frames for another address"),
            ("malformed_told", "frame_malformed tells of the feedback frames for this address that are not valid"),
            ("refused_told", "frame_refused tells of the valid feedback frames whose CPID is not allowed"),
            ("taken_or_dropped", "frame_taken and frame_dropped tell what became of all other feedback frames"),
            ("all_accounted_for", "each good frame was handed over, was dropped or waits"),
        ],
    ),
    simple(
        "frame_counters",
        &[include_str!("../properties/frame_counters.sv")],
        &[("counts_and_stops", "each counter counts its events and stops at its largest value")],
    ),
    Harness {
        module: "calculator_qcn",
        text: &[include_str!("../properties/calculator_qcn.sv")],
        method: Method::Induction(2),
        settings: None,
        claims: &[
            RATE_IN_BOUNDS,
            LINE_RATE_AFTER_RESET,
            ("never_less_than_half", "no step reduces the rate by more than half, if gd_shift does not change"),
        ],
    },
    Harness {
        module: "calculator_smcc",
        text: &[include_str!("../properties/calculator_smcc.sv")],
        method: Method::Induction(2),
        settings: None,
        claims: &[
            RATE_IN_BOUNDS,
            LINE_RATE_AFTER_RESET,
            (
                "rises_by_raises_only",
                "the rate rises only in the cycle after an increase from the congestion point of the last decrease is taken",
            ),
            ("falls_by_lowers_only", "the rate falls only in the cycle after a decrease is taken"),
            ("taken_in_time", "each feedback is taken 18 cycles after it becomes valid"),
            (
                "remembers_decreases",
                "nothing but a decrease by more than 0 is remembered, and without store_any and store_weight only the first \
                 one since reset and those in State A",
            ),
            ("remembers_of_congestion", "these are remembered, and with store_any each"),
        ],
    },
    Harness {
        module: "calculator_asm",
        text: &[include_str!("../properties/calculator_asm.sv")],
        method: Method::Induction(2),
        settings: None,
        claims: &[
            RATE_IN_BOUNDS,
            LINE_RATE_AFTER_RESET,
            ("changes_when_taken", "the rate changes only in the cycle after a feedback is taken"),
            ("taken_in_time", "each feedback is taken 106 cycles after it becomes valid"),
        ],
    },
    Harness {
        module: "calculator_bcn",
        text: &[include_str!("../properties/calculator_bcn.sv")],
        method: Method::Induction(2),
        settings: None,
        claims: &[
            RATE_IN_BOUNDS_OR_STOPPED,
            LINE_RATE_AFTER_RESET,
            (
                "changes_when_taken_or_restarted",
                "the rate changes only in the cycle after a feedback is taken, or from 0 to min_rate",
            ),
            ("taken_in_time", "each feedback is taken 104 cycles after it becomes valid"),
        ],
    },
    simple(
        "calculator_dsm",
        &[include_str!("../properties/calculator_dsm.sv")],
        &[
            RATE_IN_BOUNDS,
            LINE_RATE_AFTER_RESET,
            ("adds_the_step", "each step that is not ignored is added, and nothing else changes the rate"),
            ("taken_in_time", "each feedback is taken one cycle after it becomes valid"),
            REMEMBERS_DECREASES,
        ],
    ),
    simple(
        "rate_limiter",
        &[include_str!("../properties/rate_limiter.sv"), RATE_LIMITER],
        &[ANY_WINDOW, FROM_RESET, ASKED_FOR, OVERSIZE_TELLS],
    ),
    of_reaction_point("qcn_reaction_point", &[REACTION_POINT, RATE_LIMITER]),
    of_frames("qcn_reaction_point"),
    of_reaction_point("smcc_reaction_point", &[REACTION_POINT_OF_SMCC, RATE_LIMITER]),
    of_frames("smcc_reaction_point"),
    of_reaction_point("asm_reaction_point", &[REACTION_POINT, RATE_LIMITER]),
    of_frames("asm_reaction_point"),
    simple(
        "bcn_reaction_point",
        &[REACTION_POINT_THAT_STOPS, RATE_LIMITER],
        &[RATE_IN_BOUNDS_OR_STOPPED, ANY_WINDOW, FROM_RESET, ASKED_FOR, OVERSIZE_TELLS],
    ),
    of_frames("bcn_reaction_point"),
    of_reaction_point("dsm_reaction_point", &[REACTION_POINT, RATE_LIMITER]),
    of_frames("dsm_reaction_point"),
    simple(
        "feedback_flow",
        &[include_str!("../properties/feedback_flow.sv")],
        &[
            (
                "flow_is_the_frames",
                "the flow of a feedback is the one that the address or the CN-TAG of its frame names",
            ),
            ("flow_exists", "the flow of a feedback is one of this reaction point"),
            (
                "unknown_tells",
                "unknown is high exactly for feedback without a CN-TAG or for a flow that does not exist, if CN-TAGs name \
                 the flow; each other feedback is valid",
            ),
            ("unknown_counted", "unknown_frames counts the cycles of unknown and stops at 65,535"),
        ],
    ),
    simple(
        "flow_points",
        &[include_str!("../properties/flow_points.sv")],
        &[
            (
                "remembered_for_its_flow",
                "four flows, whole CPIDs: the CPID of a flow is the one that was last remembered for this flow",
            ),
            (
                "same_point_exact",
                "four flows, whole CPIDs: from three cycles after a change on, same_point tells whether the CPID of the \
                 feedback is that of the flow",
            ),
        ],
    ),
    simple(
        "flow_stops",
        &[include_str!("../properties/flow_stops.sv")],
        &[
            (
                "stopped_by_own_events",
                "four flows: a feedback finds its flow stopped exactly if its last stop has not been ended by a start of it",
            ),
            ("restarts_at_minimum", "a change without feedback sets the rate to min_rate"),
            (
                "restarts_when_over",
                "four flows: a flow starts again only if it is stopped, and its time was over when it was looked at",
            ),
            ("asks_for_one_flow", "a rate is asked for until it is taken, for the same flow"),
            ("feedback_has_its_flow", "the calculator works on a feedback with the state of its flow"),
        ],
    ),
    simple(
        "flow_stages",
        &[include_str!("../properties/flow_stages.sv")],
        &[
            (
                "own_visits_only",
                "four flows: target, stages, byte counter and timer of a flow change only in a visit to it",
            ),
            (
                "one_start",
                "at most one operation of the calculator starts, and a feedback is taken when its decrease starts",
            ),
            ("starts_with_own_state", "four flows: an operation starts with the target and the stages of its flow"),
            ("decrease_for_its_flow", "a decrease starts only for the flow of a feedback that waits"),
            ("asks_for_one_flow", "a rate is asked for until it is taken, for the same flow"),
            ("sent_is_counted", "each frame is counted for its flow, with its length, before another one may be sent"),
        ],
    ),
    Harness {
        module: "step_qcn",
        text: &[include_str!("../properties/step_qcn.sv")],
        method: Method::Induction(4),
        settings: None,
        claims: &[NEW_RATE_IN_BOUNDS, ("never_less_than_half", "no step reduces the rate by more than half")],
    },
    of_flow_step("step_smcc", &[FLOW_STEP_OF_SMCC]),
    Harness {
        module: "step_smcc",
        text: &[include_str!("../properties/step_smcc.sv")],
        method: Method::Induction(2),
        settings: None,
        claims: &[
            (
                "moves_by_the_signs",
                "with QDelta other than 0, each feedback is the step of equation (25), to the last bit: by QOffset if the \
                 signs are equal, else by QDelta",
            ),
            (
                "zero_as_positive",
                "without zero_in_state_a, a feedback with QDelta = 0 lowers the rate by QOffset, and changes nothing if \
                 QOffset is below 0",
            ),
            (
                "zero_as_state_a",
                "with zero_in_state_a, a feedback with QDelta = 0 moves the rate by QOffset with gain_a_small: down, or up \
                 if QOffset is below 0",
            ),
            (
                "remembers_as_chosen",
                "a decrease by more than 0 is remembered exactly if store_any is high, no congestion point is remembered \
                 for the rate, or QOffset + store_weight * QDelta > 0",
            ),
        ],
    },
    of_flow_step("step_asm", &[FLOW_STEP]),
    of_flow_step("step_dsm", &[FLOW_STEP]),
    simple(
        "step_bcn",
        &[FLOW_STEP_THAT_STOPS],
        &[NEW_RATE_IN_BOUNDS_OR_STOPPED, CHANGES_WHEN_TAKEN, TAKEN_WHEN_OFFERED],
    ),
    simple(
        "flow_limiter",
        &[FLOW_LIMITER, include_str!("../properties/flow_limiter_frames.sv")],
        &[
            (
                "refused_exactly",
                "four flows: three cycles after an announcement, refused is high exactly if no such flow exists, its frame \
                 with overhead_bytes is longer than the bucket, or a frame of this flow waits",
            ),
            (
                "granted_was_announced",
                "four flows: a frame is granted only if it was announced, was not refused and has not been sent before; after \
                 it was sent, grant stays high for three cycles",
            ),
            (
                "sent_when_granted",
                "four flows: sent comes only with grant and send_ready, for a frame that was announced",
            ),
            ("grant_held", "four flows: grant and its flow do not change until sent"),
            (
                "nothing_while_clearing",
                "nothing is taken, granted, sent or refused while the memories are being cleared",
            ),
        ],
    ),
    simple(
        "flow_limiter",
        &[KNOWN_FLOW_LIMITER, FLOW_VISITS, include_str!("../properties/flow_limiter_service.sv")],
        &[
            (
                "sent_in_time",
                "four flows: if send_ready stays high, the frame that is granted is sent within 306 cycles",
            ),
            (
                "granted_if_it_has_enough",
                "four flows: a flow whose frame waits is put behind those whose frames may go as soon as a visit finds that its \
                 level is not negative",
            ),
            (
                "kept_by_other_flows",
                "four flows: what is stored of a flow (level, time, frame that waits, rate) changes only in a visit to it",
            ),
        ],
    ),
    simple(
        "flow_limiter",
        &[KNOWN_FLOW_LIMITER, FLOW_VISITS, include_str!("../properties/flow_limiter_waiting.sv")],
        &[(
            "looked_at_in_time",
            "four flows: a flow that waits in a list is looked at within 43,546 cycles if it waits less than 16 ticks, \
                 51,226 cycles if less than 256 ticks, else 174,106 cycles, whatever the others do",
        )],
    ),
    simple(
        "flow_limiter",
        &[KNOWN_FLOW_LIMITER, include_str!("../properties/flow_limiter_rates.sv")],
        &[(
            "paid_for",
            "four flows: since reset no flow has sent more than rate × time, of which at most bucket_bytes are kept while \
             it does not send",
        )],
    ),
    Harness { method: Method::Induction(4), ..of_flow_rates("qcn_flows", &[FLOW_RATES]) },
    of_flow_frames("qcn_flows"),
    of_flow_rates("smcc_flows", &[FLOW_RATES_OF_SMCC]),
    of_flow_frames("smcc_flows"),
    of_flow_rates("asm_flows", &[FLOW_RATES]),
    of_flow_frames("asm_flows"),
    simple(
        "bcn_flows",
        &[FLOW_RATES_THAT_STOP],
        &[(
            "all_rates_in_bounds_or_stopped",
            "four flows: after the memories have been cleared each rate is 0 (flow stopped) or never below min_rate, and \
             never above line_rate",
        )],
    ),
    of_flow_frames("bcn_flows"),
    of_flow_rates("dsm_flows", &[FLOW_RATES]),
    of_flow_frames("dsm_flows"),
];
