//! Which harness stands around which module, and what it claims.

use super::Harness;
use crate::toolchain::formal::Method;

const CONGESTION_POINT: &str = include_str!("../properties/congestion_point.sv");
const REACTION_POINT: &str = include_str!("../properties/reaction_point.sv");
const REACTION_POINT_THAT_STOPS: &str = concat!("`define STOPS\n", include_str!("../properties/reaction_point.sv"));
const RATE_LIMITER: &str = include_str!("../properties/rate_limiter_specification.sv");
const STREAM: &str = include_str!("../properties/stream_specification.sv");
const FEEDBACK: &str = include_str!("../properties/feedback_specification.sv");
const FEEDBACK_WITHOUT_UNITS: &str =
    concat!("`define NO_UNITS\n", include_str!("../properties/feedback_specification.sv"));
const PARSER: &str = include_str!("../properties/parser_specification.sv");
const SAMPLER: &str = include_str!("../properties/sampler.sv");

const HELD_UNTIL_READY: (&str, &str) =
    ("held_until_ready", "a word of the frame stream, once offered, stays as it is until it is taken");
const NO_GAP: (&str, &str) = ("no_gap_in_a_frame", "between the first and the last word of a frame `valid` stays up");
const EIGHT_WORDS: (&str, &str) =
    ("eight_words", "a frame is eight taken words, the last of them marked and with four octets");
const RATE_IN_BOUNDS: (&str, &str) =
    ("rate_in_bounds", "after reset the rate is never below min_rate nor above line_rate");
const RATE_IN_BOUNDS_OR_STOPPED: (&str, &str) = (
    "rate_in_bounds_or_stopped",
    "after reset the rate is 0, for a source that is stopped, or never below min_rate, and never above line_rate",
);
const LINE_RATE_AFTER_RESET: (&str, &str) = ("line_rate_after_reset", "reset sets the rate to line_rate");
const ANY_WINDOW: (&str, &str) = (
    "any_window",
    "in any window of time no more is granted than rate × time + bucket_bytes, for bucket_bytes from 128 to 16255 and a \
     rate that changes at will",
);
const FROM_RESET: (&str, &str) = ("from_reset", "since reset no more is granted than rate × time");
const OVERSIZE_TELLS: (&str, &str) =
    ("oversize_tells", "oversize is high for just those requests that exceed the bucket");
const IGNORED_COUNTS: (&str, &str) =
    ("ignored_counts", "ignored_frames counts every frame that is not to be taken, and no other");
const ASKED_FOR: (&str, &str) = ("asked_for", "nothing is granted that was not requested in the cycle before");
const FIELDS_HELD: (&str, &str) = ("fields_held", "the fields of a frame hold until frame_done");
const POPPED_WHEN_SENT: (&str, &str) =
    ("popped_when_sent", "a sample that is sent leaves the queue with the last word of its frame, not before");
const ONLY_SAMPLES: (&str, &str) =
    ("only_samples", "a frame is sent for a governed sample only, and nothing else is popped");
const UNITS_EXACT: (&str, &str) =
    ("units_exact", "offset and change are told in 64 octets, rounded down and saturated to 16 bits");
const LOST_TELLS: (&str, &str) = ("lost_tells", "lost is high for just those samples that came where ready was low");
const ONLY_PACKETS: (&str, &str) = ("only_packets", "a sample is a packet that enters");
const WAITS: (&str, &str) =
    ("waits_only_while_pending", "words are refused only while a frame that was taken waits for the calculator");

const FALLS_BY_MARKS: (&str, &str) =
    ("falls_by_marks_only", "whatever the table: the rate falls only behind an ACK whose packet was marked");

const PORTS_2: &str = include_str!("../properties/ports_2.sv");
const PORTS_4: &str = include_str!("../properties/ports_4.sv");
const PORTS_8: &str = include_str!("../properties/ports_8.sv");
const INPUT_BUFFER: &str = include_str!("../properties/input_buffer.sv");
const OUTPUT_MARKER: &str = include_str!("../properties/output_marker.sv");
const NAIVE_MARKER: &str = include_str!("../properties/naive_marker.sv");
const MARKING: &str = include_str!("../properties/marking.sv");
const NAIVE_MARKING: &str = include_str!("../properties/naive_marking.sv");
const FULL_TELLS: (&str, &str) = ("full_tells", "full is high for just those buffers without a free slot");
const IMPOSSIBLE_TELLS: (&str, &str) = (
    "impossible_tells",
    "impossible is high for just those events that cannot be; they change nothing and no counter of a buffer wraps",
);
const FULL_BY_INPUT: (&str, &str) = ("full_by_input", "each bit of full is that of the buffer of its input");
const IMPOSSIBLE_BY_INPUT: (&str, &str) = (
    "impossible_by_input",
    "each bit of impossible is that of the buffer of its input, which hears of just its events",
);
const MARKS_WHAT_WAS_THERE: (&str, &str) =
    ("marks_what_was_there", "a packet is marked just where it was in its buffer when that last became full");

/// Names of a module and of its harness, for one that is about modules of several sizes.
macro_rules! names {
    ($module:literal) => {
        concat!("`define MODULE ", $module, "\n`define TOP ", $module, "_properties\n")
    };
}

/// One step of induction, no products, no constants.
const fn simple(
    module: &'static str,
    text: &'static [&'static str],
    claims: &'static [(&'static str, &'static str)],
) -> Harness {
    Harness { module, text, method: Method::Induction(1), any_product: false, settings: None, claims }
}

/// The buffer alone, all of its inputs free. What it claims is what [`of_output_marker`] and [`of_naive_marker`] assume of what they
/// hear. A switch is buffers and markers, wired: every `leaving`, `entering` and `congested` of a marker is a buffer's, every
/// `marking` of a buffer a marker's, none of them through a cycle of combinational logic. So in any run of a switch each buffer does
/// what it claims, as it assumes nothing of markers, and so each marker hears what it assumes, but for one thing that the user of
/// the switch must keep: an output sends one packet at a time. With that the marker's claims hold in a switch of any size.
const fn of_input_buffer(module: &'static str, text: &'static [&'static str]) -> Harness {
    simple(
        module,
        text,
        &[
            ("waiting_exact", "packets that wait are told exactly, for each output; no counter wraps"),
            FULL_TELLS,
            IMPOSSIBLE_TELLS,
            (
                "events_tell",
                "the markers hear of just those packets that enter and leave; one leaves only where one waits",
            ),
            (
                "congested_tells",
                "where it becomes full, just those outputs are congested for which a packet then waits",
            ),
            ("some_is_congested", "where it becomes full, some output is congested"),
            ("mark_tells", "mark is high just where the output that a packet leaves on is marking"),
        ],
    )
}

/// The counters of an output alone, among buffers that do what [`of_input_buffer`] claims.
const fn of_output_marker(module: &'static str, text: &'static [&'static str]) -> Harness {
    simple(
        module,
        text,
        &[
            ("marks_what_is_owed", "marks just while cnt2 > 0, where cnt1 and cnt2 are exact and do not wrap"),
            (
                "marks_as_many_as_counted",
                "marks given and owed since the output was last congested are the packets counted then",
            ),
            (
                "to_mark_are_there",
                "no more marks are owed than packets wait: cnt2 never exceeds cnt1, at a trigger or after it",
            ),
        ],
    )
}

/// Naive marking of a buffer alone, which does what [`of_input_buffer`] claims.
const fn of_naive_marker(module: &'static str, text: &'static [&'static str]) -> Harness {
    simple(
        module,
        text,
        &[
            MARKS_WHAT_WAS_THERE,
            (
                "marks_as_many_as_were_there",
                "marks given since it became full, and those still owed, are the packets that were there then",
            ),
        ],
    )
}

/// A switch: that it is wired as [`of_input_buffer`] says. Of two ports the whole is proved with its sums too; of eight, whose
/// wires are made by the same lines of Rust, only the blocks are.
const fn of_marking(module: &'static str, text: &'static [&'static str]) -> Harness {
    simple(
        module,
        text,
        &[
            ("marks_by_output", "a packet is marked just where the marker of the output that it leaves on says so"),
            FULL_BY_INPUT,
            IMPOSSIBLE_BY_INPUT,
        ],
    )
}

/// A switch that marks what is in the full buffer, as [`of_marking`].
const fn of_naive_marking(module: &'static str, text: &'static [&'static str]) -> Harness {
    simple(
        module,
        text,
        &[
            ("marks_by_input", "a packet is marked just where the marker of its own buffer says so"),
            FULL_BY_INPUT,
            IMPOSSIBLE_BY_INPUT,
        ],
    )
}

/// Every harness.
pub const HARNESSES: &[Harness] = &[
    Harness {
        module: "sampler",
        text: &[SAMPLER],
        method: Method::Induction(1),
        any_product: false,
        settings: Some(&[("sample_mode", "packets")]),
        claims: &[
            ("not_too_early", "mode packets, default interval and jitter: no interval is shorter than its jitter allows"),
            ("not_too_late", "mode packets, default interval and jitter: no interval is longer than its jitter allows"),
            ("as_described", "mode packets, default interval and jitter: every sample is drawn as described"),
            ONLY_PACKETS,
        ],
    },
    Harness {
        module: "sampler",
        text: &[SAMPLER],
        method: Method::Induction(1),
        any_product: false,
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
        any_product: false,
        settings: Some(&[("sample_mode", "time")]),
        claims: &[
            ("not_too_early", "mode time, default interval and jitter: three samples never lie within the shortest interval"),
            (
                "not_too_late",
                "mode time, default interval and jitter: a packet that comes after the longest interval is a sample",
            ),
            ("as_described", "mode time, default interval and jitter: every sample is drawn as described"),
            ONLY_PACKETS,
        ],
    },
    Harness {
        module: "queue_monitor",
        text: &[include_str!("../properties/queue_monitor.sv")],
        method: Method::Induction(1),
        any_product: false,
        settings: None,
        claims: &[
            ("length_is_true", "while no event is impossible the length is the true sum of all events"),
            ("length_is_clamped_sum", "the length never wraps: it is the sum, held between 0 and 2^24 − 1"),
            ("clamped_tells", "clamped is high behind just those events that lead out of these bounds"),
            ("possible_is_never_clamped", "nothing is clamped while no event is impossible"),
            ("offset_exact", "q_offset is the length less q0_bytes, without overflow"),
            ("change_exact", "q_delta is the length less that at the sample before, without overflow"),
        ],
    },
    Harness {
        module: "sample_queue",
        text: &[include_str!("../properties/sample_queue.sv")],
        method: Method::Induction(1),
        any_product: false,
        settings: None,
        claims: &[
            ("in_order_and_whole", "every sample that was taken comes to the head in its turn, with its own fields"),
            ("none_dropped_none_twice", "there are as many samples at the head as were taken, two cycles later"),
            ("at_most_sixteen", "no more than 16 samples are held"),
            ("ready_tells", "ready is low just while 16 are held"),
            LOST_TELLS,
            ("head_stays", "a sample at the head stays until it is popped"),
        ],
    },
    Harness {
        module: "feedback_qcn",
        text: &[include_str!("../properties/feedback_qcn.sv"), FEEDBACK],
        method: Method::Induction(10),
        any_product: false,
        settings: Some(&[]),
        claims: &[
            FIELDS_HELD,
            POPPED_WHEN_SENT,
            ONLY_SAMPLES,
            UNITS_EXACT,
            (
                "quantized_exact",
                "default w and q0: only Fb < 0 is sent, as floor(63·|Fb| / full scale) or 63 where that is more",
            ),
            ("zero_only_if_wanted", "a quantised zero is sent only where it is wanted"),
            ("interval_from_table", "the sampling interval is one of the table's"),
        ],
    },
    Harness {
        module: "feedback_smcc",
        text: &[include_str!("../properties/feedback_smcc.sv"), FEEDBACK],
        method: Method::Induction(1),
        any_product: false,
        settings: None,
        claims: &[
            FIELDS_HELD,
            POPPED_WHEN_SENT,
            ONLY_SAMPLES,
            UNITS_EXACT,
            ("every_sample_is_sent", "a frame is offered for every governed sample"),
            ("popped_at_once_or_when_sent", "a sample of an ungoverned flow leaves the queue at once"),
        ],
    },
    Harness {
        module: "feedback_asm",
        text: &[include_str!("../properties/feedback_asm.sv"), FEEDBACK],
        method: Method::Induction(2),
        any_product: false,
        settings: None,
        claims: &[
            FIELDS_HELD,
            POPPED_WHEN_SENT,
            ONLY_SAMPLES,
            UNITS_EXACT,
            ("every_sample_is_sent", "a frame is offered for every governed sample, one cycle after it is there"),
            ("popped_at_once_or_when_sent", "a sample of an ungoverned flow leaves the queue one cycle after it is there"),
        ],
    },
    Harness {
        module: "feedback_bcn",
        text: &[include_str!("../properties/feedback_bcn.sv"), FEEDBACK],
        method: Method::Induction(2),
        any_product: false,
        settings: None,
        claims: &[
            FIELDS_HELD,
            POPPED_WHEN_SENT,
            ONLY_SAMPLES,
            UNITS_EXACT,
            ("every_sample_is_sent", "a frame is offered for every governed sample that is not two zeros, and where the queue is too long, one cycle after it is there"),
            ("popped_at_once_or_when_sent", "a sample that is not sent leaves the queue one cycle after it is there"),
            ("zeros_only_to_stop", "two zeros, which stop a source, are sent only where the queue is longer than Q_sc"),
        ],
    },
    Harness {
        module: "feedback_dsm",
        text: &[include_str!("../properties/feedback_dsm.sv"), FEEDBACK_WITHOUT_UNITS],
        method: Method::Induction(2),
        any_product: true,
        settings: None,
        claims: &[
            FIELDS_HELD,
            POPPED_WHEN_SENT,
            ONLY_SAMPLES,
            ("answered_in_time", "a frame is offered for every governed sample, 51 cycles after it is there"),
            ("dropped_in_time", "a sample of an ungoverned flow leaves the queue 51 cycles after it is there"),
            ("step_within_limit", "no step that is sent is larger than step_max"),
        ],
    },
    Harness {
        module: "sampling_exception",
        text: &[include_str!("../properties/sampling_exception.sv")],
        method: Method::Induction(1),
        any_product: false,
        settings: None,
        claims: &[
            ("not_the_last_source", "no sample comes from the address to which the last feedback went"),
            ("one_for_each_due", "there are no more samples than were due"),
            ("first_of_another", "the first packet from another source is the sample that is due"),
        ],
    },
    Harness {
        module: "packet_generator",
        text: &[include_str!("../properties/packet_generator.sv"), STREAM],
        method: Method::Induction(2),
        any_product: false,
        settings: None,
        claims: &[
            ("word_is_the_frames", "word k of a frame is word k of the message that the fields make, in order"),
            ("done_with_the_last", "frame_done is high just when the last word is taken"),
            ("nothing_unasked", "words are offered just while there is feedback"),
            HELD_UNTIL_READY,
            NO_GAP,
            EIGHT_WORDS,
        ],
    },
    Harness {
        module: "qcn_congestion_point",
        text: &[CONGESTION_POINT, STREAM],
        method: Method::Induction(2),
        any_product: true,
        settings: None,
        claims: &[HELD_UNTIL_READY, NO_GAP, EIGHT_WORDS, LOST_TELLS, ONLY_PACKETS],
    },
    Harness {
        module: "smcc_congestion_point",
        text: &[CONGESTION_POINT, STREAM],
        method: Method::Induction(2),
        any_product: true,
        settings: None,
        claims: &[HELD_UNTIL_READY, NO_GAP, EIGHT_WORDS, LOST_TELLS, ONLY_PACKETS],
    },
    Harness {
        module: "asm_congestion_point",
        text: &[CONGESTION_POINT, STREAM],
        method: Method::Induction(2),
        any_product: true,
        settings: None,
        claims: &[HELD_UNTIL_READY, NO_GAP, EIGHT_WORDS, LOST_TELLS, ONLY_PACKETS],
    },
    Harness {
        module: "bcn_congestion_point",
        text: &[CONGESTION_POINT, STREAM],
        method: Method::Induction(2),
        any_product: true,
        settings: None,
        claims: &[HELD_UNTIL_READY, NO_GAP, EIGHT_WORDS, LOST_TELLS, ONLY_PACKETS],
    },
    Harness {
        module: "dsm_congestion_point",
        text: &[CONGESTION_POINT, STREAM],
        method: Method::Induction(2),
        any_product: true,
        settings: None,
        claims: &[HELD_UNTIL_READY, NO_GAP, EIGHT_WORDS, LOST_TELLS, ONLY_PACKETS],
    },
    Harness {
        module: "marking_2",
        text: &[include_str!("../properties/marking_2.sv")],
        method: Method::Induction(1),
        any_product: false,
        settings: None,
        claims: &[
            ("marks_what_is_owed", "a packet is marked just where a scan of all buffers would still have one to mark"),
            ("marks_as_many_as_counted", "marks given and owed since an output was last congested are the packets counted then"),
            ("to_mark_are_there", "no more marks are owed than packets wait: cnt2 never exceeds cnt1"),
            ("full_tells", "full is high for just those buffers without a free slot"),
            ("impossible_tells", "impossible is high for just those events that cannot be; they change nothing and no counter wraps"),
        ],
    },
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
    Harness {
        module: "calculator_infiniband",
        text: &[include_str!("../properties/calculator_infiniband.sv")],
        method: Method::Induction(1),
        any_product: false,
        settings: None,
        claims: &[
            ("reset_is_r_max", "whatever the table: reset sets the rate to R_max"),
            ("new_flow_is_r_max", "whatever the table: a new flow whose rate does not persist starts at R_max"),
            FALLS_BY_MARKS,
            ("rises_by_one_rate", "whatever the table: the rate goes up by one discrete rate at a time"),
            ("rises_while_busy", "whatever the table: the rate rises only while no ACK is taken"),
            ("busy_behind_an_ack", "in the cycle after an ACK none is taken"),
        ],
    },
    Harness {
        module: "source_infiniband",
        text: &[include_str!("../properties/source_infiniband.sv")],
        method: Method::Induction(1),
        any_product: false,
        settings: None,
        claims: &[
            ASKED_FOR,
            ("one_packet_out", "no packet is granted while one is out"),
            ("interval_kept", "no packet is granted before 1 + ipd packet times have gone by since the one before"),
            ("outstanding_tells", "outstanding rises with a grant and falls only behind the ACK"),
            ("stray_tells", "stray is high for just those ACKs that belong to no packet"),
            FALLS_BY_MARKS,
        ],
    },
    Harness {
        module: "inter_packet_delay",
        text: &[include_str!("../properties/inter_packet_delay.sv")],
        method: Method::Induction(1),
        any_product: false,
        settings: None,
        claims: &[
            ("one_packet_out", "no packet is granted before the ACK of the one before was handed over"),
            ("interval_kept", "no packet is granted before 1 + ipd packet times have gone by since the one before, with the delay of a cycle ago"),
            ("goes_when_it_may", "a requested packet that may go is granted at once"),
            ("outstanding_tells", "outstanding is high just while a packet is out"),
            ("every_ack_once", "every ACK of a packet is handed over once, with its mark"),
            ("stray_tells", "stray is high for just those ACKs that belong to no packet"),
        ],
    },
    Harness {
        module: "parser",
        text: &[include_str!("../properties/parser.sv"), PARSER],
        method: Method::Induction(1),
        any_product: false,
        settings: None,
        claims: &[
            ("once_each", "every frame that is to be taken gives one feedback, and no other frame does"),
            ("fields_are_the_frames", "feedback carries the fields of its frame"),
            ("held_until_ready", "feedback stays as it is until it is handed over"),
            ("all_accounted_for", "frames in are those handed over, those ignored and the one that waits"),
            IGNORED_COUNTS,
            WAITS,
        ],
    },
    Harness {
        module: "calculator_qcn",
        text: &[include_str!("../properties/calculator_qcn.sv")],
        method: Method::Induction(4),
        any_product: true,
        settings: None,
        claims: &[
            RATE_IN_BOUNDS,
            LINE_RATE_AFTER_RESET,
            ("never_less_than_half", "no step takes more than half of the rate"),
        ],
    },
    Harness {
        module: "calculator_smcc",
        text: &[include_str!("../properties/calculator_smcc.sv")],
        method: Method::Induction(5),
        any_product: true,
        settings: None,
        claims: &[
            RATE_IN_BOUNDS,
            LINE_RATE_AFTER_RESET,
            ("rises_by_raises_only", "the rate rises only four cycles after feedback that asks for more"),
            ("falls_by_lowers_only", "the rate falls only four cycles after feedback that asks for less"),
            ("always_ready", "feedback is never refused"),
        ],
    },
    Harness {
        module: "calculator_asm",
        text: &[include_str!("../properties/calculator_asm.sv")],
        method: Method::Induction(2),
        any_product: true,
        settings: None,
        claims: &[
            RATE_IN_BOUNDS,
            LINE_RATE_AFTER_RESET,
            ("changes_when_taken", "the rate changes only in the cycle after a feedback is taken"),
            ("taken_in_time", "every feedback is taken 25 cycles after it is offered"),
        ],
    },
    Harness {
        module: "calculator_bcn",
        text: &[include_str!("../properties/calculator_bcn.sv")],
        method: Method::Induction(2),
        any_product: true,
        settings: None,
        claims: &[
            RATE_IN_BOUNDS_OR_STOPPED,
            LINE_RATE_AFTER_RESET,
            (
                "changes_when_taken_or_restarted",
                "the rate changes only in the cycle after a feedback is taken, or from 0 to min_rate",
            ),
            ("taken_in_time", "every feedback is taken 24 cycles after it is offered"),
        ],
    },
    Harness {
        module: "calculator_dsm",
        text: &[include_str!("../properties/calculator_dsm.sv")],
        method: Method::Induction(1),
        any_product: false,
        settings: None,
        claims: &[
            RATE_IN_BOUNDS,
            LINE_RATE_AFTER_RESET,
            ("adds_the_step", "each step that counts is added, and nothing else changes the rate"),
            ("taken_in_time", "every feedback is taken one cycle after it is offered"),
        ],
    },
    Harness {
        module: "rate_limiter",
        text: &[include_str!("../properties/rate_limiter.sv"), RATE_LIMITER],
        method: Method::Induction(1),
        any_product: false,
        settings: None,
        claims: &[
            ANY_WINDOW,
            FROM_RESET,
            ASKED_FOR,
            OVERSIZE_TELLS,
            ("length_told", "grant_bytes is the length that was asked for in the cycle before"),
        ],
    },
    Harness {
        module: "qcn_reaction_point",
        text: &[REACTION_POINT, RATE_LIMITER, PARSER],
        method: Method::Induction(1),
        any_product: true,
        settings: None,
        claims: &[RATE_IN_BOUNDS, ANY_WINDOW, FROM_RESET, ASKED_FOR, OVERSIZE_TELLS, IGNORED_COUNTS, WAITS],
    },
    Harness {
        module: "smcc_reaction_point",
        text: &[REACTION_POINT, RATE_LIMITER, PARSER],
        method: Method::Induction(1),
        any_product: true,
        settings: None,
        claims: &[RATE_IN_BOUNDS, ANY_WINDOW, FROM_RESET, ASKED_FOR, OVERSIZE_TELLS, IGNORED_COUNTS, WAITS],
    },
    Harness {
        module: "asm_reaction_point",
        text: &[REACTION_POINT, RATE_LIMITER, PARSER],
        method: Method::Induction(1),
        any_product: true,
        settings: None,
        claims: &[RATE_IN_BOUNDS, ANY_WINDOW, FROM_RESET, ASKED_FOR, OVERSIZE_TELLS, IGNORED_COUNTS, WAITS],
    },
    Harness {
        module: "bcn_reaction_point",
        text: &[REACTION_POINT_THAT_STOPS, RATE_LIMITER, PARSER],
        method: Method::Induction(1),
        any_product: true,
        settings: None,
        claims: &[RATE_IN_BOUNDS_OR_STOPPED, ANY_WINDOW, FROM_RESET, ASKED_FOR, OVERSIZE_TELLS, IGNORED_COUNTS, WAITS],
    },
    Harness {
        module: "dsm_reaction_point",
        text: &[REACTION_POINT, RATE_LIMITER, PARSER],
        method: Method::Induction(1),
        any_product: true,
        settings: None,
        claims: &[RATE_IN_BOUNDS, ANY_WINDOW, FROM_RESET, ASKED_FOR, OVERSIZE_TELLS, IGNORED_COUNTS, WAITS],
    },
];
