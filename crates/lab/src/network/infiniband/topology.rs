// SPDX-License-Identifier: MIT OR Apache-2.0
//! An InfiniBand network as data: switches, the outputs of each, flows, and the times of the network.

use crate::network::topology::OnOff;
use tidegate_core::units::{Cycles, Micro};
use tidegate_schemes::infiniband::rule::{FullWhen, full_when};
use tidegate_schemes::scheme::parameters::{Kind, Parameters, Specification, cycles_of, key};

/// The longest time of a link or a switch, in millionths of a ns: a millisecond.
const TIME_MAX: u64 = 1_000_000_000_000;

/// The keys of a network, beside those of the scheme. What the paper does not state is a choice: see `docs/scenarios.md`.
pub const KEYS: &[Specification] = &[
    key("header_bytes", Kind::Integer(1, 64), "20", "part of a packet that tells its output"),
    key("ack_bytes", Kind::Integer(1, 16_384), "20", "length of an ACK"),
    key(
        "forwarding_ns",
        Kind::Decimal(0, TIME_MAX),
        "40",
        "least time from the first byte into a switch to the first out",
    ),
    key("link_ns", Kind::Decimal(0, TIME_MAX), "20", "delay of a link"),
    key("credit_ns", Kind::Decimal(0, TIME_MAX), "20", "time from a free slot to the credit at the sender"),
    key("bypass_limit", Kind::Integer(0, 1_000_000), "4", "how often the head of a queue can be bypassed"),
    key("sends_of_input", Kind::Choice(&["one", "any"]), "one", "how many packets an input can send at a time"),
    key(
        "marks_cut_through",
        Kind::Flag,
        "true",
        "a packet that goes on without waiting is marked if the marking says so; else it only counts",
    ),
    key("queue_of", Kind::Choice(&["input", "switch"]), "input", "what has a queue whose head is protected"),
];

/// Which packets wait in one queue, whose head is bypassed only so often.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Queueing {
    /// Those of an input.
    Input,
    /// Those of a switch.
    Switch,
}

/// Times and rules of all links and switches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fabric {
    /// A packet time.
    pub packet: Cycles,
    /// From the first byte of a packet to the end of its header.
    pub header: Cycles,
    /// From the first byte into a switch to the first byte out; more than `header`.
    pub forwarding: Cycles,
    /// From one end of a link to the other; at least 1.
    pub link: Cycles,
    /// From a free slot to the credit at the sender; at least 1.
    pub credit: Cycles,
    /// From the first byte of an ACK to its last.
    pub ack: Cycles,
    /// Slots of the buffer of each input.
    pub buffer_packets: u32,
    /// When a buffer is full, so that the marking starts.
    pub full_when: FullWhen,
    /// How often the head of a queue can be bypassed.
    pub bypass_limit: u32,
    /// What a queue is.
    pub queueing: Queueing,
    /// Whether an input sends one packet at a time, or any number to different outputs. The circuit of the marking can
    /// only do with one.
    pub one_of_input: bool,
    /// Whether a packet that goes on without waiting is marked if the marking says so. If not, the marking has counted
    /// it as marked all the same.
    pub marks_cut_through: bool,
}

impl Fabric {
    /// With the parameters of a scheme, and those of [`KEYS`]. Times are rounded to cycles: at 250 MHz and 8 Gb/s, those
    /// of the paper are whole numbers.
    pub fn new(scheme: &Parameters, keys: &Parameters) -> Self {
        let clock = scheme.decimal("clock_mhz");
        let ns = |key: &str| cycles_of(Micro(keys.decimal(key).0 / 1000), clock);
        let bytes = |bytes: u64| {
            let (bits_times_clock, rate) =
                (u128::from(8 * bytes) * u128::from(clock.0), scheme.decimal("line_rate_mbps").0);
            bits_times_clock.div_ceil(u128::from(rate)) as Cycles
        };
        let header = bytes(keys.integer("header_bytes"));
        Fabric {
            packet: tidegate_schemes::infiniband::rule::packet_cycles(scheme),
            header,
            forwarding: ns("forwarding_ns").max(header + 1),
            link: ns("link_ns").max(1),
            credit: ns("credit_ns").max(1),
            ack: bytes(keys.integer("ack_bytes")),
            buffer_packets: scheme.integer("buffer_packets") as u32,
            full_when: full_when(scheme),
            bypass_limit: keys.integer("bypass_limit") as u32,
            one_of_input: keys.choice("sends_of_input") == "one",
            marks_cut_through: keys.flag("marks_cut_through"),
            queueing: if keys.choice("queue_of") == "switch" { Queueing::Switch } else { Queueing::Input },
        }
    }
}

/// An output of a switch, with the link behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutputSpec {
    /// The switch.
    pub switch: u32,
    /// Number of the output in its switch.
    pub port: u32,
    /// Switch and input to which the link goes; none: to a host, which takes every packet.
    pub to: Option<(u32, u32)>,
}

/// How a flow sends. Flows with a rate have a window of one packet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Traffic {
    /// At the discrete rates of a reaction point, a device that circuit and model are.
    Controlled,
    /// At any rate: by the closed forms of the response functions.
    Continuous,
    /// At R_max divided by this.
    Fixed(f64),
    /// As fast as link, credits and a window of so many packets let it.
    Window(u32),
}

/// A flow: its host, and the way of its packets.
#[derive(Clone, Debug)]
pub struct FlowSpec {
    /// How it sends.
    pub traffic: Traffic,
    /// The switch and the input to which its host is connected; no other flow has this input.
    pub at: (u32, u32),
    /// The outputs that its packets pass, in this order; the last one leads to a host.
    pub path: Vec<u32>,
    /// The cycle from which on it has packets.
    pub start: Cycles,
    /// The cycle from which on it has none; `Cycles::MAX`: always.
    pub stop: Cycles,
    /// Whether it comes and goes. At its start it is ON or OFF, with the chances that it has later.
    pub on_off: Option<OnOff>,
}

/// A network.
#[derive(Clone, Debug)]
pub struct Topology {
    /// Times and rules.
    pub fabric: Fabric,
    /// For each switch, the number of its inputs, and of its outputs.
    pub switches: Vec<usize>,
    /// The outputs of all switches.
    pub outputs: Vec<OutputSpec>,
    /// The flows, each with a host of its own.
    pub flows: Vec<FlowSpec>,
}
