//! The bench sees a mistake: each statement of the tap is left out once.

use super::{QCN, SMCC};
use crate::stimulus::Pattern;
use crate::world::{Case, World, made};
use std::panic::{AssertUnwindSafe, catch_unwind};
use tidegate::bus::netfpga1g::CongestionPoint;
use tidegate::netlist::{Module, Netlist, Statement};

const MODULES: [&str; 6] =
    ["word_queue", "packet_sequencer", "packet_fields", "packet_events", "event_queue", "netfpga1g_tap"];

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
fn found(case: Case, netlist: &Netlist) -> bool {
    let registers = made(case.scheme, case.settings).registers;
    let netlist = netlist.clone();
    catch_unwind(AssertUnwindSafe(|| World::with(case, CongestionPoint { netlist, registers }).run())).is_err()
}

#[test]
fn a_tap_without_one_of_its_statements_is_found() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let cases = [
        Case { packets: 1_500, sink: Pattern::Bursts(60), drains: 5, ..SMCC },
        Case { packets: 1_500, late: 2, once: false, sink: Pattern::Random(80), drains: 5, ..SMCC },
        QCN,
    ];
    let (mut seen, mut missed) = (0, Vec::new());
    let whole = made("smcc", SMCC.settings).netlist;
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
            if cases[..2].iter().any(|&case| found(case, &broken)) {
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
