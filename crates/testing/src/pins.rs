// SPDX-License-Identifier: MIT OR Apache-2.0
//! A circuit at its ports, by their names, at native speed.

use crate::simulators::Design;
use tidegate_hdl::engine::{Input, Output, Program, Simulation};
use tidegate_hdl::netlist::Netlist;

/// The inputs of each cycle, and the outputs before and after its edge.
type Record = (Vec<Vec<u64>>, Vec<Vec<u64>>);

/// A circuit on the engine, whose ports are set and read one by one.
pub struct Pins {
    simulation: Simulation,
    inputs: Vec<(String, Input)>,
    outputs: Vec<(String, Output)>,
    row: Vec<u64>,
    out: Vec<u64>,
    pub cycle: u64,
    record: Option<Record>,
    ports: usize,
}

impl Pins {
    /// `probes`: paths of signals inside, which are read like outputs.
    pub fn new(netlist: &Netlist, probes: &[&str]) -> Pins {
        Pins::of(&Program::with_probes(netlist, probes).unwrap(), probes)
    }

    /// The same of a program with these probes.
    pub fn of(program: &Program, probes: &[&str]) -> Pins {
        let named = |input: bool| -> Vec<String> {
            let ports = program.ports().iter().filter(|port| port.input == input);
            ports.map(|port| port.name.clone()).filter(|name| !probes.contains(&name.as_str())).collect()
        };
        let inputs: Vec<_> =
            named(true).into_iter().map(|name| (name.clone(), program.input(&name).unwrap())).collect();
        let outputs = named(false);
        let ports = outputs.len();
        let outputs = outputs.into_iter().chain(probes.iter().map(|probe| probe.to_string()));
        let outputs: Vec<_> = outputs.map(|name| (name.clone(), program.output(&name).unwrap())).collect();
        let (row, out) = (vec![0; inputs.len()], vec![0; outputs.len()]);
        Pins { simulation: program.start(1), inputs, outputs, row, out, cycle: 0, record: None, ports }
    }

    /// The place of an input.
    pub fn input(&self, name: &str) -> usize {
        self.inputs.iter().position(|(known, _)| known == name).unwrap_or_else(|| panic!("no input {name}"))
    }

    /// The place of an output or probe.
    pub fn output(&self, name: &str) -> usize {
        self.outputs.iter().position(|(known, _)| known == name).unwrap_or_else(|| panic!("no output {name}"))
    }

    /// Drives an input from this cycle on.
    pub fn set(&mut self, input: usize, value: u64) {
        self.row[input] = value;
    }

    /// The value of an input.
    pub fn value(&self, input: usize) -> u64 {
        self.row[input]
    }

    /// Drives the input of this name.
    pub fn set_by_name(&mut self, name: &str, value: u64) {
        let place = self.input(name);
        self.row[place] = value;
    }

    /// The value of an output in the last cycle, before its edge.
    pub fn get(&self, output: usize) -> u64 {
        self.out[output]
    }

    /// The value of the output of this name.
    pub fn get_by_name(&self, name: &str) -> u64 {
        self.out[self.output(name)]
    }

    /// A clock cycle.
    pub fn clock(&mut self) {
        for (&(_, input), &value) in self.inputs.iter().zip(&self.row) {
            self.simulation.set(input, value);
        }
        self.simulation.step();
        for (&(_, output), value) in self.outputs.iter().zip(&mut self.out) {
            *value = self.simulation.get(output);
        }
        self.cycle += 1;
        if let Some((rows, expected)) = &mut self.record {
            rows.push(self.row.clone());
            expected.push(self.out[..self.ports].to_vec());
            self.simulation.settle();
            let outputs = &self.outputs[..self.ports];
            expected.push(outputs.iter().map(|&(_, output)| self.simulation.get(output)).collect());
        }
    }

    /// Records all cycles from now on.
    pub fn record(&mut self) {
        self.record = Some(Record::default());
    }

    /// Compares what was recorded with outside simulators.
    pub fn compare(&mut self, design: &Design, icarus_cycles: usize) {
        let (recorded, expected) = self.record.take().unwrap();
        let place = |name: &str| self.inputs.iter().position(|(known, _)| known == name);
        let places: Vec<_> = design.inputs.iter().map(|(name, _)| place(name)).collect();
        assert_eq!(places.iter().filter(|place| place.is_none()).count(), 1, "all inputs but the clock are driven");
        let row =
            |row: &[u64], clock| places.iter().map(|place| place.map_or(clock, |place| row[place])).collect::<Vec<_>>();
        let rows: Vec<_> = recorded.iter().flat_map(|one| [row(one, 0), row(one, 1)]).collect();
        design.compare(&rows, &expected, 2 * icarus_cycles);
    }
}
