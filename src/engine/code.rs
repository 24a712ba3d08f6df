// SPDX-License-Identifier: MIT OR Apache-2.0
//! Machine code of a flat circuit: one function for a clock edge, one for the outputs alone.
//!
//! A function gets three addresses: the block with inputs, outputs and memories, the registers before the edge, and the
//! place for the registers after it. That place holds a copy of those before the edge: a register that keeps its value
//! is not written. Reads of the registers before the edge never meet a write, so the order of all operations is free;
//! only a word of a memory is read before it is written.

use super::branches::{Branch, Item, branches};
use super::flatten::{Edge, Flat};
use super::graph::{Id, Node};
use super::stores::Stores;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{AbiParam, BlockArg, InstBuilder, MemFlagsData, Type, UserFuncName, Value, types};
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{FuncId, Linkage, Module, default_libcall_names};
use std::collections::HashMap;

/// A compiled function: block, registers before the edge, registers after it.
pub type Function = unsafe extern "C" fn(*mut u64, *const u64, *mut u64);

/// First words of the parts of a block.
#[derive(Clone, Copy)]
pub struct Layout {
    pub outputs: u32,
    pub memory: u32,
}

/// The functions of a circuit, and the memory that holds them.
pub struct Code {
    /// Keeps the machine code.
    module: Option<JITModule>,
    /// Computes the outputs.
    pub settle: Function,
    /// Computes the outputs, and a rising edge of all clocks.
    pub step: Function,
    /// Computes the outputs, and a rising edge of one clock; empty if the circuit has one clock or none.
    pub ticks: Vec<Function>,
    /// Computes the outputs, and what happens at power-up; a falling edge of all clocks; for each clock, a falling edge of
    /// this one. Empty if nothing happens at a falling edge.
    pub falls: Vec<Function>,
}

// The code is never changed after it was made.
unsafe impl Send for Code {}
unsafe impl Sync for Code {}

impl Drop for Code {
    fn drop(&mut self) {
        if let Some(module) = self.module.take() {
            // Nobody can call a function any more: whoever runs it holds this `Code`.
            unsafe { module.free_memory() };
        }
    }
}

/// Compiles a circuit.
///
/// # Errors
/// The machine is none that the code generator knows.
pub fn compile(flat: &Flat, layout: Layout) -> Result<Code, String> {
    let mut flags = settings::builder();
    for (name, value) in [("opt_level", "speed"), ("enable_verifier", "false"), ("is_pic", "false")] {
        flags.set(name, value).map_err(|error| error.to_string())?;
    }
    let isa = cranelift_native::builder().map_err(|error| format!("no machine code for this processor: {error}"))?;
    let isa = isa.finish(settings::Flags::new(flags)).map_err(|error| error.to_string())?;
    let mut module = JITModule::new(JITBuilder::with_isa(isa, default_libcall_names()));
    let settle = define(&mut module, "settle", flat, layout, &|_| false, false)?;
    let step = define(&mut module, "step", flat, layout, &|edge| !edge.falls, true)?;
    let (mut ticks, mut falls) = (Vec::new(), Vec::new());
    if flat.clocks.len() > 1 {
        for clock in 0..flat.clocks.len() {
            let of_clock = |edge: Edge| edge.clock == clock && !edge.falls;
            ticks.push(define(&mut module, &format!("tick_{clock}"), flat, layout, &of_clock, true)?);
        }
    }
    if flat.falls() {
        falls.push(define(&mut module, "power_up", flat, layout, &|edge| edge.at_power_up, true)?);
        falls.push(define(&mut module, "fall", flat, layout, &|edge| edge.falls, true)?);
        for clock in 0..flat.clocks.len() {
            let of_clock = |edge: Edge| edge.clock == clock && edge.falls;
            falls.push(define(&mut module, &format!("fall_{clock}"), flat, layout, &of_clock, true)?);
        }
    }
    module.finalize_definitions().map_err(|error| error.to_string())?;
    let function = |id: FuncId| -> Function {
        // `define` has given each function these parameters.
        unsafe { std::mem::transmute::<*const u8, Function>(module.get_finalized_function(id)) }
    };
    let (settle, step) = (function(settle), function(step));
    let ticks = ticks.into_iter().map(function).collect();
    let falls = falls.into_iter().map(function).collect();
    Ok(Code { settle, step, ticks, falls, module: Some(module) })
}

/// Defines a function: the outputs, and if there is an edge the registers, those of the edges that happen with new
/// values.
fn define(
    module: &mut JITModule,
    name: &str,
    flat: &Flat,
    layout: Layout,
    ticks: &dyn Fn(Edge) -> bool,
    edge: bool,
) -> Result<FuncId, String> {
    let pointer = module.target_config().pointer_type();
    let mut context = module.make_context();
    context.func.signature.params = vec![AbiParam::new(pointer); 3];
    let id =
        module.declare_function(name, Linkage::Local, &context.func.signature).map_err(|error| error.to_string())?;
    context.func.name = UserFuncName::user(0, id.as_u32());
    let mut of_function = FunctionBuilderContext::new();
    let mut builder = FunctionBuilder::new(&mut context.func, &mut of_function);
    let block = builder.create_block();
    builder.append_block_params_for_function_params(block);
    builder.switch_to_block(block);
    builder.seal_block(block);
    let [data, before, after] = builder.block_params(block)[..] else { unreachable!("three parameters") };

    let results = results(flat, ticks, edge);
    let ids = |wanted: &dyn Fn(Place) -> bool| -> Vec<Id> {
        results.iter().filter(|&&(_, place)| wanted(place)).map(|&(id, _)| id).collect()
    };
    let items = branches(&flat.graph, &ids(&|_| true));
    let is_register = |place: Place| matches!(place, Place::Register(_));
    let stores = Stores::of(&flat.graph, &items, &ids(&|place| !is_register(place)), &ids(&is_register));
    let mut places: HashMap<Id, Vec<Place>> = HashMap::new();
    results.iter().for_each(|&(id, place)| places.entry(id).or_default().push(place));
    let of = vec![None; flat.graph.len()];
    let mut values = Values { flat, layout, data, before, after, builder, of, places, stores };
    for &(id, place) in results.iter().filter(|&&(id, _)| flat.graph.number(id).is_some()) {
        values.store_result(id, place);
    }
    values.items(&items);
    if edge {
        for write in flat.writes.iter().filter(|write| ticks(write.edge) && write.kept) {
            values.write(write);
        }
    }
    values.builder.ins().return_(&[]);
    values.builder.finalize(module.target_config());
    module.define_function(id, &mut context).map_err(|error| error.to_string())?;
    Ok(id)
}

/// Where a result goes.
#[derive(Clone, Copy)]
enum Place {
    /// A word of the outputs.
    Output(u32),
    /// A word of the registers after the edge.
    Register(u32),
    /// A write to a memory, behind everything that reads it.
    Write,
}

/// The results of a function.
fn results(flat: &Flat, ticks: &dyn Fn(Edge) -> bool, edge: bool) -> Vec<(Id, Place)> {
    let mut results: Vec<(Id, Place)> = Vec::new();
    results.extend(flat.outputs.iter().enumerate().map(|(word, &id)| (id, Place::Output(word as u32))));
    if edge {
        for (word, register) in flat.registers.iter().enumerate() {
            if flat.kept[word] && ticks(register.edge) && flat.graph.node(register.next) != Node::State(word as u32) {
                results.push((register.next, Place::Register(word as u32)));
            }
        }
        for write in flat.writes.iter().filter(|write| write.kept && ticks(write.edge)) {
            results.extend([write.enable, write.address].iter().chain(&write.data).map(|&id| (id, Place::Write)));
        }
    }
    results
}

/// Values of operations in a function under construction. One bit is an 8-bit value, anything else has 64 bits.
struct Values<'a> {
    flat: &'a Flat,
    layout: Layout,
    data: Value,
    before: Value,
    after: Value,
    builder: FunctionBuilder<'a>,
    of: Vec<Option<Value>>,
    /// Where results go that are not stored yet.
    places: HashMap<Id, Vec<Place>>,
    stores: Stores,
}

impl Values<'_> {
    fn is_bit(&self, id: Id) -> bool {
        self.flat.graph.bits(id) <= 1
    }

    /// The value of an operation in 64 bits.
    fn word(&mut self, id: Id) -> Value {
        if let Some(number) = self.flat.graph.number(id) {
            return self.builder.ins().iconst(types::I64, number as i64);
        }
        let value = self.of[id as usize].expect("operands come first");
        match self.is_bit(id) {
            true => self.builder.ins().uextend(types::I64, value),
            false => value,
        }
    }

    /// The values of two operations in 64 bits.
    fn words(&mut self, one: Id, two: Id) -> (Value, Value) {
        (self.word(one), self.word(two))
    }

    /// The value of an operation of one bit.
    fn bit(&mut self, id: Id) -> Value {
        match self.flat.graph.number(id) {
            Some(number) => self.builder.ins().iconst(types::I8, number as i64),
            None => self.of[id as usize].expect("operands come first"),
        }
    }

    /// A word of 64 bits as the value of an operation.
    fn fit(&mut self, id: Id, word: Value) -> Value {
        match self.is_bit(id) {
            true => self.builder.ins().ireduce(types::I8, word),
            false => word,
        }
    }

    fn load(&mut self, base: Value, word: u32, kind: Type, fixed: bool) -> Value {
        let flags = MemFlagsData::trusted();
        let flags = if fixed { flags.with_readonly().with_can_move() } else { flags };
        self.builder.ins().load(kind, flags, base, 8 * word as i32)
    }

    fn store(&mut self, value: Value, base: Value, word: u32) {
        self.builder.ins().store(MemFlagsData::trusted(), value, base, 8 * word as i32);
    }

    fn store_result(&mut self, id: Id, place: Place) {
        match place {
            Place::Output(word) => {
                let value = self.word(id);
                self.store(value, self.data, self.layout.outputs + word);
            }
            Place::Register(word) => {
                let bit = self.flat.registers[word as usize].bits == 1;
                let value = if bit { self.bit(id) } else { self.word(id) };
                self.store(value, self.after, word);
            }
            Place::Write => {}
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
            let value = self.flat.graph.chosen(choice, side);
            let mut behind = Vec::new();
            for &place in &registers {
                if matches!(place, Place::Register(word) if self.flat.graph.node(value) == Node::State(word)) {
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
        let [then, otherwise, end] = [(); 3].map(|()| self.builder.create_block());
        let behind: Vec<_> = branch.choices.iter().map(|&choice| self.take_on_sides(choice)).collect();
        let read: Vec<Id> = branch.choices.iter().copied().filter(|&choice| self.stores.is_read(choice)).collect();
        let test = self.bit(branch.test);
        self.builder.ins().brif(test, then, &[], otherwise, &[]);
        for (side, (block, items)) in [then, otherwise].into_iter().zip(&branch.sides).enumerate() {
            self.builder.switch_to_block(block);
            self.builder.seal_block(block);
            self.items(items);
            for stores in &behind {
                stores[side].iter().for_each(|&(value, place)| self.store_result(value, place));
            }
            let mut values = Vec::new();
            for &choice in &read {
                let chosen = self.flat.graph.chosen(choice, side);
                let value = if self.is_bit(choice) { self.bit(chosen) } else { self.word(chosen) };
                values.push(BlockArg::Value(value));
            }
            self.builder.ins().jump(end, &values);
        }
        for &choice in &read {
            let kind = if self.is_bit(choice) { types::I8 } else { types::I64 };
            self.of[choice as usize] = Some(self.builder.append_block_param(end, kind));
        }
        self.builder.switch_to_block(end);
        self.builder.seal_block(end);
    }

    fn compute(&mut self, id: Id) {
        let kind = if self.is_bit(id) { types::I8 } else { types::I64 };
        let value = match self.flat.graph.node(id) {
            Node::Constant(_) => return,
            Node::Input(word) => self.load(self.data, word, kind, true),
            Node::State(word) => self.load(self.before, word, kind, true),
            Node::Fetch(base, address) => {
                let place = self.place(address);
                self.load(place, self.layout.memory + base, kind, false)
            }
            Node::Add(one, two) => {
                let (one, two) = self.words(one, two);
                self.builder.ins().iadd(one, two)
            }
            Node::Subtract(one, two) => {
                let (one, two) = self.words(one, two);
                self.builder.ins().isub(one, two)
            }
            Node::Multiply(one, two) => {
                let (one, two) = self.words(one, two);
                self.builder.ins().imul(one, two)
            }
            Node::MultiplyHigh(one, two) => {
                let (one, two) = self.words(one, two);
                let high = self.builder.ins().umulhi(one, two);
                self.fit(id, high)
            }
            Node::And(one, two) => self.bitwise(id, one, two, |builder, one, two| builder.ins().band(one, two)),
            Node::Or(one, two) => self.bitwise(id, one, two, |builder, one, two| builder.ins().bor(one, two)),
            Node::Xor(one, two) => self.bitwise(id, one, two, |builder, one, two| builder.ins().bxor(one, two)),
            Node::ShiftLeft(one, two) => {
                let (one, two) = self.words(one, two);
                self.builder.ins().ishl(one, two)
            }
            Node::ShiftRight(one, two) => {
                let (one, two) = self.words(one, two);
                let shifted = self.builder.ins().ushr(one, two);
                self.fit(id, shifted)
            }
            Node::Equal(one, two) => self.compared(IntCC::Equal, one, two),
            Node::NotEqual(one, two) => self.compared(IntCC::NotEqual, one, two),
            Node::Less(one, two) => self.compared(IntCC::UnsignedLessThan, one, two),
            Node::Parity(one) => {
                let one = self.word(one);
                let count = self.builder.ins().popcnt(one);
                let odd = self.builder.ins().band_imm_u(count, 1);
                self.builder.ins().ireduce(types::I8, odd)
            }
            Node::Select(test, then, otherwise) => {
                let test = self.bit(test);
                let (then, otherwise) = match self.is_bit(id) {
                    true => (self.bit(then), self.bit(otherwise)),
                    false => self.words(then, otherwise),
                };
                self.builder.ins().select(test, then, otherwise)
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
            return operate(&mut self.builder, one, two);
        }
        let (one, two) = self.words(one, two);
        let word = operate(&mut self.builder, one, two);
        self.fit(id, word)
    }

    fn compared(&mut self, how: IntCC, one: Id, two: Id) -> Value {
        let (one, two) = match self.is_bit(one) && self.is_bit(two) {
            true => (self.bit(one), self.bit(two)),
            false => self.words(one, two),
        };
        self.builder.ins().icmp(how, one, two)
    }

    /// The address of a word of a memory, without the distance of its first word.
    fn place(&mut self, address: Id) -> Value {
        let address = self.word(address);
        let distance = self.builder.ins().ishl_imm_u(address, 3);
        self.builder.ins().iadd(self.data, distance)
    }

    /// Writes a word of a memory: the old one where the write is not enabled.
    fn write(&mut self, write: &super::flatten::Write) {
        let place = self.place(write.address);
        let enable = self.bit(write.enable);
        for (at, &data) in write.data.iter().enumerate() {
            let word = self.layout.memory + write.base + at as u32 * write.depth;
            let new = self.word(data);
            let old = self.load(place, word, types::I64, false);
            let value = self.builder.ins().select(enable, new, old);
            self.store(value, place, word);
        }
    }
}
