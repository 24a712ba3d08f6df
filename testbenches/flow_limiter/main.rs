//! The rate limiter of many flows against its model, cycle by cycle; and the model against one token bucket per flow.

#[path = "../common/stimulus.rs"]
mod stimulus;

use std::collections::HashMap;
use stimulus::Random;
use tidegate::bench::vectors;
use tidegate::model::flow_limiter::{FlowLimiterInputs, FlowLimiterModel, FlowLimiterOutputs};
use tidegate::rtl::circuit::Circuit;
use tidegate::rtl::reaction_point::flow_limiter::FlowLimiter;
use tidegate::rtl::reaction_point::flow_numbers::tick_bits;
use tidegate::scheme::flow_bucket::FlowBucketParameters;
use tidegate::units::{RATE_MAX, Rate};

/// One byte per cycle.
const BYTE: u32 = 1 << 18;

fn parameters(flow_bits: usize, bucket_bytes: u32, overhead_bytes: u32) -> FlowBucketParameters {
    FlowBucketParameters { bucket_bytes, overhead_bytes, tick_bits: tick_bits(flow_bits) as u32 }
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
    /// Cycles until the calculator has the new rate.
    calculates: Option<u32>,
    /// Percent of the cycles in which it does something.
    busy: u64,
    send_busy: u64,
    /// How many flows take part.
    active: u64,
    visited: Vec<u32>,
    refused: u32,
    last: Option<(u16, u32)>,
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
            calculates: None,
            busy: 50,
            send_busy: 80,
            active: flows as u64,
            visited: vec![0; flows],
            refused: 0,
            last: None,
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
            let (flow, _) = self.last.take().expect("an announcement was taken");
            // The first frame of the flow still waits.
            self.waiting.entry(flow).and_modify(|_| ()).or_default();
            self.waiting.retain(|_, bytes| *bytes > 0);
        }
        if let (true, Some((flow, bytes))) = (outputs.announce_ready, self.inputs.announce) {
            self.last = Some((flow, bytes));
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
        self.inputs.change = None;
        if outputs.read_done {
            self.inputs.read = false;
            self.calculates = Some(random.below(120) as u32);
        } else if let Some(left) = self.calculates {
            self.calculates = left.checked_sub(1);
            if self.calculates.is_none() {
                let rate = match random.below(8) {
                    0 => 0,
                    1 => RATE_MAX,
                    2 | 3 => random.below(u64::from(self.line_rate) + 1) as u32 >> random.below(18),
                    _ => random.below(u64::from(self.line_rate) + 1) as u32,
                };
                self.inputs.change = Some(Rate(rate));
            }
        } else if !self.inputs.read && !outputs.changing && random.below(400) == 0 {
            self.inputs.read = true;
            self.inputs.feedback_flow = random.below(self.active) as u16;
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
fn agree(flow_bits: usize, bucket: u32, overhead: u32, line_rate: u32, cycles: u64) {
    let flows = 1 << flow_bits;
    let circuit = Circuit::generated("flow_limiter", &[], Vec::new(), move || FlowLimiter::new(flow_bits));
    let column = |name: &str| circuit.ports.iter().position(|port| port.name == name).expect(name);
    let names = [
        "clearing", "announce_ready", "refused", "grant", "grant_flow", "sent", "read_done", "rate", "changing",
    ];
    let outputs = names.map(column);
    let inputs = [
        "announce", "announce_flow", "announce_bytes", "send_ready", "send_bytes", "read", "feedback_flow", "change",
        "new_rate", "reset", "line_rate", "bucket_bytes", "overhead_bytes",
    ]
    .map(column);
    let mut model = FlowLimiterModel::new(flows, Rate(line_rate), parameters(flow_bits, bucket, overhead));
    let surroundings = std::cell::RefCell::new(Surroundings::new(flow_bits as u64, flows, bucket, line_rate));
    let driven = std::cell::RefCell::new(FlowLimiterInputs::default());
    let seen = |row: &[u32]| {
        let [clearing, announce_ready, refused, grant, grant_flow, sent, read_done, rate, changing] =
            outputs.map(|column| row[column]);
        FlowLimiterOutputs {
            clearing: clearing != 0,
            announce_ready: announce_ready != 0,
            refused: refused != 0,
            grant: (grant != 0).then_some(grant_flow as u16),
            sent: sent != 0,
            read_done: read_done != 0,
            rate: Rate(rate),
            changing: changing != 0,
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
                now.read.into(),
                now.feedback_flow.into(),
                now.change.is_some().into(),
                now.change.map_or(RATE_MAX, |rate| rate.0),
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
    agree(2, 1542, 20, BYTE, 300_000);
    agree(4, 3000, 0, 10 * BYTE, 300_000);
    agree(8, 16255, 20, RATE_MAX, 500_000);
}
