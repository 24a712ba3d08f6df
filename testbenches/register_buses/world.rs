// SPDX-License-Identifier: MIT OR Apache-2.0
//! A register file on a bus in the engine, and the model of the register file at the port between them.

use tidegate::engine::{Input, Output, Program, Simulation};
use tidegate::netlist::Netlist;
use tidegate::registers::Registers;
use tidegate::registers::model::{Inputs, Model};
use tidegate_testing::simulators::Design;
use tidegate_testing::stimulus::Random;

/// An access of the register file.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Access {
    pub write: bool,
    /// Bits 11 to 2 of the address.
    pub word: u64,
    /// The value to write; of a read that has ended, the value that the model read.
    pub data: u64,
}

/// The inputs of each cycle, and the outputs before and after its edge.
type Record = (Vec<Vec<u64>>, Vec<Vec<u64>>);

pub struct World<'a> {
    simulation: Simulation,
    inputs: Vec<(String, Input)>,
    outputs: Vec<(String, Output)>,
    /// Select, write, address and value at the register file, and its acknowledge.
    between: [Output; 5],
    model: Model<'a>,
    /// Of each input of the register file from the part, the signal and its bits.
    part: Vec<(Output, usize)>,
    part_names: Vec<String>,
    /// Their values in this cycle.
    part_row: Vec<u64>,
    /// Its place in the inputs of the whole, if it is one.
    outside: Vec<Option<usize>>,
    pub random: Random,
    /// Values of the inputs and of the outputs in this cycle.
    row: Vec<u64>,
    out: Vec<u64>,
    pub cycle: u64,
    /// An access that has not ended.
    pending: Option<Access>,
    pub record: Option<Record>,
}

impl<'a> World<'a> {
    /// `adapter`: the instance that connects the register file to the bus.
    pub fn new(registers: &'a Registers, netlist: &Netlist, adapter: &str, seed: u64) -> Self {
        let at = |name: &str| format!("{adapter}.register_{name}");
        let mut probes: Vec<String> = ["select", "write", "address", "write_data"].map(at).to_vec();
        probes.push("registers.acknowledge".to_string());
        let part = registers.part_inputs();
        probes.extend(part.iter().map(|input| format!("registers.{}", input.name)));
        let names: Vec<&str> = probes.iter().map(String::as_str).collect();
        let program = Program::with_probes(netlist, &names).unwrap();
        let probe = |name: &String| program.output(name).unwrap();
        let ports = || program.ports().iter().filter(|port| !probes.contains(&port.name));
        let inputs: Vec<_> = ports().filter(|port| port.input).map(|port| port.name.clone()).collect();
        let outputs = ports().filter(|port| !port.input).map(|port| port.name.clone());
        World {
            outputs: outputs.map(|name| (name.clone(), program.output(&name).unwrap())).collect(),
            between: std::array::from_fn(|place| probe(&probes[place])),
            part: part.iter().zip(&probes[5..]).map(|(input, name)| (probe(name), input.bits)).collect(),
            outside: part.iter().map(|input| inputs.iter().position(|name| *name == input.name)).collect(),
            row: vec![0; inputs.len()],
            part_names: part.into_iter().map(|input| input.name).collect(),
            inputs: inputs.into_iter().map(|name| (name.clone(), program.input(&name).unwrap())).collect(),
            simulation: program.start(seed),
            model: Model::new(registers),
            random: Random::new(seed),
            out: Vec::new(),
            part_row: Vec::new(),
            cycle: 0,
            pending: None,
            record: None,
        }
    }

    /// The place of an input.
    pub fn input(&self, name: &str) -> usize {
        self.inputs.iter().position(|(known, _)| known == name).unwrap_or_else(|| panic!("no input {name}"))
    }

    /// The place of an output.
    pub fn output(&self, name: &str) -> usize {
        self.outputs.iter().position(|(known, _)| known == name).unwrap_or_else(|| panic!("no output {name}"))
    }

    pub fn set(&mut self, input: usize, value: u64) {
        self.row[input] = value;
    }

    pub fn get(&self, output: usize) -> u64 {
        self.out[output]
    }

    /// The value in this cycle of an input of the register file from the part.
    pub fn of_part(&self, name: &str) -> u64 {
        let place = self.part_names.iter().position(|known| known == name).unwrap_or_else(|| panic!("no {name}"));
        self.part_row[place]
    }

    /// What was recorded, in outside simulators.
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

    /// One clock cycle, with any inputs from the part. Returns the access that ended in it.
    pub fn clock(&mut self) -> Option<Access> {
        let boundary = self.input("boundary");
        self.row[boundary] = self.random.chance(30).into();
        for (place, &(_, bits)) in self.outside.iter().zip(&self.part) {
            if let Some(place) = place {
                self.row[*place] = self.random.word() >> (64 - bits);
            }
        }
        for (&value, (_, input)) in self.row.iter().zip(&self.inputs) {
            self.simulation.set(*input, value);
        }
        self.simulation.step();
        self.out = self.outputs.iter().map(|&(_, output)| self.simulation.get(output)).collect();

        let [select, write, word, data, acknowledge] = self.between.map(|output| self.simulation.get(output));
        self.part_row = self.part.iter().map(|&(output, _)| self.simulation.get(output)).collect();
        let reset = self.row[self.input("reset")] != 0;
        assert_eq!(acknowledge != 0, self.model.acknowledge(), "cycle {}: the register file acknowledges", self.cycle);
        let access = Access { write: write != 0, word, data: if write != 0 { data } else { 0 } };
        if let Some(pending) = self.pending {
            assert!(select != 0 && access == pending, "cycle {}: {access:?} after {pending:?}", self.cycle);
        }
        self.pending = (select != 0 && acknowledge == 0 && !reset).then_some(access);
        let ended = (select != 0 && acknowledge != 0).then_some(match access.write {
            true => access,
            false => Access { data: self.model.read_data().into(), ..access },
        });
        self.model.clock(&Inputs {
            reset,
            select: select != 0,
            write: write != 0,
            address: word as u16,
            data: data as u32,
            boundary: self.row[boundary] != 0,
            part: self.part_row.clone(),
        });
        self.cycle += 1;
        if let Some((rows, expected)) = &mut self.record {
            rows.push(self.row.clone());
            expected.push(self.out.clone());
            self.simulation.settle();
            expected.push(self.outputs.iter().map(|&(_, output)| self.simulation.get(output)).collect());
        }
        ended
    }
}
