// SPDX-License-Identifier: MIT OR Apache-2.0
//! One seeded stimulus for any circuit, at its ports.
//!
//! Time is divided into epochs. An epoch begins with a reset of one to three cycles. Parameters change only in this
//! reset: to the defaults of a profile, to values with many events in few cycles, or to any values that the validator
//! accepts. An epoch consists of phases. Each phase has its own patterns of idle cycles and back-pressure, and its own
//! [`Mood`]: values as in a network with these parameters, edge values, or random values. Sometimes there is a reset
//! inside a phase. An epoch for timers has no other reset, and is as long as they need: see [`long`].
//!
//! Inputs follow the rules of the circuits (see [`super::reference`]): a valid input is held until it is taken, a
//! sample is an arriving packet, only existing samples are popped, the last word of a frame has 1 to 8 octets. With
//! [`Values::Raw`], in every third epoch parameter ports have any values, and inputs may change before they are taken.
//! Two forms of a circuit must agree there too; a model does not cover this case.

mod flows;
mod frames;
mod held;
pub mod long;
pub(crate) mod parameters;
pub(crate) mod random;
mod rates;
mod sources;
mod switch;
mod values;

use self::flows::Flows;
use self::frames::Frames;
use self::held::{Held, Pops};
use self::long::{ENOUGH, LongEpoch, Rests};
use self::random::{PATTERNS, Pattern, Random, Willing};
use self::switch::{Marker, Switch};
use self::values::{Meaning, Mood, World};
use tidegate_circuits::rtl::circuit::{Circuit, Port};
use tidegate_schemes::registry::Scheme;

/// The values that parameter ports may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Values {
    /// Values that the validator of the scheme accepts; a model covers only these.
    Accepted,
    /// Any values in every third epoch.
    Raw,
}

/// Columns of ports by name.
struct Names<'a> {
    ports: &'a [Port],
    parameters: &'a [&'a str],
}

impl Names<'_> {
    fn column(&self, name: &str, input: bool) -> Option<usize> {
        self.ports.iter().position(|port| port.name == name && port.input == input)
    }

    /// The column of an input that is not a parameter.
    fn input(&self, name: &str) -> Option<usize> {
        self.column(name, true).filter(|_| !self.parameters.contains(&name))
    }

    fn output(&self, name: &str) -> Option<usize> {
        self.column(name, false)
    }
}

fn set(row: &mut [u32], column: usize, value: u32) {
    row[column] = value;
}

/// A parameter port.
struct Parameter {
    column: usize,
    name: String,
    bits: usize,
}

/// An input of one bit that is high in a pattern.
struct Flag {
    column: usize,
    willing: Willing,
    /// The input that must be high at the same time.
    only_with: Option<usize>,
    patterns: &'static [Pattern],
}

/// The patterns of an input.
fn patterns_of(name: &str) -> &'static [Pattern] {
    match name {
        // A source that is often empty would keep the calculator inactive.
        "source_empty" => &[Pattern::Never, Pattern::Never, Pattern::Never, Pattern::Random(1), Pattern::Always],
        "flow_start" => &[Pattern::Never, Pattern::Never, Pattern::Random(1), Pattern::Random(20)],
        // A source reaches its least rate only with many marks in a row, and high rates only without a mark.
        "feedback_marked" | "ack_marked" => {
            &[Pattern::Always, Pattern::Never, Pattern::Never, Pattern::Never, Pattern::Random(2), Pattern::Random(50)]
        }
        // Frames at the rate of a link leave time for the ends of timer periods and for feedback.
        "sent" => &[
            Pattern::Always,
            Pattern::Never,
            Pattern::Random(1),
            Pattern::Random(1),
            Pattern::Random(2),
            Pattern::Random(2),
            Pattern::Random(8),
            Pattern::Bursts(60),
        ],
        _ => &PATTERNS,
    }
}

/// A value that may change in any cycle.
struct Bus {
    column: usize,
    meaning: Meaning,
}

/// A seeded stimulus for one circuit; see the description of this module.
pub struct Stimulus {
    scheme: &'static Scheme,
    values: Values,
    random: Random,
    reset: usize,
    parameters: Vec<Parameter>,
    frames: Option<Frames>,
    held: Option<Held>,
    pops: Option<Pops>,
    switch: Option<Switch>,
    marker: Option<Marker>,
    flows: Flows,
    flags: Vec<Flag>,
    buses: Vec<Bus>,
    /// Columns of `dequeue_bytes` and `queue_bytes`, if the circuit has both.
    queue: Option<(usize, usize)>,
    /// Columns of `enqueue` and `ready`, if the circuit has both.
    room: Option<(usize, usize)>,
    /// The number of flows that the circuit serves; 1 for a circuit that does not say it.
    served: u64,
    world: World,
    mood: Mood,
    /// Whether packets wait for `ready`, and not more bytes leave a queue than it holds.
    polite: bool,
    /// Probability in percent that a bus changes its value in a cycle.
    change: u64,
    epoch: u64,
    raw: bool,
    /// Whether feedback is rare, so that the reaction to it can end. ACKs are never rare; instead each phase is long.
    calm: bool,
    /// Whether the feedback is ACKs, with a mark or without.
    acks: bool,
    /// Of a long epoch.
    rests: Option<Rests>,
    epoch_left: u64,
    phase_left: u64,
    reset_left: u64,
}

impl Stimulus {
    /// One long epoch, as a seed makes it.
    pub fn long(scheme: &'static Scheme, circuit: &Circuit, seed: u64, epoch: &LongEpoch) -> Self {
        let rests = Some(Rests::new(epoch.clone()));
        Stimulus { rests, ..Stimulus::new(scheme, circuit, seed, Values::Accepted) }
    }

    /// The stimulus of a seed.
    pub fn new(scheme: &'static Scheme, circuit: &Circuit, seed: u64, values: Values) -> Self {
        let names = Names { ports: &circuit.ports, parameters: &circuit.parameters };
        let frames = Frames::of(&names);
        let held = Held::of(&names);
        let pops = Pops::of(&names);
        let switch = Switch::of(&names);
        let marker = Marker::of(&names);
        let served = circuit.flows();
        let flows = Flows::of(&names, served);
        let mut taken: Vec<usize> = ["clock", "reset"].iter().filter_map(|name| names.input(name)).collect();
        taken.extend(frames.iter().flat_map(|frames| frames.columns()));
        taken.extend(held.iter().flat_map(|held| held.columns()));
        taken.extend(pops.iter().map(|pops| pops.column()));
        taken.extend(switch.iter().flat_map(|switch| switch.columns()));
        taken.extend(marker.iter().flat_map(|marker| marker.columns()));
        taken.extend(flows.columns());
        let queues = circuit.generated.iter().find(|(key, _)| *key == "cp_queues").map(|&(_, queues)| queues as u8);
        let (mut parameters, mut flags, mut buses) = (Vec::new(), Vec::new(), Vec::new());
        for (column, port) in circuit.ports.iter().enumerate().filter(|&(_, port)| port.input) {
            if circuit.parameters.contains(&port.name.as_str()) {
                parameters.push(Parameter { column, name: port.name.clone(), bits: port.bits });
            } else if taken.contains(&column) {
                continue;
            } else if port.bits == 1 {
                let only_with = names.input("enqueue").filter(|_| port.name == "sample");
                let willing = Willing::new(Pattern::Never);
                flags.push(Flag { column, willing, only_with, patterns: patterns_of(&port.name) });
            } else {
                let meaning = match queues {
                    Some(queues) if port.name.ends_with("_queue") => Meaning::Queue(queues),
                    _ => Meaning::of(&port.name, port.bits),
                };
                buses.push(Bus { column, meaning });
            }
        }
        // `sample` after `enqueue`, which it needs.
        flags.sort_by_key(|flag| flag.only_with.is_some());
        Stimulus {
            scheme,
            values,
            random: Random::new(seed),
            reset: names.input("reset").expect("every circuit has a reset"),
            parameters,
            frames,
            held,
            pops,
            switch,
            marker,
            flows,
            flags,
            buses,
            queue: names.input("dequeue_bytes").zip(names.output("queue_bytes")),
            room: names.input("enqueue").zip(names.output("ready")),
            served,
            world: World::default(),
            mood: Mood::Directed,
            polite: true,
            change: 50,
            epoch: 0,
            raw: false,
            calm: false,
            acks: names.input("feedback_marked").or(names.input("ack_marked")).is_some(),
            rests: None,
            epoch_left: 0,
            phase_left: 0,
            reset_left: 0,
        }
    }

    /// Writes the inputs of a cycle into a row. On entry the row holds all port values of the cycle before, zeros in
    /// cycle 0.
    pub fn drive(&mut self, _cycle: u64, row: &mut [u32]) {
        if let Some(pops) = &mut self.pops {
            pops.see(row, row[self.reset] != 0);
        }
        if let Some(switch) = &mut self.switch {
            switch.see(row, row[self.reset] != 0);
        }
        if let Some(marker) = &mut self.marker {
            marker.see(row[self.reset] != 0);
        }
        let resets = row[self.reset] != 0;
        self.held.iter().for_each(|held| held.see(row, resets));
        self.flows.see(row, resets);
        if self.epoch_left == 0 {
            self.begin_epoch(row);
        } else if self.rests.is_none() && !(self.calm && self.acks) && self.random.below(3000) == 0 {
            self.reset_left = self.random.between(1, 3);
        }
        self.epoch_left -= 1;
        if self.phase_left == 0 {
            self.begin_phase();
        }
        self.phase_left -= 1;
        let resets = self.reset_left > 0;
        self.reset_left = self.reset_left.saturating_sub(1);
        if resets {
            self.frames.iter_mut().for_each(Frames::restart);
        }
        self.drive_inputs(row);
        set(row, self.reset, u32::from(resets));
    }

    fn begin_epoch(&mut self, row: &mut [u32]) {
        let random = &mut self.random;
        self.raw = self.values == Values::Raw && self.epoch % 3 == 2;
        let mut ports = match &self.rests {
            Some(rests) => rests.epoch.ports().clone(),
            None => parameters::of_epoch(self.scheme, self.epoch, self.served, random),
        };
        let has = |name: &str| self.parameters.iter().any(|parameter| parameter.name == name);
        let from_tag = has("flow_from_tag") && random.chance(50);
        ports.insert("flow_from_tag".to_string(), from_tag.into());
        for parameter in &self.parameters {
            let value = ports[parameter.name.as_str()] as u32;
            // With another address or a random rule for the CPID, a reaction point would ignore all frames.
            let hears = ["rp_mac", "flow_mask", "allowed_cpid"].iter().any(|name| parameter.name.starts_with(name));
            let value = match (self.raw && !hears, random.below(3)) {
                (false, _) => value,
                (true, 0) => random.edge(parameter.bits),
                (true, _) => random.bus(parameter.bits),
            };
            set(row, parameter.column, value);
        }
        self.world = World::of(&ports);
        self.world.flows = self.served;
        if !has("flow_mask") || from_tag {
            self.world.flow_mask = 0;
        }
        // In the mode `time` it may not change later, and must be valid when the reset ends.
        for bus in self.buses.iter().filter(|bus| bus.meaning == Meaning::IntervalLow) {
            set(row, bus.column, self.world.value(bus.meaning, random, self.mood));
        }
        self.epoch += 1;
        // Most epochs are short, as each has another set of parameters; in a calm epoch stages and counters reach high
        // values.
        self.calm = self.rests.is_none() && random.chance(30);
        let (least, most) = if self.calm { (2000, ENOUGH) } else { (300, 3000) };
        self.epoch_left = match &self.rests {
            Some(rests) => rests.epoch.cycles(),
            None => random.between(least, most),
        };
        self.phase_left = 0;
        self.reset_left = random.between(1, 3);
    }

    fn begin_phase(&mut self) {
        let random = &mut self.random;
        if let Some(length) = self.rests.as_mut().and_then(|rests| rests.next(random)) {
            self.phase_left = length;
            self.begin_rest();
            return;
        }
        self.phase_left = random.between(60, if self.calm && self.acks { ENOUGH / 2 } else { 900 });
        self.mood = random.pick(&[Mood::Directed, Mood::Directed, Mood::Directed, Mood::Edge, Mood::Random]);
        if self.rests.as_ref().is_some_and(Rests::follows) {
            self.mood = Mood::Severe;
        }
        self.polite = random.chance(50);
        self.change = random.pick(&[100, 50, 5]);
        self.world.begin(random);
        self.frames.iter_mut().for_each(|frames| frames.begin(random, self.calm));
        self.held.iter_mut().for_each(|held| held.begin(random, self.calm && !self.acks));
        self.pops.iter_mut().for_each(|pops| pops.begin(random));
        self.switch.iter_mut().for_each(|switch| switch.begin(random));
        self.marker.iter_mut().for_each(|marker| marker.begin(random));
        self.flows.begin(random);
        for flag in &mut self.flags {
            flag.willing = Willing::new(random.pick(flag.patterns));
        }
    }

    /// Nothing begins, and no value changes. What is offered stays until it is taken. A switch, which has no timer,
    /// goes on.
    fn begin_rest(&mut self) {
        self.change = 0;
        self.frames.iter_mut().for_each(Frames::rest);
        self.held.iter_mut().for_each(Held::rest);
        self.pops.iter_mut().for_each(Pops::rest);
        self.flows.rest();
        self.flags.iter_mut().for_each(|flag| flag.willing = Willing::new(Pattern::Never));
    }

    fn drive_inputs(&mut self, row: &mut [u32]) {
        let (random, mood, world) = (&mut self.random, self.mood, &self.world);
        if let Some(frames) = &mut self.frames {
            frames.drive(random, mood, world, self.raw, row);
        }
        if let Some(held) = &mut self.held {
            held.drive(random, mood, world, self.raw, row);
        }
        if let Some(pops) = &mut self.pops {
            pops.drive(random, row);
        }
        if let Some(switch) = &mut self.switch {
            switch.drive(random, row);
        }
        if let Some(marker) = &mut self.marker {
            marker.drive(random, row);
        }
        self.flows.drive(random, mood, world, self.raw, row);
        let room = self.room.filter(|_| self.polite).is_none_or(|(_, ready)| row[ready] != 0);
        for flag in &mut self.flags {
            let mut high = flag.willing.next(random);
            if let Some(other) = flag.only_with {
                high &= row[other] != 0;
            } else if self.room.is_some_and(|(enqueue, _)| enqueue == flag.column) {
                high &= room;
            }
            set(row, flag.column, u32::from(high));
        }
        for bus in &self.buses {
            if random.chance(self.change) {
                set(row, bus.column, world.value(bus.meaning, random, mood));
            }
        }
        if let Some((bytes, length)) = self.queue.filter(|_| self.polite) {
            row[bytes] = row[bytes].min(row[length]);
        }
    }
}
