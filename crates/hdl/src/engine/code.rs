// SPDX-License-Identifier: MIT OR Apache-2.0
//! Machine code of a circuit: one function for a clock edge, one for the outputs alone.
//!
//! A function gets three addresses: the words of a simulation, which [`Layout`] describes, the registers before the edge, and a second
//! place for the registers after it, which holds a copy of those before it: a register that keeps its value is not written. Reads of
//! the registers before the edge never meet a write, so the order of all operations is free; only a word of a memory is read before
//! it is written.
//!
//! A circuit of one region is computed whole, and who calls it exchanges the two places for registers. Where regions may sleep, both
//! places are among the words, so that one address is enough. The function moves new values to the first place itself, and a bit
//! for each region says whether it must be computed: something that it reads has another value. A region that changes one of its results sets the bits of those that read it: for a wire in this cycle, for
//! a register or a memory in the next one.

use super::Optimisations;
use super::branches::branches;
use super::flatten::{Edge, Flat, Write};
use super::graph::Id;
use super::operations;
use super::regions::{Place, Region, Regions};
use super::stores::Stores;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{AbiParam, InstBuilder, MemFlagsData, Type, UserFuncName, Value, types};
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext, Variable};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{FuncId, Linkage, Module, default_libcall_names};

/// A compiled function: words, registers before the edge, registers after it.
pub type Function = unsafe extern "C" fn(*mut u64, *mut u64, *mut u64);

/// Bits in a word, each of a region.
const GROUP: usize = 64;

/// The words of a simulation without the registers: inputs first, then the parts below, each by its first word.
#[derive(Clone, Copy)]
pub struct Layout {
    pub outputs: u32,
    pub memory: u32,
    /// What writes to memories take; then wires.
    pub taken: u32,
    /// A bit for each region that is to be computed in the next cycle.
    pub awake: u32,
    /// Registers before the edge and after it, where regions may sleep.
    pub before: u32,
    pub after: u32,
    pub end: u32,
}

impl Layout {
    fn of(flat: &Flat, wires: usize, groups: usize) -> Layout {
        let taken: usize = flat.writes.iter().map(words_of).sum();
        let outputs = flat.inputs;
        let memory = outputs + flat.outputs.len() as u32;
        let first = memory + flat.memory.len() as u32;
        let awake = first + (taken + wires) as u32;
        let registers = if groups > 0 { flat.registers.len() as u32 } else { 0 };
        let before = awake + groups as u32;
        let after = before + registers;
        Layout { outputs, memory, taken: first, awake, before, after, end: after + registers }
    }

    /// The first word of what each write to a memory takes: whether it happens.
    pub fn writes(self, flat: &Flat) -> impl Iterator<Item = u32> {
        flat.writes.iter().scan(self.taken, |next, write| {
            let first = *next;
            *next += words_of(write) as u32;
            Some(first)
        })
    }
}

/// Words that a write to a memory takes: enable, address, data.
fn words_of(write: &Write) -> usize {
    2 + write.data.len()
}

/// The functions of a circuit, and the memory that holds them.
pub struct Code {
    /// Keeps the machine code.
    module: Option<JITModule>,
    pub layout: Layout,
    /// For each word of bits, and for each word of the inputs, the bits of the regions that read it.
    pub wakes: Vec<Vec<u64>>,
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

/// Which edges happen in a function; none where the outputs alone are computed.
type Happens<'a> = &'a dyn Fn(Edge) -> bool;

/// Compiles a circuit.
///
/// # Errors
/// The machine is none that the code generator knows.
pub fn compile(flat: &Flat, regions: &Regions, optimisations: Optimisations) -> Result<Code, String> {
    let mut flags = settings::builder();
    for (name, value) in [("opt_level", "speed"), ("enable_verifier", "false"), ("is_pic", "false")] {
        flags.set(name, value).map_err(|error| error.to_string())?;
    }
    let isa = cranelift_native::builder().map_err(|error| format!("no machine code for this processor: {error}"))?;
    let isa = isa.finish(settings::Flags::new(flags)).map_err(|error| error.to_string())?;
    let mut module = JITModule::new(JITBuilder::with_isa(isa, default_libcall_names()));
    let circuit = Circuit::of(flat, regions, optimisations);
    let settle = circuit.define(&mut module, "settle", &|_| false)?;
    let step = circuit.define(&mut module, "step", &|edge| !edge.falls)?;
    let (mut ticks, mut falls) = (Vec::new(), Vec::new());
    if flat.clocks.len() > 1 {
        for clock in 0..flat.clocks.len() {
            let of_clock = |edge: Edge| edge.clock == clock && !edge.falls;
            ticks.push(circuit.define(&mut module, &format!("tick_{clock}"), &of_clock)?);
        }
    }
    if flat.falls() {
        falls.push(circuit.define(&mut module, "power_up", &|edge| edge.at_power_up)?);
        falls.push(circuit.define(&mut module, "fall", &|edge| edge.falls)?);
        for clock in 0..flat.clocks.len() {
            let of_clock = |edge: Edge| edge.clock == clock && edge.falls;
            falls.push(circuit.define(&mut module, &format!("fall_{clock}"), &of_clock)?);
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
    let of_input: Vec<Vec<u64>> = regions.of_input.iter().map(|readers| circuit.bits(readers)).collect();
    let wakes = (0..circuit.groups).map(|group| of_input.iter().map(|bits| bits[group]).collect()).collect();
    Ok(Code { layout: circuit.layout, wakes, settle, step, ticks, falls, module: Some(module) })
}

/// A circuit whose functions are made.
pub struct Circuit<'a> {
    flat: &'a Flat,
    pub regions: &'a Regions,
    optimisations: Optimisations,
    pub layout: Layout,
    /// Words of bits of regions; none if there is one region.
    groups: usize,
    /// The first word of what each write takes.
    pub writes: Vec<u32>,
    /// The first word of the wires.
    pub wires: u32,
}

impl<'a> Circuit<'a> {
    fn of(flat: &'a Flat, regions: &'a Regions, optimisations: Optimisations) -> Self {
        let groups = if regions.may_sleep() { regions.all.len().div_ceil(GROUP) } else { 0 };
        let layout = Layout::of(flat, regions.of_wire.len(), groups);
        let writes = layout.writes(flat).collect();
        let wires = layout.awake - regions.of_wire.len() as u32;
        Circuit { flat, regions, optimisations, layout, groups, writes, wires }
    }

    /// The bits of some regions, without those that never sleep.
    fn bits(&self, regions: &[usize]) -> Vec<u64> {
        let mut bits = vec![0; self.groups];
        for &region in regions.iter().filter(|&&region| !self.regions.all[region].always) {
            bits[region / GROUP] |= 1 << (region % GROUP);
        }
        bits
    }

    /// Whether a function computes a result.
    fn takes(&self, place: Place, happens: Happens) -> bool {
        match place {
            Place::Output(_) | Place::Wire(_) => true,
            Place::Register(word) => happens(self.flat.registers[word as usize].edge),
            Place::Write(write, _) => happens(self.flat.writes[write as usize].edge),
        }
    }

    /// Defines a function: the outputs, and the registers and memories of the edges that happen with new values.
    fn define(&self, module: &mut JITModule, name: &str, happens: Happens) -> Result<FuncId, String> {
        let pointer = module.target_config().pointer_type();
        let mut context = module.make_context();
        context.func.signature.params = vec![AbiParam::new(pointer); 3];
        let id = module
            .declare_function(name, Linkage::Local, &context.func.signature)
            .map_err(|error| error.to_string())?;
        context.func.name = UserFuncName::user(0, id.as_u32());
        let mut of_function = FunctionBuilderContext::new();
        let mut builder = FunctionBuilder::new(&mut context.func, &mut of_function);
        let block = builder.create_block();
        builder.append_block_params_for_function_params(block);
        builder.switch_to_block(block);
        builder.seal_block(block);
        let places: Vec<Words> =
            builder.block_params(block).iter().map(|&address| Words { address, first: 0 }).collect();
        let [data, mut before, mut after] = places[..] else { unreachable!("three parameters") };
        if self.groups > 0 {
            before = Words { first: self.layout.before, ..data };
            after = Words { first: self.layout.after, ..data };
        }
        let mut made = Made { circuit: self, data, before, after, builder, awake: Vec::new(), next: Vec::new() };
        for group in 0..self.groups {
            let bits = made.load(data, self.layout.awake + group as u32, types::I64, false);
            let none = made.builder.ins().iconst(types::I64, 0);
            let variables = [bits, none].map(|value| {
                let variable = made.builder.declare_var(types::I64);
                made.builder.def_var(variable, value);
                variable
            });
            made.awake.push(variables[0]);
            made.next.push(variables[1]);
        }
        // Regions that were computed, but not all of whose results are taken.
        let mut unfinished = Vec::new();
        for (number, region) in self.regions.all.iter().enumerate() {
            let taken: Vec<(Id, Place)> =
                region.results.iter().copied().filter(|&(_, place)| self.takes(place, happens)).collect();
            if taken.len() < region.results.len() {
                unfinished.push(number);
            }
            made.where_awake(number, |made| made.region(region, &taken));
        }
        for (number, region) in self.regions.all.iter().enumerate() {
            made.edge(number, region, happens);
        }
        for (group, bits) in self.bits(&unfinished).into_iter().enumerate() {
            let (awake, next) = (made.builder.use_var(made.awake[group]), made.builder.use_var(made.next[group]));
            let again = made.builder.ins().band_imm_u(awake, bits as i64);
            let next = made.builder.ins().bor(next, again);
            made.store(next, data, self.layout.awake + group as u32);
        }
        made.builder.ins().return_(&[]);
        made.builder.finalize(module.target_config());
        module.define_function(id, &mut context).map_err(|error| error.to_string())?;
        Ok(id)
    }
}

/// Words at an address, counted from one of them on.
#[derive(Clone, Copy)]
pub struct Words {
    address: Value,
    first: u32,
}

/// A function under construction; the words of its simulation, and the registers before the edge and after it.
pub struct Made<'a> {
    pub circuit: &'a Circuit<'a>,
    pub data: Words,
    pub before: Words,
    pub after: Words,
    pub builder: FunctionBuilder<'a>,
    /// The bits of the regions to compute in this cycle, and of those to compute in the next one.
    awake: Vec<Variable>,
    next: Vec<Variable>,
}

impl Words {
    /// The distance of a word from the address, in bytes.
    fn offset(self, word: u32) -> i32 {
        8 * (self.first + word) as i32
    }
}

impl Made<'_> {
    /// A word; `fixed` if nothing writes it before the edge.
    pub fn load(&mut self, words: Words, word: u32, kind: Type, fixed: bool) -> Value {
        let flags = MemFlagsData::trusted();
        let flags = if fixed { flags.with_readonly().with_can_move() } else { flags };
        self.builder.ins().load(kind, flags, words.address, words.offset(word))
    }

    pub fn store(&mut self, value: Value, words: Words, word: u32) {
        self.builder.ins().store(MemFlagsData::trusted(), value, words.address, words.offset(word));
    }

    /// Where one bit is 1.
    fn where_set(&mut self, bit: Value, make: impl FnOnce(&mut Self)) {
        let [then, end] = [(); 2].map(|()| self.builder.create_block());
        self.builder.ins().brif(bit, then, &[], end, &[]);
        self.builder.switch_to_block(then);
        self.builder.seal_block(then);
        make(self);
        self.builder.ins().jump(end, &[]);
        self.builder.switch_to_block(end);
        self.builder.seal_block(end);
    }

    /// Where a region is awake.
    fn where_awake(&mut self, region: usize, make: impl FnOnce(&mut Self)) {
        if self.circuit.regions.all[region].always {
            return make(self);
        }
        let bits = self.builder.use_var(self.awake[region / GROUP]);
        let bit = self.builder.ins().band_imm_u(bits, 1 << (region % GROUP));
        self.where_set(bit, make);
    }

    /// Wakes regions in this cycle or in the next one, where a value of one bit is 1, or everywhere.
    fn wake(&mut self, regions: &[usize], now: bool, changed: Option<Value>) {
        for (group, bits) in self.circuit.bits(regions).into_iter().enumerate().filter(|&(_, bits)| bits != 0) {
            let variable = if now { self.awake[group] } else { self.next[group] };
            let bits = self.builder.ins().iconst(types::I64, bits as i64);
            let bits = changed.map_or(bits, |changed| {
                let none = self.builder.ins().iconst(types::I64, 0);
                self.builder.ins().select(changed, bits, none)
            });
            let before = self.builder.use_var(variable);
            let after = self.builder.ins().bor(before, bits);
            self.builder.def_var(variable, after);
        }
    }

    /// Stores a value, and wakes those that read it if it is another one than before.
    pub fn change(&mut self, value: Value, words: Words, word: u32, readers: &[usize], now: bool) {
        if self.circuit.bits(readers).iter().all(|&bits| bits == 0) {
            return self.store(value, words, word);
        }
        let before = self.load(words, word, types::I64, false);
        self.store(value, words, word);
        let changed = self.builder.ins().icmp(IntCC::NotEqual, before, value);
        self.wake(readers, now, Some(changed));
    }

    /// The results of a region that a function takes.
    fn region(&mut self, region: &Region, taken: &[(Id, Place)]) {
        let graph = &region.graph;
        let ids = |wanted: &dyn Fn(Place) -> bool| -> Vec<Id> {
            taken.iter().filter(|&&(_, place)| wanted(place)).map(|&(id, _)| id).collect()
        };
        let items = branches(graph, &ids(&|_| true), self.circuit.optimisations.branches);
        let is_register = |place: Place| matches!(place, Place::Register(_));
        let stores = Stores::of(graph, &items, &ids(&|place| !is_register(place)), &ids(&is_register));
        operations::make(self, graph, taken, &items, stores);
    }

    /// The edge, for the registers and memories of a region.
    fn edge(&mut self, number: usize, region: &Region, happens: Happens) {
        let circuit = self.circuit;
        let mut registers = Vec::new();
        let mut writes: Vec<u32> = Vec::new();
        for &(_, place) in region.results.iter().filter(|&&(_, place)| circuit.takes(place, happens)) {
            match place {
                // Of one region, the places are exchanged.
                Place::Register(word) if circuit.groups > 0 => registers.push(word),
                Place::Write(write, 0) => writes.push(write),
                _ => {}
            }
        }
        if registers.is_empty() && writes.is_empty() {
            return;
        }
        self.where_awake(number, |made| {
            for word in registers {
                let value = made.load(made.after, word, types::I64, false);
                made.store(value, made.before, word);
            }
            for write in writes {
                let enable = made.load(made.data, circuit.writes[write as usize], types::I64, false);
                made.where_set(enable, |made| made.write(write as usize));
            }
        });
    }

    /// Writes a word of a memory.
    fn write(&mut self, index: usize) {
        let (circuit, data) = (self.circuit, self.data);
        let (write, taken) = (&circuit.flat.writes[index], circuit.writes[index]);
        let address = self.load(data, taken + 1, types::I64, false);
        let place = self.place(address);
        for at in 0..write.data.len() as u32 {
            let value = self.load(data, taken + 2 + at, types::I64, false);
            self.store(value, place, circuit.layout.memory + write.base + at * write.depth);
        }
        self.wake(&circuit.regions.of_write[index], false, None);
    }

    /// The words from that of an address of a memory on, without the distance of the first word of the memory.
    pub fn place(&mut self, address: Value) -> Words {
        let distance = self.builder.ins().ishl_imm_u(address, 3);
        Words { address: self.builder.ins().iadd(self.data.address, distance), ..self.data }
    }
}
