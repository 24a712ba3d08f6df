// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is to be done in a network, and what its flows do next.
//!
//! Here and in the modules beside this one, what each packet passes through is always inlined: otherwise some of it
//! becomes calls, and values that could be in registers go through memory.

use super::flow::{Expected, Flow};
use super::output::Output;
use super::wheel::Wheel;
use super::{Event, Observer, Packet, Place};
use tidegate_core::units::Cycles;

/// Who works in a cycle. In the order in which they work: arrivals at an output come in the order of the links.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Work {
    /// An output, or the number of outputs + a flow.
    pub component: u32,
    /// The link on which a packet arrives at the output.
    pub link: u32,
    /// The packet that arrives.
    pub packet: Option<Packet>,
}

impl Work {
    fn wake(component: u32) -> Self {
        Work { component, link: 0, packet: None }
    }

    /// What it is if it is neither a packet nor work that is due.
    #[inline(always)]
    pub fn notice(self) -> Option<Notice> {
        // One comparison for all that is none. A packet has the number of a link, which is smaller.
        if self.link < JOIN {
            return None;
        }
        Some(match self.link {
            JOIN => Notice::Join,
            STOP => Notice::Stop,
            _ => Notice::Go,
        })
    }
}

/// What reaches a component, if it is no packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Notice {
    /// A flow begins to get the pause frames of its first output.
    Join,
    /// A pause frame stops the component.
    Stop,
    /// A pause frame ends this.
    Go,
}

/// Links between outputs have the numbers behind those of the flows' own links.
const FIRST_LINK_OF_OUTPUTS: u32 = 1 << 31;
/// In place of a hop: the packet arrives at the first output of its path if its flow still expects it to.
pub(super) const EXPECTED: u16 = u16::MAX;
/// In place of a link: a flow begins to get pause frames; one that stops the component, and one that ends this.
const JOIN: u32 = u32::MAX - 2;
const STOP: u32 = u32::MAX - 1;
const GO: u32 = u32::MAX;

/// The work of later cycles.
pub(super) struct Agenda {
    wheel: Wheel<Work>,
    /// The component that is the first flow.
    first_flow: u32,
    /// When each flow works next; `Cycles::MAX` if it need not. If its packet is expected, that may be in an earlier
    /// cycle than the present one: its work is done before anything reaches it that depends on it.
    pub due: Vec<Cycles>,
    /// Packets on their way to an output.
    pub on_links: u64,
}

impl Agenda {
    /// Empty, at cycle 0, of a network with so many outputs.
    pub fn new(outputs: usize) -> Self {
        Agenda { wheel: Wheel::new(), first_flow: outputs as u32, due: Vec::new(), on_links: 0 }
    }

    /// See [`Wheel::take`].
    #[inline(always)]
    pub fn take(&mut self, end: Cycles, others: &mut Vec<Work>) -> Option<(Cycles, Work)> {
        self.wheel.take(end, others)
    }

    /// An output works in a cycle at the latest.
    #[inline(always)]
    pub fn wake(&mut self, output: &mut Output, cycle: Cycles) {
        if cycle < output.due {
            output.due = cycle;
            self.wheel.put(cycle, Work::wake(output.number));
        }
    }

    /// One more flow, which works first in this cycle.
    pub fn add_flow(&mut self, due: Cycles) {
        self.wheel.put(due, Work::wake(self.first_flow + self.due.len() as u32));
        self.due.push(due);
    }

    /// A packet that has left an output arrives at the next one of its path in cycle `arrives`.
    pub fn forward(&mut self, arrives: Cycles, from: u32, to: u32, packet: Packet) {
        self.on_links += 1;
        let link = FIRST_LINK_OF_OUTPUTS + from;
        self.wheel.put(arrives, Work { component: to, link, packet: Some(packet) });
    }

    /// A pause frame arrives at a component.
    pub fn pause(&mut self, arrives: Cycles, component: u32, stops: bool) {
        let link = if stops { STOP } else { GO };
        self.wheel.put(arrives, Work { component, link, packet: None });
    }

    /// A flow begins to get pause frames: see [`Network::join`](super::Network::join).
    pub fn join(&mut self, cycle: Cycles, component: u32) {
        self.wheel.put(cycle, Work { component, link: JOIN, packet: None });
    }

    /// The largest number of items that were in it at a time.
    #[cfg(test)]
    pub fn most(&self) -> usize {
        self.wheel.most()
    }

    /// Something has reached the flow, or its link, that can change what it does next.
    pub fn plan<O: Observer>(&mut self, flow: &mut Flow) {
        self.due[flow.number as usize] = flow.look_ahead();
        self.expect::<O>(flow);
    }

    /// Puts into the wheel what the flow does next: its next packet at the first switch, if all that it does before is
    /// to start it. While a packet is on its way there, nothing that the flow does can reach the switch earlier.
    #[inline(always)]
    pub fn expect<O: Observer>(&mut self, flow: &mut Flow) {
        let started = matches!(flow.expected, Expected::Started(_));
        if !O::IN_ORDER && (started || flow.expected == Expected::Planned(flow.arrival)) {
            return;
        }
        if !O::IN_ORDER && flow.arrival != Cycles::MAX {
            flow.expected = Expected::Planned(flow.arrival);
            self.send(flow, flow.arrival, EXPECTED);
            return;
        }
        if !started {
            flow.expected = Expected::Nothing;
        }
        self.wheel.put(self.due[flow.number as usize], Work::wake(self.first_flow + flow.number));
    }

    /// A packet of a flow arrives at the first switch.
    #[inline(always)]
    fn send(&mut self, flow: &Flow, arrives: Cycles, hop: u16) {
        let packet = Some(Packet { flow: flow.number, hop, marked: false });
        self.wheel.put(arrives, Work { component: flow.first_output, link: flow.number, packet });
    }

    /// Whether the packet that the flow was expected to send arrives at the first switch in cycle `now`.
    #[inline(always)]
    pub fn arrives<O: Observer>(&mut self, now: Cycles, end: Cycles, flow: &mut Flow, observer: &mut O) -> bool {
        let (Expected::Planned(arrival) | Expected::Started(arrival)) = flow.expected else { return false };
        if arrival != now {
            return false;
        }
        self.flow_before(now, end, flow, observer);
        flow.expected = Expected::Nothing;
        self.expect::<O>(flow);
        true
    }

    /// The flow works in all its cycles before cycle `now`.
    #[inline(always)]
    pub fn flow_before<O: Observer>(&mut self, now: Cycles, end: Cycles, flow: &mut Flow, observer: &mut O) {
        while self.due[flow.number as usize] < now {
            self.flow(self.due[flow.number as usize], end, flow, observer);
        }
    }

    /// Cycle `now` of a flow, and the next one too if it then only starts a packet.
    #[inline(always)]
    pub fn flow<O: Observer>(&mut self, now: Cycles, end: Cycles, flow: &mut Flow, observer: &mut O) {
        let arrives = match flow.grant(now, end) {
            Some(arrival) => Some(arrival),
            None => Self::cycle(now, flow, observer),
        };
        match (arrives, flow.expected) {
            (Some(arrival), Expected::Planned(planned)) if arrival == planned => {
                self.on_links += 1;
                flow.expected = Expected::Started(arrival);
            }
            (Some(arrival), _) => {
                self.on_links += 1;
                self.send(flow, arrival, 0);
            }
            (None, Expected::Planned(_)) => flow.expected = Expected::Nothing,
            (None, _) => {}
        }
        self.due[flow.number as usize] = flow.look_ahead();
    }

    /// Cycle `now` of a flow in which it does not only start a packet. If it starts one, when that arrives at the first
    /// switch.
    #[inline(never)]
    fn cycle<O: Observer>(now: Cycles, flow: &mut Flow, observer: &mut O) -> Option<Cycles> {
        let outcome = flow.cycle(now);
        let place = Place { output: None, flow: flow.number, queue_bytes: 0, register_bytes: 0 };
        if let Some(payload) = outcome.feedback {
            observer.event(now, place, Event::FeedbackReceived(payload));
        }
        if let Some(rate) = outcome.rate {
            observer.event(now, place, Event::Rate(rate));
        }
        outcome.arrives
    }
}
