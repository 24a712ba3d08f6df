// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is proved of circuits: harnesses in SystemVerilog, and their claims in words. Those of the blocks of one scheme are in its
//! folder, with mistakes that must break them.

use crate::registry::SCHEMES;

/// A harness around a module, and its claims.
#[derive(Clone, Copy, Debug)]
pub struct Harness {
    /// The module.
    pub module: &'static str,
    /// SystemVerilog, in pieces. The name of its top is that of the module followed by `_properties`. One text can be
    /// used for several modules: see the macros of `tidegate verify`.
    pub text: &'static [&'static str],
    /// The cycles of the induction by which it is proved for all time.
    pub induction: u32,
    /// Settings of the scheme from which the constants of the harness are computed; `None` if the harness has no such
    /// constants.
    pub settings: Option<&'static [(&'static str, &'static str)]>,
    /// The claims: label of the assertion, and the claim in words.
    pub claims: &'static [(&'static str, &'static str)],
}

impl Harness {
    /// Whether other harnesses assume what the helpers of this one say. Then every helper must be proved.
    pub fn is_assumed(&self) -> bool {
        self.text[0].starts_with(ASSERTED)
    }
}

/// Beginning of the text of a harness whose helpers are assumptions of others.
const ASSERTED: &str = "`define KNOWN assert\n";

/// A mistake in a circuit: a module, the number of cycles to search, a port with the expression that replaces it, and the
/// claims that must fail.
pub type Mistake = (&'static str, u32, &'static str, &'static str, &'static [&'static str]);

/// A typical small mistake of an emitter or of a module, in the Verilog, which `tidegate verify` must find.
#[derive(Clone, Copy, Debug)]
pub struct Mutation {
    /// Top module of the circuit that is changed: a block, or a whole part where the change is between blocks.
    pub circuit: &'static str,
    /// The module in it that is changed.
    pub module: &'static str,
    /// The kind of mistake.
    pub kind: &'static str,
    /// Text that occurs in the module exactly once.
    pub find: &'static str,
    /// The text that replaces it.
    pub replace: &'static str,
}

/// A list of [`Mutation`]s: circuit, module, kind of mistake, the text and what replaces it.
#[macro_export]
macro_rules! mutations {
    ($($circuit:literal $module:literal $kind:literal: $find:literal => $replace:literal;)*) => {
        &[$($crate::claims::Mutation {
            circuit: $circuit,
            module: $module,
            kind: $kind,
            find: $find,
            replace: $replace,
        }),*]
    };
}
pub use mutations;

/// All harnesses: of the shared blocks, and of each scheme.
pub fn harnesses() -> impl Iterator<Item = &'static Harness> {
    SHARED.iter().chain(SCHEMES.iter().flat_map(|scheme| scheme.claims))
}

pub(crate) const CONGESTION_POINT: &str = include_str!("congestion_point.sv");
pub(crate) const REACTION_POINT: &str = include_str!("reaction_point.sv");
pub(crate) const REACTION_POINT_FRAMES: &str = include_str!("reaction_point_frames.sv");
pub(crate) const FLOW_FRAMES: &str = concat!("`define MANY\n", include_str!("reaction_point_frames.sv"));
pub(crate) const FLOW_RATES: &str = include_str!("flow_rates.sv");
pub(crate) const FLOW_RATES_THAT_STOP: &str = concat!("`define STOPS\n", include_str!("flow_rates.sv"));
pub(crate) const FLOW_RATES_OF_SMCC: &str = concat!("`define SMCC\n", include_str!("flow_rates.sv"));
pub(crate) const FLOW_RATES_WITHOUT_LEVELS: &str = concat!("`define WITHOUT_LEVELS\n", include_str!("flow_rates.sv"));
pub(crate) const FLOW_STEP: &str = include_str!("flow_step.sv");
pub(crate) const FLOW_STEP_THAT_STOPS: &str = concat!("`define STOPS\n", include_str!("flow_step.sv"));
pub(crate) const FLOW_STEP_OF_SMCC: &str = concat!("`define SMCC\n", include_str!("flow_step.sv"));
pub(crate) const FLOW_LIMITER: &str = concat!("`define KNOWN assert\n", include_str!("flow_limiter.sv"));
// What the proof of the frames has shown.
pub(crate) const KNOWN_FLOW_LIMITER: &str = concat!("`define KNOWN assume\n", include_str!("flow_limiter.sv"));
pub(crate) const FLOW_VISITS: &str = include_str!("flow_limiter_visits.sv");
pub(crate) const REACTION_POINT_THAT_STOPS: &str = concat!("`define STOPS\n", include_str!("reaction_point.sv"));
pub(crate) const REACTION_POINT_OF_SMCC: &str = concat!("`define SMCC\n", include_str!("reaction_point.sv"));
pub(crate) const REACTION_POINT_WITHOUT_LEVELS: &str =
    concat!("`define WITHOUT_LEVELS\n", include_str!("reaction_point.sv"));
pub(crate) const RATE_LIMITER: &str = include_str!("rate_limiter_specification.sv");
pub(crate) const STREAM: &str = include_str!("stream_specification.sv");
pub(crate) const FEEDBACK: &str = include_str!("feedback_specification.sv");
pub(crate) const FEEDBACK_WITHOUT_UNITS: &str =
    concat!("`define NO_UNITS\n", include_str!("feedback_specification.sv"));
pub(crate) const PARSER: &str = include_str!("parser_specification.sv");
pub(crate) const QUEUE_ARRAY: &str = include_str!("queue_array.sv");
pub(crate) const QUEUE_ARRAY_FRAMES: &str = include_str!("queue_array_frames.sv");
pub(crate) const SAMPLER: &str = include_str!("sampler.sv");

pub(crate) const HELD_UNTIL_READY: (&str, &str) =
    ("held_until_ready", "a valid word of the frame stream does not change until it is taken");
pub(crate) const NO_GAP: (&str, &str) =
    ("no_gap_in_a_frame", "`valid` stays high between the first and the last word of a frame");
pub(crate) const NEW_RATE_IN_BOUNDS: (&str, &str) = (
    "new_rate_in_bounds",
    "a new rate is never below min_rate nor above line_rate, if the rate before it is not either",
);
pub(crate) const NEW_RATE_IN_BOUNDS_OR_STOPPED: (&str, &str) = (
    "new_rate_in_bounds_or_stopped",
    "a new rate is 0 if the source stops, else never below min_rate nor above line_rate, if the rate before it is not \
     either, or 0 while stopped",
);
pub(crate) const WHOLE_LEVELS: (&str, &str) =
    ("whole_levels", "the bits of rate_cut are 0 in the rate, if they are in min_rate and line_rate");
pub(crate) const CHANGES_WHEN_TAKEN: (&str, &str) =
    ("changes_when_taken", "the rate changes only with a feedback that is taken");
pub(crate) const TAKEN_WHEN_OFFERED: (&str, &str) =
    ("taken_when_offered", "a feedback is taken only if one was there in the cycle before");
pub(crate) const EIGHT_WORDS: (&str, &str) =
    ("eight_words", "a frame has eight words; the last one has `last` high and four octets");
pub(crate) const RATE_IN_BOUNDS: (&str, &str) =
    ("rate_in_bounds", "after reset the rate is never below min_rate nor above line_rate");
pub(crate) const RATE_IN_BOUNDS_OR_STOPPED: (&str, &str) = (
    "rate_in_bounds_or_stopped",
    "after reset the rate is 0 (source stopped) or never below min_rate, and never above line_rate",
);
pub(crate) const LINE_RATE_AFTER_RESET: (&str, &str) = ("line_rate_after_reset", "reset sets the rate to line_rate");
pub(crate) const ANY_WINDOW: (&str, &str) = (
    "any_window",
    "in any window of time not more is granted than rate × time + bucket_bytes, for bucket_bytes from 128 to 16224, even \
     if the rate changes in any cycle",
);
pub(crate) const FROM_RESET: (&str, &str) = ("from_reset", "since reset not more is granted than rate × time");
pub(crate) const OVERSIZE_TELLS: (&str, &str) =
    ("oversize_tells", "oversize is high exactly for the requests that exceed the bucket");
pub(crate) const REMEMBERS_DECREASES: (&str, &str) = (
    "remembers_decreases",
    "the congestion point of a feedback is remembered exactly if it is a decrease, and not a step of 0",
);
pub(crate) const BAD_FRAMES_COUNTED: (&str, &str) = (
    "bad_frames_counted",
    "feedback frames for another address, malformed ones and those that are not allowed are counted, each once",
);
pub(crate) const GOOD_FRAMES_COUNTED: (&str, &str) =
    ("good_frames_counted", "each other feedback frame is counted once, as taken or as dropped");
pub(crate) const ASKED_FOR: (&str, &str) = ("asked_for", "a grant comes only after a request in the cycle before");
pub(crate) const FIELDS_HELD: (&str, &str) = ("fields_held", "the fields of a frame do not change until frame_done");
pub(crate) const POPPED_WHEN_SENT: (&str, &str) =
    ("popped_when_sent", "a sample that is sent leaves the queue with the last word of its frame, not before");
pub(crate) const ONLY_SAMPLES: (&str, &str) =
    ("only_samples", "a frame is sent only for a sample of a controlled flow, and only samples are popped");
pub(crate) const UNITS_EXACT: (&str, &str) =
    ("units_exact", "offset and change are in units of 64 octets, rounded down and saturated to 16 bits");
pub(crate) const LOST_TELLS: (&str, &str) =
    ("lost_tells", "lost is high exactly for the samples that came while ready was low");
pub(crate) const ONLY_PACKETS: (&str, &str) = ("only_packets", "a sample is a packet that enters");

/// A whole congestion point of an Ethernet scheme.
pub(crate) const fn of_congestion_point(module: &'static str) -> Harness {
    Harness {
        module,
        text: &[CONGESTION_POINT, STREAM],
        induction: 2,
        settings: None,
        claims: &[HELD_UNTIL_READY, NO_GAP, EIGHT_WORDS, LOST_TELLS, ONLY_PACKETS],
    }
}

/// A whole congestion point of an Ethernet scheme for many queues.
pub(crate) const fn of_congestion_point_array(module: &'static str) -> Harness {
    Harness {
        module,
        text: &[QUEUE_ARRAY],
        induction: 4,
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
pub(crate) const fn of_queue_array_frames(module: &'static str) -> Harness {
    Harness {
        module,
        text: &[QUEUE_ARRAY_FRAMES, STREAM],
        induction: 2,
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
pub(crate) const fn of_reaction_point(module: &'static str, text: &'static [&'static str]) -> Harness {
    simple(module, text, &[RATE_IN_BOUNDS, ANY_WINDOW, FROM_RESET, ASKED_FOR, OVERSIZE_TELLS])
}

/// What a reaction point counts. A harness of its own, because it has no state in common with the rate limiter.
pub(crate) const fn of_frames(module: &'static str) -> Harness {
    simple(module, &[REACTION_POINT_FRAMES, PARSER], &[BAD_FRAMES_COUNTED, GOOD_FRAMES_COUNTED])
}

/// The step of a calculator for many flows.
pub(crate) const fn of_flow_step(module: &'static str, text: &'static [&'static str]) -> Harness {
    simple(module, text, &[NEW_RATE_IN_BOUNDS, WHOLE_LEVELS, CHANGES_WHEN_TAKEN, TAKEN_WHEN_OFFERED])
}

/// What a reaction point of many flows counts; see [`of_frames`].
pub(crate) const fn of_flow_frames(module: &'static str) -> Harness {
    simple(module, &[FLOW_FRAMES, PARSER], &[BAD_FRAMES_COUNTED, GOOD_FRAMES_COUNTED])
}

/// The rates of a reaction point of many flows, in the memory of its limiter.
pub(crate) const fn of_flow_rates(module: &'static str, text: &'static [&'static str]) -> Harness {
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
pub(crate) const fn simple(
    module: &'static str,
    text: &'static [&'static str],
    claims: &'static [(&'static str, &'static str)],
) -> Harness {
    Harness { module, text, induction: 1, settings: None, claims }
}

/// The harnesses of the blocks that several schemes have.
const SHARED: &[Harness] = &[
    Harness {
        module: "sampler",
        text: &[SAMPLER],
        induction: 1,
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
        induction: 1,
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
        induction: 1,
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
        &[include_str!("queue_monitor.sv")],
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
        &[include_str!("sample_queue.sv")],
        &[
            ("in_order_and_whole", "each accepted sample comes to the head in order, with its own fields"),
            ("none_dropped_none_twice", "two cycles later, as many samples have been at the head as were accepted"),
            ("at_most_four", "the queue never holds more than 4 samples"),
            ("ready_tells", "ready is low exactly while the queue holds 4 samples"),
            LOST_TELLS,
            ("head_stays", "a sample stays at the head until it is popped"),
        ],
    ),
    simple(
        "sampling_exception",
        &[include_str!("sampling_exception.sv")],
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
        text: &[include_str!("packet_generator.sv"), STREAM],
        induction: 2,
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
    simple(
        "parser",
        &[include_str!("parser.sv"), PARSER],
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
        &[include_str!("frame_counters.sv")],
        &[("counts_and_stops", "each counter counts its events and stops at its largest value")],
    ),
    simple(
        "rate_limiter",
        &[include_str!("rate_limiter.sv"), RATE_LIMITER],
        &[ANY_WINDOW, FROM_RESET, ASKED_FOR, OVERSIZE_TELLS],
    ),
    simple(
        "feedback_flow",
        &[include_str!("feedback_flow.sv")],
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
        &[include_str!("flow_points.sv")],
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
        "flow_limiter",
        &[FLOW_LIMITER, include_str!("flow_limiter_frames.sv")],
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
        &[KNOWN_FLOW_LIMITER, FLOW_VISITS, include_str!("flow_limiter_service.sv")],
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
        &[KNOWN_FLOW_LIMITER, FLOW_VISITS, include_str!("flow_limiter_waiting.sv")],
        &[(
            "looked_at_in_time",
            "four flows: a flow that waits in a list is looked at within 43,546 cycles if it waits less than 16 ticks, \
                 51,226 cycles if less than 256 ticks, else 174,106 cycles, whatever the others do",
        )],
    ),
    simple(
        "flow_limiter",
        &[KNOWN_FLOW_LIMITER, include_str!("flow_limiter_rates.sv")],
        &[(
            "paid_for",
            "four flows: since reset no flow has sent more than rate × time, of which at most bucket_bytes are kept while \
             it does not send",
        )],
    ),
];
