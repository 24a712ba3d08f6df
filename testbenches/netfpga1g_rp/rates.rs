// SPDX-License-Identifier: MIT OR Apache-2.0
//! The integer model of the reaction point beside the module, cycle by cycle: gates with packets always waiting, feedback at
//! random times. And a flood of feedback.

use crate::netfpga1g_rp::lanes::Departures;
use crate::netfpga1g_rp::packets::Packet;
use crate::netfpga1g_rp::world::{Case, World, parameters};
use crate::netfpga1g_rp::{RULE, SMCC};
use std::collections::VecDeque;
use tidegate::bus::netfpga1g_rp;
use tidegate::model::device::FlowReactionPoint;
use tidegate::model::flow_reaction_point::ModelFlowReactionPoint;
use tidegate::model::wire::verdict;
use tidegate::rtl::reaction_point::flow_numbers::tick_bits;
use tidegate::units::{RATE_FRACTION_BITS, Rate};
use tidegate_testing::feedback_frames::{NATURES, notification};
use tidegate_testing::pins::Pins;
use tidegate_testing::receive_frames::{Frame, Rule};
use tidegate_testing::stimulus::Random;

/// Short times, so that a rate recovers in a short run.
const SHORT: &[(&str, &str)] =
    &[("timer_us", "100"), ("byte_cycle_bytes", "10000"), ("ai_rate_mbps", "50"), ("hai_rate_mbps", "100")];

const SEEN: [&str; 12] = [
    "transmit_gates.announce",
    "transmit_gates.announce_flow",
    "transmit_gates.announce_bytes",
    "transmit_gates.send_ready",
    "transmit_gates.send_bytes",
    "reaction_point.announce_ready",
    "reaction_point.sent",
    "reaction_point.grant_flow",
    "reaction_point.refused",
    "reaction_point.flow_limiter.change",
    "reaction_point.flow_limiter.new_rate",
    "reaction_point.flow_limiter.feedback_flow",
];

/// The model, which sees what the module sees.
pub struct Twin {
    model: ModelFlowReactionPoint,
    seen: [usize; 12],
    input: [usize; 3],
    within: bool,
    pub frames: VecDeque<Vec<u8>>,
    now: u64,
    /// The last new rate of the module: flow and rate.
    changed: Option<(u64, u64)>,
    /// Rate of each flow.
    pub rates: Vec<u64>,
    /// Bytes that each flow may send, with the fraction bits of a rate.
    levels: Vec<i64>,
    bucket: i64,
    /// Rates that came into force, announcements and payments.
    pub changes: u64,
    pub payments: u64,
}

impl Twin {
    pub fn probes() -> &'static [&'static str] {
        &SEEN
    }

    /// Before the first cycle after the reset.
    pub fn new(case: &Case, pins: &Pins) -> Twin {
        let (scheme, _, mut settings) = parameters(case);
        // The bench writes this depth into the register.
        settings.push(("bucket_bytes".to_string(), case.rules.bucket.to_string()));
        let parameters = netfpga1g_rp::parameters(scheme, &settings).unwrap();
        let calculator = (scheme.models().flows)(&parameters);
        let line_rate = u64::from(parameters.rate("line_rate_mbps").0);
        Twin {
            model: ModelFlowReactionPoint::new(
                calculator,
                scheme.models().codec,
                &parameters,
                tick_bits(case.flows.ilog2() as usize),
            ),
            seen: SEEN.map(|probe| pins.output(probe)),
            input: ["in_wr", "in_ctrl", "in_data"].map(|name| pins.input(name)),
            within: false,
            frames: VecDeque::new(),
            now: 0,
            changed: None,
            rates: vec![line_rate; case.flows as usize],
            levels: vec![0; case.flows as usize],
            bucket: (case.rules.bucket << RATE_FRACTION_BITS) as i64,
            changes: 0,
            payments: 0,
        }
    }

    /// What the model does in the cycle whose inputs and outputs stand at the pins.
    pub fn cycle(&mut self, pins: &Pins) {
        let [in_wr, in_ctrl, _] = self.input.map(|input| pins.value(input));
        if in_wr == 1 {
            if in_ctrl == 0 && !self.within {
                self.model.deliver(self.now, &self.frames.pop_front().unwrap());
            }
            self.within = in_ctrl == 0;
        }
        let values = self.seen.map(|probe| pins.get(probe));
        let [announce, flow, bytes, send_ready, send_bytes, ready, sent, granted, refused, change, new_rate, of] =
            values;
        let announced = (announce == 1).then_some((flow as u16, bytes as u32));
        let link = (send_ready == 1).then_some(send_bytes as u32);
        let expected = self.model.cycle(self.now, announced, link);
        let at = self.now;
        assert_eq!(announce & ready == 1, expected.announced, "cycle {at}: an announcement is taken");
        let pays = (sent == 1).then_some(granted as u16);
        assert_eq!(pays, expected.sent, "cycle {at}: a packet is paid");
        assert_eq!(refused, 0, "cycle {at}: an announcement is refused");
        for (level, rate) in self.levels.iter_mut().zip(&self.rates) {
            *level = (*level + *rate as i64).min(self.bucket);
        }
        if let Some(flow) = pays {
            self.payments += 1;
            let level = &mut self.levels[usize::from(flow)];
            *level -= (send_bytes << RATE_FRACTION_BITS) as i64;
            assert!(*level >= 0, "cycle {at}: flow {flow} sends more than rate × time + bucket");
        }
        if let Some((flow, Rate(rate))) = expected.rate {
            let expected = Some((u64::from(flow), u64::from(rate)));
            assert_eq!(self.changed, expected, "cycle {at}: a rate comes into force");
            self.rates[usize::from(flow)] = rate.into();
            self.changes += 1;
        }
        if change == 1 {
            self.changed = Some((of, new_rate));
        }
        self.now += 1;
    }
}

/// Feedback that changes a rate a little or much, or a frame of another kind.
fn frame(random: &mut Random, rule: &Rule) -> Frame {
    if random.chance(20) {
        let nature = random.pick(&NATURES);
        let frame = Frame::of(random, rule, nature, 9);
        return Frame { verdict: verdict(&frame.octets, &rule.address(), false), bad: false, ..frame };
    }
    let mut cnm = notification(random);
    cnm.destination[5] ^= (random.word() & rule.flow_mask) as u8;
    cnm.quantized_feedback = random.pick(&[0, 1, 3, 10, 63]);
    cnm.q_offset = random.between(0, 600) as i16 - 300;
    cnm.q_delta = random.between(0, 200) as i16 - 100;
    let octets = cnm.to_frame();
    let verdict = verdict(&octets, &rule.address(), false);
    Frame { octets, bad: false, verdict }
}

/// Each announcement is taken, each packet is paid and each rate is changed in the cycle in which the model says so, and the
/// registers show the rates of the model.
fn lockstep(scheme: &'static str, seed: u64) {
    let settings = if scheme == "qcn" { SHORT } else { &[] };
    let rule = Rule { cpid_mask: 0, ..RULE };
    let rules = Departures { tags: true, ..SMCC.rules };
    let mut world = World::new(Case { scheme, settings, rule, rules, packets: 0, departures: u32::MAX, seed, ..SMCC });
    world.twin = Some(Twin::new(&world.case, &world.pins));
    world.set_up();
    let mut next = 0;
    while world.pins.cycle < 300_000 {
        if world.pins.cycle >= next {
            let frame = frame(&mut world.random, &rule);
            let packet = Packet::of(&mut world.random, &rule, frame);
            world.enter(packet);
            next = world.pins.cycle + world.random.pick(&[20, 60, 400, 3_000]);
        }
        world.cycle(true);
    }
    while !world.twin.as_ref().unwrap().frames.is_empty() {
        world.cycle(true);
    }
    for _ in 0..2_000 {
        world.cycle(true);
    }
    let shown = world.rates();
    world.compare_tokens(&shown);
    let twin = world.twin.as_ref().unwrap();
    assert_eq!(shown, twin.rates, "{scheme}: the rates of the registers");
    assert!(twin.changes > 50 && twin.payments > 100, "{scheme}: {} rates, {} payments", twin.changes, twin.payments);
}

#[test]
fn rates_of_all_schemes_are_those_of_the_model() {
    for (seed, scheme) in tidegate::registry::ethernet().map(|scheme| scheme.name).enumerate() {
        lockstep(scheme, seed as u64);
    }
}

/// Feedback in every packet of the receive path drives the rates to their minimum; when it stops, they recover.
#[test]
fn a_flood_of_feedback_drives_the_rates_down_and_they_recover() {
    let mut world = World::new(Case { scheme: "qcn", settings: SHORT, packets: 0, ..SMCC });
    world.set_up();
    let line_rate = world.rates();
    for _ in 0..6_000 {
        let frame = Frame::strongest(&mut world.random, &RULE);
        let packet = Packet::of(&mut world.random, &RULE, frame);
        world.enter(packet);
        while world.entering_words() > 8 {
            world.cycle(false);
        }
    }
    world.rest();
    world.compare_counters();
    assert_eq!(world.stops, 0, "the receive path was stopped");
    let least = world.read("rpgMinRate");
    assert_eq!(world.rates(), [least; 4]);
    world.case.departures = u32::MAX;
    world.lanes.iter_mut().for_each(|lane| lane.send_without_end());
    let end = world.pins.cycle + 3_000_000;
    while world.rates() != line_rate {
        assert!(world.pins.cycle < end, "the rates are {:?} then", world.rates());
        for _ in 0..20_000 {
            world.cycle(true);
        }
    }
}
