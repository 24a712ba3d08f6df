// SPDX-License-Identifier: MIT OR Apache-2.0
//! The circuits as devices of the network.

use tidegate::bench::machine::{Machine, Maker, Native};
use tidegate::bench::marking::{PINS, pins};
use tidegate::engine::{Input, Output, Simulation};
use tidegate::network::infiniband::device::{Marker, ReactionPoint};
use tidegate::registry::{find, part_ports};
use tidegate::scheme::Part;
use tidegate::scheme::parameters::Parameters;
use tidegate::schemes::infiniband::model::SourceCycle;
use tidegate::schemes::infiniband::rule::{Counters, Events, MarkingMode, marking, ports};
use tidegate::units::Cycles;

/// Paths of cnt1 and cnt2 of the outputs of a switch with eight ports.
const COUNTERS: [&str; 16] = [
    "outputs_0.now_waiting",
    "outputs_0.owed",
    "outputs_1.now_waiting",
    "outputs_1.owed",
    "outputs_2.now_waiting",
    "outputs_2.owed",
    "outputs_3.now_waiting",
    "outputs_3.owed",
    "outputs_4.now_waiting",
    "outputs_4.owed",
    "outputs_5.now_waiting",
    "outputs_5.owed",
    "outputs_6.now_waiting",
    "outputs_6.owed",
    "outputs_7.now_waiting",
    "outputs_7.owed",
];

/// A switch. It is clocked through the cycles without events when the next event comes.
pub struct Switch {
    machine: Simulation,
    /// The next cycle of its clock.
    clock: Cycles,
    bits: u32,
    pins: [Input; 6],
    mark: Output,
    impossible: Output,
    counters: Vec<Output>,
}

impl Switch {
    /// Of `Parameters` with eight ports.
    pub fn maker(parameters: &Parameters) -> impl Fn(usize) -> Switch {
        let scheme = find("infiniband").unwrap();
        let count = ports(parameters);
        assert_eq!(count, 8);
        let probes: &[&str] = if marking(parameters) == MarkingMode::Counters { &COUNTERS } else { &[] };
        let native = Native::of((scheme.circuit)(Part::CongestionPoint, parameters), probes, None);
        let values = part_ports(scheme, parameters, Part::CongestionPoint);
        move |ports| {
            assert_eq!(ports, count, "the circuit has as many ports as the switch");
            let machine = native.make("switch", &|name| values[name]);
            Switch {
                clock: 0,
                bits: count.ilog2(),
                pins: PINS.map(|name| machine.input(name)),
                mark: machine.output("mark"),
                impossible: machine.output("impossible"),
                counters: probes.iter().map(|path| machine.output(path)).collect(),
                machine,
            }
        }
    }

    fn drive(&mut self, values: [u64; 6]) {
        for (pin, value) in self.pins.into_iter().zip(values) {
            self.machine.set(pin, value);
        }
    }
}

impl Marker for Switch {
    fn cycle(&mut self, now: Cycles, events: &Events, marks: &mut Vec<bool>) {
        self.drive([0; 6]);
        while self.clock < now {
            Machine::step(&mut self.machine, self.clock);
            self.clock += 1;
        }
        self.drive(pins(events, self.bits));
        Machine::step(&mut self.machine, now);
        self.clock = now + 1;
        assert_eq!(self.machine.get(self.impossible), 0, "cycle {now}: an impossible event");
        let mark = self.machine.get(self.mark);
        marks.extend(events.leave.iter().map(|&(_, input)| mark >> input & 1 != 0));
        self.drive([0; 6]);
        self.machine.settle();
    }

    fn counters(&mut self, output: usize) -> Counters {
        match self.counters.get(2 * output..2 * output + 2) {
            Some(&[waiting, owed]) => {
                Counters { waiting: self.machine.get(waiting) as u32, to_mark: self.machine.get(owed) as u32 }
            }
            _ => Counters::default(),
        }
    }
}

/// The reaction point of a source. It works in every cycle.
pub struct Source {
    machine: Simulation,
    request: Input,
    ack: Input,
    ack_marked: Input,
    flow_start: Input,
    grant: Output,
    stray: Output,
    ipd: Output,
    /// The next cycle of its clock.
    clock: Cycles,
}

impl Source {
    /// Of parameters.
    pub fn maker(parameters: &Parameters) -> impl Fn() -> Source {
        let scheme = find("infiniband").unwrap();
        let native = Native::of((scheme.circuit)(Part::ReactionPoint, parameters), &[], None);
        let values = part_ports(scheme, parameters, Part::ReactionPoint);
        move || {
            let machine = native.make("source", &|name| values[name]);
            let [request, ack, ack_marked, flow_start] =
                ["request", "ack", "ack_marked", "flow_start"].map(|name| machine.input(name));
            let [grant, stray, ipd] = ["grant", "stray", "ipd"].map(|name| machine.output(name));
            Source { machine, request, ack, ack_marked, flow_start, grant, stray, ipd, clock: 0 }
        }
    }
}

impl ReactionPoint for Source {
    fn next(&self, now: Cycles, _request: bool) -> Cycles {
        now
    }

    fn cycle(&mut self, now: Cycles, request: bool, ack: Option<bool>, flow_start: bool) -> SourceCycle {
        assert_eq!(self.clock, now, "a circuit works in every cycle");
        self.clock += 1;
        let machine = &mut self.machine;
        machine.set(self.request, request.into());
        machine.set(self.ack, ack.is_some().into());
        machine.set(self.ack_marked, (ack == Some(true)).into());
        machine.set(self.flow_start, flow_start.into());
        Machine::step(machine, now);
        SourceCycle {
            granted: machine.get(self.grant) != 0,
            acknowledged: ack.is_some() && machine.get(self.stray) == 0,
            ipd: machine.get(self.ipd) as u32,
        }
    }
}
