// SPDX-License-Identifier: MIT OR Apache-2.0
//! Builds the description of the registers of a part from what describes the part: its ports, the values of its
//! parameters, and their bounds.

use super::{
    Access, BY_INDEX, ByIndex, Content, Counter, Input, Owner, PARAMETERS, Parameter, REPORTS, RESET, Register,
    Registers, Word,
};
use std::collections::BTreeMap;
use tidegate_circuits::rtl::circuit::Circuit;
use tidegate_hdl::netlist::Signal;
use tidegate_schemes::registry::{self, Scheme};
use tidegate_schemes::scheme::Part;
use tidegate_schemes::scheme::bounds::Bounds;
use tidegate_schemes::scheme::parameters::Parameters;
use tidegate_schemes::scheme::ports::Port;

/// The content of ID: `TDGT`.
pub const ID: u32 = u32::from_be_bytes(*b"TDGT");

/// A counter: its name, its meaning, the ports that are high for an event, and a port without which a part has it.
type CounterRow = (&'static str, &'static str, &'static [&'static str], &'static str);

/// The counters of all parts. A part has those for which it has the ports.
const COUNTERS: &[CounterRow] = &[
    ("samples", "Packets that were samples", &["sample"], ""),
    ("lost_samples", "Samples that were lost, because the sample queue was full", &["lost"], ""),
    ("clamps", "Changes of the queue length that were clamped", &["clamped"], "counted"),
    ("clamps", "Changes of a queue length that were clamped", &["clamped", "counted"], ""),
    ("cpTransmittedCnms", "Feedback frames that were sent", &["valid", "last", "data_ready"], ""),
    ("unknown_queue_events", "Events for a queue that does not exist", &["unknown_queue"], ""),
    ("marked_packets", "Packets that were marked", &["mark"], ""),
    ("impossible_events", "Impossible events, which were ignored", &["impossible"], ""),
    ("granted_frames", "Frames or packets that were granted", &["grant"], "grant_flow"),
    ("sent_frames", "Frames that were sent", &["sent"], ""),
    ("refused_announcements", "Frames whose announcement was refused", &["refused"], ""),
    ("stray_acks", "ACKs that belong to no outstanding packet", &["stray"], ""),
];

/// The outputs of a part that are read as they are, and a port without which a part has them.
const VALUES: &[(&str, &str, &str)] = &[
    ("queue_bytes", "bytes", "counted"),
    ("current_rate", "2^-18 bytes a cycle", ""),
    ("ipd", "packet times", ""),
    ("taken_frames", "frames", ""),
    ("malformed_frames", "frames", ""),
    ("refused_frames", "frames", ""),
    ("elsewhere_frames", "frames", ""),
    ("dropped_frames", "frames", ""),
    ("unknown_frames", "frames", ""),
];

/// The outputs that show the length of a queue: when it is valid, the queue, its length.
const LENGTHS: [&str; 3] = ["counted", "visited_queue", "queue_bytes"];

/// The outputs that show the rate of a flow: when it is valid, the flow, its rate.
const RATES: [&str; 3] = ["visited", "visited_flow", "visited_rate"];

impl Registers {
    /// The registers of a part with these parameters, which are the values after reset.
    pub fn of(scheme: &'static Scheme, part: Part, parameters: &Parameters, settings: &[(String, String)]) -> Self {
        let circuit = (scheme.circuit)(part, parameters);
        let table = registry::table(scheme, parameters, part);
        let mut registers = Registers {
            scheme: scheme.name,
            title: scheme.title,
            owner: Owner::Part(part),
            module: format!("{}_registers", circuit.module),
            option: "--registers",
            count: count(&circuit),
            serves: if has(&circuit, "mark") { "ports" } else { part.serves() },
            settings: settings.to_vec(),
            list: Vec::new(),
            parameters: parameters_of(&table, parameters, &circuit),
            rules: Vec::new(),
            counters: Vec::new(),
            values: Vec::new(),
            by_index: by_index(&circuit),
        };
        let writable = |port: &str| {
            registers.parameters.iter().any(|parameter| parameter.port == port && parameter.bounds.is_some())
        };
        registers.rules = registry::rules(scheme).filter(|rule| rule.ports().all(writable)).copied().collect();
        registers.add_fixed(scheme);
        registers.add_parameters(&circuit, &table);
        registers.add_reports(&circuit);
        match registers.by_index {
            Some(ByIndex::Lengths(_)) => registers.add_lengths(),
            Some(ByIndex::Rates(_)) => registers.add_rates(),
            None => {}
        }
        registers
    }

    /// The registers of a switch with so many ports, without its parameters and counters, which are added to them.
    pub fn of_switch(scheme: &'static Scheme, module: &str, ports: u64, settings: &[(String, String)]) -> Self {
        let mut registers = Registers {
            scheme: scheme.name,
            title: scheme.title,
            owner: Owner::Switch,
            module: format!("{module}_registers"),
            option: "",
            count: ports,
            serves: "ports",
            settings: settings.to_vec(),
            list: Vec::new(),
            parameters: Vec::new(),
            rules: Vec::new(),
            counters: Vec::new(),
            values: Vec::new(),
            by_index: None,
        };
        registers.add_fixed(scheme);
        registers
    }

    /// Adds a parameter of what stands around the part, behind those of the part.
    ///
    /// # Panics
    /// If there is no address for it.
    pub fn with_parameter(mut self, input: Input, reset: u32, bounds: Bounds) -> Self {
        let is_parameter = |register: &&Register| matches!(register.content, Content::Parameter(..));
        let address = self.list.iter().filter(is_parameter).map(|register| register.address + 4).max();
        let address = address.unwrap_or(PARAMETERS);
        assert!(address < REPORTS, "the parameters of {} have too many words", self.module);
        let content = Content::Parameter(self.parameters.len(), Word::Only);
        let register = self.add(address, &input.name, content, &input.meaning);
        (register.port, register.bits, register.access) = (Some(input.name.clone()), input.bits, Access::ReadWrite);
        (register.reset, register.accepts) = (reset, bounds.to_string());
        self.list.sort_by_key(|register| register.address);
        self.parameters.push(Parameter {
            name: input.name.clone(),
            port: input.name,
            bits: input.bits,
            high: None,
            reset: reset.into(),
            bounds: Some(bounds),
        });
        self
    }

    /// Adds a counter of what happens around the part, behind those of the part.
    pub fn with_counter(mut self, name: &'static str, event: Input) -> Self {
        let counts = |register: &&Register| matches!(register.content, Content::CounterHigh(_));
        let address = self.list.iter().filter(counts).map(|register| register.address + 4).max();
        let meaning = event.meaning.clone();
        self.add_counter(address.unwrap_or(REPORTS), name, &meaning, vec![event]);
        self.list.sort_by_key(|register| register.address);
        self
    }

    fn add_counter(&mut self, address: u16, name: &'static str, meaning: &str, events: Vec<Input>) {
        let place = self.counters.len();
        let low = format!("{meaning}: bits 31 to 0; reading it stores bits 63 to 32");
        self.add(address, &format!("{name}_low"), Content::CounterLow(place), &low);
        let high = format!("{meaning}: bits 63 to 32, stored when a low word was read last");
        self.add(address + 4, &format!("{name}_high"), Content::CounterHigh(place), &high);
        self.counters.push(Counter { name, events, reset: 0 });
    }

    fn add(&mut self, address: u16, name: &str, content: Content, meaning: &str) -> &mut Register {
        self.list.push(Register {
            address,
            name: name.to_string(),
            port: None,
            bits: 32,
            access: Access::ReadOnly,
            reset: 0,
            accepts: String::new(),
            unit: "",
            meaning: meaning.to_string(),
            content,
        });
        self.list.last_mut().expect("one was added")
    }

    fn add_fixed(&mut self, scheme: &Scheme) {
        let count = self.count as u32;
        let serves = self.serves;
        let (part, number) = (self.owner.number(), scheme.number);
        let writable = |register: &mut Register, bits, accepts: &str| {
            (register.access, register.bits, register.accepts) = (Access::ReadWrite, bits, accepts.to_string());
        };
        use Content::*;
        self.add(0x00, "id", Constant, "TDGT in ASCII: a register file of tidegate").reset = ID;
        self.add(0x04, "version", Constant, "Version: major << 16 | minor << 8 | patch").reset = version();
        let reset = self.add(RESET, "reset", Reset, "Writing 1 restores what can be written; reads 0");
        writable(reset, 1, "0 or 1");
        let flip = self.add(0x0c, "flip", Flip, "The inverse of what was written last");
        writable(flip, 32, "any");
        flip.reset = u32::MAX;
        writable(self.add(0x10, "debug", Debug, "What was written last"), 32, "any");
        let meaning =
            format!("{number}: {}, in bits 7 to 0; {part}: {}, in bits 15 to 8", self.title, self.owner.title());
        self.add(0x14, "scheme_and_part", Constant, &meaning).reset = part << 8 | number;
        self.add(0x18, "count", Constant, &format!("Number of {serves}")).reset = count;
        self.add(0x1c, "refused_writes", RefusedWrites, "Writes that were refused; stops at 2^32 - 1").unit = "writes";
        self.add(0x20, "pending", Pending, "1: a written value is not in use yet").bits = 1;
    }

    fn add_parameters(&mut self, circuit: &Circuit, table: &BTreeMap<String, Port>) {
        let mut address = PARAMETERS;
        for (place, parameter) in self.parameters.clone().into_iter().enumerate() {
            let row = table[&parameter.port].row;
            let name = row.name_8021q().unwrap_or(&parameter.name);
            let accepts = parameter.bounds.map_or(String::new(), |bounds| bounds.to_string());
            let access = if parameter.bounds.is_some() { Access::ReadWrite } else { Access::ReadOnly };
            let mut add = |name: &str, port: &str, bits, reset: u64, word, accepts: String| {
                let register = self.add(address, name, Content::Parameter(place, word), &signal(circuit, port).meaning);
                (register.port, register.bits, register.access) = (Some(port.to_string()), bits, access);
                (register.reset, register.accepts, register.unit) = (reset as u32, accepts, row.unit);
                address += 4;
            };
            match &parameter.high {
                None => add(name, &parameter.port, parameter.bits, parameter.reset, Word::Only, accepts),
                Some((high, bits)) => {
                    let low = "any; takes effect when the high word is written".to_string();
                    add(&format!("{name}_low"), &parameter.port, 32, parameter.reset, Word::Low, low);
                    let whole = format!("both words: {accepts}");
                    add(&format!("{name}_high"), high, *bits, parameter.reset >> 32, Word::High, whole);
                }
            }
        }
        assert!(address <= REPORTS, "the parameters of {} have too many words", self.module);
    }

    fn add_reports(&mut self, circuit: &Circuit) {
        let mut address = REPORTS;
        for &(port, unit, _) in VALUES.iter().filter(|(port, _, without)| has(circuit, port) && !has(circuit, without))
        {
            let Signal { shape, meaning, .. } = signal(circuit, port);
            let register = self.add(address, port, Content::Value(self.values.len()), meaning);
            (register.port, register.bits, register.unit) = (Some(port.to_string()), shape.bits, unit);
            self.values.push(input(circuit, port));
            address += 4;
        }
        address = address.next_multiple_of(8);
        for &(name, meaning, events, without) in COUNTERS {
            if !events.iter().all(|event| has(circuit, event)) || has(circuit, without) {
                continue;
            }
            self.add_counter(address, name, meaning, events.iter().map(|event| input(circuit, event)).collect());
            address += 8;
        }
    }

    fn add_index(&mut self, name: &str, meaning: &str) {
        let index_bits = self.count.ilog2() as usize;
        let accepts = Bounds::of(0, self.count - 1).to_string();
        let index = self.add(BY_INDEX, name, Content::Index, meaning);
        (index.access, index.bits, index.accepts) = (Access::ReadWrite, index_bits, accepts);
    }

    fn add_rates(&mut self) {
        self.add_index("flow_index", "The flow that the next registers are about");
        let rate = "Rate of that flow when it was visited last; 0 if it has not been visited since flow_index was written. A \
                    flow is visited about every 64 cycles × flows, and when it has something to do";
        let rate = self.add(BY_INDEX + 4, "flow_rate", Content::FlowRate, rate);
        (rate.bits, rate.unit) = (25, "2^-18 bytes a cycle");
        let known = "1: that flow has been visited since flow_index was written";
        self.add(BY_INDEX + 8, "flow_rate_known", Content::FlowRateKnown, known).bits = 1;
    }

    fn add_lengths(&mut self) {
        self.add_index("queue_index", "The queue that the next registers are about");
        let length = "Length of that queue after its last event; 0 before its first one";
        let length = self.add(BY_INDEX + 4, "queue_length", Content::QueueLength, length);
        (length.bits, length.unit) = (24, "bytes");
        let cpid = self.parameters.iter().find(|parameter| parameter.name == "cpid").map_or(0, |cpid| cpid.reset);
        let low = self.add(BY_INDEX + 8, "queue_cpid_low", Content::QueueCpidLow, "CPID of that queue, bits 31 to 0");
        low.reset = cpid as u32;
        let high =
            self.add(BY_INDEX + 12, "queue_cpid_high", Content::QueueCpidHigh, "CPID of that queue, bits 63 to 32");
        high.reset = (cpid >> 32) as u32;
    }
}

/// The parameters of a part, in the order of the ports. Two ports `_high` and `_low` are one parameter.
fn parameters_of(table: &BTreeMap<String, Port>, parameters: &Parameters, circuit: &Circuit) -> Vec<Parameter> {
    let is_parameter = |name: &str| circuit.parameters.contains(&name);
    let mut found = Vec::new();
    for &port in &circuit.parameters {
        let bits = signal(circuit, port).shape.bits;
        let low_of = port.strip_suffix("_high").map(|name| format!("{name}_low"));
        if low_of.is_some_and(|low| is_parameter(&low)) {
            continue;
        }
        let wide = port.strip_suffix("_low").filter(|name| is_parameter(&format!("{name}_high")));
        let name = wide.unwrap_or(port).to_string();
        let high = wide.map(|name| format!("{name}_high"));
        let upper = high.as_ref().map_or(0, |high| table[high].value);
        found.push(Parameter {
            port: port.to_string(),
            bits,
            reset: upper << 32 | table[port].value,
            high: high.map(|high| (high.clone(), signal(circuit, &high).shape.bits)),
            bounds: table[port].row.bounds(parameters),
            name,
        });
    }
    found
}

fn signal<'a>(circuit: &'a Circuit, port: &str) -> &'a Signal {
    let top = circuit.netlist.top();
    top.find(port).map(|id| &top.signals[id]).unwrap_or_else(|| panic!("{} has no port `{port}`", circuit.module))
}

fn input(circuit: &Circuit, port: &str) -> Input {
    let Signal { name, shape, meaning, .. } = signal(circuit, port).clone();
    Input { name, bits: shape.bits, meaning }
}

fn has(circuit: &Circuit, port: &str) -> bool {
    circuit.ports.iter().any(|known| known.name == port)
}

/// What a part shows of one queue or flow after the other.
fn by_index(circuit: &Circuit) -> Option<ByIndex> {
    let inputs = |ports: [&str; 3]| ports.map(|port| input(circuit, port));
    if has(circuit, LENGTHS[0]) {
        return Some(ByIndex::Lengths(inputs(LENGTHS)));
    }
    has(circuit, RATES[0]).then(|| ByIndex::Rates(inputs(RATES)))
}

/// How many queues, flows or ports the part was made for.
fn count(circuit: &Circuit) -> u64 {
    const KEYS: [&str; 2] = ["cp_queues", "rp_flows"];
    let known = circuit.generated.iter().find(|(key, _)| KEYS.contains(key)).map(|&(_, count)| count);
    let ports = circuit.ports.iter().find(|port| port.name == "mark").map(|port| port.bits as u64);
    known.or(ports).unwrap_or(1)
}

/// The version of this program as a number.
fn version() -> u32 {
    let parts = env!("CARGO_PKG_VERSION").split('.').map(|part| part.parse::<u32>().expect("a number"));
    parts.fold(0, |version, part| version << 8 | part)
}
