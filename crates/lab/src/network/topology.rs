// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a network consists of.

use super::flow::Traffic;
use tidegate_core::units::{Cycles, Rate};
use tidegate_schemes::model::starts::Starts;
use tidegate_schemes::scheme::parameters::Parameters;

/// Pause frames (IEEE 802.1Q, priority-based flow control, with one priority): an output stops all links that bring packets
/// for it while its queue is long. A link that is stopped carries nothing, whatever the way of its packets. The packet that
/// is being sent when the pause frame arrives is sent to its end.
#[derive(Clone, Copy, Debug)]
pub struct Pause {
    /// Bytes in the queue from which on the links are stopped.
    pub at_bytes: u32,
    /// Bytes in the queue down to which they stay so.
    pub resume_bytes: u32,
}

/// How much longer it takes to make a feedback frame than its circuit does: drawn anew for each frame, all whole numbers of
/// cycles of the range with the same chance.
#[derive(Clone, Copy, Debug)]
pub struct Latency {
    /// The shortest one, cycles.
    pub least: Cycles,
    /// The longest one, cycles.
    pub most: Cycles,
    /// Seed of the draws.
    pub seed: u64,
}

/// The output of a switch: a queue and the link behind it.
#[derive(Clone, Debug)]
pub struct OutputSpec {
    /// Rate of the link.
    pub rate: Rate,
    /// Cycles that it takes from one end of the link to the other, whatever the packet.
    pub delay: Cycles,
    /// Bytes that the queue holds. A packet for which there is no room is dropped.
    pub buffer_bytes: u32,
    /// Whether a packet for which there is no room can be a sample.
    pub samples_dropped: bool,
    /// When it stops those who send to it; none: never.
    pub pause: Option<Pause>,
    /// Number of its congestion point, from 0, which chooses CPID and seed; none: it has none.
    pub congestion_point: Option<u16>,
    /// The latency of its feedback frames, in addition to that of the circuit; none: they leave at once.
    pub latency: Option<Latency>,
}

/// ON and OFF times of random length, exponentially distributed.
#[derive(Clone, Copy, Debug)]
pub struct OnOff {
    /// Mean length of an ON time, cycles.
    pub on: f64,
    /// Mean length of an OFF time, cycles.
    pub off: f64,
    /// Seed of the lengths.
    pub seed: u64,
}

/// A flow: its source, and the way of its packets.
#[derive(Clone, Debug)]
pub struct FlowSpec {
    /// How it sends.
    pub traffic: Traffic,
    /// Length of its packets, bytes.
    pub packet_bytes: u32,
    /// The cycle from which on it has packets.
    pub start: Cycles,
    /// The cycle from which on it has none; `Cycles::MAX`: always.
    pub stop: Cycles,
    /// How many packets it has; `u64::MAX`: it does not end.
    pub packets: u64,
    /// It has packets in ON times only, the first of which begins with it; none: all the time.
    pub on_off: Option<OnOff>,
    /// The rate with which its reaction point starts; none: line rate.
    pub start_rate: Option<Rate>,
    /// Cycles that it takes from the source to the first switch.
    pub delay: Cycles,
    /// The outputs that its packets pass, in this order.
    pub path: Vec<u32>,
}

/// The link behind an output, or that of a flow to the first switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Link {
    /// Of the output with this number.
    Output(u32),
    /// Of the flow with this number.
    Flow(u32),
}

/// From a cycle on, a link has another delay. A packet has the one of the cycle in which its source starts it or in which it
/// has left its output, and feedback that of the cycle in which it comes to the link. What is on the link arrives as it
/// would have, and nothing overtakes it: behind it, packets arrive at the rate of the link until they are as early as the
/// new delay says.
#[derive(Clone, Copy, Debug)]
pub struct DelayChange {
    /// The cycle.
    pub at: Cycles,
    /// The link.
    pub link: Link,
    /// Its delay, cycles.
    pub delay: Cycles,
}

/// A network.
#[derive(Clone, Debug, Default)]
pub struct Topology {
    /// The outputs of all switches.
    pub outputs: Vec<OutputSpec>,
    /// The flows. Each has a link of its own into the first switch, at line rate.
    pub flows: Vec<FlowSpec>,
    /// Delays that change; not in a network with pause frames.
    pub delay_changes: Vec<DelayChange>,
}

impl Topology {
    /// For each output whether a path ends there, and whether nothing in the network depends on when packets leave it: no
    /// path goes on behind it, and it stops nobody.
    pub(super) fn last_outputs(&self) -> Vec<(bool, bool)> {
        let mut last: Vec<_> = self.outputs.iter().map(|output| (false, output.pause.is_none())).collect();
        for (&end, before) in self.flows.iter().filter_map(|flow| flow.path.split_last()) {
            last[end as usize].0 = true;
            before.iter().for_each(|&output| last[output as usize].1 = false);
        }
        last
    }

    /// The outputs that send packets to an output, each with the cycles of the link between.
    pub(super) fn outputs_before(&self, output: u32) -> Vec<(u32, Cycles)> {
        let mut all = Vec::new();
        for pair in self.flows.iter().flat_map(|flow| flow.path.windows(2)).filter(|pair| pair[1] == output) {
            let sender = (pair[0], self.outputs[pair[0] as usize].delay);
            if !all.contains(&sender) {
                all.push(sender);
            }
        }
        all
    }

    /// The dumbbell of the keys of the benches: `flows` sources, and a background flow if `background_mbps` is not 0,
    /// into one queue.
    pub fn dumbbell(parameters: &Parameters) -> Self {
        let mut starts = Starts::new(parameters);
        let packet_bytes = parameters.integer("packet_bytes") as u32;
        let delay = parameters.integer("propagation_cycles");
        let mut flow = |traffic| FlowSpec {
            traffic,
            packet_bytes,
            start: starts.start(),
            stop: Cycles::MAX,
            packets: u64::MAX,
            on_off: None,
            start_rate: None,
            delay,
            path: vec![0],
        };
        let mut flows: Vec<_> = (0..parameters.integer("flows")).map(|_| flow(Traffic::Controlled)).collect();
        let background = parameters.rate("background_mbps");
        if background.0 > 0 {
            flows.push(flow(Traffic::Fixed(background)));
        }
        let outputs = vec![OutputSpec {
            rate: parameters.bottleneck(),
            delay: 0,
            buffer_bytes: parameters.integer("buffer_bytes") as u32,
            samples_dropped: false,
            pause: None,
            congestion_point: Some(0),
            latency: None,
        }];
        Topology { outputs, flows, delay_changes: Vec::new() }
    }
}
