// SPDX-License-Identifier: MIT OR Apache-2.0
//! The rate limiter of many flows against its model, cycle by cycle; and the model against one token bucket per flow.

use std::collections::{HashMap, VecDeque};
use tidegate::bench::vectors;
use tidegate::model::flow_limiter::{FlowLimiterInputs, FlowLimiterModel, FlowLimiterOutputs, FlowRateBounds};
use tidegate::rtl::circuit::Circuit;
use tidegate::rtl::reaction_point::flow_limiter::FlowLimiter;
use tidegate::rtl::reaction_point::flow_numbers::tick_bits;
use tidegate::scheme::flow_bucket::FlowBucketParameters;
use tidegate::units::{RATE_MAX, Rate};
use tidegate_testing::stimulus::Random;

/// One byte per cycle.
const BYTE: u32 = 1 << 18;

fn parameters(flow_bits: usize, bucket_bytes: u32, overhead_bytes: u32) -> FlowBucketParameters {
    FlowBucketParameters { bucket_bytes, overhead_bytes, tick_bits: tick_bits(flow_bits) as u32 }
}

/// Without a minimum rate.
fn bounds(line_rate: u32) -> FlowRateBounds {
    FlowRateBounds { line_rate: Rate(line_rate), min_rate: Rate(0) }
}

/// Sources and a calculator around a limiter: they obey its rules, and sometimes not.
struct Surroundings {
    random: Random,
    flows: u64,
    bucket: u32,
    line_rate: u32,
    /// Length of the frame that a flow has announced.
    waiting: HashMap<u16, u32>,
    inputs: FlowLimiterInputs,
    /// Percent of the cycles in which it does something.
    busy: u64,
    send_busy: u64,
    /// A feedback comes once in so many cycles.
    feedback_cycles: u64,
    /// How many flows take part.
    active: u64,
    visited: Vec<u32>,
    refused: u32,
    /// An announcement was taken that has not been refused.
    taken: bool,
}

impl Surroundings {
    fn new(seed: u64, flows: usize, bucket: u32, line_rate: u32) -> Self {
        Surroundings {
            random: Random::new(seed),
            flows: flows as u64,
            bucket,
            line_rate,
            waiting: HashMap::new(),
            inputs: FlowLimiterInputs::default(),
            busy: 50,
            send_busy: 80,
            feedback_cycles: 400,
            active: flows as u64,
            visited: vec![0; flows],
            refused: 0,
            taken: false,
        }
    }

    /// The inputs of the next cycle, after the outputs of one.
    fn next(&mut self, outputs: &FlowLimiterOutputs) -> FlowLimiterInputs {
        let random = &mut self.random;
        if random.below(3000) == 0 {
            self.busy = random.pick(&[0, 1, 20, 100]);
            self.send_busy = random.pick(&[0, 5, 80, 100]);
            self.active = random.pick(&[1, 3, self.flows]).min(self.flows);
        }
        if outputs.refused {
            self.refused += 1;
            assert!(self.taken, "no announcement was taken");
            self.taken = false;
        }
        if let (true, Some((flow, bytes))) = (outputs.announce_ready, self.inputs.announce) {
            self.taken = true;
            if u64::from(flow) < self.flows && bytes + 20 <= self.bucket {
                self.waiting.entry(flow).or_insert(bytes);
            }
            self.inputs.announce = None;
        }
        if let (true, Some(flow)) = (outputs.sent, outputs.grant) {
            self.visited[usize::from(flow)] += 1;
            self.waiting.remove(&flow).expect("a frame that waits is granted");
        }
        if self.inputs.announce.is_none() && random.chance(self.busy) {
            let flow = match random.below(500) {
                0 => random.below(4096) as u16,
                _ => random.below(self.active) as u16,
            };
            let longest = self.bucket - 20;
            let bytes = match random.below(500) {
                0 => random.between(u64::from(longest) + 1, 16383) as u32,
                _ => random.between(0, longest.into()) as u32 >> random.below(6),
            };
            if !self.waiting.contains_key(&flow) || random.below(500) == 0 {
                self.inputs.announce = Some((flow, bytes));
            }
        }
        self.inputs.send = None;
        if self.inputs.feedback_taken {
            self.inputs.feedback = None;
        }
        (self.inputs.feedback_taken, self.inputs.change) = (false, None);
        if self.inputs.feedback.is_none() && random.below(self.feedback_cycles) == 0 {
            self.inputs.feedback = Some(random.below(self.active) as u16);
        }
        if outputs.rate.is_some() && self.inputs.feedback.is_some() && random.below(60) == 0 {
            let rate = match random.below(8) {
                0 => 0,
                1 => RATE_MAX,
                2 | 3 => random.below(u64::from(self.line_rate) + 1) as u32 >> random.below(18),
                _ => random.below(u64::from(self.line_rate) + 1) as u32,
            };
            self.inputs.feedback_taken = true;
            self.inputs.change = random.chance(90).then_some((Rate(rate), random.below(4) as u8));
        }
        let mut inputs = self.inputs;
        if random.chance(self.send_busy) {
            let flow = outputs.grant.filter(|_| !outputs.sent);
            inputs.send = flow.and_then(|flow| self.waiting.get(&flow).copied());
        }
        inputs
    }
}

/// Runs the circuit and its model, and compares all outputs in each cycle.
fn agree(flow_bits: usize, bucket: u32, overhead: u32, line_rate: u32, feedback_cycles: u64, cycles: u64) {
    let flows = 1 << flow_bits;
    let circuit = Circuit::generated("flow_limiter", &[], Vec::new(), move || FlowLimiter::new(flow_bits));
    let column = |name: &str| circuit.ports.iter().position(|port| port.name == name).expect(name);
    let names = ["clearing", "announce_ready", "refused", "grant", "grant_flow", "sent", "rate_valid", "rate", "mode"];
    let outputs = names.map(column);
    let visits = ["visited", "visited_flow", "visited_rate"].map(column);
    let inputs = [
        "announce",
        "announce_flow",
        "announce_bytes",
        "send_ready",
        "send_bytes",
        "feedback_valid",
        "feedback_flow",
        "feedback_taken",
        "change",
        "new_rate",
        "new_mode",
        "reset",
        "line_rate",
        "bucket_bytes",
        "overhead_bytes",
    ]
    .map(column);
    let mut model = FlowLimiterModel::new(flows, bounds(line_rate), parameters(flow_bits, bucket, overhead));
    let surroundings =
        Surroundings { feedback_cycles, ..Surroundings::new(flow_bits as u64, flows, bucket, line_rate) };
    let surroundings = std::cell::RefCell::new(surroundings);
    let driven = std::cell::RefCell::new(FlowLimiterInputs::default());
    let seen = |row: &[u32]| {
        let [clearing, announce_ready, refused, grant, grant_flow, sent, rate_valid, rate, mode] =
            outputs.map(|column| row[column]);
        FlowLimiterOutputs {
            clearing: clearing != 0,
            announce_ready: announce_ready != 0,
            refused: refused != 0,
            grant: (grant != 0).then_some(grant_flow as u16),
            sent: sent != 0,
            rate: (rate_valid != 0).then_some((Rate(rate), mode as u8)),
            visited: (row[visits[0]] != 0).then(|| (row[visits[1]] as u16, Rate(row[visits[2]]))),
        }
    };
    vectors::run(
        &circuit,
        &mut |cycle, row| {
            let now = if cycle > 1 { surroundings.borrow_mut().next(&seen(row)) } else { FlowLimiterInputs::default() };
            *driven.borrow_mut() = now;
            let (flow, bytes) = now.announce.unwrap_or((4095, 16383));
            let values = [
                now.announce.is_some().into(),
                flow.into(),
                bytes,
                now.send.is_some().into(),
                now.send.unwrap_or(16383),
                now.feedback.is_some().into(),
                now.feedback.unwrap_or(4095).into(),
                now.feedback_taken.into(),
                now.change.is_some().into(),
                now.change.map_or(RATE_MAX, |(rate, _)| rate.0),
                now.change.map_or(3, |(_, mode)| mode.into()),
                (cycle == 0).into(),
                line_rate,
                bucket,
                overhead,
            ];
            inputs.iter().zip(values).for_each(|(&column, value)| row[column] = value);
        },
        &mut |cycle, row| {
            if cycle > 0 {
                let expected = model.cycle(&driven.borrow());
                assert_eq!(seen(row), expected, "{flows} flows, cycle {cycle}: circuit (left) and model");
            }
            cycle < cycles
        },
    );
    let surroundings = surroundings.into_inner();
    assert!(surroundings.visited.iter().all(|&frames| frames > 0), "{:?}", surroundings.visited);
    assert!(surroundings.refused > 3, "{}", surroundings.refused);
}

#[test]
fn is_its_model() {
    agree(2, 1542, 20, BYTE, 400, 3_000_000);
    agree(4, 3000, 0, 10 * BYTE, 400, 3_000_000);
    agree(8, 16224, 20, RATE_MAX, 400, 4_000_000);
    // One byte in a tick: frames wait for each number of ticks around 256, where lists of 256 ticks begin.
    agree(8, 320, 20, BYTE / 32, 200_000, 8_000_000);
}

/// Against one exact token bucket per flow, which takes rate × time in every cycle: no frame is sent before it is paid
/// for, also where a bucket is full, where frames wait for the link, and where rates rise and fall.
#[test]
fn never_sends_more_than_rate_times_time_and_depth() {
    for (flow_bits, bucket, line_rate) in [(1, 128, 10 * BYTE), (2, 1542, BYTE), (4, 16224, RATE_MAX)] {
        let flows = 1u16 << flow_bits;
        let parameters = parameters(flow_bits, bucket, 20);
        let mut model = FlowLimiterModel::new(flows.into(), bounds(line_rate), parameters);
        let mut surroundings = Surroundings::new(flow_bits as u64, flows.into(), bucket, line_rate);
        let full = u64::from(bucket) << 18;
        let mut paid = vec![full; flows.into()];
        let (mut outputs, mut least) = (FlowLimiterOutputs::default(), full);
        // A new rate may count before it is stored: from the begin of the visit on that stores it.
        let mut changing = None;
        for cycle in 0..3_000_000 {
            let inputs = surroundings.next(&outputs);
            outputs = model.cycle(&inputs);
            if let (true, Some(flow), Some(bytes)) = (outputs.sent, outputs.grant, inputs.send) {
                let flow = usize::from(flow);
                let left = paid[flow].checked_sub(u64::from(bytes + 20) << 18);
                paid[flow] = left.unwrap_or_else(|| {
                    let missing = f64::from(bytes + 20) - paid[flow] as f64 / f64::from(BYTE);
                    panic!(
                        "{flows} flows, cycle {cycle}: flow {flow} sends {bytes} bytes, {missing:.2} are not paid for"
                    )
                });
                least = least.min(paid[flow]);
            }
            let change = inputs.change.map(|(rate, _)| (inputs.feedback, rate.min(Rate(line_rate))));
            changing = change.or(changing);
            for (flow, paid) in (0..flows).zip(&mut paid) {
                let stored = model.rate_of(flow);
                let new = changing.filter(|&(of, rate)| of == Some(flow) && rate > stored).map(|(_, rate)| rate);
                *paid = full.min(*paid + u64::from(new.unwrap_or(stored).0));
            }
            changing = changing.filter(|&(flow, rate)| flow.is_some_and(|flow| model.rate_of(flow) != rate));
        }
        println!("{flows} flows: at least {:.2} bytes were left", least as f64 / f64::from(BYTE));
        assert!(surroundings.visited.iter().all(|&frames| frames > 0), "{:?}", surroundings.visited);
    }
}

/// A new rate that was computed from one of before is within the bounds when it is stored: a flow whose feedback comes without
/// a pause is hardly visited for anything else.
#[test]
fn a_new_rate_is_within_bounds_that_have_changed_since_the_old_one_was_read() {
    let parameters = parameters(2, 1542, 20);
    for (new, stored) in [(9 * BYTE, BYTE), (BYTE, BYTE), (BYTE / 2, BYTE / 2), (1, BYTE / 100), (0, 0)] {
        let mut model = FlowLimiterModel::new(4, bounds(10 * BYTE), parameters);
        let mut inputs = FlowLimiterInputs { feedback: Some(1), ..Default::default() };
        while model.cycle(&inputs).rate.is_none() {}
        let narrow = FlowRateBounds { line_rate: Rate(BYTE), min_rate: Rate(BYTE / 100) };
        model.set_parameters(narrow, parameters);
        (inputs.feedback_taken, inputs.change) = (true, Some((Rate(new), 0)));
        model.cycle(&inputs);
        // No sweep comes so soon.
        for _ in 0..100 {
            model.cycle(&FlowLimiterInputs::default());
        }
        assert_eq!(model.rate_of(1), Rate(stored), "a new rate of {new}");
    }
}

/// Flows that always have a frame to send, at rates of their own, on a link that is never the bottleneck.
struct Backlog {
    model: FlowLimiterModel,
    /// Length of the next frames of each flow.
    bytes: Vec<u32>,
    /// Flows whose next frame has not been announced.
    idle: VecDeque<usize>,
    sent: Vec<u64>,
}

impl Backlog {
    fn new(flow_bits: usize, bucket: u32, overhead: u32, flows: &[(u32, u32)], line_rate: u32) -> Self {
        let mut model =
            FlowLimiterModel::new(1 << flow_bits, bounds(line_rate), parameters(flow_bits, bucket, overhead));
        for (flow, &(rate, _)) in flows.iter().enumerate() {
            let mut inputs = FlowLimiterInputs { feedback: Some(flow as u16), ..Default::default() };
            while model.cycle(&inputs).rate.is_none() {}
            inputs.feedback_taken = true;
            inputs.change = Some((Rate(rate), 0));
            model.cycle(&inputs);
            for _ in 0..200 {
                model.cycle(&FlowLimiterInputs::default());
            }
            assert_eq!(model.rate_of(flow as u16), Rate(rate));
        }
        let bytes = flows.iter().map(|&(_, bytes)| bytes).collect();
        Backlog { model, bytes, idle: (0..flows.len()).collect(), sent: vec![0; flows.len()] }
    }

    fn cycle(&mut self) -> Option<usize> {
        let offered = self.idle.front().copied();
        let mut inputs =
            FlowLimiterInputs { announce: offered.map(|flow| (flow as u16, self.bytes[flow])), ..Default::default() };
        // The link takes whatever is granted.
        inputs.send = self.model.granted().map(|flow| self.bytes[usize::from(flow)]);
        let outputs = self.model.cycle(&inputs);
        assert!(!outputs.refused);
        if outputs.announce_ready {
            self.idle.pop_front();
        }
        let flow = outputs.grant.filter(|_| outputs.sent).map(usize::from)?;
        self.idle.push_back(flow);
        self.sent[flow] += 1;
        Some(flow)
    }
}

/// Runs flows of `(rate, bytes)` that always have a frame. What each sends of its rate × time, as a share, from its first
/// frame in the last three quarters of the time to its last one. Never more than rate × time + depth.
fn shares(flow_bits: usize, bucket: u32, overhead: u32, flows: &[(u32, u32)], cycles: u64) -> Vec<f64> {
    let mut backlog = Backlog::new(flow_bits, bucket, overhead, flows, 128 * BYTE - 1);
    let bytes = |frames: u64, flow: usize| frames * u64::from(flows[flow].1 + overhead);
    // The buckets may be full when the rates are set.
    let allowed = |cycle: u64, flow: usize| ((cycle * u64::from(flows[flow].0)) >> 18) + 1 + u64::from(bucket);
    let mut first = vec![None; flows.len()];
    let mut last = vec![(0, 0); flows.len()];
    for cycle in 0..cycles {
        let Some(flow) = backlog.cycle() else { continue };
        let sent = bytes(backlog.sent[flow], flow);
        assert!(sent <= allowed(cycle, flow), "flow {flow}, cycle {cycle}: {sent} > {}", allowed(cycle, flow));
        last[flow] = (cycle, backlog.sent[flow]);
        if cycle > cycles / 4 {
            first[flow].get_or_insert(last[flow]);
        }
    }
    let share = |flow: usize| {
        let (from, before) = first[flow].expect("every flow sends");
        let (to, after) = last[flow];
        assert!(after > before + 5, "flow {flow}: {before} and {after} frames");
        bytes(after - before, flow) as f64 / ((to - from) as f64 * f64::from(flows[flow].0) / f64::from(BYTE))
    };
    (0..flows.len()).map(share).collect()
}

/// At 1 Gb/s and 125 MHz, whatever number of flows the circuit is made for.
#[test]
fn a_flow_alone_has_its_rate() {
    for flow_bits in [1, 4, 8, 10, 12] {
        for bytes in [64, 128, 500, 1000, 1500] {
            let [share] = shares(flow_bits, 2200, 20, &[(BYTE, bytes)], 400_000)[..] else { panic!("one flow") };
            println!("2^{flow_bits} flows, {bytes} bytes: {share:.4}");
            assert!((0.99..1.01).contains(&share), "2^{flow_bits} flows, {bytes} bytes: {share}");
        }
    }
}

/// One fast flow, one of short frames, and slow flows.
#[test]
fn flows_with_frames_have_their_rates() {
    for flow_bits in [2, 6, 10] {
        let flows = 1u32 << flow_bits;
        let mut random = Random::new(flow_bits as u64);
        let mut all = vec![(BYTE * 45 / 100, 1500), (BYTE / 10, 64)];
        // At least 1 Mb/s at 125 MHz.
        let slow = (BYTE * 40 / 100 / (flows - 2)).max(BYTE / 750);
        all.extend(
            (2..flows)
                .map(|_| (slow * 3 / 4 + random.below(u64::from(slow) / 2) as u32, random.between(300, 1000) as u32)),
        );
        // A slow flow needs time for its frames.
        let cycles = 60_000 * u64::from(flows).max(20);
        let shares = shares(flow_bits, 2200, 20, &all, cycles);
        let least = shares.iter().copied().fold(f64::INFINITY, f64::min);
        let most = shares.iter().copied().fold(0.0, f64::max);
        println!("{flows} flows: {least:.4} to {most:.4}, the fast one {:.4}", shares[0]);
        assert!(least > 0.99 && most < 1.01, "{flows} flows: {least} to {most}");
    }
}

/// Fast flows with short frames ask for more visits than there are, so lists are emptied late. A slow flow still gets its
/// rate: no visit without effect loses its time, and it is not taken out of its list again and again.
#[test]
fn a_slow_flow_has_its_rate_while_lists_are_late() {
    for flow_bits in [3, 4, 6] {
        let mut flows = vec![(BYTE, 64); 1 << flow_bits];
        // 1.7 Mb/s at 125 MHz.
        flows[0] = (BYTE * 17 / 10_000, 300);
        let shares = shares(flow_bits, 2200, 20, &flows, 6_000_000);
        println!("{} flows: the slow one {:.4}, the others at least {:.4}", flows.len(), shares[0], shares[1]);
        assert!(shares[1] < 0.9, "the fast ones are not slowed down: {}", shares[1]);
        assert!((0.99..1.01).contains(&shares[0]), "{} flows: {}", flows.len(), shares[0]);
    }
}
