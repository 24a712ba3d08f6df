// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the inputs of a circuit do in a row of the bench.

use tidegate::registry::Scheme;
use tidegate::rtl::circuit::Circuit;
use tidegate::verify::model::{SEED, seed_of};
use tidegate::verify::stimulus::{Stimulus, Values};

/// Puts the inputs of a cycle into a row of port values.
type Drive = Box<dyn FnMut(u64, &mut [u32])>;

/// Cycles of reset of an idle circuit.
const RESET: u64 = 4;

/// What the inputs do.
#[derive(Clone, Copy, PartialEq)]
pub enum Load {
    /// The stimulus of `verify`: idle cycles and bursts in turn, and new parameters in each epoch.
    Mixed,
    /// Nothing happens after the reset.
    Idle,
    /// The same with a packet that enters and one that leaves, or one that waits for its token, in each cycle.
    Saturated,
}

/// The inputs that are 1 in a saturated circuit.
const HANDSHAKES: [&str; 4] = ["enqueue", "dequeue", "data_ready", "request"];

impl Load {
    /// The rows of a circuit.
    pub fn of(circuit: &Circuit) -> &'static [Load] {
        match circuit.module {
            "qcn_congestion_point" | "smcc_congestion_point" | "qcn_reaction_point" | "smcc_reaction_point" => {
                &[Load::Mixed, Load::Idle, Load::Saturated]
            }
            "marking_8" => &[Load::Mixed, Load::Idle],
            _ => &[Load::Mixed],
        }
    }

    /// Behind the name of the circuit in the name of a row.
    pub fn suffix(self) -> &'static str {
        match self {
            Load::Mixed => "",
            Load::Idle => "_idle",
            Load::Saturated => "_saturated",
        }
    }

    /// What puts the inputs of a cycle into a row of port values.
    pub fn drive(self, scheme: &'static Scheme, circuit: &Circuit) -> Drive {
        let mut stimulus = Stimulus::new(scheme, circuit, seed_of(circuit.module, SEED), Values::Accepted);
        let inputs = circuit.ports.iter().enumerate().filter(|(_, port)| port.input && port.name != "clock");
        let inputs: Vec<(usize, &str)> = inputs.map(|(column, port)| (column, port.name.as_str())).collect();
        let columns = |wanted: &dyn Fn(&str) -> bool| -> Vec<usize> {
            inputs.iter().filter(|(_, name)| wanted(name)).map(|&(column, _)| column).collect()
        };
        match self {
            Load::Mixed => Box::new(move |cycle, row| stimulus.drive(cycle, row)),
            Load::Idle => {
                let reset = columns(&|name| name == "reset");
                let still = columns(&|name| name != "reset" && !circuit.parameters.contains(&name));
                Box::new(move |cycle, row| {
                    if cycle == 0 {
                        stimulus.drive(cycle, row);
                    }
                    still.iter().for_each(|&column| row[column] = 0);
                    reset.iter().for_each(|&column| row[column] = u32::from(cycle < RESET));
                })
            }
            Load::Saturated => {
                let handshakes = columns(&|name| HANDSHAKES.contains(&name));
                Box::new(move |cycle, row| {
                    stimulus.drive(cycle, row);
                    handshakes.iter().for_each(|&column| row[column] = 1);
                })
            }
        }
    }
}
