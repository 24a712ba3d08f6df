//! Modules inside one module, joined by the names of their ports.

use crate::netlist::{
    Connection, Expression, Instance, Module, Netlist, Shape, Signal, SignalId, SignalKind, Statement,
};

/// Before the names of the native port of a register file, outside of it.
pub(super) const NATIVE: &str = "register_";

/// A module under construction, and the modules inside.
pub(super) struct Join {
    pub whole: Module,
    netlist: Netlist,
}

impl Join {
    pub fn new(name: &str, meaning: &str) -> Join {
        Join { whole: Module::empty(name, meaning), netlist: Netlist { modules: Vec::new() } }
    }

    /// Adds a signal.
    pub fn signal(&mut self, kind: SignalKind, bits: usize, name: &str, meaning: &str) -> SignalId {
        let (name, meaning) = (name.to_string(), meaning.to_string());
        self.whole.add(Signal { name, kind, shape: Shape::unsigned(bits), enumeration: None, meaning })
    }

    /// Gives a signal a value.
    pub fn assign(&mut self, target: SignalId, value: Expression) {
        self.whole.statements.push(Statement::Assign { target, low: 0, value });
    }

    /// Adds a number that whoever instantiates the whole may choose, and drives the input `input` of a module with it.
    pub fn choice(&mut self, name: &str, bits: usize, default: u64, input: &str) {
        let shape = Shape::unsigned(bits);
        let choice = self.signal(SignalKind::Local, bits, name, "");
        self.whole.choices.push(choice);
        self.assign(choice, Expression::constant(default.into(), shape));
        let input = self.signal(SignalKind::Local, bits, input, "");
        self.assign(input, Expression::signal(choice, shape));
    }

    /// Adds a module. Each of its ports is connected to the signal of the whole with its name, or with its name behind
    /// the prefix; if there is none, it becomes a local signal.
    ///
    /// # Panics
    /// If modules do not fit together: a mistake in this room.
    pub fn part(&mut self, instance: &str, inner: &Netlist, prefix: &str) {
        let module = self.netlist.include(inner).unwrap_or_else(|error| panic!("{error}"));
        let ports = inner.top().ports().map(|(_, port)| Connection::Signal(self.connected(port, prefix)));
        let connections = ports.collect();
        self.whole.instances.push(Instance { name: instance.to_string(), module, connections });
    }

    fn connected(&mut self, port: &Signal, prefix: &str) -> SignalId {
        let whole = &mut self.whole;
        let clock = whole.signals.iter().position(|signal| signal.kind == SignalKind::Clock);
        let outside = clock.filter(|_| port.kind == SignalKind::Clock);
        let outside = outside.or_else(|| whole.find(&format!("{prefix}{}", port.name)));
        let outside = outside.or_else(|| whole.find(&port.name));
        let id = outside.unwrap_or_else(|| whole.add(Signal { kind: SignalKind::Local, ..port.clone() }));
        let known = &mut whole.signals[id];
        assert_eq!(known.shape, port.shape, "signal {}", port.name);
        if known.kind != SignalKind::Local && known.meaning.is_empty() {
            known.meaning.clone_from(&port.meaning);
        }
        id
    }

    /// The whole.
    ///
    /// # Panics
    /// If it is no circuit: a mistake in this room.
    pub fn finish(self) -> Netlist {
        self.netlist.with(self.whole).unwrap_or_else(|error| panic!("{error}"))
    }
}
