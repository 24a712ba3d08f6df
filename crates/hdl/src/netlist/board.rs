// SPDX-License-Identifier: MIT OR Apache-2.0
//! Several circuits and the wires between them as one circuit.

use super::{Connection, Error, Expression, Instance, Module, Netlist, Signal, SignalKind};

/// What a port of a part is connected to.
pub enum Wire {
    /// A number that never changes.
    Constant(u64),
    /// The signal of this name: a clock, an input or an output of the whole, or a local signal.
    Signal(String, SignalKind),
}

/// Parts on a board: ports that are connected to one name are one signal. So a test bench can hand a closed loop to a
/// simulator as one circuit.
pub struct Board {
    parts: Netlist,
    whole: Module,
}

impl Board {
    /// An empty board; `meaning` becomes the comment of its module.
    pub fn new(name: &str, meaning: &str) -> Board {
        Board { parts: Netlist { modules: Vec::new() }, whole: Module::empty(name, meaning) }
    }

    /// Adds an instance of a circuit; `wire_of` says what each of its ports is connected to. The first port that is
    /// connected to a signal gives it its width and its meaning.
    ///
    /// # Errors
    /// The circuit has a module with the name of another module on the board.
    pub fn place(&mut self, instance: &str, part: &Netlist, wire_of: impl Fn(&str) -> Wire) -> Result<(), Error> {
        let module = self.parts.include(part)?;
        let whole = &mut self.whole;
        let connect = |(_, port): (usize, &Signal)| match wire_of(&port.name) {
            Wire::Constant(value) => Connection::Constant(Expression::constant(value.into(), port.shape)),
            Wire::Signal(name, kind) => {
                let known = whole.find(&name);
                Connection::Signal(known.unwrap_or_else(|| whole.add(Signal { name, kind, ..port.clone() })))
            }
        };
        let connections = part.top().ports().map(connect).collect();
        self.whole.instances.push(Instance { name: instance.to_string(), module, connections });
        Ok(())
    }

    /// The circuit.
    ///
    /// # Errors
    /// Two ports of one signal have different widths, both drive it, or none does.
    pub fn finish(self) -> Result<Netlist, Error> {
        self.parts.with(self.whole)
    }
}
