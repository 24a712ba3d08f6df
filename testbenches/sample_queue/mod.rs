// SPDX-License-Identifier: MIT OR Apache-2.0
//! The queue of samples against a list.

use std::collections::VecDeque;
use tidegate::rtl::congestion_point::sample_queue::SampleQueue;
use tidegate_hdl::module::Module;
use tidegate_hdl::simulation::Clocked;
use tidegate_testing::stimulus::{PATTERNS, Pattern, Random, Willing, value};

/// The inputs that make a sample, with their widths; the first two come from the queue monitor, a cycle later.
const FIELDS: [(&str, u32); 11] = [
    ("q_offset", 25),
    ("q_delta", 25),
    ("controlled", 1),
    ("source_mac_high", 16),
    ("source_mac_low", 32),
    ("destination_mac_high", 16),
    ("destination_mac_low", 32),
    ("has_tag", 1),
    ("vlan_tci", 16),
    ("has_cn_tag", 1),
    ("flow_id", 16),
];
const DEPTH: usize = 4;

type Sample = [u64; FIELDS.len()];

fn head(circuit: &SampleQueue) -> Sample {
    [
        value(circuit.head_q_offset.val()),
        value(circuit.head_q_delta.val()),
        circuit.head_controlled.val().into(),
        value(circuit.head_source_mac_high.val()),
        value(circuit.head_source_mac_low.val()),
        value(circuit.head_destination_mac_high.val()),
        value(circuit.head_destination_mac_low.val()),
        circuit.head_has_tag.val().into(),
        value(circuit.head_vlan_tci.val()),
        circuit.head_has_cn_tag.val().into(),
        value(circuit.head_flow_id.val()),
    ]
}

struct Bench {
    clocked: Clocked<SampleQueue>,
    random: Random,
    /// The samples that wait, with the cycle in which their packets entered.
    waiting: VecDeque<(u64, Sample)>,
    /// A sample of the cycle before: whether there was room, and its packet's fields.
    sampled: Option<(bool, Sample)>,
    /// The cycle before popped.
    popped: bool,
    now: u64,
    written: u64,
    lost: u64,
}

impl Bench {
    fn new(seed: u64) -> Self {
        let clocked = Clocked::new(&|name| panic!("no parameter `{name}`"));
        let random = Random::new(seed);
        Bench { clocked, random, waiting: VecDeque::new(), sampled: None, popped: false, now: 0, written: 0, lost: 0 }
    }

    /// Whether a packet may come.
    fn ready(&self) -> bool {
        self.waiting.len() + usize::from(self.sampled.is_some_and(|(room, _)| room)) < DEPTH
    }

    /// One cycle: a packet enters or not, it is a sample or not; pops the head, if there is one and the reader wants
    /// it.
    fn cycle(&mut self, enqueue: bool, sample: bool, pop: bool) {
        let fields = FIELDS.map(|(_, bits)| if bits == 1 { self.random.below(2) } else { self.random.bus(bits) });
        for ((name, _), field) in FIELDS.into_iter().zip(fields) {
            self.clocked.circuit.set(name, field);
        }
        // A sample of cycle t is at the head in t + 3 at the earliest, and not in the cycle after a pop.
        let read = |(entered, _): &&(u64, Sample)| !self.popped && entered + 3 <= self.now;
        let expected = self.waiting.front().filter(read).map(|&(_, sample)| sample);
        let pop = pop && expected.is_some();
        let ready = self.ready();
        self.clocked.circuit.enqueue.next = enqueue;
        self.clocked.circuit.sample.next = enqueue && sample;
        self.clocked.circuit.pop.next = pop;
        self.clocked.settle();
        let circuit = &self.clocked.circuit;
        assert_eq!(circuit.ready.val(), ready, "ready in cycle {}", self.now);
        let lost = self.sampled.is_some_and(|(room, _)| !room);
        assert_eq!(circuit.lost.val(), lost, "lost in cycle {}", self.now);
        self.lost += u64::from(lost);
        assert_eq!(circuit.head_valid.val(), expected.is_some(), "head in cycle {}", self.now);
        if let Some(expected) = expected {
            assert_eq!(head(circuit), expected, "head in cycle {}", self.now);
        }
        if pop {
            self.waiting.pop_front();
        }
        self.popped = pop;
        if let Some((true, mut sample)) = self.sampled {
            // The queue monitor's two come a cycle after the packet.
            sample[..2].copy_from_slice(&fields[..2]);
            self.waiting.push_back((self.now - 1, sample));
            self.written += 1;
        }
        self.sampled = (enqueue && sample).then_some((ready, fields));
        self.clocked.edge();
        self.now += 1;
    }
}

/// Every pattern of packets with every pattern of pops; half of the writers heed `ready`, the others do not; all
/// packets are samples, or half of them, or few.
#[test]
fn first_in_first_out() {
    let mut lost = 0;
    for (seed, packets) in PATTERNS.into_iter().enumerate() {
        for pops in PATTERNS {
            for (heeds, share) in [(true, 100), (false, 100), (true, 50), (false, 10)] {
                let mut bench = Bench::new(seed as u64);
                let (mut packets, mut pops) = (Willing::new(packets), Willing::new(pops));
                for _ in 0..1500 {
                    let enqueue = packets.next(&mut bench.random) && (!heeds || bench.ready());
                    let (sample, pop) = (bench.random.chance(share), pops.next(&mut bench.random));
                    bench.cycle(enqueue, sample, pop);
                }
                assert!(!heeds || bench.lost == 0, "a writer that heeds ready loses nothing");
                assert!(bench.written > 10);
                lost += bench.lost;
            }
        }
    }
    assert!(lost > 1000, "the others lost only {lost}");
}

#[test]
fn four_back_to_back_are_kept_and_the_fifth_is_lost() {
    let mut bench = Bench::new(1);
    for _ in 0..DEPTH {
        bench.cycle(true, true, false);
    }
    bench.cycle(false, false, false);
    assert_eq!((bench.written, bench.lost), (DEPTH as u64, 0));
    bench.cycle(true, true, false);
    bench.cycle(true, true, false);
    bench.cycle(false, false, false);
    assert_eq!((bench.written, bench.lost), (DEPTH as u64, 2));
    // A packet that is not a sample is not lost and changes nothing.
    bench.cycle(true, false, false);
    // A pop makes room in the next cycle, not in its own.
    bench.cycle(true, true, true);
    bench.cycle(true, true, false);
    bench.cycle(false, false, false);
    assert_eq!((bench.written, bench.lost), (DEPTH as u64 + 1, 3));
    while !bench.waiting.is_empty() {
        bench.cycle(false, false, true);
    }
    bench.cycle(false, false, true);
    assert_eq!(bench.lost, 3);
}

#[test]
fn a_reset_forgets_what_waits() {
    for last_is_a_sample in [true, false] {
        let mut bench = Bench::new(2);
        let mut packets = Willing::new(Pattern::Random(70));
        for _ in 0..12 {
            let enqueue = packets.next(&mut bench.random);
            bench.cycle(enqueue, true, false);
        }
        assert!(!bench.waiting.is_empty());
        bench.clocked.circuit.enqueue.next = true;
        bench.clocked.circuit.sample.next = last_is_a_sample;
        bench.clocked.circuit.reset.next = true;
        bench.clocked.edge();
        bench.clocked.circuit.reset.next = false;
        bench.waiting.clear();
        (bench.sampled, bench.popped, bench.lost) = (None, false, 0);
        for _ in 0..10 {
            bench.cycle(false, false, false);
        }
        for _ in 0..DEPTH {
            bench.cycle(true, true, false);
        }
        bench.cycle(false, false, false);
        assert_eq!((bench.waiting.len(), bench.lost), (DEPTH, 0));
    }
}
