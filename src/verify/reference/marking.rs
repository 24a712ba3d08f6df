//! Packet marking in a switch, at the ports.

use super::{columns, Reference};
use crate::emit::Port;
use crate::scheme::infiniband::{Events, Marking, MarkingMode};

columns!(reset, buffer_packets, enter, enter_output, leave, leave_output, free, mark, full, impossible);

/// The model; of the events of a cycle it gets those that can be.
pub struct Switch {
    at: Columns,
    ports: usize,
    /// Bits of the number of an output.
    bits: usize,
    model: Marking,
}

impl Switch {
    /// Before the first reset.
    pub fn new(ports: &[Port]) -> Self {
        let at = Columns::of(ports);
        let (count, bits) = (ports[at.enter].bits, ports[at.enter_output].bits / ports[at.enter].bits);
        Switch { at, ports: count, bits, model: Marking::new(count, 0, MarkingMode::Counters) }
    }

    /// The output of an input.
    fn output(&self, bus: u32, input: usize) -> usize {
        (bus >> (input * self.bits) & ((1 << self.bits) - 1)) as usize
    }

    /// The events that can be, and the inputs at which one cannot.
    fn events(&self, row: &[u32]) -> (Events, u32) {
        let at = &self.at;
        let (mut events, mut impossible) = (Events::default(), 0);
        for input in 0..self.ports {
            let happens = |column: usize| row[column] >> input & 1 != 0;
            let mut wrong = false;
            if happens(at.enter) {
                match self.model.is_full(input) {
                    false => events.enter.push((self.output(row[at.enter_output], input), input)),
                    true => wrong = true,
                }
            }
            let mut sending =
                self.model.used(input) - (0..self.ports).map(|o| self.model.waiting(o, input)).sum::<u32>();
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
}

impl Reference for Switch {
    fn outputs(&mut self, row: &mut [u32]) {
        let (events, impossible) = self.events(row);
        let at = &self.at;
        let leaving = events.leave.iter().map(|&(output, input)| (output, input));
        row[at.mark] =
            leaving.fold(0, |mark, (output, input)| mark | u32::from(self.model.counters(output).to_mark > 0) << input);
        row[at.full] = (0..self.ports).fold(0, |full, input| full | u32::from(self.model.is_full(input)) << input);
        row[at.impossible] = impossible;
    }

    fn edge(&mut self, row: &[u32]) {
        if row[self.at.reset] != 0 {
            self.model = Marking::new(self.ports, row[self.at.buffer_packets], MarkingMode::Counters);
            return;
        }
        let (events, _) = self.events(row);
        let marks = self.model.cycle(&events).expect("these events can be");
        let told = events.leave.iter().map(|&(_, input)| row[self.at.mark] >> input & 1 != 0);
        assert!(told.eq(marks), "what was told is what the model does");
    }
}
