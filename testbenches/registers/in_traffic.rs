// SPDX-License-Identifier: MIT OR Apache-2.0
//! Whole parts with their register file, in traffic, while software writes each register: the lowest value that it takes,
//! the highest, and random ones. The circuit has the outputs of the model in every cycle, and the rates are within their
//! bounds so soon after a change as docs/registers.md says.

use super::registers;
use super::stimulus::Random;
use rayon::prelude::*;
use std::collections::BTreeMap;
use tidegate::bus::with_registers::with_registers;
use tidegate::engine::{Input, Output, Program, Simulation};
use tidegate::netlist::{Netlist, Statement};
use tidegate::registers::model::{Inputs, Model};
use tidegate::registers::{Access, Content, Registers, Word};
use tidegate::registry::{self, Scheme};
use tidegate::rtl::circuit::{Circuit, Port};
use tidegate::scheme::Part;
use tidegate::scheme::bounds::Bounds;
use tidegate::schemes::dsm::rule::history_fits;
use tidegate::schemes::reference::{self, Reference};
use tidegate::verify::stimulus::{Stimulus, Values};

/// Cycles of a part.
const CYCLES: u64 = 150_000;
/// After so many cycles the rate of a reaction point is within bounds that have changed.
const RATE_CYCLES: u64 = 2;
/// After so many cycles in which a flow has no frame that waits, its rate is: a sweep visits one of four flows every 256 cycles, and
/// comes when all eight turns have had their visit, at most 69 cycles each, and three lists of times were passed, at most 36 each.
/// Visits that only read the rate may come before, in any number.
const IDLE_CYCLES: u64 = 4 * 256 + 8 * 69 + 3 * 36;
/// Parameters that decide whether a part hears anything, and seeds.
const IDENTITIES: [&str; 5] = ["rp_mac", "allowed_cpid", "allowed_cpid_mask", "cp_mac", "cpid"];

/// What was written to a parameter.
#[derive(Clone, Copy, Default)]
struct Written {
    least: bool,
    most: bool,
    other: bool,
}

/// DSM's history, whose sums must fit, which software has to see to: the places of its parameters, and the largest step
/// that was in use since the last reset.
struct History {
    loop_delay: usize,
    step_max: usize,
    period_cycles: usize,
    largest: u64,
}

impl History {
    fn of(registers: &Registers) -> Option<Self> {
        let find = |port: &str| registers.parameters.iter().position(|parameter| parameter.port == port);
        Some(History {
            loop_delay: find("loop_delay")?,
            step_max: find("step_max")?,
            period_cycles: find("period_cycles")?,
            largest: 0,
        })
    }

    /// Whether the sums fit with the values that were written and another one.
    fn fits(&self, written: &[u64], place: usize, value: u64) -> bool {
        let of = |parameter: usize| if parameter == place { value } else { written[parameter] };
        let step = of(self.step_max).max(self.largest);
        history_fits(of(self.loop_delay) as u32, step, of(self.period_cycles))
    }
}

/// Software that writes parameters, one access after the other.
struct Software<'a> {
    registers: &'a Registers,
    random: Random,
    /// Accesses that wait: address and data.
    waiting: Vec<(u16, u32)>,
    pause: u64,
    seen: BTreeMap<usize, Written>,
    history: Option<History>,
}

impl<'a> Software<'a> {
    fn new(registers: &'a Registers, seed: u64) -> Self {
        Software {
            registers,
            random: Random(seed),
            waiting: Vec::new(),
            pause: 0,
            seen: BTreeMap::new(),
            history: History::of(registers),
        }
    }

    fn address(&self, place: usize, word: Word) -> u16 {
        let content = Content::Parameter(place, word);
        self.registers.list.iter().find(|register| register.content == content).expect("a register").address >> 2
    }

    /// Chooses a parameter and its value; `stimulus` has the values for which the traffic is made.
    fn choose(&mut self, model: &Model, stimulus: &dyn Fn(&str) -> Option<u64>) {
        let place = self.random.below(self.registers.parameters.len() as u64) as usize;
        let parameter = &self.registers.parameters[place];
        let Some(bounds) = parameter.bounds else { return };
        let least = lowest(bounds);
        let (name, clear) = (parameter.name.as_str(), bounds.clear);
        let of_traffic = match &parameter.high {
            Some((high, _)) => stimulus(high).zip(stimulus(&parameter.port)).map(|(high, low)| high << 32 | low),
            None => stimulus(&parameter.port),
        };
        // Mostly values with which there is traffic.
        let draw = self.random.below(if IDENTITIES.contains(&name) { 40 } else { 8 });
        let value = match (draw, of_traffic) {
            (0, _) => least,
            (1, _) => bounds.most & !clear,
            (2, _) => bounds.least + self.random.word() % (bounds.most - bounds.least).saturating_add(1),
            (3, _) if bounds.zero => 0,
            (3, _) => {
                bounds.least + (self.random.word() >> 32) % (bounds.most - bounds.least).saturating_add(1).min(5000)
            }
            (_, Some(value)) => value,
            (_, None) => parameter.reset,
        } & !clear;
        if name == "timer_span" && value > 0 {
            // Software must not write a span without a timer.
            return;
        }
        if self.history.as_ref().is_some_and(|history| !history.fits(model.written(), place, value)) {
            return;
        }
        if parameter.high.is_some() {
            let (low, high) = (self.address(place, Word::Low), self.address(place, Word::High));
            self.waiting = vec![(high, (value >> 32) as u32), (low, value as u32)];
        } else {
            self.waiting = vec![(self.address(place, Word::Only), value as u32)];
        }
    }

    /// The access of this cycle.
    fn drive(&mut self, model: &Model, inputs: &mut Inputs, stimulus: &dyn Fn(&str) -> Option<u64>) {
        if let Some((Some(register), data, accepted)) = model.ending_write() {
            self.note(register.content, model, data, accepted);
            self.waiting.pop();
            self.pause = self.random.below(40);
        }
        self.pause = self.pause.saturating_sub(1);
        if self.waiting.is_empty() && self.pause == 0 {
            self.choose(model, stimulus);
        }
        let access = self.waiting.last().filter(|_| !model.acknowledge() && self.pause == 0);
        inputs.select = access.is_some();
        inputs.write = true;
        (inputs.address, inputs.data) = access.copied().unwrap_or_default();
    }

    /// The values that are in use after a cycle.
    fn see(&mut self, used: &[u64], resets: bool) {
        if let Some(history) = &mut self.history {
            let before = if resets { 0 } else { history.largest };
            history.largest = before.max(used[history.step_max]);
        }
    }

    fn note(&mut self, content: Content, model: &Model, data: u32, accepted: bool) {
        let Content::Parameter(place, word) = content else { return };
        if !accepted || word == Word::Low {
            return;
        }
        let bounds = self.registers.parameters[place].bounds.expect("it was written");
        let low = self.waiting_low(model, place, word);
        let value = if word == Word::High { u64::from(data) << 32 | low } else { data.into() };
        let seen = self.seen.entry(place).or_default();
        seen.least |= value == lowest(bounds);
        seen.most |= value == bounds.most & !bounds.clear;
        seen.other |= value > lowest(bounds) && value < bounds.most & !bounds.clear;
    }

    /// The low word that is held while the high word is written.
    fn waiting_low(&self, model: &Model, place: usize, word: Word) -> u64 {
        if word == Word::High { model.held(place).into() } else { 0 }
    }

    /// Each parameter that can be written had its lowest value, its highest and others, as far as others allow it.
    fn assert_all_happened(&self) {
        let module = &self.registers.module;
        for (place, parameter) in self.registers.parameters.iter().enumerate() {
            if parameter.bounds.is_none() || parameter.name == "timer_span" {
                continue;
            }
            let ruled = self.registers.rules.iter().any(|rule| rule.ports().any(|port| port == parameter.port));
            let seen = self.seen.get(&place).copied().unwrap_or_default();
            let narrow = parameter.bounds.is_some_and(|bounds| bounds.most - bounds.least < 2);
            let all = ((seen.least && seen.most) || ruled) && (seen.other || narrow);
            assert!(all, "{module}: {} was not written with all kinds of values", parameter.name);
        }
    }
}

/// The lowest value that is not 0 as an exception.
fn lowest(bounds: Bounds) -> u64 {
    (bounds.least..).find(|value| value & bounds.clear == 0).expect("some value is taken")
}

/// Checks that rates obey their bounds.
struct Obedience {
    line_rate: usize,
    min_rate: usize,
    current_rate: Option<usize>,
    /// `visited`, `visited_flow` and `visited_rate`.
    visited: Option<[usize; 3]>,
    /// Columns of `announce`, `announce_ready`, `announce_flow`, `refused`, `sent` and `grant_flow`.
    frames: Option<[usize; 6]>,
    /// The flow of the announcement that was taken last; the flows with a frame that waits, or that may wait.
    announced: usize,
    waits: Vec<bool>,
    bounds: (u32, u32),
    /// Cycles with these bounds; of each flow, how many of them it had when it was last seen with a frame that waits.
    cycles: u64,
    idle_from: Vec<u64>,
    checked: u64,
    changes: u64,
}

impl Obedience {
    fn of(ports: &[Port]) -> Option<Self> {
        let find = |name: &str| ports.iter().position(|port| port.name == name);
        let visited = ["visited", "visited_flow", "visited_rate"].map(find);
        Some(Obedience {
            line_rate: find("line_rate")?,
            min_rate: find("min_rate")?,
            current_rate: find("current_rate"),
            visited: visited[0].map(|_| visited.map(|column| column.expect("they belong together"))),
            frames: visited[0].map(|_| {
                ["announce", "announce_ready", "announce_flow", "refused", "sent", "grant_flow"]
                    .map(|name| find(name).unwrap())
            }),
            announced: 0,
            waits: vec![false; 1 << 12],
            bounds: (0, 0),
            cycles: 0,
            idle_from: vec![0; 1 << 12],
            checked: 0,
            changes: 0,
        })
    }

    fn see(&mut self, row: &[u32], reset: bool, at: &str) {
        let bounds = (row[self.min_rate], row[self.line_rate]);
        if reset || bounds != self.bounds {
            self.changes += u64::from(!reset);
            (self.bounds, self.cycles) = (bounds, 0);
            self.idle_from.fill(0);
        }
        if reset {
            self.waits.fill(false);
            return;
        }
        if let Some([announce, ready, flow, refused, sent, grant_flow]) = self.frames {
            if row[announce] != 0 && row[ready] != 0 {
                self.announced = row[flow] as usize;
                self.waits[self.announced] = true;
            }
            if row[refused] != 0 {
                // Another frame of the flow may wait.
                self.idle_from[self.announced] = self.cycles;
            }
            if row[sent] != 0 {
                let flow = row[grant_flow] as usize;
                (self.waits[flow], self.idle_from[flow]) = (false, self.cycles);
            }
        }
        let fits = |rate: u32| rate == 0 || (bounds.0..=bounds.1).contains(&rate);
        if let Some(rate) = self.current_rate.map(|column| row[column])
            && self.cycles >= RATE_CYCLES
        {
            self.checked += 1;
            assert!(fits(rate), "{at}: rate {rate}, {} cycles after its bounds became {bounds:?}", self.cycles);
        }
        if let Some([visited, flow, rate]) = self.visited
            && row[visited] != 0
        {
            let (rate, flow) = (row[rate], row[flow] as usize);
            let idle = self.cycles - self.idle_from[flow];
            if !self.waits[flow] && idle >= IDLE_CYCLES {
                self.checked += 1;
                assert!(
                    fits(rate),
                    "{at}: rate {rate} of flow {flow}, {idle} cycles after its bounds became {bounds:?}"
                );
            }
        }
        self.cycles += 1;
    }
}

/// A part with its register file, and its model.
struct Traffic<'a> {
    circuit: &'a Circuit,
    registers: &'a Registers,
    stimulus: Stimulus,
    reference: Box<dyn Reference>,
    model: Model<'a>,
    software: Software<'a>,
    simulation: Simulation,
    /// Of the whole: each input with its column of the part; reset, boundary and those of the bus.
    inputs: Vec<(Input, usize)>,
    bus: [Input; 6],
    outputs: Vec<(Output, usize)>,
    /// The port of each parameter: column, place in the list of parameters, how far its bits are shifted.
    parameters: Vec<(usize, usize, u32)>,
    /// The columns that the register file reads.
    read: Vec<usize>,
    obedience: Option<Obedience>,
}

impl<'a> Traffic<'a> {
    fn new(
        scheme: &'static Scheme,
        circuit: &'a Circuit,
        registers: &'a Registers,
        whole: &Netlist,
        seed: u64,
    ) -> Self {
        let program = Program::compile(whole).unwrap();
        let column = |name: &str| circuit.ports.iter().position(|port| port.name == name).expect("a port");
        let is_parameter = |name: &str| circuit.parameters.contains(&name);
        let inputs = circuit.ports.iter().enumerate().filter(|(_, port)| {
            port.input && !["clock", "reset"].contains(&port.name.as_str()) && !is_parameter(&port.name)
        });
        let outputs = circuit.ports.iter().enumerate().filter(|(_, port)| !port.input);
        let parameters = registers.list.iter().filter_map(|register| {
            let Content::Parameter(place, word) = register.content else { return None };
            Some((column(register.port.as_ref()?), place, if word == Word::High { 32 } else { 0 }))
        });
        let bus = ["reset", "register_select", "register_write", "register_address", "register_write_data", "boundary"];
        Traffic {
            stimulus: Stimulus::new(scheme, circuit, seed, Values::Accepted),
            reference: reference::of(scheme, registers.part(), circuit).expect("a whole part has a reference"),
            model: Model::new(registers),
            software: Software::new(registers, seed),
            inputs: inputs.map(|(column, port)| (program.input(&port.name).expect("its input"), column)).collect(),
            outputs: outputs.filter_map(|(column, port)| Some((program.output(&port.name).ok()?, column))).collect(),
            bus: bus.map(|name| program.input(name).unwrap_or_else(|_| panic!("no input {name}"))),
            simulation: program.start(1),
            parameters: parameters.collect(),
            read: registers.part_inputs().iter().map(|input| column(&input.name)).collect(),
            obedience: Obedience::of(&circuit.ports),
            circuit,
            registers,
        }
    }

    /// Runs so many cycles; the first difference of circuit and model, if there is one.
    fn run(&mut self, cycles: u64) -> Result<(), String> {
        let ports = &self.circuit.ports;
        let column = |name: &str| ports.iter().position(|port| port.name == name);
        let reset = column("reset").expect("a part has a reset");
        let (mut row, mut own) = (vec![0; ports.len()], vec![0; ports.len()]);
        let mut inputs = Inputs::default();
        let (mut used, mut changes) = (row.clone(), [const { String::new() }; 4]);
        for cycle in 0..cycles {
            // The stimulus sees the outputs of the cycle before, and its own parameters.
            self.stimulus.drive(cycle, &mut row);
            own.clone_from(&row);
            for &(column, place, shift) in &self.parameters {
                let value = (self.model.used()[place] >> shift & 0xffff_ffff) as u32;
                if std::mem::replace(&mut used[column], value) != value {
                    changes.rotate_left(1);
                    changes[3] = format!("{} = {value} in cycle {cycle}", ports[column].name);
                }
                row[column] = value;
            }
            let resets = row[reset] != 0;
            self.reference.outputs(&mut row);
            self.reference.edge(&row);
            self.software.drive(&self.model, &mut inputs, &|port| column(port).map(|column| own[column].into()));
            inputs.reset = resets;
            inputs.boundary = self.reference.settled();
            inputs.part.clear();
            inputs.part.extend(self.read.iter().map(|&column| u64::from(row[column])));

            let bus = [
                resets.into(),
                inputs.select.into(),
                inputs.write.into(),
                inputs.address.into(),
                inputs.data.into(),
                inputs.boundary.into(),
            ];
            self.bus.iter().zip(bus).for_each(|(&input, value)| self.simulation.set(input, value));
            self.inputs.iter().for_each(|&(input, column)| self.simulation.set(input, row[column].into()));
            self.simulation.step();
            let module = &self.registers.module;
            for &(output, column) in self.outputs.iter().filter(|_| !resets) {
                let name = ports[column].name.as_str();
                let valid =
                    self.reference.only_while(name).and_then(&column_of(ports)).is_none_or(|valid| row[valid] != 0);
                let found = self.simulation.get(output) as u32;
                if valid && found != row[column] {
                    let expected = row[column];
                    let at = format!("{module}, cycle {cycle}");
                    let last = changes.join(", ");
                    return Err(format!("{at}: {name} is {found} in the circuit, {expected} in the model; {last}"));
                }
            }
            if let Some(obedience) = &mut self.obedience {
                obedience.see(&row, resets, &format!("{module}, cycle {cycle}"));
            }
            self.model.clock(&inputs);
            self.software.see(self.model.used(), resets);
            // The next values of the stimulus are made for its own parameters.
            for &(column, ..) in &self.parameters {
                row[column] = own[column];
            }
        }
        Ok(())
    }
}

fn column_of(ports: &[Port]) -> impl Fn(&'static str) -> Option<usize> {
    move |name| ports.iter().position(|port| port.name == name)
}

/// Circuit and model agree; with the first seed also everything happens that should.
fn agrees(name: &str, part: Part, settings: &'static [(&str, &str)], seed: u64) {
    let scheme = registry::find(name).unwrap();
    let (_, circuit) = scheme.circuits_of(part, settings);
    let registers = registers(scheme, part, settings);
    assert!(registers.list.iter().any(|register| register.access == Access::ReadWrite));
    let whole = with_registers(&circuit, &registers, None);
    let mut traffic = Traffic::new(scheme, &circuit, &registers, &whole, seed);
    traffic.run(CYCLES).unwrap_or_else(|difference| panic!("{name} {part:?}, seed {seed}: {difference}"));
    if seed > 1 {
        return;
    }
    traffic.software.assert_all_happened();
    if let Some(obedience) = &traffic.obedience {
        let Obedience { changes, checked, .. } = obedience;
        // Of many flows bounds change too often here to obey in time: see the test with a new line rate.
        let enough = obedience.visited.is_some() || *checked > CYCLES / 1000;
        assert!(*changes > CYCLES / 5000 && enough, "{changes} changes of the bounds, {checked} checks");
    }
}

/// Every scheme of the Ethernet family, with some settings.
fn all_agree(part: Part, settings: &'static [(&'static str, &'static str)]) {
    let all: Vec<_> = registry::ethernet().collect();
    all.into_par_iter().for_each(|scheme| agrees(scheme.name, part, settings, 1));
}

#[test]
fn reaction_points_obey_what_is_written_in_traffic() {
    all_agree(Part::ReactionPoint, &[]);
}

#[test]
fn reaction_points_of_four_flows_obey_what_is_written_in_traffic() {
    all_agree(Part::ReactionPoint, &[("rp_flows", "4")]);
}

#[test]
fn congestion_points_obey_what_is_written_in_traffic() {
    all_agree(Part::CongestionPoint, &[]);
}

#[test]
fn congestion_points_of_eight_queues_obey_what_is_written_in_traffic() {
    all_agree(Part::CongestionPoint, &[("cp_queues", "8")]);
}

mod infiniband {
    use super::*;

    #[test]
    fn its_source_obeys_what_is_written_in_traffic() {
        agrees("infiniband", Part::ReactionPoint, &[], 1);
    }

    #[test]
    fn its_switch_obeys_what_is_written_in_traffic() {
        agrees("infiniband", Part::CongestionPoint, &[], 1);
        agrees("infiniband", Part::CongestionPoint, &[("full_when", "header")], 1);
    }
}

/// What is rare meets what else is rare.
#[test]
#[ignore = "long: minutes of simulation"]
fn parts_obey_what_is_written_with_other_seeds() {
    // They are small.
    for seed in 2..=200 {
        agrees("infiniband", Part::ReactionPoint, &[], seed);
        agrees("infiniband", Part::CongestionPoint, &[], seed);
    }
    for seed in 2..=30 {
        for name in tidegate::registry::ethernet().map(|scheme| scheme.name) {
            agrees(name, Part::ReactionPoint, &[], seed);
            agrees(name, Part::ReactionPoint, &[("rp_flows", "4")], seed);
            agrees(name, Part::CongestionPoint, &[], seed);
            agrees(name, Part::CongestionPoint, &[("cp_queues", "8")], seed);
        }
    }
}

/// Cycles after which a mistake is found.
const FINDS: u64 = 60_000;

/// Circuits of SMCC's reaction point without one choice of this module that assigns this signal are not the model any more.
fn each_choice_is_needed(settings: &'static [(&str, &str)], module: &str, signal: &str, choices: usize) {
    let scheme = registry::find("smcc").unwrap();
    let (_, circuit) = scheme.circuits_of(Part::ReactionPoint, settings);
    let registers = registers(scheme, Part::ReactionPoint, settings);
    let whole = with_registers(&circuit, &registers, None);
    let place = whole.modules.iter().position(|found| found.name == module).expect("it has this module");
    let target =
        whole.modules[place].signals.iter().position(|found| found.name == signal).expect("it has this signal");
    let assigns =
        |statement: &&Statement| matches!(statement, Statement::Assign { target: found, .. } if *found == target);
    let statements = &whole.modules[place].statements;
    let found = (0..statements.len()).filter(
        |&at| matches!(&statements[at], Statement::If { then, .. } if then.iter().any(|statement| assigns(&statement))),
    );
    let found: Vec<usize> = found.collect();
    assert_eq!(found.len(), choices, "{module}: choices that assign {signal}");
    for statement in found {
        let mut broken = whole.clone();
        let removed = broken.modules[place].statements.remove(statement);
        let difference = Traffic::new(scheme, &circuit, &registers, &broken, 1).run(FINDS);
        assert!(difference.is_err(), "not found: {removed:?}");
    }
}

/// A circuit without one of these assignments is not the model any more: a rate above its bounds, one at the line rate, one
/// below the minimum rate; of many flows also a new rate above its bounds.
#[test]
fn what_keeps_a_rate_within_its_bounds_is_needed() {
    // Reset, and the choice of the bound.
    each_choice_is_needed(&[], "rate_bounds", "high_next", 1);
    each_choice_is_needed(&[], "rate_bounds", "bound", 1);
    each_choice_is_needed(&[("rp_flows", "4")], "rate_memory", "left_rate", 1);
    each_choice_is_needed(&[("rp_flows", "4")], "rate_memory", "rates_write_data", 2);
}

/// Sources that always have frames of 1,000 octets, before a reaction point with its register file. No feedback comes.
struct Sources {
    simulation: Simulation,
    flows: usize,
    /// The word address of each parameter by its port.
    register: BTreeMap<String, u16>,
    bus: [Input; 4],
    acknowledge: Output,
    request: Input,
    request_flow: Option<Input>,
    taken: Output,
    sent: Output,
    sent_flow: Option<Output>,
    idle: Vec<u64>,
}

impl Sources {
    fn new(name: &str, flows: usize) -> Self {
        let scheme = registry::find(name).unwrap();
        let settings = [("rp_flows", if flows == 1 { "1" } else { "4" }), ("bucket_bytes", "16224")];
        let (_, circuit) = scheme.circuits_of(Part::ReactionPoint, &settings[..1]);
        let registers = registers(scheme, Part::ReactionPoint, &settings);
        let program = Program::compile(&with_registers(&circuit, &registers, None)).unwrap();
        let (input, output) = (|name: &str| program.input(name).unwrap(), |name: &str| program.output(name).unwrap());
        let mut simulation = program.start(1);
        let many = flows > 1;
        let ports = registers.list.iter().filter_map(|register| Some((register.port.clone()?, register.address >> 2)));
        simulation.set(input(if many { "announce_bytes" } else { "request_bytes" }), 1000);
        simulation.set(input("boundary"), 1);
        if many {
            simulation.set(input("send_bytes"), 1000);
            simulation.set(input("send_ready"), 1);
        }
        for cycle in 0..2 {
            simulation.set(input("reset"), 1 - cycle);
            simulation.step();
        }
        Sources {
            register: ports.collect(),
            bus: ["register_select", "register_write", "register_address", "register_write_data"].map(input),
            acknowledge: output("register_acknowledge"),
            request: input(if many { "announce" } else { "request" }),
            request_flow: many.then(|| input("announce_flow")),
            taken: output(if many { "announce_ready" } else { "grant" }),
            sent: output(if many { "sent" } else { "grant" }),
            sent_flow: many.then(|| output("grant_flow")),
            idle: (0..flows as u64).collect(),
            flows,
            simulation,
        }
    }

    /// Writes the register of a parameter.
    fn write(&mut self, port: &str, value: u64) {
        let [select, write, address, data] = self.bus;
        for (input, value) in [(select, 1), (write, 1), (address, self.register[port].into()), (data, value)] {
            self.simulation.set(input, value);
        }
        while self.simulation.get(self.acknowledge) == 0 {
            self.cycle();
        }
        self.simulation.set(select, 0);
        self.cycle();
    }

    /// Octets that are sent in a cycle.
    fn cycle(&mut self) -> u64 {
        self.simulation.set(self.request, u64::from(self.request_flow.is_none() || !self.idle.is_empty()));
        if let (Some(input), Some(&flow)) = (self.request_flow, self.idle.first()) {
            self.simulation.set(input, flow);
        }
        self.simulation.step();
        let (taken, sent) = (self.simulation.get(self.taken) == 1, self.simulation.get(self.sent) == 1);
        if self.request_flow.is_some() && taken && !self.idle.is_empty() {
            self.idle.remove(0);
        }
        if let (Some(flow), true) = (self.sent_flow, sent) {
            self.idle.push(self.simulation.get(flow));
        }
        if sent { 1000 } else { 0 }
    }

    /// Octets a cycle and flow, after so many cycles in which the sources still use what was in their buckets.
    fn rate(&mut self, settles: u64, cycles: u64) -> f64 {
        (0..settles).for_each(|_| _ = self.cycle());
        let octets: u64 = (0..cycles).map(|_| self.cycle()).sum();
        octets as f64 / cycles as f64 / self.flows as f64
    }
}

/// Flows without congestion send at the line rate, whatever software makes of it.
#[test]
fn flows_without_congestion_send_at_a_new_line_rate() {
    for name in tidegate::registry::ethernet().map(|scheme| scheme.name) {
        for flows in [1, 4] {
            let mut sources = Sources::new(name, flows);
            for rate in [1.0, 0.25, 2.0, 0.5] {
                sources.write("line_rate", (rate * f64::from(1 << 18)) as u64);
                let found = sources.rate(30_000, 100_000);
                assert!((found / rate - 1.0).abs() < 0.06, "{name}, {flows} flows: {found} octets a cycle at {rate}");
            }
        }
    }
}

/// A packet time of InfiniBand that is over already when it becomes shorter ends at once.
#[test]
fn a_shorter_packet_time_is_obeyed_at_once() {
    let scheme = registry::find("infiniband").unwrap();
    let (_, circuit) = scheme.circuits_of(Part::ReactionPoint, &[]);
    let program = Program::compile(&circuit.netlist).unwrap();
    let input = |name: &str| program.input(name).unwrap();
    let (reset, request, ack, packet_cycles) = (input("reset"), input("request"), input("ack"), input("packet_cycles"));
    let grant = program.output("grant").unwrap();
    let mut simulation = program.start(1);
    simulation.set(packet_cycles, 60_000);
    simulation.set(request, 1);
    let mut grants = Vec::new();
    for cycle in 0..2000 {
        simulation.set(reset, u64::from(cycle < 2));
        simulation.set(ack, u64::from(cycle == 100));
        if cycle == 1000 {
            simulation.set(packet_cycles, 500);
        }
        simulation.step();
        if simulation.get(grant) == 1 && cycle >= 2 {
            grants.push(cycle);
        }
    }
    // The first packet does not wait; the second one waited for longer than the new packet time.
    assert!(matches!(grants[..], [_, 1001..=1003]), "{grants:?}");
}
