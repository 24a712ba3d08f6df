// SPDX-License-Identifier: MIT OR Apache-2.0
//! InfiniBand networks, event by event and exact to the clock cycle of the hardware: hosts, links with credits, switches
//! with input buffers and virtual cut-through, which mark packets, and ACKs that bring the marks back (Santos 2002).
//!
//! A packet takes a slot of the next buffer with a credit, and enters that buffer when its header is complete; the
//! packet is complete when its last byte is in, a packet time after its first one. It begins to leave when its output
//! is free, even while it still comes in; its slot is free when its last byte has left, and the credit goes back. No
//! packet is ever lost. ACKs are sent when the last byte has arrived, on a lane of their own: they wait for nothing and
//! take no slots.
//!
//! The marking of a switch and the reaction point of a source are devices: models here, and circuits where
//! `testbenches/infiniband` compares both. In every cycle the switches work first, in the order of their numbers, and then
//! the hosts. What one does reaches another one cycle later at the earliest, so this order decides nothing but the order of
//! the events of one cycle.

pub mod device;
mod host;
mod pace;
mod switch;
pub mod topology;

use self::device::{Marker, ReactionPoint};
use self::host::Host;
use self::switch::Switch;
use self::topology::{Fabric, Topology};
use super::wheel::Wheel;
use tidegate_core::units::Cycles;
use tidegate_schemes::infiniband::model::SourceModel;
use tidegate_schemes::infiniband::rule::{Counters, FullWhen, Marking, Source, marking};
use tidegate_schemes::scheme::parameters::Parameters;

/// A packet on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Packet {
    flow: u32,
    /// How many outputs it has passed.
    hop: u32,
    marked: bool,
}

/// Who sends to an input, and gets its credits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Upstream {
    component: u32,
    port: u32,
}

/// What happens in a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A host begins to send a packet.
    Sent,
    /// The header of a packet for this output is complete.
    Entered,
    /// A packet begins to leave: whether it is marked there, and the counters of the output after the cycle.
    Left(bool, Counters),
    /// The last byte of a packet has arrived: whether it is marked.
    Delivered(bool),
    /// Its ACK has arrived.
    Acknowledged(bool),
    /// A reaction point has this inter-packet delay.
    Delay(u32),
}

/// Where something happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The output of a switch; none if it happens at a host.
    pub output: Option<u32>,
    /// The flow.
    pub flow: u32,
    /// Packets in the switch that wait for the output; 0 at a host.
    pub waiting: u32,
}

/// Who looks at a run. All calls come in the order of time.
pub trait Observer {
    /// Something happens in cycle `now`.
    fn event(&mut self, now: Cycles, place: Place, event: Event);
}

/// Nobody looks.
impl Observer for () {
    fn event(&mut self, _now: Cycles, _place: Place, _event: Event) {}
}

/// What is to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Act {
    /// A slot of this input is free.
    Free(u32),
    /// A credit for this output of a switch, or for the link of a host.
    Credit(u32),
    /// The header of a packet is complete at this input.
    Enter(u32, Packet),
    /// The last byte of a packet is in at this input.
    Complete(u32),
    /// The last byte of a packet of this host's flow has arrived at the receiver.
    Delivered(bool),
    /// Its ACK has arrived.
    Ack(bool),
    /// Nothing but to look.
    Look,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Work {
    /// A switch, or the number of switches + a host.
    component: u32,
    act: Act,
}

/// What an output has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct OutputCount {
    /// Packets in the switch that wait for it.
    pub waiting: u32,
    /// Packets for it that entered the switch.
    pub entered: u64,
    /// Packets that left on it.
    pub left: u64,
    /// Those of them that it marked.
    pub marked: u64,
}

/// A network.
pub struct Network<M, R> {
    fabric: Fabric,
    switches: Vec<Switch<M>>,
    hosts: Vec<Host<R>>,
    /// For each host, the switch and the input to which it is connected.
    at: Vec<(u32, u32)>,
    /// For each output, where its link goes.
    to: Vec<Option<(u32, u32)>>,
    /// For each output, its number in its switch.
    port: Vec<u32>,
    outputs: Vec<OutputCount>,
    /// When each host works next; `Cycles::MAX` if it need not.
    due: Vec<Cycles>,
    wheel: Wheel<Work>,
    on_links: u64,
    work: Vec<Work>,
}

impl Network<Marking, SourceModel> {
    /// A network of models. Their numbers of ports are those of the topology.
    pub fn of_models(parameters: &Parameters, topology: &Topology) -> Self {
        let Fabric { packet, buffer_packets, full_when, .. } = topology.fabric;
        let mode = marking(parameters);
        Network::new(
            parameters,
            topology,
            |ports| Marking::new(ports, buffer_packets, mode, full_when),
            || SourceModel::new(Source::of(parameters), packet as u32),
        )
    }
}

impl<M: Marker, R: ReactionPoint> Network<M, R> {
    /// A network at cycle 0. `marker` makes the marking of a switch with so many ports, and `point` a reaction point.
    pub fn new(
        parameters: &Parameters,
        topology: &Topology,
        marker: impl Fn(usize) -> M,
        point: impl Fn() -> R,
    ) -> Self {
        let fabric = topology.fabric;
        let mut upstreams: Vec<Vec<_>> =
            topology.switches.iter().map(|&ports| vec![Upstream { component: u32::MAX, port: 0 }; ports]).collect();
        let switches = topology.switches.len() as u32;
        for output in &topology.outputs {
            if let Some((switch, input)) = output.to {
                let upstream = Upstream { component: output.switch, port: output.port };
                upstreams[switch as usize][input as usize] = upstream;
            }
        }
        for (component, flow) in (switches..).zip(&topology.flows) {
            upstreams[flow.at.0 as usize][flow.at.1 as usize] = Upstream { component, port: 0 };
        }
        let of_switch = |(number, upstreams): (u32, Vec<Upstream>)| {
            let outputs: Vec<_> = (0..)
                .zip(&topology.outputs)
                .filter(|(_, output)| output.switch == number)
                // A host takes every packet.
                .map(|(index, output)| (index, output.port, output.to.map_or(u32::MAX, |_| fabric.buffer_packets)))
                .collect();
            Switch::new(marker(upstreams.len()), upstreams, &outputs, fabric.buffer_packets)
        };
        let mut network = Network {
            fabric,
            switches: (0..).zip(upstreams).map(of_switch).collect(),
            hosts: topology.flows.iter().map(|flow| Host::new(parameters, &fabric, flow, &point)).collect(),
            at: topology.flows.iter().map(|flow| flow.at).collect(),
            to: topology.outputs.iter().map(|output| output.to).collect(),
            port: topology.outputs.iter().map(|output| output.port).collect(),
            outputs: vec![OutputCount::default(); topology.outputs.len()],
            due: vec![Cycles::MAX; topology.flows.len()],
            wheel: Wheel::new(),
            on_links: 0,
            work: Vec::new(),
        };
        for host in 0..network.hosts.len() {
            let first = network.hosts[host].next(0);
            network.wake(host, first);
        }
        network
    }

    /// What the outputs have done, in the order of the topology.
    pub(crate) fn outputs(&self) -> &[OutputCount] {
        &self.outputs
    }

    /// The rate that a flow may have, in units of R_max.
    pub(crate) fn rate(&self, flow: usize) -> f64 {
        self.hosts[flow].rate()
    }

    /// Packets that a flow has sent, and that have reached its receiver.
    pub fn packets_of(&self, flow: usize) -> (u64, u64) {
        (self.hosts[flow].sent, self.hosts[flow].delivered)
    }

    /// Works until the end of the cycle before `end`.
    pub fn run<O: Observer>(&mut self, end: Cycles, observer: &mut O) {
        let mut work = std::mem::take(&mut self.work);
        while let Some((now, first)) = self.wheel.take(end, &mut work) {
            // In front, where the wheel has it: what comes sorted, or the other way round, is sorted soon.
            work.insert(0, first);
            work.sort_unstable();
            for mine in work.chunk_by(|one, other| one.component == other.component) {
                let component = mine[0].component;
                match (component as usize).checked_sub(self.switches.len()) {
                    None => self.switch(now, component, mine, observer),
                    Some(host) => self.host(now, host, mine, observer),
                }
            }
        }
        self.work = work;
    }

    fn put(&mut self, cycle: Cycles, component: u32, act: Act) {
        self.wheel.put(cycle, Work { component, act });
    }

    /// A host works in a cycle at the latest.
    fn wake(&mut self, host: usize, cycle: Cycles) {
        if cycle < self.due[host] {
            self.due[host] = cycle;
            self.put(cycle, (self.switches.len() + host) as u32, Act::Look);
        }
    }

    fn switch<O: Observer>(&mut self, now: Cycles, component: u32, work: &[Work], observer: &mut O) {
        let fabric = self.fabric;
        let switch = &mut self.switches[component as usize];
        switch.begin();
        for work in work {
            match work.act {
                Act::Free(input) => {
                    switch.free(input);
                    let Upstream { component, port } = switch.inputs[input as usize].upstream;
                    self.wheel.put(now + fabric.credit, Work { component, act: Act::Credit(port) });
                }
                Act::Credit(port) => switch.ports[port as usize].credits += 1,
                Act::Enter(input, packet) => {
                    let number = self.hosts[packet.flow as usize].path[packet.hop as usize];
                    let ready = switch.enter(now, &fabric, packet, input, self.port[number as usize]);
                    self.wheel.put(ready, Work { component, act: Act::Look });
                    if fabric.full_when == FullWhen::Whole {
                        match fabric.packet.saturating_sub(fabric.header) {
                            0 => switch.complete(input),
                            rest => self.wheel.put(now + rest, Work { component, act: Act::Complete(input) }),
                        }
                    }
                    self.on_links -= 1;
                    let output = &mut self.outputs[number as usize];
                    (output.entered, output.waiting) = (output.entered + 1, output.waiting + 1);
                }
                Act::Complete(input) => switch.complete(input),
                Act::Look => {}
                Act::Delivered(_) | Act::Ack(_) => unreachable!("that is for hosts"),
            }
        }
        switch.schedule(now, &fabric);
        if !switch.events.is_empty() {
            switch.marker.cycle(now, &switch.events, &mut switch.marks);
        }
        for at in 0..self.switches[component as usize].leaving.len() {
            self.leave(now, component, at, observer);
        }
        let switch = &self.switches[component as usize];
        for entering in &switch.entering {
            let number = switch.ports[entering.port as usize].number;
            let waiting = self.outputs[number as usize].waiting;
            let place = Place { output: Some(number), flow: entering.packet.flow, waiting };
            observer.event(now, place, Event::Entered);
        }
        self.return_credits(component, work);
    }

    /// One of the packets that leave a switch in cycle `now`.
    fn leave<O: Observer>(&mut self, now: Cycles, component: u32, at: usize, observer: &mut O) {
        let fabric = self.fabric;
        let switch = &mut self.switches[component as usize];
        let leaving = switch.leaving[at];
        let marked = switch.marks[at] && (fabric.marks_cut_through || leaving.has_waited(now));
        let number = switch.ports[leaving.port as usize].number;
        let counters = switch.marker.counters(leaving.port as usize);
        let output = &mut self.outputs[number as usize];
        output.waiting -= 1;
        output.left += 1;
        output.marked += u64::from(marked);
        let place = Place { output: Some(number), flow: leaving.packet.flow, waiting: output.waiting };
        observer.event(now, place, Event::Left(marked, counters));
        let end = now + fabric.packet;
        self.wheel.put(end, Work { component, act: Act::Free(leaving.input) });
        let packet = Packet { hop: leaving.packet.hop + 1, marked: leaving.packet.marked | marked, ..leaving.packet };
        self.on_links += 1;
        match self.to[number as usize] {
            Some((next, input)) => {
                self.switches[next as usize].inputs[input as usize].arriving += 1;
                self.put(now + fabric.link + fabric.header, next, Act::Enter(input, packet));
            }
            None => {
                let host = self.switches.len() as u32 + packet.flow;
                self.put(end + fabric.link, host, Act::Delivered(packet.marked));
            }
        }
    }

    /// Counts the credits that have come back to a switch.
    fn return_credits(&mut self, component: u32, work: &[Work]) {
        for work in work {
            if let Act::Credit(port) = work.act {
                let number = self.switches[component as usize].ports[port as usize].number;
                if let Some((switch, input)) = self.to[number as usize] {
                    self.switches[switch as usize].inputs[input as usize].returning -= 1;
                }
            }
        }
    }

    fn host<O: Observer>(&mut self, now: Cycles, number: usize, work: &[Work], observer: &mut O) {
        let component = (self.switches.len() + number) as u32;
        let place = Place { output: None, flow: number as u32, waiting: 0 };
        let (mut ack, mut works) = (None, self.due[number] == now);
        for work in work {
            match work.act {
                Act::Delivered(marked) => {
                    let host = &mut self.hosts[number];
                    host.delivered += 1;
                    let at = now + host.ack;
                    self.on_links -= 1;
                    self.put(at, component, Act::Ack(marked));
                    observer.event(now, place, Event::Delivered(marked));
                }
                Act::Ack(marked) => {
                    (ack, works) = (Some(marked), true);
                    observer.event(now, place, Event::Acknowledged(marked));
                }
                Act::Credit(_) => {
                    let host = &mut self.hosts[number];
                    host.credits += 1;
                    works = true;
                    let (switch, input) = self.at[number];
                    self.switches[switch as usize].inputs[input as usize].returning -= 1;
                }
                Act::Look => {}
                Act::Free(_) | Act::Enter(..) | Act::Complete(_) => unreachable!("that is for switches"),
            }
        }
        if !works {
            return;
        }
        let host = &mut self.hosts[number];
        let outcome = host.cycle(now, ack);
        let next = host.next(now + 1);
        if let Some(delay) = outcome.delay {
            observer.event(now, place, Event::Delay(delay));
        }
        if outcome.starts {
            observer.event(now, place, Event::Sent);
            let (switch, input) = self.at[number];
            self.switches[switch as usize].inputs[input as usize].arriving += 1;
            self.on_links += 1;
            let packet = Packet { flow: number as u32, hop: 0, marked: false };
            self.put(now + self.fabric.link + self.fabric.header, switch, Act::Enter(input, packet));
        }
        self.due[number] = Cycles::MAX;
        self.wake(number, next);
    }

    /// Checks that no packet and no credit is lost or made. Returns how many packets were sent.
    ///
    /// # Panics
    /// One is.
    pub fn check(&self) -> u64 {
        let sum = |of: &dyn Fn(&Host<R>) -> u64| self.hosts.iter().map(of).sum::<u64>();
        let (sent, delivered) = (sum(&|host| host.sent), sum(&|host| host.delivered));
        let waiting: usize = self.switches.iter().map(|switch| switch.waiting.len()).sum();
        assert_eq!(sent, delivered + waiting as u64 + self.on_links, "packets are lost or made");
        let counted: u64 = self.outputs.iter().map(|output| u64::from(output.waiting)).sum();
        assert_eq!(waiting as u64, counted, "packets that wait");
        for (number, switch) in self.switches.iter().enumerate() {
            for (input, buffer) in switch.inputs.iter().enumerate() {
                let Upstream { component, port } = buffer.upstream;
                let credits = match (component as usize).checked_sub(self.switches.len()) {
                    None => self.switches[component as usize].ports[port as usize].credits,
                    Some(host) if host < self.hosts.len() => self.hosts[host].credits,
                    Some(_) => continue, // Nobody sends to this input.
                };
                let all = credits + buffer.arriving + buffer.used + buffer.returning;
                assert_eq!(all, self.fabric.buffer_packets, "credits of input {input} of switch {number}");
            }
        }
        sent
    }
}
