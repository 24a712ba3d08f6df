// SPDX-License-Identifier: MIT OR Apache-2.0
//! The checks for each circuit of InfiniBand, also with settings other than the defaults: model = RTL, RTL = Verilog,
//! lint.

use crate::simulators::VERILATOR;
use tidegate_circuits::rtl::circuit::Circuit;
use tidegate_lab::bench::vectors::Recording;
use tidegate_schemes::registry::{Scheme, find};
use tidegate_schemes::scheme::Part;
use tidegate_toolchain::icarus::Icarus;
use tidegate_toolchain::verilator::Effort;
use tidegate_verify::Verdict;
use tidegate_verify::model::{self, SEED, seed_of};
use tidegate_verify::replay::{Replay, Simulator};
use tidegate_verify::stimulus::{Stimulus, Values};

fn scheme() -> &'static Scheme {
    find("infiniband").unwrap()
}

/// Circuit and reference agree at the ports.
pub fn agrees_with_its_reference(circuit: &Circuit, cycles: u64) {
    let (check, _) = model::check(scheme(), Part::CongestionPoint, circuit, cycles, SEED);
    assert_eq!(check.verdict, Verdict::Passed, "{}: {:?}", circuit.module, check.reason);
}

/// The emitted Verilog has the outputs of the circuit in the simulators, and every output changes.
pub fn agrees_with_its_verilog(circuit: &Circuit, cycles: u64) {
    let mut stimulus = Stimulus::new(scheme(), circuit, seed_of(circuit.module, SEED), Values::Raw);
    let recording = Recording::make(circuit, cycles, &mut |cycle, row| stimulus.drive(cycle, row)).unwrap();
    assert!(recording.still().is_empty(), "{}: outputs that keep one value", circuit.module);
    let verilator = Simulator::Verilator(VERILATOR.clone());
    let icarus = Icarus::find().ok().map(|icarus| (Simulator::Icarus(icarus), cycles / 10));
    for (simulator, cycles) in [(verilator, cycles)].into_iter().chain(icarus) {
        let replay = Replay::new(&simulator, circuit, Effort::Quick).unwrap();
        if let Some(mismatch) = replay.compare(&recording, cycles, &[]).unwrap() {
            panic!("{} in {simulator:?}: {mismatch}", circuit.module);
        }
    }
}

/// Every warning of `-Wall` counts.
pub fn passes_lint(circuit: &Circuit) {
    let files: Vec<(String, String)> = circuit
        .netlist
        .modules
        .iter()
        .map(|module| (format!("{}.v", module.name), tidegate_hdl::verilog::module(module, &circuit.netlist)))
        .collect();
    let files: Vec<(String, &str)> = files.iter().map(|(name, text)| (name.clone(), text.as_str())).collect();
    VERILATOR.lint(&files, circuit.module, true).unwrap_or_else(|said| panic!("{}: {said}", circuit.module));
}
