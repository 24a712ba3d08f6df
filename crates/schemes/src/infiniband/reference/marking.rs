// SPDX-License-Identifier: MIT OR Apache-2.0
//! Packet marking in a switch and its blocks, at the ports.

use crate::infiniband::rule::{Counters, Events, FullWhen, Marking, MarkingMode};
use crate::reference::{Reference, column, columns};
use tidegate_circuits::rtl::circuit::Port;

columns!(
    reset,
    buffer_packets,
    full_when_whole,
    enter,
    enter_output,
    complete,
    leave,
    leave_output,
    free,
    mark,
    full,
    impossible
);

/// The model. It gets the possible events of each cycle.
pub struct Switch {
    at: Columns,
    inputs: usize,
    outputs: usize,
    /// Bits of the number of an output.
    bits: usize,
    mode: MarkingMode,
    model: Marking,
}

impl Switch {
    /// The model before the first reset: of a switch, or of a buffer alone, which is a switch with one input.
    pub fn new(ports: &[Port], mode: MarkingMode) -> Self {
        let at = Columns::of(ports);
        let inputs = ports[at.enter].bits;
        let bits = ports[at.enter_output].bits / inputs;
        let outputs = 1 << bits;
        Switch { at, inputs, outputs, bits, mode, model: Marking::new(outputs, 0, mode, FullWhen::Whole) }
    }

    /// The settings of this cycle.
    fn set(&mut self, row: &[u32]) {
        self.model.set_buffer_packets(row[self.at.buffer_packets]);
        self.model.set_full_when(FullWhen::of_port(row[self.at.full_when_whole] != 0));
    }

    /// The output number of an input on a bus.
    fn output(&self, bus: u32, input: usize) -> usize {
        (bus >> (input * self.bits) & ((1 << self.bits) - 1)) as usize
    }

    /// The possible events, and the inputs with an impossible event.
    fn events(&self, row: &[u32]) -> (Events, u32) {
        let at = &self.at;
        let (mut events, mut impossible) = (Events::default(), 0);
        for input in 0..self.inputs {
            let happens = |column: usize| row[column] >> input & 1 != 0;
            let mut wrong = false;
            let (whole, coming) = (self.model.full_when() == FullWhen::Whole, self.model.is_coming(input));
            let in_turn = !(whole && coming && !happens(at.complete));
            let enters = happens(at.enter) && !self.model.is_full(input) && in_turn;
            match enters {
                true => events.enter.push((self.output(row[at.enter_output], input), input)),
                false => wrong = happens(at.enter),
            }
            if happens(at.complete) {
                match enters || coming {
                    true => events.complete.push(input),
                    false => wrong |= whole,
                }
            }
            let mut sending =
                self.model.used(input) - (0..self.outputs).map(|o| self.model.waiting(o, input)).sum::<u32>();
            if happens(at.leave) {
                let output = self.output(row[at.leave_output], input);
                match self.model.waiting(output, input) {
                    0 => wrong = true,
                    _ => {
                        events.leave.push((output, input));
                        sending += 1;
                    }
                }
            }
            if happens(at.free) {
                match sending {
                    0 => wrong = true,
                    _ => events.free.push(input),
                }
            }
            impossible |= u32::from(wrong) << input;
        }
        (events, impossible)
    }

    /// The switch after the events of a cycle, and their marks.
    fn after(&self, events: &Events) -> (Marking, Vec<bool>) {
        let mut model = self.model.clone();
        let marks = model.cycle(events).expect("these events can be");
        (model, marks)
    }
}

impl Reference for Switch {
    fn outputs(&mut self, row: &mut [u32]) {
        self.set(row);
        let (events, impossible) = self.events(row);
        let at = &self.at;
        let (_, marks) = self.after(&events);
        let marked = events.leave.iter().zip(marks).map(|(&(_, input), marked)| u32::from(marked) << input);
        row[at.mark] = marked.fold(0, |all, mark| all | mark);
        row[at.full] = (0..self.inputs).fold(0, |full, input| full | u32::from(self.model.is_full(input)) << input);
        row[at.impossible] = impossible;
    }

    fn edge(&mut self, row: &[u32]) {
        self.set(row);
        self.model = match row[self.at.reset] {
            0 => self.after(&self.events(row).0).0,
            _ => {
                let full_when = FullWhen::of_port(row[self.at.full_when_whole] != 0);
                Marking::new(self.outputs, row[self.at.buffer_packets], self.mode, full_when)
            }
        };
    }
}

/// The buffer of an input alone. Its inputs say which outputs mark; its outputs report events and congested outputs.
pub struct InputBuffer {
    switch: Switch,
    marking: usize,
    entering: usize,
    leaving: usize,
    congested: usize,
    waiting: Vec<usize>,
}

impl InputBuffer {
    /// Before the first reset.
    pub fn new(ports: &[Port]) -> Self {
        let switch = Switch::new(ports, MarkingMode::Counters);
        let [marking, entering, leaving, congested] =
            ["marking", "entering", "leaving", "congested"].map(|name| column(ports, name));
        let waiting = (0..switch.outputs).map(|output| column(ports, &format!("waiting_{output}"))).collect();
        InputBuffer { switch, marking, entering, leaving, congested, waiting }
    }
}

impl Reference for InputBuffer {
    fn outputs(&mut self, row: &mut [u32]) {
        self.switch.outputs(row);
        let (events, _) = self.switch.events(row);
        let (after, _) = self.switch.after(&events);
        let outputs = |packets: &[(usize, usize)]| packets.iter().fold(0, |all, packet| all | 1u32 << packet.0);
        let tested = match self.switch.model.full_when() {
            FullWhen::Whole => !events.complete.is_empty() && !after.is_coming(0),
            FullWhen::Header => !events.enter.is_empty(),
        };
        let becomes_full = tested && after.is_full(0);
        row[self.entering] = outputs(&events.enter);
        row[self.leaving] = outputs(&events.leave);
        row[self.congested] = (0..self.switch.outputs)
            .fold(0, |all, output| all | u32::from(becomes_full && after.waiting(output, 0) > 0) << output);
        row[self.switch.at.mark] = u32::from(row[self.leaving] & row[self.marking] != 0);
        for (output, &column) in self.waiting.iter().enumerate() {
            row[column] = self.switch.model.waiting(output, 0);
        }
    }

    fn edge(&mut self, row: &[u32]) {
        self.switch.edge(row);
    }
}

/// The counters of an output alone.
pub struct OutputMarker {
    reset: usize,
    marking: usize,
    entering: Vec<usize>,
    leaving: Vec<usize>,
    congested: Vec<usize>,
    counters: Counters,
}

impl OutputMarker {
    /// Before the first reset.
    pub fn new(ports: &[Port]) -> Self {
        let of_inputs = |name: &str| {
            let is = |port: &Port| port.name.strip_prefix(name).is_some_and(|rest| rest.starts_with('_'));
            (0..ports.len()).filter(|&at| is(&ports[at])).collect()
        };
        OutputMarker {
            reset: column(ports, "reset"),
            marking: column(ports, "marking"),
            entering: of_inputs("entering"),
            leaving: of_inputs("leaving"),
            congested: of_inputs("congested"),
            counters: Counters::default(),
        }
    }
}

impl Reference for OutputMarker {
    fn outputs(&mut self, row: &mut [u32]) {
        row[self.marking] = u32::from(self.counters.to_mark > 0);
    }

    fn edge(&mut self, row: &[u32]) {
        if row[self.reset] != 0 {
            self.counters = Counters::default();
            return;
        }
        let high = |columns: &[usize]| columns.iter().filter(|&&column| row[column] != 0).count();
        if high(&self.leaving) > 0 {
            self.counters.leave();
        }
        (0..high(&self.entering)).for_each(|_| self.counters.enter());
        if high(&self.congested) > 0 {
            self.counters.congested();
        }
    }
}

/// The marker of a buffer alone, naive mode.
pub struct NaiveMarker {
    reset: usize,
    leaving: usize,
    congested: usize,
    marking: usize,
    waiting: Vec<usize>,
    /// The buffer became full in the cycle before: all packets that wait in this cycle are to be marked.
    all: bool,
    to_mark: Vec<u32>,
}

impl NaiveMarker {
    /// Before the first reset.
    pub fn new(ports: &[Port]) -> Self {
        let [reset, leaving, congested, marking] =
            ["reset", "leaving", "congested", "marking"].map(|name| column(ports, name));
        let waiting: Vec<usize> =
            (0..ports[marking].bits).map(|output| column(ports, &format!("waiting_{output}"))).collect();
        NaiveMarker { reset, leaving, congested, marking, all: false, to_mark: vec![0; waiting.len()], waiting }
    }

    /// Number of packets still to mark, for an output.
    fn owed(&self, row: &[u32], output: usize) -> u32 {
        if self.all { row[self.waiting[output]] } else { self.to_mark[output] }
    }
}

impl Reference for NaiveMarker {
    fn outputs(&mut self, row: &mut [u32]) {
        row[self.marking] =
            (0..self.to_mark.len()).fold(0, |all, output| all | u32::from(self.owed(row, output) > 0) << output);
    }

    fn edge(&mut self, row: &[u32]) {
        let resets = row[self.reset] != 0;
        for output in 0..self.to_mark.len() {
            let leaves = row[self.leaving] >> output & 1;
            self.to_mark[output] = if resets { 0 } else { self.owed(row, output).saturating_sub(leaves) };
        }
        self.all = !resets && row[self.congested] != 0;
    }
}
