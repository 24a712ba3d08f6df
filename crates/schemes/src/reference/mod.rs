// SPDX-License-Identifier: MIT OR Apache-2.0
//! The reference of each block: the output values that its ports must have. Those of the blocks of one scheme are in its
//! folder. It is built from the integer models of
//! [`crate::scheme`] and the latencies of the circuits.
//!
//! The models do the arithmetic. A reference adds the handshakes and the cycle of each result. It does not depend on
//! the implementation of a circuit: it has no state machine, no pointer, no serial multiplier.
//!
//! A reference relies on the same rules for the inputs as the circuit:
//! - parameters change only while `reset` is high, or after a clock edge behind which the reference is
//!   [settled](Reference::settled): no computation is under way. The validator of the scheme accepts their values;
//! - outputs are not valid while `reset` is high and before the first reset;
//! - the sample at the input of the feedback block is held from the cycle in which it is valid until `pop`;
//! - a sample is an arriving packet (`sample` only with `enqueue`), and a pop removes an existing sample (`pop` only
//!   with `head_valid`);
//! - the last word of a frame has 1 to 8 octets;
//! - a frame is sent with the length that its flow has announced; a rate that a block of many flows wants is held until
//!   it is taken; a calculator answers only what it was given;
//! - at most one packet leaves on each output of a switch in a cycle; the inputs of a marker are as a buffer drives
//!   them.
//!
//! An output that is valid only while another output is high ([`Reference::only_while`]) is compared only then.

pub(crate) mod congestion_point;
pub(crate) mod congestion_point_array;
pub(crate) mod feedback_flow;
pub mod flow_limiter;
pub(crate) mod flow_points;
pub(crate) mod frame_counters;
pub(crate) mod packet_generator;
pub(crate) mod parser;
pub(crate) mod part;
pub(crate) mod queue_monitor;
pub(crate) mod rate_limiter;
pub(crate) mod reaction_point;
pub(crate) mod reaction_point_flows;
pub(crate) mod sample_queue;
pub(crate) mod sampler;
pub(crate) mod sampling_exception;
pub(crate) mod step_calculator;
pub(crate) mod step_rule;

use crate::registry::{Family, Scheme};
use crate::scheme::Feedback;
use crate::scheme::Part;
use crate::scheme::ports::Ports;
use tidegate_circuits::rtl::circuit::{Circuit, Port};

/// The required behaviour of a block or a part. A row has a value for each port, in the order of the ports of the
/// circuit.
pub trait Reference {
    /// Writes the outputs of this cycle into a row with its inputs. Called again before the clock edge if inputs that
    /// depend on outputs have changed.
    fn outputs(&mut self, row: &mut [u32]);
    /// The clock edge at the end of the cycle of this row; with a reset, if `reset` is high in the row.
    fn edge(&mut self, row: &[u32]);
    /// After a clock edge: whether the parameters may have other values in the next cycle. Where a computation is under way,
    /// the circuit may use old values and new ones in it.
    fn settled(&self) -> bool {
        true
    }
    /// The output that says whether this output is valid; `None` if it is always valid.
    fn only_while(&self, _output: &str) -> Option<&'static str> {
        None
    }
}

/// The reference of a circuit; `None` where there is none.
pub fn of(scheme: &Scheme, part: Part, circuit: &Circuit) -> Option<Box<dyn Reference>> {
    Some(match (scheme.family, circuit.block) {
        (Family::Ethernet(_), "congestion_point") if !circuit.generated.is_empty() => {
            Box::new(congestion_point_array::CongestionPointArray::new(scheme, circuit)?)
        }
        (Family::Ethernet(_), "congestion_point") => Box::new(congestion_point::new(scheme, part, circuit)?),
        (Family::Ethernet(_), "reaction_point") if !circuit.generated.is_empty() => {
            Box::new(reaction_point_flows::new(scheme, part, circuit)?)
        }
        (Family::Ethernet(_), "reaction_point") => Box::new(reaction_point::new(scheme, part, circuit)?),
        _ => of_block(scheme, circuit)?,
    })
}

/// The reference of a block of a scheme, or of a part of InfiniBand.
fn of_block(scheme: &Scheme, circuit: &Circuit) -> Option<Box<dyn Reference>> {
    (scheme.reference)(circuit).or_else(|| shared(circuit))
}

/// The reference of a block that several schemes have.
fn shared(circuit: &Circuit) -> Option<Box<dyn Reference>> {
    let ports = &circuit.ports;
    Some(match circuit.module {
        "sampler" => Box::new(sampler::Sampler::new(ports)),
        "queue_monitor" => Box::new(queue_monitor::QueueMonitor::new(ports)),
        "sample_queue" => Box::new(sample_queue::SampleQueue::new(ports)),
        "sampling_exception" => Box::new(sampling_exception::SamplingException::new(ports)),
        "packet_generator" => Box::new(packet_generator::PacketGenerator::new(ports)),
        "parser" => Box::new(parser::Parser::new(ports)),
        "feedback_flow" => Box::new(feedback_flow::FeedbackFlow::new(ports)),
        "flow_points" => Box::new(flow_points::FlowPoints::new(circuit)),
        "flow_limiter" => Box::new(flow_limiter::FlowLimiter::new(circuit)),
        "frame_counters" => Box::new(frame_counters::FrameCounters::new(ports)),
        "rate_limiter" => Box::new(rate_limiter::RateLimiter::new(ports)),
        _ => return None,
    })
}

/// The column of a port.
///
/// # Panics
/// If there is no such port: the reference is for another module.
pub(crate) fn column(ports: &[Port], name: &str) -> usize {
    ports.iter().position(|port| port.name == name).unwrap_or_else(|| panic!("no port `{name}`"))
}

/// The parameters of a circuit as they are at its ports.
pub(crate) fn parameters<P: Ports>(ports: &[Port], row: &[u32]) -> P {
    P::read("", &|name| row[column(ports, name)].into())
}

/// The same where the circuit lacks some of them: those are 0.
pub(crate) fn parameters_there<P: Ports>(ports: &[Port], row: &[u32]) -> P {
    P::read("", &|name| ports.iter().position(|port| port.name == name).map_or(0, |column| row[column].into()))
}

/// A feedback with these fields.
pub(crate) fn feedback(q_offset_units: u32, q_delta_units: u32, cpid: u64) -> Feedback {
    let units = |port: u32| port as u16 as i16;
    Feedback { quantized_feedback: 0, q_offset: units(q_offset_units), q_delta: units(q_delta_units), cpid }
}

/// A bus of some bits as a signed number.
pub(crate) fn signed(value: u32, bits: u32) -> i32 {
    ((value << (32 - bits)) as i32) >> (32 - bits)
}

/// A signed number on a bus of some bits.
pub(crate) fn twos_complement(number: i32, bits: u32) -> u32 {
    number as u32 & (u32::MAX >> (32 - bits))
}

/// Defines `Columns`: the places of the ports with these names in a row.
macro_rules! columns {
    ($($port:ident),* $(,)?) => {
        pub(super) struct Columns {
            $(pub(super) $port: usize),*
        }

        impl Columns {
            pub(super) fn of(ports: &[tidegate_circuits::rtl::circuit::Port]) -> Self {
                Columns { $($port: $crate::reference::column(ports, stringify!($port))),* }
            }
        }
    };
}
pub(crate) use columns;
