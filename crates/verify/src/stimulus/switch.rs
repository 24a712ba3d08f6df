// SPDX-License-Identifier: MIT OR Apache-2.0
//! Packets through a switch with input buffers: they enter if there is room, are complete with their last byte, leave
//! if they wait, and free their slot later. Also the inputs of a marker alone.

use super::random::Random;
use super::{Names, set};

/// The packets of one input.
#[derive(Clone, Debug)]
struct Buffer {
    waiting: Vec<u32>,
    sending: u32,
    /// The last byte of the packet that entered last is not in.
    coming: bool,
}

impl Buffer {
    fn used(&self) -> u32 {
        self.waiting.iter().sum::<u32>() + self.sending
    }
}

/// The events of a switch, or of a buffer alone, which is a switch with one input. At most one packet leaves on an
/// output in a cycle. Sometimes there is an impossible event, which the switch must ignore.
pub struct Switch {
    enter: usize,
    enter_output: usize,
    complete: usize,
    leave: usize,
    leave_output: usize,
    free: usize,
    slots: usize,
    full_when_whole: usize,
    /// Bits of the number of an output.
    bits: u32,
    buffers: Vec<Buffer>,
    /// Probabilities in percent: to enter, to be complete, to leave, to free.
    share: [u64; 4],
    /// The output to which most packets go.
    root: u64,
    impossible: u64,
}

impl Switch {
    /// The switch that a circuit is.
    pub fn of(names: &Names) -> Option<Self> {
        let (enter, enter_output) = (names.input("enter")?, names.input("enter_output")?);
        let inputs = names.ports[enter].bits;
        let bits = names.ports[enter_output].bits / inputs;
        Some(Switch {
            enter,
            enter_output,
            complete: names.input("complete")?,
            leave: names.input("leave")?,
            leave_output: names.input("leave_output")?,
            free: names.input("free")?,
            slots: names.column("buffer_packets", true)?,
            full_when_whole: names.column("full_when_whole", true)?,
            bits: bits as u32,
            buffers: vec![Buffer { waiting: vec![0; 1 << bits], sending: 0, coming: false }; inputs],
            share: [50; 4],
            root: 0,
            impossible: 0,
        })
    }

    /// Its columns.
    pub fn columns(&self) -> [usize; 6] {
        [self.enter, self.enter_output, self.complete, self.leave, self.leave_output, self.free]
    }

    /// A new phase.
    pub fn begin(&mut self, random: &mut Random) {
        self.share = [(); 4].map(|()| random.pick(&[5, 30, 60, 95]));
        self.root = random.below(1 << self.bits);
        self.impossible = random.pick(&[0, 0, 5]);
    }

    fn output_of(&self, bus: u32, input: usize) -> usize {
        (bus >> (input as u32 * self.bits) & ((1 << self.bits) - 1)) as usize
    }

    /// Updates the counts with the cycle before (in `row`).
    pub fn see(&mut self, row: &[u32], was_reset: bool) {
        for input in 0..self.buffers.len() {
            let (to, on) =
                (self.output_of(row[self.enter_output], input), self.output_of(row[self.leave_output], input));
            let happens = |column: usize| row[column] >> input & 1 != 0;
            let (enters, leaves, frees) = (happens(self.enter), happens(self.leave), happens(self.free));
            let (completes, whole) = (happens(self.complete), row[self.full_when_whole] != 0);
            let buffer = &mut self.buffers[input];
            let in_turn = !(whole && buffer.coming && !completes);
            let enters = enters && buffer.used() < row[self.slots] && in_turn;
            buffer.coming = buffer.coming && !completes || enters && (buffer.coming || !completes);
            if leaves && buffer.waiting[on] > 0 {
                buffer.waiting[on] -= 1;
                buffer.sending += 1;
            }
            if frees {
                buffer.sending = buffer.sending.saturating_sub(1);
            }
            buffer.waiting[to] += u32::from(enters);
        }
        if was_reset {
            self.buffers.iter_mut().for_each(|buffer| {
                buffer.waiting.fill(0);
                (buffer.sending, buffer.coming) = (0, false);
            });
        }
    }

    /// The events of this cycle.
    pub fn drive(&mut self, random: &mut Random, row: &mut [u32]) {
        let (inputs, outputs) = (self.buffers.len(), 1 << self.bits);
        let (slots, whole) = (row[self.slots], row[self.full_when_whole] != 0);
        let (mut enter, mut complete, mut leave, mut free) = (0, 0, 0, 0);
        let (mut enter_output, mut leave_output) = (random.word() as u32, random.word() as u32);
        let mask = |input: usize| ((1u32 << self.bits) - 1) << (input as u32 * self.bits);
        let number = |input: usize, output: usize| (output as u32) << (input as u32 * self.bits);
        for output in 0..outputs {
            let wrong = random.chance(self.impossible);
            let able = |&input: &usize| leave >> input & 1 == 0 && (wrong || self.buffers[input].waiting[output] > 0);
            let able: Vec<usize> = (0..inputs).filter(able).collect();
            if !able.is_empty() && random.chance(self.share[2]) {
                let input = random.pick(&able);
                leave |= 1 << input;
                leave_output = leave_output & !mask(input) | number(input, output);
            }
        }
        for input in 0..inputs {
            let wrong = random.chance(self.impossible);
            let buffer = &self.buffers[input];
            // The last byte of the packet in front comes before the next header or with it.
            let completes = (wrong || buffer.coming) && random.chance(self.share[1]);
            let in_turn = completes || !buffer.coming || !whole;
            let enters = (wrong || buffer.used() < slots && in_turn) && random.chance(self.share[0]);
            let at_once = enters && !buffer.coming && random.chance(self.share[1]);
            complete |= u32::from(completes || at_once) << input;
            if enters {
                enter |= 1 << input;
                let output = if random.chance(60) { self.root } else { random.below(outputs as u64) };
                enter_output = enter_output & !mask(input) | number(input, output as usize);
            }
            if (wrong || buffer.sending > 0 || leave >> input & 1 != 0) && random.chance(self.share[3]) {
                free |= 1 << input;
            }
        }
        let all = (0..inputs).fold(0, |all, input| all | mask(input));
        row[self.enter] = enter;
        row[self.enter_output] = enter_output & all;
        row[self.complete] = complete;
        row[self.leave] = leave;
        row[self.leave_output] = leave_output & all;
        row[self.free] = free;
    }
}

/// Inputs for the bits of a number: one bus, or one port per bit.
enum Lines {
    Bus(usize),
    Bits(Vec<usize>),
}

impl Lines {
    fn of(names: &Names, name: &str) -> Option<Self> {
        names.input(name).map(Lines::Bus).or_else(|| {
            let bits: Vec<usize> = (0..).map_while(|bit| names.input(&format!("{name}_{bit}"))).collect();
            (!bits.is_empty()).then_some(Lines::Bits(bits))
        })
    }

    fn columns(&self) -> &[usize] {
        match self {
            Lines::Bus(column) => std::slice::from_ref(column),
            Lines::Bits(columns) => columns,
        }
    }

    fn put(&self, row: &mut [u32], value: u32) {
        match self {
            Lines::Bus(column) => set(row, *column, value),
            Lines::Bits(columns) => {
                columns.iter().enumerate().for_each(|(bit, &column)| set(row, column, value >> bit & 1));
            }
        }
    }
}

/// The inputs of a marker: the packets of an output, for each input; in naive mode the packets of an input, for each
/// output.
pub struct Marker {
    leaving: Lines,
    congested: Lines,
    entering: Option<Lines>,
    waiting: Vec<usize>,
    /// Packets that wait, and the number that enter and leave in the current cycle.
    counts: Vec<u32>,
    change: Vec<i32>,
    /// Probabilities in percent: to enter, to leave, to become full.
    share: [u64; 3],
}

/// Largest number of packets in a buffer.
const SLOTS: u32 = 15;

impl Marker {
    /// The packets of a circuit that is a marker.
    pub fn of(names: &Names) -> Option<Self> {
        let (leaving, congested) = (Lines::of(names, "leaving")?, Lines::of(names, "congested")?);
        let waiting: Vec<usize> = (0..).map_while(|at| names.input(&format!("waiting_{at}"))).collect();
        let count = waiting.len().max(leaving.columns().len());
        Some(Marker {
            leaving,
            congested,
            entering: Lines::of(names, "entering"),
            waiting,
            counts: vec![0; count],
            change: vec![0; count],
            share: [50; 3],
        })
    }

    /// Its columns.
    pub fn columns(&self) -> Vec<usize> {
        let lines = [Some(&self.leaving), Some(&self.congested), self.entering.as_ref()];
        lines.into_iter().flatten().flat_map(|lines| lines.columns()).chain(&self.waiting).copied().collect()
    }

    /// A new phase.
    pub fn begin(&mut self, random: &mut Random) {
        self.share = [(); 3].map(|()| random.pick(&[2, 10, 40, 90]));
    }

    /// Counts what happened in the cycle before.
    pub fn see(&mut self, was_reset: bool) {
        for (count, change) in self.counts.iter_mut().zip(&mut self.change) {
            *count = if was_reset { 0 } else { (*count as i32 + *change) as u32 };
            *change = 0;
        }
    }

    /// Drives the inputs of this cycle.
    pub fn drive(&mut self, random: &mut Random, row: &mut [u32]) {
        let all = self.counts.len();
        let (mut entering, mut leaving, mut congested) = (0u32, 0u32, 0u32);
        let able: Vec<usize> = (0..all).filter(|&at| self.counts[at] > 0).collect();
        if !able.is_empty() && random.chance(self.share[1]) {
            leaving = 1 << random.pick(&able);
        }
        if self.entering.is_some() {
            // Independent buffers.
            for at in (0..all).filter(|&at| self.counts[at] < SLOTS) {
                entering |= u32::from(random.chance(self.share[0])) << at;
            }
        } else if self.counts.iter().sum::<u32>() < SLOTS && random.chance(self.share[0]) {
            entering = 1 << random.below(all as u64);
        }
        let bit = |mask: u32, at: usize| (mask >> at & 1) as i32;
        (0..all).for_each(|at| self.change[at] = bit(entering, at) - bit(leaving, at));
        let fills = entering != 0 && random.chance(self.share[2]);
        for at in (0..all).filter(|&at| fills && self.counts[at] as i32 + self.change[at] > 0) {
            // In naive mode it is one buffer with all packets that wait in it.
            congested |= u32::from(self.entering.is_none() || random.chance(50)) << at;
        }
        self.leaving.put(row, leaving);
        self.congested.put(row, congested);
        if let Some(lines) = &self.entering {
            lines.put(row, entering);
        }
        self.waiting.iter().zip(&self.counts).for_each(|(&column, &count)| set(row, column, count));
    }
}
