// SPDX-License-Identifier: MIT OR Apache-2.0
//! The models with the latencies of their circuits: exact to the cycle, without stepping through idle ones.

pub mod codec;
pub mod congestion_point;
pub mod device;
pub mod flow_calculator;
pub mod flow_limiter;
pub mod flow_reaction_point;
pub mod packet;
pub(crate) mod parser;
pub mod random;
pub(crate) mod rate_bounds;
pub mod reaction_point;
pub mod receiver;
pub mod starts;
pub(crate) mod step;
pub mod wire;

use self::codec::{Codec, Payload};
use self::device::{Calculator, CalculatorState};
use self::flow_calculator::FlowCalculator;
use self::packet::Packet;
use self::receiver::AnyReceiver;
use self::wire::CNM;
use crate::scheme::jitter::JitterParameters;
use crate::scheme::parameters::Parameters;
use crate::scheme::sampling_exception::ExceptionParameters;
use crate::scheme::{Feedback, to_units};
use tidegate_core::units::{Cycles, Rate};

/// No such cycle.
pub(crate) const NEVER: Cycles = Cycles::MAX;

/// What becomes of a sample that is at the head of the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fate {
    /// Cycles until the first word of its frame, or where none is sent, until it is dropped.
    pub latency: Cycles,
    /// What the frame carries; `None`: none is sent.
    pub send: Option<Payload>,
    /// The smallest sampling interval from then on, where the scheme changes it.
    pub interval: Option<JitterParameters>,
}

/// The fields of a CNM that the feedback block makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fields {
    /// QntzFb.
    pub quantized_feedback: u8,
    /// cnmQOffset.
    pub q_offset: i16,
    /// cnmQDelta.
    pub q_delta: i16,
}

impl Fields {
    /// The fields of a feedback, without its congestion point.
    pub(crate) fn of(feedback: &Feedback) -> Self {
        let &Feedback { quantized_feedback, q_offset, q_delta, .. } = feedback;
        Fields { quantized_feedback, q_offset, q_delta }
    }

    /// Qoff and ΔQ of a sample in 64-octet units.
    pub(crate) fn of_sample(quantized_feedback: u8, q_offset: i32, q_delta: i32) -> Self {
        Fields { quantized_feedback, q_offset: to_units(q_offset), q_delta: to_units(q_delta) }
    }
}

/// A feedback block: how a congestion point answers packets. It may mark any packet that enters the queue, and answer the
/// samples among them with frames.
pub trait FeedbackModel {
    /// Whether a packet that enters the queue in cycle `now` is marked (RFC 3168: congestion experienced). With it, the
    /// queue holds so many bytes. Called once for each packet, before [`sample`](Self::sample).
    #[inline]
    fn marks(&mut self, _now: Cycles, _queue_bytes: u32, _packet: &Packet) -> bool {
        false
    }

    /// What becomes of a sample that is due at a packet from the source of the last feedback, if that is an exception.
    fn sampling_exception(&self) -> Option<ExceptionParameters> {
        None
    }

    /// Qoff and ΔQ of a sample, in bytes. A frame is sent only if a reaction point governs the flow. A scheme that only
    /// marks sends none.
    fn sample(&mut self, _q_offset: i32, _q_delta: i32, _controlled: bool) -> Fate {
        Fate { latency: 0, send: None, interval: None }
    }

    /// Other values of the [`CHANGEABLE`] keys. Returns whether the sampling interval follows with the next sample, or
    /// else at once.
    fn change_parameters(&mut self, _parameters: &Parameters) -> bool {
        false
    }
}

/// The feedback blocks of all Ethernet schemes as one type, and their calculators: a bench then calls no function
/// through a pointer. The module `model` of a scheme has the types `FeedbackBlock` and `CalculatorBlock`, and the functions
/// `feedback`, `calculator` and `flows` that make the blocks. Its line says how its feedback stands in a frame, and what
/// makes its receiver, if it has one.
macro_rules! models {
    ($($scheme:ident: $variant:ident = $constant:ident { codec: $codec:expr, receiver: $receiver:expr }),* $(,)?) => {
        /// The feedback block of any Ethernet scheme.
        #[allow(clippy::large_enum_variant, reason = "all blocks of a run are of one variant")]
        pub enum AnyFeedback {
            $(#[doc = concat!("See [`crate::", stringify!($scheme), "::model`].")] $variant(crate::$scheme::model::FeedbackBlock),)*
            /// That of a scheme without a row.
            Other(Box<dyn FeedbackModel + Send>),
        }

        impl FeedbackModel for AnyFeedback {
            fn sampling_exception(&self) -> Option<ExceptionParameters> {
                match self {
                    $(AnyFeedback::$variant(feedback) => feedback.sampling_exception(),)*
                    AnyFeedback::Other(feedback) => feedback.sampling_exception(),
                }
            }

            #[inline]
            fn marks(&mut self, now: Cycles, queue_bytes: u32, packet: &Packet) -> bool {
                match self {
                    $(AnyFeedback::$variant(feedback) => feedback.marks(now, queue_bytes, packet),)*
                    AnyFeedback::Other(feedback) => feedback.marks(now, queue_bytes, packet),
                }
            }

            #[inline]
            fn sample(&mut self, q_offset: i32, q_delta: i32, controlled: bool) -> Fate {
                match self {
                    $(AnyFeedback::$variant(feedback) => feedback.sample(q_offset, q_delta, controlled),)*
                    AnyFeedback::Other(feedback) => feedback.sample(q_offset, q_delta, controlled),
                }
            }

            fn change_parameters(&mut self, parameters: &Parameters) -> bool {
                match self {
                    $(AnyFeedback::$variant(feedback) => feedback.change_parameters(parameters),)*
                    AnyFeedback::Other(feedback) => feedback.change_parameters(parameters),
                }
            }
        }

        /// The calculator of any Ethernet scheme.
        #[allow(clippy::large_enum_variant, reason = "all calculators of a run are of one variant")]
        pub enum AnyCalculator {
            $(#[doc = concat!("See [`crate::", stringify!($scheme), "::model`].")] $variant(crate::$scheme::model::CalculatorBlock),)*
            /// That of a scheme without a row.
            Other(Box<dyn Calculator + Send>),
        }

        impl Calculator for AnyCalculator {
            #[inline]
            fn next(&self, now: Cycles) -> Cycles {
                match self {
                    $(AnyCalculator::$variant(calculator) => calculator.next(now),)*
                    AnyCalculator::Other(calculator) => calculator.next(now),
                }
            }

            #[inline]
            fn cycle(
                &mut self,
                now: Cycles,
                feedback: Option<&Payload>,
                sent: Option<u32>,
                source_empty: bool,
            ) -> (bool, CalculatorState) {
                match self {
                    $(AnyCalculator::$variant(calculator) => calculator.cycle(now, feedback, sent, source_empty),)*
                    AnyCalculator::Other(calculator) => calculator.cycle(now, feedback, sent, source_empty),
                }
            }

            fn uneventful(&self, bytes: u32) -> u64 {
                match self {
                    $(AnyCalculator::$variant(calculator) => calculator.uneventful(bytes),)*
                    AnyCalculator::Other(calculator) => calculator.uneventful(bytes),
                }
            }

            fn count(&mut self, frames: u64, bytes: u32) {
                match self {
                    $(AnyCalculator::$variant(calculator) => calculator.count(frames, bytes),)*
                    AnyCalculator::Other(calculator) => calculator.count(frames, bytes),
                }
            }

            #[inline]
            fn sent(&mut self, now: Cycles, bytes: u32) -> bool {
                match self {
                    $(AnyCalculator::$variant(calculator) => calculator.sent(now, bytes),)*
                    AnyCalculator::Other(calculator) => calculator.sent(now, bytes),
                }
            }

            fn set_rate(&mut self, rate: Rate) {
                match self {
                    $(AnyCalculator::$variant(calculator) => calculator.set_rate(rate),)*
                    AnyCalculator::Other(calculator) => calculator.set_rate(rate),
                }
            }

            fn quantize_itself(&mut self, parameters: &Parameters) {
                match self {
                    $(AnyCalculator::$variant(calculator) => calculator.quantize_itself(parameters),)*
                    AnyCalculator::Other(calculator) => calculator.quantize_itself(parameters),
                }
            }

            fn change_parameters(&mut self, now: Cycles, parameters: &Parameters) {
                match self {
                    $(AnyCalculator::$variant(calculator) => calculator.change_parameters(now, parameters),)*
                    AnyCalculator::Other(calculator) => calculator.change_parameters(now, parameters),
                }
            }
        }

        impl Models {
            $(
                #[doc = concat!("See [`crate::", stringify!($scheme), "::model`].")]
                pub const $constant: Models = Models {
                    feedback: |parameters| AnyFeedback::$variant(crate::$scheme::model::feedback(parameters)),
                    calculator: |parameters, seed| AnyCalculator::$variant(crate::$scheme::model::calculator(parameters, seed)),
                    flows: crate::$scheme::model::flows,
                    codec: $codec,
                    receiver: $receiver,
                };
            )*
        }
    };
}

models! {
    qcn: Qcn = QCN { codec: CNM, receiver: None },
    bcn: Bcn = BCN { codec: CNM, receiver: None },
    smcc: Smcc = SMCC { codec: CNM, receiver: None },
    asm: Asm = ASM { codec: CNM, receiver: None },
    dsm: Dsm = DSM { codec: CNM, receiver: None },
}

/// The keys that can change while a model runs. In hardware they are values of parameter ports, which can change at any
/// time.
pub const CHANGEABLE: &[&str] = &["byte_cycle_bytes", "sample_packets", "sample_bytes"];

/// Makes the models of an Ethernet scheme.
#[derive(Clone, Copy)]
pub struct Models {
    /// The feedback block of a congestion point.
    pub feedback: fn(&Parameters) -> AnyFeedback,
    /// The calculator of a reaction point, with the seed of its random source.
    pub calculator: fn(&Parameters, u16) -> AnyCalculator,
    /// The calculator of a reaction point that serves `rp_flows` flows.
    pub flows: fn(&Parameters) -> FlowCalculator,
    /// How its feedback stands in a frame.
    pub codec: Codec,
    /// The receiver behind the last output of a path; `None`: it only takes packets.
    pub receiver: Option<fn(&Parameters) -> AnyReceiver>,
}
