//! Properties that are proved of the emitted Verilog, for all inputs and for all time.
//!
//! A row of [`HARNESSES`] is a module, the harness around it in `properties/`, and what its assertions claim in words. Powers
//! up anyhow, one cycle of reset, later resets at will: nothing below depends on the values that Verilog gives registers at the
//! beginning.

use super::{Check, Verdict};
use crate::emit::Circuit;
use crate::registry::{self, Scheme};
use crate::scheme::Part;
use crate::toolchain::formal::{Judgement, Method, Outcome, Prover, Question, HELPER};
use anyhow::Result;
use std::fmt::Write;
use std::time::{Duration, Instant};

/// After this long a proof gives up; on one core of 2020 the slowest takes half a minute.
pub const TIMEOUT: Duration = Duration::from_secs(300);

/// A harness around a module, and what it claims.
#[derive(Clone, Copy, Debug)]
pub struct Harness {
    /// The module.
    pub module: &'static str,
    /// SystemVerilog, in pieces; its top is the module's name and `_properties`.
    pub text: &'static [&'static str],
    /// How far the proof reaches.
    pub method: Method,
    /// Whether multipliers may give any product in the proof.
    pub any_product: bool,
    /// The parameters that are constants in the harness are those of the scheme with these settings; `None` where it has none.
    pub settings: Option<&'static [(&'static str, &'static str)]>,
    /// Label of each assertion that is a claim, and the claim.
    pub claims: &'static [(&'static str, &'static str)],
}

const RATE_LIMITER: &str = include_str!("properties/rate_limiter_specification.sv");
const STREAM: &str = include_str!("properties/stream_specification.sv");
const FEEDBACK: &str = include_str!("properties/feedback_specification.sv");
const PARSER: &str = include_str!("properties/parser_specification.sv");
const SAMPLER: &str = include_str!("properties/sampler.sv");

const HELD_UNTIL_READY: (&str, &str) =
    ("held_until_ready", "a word of the frame stream, once offered, stays as it is until it is taken");
const NO_GAP: (&str, &str) = ("no_gap_in_a_frame", "between the first and the last word of a frame `valid` stays up");
const EIGHT_WORDS: (&str, &str) =
    ("eight_words", "a frame is eight taken words, the last of them marked and with four octets");
const RATE_IN_BOUNDS: (&str, &str) =
    ("rate_in_bounds", "after reset the rate is never below min_rate nor above line_rate");
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
const ASKED_FOR: (&str, &str) = ("asked_for", "nothing is granted that was not requested");
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
        text: &[include_str!("properties/queue_monitor.sv")],
        method: Method::Induction(1),
        any_product: false,
        settings: None,
        claims: &[
            ("length_is_true", "while no event is impossible the length is the true sum of all events"),
            ("length_is_clamped_sum", "the length never wraps: it is the sum, held between 0 and 2^24 − 1"),
            ("clamped_tells", "clamped is high for just those events that lead out of these bounds"),
            ("possible_is_never_clamped", "nothing is clamped while no event is impossible"),
            ("offset_exact", "q_offset is the length less q0_bytes, without overflow"),
            ("change_exact", "q_delta is the length less that at the sample before, without overflow"),
        ],
    },
    Harness {
        module: "sample_queue",
        text: &[include_str!("properties/sample_queue.sv")],
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
        text: &[include_str!("properties/feedback_qcn.sv"), FEEDBACK],
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
        text: &[include_str!("properties/feedback_smcc.sv"), FEEDBACK],
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
        module: "packet_generator",
        text: &[include_str!("properties/packet_generator.sv"), STREAM],
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
        text: &[include_str!("properties/qcn_congestion_point.sv"), STREAM],
        method: Method::Induction(2),
        any_product: true,
        settings: None,
        claims: &[HELD_UNTIL_READY, NO_GAP, EIGHT_WORDS, LOST_TELLS, ONLY_PACKETS],
    },
    Harness {
        module: "smcc_congestion_point",
        text: &[include_str!("properties/smcc_congestion_point.sv"), STREAM],
        method: Method::Induction(2),
        any_product: true,
        settings: None,
        claims: &[HELD_UNTIL_READY, NO_GAP, EIGHT_WORDS, LOST_TELLS, ONLY_PACKETS],
    },
    Harness {
        module: "parser",
        text: &[include_str!("properties/parser.sv"), PARSER],
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
        text: &[include_str!("properties/calculator_qcn.sv")],
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
        text: &[include_str!("properties/calculator_smcc.sv")],
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
        module: "rate_limiter",
        text: &[include_str!("properties/rate_limiter.sv"), RATE_LIMITER],
        method: Method::Induction(1),
        any_product: false,
        settings: None,
        claims: &[
            ANY_WINDOW,
            FROM_RESET,
            ASKED_FOR,
            OVERSIZE_TELLS,
            ("sent_tells", "sent and sent_bytes tell of each grant in the cycle after it, and of nothing else"),
        ],
    },
    Harness {
        module: "qcn_reaction_point",
        text: &[include_str!("properties/qcn_reaction_point.sv"), RATE_LIMITER, PARSER],
        method: Method::Induction(1),
        any_product: true,
        settings: None,
        claims: &[RATE_IN_BOUNDS, ANY_WINDOW, FROM_RESET, ASKED_FOR, OVERSIZE_TELLS, IGNORED_COUNTS, WAITS],
    },
    Harness {
        module: "smcc_reaction_point",
        text: &[include_str!("properties/smcc_reaction_point.sv"), RATE_LIMITER, PARSER],
        method: Method::Induction(1),
        any_product: true,
        settings: None,
        claims: &[RATE_IN_BOUNDS, ANY_WINDOW, FROM_RESET, ASKED_FOR, OVERSIZE_TELLS, IGNORED_COUNTS, WAITS],
    },
];

impl Harness {
    /// Judges every assertion of the harness about some Verilog of its module.
    ///
    /// # Errors
    /// Where Yosys or z3 cannot be run, or Yosys does not read the Verilog.
    pub fn judge(&self, prover: &Prover, scheme: &Scheme, verilog: &str) -> Result<Vec<Outcome>> {
        prover.judge(&Question {
            sources: &[("design.v", verilog)],
            harness: &(self.constants(scheme)? + &self.text.concat()),
            top: &format!("{}_properties", self.module),
            method: self.method,
            any_product: self.any_product,
            timeout: TIMEOUT,
        })
    }

    /// The parameters of the scheme, for harnesses that need them as constants.
    fn constants(&self, scheme: &Scheme) -> Result<String> {
        let mut text = String::new();
        let Some(settings) = self.settings else { return Ok(text) };
        let settings: Vec<_> = settings.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
        for (name, value) in registry::ports(scheme, &scheme.parameters(&settings)?) {
            writeln!(text, "`define PARAMETER_{name} {}'d{value}", 64 - value.leading_zeros().min(63))?;
        }
        Ok(text)
    }
}

/// Proves the properties of the blocks of a part and of the whole. A property that is not proved has failed: `reason` tells a
/// counterexample from a proof that gave up. Where Yosys or z3 is missing, all are skipped.
pub fn checks(scheme: &'static Scheme, part: Part) -> Vec<Check> {
    let prover = Prover::find();
    let circuits = scheme.blocks(part).into_iter().chain([scheme.circuit(part)]);
    circuits.flat_map(|circuit| of_circuit(scheme, part, &circuit, &prover)).collect()
}

fn of_circuit(scheme: &'static Scheme, part: Part, circuit: &Circuit, prover: &Result<Prover>) -> Vec<Check> {
    let mut checks = Vec::new();
    for harness in HARNESSES.iter().filter(|harness| harness.module == circuit.module) {
        let started = Instant::now();
        let judged = match prover {
            Ok(prover) => harness.judge(prover, scheme, &circuit.verilog).map_err(|error| (Verdict::Failed, error)),
            Err(missing) => Err((Verdict::Skipped, anyhow::anyhow!("{missing}"))),
        };
        // One proof makes them all: each has its share of the time.
        let seconds = started.elapsed().as_secs_f64() / harness.claims.len() as f64;
        checks.extend(harness.claims.iter().map(|(label, claim)| {
            let (verdict, reason) = match &judged {
                Ok(outcomes) => verdict(outcomes, label),
                Err((verdict, error)) => (*verdict, Some(format!("{error:#}"))),
            };
            Check {
                scheme: scheme.name,
                part: part.name(),
                block: circuit.block,
                property: claim.to_string(),
                tool: "formal",
                cycles: None,
                depth: Some(harness.method.depth()),
                unbounded: Some(harness.method.is_unbounded()),
                verdict,
                reason,
                seconds,
            }
        }));
    }
    checks
}

/// How a claim ended. A helper that failed is no matter here: what is proved was proved without it.
fn verdict(outcomes: &[Outcome], label: &str) -> (Verdict, Option<String>) {
    let Some(outcome) = outcomes.iter().find(|outcome| outcome.name == label) else {
        return (Verdict::Failed, Some(format!("the harness has no assertion `{label}`")));
    };
    match &outcome.judgement {
        Judgement::Proved => (Verdict::Passed, None),
        Judgement::Counterexample { cycle, trace } => {
            (Verdict::Failed, Some(format!("`{label}` fails in cycle {cycle}:\n{trace}")))
        }
        Judgement::GaveUp { reason } => (Verdict::Failed, Some(reason.clone())),
    }
}

/// Whether an assertion is a claim, and not a helper.
pub fn is_claim(outcome: &Outcome) -> bool {
    !outcome.name.starts_with(HELPER)
}
