// SPDX-License-Identifier: MIT OR Apache-2.0
//! A circuit of any type as a value: its names, its ports, its netlist, and how to simulate it.

use std::sync::Arc;
use tidegate_hdl::module::Module;
use tidegate_hdl::netlist::{Netlist, SignalKind};
use tidegate_hdl::simulation::{ByName, Clocked, Reference};

/// A port of a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Port {
    /// Its name.
    pub name: String,
    /// Its width in bits.
    pub bits: usize,
    /// Whether it is an input.
    pub input: bool,
}

/// A circuit, its parameters still ports.
#[derive(Clone)]
pub struct Circuit {
    /// Name of the block, as in this room.
    pub block: &'static str,
    /// Name of its module.
    pub module: &'static str,
    /// The module and all that it instantiates.
    pub netlist: Netlist,
    /// Ports in the order of the module.
    pub ports: Vec<Port>,
    /// The ports that are parameters.
    pub parameters: Vec<&'static str>,
    /// Outputs that this scheme leaves unconnected.
    pub open: &'static [&'static str],
    /// The keys, with the numbers of their values, for which it was generated; empty if it is always the same.
    pub generated: Vec<(&'static str, u64)>,
    make: Arc<dyn Fn() -> Box<dyn ByName> + Send + Sync>,
}

/// The first cycle in which no output depends on a register without a value at power-up: there is at most one register
/// behind it.
const SETTLED: u64 = 2;

impl Circuit {
    /// The first cycle whose outputs are known.
    pub fn settled(&self) -> u64 {
        let mut registers = self.netlist.modules.iter().flat_map(|module| &module.registers);
        if registers.any(|register| register.initial.is_none()) { SETTLED } else { 0 }
    }

    /// The number of flows for which it was generated; 1 if it does not say it.
    pub fn flows(&self) -> u64 {
        self.generated.iter().find(|(key, _)| *key == "rp_flows").map_or(1, |&(_, flows)| flows)
    }

    /// The circuit of a type.
    ///
    /// # Panics
    /// If `rust-hdl`'s own checks find an unconnected signal or a loop, or if the circuit has no netlist: a mistake in
    /// this room.
    pub fn of<C: Module>(block: &'static str, open: &'static [&'static str]) -> Self {
        Self::generated::<C>(block, open, Vec::new(), C::default)
    }

    /// The circuit that `make` returns, which was generated for these values.
    ///
    /// # Panics
    /// See [`of`](Self::of).
    pub fn generated<C: Module>(
        block: &'static str,
        open: &'static [&'static str],
        generated: Vec<(&'static str, u64)>,
        make: impl Fn() -> C + Send + Sync + 'static,
    ) -> Self {
        let netlist = make().netlist().unwrap_or_else(|error| panic!("{error}"));
        let ports = netlist.top().ports().map(|(_, port)| Port {
            name: port.name.clone(),
            bits: port.shape.bits,
            input: port.kind != SignalKind::Output,
        });
        Circuit {
            block,
            module: C::OWN.module,
            ports: ports.collect(),
            netlist,
            parameters: C::parameters(),
            open,
            generated,
            make: Arc::new(move || Box::new(Clocked::idle(make()))),
        }
    }

    /// The circuit in the simulation of `rust-hdl`, before any clock edge. `probes` are paths of signals inside that
    /// can be read like outputs: names of instances and of the signal, as `parser.feedback_valid`.
    ///
    /// # Panics
    /// A path leads to no signal.
    pub fn reference(&self, probes: &[&str]) -> Reference {
        let named = |input| self.ports.iter().filter(move |port| port.input == input).map(|port| port.name.as_str());
        let inputs = named(true).filter(|&name| name != "clock");
        Reference::new((self.make)(), inputs, named(false).chain(probes.iter().copied()))
    }
}
