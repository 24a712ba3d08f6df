//! The bench sees a mistake: each statement of the tap is left out once.

use super::{SMCC, overflow};
use crate::stimulus::Pattern;
use crate::world::{Case, World, made};
use std::panic::{AssertUnwindSafe, catch_unwind};
use tidegate::bus::netfpga1g::CongestionPoint;
use tidegate::registers::Registers;
use tidegate::netlist::{Module, Netlist, Statement};

const MODULES: [&str; 6] =
    ["word_queue", "packet_sequencer", "packet_fields", "packet_events", "event_queue", "netfpga1g_tap"];

const CASES: [Case; 2] = [
    Case { packets: 1_500, sink: Pattern::Bursts(60), drains: 5, ..SMCC },
    Case { packets: 1_500, late: 2, once: false, sink: Pattern::Random(80), drains: 5, ..SMCC },
];

/// The circuit with another module at a place; `None` if it is no circuit, because a signal has no driver.
fn replaced(netlist: &Netlist, place: usize, module: Module) -> Option<Netlist> {
    let mut made = Netlist { modules: netlist.modules[..place].to_vec() };
    made = made.with(module).ok()?;
    for other in &netlist.modules[place + 1..] {
        made = made.with(other.clone()).ok()?;
    }
    Some(made)
}

/// Whether a run with this circuit fails.
fn found(netlist: &Netlist, registers: &Registers, overflows: bool) -> bool {
    let world = |case| World::with(case, CongestionPoint { netlist: netlist.clone(), registers: registers.clone() });
    let fails = |run: &dyn Fn()| catch_unwind(AssertUnwindSafe(run)).is_err();
    CASES.iter().any(|&case| fails(&|| world(case).run()))
        || overflows && fails(&|| overflow(world(Case { packets: 0, ..SMCC })))
}

#[test]
fn a_tap_without_one_of_its_statements_is_found() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let (mut seen, mut missed) = (0, Vec::new());
    let CongestionPoint { netlist: whole, registers } = made("smcc", SMCC.settings);
    for name in MODULES {
        let place = whole.modules.iter().position(|module| module.name == name).unwrap();
        for statement in 0..whole.modules[place].statements.len() {
            let mut module = whole.modules[place].clone();
            let removed = module.statements.remove(statement);
            // That a register keeps its value need not be said if another statement follows.
            if matches!(&removed, Statement::Assign { value, .. } if value.as_signal().is_some()) {
                continue;
            }
            let Some(broken) = replaced(&whole, place, module) else { continue };
            if found(&broken, &registers, true) {
                seen += 1;
            } else {
                missed.push(format!("{name}: {removed:?}"));
            }
        }
    }
    std::panic::set_hook(usual);
    eprintln!("{seen} found");
    assert!(missed.is_empty(), "{} of {} not found:\n{}", missed.len(), seen + missed.len(), missed.join("\n"));
    assert!(seen >= 30, "{seen}");
}
