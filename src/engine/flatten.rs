//! The operations of a whole circuit: its modules are put into each other, and each signal becomes the operations that
//! compute it.

use super::graph::{ones, Graph, Id, Node};
use super::words::{bits_of_word, words, Words};
use crate::netlist::{
    targets_of, Binary, Connection, Expression, ExpressionKind, Instance, Module, ModuleId, Netlist, Shape, SignalId,
    SignalKind, Statement, Unary,
};
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

/// A port of the circuit.
pub struct PortOf {
    pub name: String,
    pub bits: usize,
    pub input: bool,
    /// Index of its first word, among the inputs or among the outputs.
    pub word: u32,
}

/// A register word: the clock that it runs on, its value at power-up, what it takes at the edge.
pub struct RegisterWord {
    pub clock: usize,
    pub initial: Option<u64>,
    pub bits: u32,
    pub next: Id,
}

/// A write to a memory at the edge.
pub struct Write {
    pub clock: usize,
    pub enable: Id,
    /// First word of the memory.
    pub base: u32,
    /// Address of the word; a word of more than 64 bits has several.
    pub address: Id,
    pub data: Words,
    /// Distance of the copies for the words of more than 64 bits.
    pub depth: u32,
    /// Whether the memory is read by anything that is needed.
    pub kept: bool,
}

/// A circuit as operations.
pub struct Flat {
    pub graph: Graph,
    pub ports: Vec<PortOf>,
    pub outputs: Vec<Id>,
    pub registers: Vec<RegisterWord>,
    /// The register words that an output depends on.
    pub kept: Vec<bool>,
    pub writes: Vec<Write>,
    /// Contents of the memories at power-up.
    pub memory: Vec<u64>,
    pub inputs: u32,
    /// Names of the clocks.
    pub clocks: Vec<String>,
}

impl Flat {
    /// Finds the registers and memories on which outputs depend.
    fn keep(&mut self) {
        let mut seen = vec![false; self.graph.len()];
        let mut open = self.outputs.clone();
        while let Some(id) = open.pop() {
            if std::mem::replace(&mut seen[id as usize], true) {
                continue;
            }
            let node = self.graph.node(id);
            open.extend(node.operands());
            match node {
                Node::State(word) => {
                    self.kept[word as usize] = true;
                    open.push(self.registers[word as usize].next);
                }
                Node::Fetch(base, _) => {
                    let of_memory = |write: &&mut Write| {
                        (write.base..write.base + write.depth * write.data.len() as u32).contains(&base)
                    };
                    for write in self.writes.iter_mut().filter(of_memory) {
                        write.kept = true;
                        open.extend([write.enable, write.address]);
                        open.extend(&write.data);
                    }
                }
                _ => {}
            }
        }
    }
}

/// A module at its place in the circuit.
struct Scope {
    module: ModuleId,
    /// The scope around it, and the instance there.
    parent: Option<(usize, usize)>,
    children: Vec<usize>,
    values: Vec<Option<Words>>,
}

/// What a module looks like: the same for each of its instances.
struct Plan {
    /// For each assigned signal, the statements that assign it, without the others.
    assigned: BTreeMap<SignalId, Vec<Statement>>,
    /// For each signal that an instance drives: the instance, the signal inside.
    driven: HashMap<SignalId, (usize, SignalId)>,
    /// Place of each port among the ports.
    place: HashMap<SignalId, usize>,
}

fn plan(module: &Module, netlist: &Netlist) -> Plan {
    let targets = targets_of(&module.statements);
    let assigned = targets.into_iter().map(|target| (target, only(&module.statements, target))).collect();
    let mut driven = HashMap::new();
    for (index, instance) in module.instances.iter().enumerate() {
        for ((port, signal), connection) in netlist.modules[instance.module].ports().zip(&instance.connections) {
            if let (SignalKind::Output, Connection::Signal(outside)) = (signal.kind, connection) {
                driven.insert(*outside, (index, port));
            }
        }
    }
    let place = module.ports().enumerate().map(|(place, (port, _))| (port, place)).collect();
    Plan { assigned, driven, place }
}

/// The statements that assign one signal.
fn only(statements: &[Statement], wanted: SignalId) -> Vec<Statement> {
    let mut kept = Vec::new();
    for statement in statements {
        match statement {
            Statement::Assign { target, .. } if *target == wanted => kept.push(statement.clone()),
            Statement::Assign { .. } => {}
            Statement::If { test, then, otherwise } => {
                let (then, otherwise) = (only(then, wanted), only(otherwise, wanted));
                if !(then.is_empty() && otherwise.is_empty()) {
                    kept.push(Statement::If { test: test.clone(), then, otherwise });
                }
            }
            Statement::Match { test, arms, default } => {
                let arms: Vec<_> = arms.iter().map(|(pattern, block)| (pattern.clone(), only(block, wanted))).collect();
                let default = only(default, wanted);
                if !default.is_empty() || arms.iter().any(|(_, block)| !block.is_empty()) {
                    kept.push(Statement::Match { test: test.clone(), arms, default });
                }
            }
        }
    }
    kept
}

struct Flattener<'a> {
    netlist: &'a Netlist,
    plans: Vec<Rc<Plan>>,
    scopes: Vec<Scope>,
    graph: Graph,
}

/// Flattens a circuit. The signals at some paths (`parser.ready`) become outputs behind its own.
///
/// # Errors
/// The path that leads to no signal.
pub fn flatten(netlist: &Netlist, probes: &[&str]) -> Result<Flat, String> {
    let plans = netlist.modules.iter().map(|module| Rc::new(plan(module, netlist))).collect();
    let mut flattener = Flattener { netlist, plans, scopes: Vec::new(), graph: Graph::default() };
    flattener.add_scope(netlist.modules.len() - 1, None);
    flattener.flat(probes)
}

impl<'a> Flattener<'a> {
    fn add_scope(&mut self, module: ModuleId, parent: Option<(usize, usize)>) -> usize {
        let id = self.scopes.len();
        let of: &'a Module = &self.netlist.modules[module];
        let values = vec![None; of.signals.len()];
        self.scopes.push(Scope { module, parent, children: Vec::new(), values });
        for (index, instance) in of.instances.iter().enumerate() {
            let child = self.add_scope(instance.module, Some((id, index)));
            self.scopes[id].children.push(child);
        }
        id
    }

    fn module(&self, scope: usize) -> &'a Module {
        &self.netlist.modules[self.scopes[scope].module]
    }

    /// The clock of the circuit that drives a clock of a module.
    fn clock(&self, scope: usize, clock: SignalId) -> SignalId {
        let Some((parent, index)) = self.scopes[scope].parent else { return clock };
        let instance: &Instance = &self.module(parent).instances[index];
        let place = self.plans[self.scopes[scope].module].place[&clock];
        match &instance.connections[place] {
            Connection::Signal(id) => self.clock(parent, *id),
            Connection::Constant(_) => unreachable!("a clock is connected to a clock"),
        }
    }

    /// The scope and the signal at a path: names of instances, then of the signal.
    fn at(&self, path: &str) -> Option<(usize, SignalId)> {
        let mut scope = 0;
        let mut names = path.split('.').peekable();
        while let Some(name) = names.next() {
            let module = self.module(scope);
            if names.peek().is_none() {
                return module.find(name).map(|signal| (scope, signal));
            }
            let index = module.instances.iter().position(|instance| instance.name == name)?;
            scope = self.scopes[scope].children[index];
        }
        None
    }

    fn flat(mut self, probes: &[&str]) -> Result<Flat, String> {
        let top = self.netlist.top();
        let clocks: Vec<SignalId> =
            top.ports().filter(|(_, port)| port.kind == SignalKind::Clock).map(|(id, _)| id).collect();
        // Words of the inputs and of the outputs.
        let (mut ports, mut inputs, mut outputs) = (Vec::new(), 0, 0);
        for (id, port) in top.ports().filter(|(_, port)| port.kind != SignalKind::Clock) {
            let (input, bits) = (port.kind == SignalKind::Input, port.shape.bits);
            let count = if input { &mut inputs } else { &mut outputs };
            let word = *count;
            *count += words(bits) as u32;
            ports.push(PortOf { name: port.name.clone(), bits, input, word });
            if input {
                let value =
                    (0..words(bits)).map(|at| self.graph.input(word + at as u32, bits_of_word(bits, at))).collect();
                self.scopes[0].values[id] = Some(value);
            }
        }
        // State: registers and read ports; contents of memories.
        let mut state = 0;
        let mut memory = Vec::new();
        let mut bases = Vec::new();
        for scope in 0..self.scopes.len() {
            let module = self.module(scope);
            let registers = module.registers.iter().map(|register| register.q);
            let memories = module.memories.iter().map(|memory| memory.read_data);
            for signal in registers.chain(memories).chain(module.roms.iter().map(|rom| rom.data)) {
                let bits = module.signals[signal].shape.bits;
                let value = (0..words(bits)).map(|at| self.graph.state(state + at as u32, bits_of_word(bits, at)));
                let value = value.collect();
                self.scopes[scope].values[signal] = Some(value);
                state += words(bits) as u32;
            }
            let mut of_scope = Vec::new();
            for inside in &module.memories {
                of_scope.push(memory.len() as u32);
                memory.resize(memory.len() + inside.words * words(inside.bits), 0);
            }
            for rom in &module.roms {
                of_scope.push(memory.len() as u32);
                for at in 0..words(module.signals[rom.data].shape.bits) {
                    memory.extend(rom.contents.iter().map(|word| if at < 2 { (word >> (64 * at)) as u64 } else { 0 }));
                }
            }
            bases.push(of_scope);
        }
        let domain = |id: SignalId| clocks.iter().position(|&clock| clock == id).expect("a clock of the top");
        let (mut registers, mut writes) = (Vec::new(), Vec::new());
        for (scope, bases) in bases.iter().enumerate() {
            let module = self.module(scope);
            for register in &module.registers {
                let bits = module.signals[register.q].shape.bits;
                let mut next = self.value(scope, register.d);
                if let (Some(reset), Some(initial)) = (register.reset, register.initial) {
                    let reset = self.value(scope, reset)[0];
                    let initial = self.graph.wide_constant(initial, bits);
                    next = self.graph.wide_select(reset, &initial, &next);
                }
                let clock = domain(self.clock(scope, register.clock));
                for (at, &next) in next.iter().enumerate() {
                    let initial = register.initial.map(|value| if at < 2 { (value >> (64 * at)) as u64 } else { 0 });
                    let bits = bits_of_word(bits, at);
                    registers.push(RegisterWord {
                        clock,
                        initial: initial.map(|value| value & ones(bits)),
                        bits,
                        next,
                    });
                }
            }
            let (of_memories, of_roms) = bases.split_at(module.memories.len());
            for (inside, &base) in module.memories.iter().zip(of_memories) {
                let address = self.address(scope, inside.read_address, inside.words);
                let clock = domain(self.clock(scope, inside.read_clock));
                let depth = inside.words as u32;
                for at in 0..words(inside.bits) {
                    let bits = bits_of_word(inside.bits, at);
                    let next = self.graph.fetch(base + at as u32 * depth, address, bits);
                    registers.push(RegisterWord { clock, initial: Some(0), bits, next });
                }
                let address = self.address(scope, inside.write_address, inside.words);
                let enable = self.value(scope, inside.write_enable)[0];
                let data = self.value(scope, inside.write_data);
                let clock = domain(self.clock(scope, inside.write_clock));
                writes.push(Write { clock, enable, base, address, data, depth, kept: false });
            }
            for (rom, &base) in module.roms.iter().zip(of_roms) {
                let address = self.address(scope, rom.address, rom.contents.len());
                let clock = domain(self.clock(scope, rom.clock));
                let whole = module.signals[rom.data].shape.bits;
                for at in 0..words(whole) {
                    let bits = bits_of_word(whole, at);
                    let next = self.graph.fetch(base + (at * rom.contents.len()) as u32, address, bits);
                    registers.push(RegisterWord { clock, initial: Some(0), bits, next });
                }
            }
        }
        let of_top = top.ports().filter(|(_, port)| port.kind == SignalKind::Output);
        let mut outputs: Vec<Id> = of_top.flat_map(|(id, _)| self.value(0, id)).collect();
        for &path in probes {
            let (scope, signal) = self.at(path).ok_or(path)?;
            let (bits, word) = (self.module(scope).signals[signal].shape.bits, outputs.len() as u32);
            ports.push(PortOf { name: path.to_string(), bits, input: false, word });
            outputs.extend(self.value(scope, signal));
        }
        let clocks = clocks.iter().map(|&clock| top.signals[clock].name.clone()).collect();
        let kept = vec![false; registers.len()];
        let mut flat = Flat { graph: self.graph, ports, outputs, registers, kept, writes, memory, inputs, clocks };
        flat.keep();
        Ok(flat)
    }

    /// The address of one of `words` words, a power of two.
    fn address(&mut self, scope: usize, signal: SignalId, words: usize) -> Id {
        let address = self.value(scope, signal)[0];
        self.graph.low(address, words.trailing_zeros())
    }

    /// The value of a signal in a cycle.
    fn value(&mut self, scope: usize, signal: SignalId) -> Words {
        if let Some(value) = &self.scopes[scope].values[signal] {
            return value.clone();
        }
        let plan = Rc::clone(&self.plans[self.scopes[scope].module]);
        let value = if let Some(statements) = plan.assigned.get(&signal) {
            let bits = self.module(scope).signals[signal].shape.bits;
            self.assigned(scope, statements, bits, None).expect("a signal is assigned in every case")
        } else if let Some(&(instance, inside)) = plan.driven.get(&signal) {
            let child = self.scopes[scope].children[instance];
            self.value(child, inside)
        } else {
            let (parent, index) = self.scopes[scope].parent.expect("the inputs of the circuit have values");
            match &self.module(parent).instances[index].connections[plan.place[&signal]] {
                Connection::Signal(id) => self.value(parent, *id),
                Connection::Constant(value) => self.expression(parent, value),
            }
        };
        self.scopes[scope].values[signal] = Some(value.clone());
        value
    }

    /// The value of a signal after statements that assign only this signal; `before` is its value above them.
    fn assigned(
        &mut self,
        scope: usize,
        statements: &[Statement],
        bits: usize,
        before: Option<Words>,
    ) -> Option<Words> {
        let mut current = before;
        for statement in statements {
            current = match statement {
                Statement::Assign { low, value, .. } => {
                    let part = value.shape.bits;
                    let value = self.expression(scope, value);
                    Some(match current {
                        _ if part == bits => value,
                        Some(before) => self.graph.wide_insert(&before, *low, &value, part),
                        // The other bits are assigned below.
                        None => {
                            let zero = self.graph.wide_constant(0, bits);
                            self.graph.wide_insert(&zero, *low, &value, part)
                        }
                    })
                }
                Statement::If { test, then, otherwise } => {
                    let test = self.expression(scope, test)[0];
                    self.chosen(scope, test, then, otherwise, bits, current)
                }
                Statement::Match { test, arms, default } => {
                    let test = self.expression(scope, test);
                    let mut value = self.assigned(scope, default, bits, current.clone());
                    for (pattern, block) in arms.iter().rev() {
                        let pattern = self.expression(scope, pattern);
                        let equal = self.graph.wide_equal(&test, &pattern);
                        let arm = self.assigned(scope, block, bits, current.clone());
                        value = self.merged(equal, arm, value);
                    }
                    value
                }
            };
        }
        current
    }

    fn chosen(
        &mut self,
        scope: usize,
        test: Id,
        then: &[Statement],
        otherwise: &[Statement],
        bits: usize,
        before: Option<Words>,
    ) -> Option<Words> {
        match self.graph.number(test) {
            Some(0) => self.assigned(scope, otherwise, bits, before),
            Some(_) => self.assigned(scope, then, bits, before),
            None => {
                let then = self.assigned(scope, then, bits, before.clone());
                let otherwise = self.assigned(scope, otherwise, bits, before);
                self.merged(test, then, otherwise)
            }
        }
    }

    /// A value that one side does not assign is assigned below, in every case.
    fn merged(&mut self, test: Id, then: Option<Words>, otherwise: Option<Words>) -> Option<Words> {
        match (then, otherwise) {
            (Some(then), Some(otherwise)) => Some(self.graph.wide_select(test, &then, &otherwise)),
            (then, otherwise) => then.or(otherwise),
        }
    }

    fn expression(&mut self, scope: usize, expression: &Expression) -> Words {
        let bits = expression.shape.bits;
        match &expression.kind {
            ExpressionKind::Constant(value) => self.graph.wide_constant(*value, bits),
            ExpressionKind::Enumerator { value, .. } => self.graph.wide_constant(*value as u128, bits),
            ExpressionKind::Signal(id) => self.value(scope, *id),
            ExpressionKind::Reinterpret(value) => self.expression(scope, value),
            ExpressionKind::Extend(value) => {
                let inner = self.expression(scope, value);
                self.graph.wide_extend(&inner, value.shape.bits, bits, value.shape.signed)
            }
            ExpressionKind::Slice { value, low } => {
                let value = self.expression(scope, value);
                self.graph.wide_slice(&value, *low, bits)
            }
            ExpressionKind::Unary(operator, value) => {
                let inner = self.expression(scope, value);
                self.unary(*operator, &inner, value.shape.bits)
            }
            ExpressionKind::Join(parts) => {
                let zero = self.graph.wide_constant(0, bits);
                let (mut joined, mut low) = (zero.clone(), 0);
                for part in parts.iter().rev() {
                    let value = self.expression(scope, part);
                    let placed = self.graph.wide_insert(&zero, low, &value, part.shape.bits);
                    joined = self.graph.wide_each(&joined, &placed, Graph::or);
                    low += part.shape.bits;
                }
                joined
            }
            ExpressionKind::Binary(operator, left, right) => {
                let (shape, one) = (left.shape, self.expression(scope, left));
                let other = self.expression(scope, right);
                self.binary(*operator, &one, &other, shape)
            }
        }
    }

    fn unary(&mut self, operator: Unary, value: &[Id], bits: usize) -> Words {
        let graph = &mut self.graph;
        match operator {
            Unary::Not => graph.wide_not(value, bits),
            Unary::Negate => {
                let zero = graph.wide_constant(0, bits);
                graph.wide_subtract(&zero, value, bits)
            }
            Unary::All => {
                let zero = graph.wide_constant(0, bits);
                let all = graph.wide_not(&zero, bits);
                vec![graph.wide_equal(value, &all)]
            }
            Unary::Any => {
                let zero = graph.wide_constant(0, bits);
                let none = graph.wide_equal(value, &zero);
                vec![graph.not(none)]
            }
            Unary::Parity => {
                let mut folded = value[0];
                for &word in &value[1..] {
                    folded = graph.xor(folded, word);
                }
                vec![graph.parity(folded)]
            }
        }
    }

    fn binary(&mut self, operator: Binary, left: &[Id], right: &[Id], shape: Shape) -> Words {
        let (graph, bits) = (&mut self.graph, shape.bits);
        let (left, right) = match operator {
            Binary::Less | Binary::LessOrEqual | Binary::Greater | Binary::GreaterOrEqual if shape.signed => {
                (graph.wide_flip_sign(left, bits), graph.wide_flip_sign(right, bits))
            }
            _ => (left.to_vec(), right.to_vec()),
        };
        let (left, right) = (&left[..], &right[..]);
        match operator {
            Binary::Add => graph.wide_add(left, right, bits),
            Binary::Subtract => graph.wide_subtract(left, right, bits),
            Binary::Multiply => graph.wide_multiply(left, right, bits),
            Binary::And => graph.wide_each(left, right, Graph::and),
            Binary::Or => graph.wide_each(left, right, Graph::or),
            Binary::Xor => graph.wide_each(left, right, Graph::xor),
            Binary::ShiftLeft => graph.wide_shift(left, right, bits, true),
            Binary::ShiftRight => graph.wide_shift(left, right, bits, false),
            Binary::Equal => vec![graph.wide_equal(left, right)],
            Binary::NotEqual => {
                let equal = graph.wide_equal(left, right);
                vec![graph.not(equal)]
            }
            Binary::Less => vec![graph.wide_less(left, right)],
            Binary::Greater => vec![graph.wide_less(right, left)],
            Binary::LessOrEqual => {
                let greater = graph.wide_less(right, left);
                vec![graph.not(greater)]
            }
            Binary::GreaterOrEqual => {
                let less = graph.wide_less(left, right);
                vec![graph.not(less)]
            }
        }
    }
}
