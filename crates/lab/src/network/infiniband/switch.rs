// SPDX-License-Identifier: MIT OR Apache-2.0
//! A switch with input buffers: which packet goes when.
//!
//! Packets wait in the order in which their headers have come. A packet goes if its header has been forwarded, its input
//! sends nothing else, its output is free, and the next buffer has a free slot. A younger packet may go before an older one
//! for which that is not so; but the head of a queue is bypassed only so often (Santos 2002, section IV.B, note 6).

use super::topology::{Fabric, Queueing};
use super::{Packet, Upstream};
use tidegate_core::units::Cycles;
use tidegate_schemes::infiniband::rule::Events;

/// No such place.
const NONE: u32 = u32::MAX;

/// An input and its buffer.
pub(super) struct Input {
    /// Who sends to it.
    pub upstream: Upstream,
    /// The cycle in which it can send the next packet.
    free: Cycles,
    /// Slots in use.
    pub used: u32,
    /// Packets that have a slot, and whose header has not come yet.
    pub arriving: u32,
    /// Credits on their way back.
    pub returning: u32,
}

/// An output and the link behind it.
pub(super) struct Port {
    /// Its number in the network.
    pub number: u32,
    /// The cycle in which the link is free.
    free: Cycles,
    /// Free slots of the next buffer, as far as known.
    pub credits: u32,
}

/// A packet that waits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Waiting {
    pub packet: Packet,
    pub input: u32,
    pub port: u32,
    /// When it can go.
    ready: Cycles,
    /// How often it was bypassed as the head of its queue.
    bypassed: u32,
}

impl Waiting {
    /// Whether it has waited for anything until cycle `now`.
    pub fn has_waited(&self, now: Cycles) -> bool {
        self.ready < now
    }
}

/// A switch without its marking.
pub(super) struct Switch<M> {
    pub marker: M,
    pub inputs: Vec<Input>,
    pub ports: Vec<Port>,
    /// In the order of their headers.
    pub waiting: Vec<Waiting>,
    /// For each queue the place of its head among those that wait.
    heads: Vec<u32>,
    /// What the marking sees of a cycle.
    pub events: Events,
    pub marks: Vec<bool>,
    /// Packets that begin to leave in this cycle, in the order of `events.leave`.
    pub leaving: Vec<Waiting>,
    /// Packets whose header is complete in this cycle.
    pub entering: Vec<Waiting>,
}

impl<M> Switch<M> {
    /// Empty; inputs and ports are as many as `upstreams`. Ports that are no output lead nowhere.
    pub fn new(marker: M, upstreams: Vec<Upstream>, outputs: &[(u32, u32, u32)], buffer_packets: u32) -> Self {
        let count = upstreams.len();
        let inputs =
            upstreams.into_iter().map(|upstream| Input { upstream, free: 0, used: 0, arriving: 0, returning: 0 });
        let mut ports: Vec<Port> = (0..count).map(|_| Port { number: NONE, free: 0, credits: 0 }).collect();
        for &(number, port, credits) in outputs {
            ports[port as usize] = Port { number, free: 0, credits };
        }
        let most = count * buffer_packets as usize;
        Switch {
            marker,
            inputs: inputs.collect(),
            ports,
            waiting: Vec::with_capacity(most),
            heads: vec![NONE; count],
            events: Events::default(),
            marks: Vec::with_capacity(count),
            leaving: Vec::with_capacity(count),
            entering: Vec::with_capacity(count),
        }
    }

    /// Starts a cycle.
    pub fn begin(&mut self) {
        self.events.leave.clear();
        self.events.free.clear();
        self.events.enter.clear();
        self.events.complete.clear();
        self.marks.clear();
        self.leaving.clear();
        self.entering.clear();
    }

    /// A slot of an input is free.
    pub fn free(&mut self, input: u32) {
        self.events.free.push(input as usize);
        let input = &mut self.inputs[input as usize];
        input.used -= 1;
        input.returning += 1;
    }

    /// The header of a packet is complete in cycle `now`. Returns when it can go.
    pub fn enter(&mut self, now: Cycles, fabric: &Fabric, packet: Packet, input: u32, port: u32) -> Cycles {
        let ready = now + fabric.forwarding - fabric.header;
        self.events.enter.push((port as usize, input as usize));
        self.entering.push(Waiting { packet, input, port, ready, bypassed: 0 });
        let input = &mut self.inputs[input as usize];
        input.arriving -= 1;
        input.used += 1;
        ready
    }

    /// The last byte of a packet is in.
    pub fn complete(&mut self, input: u32) {
        self.events.complete.push(input as usize);
    }

    /// Decides which packets begin to leave in cycle `now`; then those that enter wait.
    pub fn schedule(&mut self, now: Cycles, fabric: &Fabric) {
        self.heads.fill(NONE);
        let mut kept = 0;
        for at in 0..self.waiting.len() {
            let waiting = self.waiting[at];
            let queue = match fabric.queueing {
                Queueing::Input => waiting.input as usize,
                Queueing::Switch => 0,
            };
            let head = self.heads[queue];
            let starved = head != NONE && self.waiting[head as usize].bypassed >= fabric.bypass_limit;
            let input = &mut self.inputs[waiting.input as usize];
            let port = &mut self.ports[waiting.port as usize];
            let goes = !starved
                && waiting.ready <= now
                && (input.free <= now || !fabric.one_of_input)
                && port.free <= now
                && port.credits > 0;
            if !goes {
                if head == NONE {
                    self.heads[queue] = kept as u32;
                }
                self.waiting[kept] = waiting;
                kept += 1;
                continue;
            }
            if head != NONE {
                self.waiting[head as usize].bypassed += 1;
            }
            (input.free, port.free) = (now + fabric.packet, now + fabric.packet);
            port.credits -= 1;
            self.events.leave.push((waiting.port as usize, waiting.input as usize));
            self.leaving.push(waiting);
        }
        self.waiting.truncate(kept);
        self.waiting.extend_from_slice(&self.entering);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tidegate_schemes::infiniband::rule::FullWhen;

    const FABRIC: Fabric = Fabric {
        packet: 100,
        header: 1,
        forwarding: 2,
        link: 1,
        credit: 1,
        ack: 1,
        buffer_packets: 15,
        full_when: FullWhen::Header,
        bypass_limit: 4,
        queueing: Queueing::Input,
        one_of_input: true,
        marks_cut_through: true,
    };

    /// Outputs of the packets in the order in which they leave: ten at input 0, first one for output 0, then for output 1,
    /// while output 0 has no credit until cycle 700, and one for output 1 at input 1.
    fn order(fabric: &Fabric) -> Vec<(u32, u32)> {
        let upstreams = vec![Upstream { component: 0, port: 0 }; 2];
        let mut switch = Switch::new((), upstreams, &[(0, 0, 0), (1, 1, u32::MAX)], fabric.buffer_packets);
        let packet = Packet { flow: 0, hop: 0, marked: false };
        let mut order = Vec::new();
        for now in 0..3000 {
            switch.begin();
            if now < 10 {
                switch.inputs[0].arriving += 1;
                switch.enter(now, fabric, packet, 0, u32::from(now > 0));
            }
            if now == 600 {
                switch.inputs[1].arriving += 1;
                switch.enter(now, fabric, packet, 1, 1);
            }
            if now == 700 {
                switch.ports[0].credits += 1;
            }
            switch.schedule(now, fabric);
            order.extend(switch.leaving.iter().map(|leaving| (leaving.input, leaving.port)));
        }
        order
    }

    #[test]
    fn the_head_of_an_input_is_bypassed_four_times() {
        let mut expected = vec![(0, 1); 4];
        expected.extend([(1, 1), (0, 0)]);
        expected.extend([(0, 1); 5]);
        assert_eq!(order(&FABRIC), expected);
    }

    #[test]
    fn the_head_of_a_switch_stops_the_other_input_too() {
        let mut expected = vec![(0, 1); 4];
        expected.extend([(0, 0), (1, 1)]);
        let found = order(&Fabric { queueing: Queueing::Switch, ..FABRIC });
        assert_eq!(found[..4], expected[..4]);
        assert_eq!(found[4], (0, 0), "nothing goes before the head");
        assert_eq!(found.len(), 11);
    }

    #[test]
    fn without_bypass_all_wait_for_the_head() {
        let found = order(&Fabric { bypass_limit: 0, ..FABRIC });
        assert_eq!(found[..2], [(1, 1), (0, 0)]);
    }
}
