//! The queue of samples against a list.

#[path = "../common/stimulus.rs"]
mod stimulus;

use std::collections::VecDeque;
use stimulus::{value, Pattern, Random, Willing, PATTERNS};
use tidegate::bench::circuit::Clocked;
use tidegate::rtl::congestion_point::sample_queue::SampleQueue;
use tidegate::rtl::ParameterInputs;

/// The inputs that make a sample, with their widths; the first two come from the queue monitor, a cycle later.
const FIELDS: [(&str, u32); 9] = [
    ("q_offset", 25),
    ("q_delta", 25),
    ("controlled", 1),
    ("source_mac_high", 16),
    ("source_mac_low", 32),
    ("destination_mac_high", 16),
    ("destination_mac_low", 32),
    ("tagged", 1),
    ("vlan_tci", 16),
];
const DEPTH: usize = 16;

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
        circuit.head_tagged.val().into(),
        value(circuit.head_vlan_tci.val()),
    ]
}

struct Bench {
    clocked: Clocked<SampleQueue>,
    random: Random,
    /// The samples that wait, with the cycle in which they were written.
    waiting: VecDeque<(u64, Sample)>,
    /// What the queue monitor will say of the last packet.
    measured: [u64; 2],
    /// Whether the last sample was lost.
    losing: bool,
    now: u64,
    written: u64,
    lost: u64,
}

impl Bench {
    fn new(seed: u64) -> Self {
        let clocked = Clocked::new(&|name| panic!("no parameter `{name}`"), None);
        Bench {
            clocked,
            random: Random::new(seed),
            waiting: VecDeque::new(),
            measured: [0; 2],
            losing: false,
            now: 0,
            written: 0,
            lost: 0,
        }
    }

    /// One cycle: writes a random sample, or a packet that is none, or nothing; pops the head, if there is one and the
    /// reader wants to.
    fn cycle(&mut self, write: bool, pop: bool) {
        let sample = FIELDS.map(|(_, bits)| if bits == 1 { self.random.below(2) } else { self.random.bus(bits) });
        for ((name, _), field) in FIELDS.into_iter().zip(sample) {
            self.clocked.circuit.set(name, field);
        }
        for ((name, _), field) in FIELDS.into_iter().zip(self.measured) {
            self.clocked.circuit.set(name, field);
        }
        self.measured = [sample[0], sample[1]];
        // Written in t, at the head in t + 3 at the earliest.
        let expected = self.waiting.front().filter(|(written, _)| written + 3 <= self.now).map(|&(_, sample)| sample);
        let pop = pop && expected.is_some();
        let full = self.waiting.len() == DEPTH;
        self.clocked.circuit.enqueue.next = write || self.random.chance(50);
        self.clocked.circuit.sample.next = write;
        self.clocked.circuit.pop.next = pop;
        self.clocked.settle();
        let circuit = &self.clocked.circuit;
        assert_eq!(circuit.ready.val(), !full, "ready in cycle {}", self.now);
        assert_eq!(circuit.lost.val(), self.losing, "lost before cycle {}", self.now);
        assert_eq!(circuit.head_valid.val(), expected.is_some(), "head in cycle {}", self.now);
        if let Some(expected) = expected {
            assert_eq!(head(circuit), expected, "head in cycle {}", self.now);
        }
        if write && !full {
            self.waiting.push_back((self.now, sample));
            self.written += 1;
        }
        self.losing = write && full;
        self.lost += u64::from(self.losing);
        if pop {
            self.waiting.pop_front();
        }
        self.clocked.edge();
        self.now += 1;
    }
}

/// Every pattern of writes with every pattern of pops; half of the writers heed `ready`, the others do not.
#[test]
fn first_in_first_out() {
    let mut lost = 0;
    for (seed, writes) in PATTERNS.into_iter().enumerate() {
        for pops in PATTERNS {
            for heeds in [true, false] {
                let mut bench = Bench::new(seed as u64);
                let (mut writes, mut pops) = (Willing::new(writes), Willing::new(pops));
                for _ in 0..1500 {
                    let write = writes.next(&mut bench.random) && (!heeds || bench.waiting.len() < DEPTH);
                    let pop = pops.next(&mut bench.random);
                    bench.cycle(write, pop);
                }
                assert!(!heeds || bench.lost == 0, "a writer that heeds ready loses nothing");
                assert!(bench.written > 100);
                lost += bench.lost;
            }
        }
    }
    assert!(lost > 1000, "the others lost only {lost}");
}

#[test]
fn sixteen_back_to_back_are_kept_and_the_seventeenth_is_lost() {
    let mut bench = Bench::new(1);
    for _ in 0..16 {
        bench.cycle(true, false);
    }
    assert_eq!((bench.written, bench.lost), (16, 0));
    bench.cycle(true, false);
    bench.cycle(true, false);
    assert_eq!((bench.written, bench.lost), (16, 2));
    // A pop makes room in the next cycle, not in its own.
    bench.cycle(true, true);
    assert_eq!((bench.written, bench.lost), (16, 3));
    bench.cycle(true, false);
    assert_eq!((bench.written, bench.lost), (17, 3));
    while !bench.waiting.is_empty() {
        bench.cycle(false, true);
    }
    bench.cycle(false, true);
    assert_eq!(bench.lost, 3);
}

#[test]
fn a_reset_forgets_what_waits() {
    let mut bench = Bench::new(2);
    let mut writes = Willing::new(Pattern::Random(70));
    for _ in 0..50 {
        let write = writes.next(&mut bench.random);
        bench.cycle(write, false);
    }
    assert!(!bench.waiting.is_empty());
    bench.clocked.circuit.sample.next = false;
    bench.clocked.circuit.set_reset(true);
    bench.clocked.edge();
    bench.clocked.circuit.set_reset(false);
    bench.waiting.clear();
    bench.losing = false;
    for _ in 0..10 {
        bench.cycle(false, false);
    }
    for _ in 0..16 {
        bench.cycle(true, false);
    }
    assert_eq!(bench.waiting.len(), 16);
}
