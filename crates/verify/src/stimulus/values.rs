// SPDX-License-Identifier: MIT OR Apache-2.0
//! Values of the stimulus: typical for the parameters, at an edge, or random.

use super::parameters::Ports;
use super::random::Random;
use tidegate_core::units::{BYTES_BITS, RATE_BITS};
use tidegate_schemes::model::wire::CPID;

/// The largest length in 24 bits.
const BYTES_MAX: u64 = (1 << BYTES_BITS) - 1;

/// The kind of values in a phase.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mood {
    /// Values as in a network with these parameters.
    Directed,
    /// Edge values: zeros, ones, the most negative number.
    Edge,
    /// Random values.
    Random,
    /// Feedback as in severe congestion: the largest QntzFb; QOffset and QDelta 0, which stop a BCN source. Other
    /// values as in a network.
    Severe,
}

/// The current parameters on which values depend.
#[derive(Clone, Debug, Default)]
pub struct World {
    /// Address of the reaction point.
    pub rp_mac: u64,
    /// Low bits of the address that number the flow.
    pub flow_mask: u64,
    /// The number of flows that the circuit serves.
    pub flows: u64,
    /// The allowed congestion point.
    pub allowed_cpid: u64,
    /// The bits of `allowed_cpid` that are compared.
    pub mask: u64,
    q0_bytes: u64,
    near_units: u64,
    full_scale: u64,
    bucket_bytes: u64,
    overhead_bytes: u64,
    min_rate: u64,
    line_rate: u64,
    byte_cycle: u64,
    /// Smallest sampling intervals, and what the largest are longer.
    lows: [u64; 8],
    spans: [u64; 8],
    /// Largest packet of this phase, bytes.
    pub longest: u64,
}

impl World {
    /// The world of these values of the parameter ports.
    pub fn of(ports: &Ports) -> Self {
        let value = |name: &str, default: u64| ports.get(name).copied().unwrap_or(default);
        let wide = |high: &str, low: &str| value(high, 0) << 32 | value(low, 0);
        let rows = |name: &str| std::array::from_fn(|row| value(&format!("{name}_{row}"), value(name, 1)));
        World {
            rp_mac: wide("rp_mac_high", "rp_mac_low"),
            flow_mask: value("flow_mask", 0),
            flows: 1,
            allowed_cpid: wide("allowed_cpid_high", "allowed_cpid_low"),
            mask: wide("allowed_cpid_mask_high", "allowed_cpid_mask_low"),
            q0_bytes: value("q0_bytes", 65_536).max(64),
            near_units: value("b_zero_units", 16).max(1),
            full_scale: value("feedback_full_scale", 65_536),
            bucket_bytes: value("bucket_bytes", 1618),
            overhead_bytes: value("overhead_bytes", 0),
            min_rate: value("min_rate", 1),
            line_rate: value("line_rate", 1 << 18),
            byte_cycle: value("byte_cycle_low", 150_000),
            lows: rows("interval_low"),
            spans: rows("interval_span"),
            longest: 1518,
        }
    }

    /// Starts a new phase: packets of normal length, or so long that a few of them fill the target length, or of any
    /// length.
    pub fn begin(&mut self, random: &mut Random) {
        self.longest = random.pick(&[1518, 9000, self.q0_bytes / 4 + 64, 2 * self.q0_bytes, BYTES_MAX]).min(BYTES_MAX);
    }

    /// QntzFb.
    pub fn quantized_feedback(&self, random: &mut Random, mood: Mood) -> u32 {
        match mood {
            Mood::Directed => random.pick(&[0, 1, 8, 32, 63]),
            Mood::Edge => random.edge(6),
            Mood::Random => random.bus(6),
            Mood::Severe => 63,
        }
    }

    /// An offset or a change in units of 64 octets.
    pub fn units(&self, random: &mut Random, mood: Mood) -> u32 {
        match mood {
            Mood::Directed => {
                let most = (self.q0_bytes / 64).clamp(1, 0x7fff);
                // Some are so small that two of them meet a threshold near 0.
                let most = if random.chance(30) { most.min(self.near_units) } else { most };
                let size = random.between(0, most) as u32;
                if random.chance(50) { size } else { size.wrapping_neg() & 0xffff }
            }
            Mood::Edge => random.edge(16),
            Mood::Random => random.bus(16),
            Mood::Severe => 0,
        }
    }

    /// The value of an input, by what it means.
    pub fn value(&self, meaning: Meaning, random: &mut Random, mood: Mood) -> u32 {
        let value = match (meaning, mood) {
            (Meaning::QuantizedFeedback, _) => return self.quantized_feedback(random, mood),
            (Meaning::Units, _) => return self.units(random, mood),
            (_, Mood::Severe) => return self.value(meaning, random, Mood::Directed),
            // One of a few values, so that the same value occurs again.
            (Meaning::IntervalLow, _) => random.pick(&self.lows),
            (Meaning::IntervalSpan, _) => random.pick(&self.spans),
            (Meaning::Rate, Mood::Directed) => random.between(self.min_rate, self.line_rate.max(self.min_rate)),
            (Meaning::Rate, Mood::Edge) => random.pick(&[0, 1, self.min_rate, self.line_rate, (1 << RATE_BITS) - 1]),
            (Meaning::Request, Mood::Directed) => {
                let fitting = self.bucket_bytes.saturating_sub(self.overhead_bytes);
                let real = random.between(60, 1518);
                // Long frames move the byte counter of a calculator past the end of its cycle.
                let long = random.between(fitting / 2, fitting);
                random.pick(&[real, real, long, long, fitting, fitting + 1]).min(0x3fff)
            }
            (Meaning::Bytes, Mood::Directed) => random.between(60, self.longest.max(60)),
            (Meaning::Sent, Mood::Directed) => {
                let (part, frame) = (random.between(0, self.byte_cycle / 2), random.between(60, 1518));
                random.pick(&[part, frame, frame, self.byte_cycle])
            }
            (Meaning::Offset, Mood::Directed) => {
                let most = random_span(self.q0_bytes, random);
                let size = random.between(0, most);
                // Zero, or the two sides of a step of QCN's quantiser.
                let step = (random.below(65) * self.full_scale).div_ceil(63).saturating_sub(random.below(2));
                let size = random.pick(&[size, size, 0, step]).min(BYTES_MAX) as u32;
                u64::from(if random.chance(70) { size } else { size.wrapping_neg() & 0x1ff_ffff })
            }
            (Meaning::CurrentRate, Mood::Edge) => random.pick(&[self.min_rate, self.line_rate]),
            (Meaning::CurrentRate, _) => random.between(self.min_rate, self.line_rate.max(self.min_rate)),
            (Meaning::Flow, _) => random.below(self.flows),
            // Halves of few identifiers, two of which have the same digest.
            (Meaning::CpidHigh, _) => (CPID ^ random.pick(&[0, 1 << 32])) >> 32,
            (Meaning::CpidLow, _) => (CPID ^ random.pick(&[0, 1 << 16, 1])) & 0xffff_ffff,
            // Few are of no queue.
            (Meaning::Queue(queues), _) if random.chance(95) => random.below(queues.into()),
            (Meaning::Queue(_), _) => random.below(64),
            (Meaning::Any(bits), Mood::Edge) => return random.edge(usize::from(bits)),
            (Meaning::Any(bits), _) => return random.bus(usize::from(bits)),
            (_, Mood::Edge) => return random.edge(meaning.bits()),
            (_, Mood::Random) => return random.bus(meaning.bits()),
        };
        value as u32
    }
}

/// The magnitude of offsets: from one byte to the value at which QCN's quantiser saturates.
fn random_span(q0: u64, random: &mut Random) -> u64 {
    random.pick(&[1, 64, q0 / 8, q0, 4 * q0])
}

/// The meaning of an input, which decides its values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meaning {
    /// QntzFb.
    QuantizedFeedback,
    /// 64-octet units, two's complement.
    Units,
    /// Smallest interval between samples.
    IntervalLow,
    /// Largest minus smallest sampling interval.
    IntervalSpan,
    /// Bytes per cycle.
    Rate,
    /// The same, between minimum and line rate.
    CurrentRate,
    /// Length of a frame that waits.
    Request,
    /// Number of bytes that enter or leave a queue.
    Bytes,
    /// Length of a frame that was sent.
    Sent,
    /// Bytes, two's complement in 25 bits.
    Offset,
    /// Number of a queue, of so many.
    Queue(u8),
    /// Number of a flow that the circuit serves.
    Flow,
    /// Bits 63 to 32 of the identifier of a congestion point.
    CpidHigh,
    /// Bits 31 to 0 of the identifier of a congestion point.
    CpidLow,
    /// Any other meaning, with this number of bits.
    Any(u8),
}

impl Meaning {
    /// The meaning of the input with this name.
    pub fn of(name: &str, bits: usize) -> Self {
        match name {
            "quantized_feedback" => Meaning::QuantizedFeedback,
            "q_offset_units" | "q_delta_units" => Meaning::Units,
            "interval_low" => Meaning::IntervalLow,
            "interval_span" => Meaning::IntervalSpan,
            "rate" | "target" => Meaning::Rate,
            "flow" | "feedback_flow" => Meaning::Flow,
            "frame_cpid_high" => Meaning::CpidHigh,
            "frame_cpid_low" => Meaning::CpidLow,
            "request_bytes" => Meaning::Request,
            "enqueue_bytes" | "dequeue_bytes" => Meaning::Bytes,
            "sent_bytes" => Meaning::Sent,
            "q_offset" | "q_delta" => Meaning::Offset,
            _ => Meaning::Any(bits as u8),
        }
    }

    fn bits(self) -> usize {
        match self {
            Meaning::QuantizedFeedback => 6,
            Meaning::Units => 16,
            Meaning::Rate | Meaning::CurrentRate | Meaning::Offset => 25,
            Meaning::Request => 14,
            Meaning::Bytes | Meaning::Sent | Meaning::IntervalLow | Meaning::IntervalSpan => 24,
            Meaning::Queue(_) => 6,
            Meaning::Flow => 12,
            Meaning::CpidHigh | Meaning::CpidLow => 32,
            Meaning::Any(bits) => usize::from(bits),
        }
    }
}
