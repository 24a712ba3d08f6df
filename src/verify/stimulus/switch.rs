//! Packets through a switch with input buffers: they enter where there is room, leave where they wait, free their slot later.

use super::random::Random;
use super::Names;

/// The packets of one input.
#[derive(Clone, Debug)]
struct Buffer {
    waiting: Vec<u32>,
    sending: u32,
}

impl Buffer {
    fn used(&self) -> u32 {
        self.waiting.iter().sum::<u32>() + self.sending
    }
}

/// The events of a switch. No two packets leave on one output in a cycle. Now and then comes an event that cannot be, which the
/// switch is to pass over.
pub struct Switch {
    enter: usize,
    enter_output: usize,
    leave: usize,
    leave_output: usize,
    free: usize,
    slots: usize,
    /// Bits of the number of an output.
    bits: u32,
    buffers: Vec<Buffer>,
    /// How many in a hundred chances are taken: to enter, to leave, to free.
    share: [u64; 3],
    /// The output that most packets are for.
    root: u64,
    impossible: u64,
}

impl Switch {
    /// The switch that a circuit is.
    pub fn of(names: &Names) -> Option<Self> {
        let (enter, enter_output) = (names.input("enter")?, names.input("enter_output")?);
        let ports = names.ports[enter].bits;
        Some(Switch {
            enter,
            enter_output,
            leave: names.input("leave")?,
            leave_output: names.input("leave_output")?,
            free: names.input("free")?,
            slots: names.column("buffer_packets", true)?,
            bits: (names.ports[enter_output].bits / ports) as u32,
            buffers: vec![Buffer { waiting: vec![0; ports], sending: 0 }; ports],
            share: [50; 3],
            root: 0,
            impossible: 0,
        })
    }

    /// Its columns.
    pub fn columns(&self) -> [usize; 5] {
        [self.enter, self.enter_output, self.leave, self.leave_output, self.free]
    }

    /// A new phase.
    pub fn begin(&mut self, random: &mut Random) {
        self.share = [(); 3].map(|()| random.pick(&[5, 30, 60, 95]));
        self.root = random.below(self.buffers.len() as u64);
        self.impossible = random.pick(&[0, 0, 5]);
    }

    fn output_of(&self, bus: u32, input: usize) -> usize {
        (bus >> (input as u32 * self.bits) & ((1 << self.bits) - 1)) as usize
    }

    /// What the cycle before did, which `row` holds.
    pub fn see(&mut self, row: &[u32], was_reset: bool) {
        for input in 0..self.buffers.len() {
            let (to, on) =
                (self.output_of(row[self.enter_output], input), self.output_of(row[self.leave_output], input));
            let happens = |column: usize| row[column] >> input & 1 != 0;
            let (enters, leaves, frees) = (happens(self.enter), happens(self.leave), happens(self.free));
            let buffer = &mut self.buffers[input];
            let enters = enters && buffer.used() < row[self.slots];
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
                buffer.sending = 0;
            });
        }
    }

    /// The events of this cycle.
    pub fn drive(&mut self, random: &mut Random, row: &mut [u32]) {
        let ports = self.buffers.len();
        let slots = row[self.slots];
        let (mut enter, mut leave, mut free) = (0, 0, 0);
        let (mut enter_output, mut leave_output) = (random.word() as u32, random.word() as u32);
        let mask = |input: usize| ((1u32 << self.bits) - 1) << (input as u32 * self.bits);
        let number = |input: usize, output: usize| (output as u32) << (input as u32 * self.bits);
        for output in 0..ports {
            let wrong = random.chance(self.impossible);
            let able = |&input: &usize| leave >> input & 1 == 0 && (wrong || self.buffers[input].waiting[output] > 0);
            let able: Vec<usize> = (0..ports).filter(able).collect();
            if !able.is_empty() && random.chance(self.share[1]) {
                let input = random.pick(&able);
                leave |= 1 << input;
                leave_output = leave_output & !mask(input) | number(input, output);
            }
        }
        for input in 0..ports {
            let wrong = random.chance(self.impossible);
            let buffer = &self.buffers[input];
            if (wrong || buffer.used() < slots) && random.chance(self.share[0]) {
                enter |= 1 << input;
                let output = if random.chance(60) { self.root } else { random.below(ports as u64) };
                enter_output = enter_output & !mask(input) | number(input, output as usize);
            }
            if (wrong || buffer.sending > 0 || leave >> input & 1 != 0) && random.chance(self.share[2]) {
                free |= 1 << input;
            }
        }
        let all = (0..ports).fold(0, |all, input| all | mask(input));
        row[self.enter] = enter;
        row[self.enter_output] = enter_output & all;
        row[self.leave] = leave;
        row[self.leave_output] = leave_output & all;
        row[self.free] = free;
    }
}
