// SPDX-License-Identifier: MIT OR Apache-2.0
//! End-to-end congestion control for InfiniBand (Santos 2002): a switch marks packets, and a source reacts to marked
//! ACKs. It is older than the congestion control of the InfiniBand standard, which has a threshold, a marking rate and
//! a table (CCT).

use crate::scheme::bounds::Row;
use crate::scheme::parameters::{Kind, MEGA, ParameterError, Parameters, Specification, key};
use crate::scheme::ports::ports;
use tidegate_circuits::response::{Response, Table};

/// Its keys. The keys that make modules decide which circuit is made: the number of ports of the switch, its kind of
/// marking, the response of a source, and the numbers from which its look-up table is computed.
pub const KEYS: &[Specification] = &[
    key("profile", Kind::Choice(&["paper"]), "paper", "where the defaults come from"),
    key("clock_mhz", Kind::Decimal(MEGA, 1000 * MEGA), "125", "core clock"),
    key("line_rate_mbps", Kind::Decimal(MEGA, 400_000 * MEGA), "8000", "rate of the link, R_max of a source")
        .lively(&["8000", "100000", "400000"]),
    key("packet_bytes", Kind::Integer(64, 16_384), "2048", "length of a packet; its time at R_max is a packet time")
        .lively(&["64", "64", "100", "128", "500"]),
    key("ports", Kind::Choice(&["2", "4", "8"]), "4", "inputs of the switch, and as many outputs").making_modules(),
    key("buffer_packets", Kind::Integer(1, 15), "4", "packets that the buffer of an input holds")
        .lively(&["4", "4", "1", "2", "3", "15"]),
    key(
        "marking",
        Kind::Choice(&["counters", "naive"]),
        "counters",
        "two counters per output, or naive: the packets in the full buffer",
    )
    .making_modules(),
    key(
        "full_when",
        Kind::Choice(&["whole", "header"]),
        "whole",
        "a buffer is full when each slot holds a whole packet (derived from Santos 2002, note 10), or a header",
    )
    .lively(&["whole", "whole", "header"]),
    key("response", Kind::Choice(&["lipd", "fimd", "aimd"]), "lipd", "response of a source to marks").making_modules(),
    key("decrease_factor", Kind::Integer(2, 256), "2", "m: a mark divides the rate by it (fimd, aimd)")
        .making_modules(),
    key("rate_steps", Kind::Integer(2, 256), "256", "R_max / R_min, and the number of discrete rates").making_modules(),
    key("persistent", Kind::Flag, "false", "a new flow to the same destination starts at the rate of the last one")
        .lively(&["true", "false"]),
];

/// Packet times that a source waits at most: one, and as many as fit the eight bits of `ipd`.
const PACKET_TIMES: u64 = 256;
/// The longest packet time in cycles: 16 bits.
const PACKET_CYCLES_MAX: u64 = 65_535;

/// Checks that concern more than one key.
pub fn check(parameters: &Parameters) -> Result<(), ParameterError> {
    let cycles = packet_cycles(parameters);
    if (2..=PACKET_CYCLES_MAX).contains(&cycles) {
        return Ok(());
    }
    let reason = format!("a packet takes {cycles} cycles at line_rate_mbps: expected 2 to {PACKET_CYCLES_MAX}");
    Err(ParameterError::new("packet_bytes", reason))
}

/// A packet time in clock cycles, rounded to the nearest.
pub fn packet_cycles(parameters: &Parameters) -> u64 {
    let (clock, rate) = (parameters.decimal("clock_mhz").0, parameters.decimal("line_rate_mbps").0);
    let cycles_times_rate = u128::from(8 * parameters.integer("packet_bytes")) * u128::from(clock);
    ((cycles_times_rate + u128::from(rate) / 2) / u128::from(rate)) as u64
}

/// Number of inputs of the switch, and of its outputs.
pub fn ports(parameters: &Parameters) -> usize {
    parameters.choice("ports").parse().expect("one of the choices")
}

/// The kind of marking.
pub fn marking(parameters: &Parameters) -> MarkingMode {
    match parameters.choice("marking") {
        "naive" => MarkingMode::Naive,
        _ => MarkingMode::Counters,
    }
}

/// When a buffer is full.
pub fn full_when(parameters: &Parameters) -> FullWhen {
    FullWhen::of_port(parameters.choice("full_when") == "whole")
}

/// The response of a source to marks.
pub fn response(parameters: &Parameters) -> Response {
    match parameters.choice("response") {
        "lipd" => Response::Lipd,
        "fimd" => Response::Fimd,
        _ => Response::Aimd,
    }
}

ports! {
    /// The parameter ports of a switch.
    pub struct SwitchParameters from keys {
        /// Packets that the buffer of an input holds.
        pub buffer_packets: u32 = Row::key("buffer_packets").unit("packets"),
        /// A buffer is full when each slot holds a whole packet.
        pub full_when_whole: bool = Row::BIT => |keys| full_when(keys) == FullWhen::Whole,
    }
}

ports! {
    /// The parameter ports of a source.
    pub struct SourceParameters from keys {
        /// A packet time in cycles.
        pub packet_cycles: u32 = Row::between(2, PACKET_CYCLES_MAX).unit("cycles").timer(|_| PACKET_TIMES)
            => |keys| packet_cycles(keys) as u32,
        /// A new flow starts at the rate of the last one.
        pub persistent: bool = Row::flag("persistent"),
    }
}

/// m and R_max / R_min.
pub fn table_of(parameters: &Parameters) -> (u32, u32) {
    (parameters.integer("decrease_factor") as u32, parameters.integer("rate_steps") as u32)
}

impl Source {
    /// The source with these parameters.
    pub fn of(parameters: &Parameters) -> Self {
        let (factor, steps) = table_of(parameters);
        Source::new(response(parameters), factor, steps, parameters.flag("persistent"))
    }
}

impl Marking {
    /// The switch with these parameters.
    pub fn of(parameters: &Parameters) -> Self {
        let slots = parameters.integer("buffer_packets") as u32;
        Marking::new(ports(parameters), slots, marking(parameters), full_when(parameters))
    }
}

/// The packets that are marked when an input buffer becomes full.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MarkingMode {
    /// All packets in the switch that wait for the same output as a packet in the full buffer; with two counters per
    /// output.
    Counters,
    /// The packets that wait in the full buffer: the naive baseline of the paper.
    Naive,
}

/// When a buffer is full, so that the marking starts.
///
/// The paper does not say it. It says of a victim packet that "most often a victim packet can cut through, occupying
/// the buffer only briefly", so that it is "very rare" in the buffer that triggers the marking (Santos 2002, section
/// VI.A, note 10), and that "victim packets rarely receive marks" (section VI.B.1). A packet that goes on at once takes
/// a slot with its header, but before its last byte is in, it is on its way out. So the reading that agrees with both
/// is [`Whole`](Self::Whole): derived, not stated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FullWhen {
    /// All slots hold whole packets. A packet that is being sent counts until it has left. The event that can make a
    /// buffer full is the last byte of a packet.
    Whole,
    /// All slots are taken. The event that can make a buffer full is the header of a packet.
    Header,
}

impl FullWhen {
    /// From the port `full_when_whole` of the circuits.
    pub fn of_port(whole: bool) -> Self {
        if whole { FullWhen::Whole } else { FullWhen::Header }
    }
}

/// An impossible event. It changes nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Impossible {
    /// A packet enters a buffer without a free slot: the sender had no credit.
    FullBuffer,
    /// A packet enters before the last byte of the packet in front of it; only with [`FullWhen::Whole`].
    NotComplete,
    /// A last byte comes, but no packet is coming in; only with [`FullWhen::Whole`].
    NothingComes,
    /// A packet leaves, but none waits in this buffer for this output.
    NoPacket,
    /// A slot becomes free, but no packet of this buffer is being sent.
    NothingSent,
}

/// The two counters of an output.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counters {
    /// cnt1: packets in the switch that wait for this output.
    pub waiting: u32,
    /// cnt2: packets still to mark when they leave; 0 in naive mode.
    pub to_mark: u32,
}

impl Counters {
    /// A packet for this output enters.
    pub fn enter(&mut self) {
        self.waiting += 1;
    }

    /// A packet that waits leaves. Returns whether it is marked.
    pub fn leave(&mut self) -> bool {
        self.waiting -= 1;
        let marked = self.to_mark > 0;
        self.to_mark -= u32::from(marked);
        marked
    }

    /// A buffer has become full with a packet for this output in it.
    pub fn congested(&mut self) {
        self.to_mark = self.waiting;
    }
}

/// What is coming in at an input. Packets come one after the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Coming {
    /// Nothing: all packets in the buffer are whole.
    Nothing,
    /// A packet whose header is in, and whose last byte is not.
    Packet,
    /// Within a cycle: the last byte of a packet whose header comes in the same cycle.
    LastByte,
}

/// The buffer of an input.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Buffer {
    coming: Coming,
    /// Slots in use: packets that wait, and packets that are being sent.
    used: u32,
    /// No packet may enter: all slots are in use.
    full: bool,
    /// For each output the number of packets that wait for it.
    waiting: Vec<u32>,
    /// For each output the number of waiting packets that are marked, the oldest ones; naive mode only.
    marked: Vec<u32>,
}

/// The events at the inputs and outputs of a switch in one cycle; at each input and output at most one of each kind.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Events {
    /// Packets that begin to leave: output and input.
    pub leave: Vec<(usize, usize)>,
    /// Inputs whose buffer frees the slot of a packet that has left.
    pub free: Vec<usize>,
    /// Packets that enter, with their header: output and input.
    pub enter: Vec<(usize, usize)>,
    /// Inputs at which the last byte of a packet comes: of the packet that is coming in, or else of the one that enters
    /// in this cycle.
    pub complete: Vec<usize>,
}

impl Events {
    /// Whether nothing happens.
    pub fn is_empty(&self) -> bool {
        self.leave.is_empty() && self.free.is_empty() && self.enter.is_empty() && self.complete.is_empty()
    }
}

/// Packet marking in a switch with input buffers (section IV.A).
///
/// The paper leaves some points open. Here:
/// - A packet leaves when its transmission begins. Its header is sent then, so it is marked or not at that moment, and
///   it no longer waits. Its slot is in use until [`free`](Self::free), when the transmission ends. So a full buffer
///   may hold a packet that "is being transmitted and cannot be marked anymore" (footnote 10). A caller without this
///   distinction calls both in the same cycle.
/// - A packet of the full buffer that is being sent does not make its output congested, because it no longer waits for
///   it.
/// - A packet enters with its header: it takes a slot, and waits for its output. It is whole with its last byte, which
///   may come after it has begun to leave (cut-through). [`FullWhen`] says which of the two makes a buffer full.
/// - Order in one cycle: packets leave, slots become free, packets enter and become whole, then the buffers that have
///   become full start the marking. So packets that leave in that cycle are not marked and not counted, and all packets
///   that enter in it are counted, whole or not.
/// - The sender has used up its credit before a slot is free again, so no packet enters a buffer without a free slot,
///   not even in the cycle in which one of its slots becomes free.
/// - A packet that cuts through waits from its header until it begins to leave, so it counts, and is marked if packets
///   are still to be marked on its output then. With [`FullWhen::Whole`] its own last byte comes later: it may make the
///   buffer full, because the slot is in use until the packet has left, but that marks the packets that wait and not
///   this one. A switch that has sent the header before it knows the mark leaves the packet unmarked; it counts all the
///   same.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Marking {
    mode: MarkingMode,
    full_when: FullWhen,
    slots: u32,
    buffers: Vec<Buffer>,
    outputs: Vec<Counters>,
}

impl Marking {
    /// An empty switch with `ports` inputs and as many outputs, and a buffer of `buffer_packets` packets at each input.
    pub fn new(ports: usize, buffer_packets: u32, mode: MarkingMode, full_when: FullWhen) -> Self {
        let (waiting, marked) = (vec![0; ports], vec![0; ports]);
        let buffer = Buffer { coming: Coming::Nothing, used: 0, full: false, waiting, marked };
        let outputs = vec![Counters::default(); ports];
        Marking { mode, full_when, slots: buffer_packets, buffers: vec![buffer; ports], outputs }
    }

    /// Another number of slots at each input, at least 1. It counts from the next packet on that enters: one that finds
    /// as many slots in use, or more, makes the buffer full. A buffer that is full stays so until a slot becomes free.
    pub fn set_buffer_packets(&mut self, buffer_packets: u32) {
        self.slots = buffer_packets;
    }

    /// From now on a buffer is full when this says so. Last bytes must have been told before, too.
    pub fn set_full_when(&mut self, full_when: FullWhen) {
        self.full_when = full_when;
    }

    /// A packet for `output` enters at `input`, with its header.
    ///
    /// # Errors
    /// [`Impossible::FullBuffer`], [`Impossible::NotComplete`].
    pub fn enter(&mut self, output: usize, input: usize) -> Result<(), Impossible> {
        self.admit(output, input)?;
        if self.full_when == FullWhen::Header {
            self.mark_if_full(input);
        }
        Ok(())
    }

    /// The last byte of the packet that is coming in at `input` is in.
    ///
    /// # Errors
    /// [`Impossible::NothingComes`].
    pub fn complete(&mut self, input: usize) -> Result<(), Impossible> {
        let coming = std::mem::replace(&mut self.buffers[input].coming, Coming::Nothing);
        match (self.full_when, coming) {
            (FullWhen::Header, _) => Ok(()),
            (FullWhen::Whole, Coming::Packet) => {
                self.mark_if_full(input);
                Ok(())
            }
            (FullWhen::Whole, _) => Err(Impossible::NothingComes),
        }
    }

    /// The oldest packet for `output` in the buffer of `input` begins to leave. Returns whether it is marked.
    ///
    /// # Errors
    /// [`Impossible::NoPacket`].
    pub fn leave(&mut self, output: usize, input: usize) -> Result<bool, Impossible> {
        let buffer = &mut self.buffers[input];
        buffer.waiting[output] = buffer.waiting[output].checked_sub(1).ok_or(Impossible::NoPacket)?;
        let contends = self.outputs[output].leave();
        if self.mode == MarkingMode::Counters {
            return Ok(contends);
        }
        let marked = buffer.marked[output] > 0;
        buffer.marked[output] -= u32::from(marked);
        Ok(marked)
    }

    /// The transmission of a packet from the buffer of `input` has ended: its slot is free.
    ///
    /// # Errors
    /// [`Impossible::NothingSent`].
    pub fn free(&mut self, input: usize) -> Result<(), Impossible> {
        let buffer = &mut self.buffers[input];
        if buffer.used == buffer.waiting.iter().sum::<u32>() {
            return Err(Impossible::NothingSent);
        }
        buffer.used -= 1;
        buffer.full = false;
        Ok(())
    }

    /// All events of one cycle. Returns for each packet that leaves whether it is marked.
    ///
    /// # Errors
    /// The first impossible event. Then the other events have no effect either.
    pub fn cycle(&mut self, events: &Events) -> Result<Vec<bool>, Impossible> {
        let (mut next, mut marks) = (self.clone(), Vec::new());
        next.apply(events, &mut marks)?;
        *self = next;
        Ok(marks)
    }

    /// All events of one cycle. For each packet that leaves, whether it is marked is added to `marks`.
    ///
    /// # Errors
    /// An impossible event. Then some of the other events have had their effect: see [`cycle`](Self::cycle).
    #[inline]
    pub fn apply(&mut self, events: &Events, marks: &mut Vec<bool>) -> Result<(), Impossible> {
        if events.enter.iter().any(|&(_, input)| self.is_full(input)) {
            return Err(Impossible::FullBuffer);
        }
        for &(output, input) in &events.leave {
            marks.push(self.leave(output, input)?);
        }
        events.free.iter().try_for_each(|&input| self.free(input))?;
        for &input in &events.complete {
            let coming = &mut self.buffers[input].coming;
            *coming = if *coming == Coming::Packet { Coming::Nothing } else { Coming::LastByte };
        }
        events.enter.iter().try_for_each(|&(output, input)| self.admit(output, input))?;
        events.free.iter().for_each(|&input| self.buffers[input].full = false);
        for &input in &events.complete {
            let coming = &mut self.buffers[input].coming;
            if *coming == Coming::LastByte {
                *coming = Coming::Nothing;
                if self.full_when == FullWhen::Whole {
                    return Err(Impossible::NothingComes);
                }
            }
        }
        match self.full_when {
            FullWhen::Whole => events.complete.iter().for_each(|&input| self.mark_if_full(input)),
            FullWhen::Header => events.enter.iter().for_each(|&(_, input)| self.mark_if_full(input)),
        }
        Ok(())
    }

    /// A packet enters, but the marking does not start yet.
    fn admit(&mut self, output: usize, input: usize) -> Result<(), Impossible> {
        if self.is_full(input) {
            return Err(Impossible::FullBuffer);
        }
        let buffer = &mut self.buffers[input];
        buffer.coming = match buffer.coming {
            Coming::Packet if self.full_when == FullWhen::Whole => return Err(Impossible::NotComplete),
            Coming::Nothing | Coming::Packet => Coming::Packet,
            Coming::LastByte => Coming::Nothing,
        };
        buffer.used += 1;
        buffer.full = buffer.used >= self.slots;
        buffer.waiting[output] += 1;
        self.outputs[output].enter();
        Ok(())
    }

    /// Behind an event that can make the buffer of `input` full: if it is, the marking starts.
    fn mark_if_full(&mut self, input: usize) {
        let whole = self.buffers[input].coming == Coming::Nothing || self.full_when == FullWhen::Header;
        if self.is_full(input) && whole {
            self.mark(input);
        }
    }

    /// The buffer of `input` has become full.
    fn mark(&mut self, input: usize) {
        let buffer = &mut self.buffers[input];
        match self.mode {
            MarkingMode::Naive => buffer.marked.clone_from(&buffer.waiting),
            MarkingMode::Counters => {
                for (counters, &waiting) in self.outputs.iter_mut().zip(&buffer.waiting) {
                    if waiting > 0 {
                        counters.congested();
                    }
                }
            }
        }
    }

    /// The kind of marking.
    pub fn mode(&self) -> MarkingMode {
        self.mode
    }

    /// When a buffer is full.
    pub fn full_when(&self) -> FullWhen {
        self.full_when
    }

    /// The counters of an output.
    pub fn counters(&self, output: usize) -> Counters {
        self.outputs[output]
    }

    /// Packets in the buffer of `input` that wait for `output`.
    pub fn waiting(&self, output: usize, input: usize) -> u32 {
        self.buffers[input].waiting[output]
    }

    /// Slots of the buffer of `input` that are in use.
    pub fn used(&self, input: usize) -> u32 {
        self.buffers[input].used
    }

    /// Whether a packet is coming in at `input`: its header is in, its last byte is not.
    pub fn is_coming(&self, input: usize) -> bool {
        self.buffers[input].coming == Coming::Packet
    }

    /// Whether the buffer of `input` has no free slot, so that no packet may enter.
    pub fn is_full(&self, input: usize) -> bool {
        self.buffers[input].full
    }
}

/// The rate of a source for one destination (section V): R_max / (1 + ipd), and a credit for the next higher rate.
///
/// The paper adjusts the rate at each ACK. About the hardware it says only that look-up tables over a finite set of
/// rates are used. One ACK is then mostly less than one step: from R_max / 20, LIPD needs 13 unmarked ACKs to the next
/// rate. So here:
/// - The source stores a credit in packet times. An unmarked ACK adds 1 + ipd, which is the nominal time to the next
///   ACK at the current rate, so that f_inc(r) = F_inc(t + 1/r). A credit of `wait` buys the next higher rate; the rest
///   of the credit is kept. At low rates one ACK can buy several rates.
/// - A marked ACK sets the rate to the value in the table. LIPD and FIMD keep the credit: they go back on F_inc by
///   exactly T_rec. AIMD divides the credit as it divides the rate, by the smallest power of two that is at least m, so
///   that the rate is never too high. If the credit is then enough for a rate between r and r/m, it buys this rate at
///   once. A mark that leads to R_min clears the credit.
/// - At R_max the credit is 0. If two rates are less than half a packet time apart (m above 2, near R_min), `wait` is
///   0: any credit above 0 buys such a rate, a credit of 0 does not.
#[derive(Clone, Debug)]
pub struct Source {
    table: Table,
    persistent: bool,
    ipd: u8,
    credit: u32,
}

impl Source {
    /// A source at R_max. `persistent`: a new flow to the destination starts at the rate of the flow before.
    pub fn new(response: Response, decrease_factor: u32, rate_steps: u32, persistent: bool) -> Self {
        Source { table: Table::new(response, decrease_factor, rate_steps), persistent, ipd: 0, credit: 0 }
    }

    /// The inter-packet delay: idle packet times between two packets.
    pub fn ipd(&self) -> u8 {
        self.ipd
    }

    /// Credit for the next higher rate, packet times.
    pub fn credit(&self) -> u32 {
        self.credit
    }

    /// An ACK arrives. Returns the number of higher rates that it buys; if it is marked, after the decrease.
    pub fn acknowledge(&mut self, marked: bool) -> u32 {
        if marked {
            let entry = self.table.entry(self.ipd);
            self.ipd = entry.decreased;
            self.credit = if entry.at_minimum { 0 } else { self.credit >> entry.credit_shift };
        } else {
            self.credit += 1 + u32::from(self.ipd);
        }
        let from = self.ipd;
        while self.ipd > 0 {
            let wait = u32::from(self.table.entry(self.ipd).wait);
            if self.credit < wait || self.credit == 0 {
                return u32::from(from - self.ipd);
            }
            self.credit -= wait;
            self.ipd -= 1;
        }
        self.credit = 0;
        from.into()
    }

    /// Whether a new flow starts at the rate of the flow before, from now on.
    pub fn set_persistent(&mut self, persistent: bool) {
        self.persistent = persistent;
    }

    /// A new flow to the destination begins. Whether it starts at R_max, because the rate is not persistent.
    pub fn start_flow(&mut self) -> bool {
        if !self.persistent {
            (self.ipd, self.credit) = (0, 0);
        }
        !self.persistent
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::VecDeque;
    use tidegate_circuits::response::RESPONSES;

    /// Splitmix64.
    struct Random(u64);

    impl Random {
        fn below(&mut self, end: usize) -> usize {
            self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut word = self.0;
            word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
            ((word ^ word >> 31) % end as u64) as usize
        }
    }

    /// A slot in use, and the packet in it.
    struct Slot {
        output: usize,
        /// Its last byte is in.
        whole: bool,
        /// It has begun to leave.
        sent: bool,
        /// Naive mode.
        marked: bool,
    }

    /// A switch that stores each packet.
    struct Scan {
        slots: usize,
        buffers: Vec<VecDeque<Slot>>,
        to_mark: Vec<usize>,
    }

    impl Scan {
        fn waiting_for(&self, output: usize) -> usize {
            self.buffers.iter().flatten().filter(|slot| !slot.sent && slot.output == output).count()
        }

        fn full(&self, input: usize) -> bool {
            self.buffers[input].len() == self.slots
        }

        fn whole(&self, input: usize) -> bool {
            self.buffers[input].iter().all(|slot| slot.whole)
        }
    }

    fn random_events(mode: MarkingMode, full_when: FullWhen, ports: usize, slots: u32, seed: u64) -> (u32, u32) {
        let mut random = Random(seed);
        let mut switch = Marking::new(ports, slots, mode, full_when);
        let mut scan = Scan {
            slots: slots as usize,
            buffers: (0..ports).map(|_| VecDeque::new()).collect(),
            to_mark: vec![0; ports],
        };
        let (mut triggers, mut marks) = (0, 0);
        // For each output: packets to mark at its last trigger, and packets marked since.
        let (mut owed, mut given) = (vec![0; ports], vec![0; ports]);
        for _ in 0..20_000 {
            let (output, input) = (random.below(ports).min(random.below(ports)), random.below(ports));
            let mut becomes_full = false;
            match random.below(11) {
                0..=2 => {
                    let expected = match full_when {
                        _ if scan.full(input) => Err(Impossible::FullBuffer),
                        FullWhen::Whole if !scan.whole(input) => Err(Impossible::NotComplete),
                        _ => Ok(()),
                    };
                    assert_eq!(switch.enter(output, input), expected);
                    if expected.is_ok() {
                        scan.buffers[input].push_back(Slot { output, whole: false, sent: false, marked: false });
                        becomes_full = full_when == FullWhen::Header && scan.full(input);
                    }
                }
                3..=5 => {
                    let coming = !scan.whole(input);
                    let expected = match full_when {
                        FullWhen::Whole if !coming => Err(Impossible::NothingComes),
                        _ => Ok(()),
                    };
                    assert_eq!(switch.complete(input), expected);
                    if coming {
                        scan.buffers[input].iter_mut().for_each(|slot| slot.whole = true);
                        becomes_full = full_when == FullWhen::Whole && scan.full(input);
                    }
                }
                6..=8 => {
                    let place = scan.buffers[input].iter().position(|slot| !slot.sent && slot.output == output);
                    let marked = switch.leave(output, input);
                    let Some(place) = place else {
                        assert_eq!(marked, Err(Impossible::NoPacket));
                        continue;
                    };
                    let slot = &mut scan.buffers[input][place];
                    slot.sent = true;
                    let expected = match mode {
                        MarkingMode::Naive => slot.marked,
                        MarkingMode::Counters => scan.to_mark[output] > 0,
                    };
                    scan.to_mark[output] = scan.to_mark[output].saturating_sub(1);
                    assert_eq!(marked, Ok(expected));
                    marks += u32::from(expected);
                    given[output] += u32::from(expected);
                }
                _ => match scan.buffers[input].iter().position(|slot| slot.sent) {
                    // The last byte cannot leave before it is in.
                    Some(place) if full_when == FullWhen::Whole && !scan.buffers[input][place].whole => {}
                    place => {
                        let expected = place.map(|_| ()).ok_or(Impossible::NothingSent);
                        assert_eq!(switch.free(input), expected);
                        place.map(|place| scan.buffers[input].remove(place));
                    }
                },
            }
            if becomes_full {
                triggers += 1;
                scan.buffers[input].iter_mut().for_each(|slot| slot.marked = true);
                for output in 0..ports {
                    if scan.buffers[input].iter().any(|slot| !slot.sent && slot.output == output) {
                        scan.to_mark[output] = scan.waiting_for(output);
                        if mode == MarkingMode::Counters {
                            let counters = switch.counters(output);
                            assert!(counters.to_mark <= counters.waiting, "cnt2 <= cnt1 at a trigger");
                            // The new trigger replaces the rest of the old one.
                            (owed[output], given[output]) = (counters.waiting, 0);
                        }
                    }
                }
            }
            for port in 0..ports {
                let counters = switch.counters(port);
                assert_eq!(counters.waiting as usize, scan.waiting_for(port));
                assert!(switch.used(port) <= slots && counters.waiting <= ports as u32 * slots);
                if full_when == FullWhen::Whole {
                    assert_eq!(switch.is_coming(port), !scan.whole(port));
                }
                if mode == MarkingMode::Counters {
                    assert!(counters.to_mark <= counters.waiting, "the packets to be marked are there");
                    assert_eq!(given[port] + counters.to_mark, owed[port], "marks given and owed are those counted");
                }
            }
        }
        (triggers, marks)
    }

    #[test]
    fn counters_and_marks_are_those_of_a_switch_that_looks_at_every_packet() {
        for mode in [MarkingMode::Counters, MarkingMode::Naive] {
            for full_when in [FullWhen::Whole, FullWhen::Header] {
                for (ports, slots) in [(1, 1), (2, 4), (4, 4), (8, 4), (4, 1), (4, 15)] {
                    let seed = ports as u64 * 100 + u64::from(slots);
                    let (triggers, marks) = random_events(mode, full_when, ports, slots, seed);
                    let what = format!("{mode:?}, {full_when:?}, {ports} ports, {slots} slots");
                    assert!(triggers > 20 && marks > 20, "{what}: {triggers}, {marks}");
                }
            }
        }
    }

    /// A switch that tests for full at the header, as most examples below do.
    fn by_header(ports: usize, slots: u32, mode: MarkingMode) -> Marking {
        Marking::new(ports, slots, mode, FullWhen::Header)
    }

    /// Santos 2002, note 10: a packet of a victim that cuts through takes the last slot only briefly. It is not marked
    /// by its own header.
    #[test]
    fn a_victim_that_cuts_through_is_marked_by_its_own_header_only() {
        for (full_when, marked) in [(FullWhen::Whole, false), (FullWhen::Header, true)] {
            let mut switch = Marking::new(2, 3, MarkingMode::Counters, full_when);
            for _ in 0..2 {
                switch.enter(0, 0).unwrap();
                switch.complete(0).unwrap();
            }
            // Its header, and it begins to leave before its last byte is in.
            switch.enter(1, 0).unwrap();
            assert!(switch.is_full(0) && switch.is_coming(0));
            assert_eq!(switch.leave(1, 0), Ok(marked));
            assert_eq!(switch.counters(0).to_mark, if marked { 2 } else { 0 });
            // Its last byte is in before it is out: for so long all slots hold whole packets, and those that wait are
            // marked.
            switch.complete(0).unwrap();
            assert_eq!(switch.counters(0).to_mark, 2);
            assert_eq!(switch.counters(1).to_mark, 0);
            switch.free(0).unwrap();
        }
    }

    /// A slot becomes free between header and last byte: all slots were taken, but never with whole packets.
    #[test]
    fn a_slot_that_becomes_free_before_the_last_byte_starts_nothing() {
        for (full_when, to_mark) in [(FullWhen::Whole, 0), (FullWhen::Header, 2)] {
            let mut switch = Marking::new(2, 2, MarkingMode::Counters, full_when);
            switch.enter(0, 1).unwrap();
            switch.complete(1).unwrap();
            switch.enter(1, 0).unwrap();
            switch.complete(0).unwrap();
            assert_eq!(switch.leave(1, 0), Ok(false));
            switch.enter(0, 0).unwrap();
            switch.free(0).unwrap();
            switch.complete(0).unwrap();
            assert_eq!(switch.counters(0), Counters { waiting: 2, to_mark });
        }
    }

    #[test]
    fn a_last_byte_belongs_to_the_packet_before_or_to_the_header_of_its_cycle() {
        let new = || Marking::new(2, 2, MarkingMode::Counters, FullWhen::Whole);
        let cycle = |switch: &mut Marking, enter: &[(usize, usize)], complete: &[usize]| {
            switch.cycle(&Events { enter: enter.to_vec(), complete: complete.to_vec(), ..Events::default() })
        };
        // Header and last byte in one cycle, twice: the second one fills the buffer.
        let mut switch = new();
        cycle(&mut switch, &[(0, 0)], &[0]).unwrap();
        assert_eq!(switch.counters(0), Counters { waiting: 1, to_mark: 0 });
        cycle(&mut switch, &[(0, 0)], &[0]).unwrap();
        assert_eq!(switch.counters(0), Counters { waiting: 2, to_mark: 2 });
        // The last byte of one packet with the header of the next: the buffer is not full before the next last byte.
        let mut switch = new();
        cycle(&mut switch, &[(0, 0)], &[]).unwrap();
        cycle(&mut switch, &[(0, 0)], &[0]).unwrap();
        assert_eq!(switch.counters(0), Counters { waiting: 2, to_mark: 0 });
        cycle(&mut switch, &[], &[0]).unwrap();
        assert_eq!(switch.counters(0), Counters { waiting: 2, to_mark: 2 });
        // What cannot be has no effect.
        let mut switch = new();
        assert_eq!(cycle(&mut switch, &[], &[0]), Err(Impossible::NothingComes));
        cycle(&mut switch, &[(0, 0)], &[]).unwrap();
        assert_eq!(cycle(&mut switch, &[(0, 0)], &[]), Err(Impossible::NotComplete));
        assert_eq!(switch.counters(0).waiting, 1);
    }

    /// By the header no last byte is needed, and none is wrong.
    #[test]
    fn by_the_header_last_bytes_change_nothing() {
        let mut switch = by_header(2, 2, MarkingMode::Counters);
        switch.complete(0).unwrap();
        switch.cycle(&Events { complete: vec![0, 1], ..Events::default() }).unwrap();
        switch.enter(0, 0).unwrap();
        switch.enter(0, 0).unwrap();
        assert_eq!(switch.counters(0), Counters { waiting: 2, to_mark: 2 });
    }

    /// The example of section VI.A: remote packets fill one buffer, local packets wait alone in theirs. The counters
    /// mark both.
    #[test]
    fn counters_mark_what_contends_and_the_baseline_does_not() {
        for (mode, local) in [(MarkingMode::Counters, true), (MarkingMode::Naive, false)] {
            let mut switch = by_header(4, 4, mode);
            switch.enter(0, 1).unwrap();
            for output in [0, 0, 3, 0] {
                switch.enter(output, 2).unwrap();
            }
            // This packet enters after the marking has started, and its output is another one.
            switch.enter(1, 3).unwrap();
            assert_eq!(switch.leave(1, 3), Ok(false));
            assert_eq!(switch.leave(0, 1), Ok(local));
            assert_eq!(switch.leave(3, 2), Ok(true));
            assert_eq!([(); 3].map(|()| switch.leave(0, 2)), [Ok(true); 3]);
        }
    }

    #[test]
    fn a_packet_on_its_way_out_fills_a_slot_and_is_not_marked() {
        let mut switch = by_header(2, 4, MarkingMode::Counters);
        for output in [1, 0, 0] {
            switch.enter(output, 0).unwrap();
        }
        assert_eq!(switch.leave(1, 0), Ok(false));
        switch.enter(1, 1).unwrap();
        switch.enter(0, 0).unwrap();
        assert!(switch.is_full(0));
        assert_eq!((switch.counters(0).to_mark, switch.counters(1).to_mark), (3, 0));
        assert_eq!(switch.enter(0, 0), Err(Impossible::FullBuffer));
        switch.free(0).unwrap();
        assert_eq!(switch.free(0), Err(Impossible::NothingSent));
        // The buffer becomes full again: packets that have entered since are marked too.
        switch.enter(0, 0).unwrap();
        assert_eq!(switch.counters(0), Counters { waiting: 4, to_mark: 4 });
    }

    #[test]
    fn in_one_cycle_packets_leave_before_the_marking_and_enter_before_it() {
        let mut switch = by_header(3, 2, MarkingMode::Counters);
        switch.enter(0, 0).unwrap();
        switch.enter(0, 1).unwrap();
        let enter = vec![(0, 0), (0, 2)];
        let marked = switch.cycle(&Events { leave: vec![(0, 1)], free: vec![1], enter, ..Events::default() });
        assert_eq!(marked, Ok(vec![false]));
        assert_eq!(switch.counters(0), Counters { waiting: 3, to_mark: 3 });
        // A packet cannot enter in the cycle in which the slot becomes free; then the other events have no effect
        // either.
        let events = Events { leave: vec![(0, 0)], free: vec![0], enter: vec![(0, 0)], ..Events::default() };
        assert_eq!(switch.cycle(&events), Err(Impossible::FullBuffer));
        assert_eq!(switch.counters(0).waiting, 3);
    }

    /// Condition 1: f_inc(f_dec(r)) ≤ r. If R_min limits a decrease, one ACK leads back to m·R_min, which may be above
    /// r. The functions of the paper do the same, and its Condition 3 starts above this range.
    #[test]
    fn an_increase_never_makes_good_a_decrease() {
        for response in RESPONSES {
            for factor in [2, 3, 4, 16] {
                for ipd in 0..=255u8 {
                    let entry = Table::new(response, factor, 256).entry(ipd);
                    let wait = u32::from(entry.wait);
                    for credit in (0..wait.max(1)).step_by(1 + wait as usize / 64).chain([wait.saturating_sub(1)]) {
                        let mut source = Source { ipd, credit, ..Source::new(response, factor, 256, false) };
                        source.acknowledge(true);
                        assert!(source.ipd >= ipd, "a mark lowers the rate or leaves it");
                        source.acknowledge(false);
                        let above = source.ipd < ipd || source.ipd == ipd && source.credit > credit;
                        assert!(!above || entry.at_minimum, "{response:?}, m = {factor}, ipd {ipd}, credit {credit}");
                    }
                }
            }
        }
    }

    /// The rate after a mark is that of the closed form for rate and credit, rounded down to a discrete rate.
    #[test]
    fn a_mark_divides_the_rate_with_its_credit() {
        for response in [Response::Fimd, Response::Aimd] {
            for ipd in 1..127u8 {
                let wait = u32::from(Table::new(response, 2, 256).entry(ipd).wait);
                for credit in [0, wait / 3, wait.saturating_sub(1)] {
                    let part = f64::from(credit) / f64::from(wait.max(1));
                    let (low, high) = (1.0 / f64::from(1 + u32::from(ipd)), 1.0 / f64::from(ipd));
                    let rate = match response {
                        Response::Aimd => low + part * (high - low),
                        _ => low * (high / low).powf(part),
                    };
                    let mut source = Source { ipd, credit, ..Source::new(response, 2, 256, false) };
                    source.acknowledge(true);
                    let exact = 2.0 / rate - 1.0;
                    // Credit and waits are whole packet times.
                    let slack = exact.ceil() - f64::from(source.ipd);
                    assert!(
                        (-1.0..=1.0).contains(&slack),
                        "{response:?}, ipd {ipd}, credit {credit}: {exact}, {source:?}"
                    );
                }
            }
        }
    }

    /// Unmarked ACKs lead from R_min to R_max in the time of the table, except for the last ACK.
    #[test]
    fn the_way_up_takes_as_long_as_the_table_says() {
        for (response, packet_times) in RESPONSES.into_iter().zip([65_280, 2048, 65_280]) {
            let mut source = Source { ipd: 255, ..Source::new(response, 2, 256, false) };
            let mut time = 0;
            while source.ipd > 0 {
                time += 1 + u32::from(source.ipd);
                source.acknowledge(false);
                assert!(source.credit < 65_536);
            }
            assert!((packet_times..packet_times + 2).contains(&time), "{response:?}: {time}");
        }
    }

    #[test]
    fn linear_delay_adds_one_for_each_mark_up_to_255() {
        let mut source = Source::new(Response::Lipd, 2, 256, false);
        for mark in 1..300u32 {
            source.acknowledge(true);
            assert_eq!(u32::from(source.ipd()), mark.min(255));
        }
    }

    #[test]
    fn a_new_flow_starts_at_the_largest_rate_or_goes_on() {
        for persistent in [false, true] {
            let mut source = Source::new(Response::Fimd, 2, 256, persistent);
            source.acknowledge(true);
            source.acknowledge(true);
            source.acknowledge(false);
            assert_eq!(source.start_flow(), !persistent);
            assert_eq!((source.ipd(), source.credit()), if persistent { (3, 4) } else { (0, 0) });
            // A register can change it.
            source.set_persistent(!persistent);
            assert_eq!(source.start_flow(), persistent);
            assert_eq!((source.ipd(), source.credit()), (0, 0));
        }
    }
}
