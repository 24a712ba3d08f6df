//! One row a scheme: its paper, parameters, model and circuits. The only place that lists schemes.

use crate::analysis::{self, Analysis};
use crate::bench::model::qcn::{QcnFeedbackModel, QcnModel};
use crate::bench::model::step::{EverySample, StepModel, SMCC_STEP_LATENCY};
use crate::bench::model::FeedbackModel;
use crate::bench::Calculator;
use crate::emit::Circuit;
use crate::rtl::congestion_point::feedback_qcn::QcnFeedback;
use crate::rtl::congestion_point::feedback_smcc::SmccFeedback;
use crate::rtl::congestion_point::packet_generator::PacketGenerator;
use crate::rtl::congestion_point::queue_monitor::QueueMonitor;
use crate::rtl::congestion_point::sample_queue::SampleQueue;
use crate::rtl::congestion_point::sampler::Sampler;
use crate::rtl::congestion_point::{CongestionPointPorts, QcnCongestionPoint, SmccCongestionPoint};
use crate::rtl::reaction_point::calculator_qcn::QcnCalculator;
use crate::rtl::reaction_point::calculator_smcc::SmccCalculator;
use crate::rtl::reaction_point::parser::Parser;
use crate::rtl::reaction_point::rate_limiter::RateLimiter;
use crate::rtl::reaction_point::{CalculatorPorts, QcnReactionPoint, ReactionPointPorts, SmccReactionPoint};
use crate::scheme::jitter::JitterParameters;
use crate::scheme::parameters::{ParameterError, Parameters, Specification, BENCH, ETHERNET, QCN, SMCC};
use crate::scheme::sampler::SampleMode;
use crate::scheme::{qcn, smcc, Part};
use std::collections::BTreeMap;

/// A scheme.
pub struct Scheme {
    /// Name on the command line.
    pub name: &'static str,
    /// Name in full.
    pub title: &'static str,
    /// Where it comes from.
    pub paper: &'static str,
    /// What its feedback frame carries.
    pub frame: &'static str,
    /// Whether reaction points go by QntzFb, and not by QOffset and QDelta.
    pub sends_quantized_feedback: bool,
    /// Its own keys; those of every Ethernet scheme and of the benches come on top.
    pub parameters: &'static [Specification],
    /// Profiles of defaults.
    pub profiles: &'static [&'static str],
    /// What the theory says of its parameters.
    pub analyze: fn(&Parameters) -> Analysis,
    /// Its algorithm.
    pub algorithm: Algorithm,
}

/// Which algorithm: what engines and emitters choose their types by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Algorithm {
    /// Quantized congestion notification.
    Qcn,
    /// Sliding mode congestion control.
    Smcc,
}

/// Every scheme.
pub const SCHEMES: &[Scheme] = &[
    Scheme {
        name: "qcn",
        title: "Quantized congestion notification",
        paper: "smcc.txt 2.2, qcn-phase-plane.txt II; IEEE 802.1Q",
        frame: "QntzFb (6 bits) where Fb < 0, QOffset, QDelta",
        sends_quantized_feedback: true,
        parameters: QCN,
        profiles: &["paper", "8021q"],
        analyze: analysis::qcn::analyze,
        algorithm: Algorithm::Qcn,
    },
    Scheme {
        name: "smcc",
        title: "Sliding mode congestion control",
        paper: "smcc.txt 4",
        frame: "QOffset and QDelta, both signs, CPID",
        sends_quantized_feedback: false,
        parameters: SMCC,
        profiles: &["paper"],
        analyze: analysis::smcc::analyze,
        algorithm: Algorithm::Smcc,
    },
];

/// The circuits and models of a scheme as types, so that no engine chooses between schemes while it runs.
pub trait Engines {
    /// Circuit of the congestion point.
    type CongestionPoint: CongestionPointPorts;
    /// Circuit of the reaction point.
    type ReactionPoint: ReactionPointPorts;
    /// Circuit of its calculator.
    type Calculator: CalculatorPorts;
    /// Model of the feedback block.
    type FeedbackModel: FeedbackModel;
    /// Model of the calculator.
    type CalculatorModel: Calculator;
    /// A feedback block.
    fn feedback(parameters: &Parameters) -> Self::FeedbackModel;
    /// A calculator, with its own seed.
    fn calculator(parameters: &Parameters, seed: u16) -> Self::CalculatorModel;
}

/// QCN's.
pub(crate) struct Qcn;

impl Engines for Qcn {
    type CongestionPoint = QcnCongestionPoint;
    type ReactionPoint = QcnReactionPoint;
    type Calculator = QcnCalculator;
    type FeedbackModel = QcnFeedbackModel;
    type CalculatorModel = QcnModel;

    fn feedback(parameters: &Parameters) -> QcnFeedbackModel {
        QcnFeedbackModel(qcn_feedback(parameters))
    }

    fn calculator(parameters: &Parameters, seed: u16) -> QcnModel {
        QcnModel::new(qcn::CalculatorParameters { seed, ..qcn::CalculatorParameters::new(parameters) })
    }
}

/// SMCC's.
pub(crate) struct Smcc;

impl Engines for Smcc {
    type CongestionPoint = SmccCongestionPoint;
    type ReactionPoint = SmccReactionPoint;
    type Calculator = SmccCalculator;
    type FeedbackModel = EverySample;
    type CalculatorModel = StepModel<smcc::ReactionPoint>;

    fn feedback(_parameters: &Parameters) -> EverySample {
        EverySample
    }

    fn calculator(parameters: &Parameters, _seed: u16) -> StepModel<smcc::ReactionPoint> {
        let calculator = smcc::CalculatorParameters::new(parameters).expect("checked when the parameters were made");
        StepModel::new(smcc::ReactionPoint::new(calculator), SMCC_STEP_LATENCY)
    }
}

/// Does something with the engines of a scheme, which stand as a type for the name that is given.
macro_rules! with_engines {
    ($algorithm:expr, $engines:ident => $body:expr) => {
        match $algorithm {
            $crate::registry::Algorithm::Qcn => {
                type $engines = $crate::registry::Qcn;
                $body
            }
            $crate::registry::Algorithm::Smcc => {
                type $engines = $crate::registry::Smcc;
                $body
            }
        }
    };
}
pub(crate) use with_engines;

/// Finds a scheme; the error lists those there are.
pub fn find(name: &str) -> Result<&'static Scheme, String> {
    SCHEMES.iter().find(|scheme| scheme.name == name).ok_or_else(|| {
        let known: Vec<_> = SCHEMES.iter().map(|scheme| scheme.name).collect();
        format!("unknown scheme `{name}`: expected one of {}", known.join(", "))
    })
}

impl Scheme {
    /// Its keys, its own first.
    pub fn specifications(&self) -> impl Iterator<Item = &'static Specification> + Clone {
        self.parameters.iter().chain(ETHERNET).chain(BENCH)
    }

    /// A checked set of parameters: defaults of the profile, then the settings.
    pub fn parameters(&self, settings: &[(String, String)]) -> Result<Parameters, ParameterError> {
        let parameters = Parameters::new(self.name, self.specifications(), settings)?;
        if self.algorithm == Algorithm::Smcc {
            smcc::CalculatorParameters::new(&parameters)
                .map_err(|(key, reason)| ParameterError { key: key.into(), reason })?;
        }
        Ok(parameters)
    }
}

impl Scheme {
    /// A whole part, its parameters as ports.
    pub fn circuit(&self, part: Part) -> Circuit {
        match (self.algorithm, part) {
            (Algorithm::Qcn, Part::CongestionPoint) => Circuit::of::<QcnCongestionPoint>("congestion_point", &[]),
            (Algorithm::Smcc, Part::CongestionPoint) => Circuit::of::<SmccCongestionPoint>("congestion_point", &[]),
            (Algorithm::Qcn, Part::ReactionPoint) => Circuit::of::<QcnReactionPoint>("reaction_point", &[]),
            (Algorithm::Smcc, Part::ReactionPoint) => Circuit::of::<SmccReactionPoint>("reaction_point", &[]),
        }
    }

    /// The blocks of a part, in the order in which data flows.
    pub fn blocks(&self, part: Part) -> Vec<Circuit> {
        match part {
            Part::CongestionPoint => vec![
                Circuit::of::<Sampler>("sampler", &[]),
                Circuit::of::<QueueMonitor>("queue_monitor", &[]),
                Circuit::of::<SampleQueue>("sample_queue", &[]),
                match self.algorithm {
                    Algorithm::Qcn => Circuit::of::<QcnFeedback>("feedback", &[]),
                    Algorithm::Smcc => Circuit::of::<SmccFeedback>("feedback", &["quantized_feedback", "interval_low"]),
                },
                Circuit::of::<PacketGenerator>("packet_generator", &[]),
            ],
            Part::ReactionPoint => vec![
                match self.algorithm {
                    Algorithm::Qcn => {
                        Circuit::of::<Parser>("parser", &["q_offset_units", "q_delta_units", "cpid_high", "cpid_low"])
                    }
                    Algorithm::Smcc => Circuit::of::<Parser>("parser", &["quantized_feedback"]),
                },
                match self.algorithm {
                    Algorithm::Qcn => {
                        Circuit::of::<QcnCalculator>("calculator", &["target_rate", "byte_stage", "time_stage"])
                    }
                    Algorithm::Smcc => Circuit::of::<SmccCalculator>("calculator", &[]),
                },
                match self.algorithm {
                    Algorithm::Qcn => Circuit::of::<RateLimiter>("rate_limiter", &[]),
                    Algorithm::Smcc => Circuit::of::<RateLimiter>("rate_limiter", &["sent", "sent_bytes"]),
                },
            ],
        }
    }
}

/// What the sampler counts.
pub fn sample_mode(parameters: &Parameters) -> SampleMode {
    match parameters.choice("sample_mode") {
        "bytes" => SampleMode::Bytes,
        "time" => SampleMode::Time,
        _ => SampleMode::Packets,
    }
}

/// Bytes between samples by quantised feedback / 8, at 150000 for the lowest (802.1Q; SCHEMES, Sampling).
const SAMPLE_TABLE: [u64; 8] = [150_000, 75_000, 50_000, 37_500, 30_000, 25_000, 21_500, 18_500];

/// Bounds of the sampling interval for each row of the table; one for all where sampling does not go by bytes.
pub fn sampling(parameters: &Parameters) -> ([u32; 8], u16) {
    let percent = parameters.integer("sample_jitter_percent") as u32;
    let nominal = |row: usize| match sample_mode(parameters) {
        SampleMode::Packets => parameters.integer("sample_packets") as u32,
        SampleMode::Time => parameters.sample_period() as u32,
        SampleMode::Bytes => {
            let bytes = parameters.integer("sample_bytes") * SAMPLE_TABLE[row] / SAMPLE_TABLE[0];
            bytes.max(1) as u32
        }
    };
    let bounds: [JitterParameters; 8] = std::array::from_fn(|row| JitterParameters::around(nominal(row), percent));
    (bounds.map(|bound| bound.low), bounds[0].ratio)
}

/// QCN's feedback parameters.
pub fn qcn_feedback(parameters: &Parameters) -> qcn::FeedbackParameters {
    qcn::FeedbackParameters {
        weight: parameters.integer("w") as u32,
        full_scale: parameters.feedback_full_scale() as u32,
        send_zero: sample_mode(parameters) != SampleMode::Bytes,
        interval_low: sampling(parameters).0,
    }
}

/// The value of every parameter port of the circuits of a scheme, by port name.
pub fn ports(scheme: &Scheme, parameters: &Parameters) -> BTreeMap<&'static str, u64> {
    let mut ports = BTreeMap::new();
    let mut set = |name, value: u64| {
        ports.insert(name, value);
    };
    let (lows, ratio) = sampling(parameters);
    set("sample_mode", sample_mode(parameters) as u64);
    set("jitter_ratio", u64::from(ratio));
    set("seed", parameters.integer("seed"));
    set("q0_bytes", parameters.integer("q0_bytes"));
    const ROWS: [&str; 8] = [
        "interval_low_0",
        "interval_low_1",
        "interval_low_2",
        "interval_low_3",
        "interval_low_4",
        "interval_low_5",
        "interval_low_6",
        "interval_low_7",
    ];
    for (row, low) in ROWS.into_iter().zip(lows) {
        set(row, u64::from(low));
    }
    set("cpid_high", CPID >> 32);
    set("cpid_low", CPID & 0xffff_ffff);
    set("cp_mac_high", CP_MAC >> 32);
    set("cp_mac_low", CP_MAC & 0xffff_ffff);
    set("rp_mac_high", rp_mac(0) >> 32);
    set("rp_mac_low", rp_mac(0) & 0xffff_ffff);
    for any in ["allowed_cpid_high", "allowed_cpid_low", "allowed_cpid_mask_high", "allowed_cpid_mask_low"] {
        set(any, 0);
    }
    set("bucket_bytes", parameters.integer("bucket_bytes"));
    set("overhead_bytes", u64::from(parameters.overhead()));
    set("line_rate", u64::from(parameters.rate("line_rate_mbps").0));
    set("min_rate", u64::from(parameters.rate("min_rate_mbps").0));
    match scheme.algorithm {
        Algorithm::Qcn => {
            let feedback = qcn_feedback(parameters);
            set("weight", u64::from(feedback.weight));
            set("feedback_full_scale", u64::from(feedback.full_scale));
            set("send_zero_feedback", u64::from(feedback.send_zero));
            let calculator = qcn::CalculatorParameters::new(parameters);
            set("ai_rate", u64::from(calculator.ai_rate.0));
            set("hai_rate", u64::from(calculator.hai_rate.0));
            set("gd_shift", u64::from(calculator.gd_shift));
            set("byte_cycle_low", u64::from(calculator.byte_cycle.low));
            set("byte_cycle_ratio", u64::from(calculator.byte_cycle.ratio));
            set("timer_low", u64::from(calculator.timer.low));
            set("timer_ratio", u64::from(calculator.timer.ratio));
            set("increase_stage", u64::from(calculator.increase_stage));
            set("half_stage", u64::from(calculator.half_stage));
            set("target_reduction", u64::from(calculator.target_reduction));
            set("extra_fast_recovery", u64::from(calculator.extra_fast_recovery));
        }
        Algorithm::Smcc => {
            let calculator =
                smcc::CalculatorParameters::new(parameters).expect("checked when the parameters were made");
            set("gain_a", u64::from(calculator.gain_a));
            set("gain_a_small", u64::from(calculator.gain_a_small));
            set("gain_b", u64::from(calculator.gain_b));
            set("t1_units", u64::from(calculator.t1_units));
            set("cpid_mask_high", calculator.cpid_mask >> 32);
            set("cpid_mask_low", calculator.cpid_mask & 0xffff_ffff);
        }
    }
    ports
}

/// Address of the congestion point in benches and the default of what is emitted: locally administered.
pub const CP_MAC: u64 = 0x0200_0000_0100;
/// Congestion point identifier in benches: the switch's address and a port index, as 802.1Q builds it.
pub const CPID: u64 = (CP_MAC << 16) | 1;

/// Address of the reaction point of a flow: locally administered.
pub fn rp_mac(flow: u32) -> u64 {
    0x0200_0000_1000 + u64::from(flow)
}
