// SPDX-License-Identifier: MIT OR Apache-2.0
//! The register files of all schemes and parts: machine code of the circuit against the model in every cycle, and the
//! Verilog of some in outside simulators.

mod files;
mod in_traffic;
mod proof;
mod stimulus;

use rayon::prelude::*;
use stimulus::Stimulus;
use tidegate::engine::Program;
use tidegate::netlist::{Netlist, Statement};
use tidegate::registers::circuit::circuit;
use tidegate::registers::model::{Inputs, Model};
use tidegate::registers::{Content, Registers, Word};
use tidegate::registry::{self, Family, SCHEMES, Scheme};
use tidegate::scheme::Part;
use tidegate_testing::simulators::Design;

/// Accesses to each register file.
const ACCESSES: u64 = 1_000_000;

/// The registers of a part with these settings.
fn registers(scheme: &'static Scheme, part: Part, settings: &[(&str, &str)]) -> Registers {
    let settings: Vec<_> = settings.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
    Registers::of(scheme, part, &scheme.parameters(&settings).unwrap(), &settings)
}

/// A circuit and its model side by side.
struct Lockstep<'a> {
    registers: &'a Registers,
    model: Model<'a>,
    simulation: tidegate::engine::Simulation,
    inputs: Vec<tidegate::engine::Input>,
    acknowledge: tidegate::engine::Output,
    read_data: tidegate::engine::Output,
    /// For each port of a parameter that can be written: the place of the parameter, how far its bits are shifted.
    parameters: Vec<(tidegate::engine::Output, usize, u32)>,
}

impl<'a> Lockstep<'a> {
    fn new(registers: &'a Registers, circuit: &Netlist) -> Self {
        let program = Program::compile(circuit).unwrap();
        let names = ["reset", "select", "write", "address", "write_data", "boundary"].map(str::to_string);
        let part = registers.part_inputs().into_iter().map(|input| input.name);
        let inputs = names.into_iter().chain(part).map(|name| program.input(&name).unwrap()).collect();
        let parameters = registers.list.iter().filter_map(|register| {
            let Content::Parameter(place, word) = register.content else { return None };
            let output = program.output(register.port.as_ref().unwrap()).unwrap();
            Some((output, place, if word == Word::High { 32 } else { 0 }))
        });
        Lockstep {
            model: Model::new(registers),
            parameters: parameters.collect(),
            acknowledge: program.output("acknowledge").unwrap(),
            read_data: program.output("read_data").unwrap(),
            simulation: program.start(1),
            inputs,
            registers,
        }
    }

    /// One clock cycle: drives both and compares all outputs before the edge.
    fn cycle(&mut self, cycle: u64, inputs: &Inputs) -> Result<(), String> {
        self.inputs.iter().zip(stimulus::row(inputs)).for_each(|(&input, value)| self.simulation.set(input, value));
        self.simulation.step();
        let module = &self.registers.module;
        let found = (self.simulation.get(self.acknowledge) == 1, self.simulation.get(self.read_data) as u32);
        let expected = (self.model.acknowledge(), self.model.read_data());
        if found != expected {
            return Err(format!(
                "{module}, cycle {cycle}: acknowledge and read_data are {found:?} in the circuit, {expected:?} in the model"
            ));
        }
        for &(output, place, shift) in &self.parameters {
            let (found, expected) = (self.simulation.get(output), self.model.used()[place] >> shift & 0xffff_ffff);
            if found != expected {
                let name = &self.registers.parameters[place].name;
                return Err(format!(
                    "{module}, cycle {cycle}: {name} is {found} in the circuit, {expected} in the model"
                ));
            }
        }
        self.model.clock(inputs);
        Ok(())
    }
}

/// The same, but the high word of each counter changes soon after a reset.
fn with_counters_near_their_carry(registers: &Registers) -> Registers {
    let mut registers = registers.clone();
    for (counter, distance) in registers.counters.iter_mut().zip((1..).map(|place| 500 * place)) {
        counter.reset = (1 << 32) - distance;
    }
    registers
}

/// Many random accesses to a circuit and to the model of these registers. Returns what happened, or the first difference.
fn compared<'a>(registers: &'a Registers, circuit: &Netlist, accesses: u64) -> Result<Stimulus<'a>, String> {
    let (mut lockstep, mut stimulus) = (Lockstep::new(registers, circuit), Stimulus::new(registers, 1));
    let mut inputs = Inputs::default();
    let (mut cycle, mut reached) = (0, 0);
    while reached < accesses {
        stimulus.drive(cycle, &lockstep.model, &mut inputs);
        lockstep.cycle(cycle, &inputs)?;
        reached += u64::from(lockstep.model.acknowledge());
        cycle += 1;
    }
    Ok(stimulus)
}

fn agrees(registers: &Registers, accesses: u64) {
    let registers = with_counters_near_their_carry(registers);
    let stimulus =
        compared(&registers, &circuit(&registers), accesses).unwrap_or_else(|difference| panic!("{difference}"));
    stimulus.assert_all_happened();
}

fn part_agrees(part: Part, scheme: &'static Scheme) {
    agrees(&registers(scheme, part, &[]), ACCESSES);
    if matches!(scheme.family, Family::Ethernet(_)) {
        let many = if part == Part::CongestionPoint { ("cp_queues", "8") } else { ("rp_flows", "4") };
        agrees(&registers(scheme, part, &[many]), ACCESSES);
    }
}

#[test]
fn the_registers_of_each_part_are_those_of_the_model() {
    let parts = |scheme: &'static Scheme| [Part::CongestionPoint, Part::ReactionPoint].map(|part| (scheme, part));
    let all: Vec<_> = SCHEMES.iter().flat_map(parts).collect();
    all.into_par_iter().for_each(|(scheme, part)| part_agrees(part, scheme));
}

/// Accesses after which a mistake is found.
const FINDS: u64 = 100_000;

#[test]
fn a_circuit_without_one_of_its_statements_is_found() {
    let qcn = registry::find("qcn").unwrap();
    statements_are_needed(&registers(qcn, Part::CongestionPoint, &[("cp_queues", "8")]));
    statements_are_needed(&registers(registry::find("dsm").unwrap(), Part::ReactionPoint, &[("rp_flows", "64")]));
}

fn statements_are_needed(registers: &Registers) {
    let registers = with_counters_near_their_carry(registers);
    let whole = circuit(&registers).top().clone();
    let mut found = 0;
    for place in 0..whole.statements.len() {
        // That a register keeps its value need not be said if another statement follows.
        if matches!(&whole.statements[place], Statement::Assign { value, .. } if value.as_signal().is_some()) {
            continue;
        }
        let mut broken = whole.clone();
        broken.statements.remove(place);
        // Without it a signal may have no driver: such a circuit is refused.
        let Ok(broken) = (Netlist { modules: Vec::new() }).with(broken) else { continue };
        let outcome = compared(&registers, &broken, FINDS);
        assert!(outcome.is_err(), "not found: {:?}", whole.statements[place]);
        found += 1;
    }
    assert!(found >= 15, "{found} statements");
}

#[test]
fn a_circuit_with_other_bounds_rules_or_values_is_found() {
    let right = with_counters_near_their_carry(&registers(registry::find("qcn").unwrap(), Part::ReactionPoint, &[]));
    let mut wrong = Vec::new();
    let mut change = |name: &str, change: &dyn Fn(&mut Registers)| {
        let mut other = right.clone();
        change(&mut other);
        wrong.push((name.to_string(), other));
    };
    for (place, parameter) in right.parameters.iter().enumerate() {
        let name = &parameter.name;
        change(name, &|other| other.parameters[place].reset ^= 1);
        let bounds = parameter.bounds.unwrap();
        let bits = parameter.high.as_ref().map_or(parameter.bits, |(_, high)| 32 + high);
        if bounds.most > bounds.least && bounds.most & bounds.clear == 0 {
            change(name, &|other| other.parameters[place].bounds.as_mut().unwrap().most -= 1);
        }
        if bounds.most < u64::MAX >> (64 - bits) {
            change(name, &|other| other.parameters[place].bounds.as_mut().unwrap().most += 1);
        }
        if bounds.least > 0 {
            change(name, &|other| other.parameters[place].bounds.as_mut().unwrap().least -= 1);
        }
        if bounds.zero {
            change(name, &|other| other.parameters[place].bounds.as_mut().unwrap().zero = false);
        }
        if bounds.clear != 0 {
            change(name, &|other| other.parameters[place].bounds.as_mut().unwrap().clear = 0);
        }
    }
    for place in 0..right.rules.len() {
        change("no rule", &|other| other.rules.retain(|rule| *rule != right.rules[place]));
        change(right.rules[place].meaning, &|other| other.rules[place].more += 64);
    }
    change("counter", &|other| other.counters[0].reset += 1);
    for (name, other) in &wrong {
        assert!(compared(&right, &circuit(other), FINDS).is_err(), "not found: another {name}");
    }
}

/// What `--set` accepts is accepted as a value of a register: random settings as values after reset.
#[test]
fn values_that_set_accepts_are_within_the_bounds() {
    let mut random = stimulus::Random(1);
    for scheme in SCHEMES {
        let mut accepted = 0;
        for _ in 0..700 {
            let settings = stimulus::settings(scheme, &mut random);
            let Ok(parameters) = scheme.parameters(&settings) else { continue };
            accepted += 1;
            for part in [Part::CongestionPoint, Part::ReactionPoint] {
                let registers = Registers::of(scheme, part, &parameters, &settings);
                for parameter in &registers.parameters {
                    let name = &parameter.name;
                    let taken = parameter.bounds.is_none_or(|bounds| bounds.take(parameter.reset));
                    assert!(taken, "{}: {name} = {} with {settings:?}", scheme.name, parameter.reset);
                }
                let value = |port: &str| {
                    registers.parameters.iter().find(|parameter| parameter.port == port).expect("its port").reset
                };
                for rule in &registers.rules {
                    assert!(rule.holds(&value), "{}: {} with {settings:?}", scheme.name, rule.meaning);
                }
            }
        }
        assert!(accepted > 100, "{}: {accepted} settings", scheme.name);
    }
}

/// The Verilog of a register file passes lint, and has the outputs of the model in outside simulators.
fn verilog_agrees(registers: &Registers, cycles: u64, icarus_cycles: usize) {
    let design = Design::of(&circuit(registers));
    design.lint(&[]);
    let (mut model, mut stimulus) = (Model::new(registers), Stimulus::new(registers, 2));
    let mut inputs = Inputs::default();
    let outputs = |model: &Model| -> Vec<u64> {
        let used = registers.list.iter().filter_map(|register| match register.content {
            Content::Parameter(place, Word::High) => Some(model.used()[place] >> 32),
            Content::Parameter(place, _) => Some(model.used()[place] & 0xffff_ffff),
            _ => None,
        });
        [model.acknowledge().into(), model.read_data().into()].into_iter().chain(used).collect()
    };
    let (mut rows, mut expected) = (Vec::new(), Vec::new());
    for cycle in 0..cycles {
        stimulus.drive(cycle, &model, &mut inputs);
        let low: Vec<u64> = std::iter::once(0).chain(stimulus::row(&inputs)).collect();
        rows.push(low.clone());
        expected.push(outputs(&model));
        model.clock(&inputs);
        rows.push([vec![1], low[1..].to_vec()].concat());
        expected.push(outputs(&model));
    }
    design.compare(&rows, &expected, 2 * icarus_cycles);
}

#[test]
fn the_verilog_agrees_in_outside_simulators() {
    let qcn = registry::find("qcn").unwrap();
    verilog_agrees(&registers(qcn, Part::ReactionPoint, &[]), 100_000, 20_000);
}

#[test]
#[ignore = "long: compiles two models in Verilator"]
fn the_verilog_of_congestion_points_agrees_in_outside_simulators() {
    let qcn = registry::find("qcn").unwrap();
    verilog_agrees(&registers(qcn, Part::CongestionPoint, &[("cp_queues", "8")]), 100_000, 20_000);
    verilog_agrees(&registers(registry::find("infiniband").unwrap(), Part::CongestionPoint, &[]), 100_000, 20_000);
}

#[test]
fn the_verilog_of_all_passes_lint() {
    for scheme in SCHEMES {
        for part in [Part::CongestionPoint, Part::ReactionPoint] {
            for settings in scheme.variants().iter().copied().chain([&[][..]]) {
                Design::of(&circuit(&registers(scheme, part, settings))).lint(&[]);
            }
        }
    }
}
