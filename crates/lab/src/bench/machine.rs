// SPDX-License-Identifier: MIT OR Apache-2.0
//! Machines: circuits that are clocked, whatever evaluates them. Ports are looked up once by name.

use super::waveform::{Scope, Waveform};
use tidegate_circuits::rtl::circuit::Circuit;
use tidegate_core::units::Cycles;
use tidegate_hdl::engine::{Input, Output, Program, Simulation};
use tidegate_hdl::simulation::{Reference, ReferenceInput, ReferenceOutput};

/// Seed of the registers that have no value at power-up.
const POWER_UP: u64 = 1;

/// A circuit that is clocked.
pub trait Machine {
    /// A handle of an input.
    type Input: Copy;
    /// A handle of an output.
    type Output: Copy;
    /// An input by its name.
    fn find_input(&self, name: &str) -> Option<Self::Input>;
    /// An output by its name, or a signal inside, chosen when the machine was made, by its path.
    fn find_output(&self, path: &str) -> Option<Self::Output>;
    /// Drives an input.
    fn set(&mut self, input: Self::Input, value: u64);
    /// An output as the last [`settle`](Self::settle) or [`step`](Self::step) left it.
    fn get(&self, output: Self::Output) -> u64;
    /// Lets the outputs follow the inputs.
    fn settle(&mut self);
    /// Cycle `now`: the outputs follow the inputs, then the clock has an edge. The outputs stay those before the edge.
    fn step(&mut self, now: Cycles);
    /// The same in the cycle of reset, which comes before cycle 0.
    fn reset_step(&mut self) {
        self.step(0);
    }

    /// An input that the circuit has.
    fn input(&self, name: &str) -> Self::Input {
        self.find_input(name).unwrap_or_else(|| panic!("the circuit has no input `{name}`"))
    }

    /// An output that the circuit has.
    fn output(&self, path: &str) -> Self::Output {
        self.find_output(path).unwrap_or_else(|| panic!("the circuit has no output `{path}`"))
    }
}

impl Machine for Simulation {
    type Input = Input;
    type Output = Output;

    fn find_input(&self, name: &str) -> Option<Input> {
        self.program().input(name).ok()
    }

    fn find_output(&self, path: &str) -> Option<Output> {
        self.program().output(path).ok()
    }

    #[inline]
    fn set(&mut self, input: Input, value: u64) {
        Simulation::set(self, input, value);
    }

    #[inline]
    fn get(&self, output: Output) -> u64 {
        Simulation::get(self, output)
    }

    #[inline]
    fn settle(&mut self) {
        Simulation::settle(self);
    }

    #[inline]
    fn step(&mut self, _now: Cycles) {
        Simulation::step(self);
    }
}

impl Machine for Reference {
    type Input = ReferenceInput;
    type Output = ReferenceOutput;

    fn find_input(&self, name: &str) -> Option<ReferenceInput> {
        Reference::input(self, name)
    }

    fn find_output(&self, path: &str) -> Option<ReferenceOutput> {
        Reference::output(self, path)
    }

    fn set(&mut self, input: ReferenceInput, value: u64) {
        Reference::set(self, input, value);
    }

    fn get(&self, output: ReferenceOutput) -> u64 {
        Reference::get(self, output)
    }

    fn settle(&mut self) {
        Reference::settle(self);
    }

    fn step(&mut self, _now: Cycles) {
        Reference::step(self);
    }
}

/// A circuit as machine code whose signals a waveform shows.
pub struct Watched {
    simulation: Simulation,
    scope: Scope,
}

impl Machine for Watched {
    type Input = Input;
    type Output = Output;

    fn find_input(&self, name: &str) -> Option<Input> {
        self.simulation.find_input(name)
    }

    fn find_output(&self, path: &str) -> Option<Output> {
        self.simulation.find_output(path)
    }

    fn set(&mut self, input: Input, value: u64) {
        self.simulation.set(input, value);
    }

    fn get(&self, output: Output) -> u64 {
        self.simulation.get(output)
    }

    fn settle(&mut self) {
        self.simulation.settle();
    }

    fn step(&mut self, now: Cycles) {
        Simulation::step(&mut self.simulation);
        self.scope.sample(now, &self.simulation);
    }

    fn reset_step(&mut self) {
        Simulation::step(&mut self.simulation);
    }
}

/// Makes machines of one circuit.
pub trait Maker<'a>: Sized {
    /// What it makes.
    type Machine: Machine;
    /// For a circuit; `probes` are paths of signals inside that can be read like outputs.
    ///
    /// # Panics
    /// There is no such signal, or no code generator for this processor.
    fn of(circuit: Circuit, probes: &[&'static str], waveform: Option<&'a Waveform>) -> Self;
    /// The circuit at power-up; a waveform shows it under this name.
    fn power_up(&self, name: &str) -> Self::Machine;
    /// The circuit.
    fn circuit(&self) -> &Circuit;
    /// Bytes of the state of a machine, which are not in its own size.
    fn state_bytes(&self) -> usize;

    /// A machine after one cycle of reset, its parameters driven.
    fn make(&self, name: &str, value_of: &dyn Fn(&str) -> u64) -> Self::Machine {
        let mut machine = self.power_up(name);
        for parameter in &self.circuit().parameters {
            let input = machine.input(parameter);
            machine.set(input, value_of(parameter));
        }
        let reset = machine.input("reset");
        machine.set(reset, 1);
        machine.reset_step();
        machine.set(reset, 0);
        machine
    }
}

/// Makes machines that run as machine code.
pub struct Native {
    circuit: Circuit,
    program: Program,
}

impl Maker<'_> for Native {
    type Machine = Simulation;

    fn of(circuit: Circuit, probes: &[&'static str], _waveform: Option<&Waveform>) -> Self {
        Native { program: compiled(&circuit, probes), circuit }
    }

    fn state_bytes(&self) -> usize {
        self.program.state_bytes()
    }

    fn power_up(&self, _name: &str) -> Simulation {
        self.program.start(POWER_UP)
    }

    fn circuit(&self) -> &Circuit {
        &self.circuit
    }
}

/// Makes machines that run as machine code, and that a waveform shows.
pub struct Shown<'a> {
    circuit: Circuit,
    program: Program,
    waveform: &'a Waveform,
}

impl<'a> Maker<'a> for Shown<'a> {
    type Machine = Watched;

    fn of(circuit: Circuit, _probes: &[&'static str], waveform: Option<&'a Waveform>) -> Self {
        let paths = circuit.netlist.paths();
        let probes: Vec<&str> = paths.iter().map(|(path, _)| path.as_str()).collect();
        let waveform = waveform.expect("a run with a waveform");
        Shown { program: compiled(&circuit, &probes), circuit, waveform }
    }

    fn state_bytes(&self) -> usize {
        self.program.state_bytes()
    }

    fn power_up(&self, name: &str) -> Watched {
        let scope = self.waveform.scope(name, &self.circuit.netlist, &self.program);
        Watched { simulation: self.program.start(POWER_UP), scope }
    }

    fn circuit(&self) -> &Circuit {
        &self.circuit
    }
}

fn compiled(circuit: &Circuit, probes: &[&str]) -> Program {
    Program::with_probes(&circuit.netlist, probes).unwrap_or_else(|error| panic!("{error}"))
}

/// Makes machines in the simulation of `rust-hdl`.
pub struct InRustHdl {
    circuit: Circuit,
    probes: Vec<&'static str>,
}

impl Maker<'_> for InRustHdl {
    type Machine = Reference;

    fn of(circuit: Circuit, probes: &[&'static str], _waveform: Option<&Waveform>) -> Self {
        InRustHdl { circuit, probes: probes.to_vec() }
    }

    fn state_bytes(&self) -> usize {
        self.power_up("").state_bytes()
    }

    fn power_up(&self, _name: &str) -> Reference {
        self.circuit.reference(&self.probes)
    }

    fn circuit(&self) -> &Circuit {
        &self.circuit
    }
}
