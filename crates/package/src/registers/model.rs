// SPDX-License-Identifier: MIT OR Apache-2.0
//! The register file as a plain program: what it does in each clock cycle.

use super::{ADDRESS_BITS, ByIndex, Content, LATENCY, Parameter, Register, Registers, Word};
use tidegate_schemes::scheme::bounds::Rule;

/// The inputs of a cycle.
#[derive(Clone, Debug, Default)]
pub struct Inputs {
    /// Synchronous reset.
    pub reset: bool,
    /// An access.
    pub select: bool,
    /// It is a write.
    pub write: bool,
    /// Bits 11 to 2 of its byte address.
    pub address: u16,
    /// The value to write.
    pub data: u32,
    /// No packet is in progress.
    pub boundary: bool,
    /// The inputs from the part, in the order of [`Registers::part_inputs`].
    pub part: Vec<u64>,
}

/// The state of a register file.
#[derive(Clone, Debug)]
pub struct Model<'a> {
    registers: &'a Registers,
    /// For each word address the place in the list.
    places: Vec<Option<usize>>,
    /// For each counter the places of its inputs, and for each value that of its input.
    events: Vec<Vec<usize>>,
    values: Vec<usize>,
    /// The places of the inputs that show what belongs to a queue or flow.
    visit: Option<[usize; 3]>,
    /// For each parameter what was written, what is in use, and its low word before the high word is written.
    written: Vec<u64>,
    used: Vec<u64>,
    low: Vec<u32>,
    flip: u32,
    debug: u32,
    refused: u32,
    pending: bool,
    counts: Vec<u64>,
    /// For each counter how often its event happened in the cycle before: this is not yet counted.
    seen: Vec<u64>,
    /// The high word of the counter whose low word was read last.
    high: u32,
    index: u32,
    lengths: Vec<u32>,
    /// The rate of the flow, if it has been visited since `index` was written.
    rate: Option<u32>,
    /// Cycles since an access was taken that has not ended.
    since: Option<u64>,
    write: bool,
    address: u16,
    data: u32,
    accepted: bool,
    /// What was read, one cycle before it is in `read`.
    word: u32,
    read: u32,
}

impl<'a> Model<'a> {
    /// A register file after reset.
    ///
    /// # Panics
    /// If the description names an input that it does not have: a mistake in this room.
    pub fn new(registers: &'a Registers) -> Self {
        let inputs = registers.part_inputs();
        let place =
            |name: &str| inputs.iter().position(|known| known.name == name).expect("an input of the description");
        let mut places = vec![None; 1 << (ADDRESS_BITS - 2)];
        for (place, register) in registers.list.iter().enumerate() {
            places[usize::from(register.address >> 2)] = Some(place);
        }
        let events =
            registers.counters.iter().map(|counter| counter.events.iter().map(|event| place(&event.name)).collect());
        let mut model = Model {
            registers,
            places,
            events: events.collect(),
            values: registers.values.iter().map(|value| place(&value.name)).collect(),
            visit: registers.by_index.as_ref().map(|by| by.inputs().each_ref().map(|input| place(&input.name))),
            written: Vec::new(),
            used: Vec::new(),
            low: Vec::new(),
            flip: 0,
            debug: 0,
            refused: 0,
            pending: false,
            counts: Vec::new(),
            seen: Vec::new(),
            high: 0,
            index: 0,
            lengths: Vec::new(),
            rate: None,
            since: None,
            write: false,
            address: 0,
            data: 0,
            accepted: false,
            word: 0,
            read: 0,
        };
        model.reset();
        model
    }

    fn reset(&mut self) {
        self.restore();
        self.used = self.written.clone();
        (self.refused, self.high, self.read) = (0, 0, 0);
        (self.pending, self.write, self.accepted) = (false, false, false);
        (self.address, self.data) = (0, 0);
        self.counts = self.registers.counters.iter().map(|counter| counter.reset).collect();
        self.seen = vec![0; self.registers.counters.len()];
        self.lengths = vec![0; self.registers.count as usize];
        self.since = None;
    }

    /// What writing 1 to RESET does.
    fn restore(&mut self) {
        self.written = self.registers.parameters.iter().map(|parameter| parameter.reset).collect();
        self.low = self.written.iter().map(|&value| value as u32).collect();
        (self.flip, self.debug, self.index, self.rate) = (0, 0, 0, None);
        self.pending = true;
    }

    /// Whether the access before ends in this cycle.
    pub fn acknowledge(&self) -> bool {
        self.since == Some(LATENCY)
    }

    /// The value that was read.
    pub fn read_data(&self) -> u32 {
        self.read
    }

    /// The values of the parameters in use, in the order of [`Registers::parameters`].
    pub fn used(&self) -> &[u64] {
        &self.used
    }

    /// The low word of a parameter that was written last: it is held until the high word is written.
    pub fn held(&self, parameter: usize) -> u32 {
        self.low[parameter]
    }

    /// What was written to the parameters.
    pub fn written(&self) -> &[u64] {
        &self.written
    }

    /// The write that ends in this cycle, if one does: its register, the value, whether it is accepted.
    pub fn ending_write(&self) -> Option<(Option<&'a Register>, u32, bool)> {
        (self.acknowledge() && self.write).then(|| (self.register(), self.data, self.accepted))
    }

    /// One clock cycle.
    pub fn clock(&mut self, inputs: &Inputs) {
        if inputs.reset {
            return self.reset();
        }
        match self.since {
            Some(2) => self.word = if self.write { 0 } else { self.read_register(&inputs.part) },
            Some(3) => self.read = self.word,
            _ => {}
        }
        if self.since == Some(LATENCY - 1) {
            self.accepted = self.accepts();
        }
        if inputs.boundary {
            self.used.clone_from(&self.written);
            self.pending = false;
        }
        self.visit(&inputs.part);
        self.since = match self.since {
            None if inputs.select => {
                (self.write, self.address, self.data) = (inputs.write, inputs.address, inputs.data);
                Some(1)
            }
            None => None,
            Some(LATENCY) => {
                match (self.write, self.accepted) {
                    (true, true) => self.store(),
                    (true, false) => self.refused = self.refused.saturating_add(1),
                    (false, _) => {}
                }
                None
            }
            Some(cycles) => Some(cycles + 1),
        };
        self.count(&inputs.part);
    }

    fn register(&self) -> Option<&'a Register> {
        self.places[usize::from(self.address)].map(|place| &self.registers.list[place])
    }

    fn read_register(&mut self, part: &[u64]) -> u32 {
        let Some(register) = self.register() else { return 0 };
        match register.content {
            Content::Constant => register.reset,
            Content::Reset => 0,
            Content::Flip => !self.flip,
            Content::Debug => self.debug,
            Content::RefusedWrites => self.refused,
            Content::Pending => self.pending.into(),
            Content::Parameter(place, Word::Only) => self.written[place] as u32,
            Content::Parameter(place, Word::Low) => self.low[place],
            Content::Parameter(place, Word::High) => (self.written[place] >> 32) as u32,
            Content::CounterLow(place) => {
                self.high = (self.counts[place] >> 32) as u32;
                self.counts[place] as u32
            }
            Content::CounterHigh(_) => self.high,
            Content::Value(place) => part[self.values[place]] as u32,
            Content::Index => self.index,
            Content::QueueLength => self.lengths[self.index as usize],
            Content::QueueCpidLow => self.cpid_in_use() as u32 | self.index,
            Content::QueueCpidHigh => (self.cpid_in_use() >> 32) as u32,
            Content::FlowRate => self.rate.unwrap_or(0),
            Content::FlowRateKnown => self.rate.is_some().into(),
        }
    }

    fn cpid_in_use(&self) -> u64 {
        let place = self.registers.parameters.iter().position(|parameter| parameter.name == "cpid");
        self.used[place.expect("a congestion point has a CPID")]
    }

    /// Whether the value to write is one that the register takes.
    fn accepts(&self) -> bool {
        let data = u64::from(self.data);
        match self.register().map(|register| register.content) {
            Some(Content::Reset) => data <= 1,
            Some(Content::Flip | Content::Debug) => true,
            Some(Content::Index) => data < self.registers.count,
            Some(Content::Parameter(place, word)) => {
                let parameter = &self.registers.parameters[place];
                let Some(bounds) = parameter.bounds else { return false };
                match word {
                    Word::Low => true,
                    Word::Only => bounds.take(data) && self.rules_hold(parameter, data),
                    Word::High => {
                        let bits = parameter.high.as_ref().map_or(0, |(_, bits)| *bits);
                        data >> bits == 0 && bounds.take(data << 32 | u64::from(self.low[place]))
                    }
                }
            }
            _ => false,
        }
    }

    /// Whether the rules about a parameter hold if it has this value and the others have what was written.
    fn rules_hold(&self, parameter: &Parameter, data: u64) -> bool {
        let value = |port: &str| {
            let place =
                self.registers.parameters.iter().position(|other| other.port == port).expect("rules name its ports");
            if port == parameter.port { data } else { self.written[place] }
        };
        let about = |rule: &&Rule| rule.ports().any(|port| port == parameter.port);
        self.registers.rules.iter().filter(about).all(|rule| rule.holds(&value))
    }

    fn store(&mut self) {
        let data = self.data;
        match self.register().map(|register| register.content) {
            Some(Content::Reset) if data == 1 => self.restore(),
            Some(Content::Flip) => self.flip = data,
            Some(Content::Debug) => self.debug = data,
            Some(Content::Index) => (self.index, self.rate) = (data, None),
            Some(Content::Parameter(place, Word::Low)) => self.low[place] = data,
            Some(Content::Parameter(place, word)) => {
                self.written[place] = match word {
                    Word::High => u64::from(data) << 32 | u64::from(self.low[place]),
                    _ => data.into(),
                };
                self.pending = true;
            }
            _ => {}
        }
    }

    fn count(&mut self, part: &[u64]) {
        for ((count, seen), events) in self.counts.iter_mut().zip(&mut self.seen).zip(&self.events) {
            *count = count.wrapping_add(*seen);
            *seen = match events[..] {
                [only] => u64::from(part[only].count_ones()),
                _ => u64::from(events.iter().all(|&event| part[event] == 1)),
            };
        }
    }

    /// What the part shows of a queue or flow in this cycle.
    fn visit(&mut self, part: &[u64]) {
        let Some([valid, place, value]) = self.visit else { return };
        if part[valid] == 0 {
            return;
        }
        let (place, value) = (part[place] as usize % self.lengths.len(), part[value] as u32);
        match self.registers.by_index {
            Some(ByIndex::Rates(_)) if place == self.index as usize => self.rate = Some(value),
            Some(ByIndex::Lengths(_)) => self.lengths[place] = value,
            _ => {}
        }
    }
}
