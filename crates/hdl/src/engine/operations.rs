// SPDX-License-Identifier: MIT OR Apache-2.0
//! The operations of a region in a function under construction.

use super::branches::{Branch, Item};
use super::code::Made;
use super::graph::{Graph, Id, Node};
use super::regions::Place;
use super::stores::Stores;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{BlockArg, InstBuilder, Value, types};
use cranelift_frontend::FunctionBuilder;
use std::collections::HashMap;

/// Makes operations, and stores results where they go.
pub fn make(made: &mut Made, graph: &Graph, results: &[(Id, Place)], items: &[Item], stores: Stores) {
    let mut places: HashMap<Id, Vec<Place>> = HashMap::new();
    results.iter().for_each(|&(id, place)| places.entry(id).or_default().push(place));
    let mut values = Values { made, graph, of: vec![None; graph.len()], places, stores };
    for &(id, place) in results.iter().filter(|&&(id, _)| graph.number(id).is_some()) {
        values.store_result(id, place);
    }
    values.items(items);
}

/// Values of the operations of a region. One bit is an 8-bit value, anything else has 64 bits.
struct Values<'a, 'b> {
    made: &'a mut Made<'b>,
    graph: &'a Graph,
    of: Vec<Option<Value>>,
    /// Where results go that are not stored yet.
    places: HashMap<Id, Vec<Place>>,
    stores: Stores,
}

impl Values<'_, '_> {
    fn is_bit(&self, id: Id) -> bool {
        self.graph.bits(id) <= 1
    }

    /// The value of an operation in 64 bits.
    fn word(&mut self, id: Id) -> Value {
        if let Some(number) = self.graph.number(id) {
            return self.made.builder.ins().iconst(types::I64, number as i64);
        }
        let value = self.of[id as usize].expect("operands come first");
        match self.is_bit(id) {
            true => self.made.builder.ins().uextend(types::I64, value),
            false => value,
        }
    }

    /// The values of two operations in 64 bits.
    fn words(&mut self, one: Id, two: Id) -> (Value, Value) {
        (self.word(one), self.word(two))
    }

    /// The value of an operation of one bit.
    fn bit(&mut self, id: Id) -> Value {
        match self.graph.number(id) {
            Some(number) => self.made.builder.ins().iconst(types::I8, number as i64),
            None => self.of[id as usize].expect("operands come first"),
        }
    }

    /// A word of 64 bits as the value of an operation.
    fn fit(&mut self, id: Id, word: Value) -> Value {
        match self.is_bit(id) {
            true => self.made.builder.ins().ireduce(types::I8, word),
            false => word,
        }
    }

    fn store_result(&mut self, id: Id, place: Place) {
        // A word of its own for each bit, too: what is stored in eight bits cannot be loaded in 64 at once.
        let value = self.word(id);
        let circuit = self.made.circuit;
        let outputs = circuit.layout.outputs;
        match place {
            Place::Output(word) => self.made.store(value, self.made.data, outputs + word),
            Place::Write(write, word) => self.made.store(value, self.made.data, circuit.writes[write as usize] + word),
            Place::Wire(word) => {
                let readers = &circuit.regions.of_wire[word as usize];
                self.made.change(value, self.made.data, circuit.wires + word, readers, true);
            }
            Place::Register(word) => {
                let readers = &circuit.regions.of_state[word as usize];
                self.made.change(value, self.made.after, word, readers, false);
            }
        }
    }

    /// Computes some items, and stores results at once: then they need no register of the processor any more.
    fn items(&mut self, items: &[Item]) {
        for item in items {
            let done = match item {
                Item::Operation(id) => {
                    self.compute(*id);
                    std::slice::from_ref(id)
                }
                Item::Branch(branch) => {
                    self.branch(branch);
                    &branch.choices
                }
            };
            for &id in done {
                for place in self.places.remove(&id).into_iter().flatten() {
                    self.store_result(id, place);
                }
            }
        }
    }

    /// What registers take from a choice, they take on the sides of its branch, if they do not keep their values there.
    /// Returns the stores behind the items of each side.
    fn take_on_sides(&mut self, choice: Id) -> [Vec<(Id, Place)>; 2] {
        let Some(places) = self.places.get_mut(&choice) else { return Default::default() };
        let registers: Vec<Place> = places.extract_if(.., |place| matches!(place, Place::Register(_))).collect();
        [0, 1].map(|side| {
            let value = self.graph.chosen(choice, side);
            let mut behind = Vec::new();
            for &place in &registers {
                if matches!(place, Place::Register(word) if self.graph.node(value) == Node::State(word)) {
                    continue;
                }
                match self.stores.is_inside(value, choice) {
                    true => self.places.entry(value).or_default().push(place),
                    false => behind.push((value, place)),
                }
            }
            behind
        })
    }

    /// A branch; behind it stand the values of its choices that are read.
    fn branch(&mut self, branch: &Branch) {
        let [then, otherwise, end] = [(); 3].map(|()| self.made.builder.create_block());
        let behind: Vec<_> = branch.choices.iter().map(|&choice| self.take_on_sides(choice)).collect();
        let read: Vec<Id> = branch.choices.iter().copied().filter(|&choice| self.stores.is_read(choice)).collect();
        let test = self.bit(branch.test);
        self.made.builder.ins().brif(test, then, &[], otherwise, &[]);
        for (side, (block, items)) in [then, otherwise].into_iter().zip(&branch.sides).enumerate() {
            self.made.builder.switch_to_block(block);
            self.made.builder.seal_block(block);
            self.items(items);
            for stores in &behind {
                stores[side].iter().for_each(|&(value, place)| self.store_result(value, place));
            }
            let mut values = Vec::new();
            for &choice in &read {
                let chosen = self.graph.chosen(choice, side);
                let value = if self.is_bit(choice) { self.bit(chosen) } else { self.word(chosen) };
                values.push(BlockArg::Value(value));
            }
            self.made.builder.ins().jump(end, &values);
        }
        for &choice in &read {
            let kind = if self.is_bit(choice) { types::I8 } else { types::I64 };
            self.of[choice as usize] = Some(self.made.builder.append_block_param(end, kind));
        }
        self.made.builder.switch_to_block(end);
        self.made.builder.seal_block(end);
    }

    fn compute(&mut self, id: Id) {
        let kind = if self.is_bit(id) { types::I8 } else { types::I64 };
        let value = match self.graph.node(id) {
            Node::Constant(_) => return,
            Node::Input(word) => self.made.load(self.made.data, word, kind, true),
            Node::State(word) => self.made.load(self.made.before, word, kind, true),
            Node::Wire(word) => self.made.load(self.made.data, self.made.circuit.wires + word, kind, false),
            Node::Fetch(base, address) => {
                let address = self.word(address);
                let place = self.made.place(address);
                self.made.load(place, self.made.circuit.layout.memory + base, kind, false)
            }
            Node::Add(one, two) => {
                let (one, two) = self.words(one, two);
                self.made.builder.ins().iadd(one, two)
            }
            Node::Subtract(one, two) => {
                let (one, two) = self.words(one, two);
                self.made.builder.ins().isub(one, two)
            }
            Node::Multiply(one, two) => {
                let (one, two) = self.words(one, two);
                self.made.builder.ins().imul(one, two)
            }
            Node::MultiplyHigh(one, two) => {
                let (one, two) = self.words(one, two);
                let high = self.made.builder.ins().umulhi(one, two);
                self.fit(id, high)
            }
            Node::And(one, two) => self.bitwise(id, one, two, |builder, one, two| builder.ins().band(one, two)),
            Node::Or(one, two) => self.bitwise(id, one, two, |builder, one, two| builder.ins().bor(one, two)),
            Node::Xor(one, two) => self.bitwise(id, one, two, |builder, one, two| builder.ins().bxor(one, two)),
            Node::ShiftLeft(one, two) => {
                let (one, two) = self.words(one, two);
                self.made.builder.ins().ishl(one, two)
            }
            Node::ShiftRight(one, two) => {
                let (one, two) = self.words(one, two);
                let shifted = self.made.builder.ins().ushr(one, two);
                self.fit(id, shifted)
            }
            Node::Equal(one, two) => self.compared(IntCC::Equal, one, two),
            Node::NotEqual(one, two) => self.compared(IntCC::NotEqual, one, two),
            Node::Less(one, two) => self.compared(IntCC::UnsignedLessThan, one, two),
            Node::Parity(one) => {
                let one = self.word(one);
                let count = self.made.builder.ins().popcnt(one);
                let odd = self.made.builder.ins().band_imm_u(count, 1);
                self.made.builder.ins().ireduce(types::I8, odd)
            }
            Node::Select(test, then, otherwise) => {
                let test = self.bit(test);
                let (then, otherwise) = match self.is_bit(id) {
                    true => (self.bit(then), self.bit(otherwise)),
                    false => self.words(then, otherwise),
                };
                self.made.builder.ins().select(test, then, otherwise)
            }
        };
        self.of[id as usize] = Some(value);
    }

    fn bitwise(
        &mut self,
        id: Id,
        one: Id,
        two: Id,
        operate: fn(&mut FunctionBuilder<'_>, Value, Value) -> Value,
    ) -> Value {
        if self.is_bit(one) && self.is_bit(two) {
            let (one, two) = (self.bit(one), self.bit(two));
            return operate(&mut self.made.builder, one, two);
        }
        let (one, two) = self.words(one, two);
        let word = operate(&mut self.made.builder, one, two);
        self.fit(id, word)
    }

    fn compared(&mut self, how: IntCC, one: Id, two: Id) -> Value {
        let (one, two) = match self.is_bit(one) && self.is_bit(two) {
            true => (self.bit(one), self.bit(two)),
            false => self.words(one, two),
        };
        self.made.builder.ins().icmp(how, one, two)
    }
}
