// SPDX-License-Identifier: MIT OR Apache-2.0
//! Modules inside one module, joined by the names of their ports.

use tidegate_hdl::netlist::{
    Connection, Expression, ExpressionKind, Instance, Module, Netlist, Shape, Signal, SignalId, SignalKind, Statement,
};

/// Before the names of the native port of a register file, outside of it.
pub(crate) const NATIVE: &str = "register_";

/// A module under construction, and the modules inside.
pub(crate) struct Join {
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

    /// Adds the ports that these modules have to the outside: those of a name that none drives, or that none reads.
    pub fn ports_around(&mut self, modules: &[&Netlist]) {
        let named = |name: &str, output: bool| {
            let mut ports = modules.iter().flat_map(|module| module.top().ports());
            ports.any(|(_, port)| port.name == name && (port.kind == SignalKind::Output) == output)
        };
        for (_, port) in modules.iter().flat_map(|module| module.top().ports()) {
            let inside = named(&port.name, true) && named(&port.name, false);
            if !inside && self.whole.find(&port.name).is_none() {
                self.whole.add(port.clone());
            }
        }
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

    /// Adds a module whose ports are signals of their own, with the prefix before their names.
    ///
    /// # Panics
    /// If it has the name of another module: a mistake of the caller.
    pub fn own_part(&mut self, instance: &str, inner: &Netlist, prefix: &str) {
        for (_, port) in inner.top().ports().filter(|(_, port)| port.kind != SignalKind::Clock) {
            let name = format!("{prefix}{}", port.name);
            if self.whole.find(&name).is_none() {
                self.whole.add(Signal { name, kind: SignalKind::Local, ..port.clone() });
            }
        }
        self.part(instance, inner, prefix);
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

    /// Connects a port of 64 bits with its halves inside, each of 32 bits.
    ///
    /// # Panics
    /// If there is no such port or half: a mistake in this room.
    pub fn halves(&mut self, port: &str, high: &str, low: &str) {
        let [port, high, low] = [port, high, low].map(|name| self.id(name));
        let value = |id, bits| Expression::signal(id, Shape::unsigned(bits));
        if self.whole.signals[port].kind == SignalKind::Input {
            self.assign(high, value(port, 64).slice(32, 32));
            self.assign(low, value(port, 64).slice(0, 32));
        } else {
            let kind = ExpressionKind::Join(vec![value(high, 32), value(low, 32)]);
            self.assign(port, Expression { kind, shape: Shape::unsigned(64) });
        }
    }

    /// Connects a port of 64 bits, whose first octet is in bits 7 to 0, with its halves inside, whose first octet is in bits
    /// 31 to 24.
    ///
    /// # Panics
    /// If there is no such port or half: a mistake in this room.
    pub fn lanes(&mut self, port: &str, high: &str, low: &str) {
        let [port, high, low] = [port, high, low].map(|name| self.id(name));
        let octet = |id, bits, at| Expression::signal(id, Shape::unsigned(bits)).slice(at, 8);
        let joined = |octets: Vec<Expression>| {
            let shape = Shape::unsigned(8 * octets.len());
            Expression { kind: ExpressionKind::Join(octets), shape }
        };
        if self.whole.signals[port].kind == SignalKind::Input {
            self.assign(high, joined((0..4).map(|place| octet(port, 64, 8 * place)).collect()));
            self.assign(low, joined((4..8).map(|place| octet(port, 64, 8 * place)).collect()));
        } else {
            let octets = [low, high].into_iter().flat_map(|half| (0..4).map(move |place| (half, 8 * place)));
            self.assign(port, joined(octets.map(|(half, at)| octet(half, 32, at)).collect()));
        }
    }

    /// The value of a signal.
    ///
    /// # Panics
    /// If there is none: a mistake of the caller.
    pub fn value(&self, name: &str) -> Expression {
        let id = self.id(name);
        Expression::signal(id, self.whole.signals[id].shape)
    }

    /// Drives a signal with a value.
    ///
    /// # Panics
    /// If there is no such signal: a mistake of the caller.
    pub fn drive(&mut self, target: &str, value: Expression) {
        let target = self.id(target);
        self.assign(target, value);
    }

    /// Drives a signal with another one of the same width.
    pub fn same(&mut self, target: &str, source: &str) {
        let [target, source] = [target, source].map(|name| self.id(name));
        let value = Expression::signal(source, self.whole.signals[source].shape);
        self.assign(target, value);
    }

    /// Drives a signal with a number.
    pub fn constant(&mut self, target: &str, value: u64) {
        let target = self.id(target);
        let shape = self.whole.signals[target].shape;
        self.assign(target, Expression::constant(value.into(), shape));
    }

    fn id(&self, name: &str) -> SignalId {
        self.whole.find(name).unwrap_or_else(|| panic!("there is no signal `{name}`"))
    }

    /// The whole.
    ///
    /// # Panics
    /// If it is no circuit: a mistake in this room.
    pub fn finish(self) -> Netlist {
        self.netlist.with(self.whole).unwrap_or_else(|error| panic!("{error}"))
    }
}
