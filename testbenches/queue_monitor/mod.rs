// SPDX-License-Identifier: MIT OR Apache-2.0
//! The queue monitor's circuit against the model, cycle by cycle.

use tidegate::rtl::congestion_point::queue_monitor::QueueMonitor as Circuit;
use tidegate::scheme::queue_monitor::{QUEUE_MAX, QueueMonitor};
use tidegate_hdl::simulation::Clocked;
use tidegate_testing::stimulus::{Random, signed, value};

struct Bench {
    clocked: Clocked<Circuit>,
    model: QueueMonitor,
    q0: u32,
    now: u64,
    clamped: u64,
}

impl Bench {
    fn new(q0: u32) -> Self {
        let clocked = Clocked::new(&|_| q0.into());
        Bench { clocked, model: QueueMonitor::default(), q0, now: 0, clamped: 0 }
    }

    /// One cycle; without an event its bus holds the largest number, which must not matter.
    fn cycle(&mut self, enqueue: Option<u32>, dequeue: Option<u32>, sample: bool) {
        let circuit = &mut self.clocked.circuit;
        circuit.enqueue.next = enqueue.is_some();
        circuit.enqueue_bytes.next = u64::from(enqueue.unwrap_or(QUEUE_MAX)).into();
        circuit.dequeue.next = dequeue.is_some();
        circuit.dequeue_bytes.next = u64::from(dequeue.unwrap_or(QUEUE_MAX)).into();
        circuit.sample.next = sample;
        self.clocked.settle();
        let circuit = &self.clocked.circuit;
        assert_eq!(value(circuit.queue_bytes.val()), u64::from(self.model.queue_bytes), "length in cycle {}", self.now);
        let possible = self.model.step(enqueue.unwrap_or(0), dequeue.unwrap_or(0));
        self.clamped += u64::from(!possible);
        self.clocked.edge();
        assert_eq!(self.clocked.circuit.clamped.val(), !possible, "clamped after cycle {}", self.now);
        // The offsets are valid in the next cycle, whether there was a sample or not; only a sample overwrites the old
        // length.
        let circuit = &self.clocked.circuit;
        let expected = if sample { self.model.sample(self.q0) } else { self.model.clone().sample(self.q0) };
        let seen = (signed(circuit.q_offset.val()), signed(circuit.q_delta.val()));
        assert_eq!(seen, expected, "offsets of cycle {}", self.now);
        self.now += 1;
    }
}

#[test]
fn follows_the_queue_as_the_model_does() {
    let (mut clamped, mut cycles) = (0, 0);
    for (seed, q0) in [64, 65_536, 26_000, 1 << 23, 98_304, 64].into_iter().enumerate() {
        let mut bench = Bench::new(q0);
        let mut random = Random::new(seed as u64);
        for _ in 0..10_000 {
            // Every second run only small packets, so that the length changes slowly; in the others it jumps to its
            // limits.
            let mut bytes = || if seed % 2 == 0 { random.between(0, 9000) as u32 } else { random.bus(24) as u32 };
            let (enqueue, dequeue) = (bytes(), bytes());
            let (enqueue, dequeue) = (random.chance(60).then_some(enqueue), random.chance(55).then_some(dequeue));
            bench.cycle(enqueue, dequeue, random.chance(30));
        }
        (clamped, cycles) = (clamped + bench.clamped, cycles + bench.now);
    }
    assert!(clamped > 1000 && clamped < cycles / 2, "{clamped} of {cycles} cycles clamped");
}

#[test]
fn both_ends_of_the_range() {
    let mut bench = Bench::new(1 << 23);
    bench.cycle(Some(QUEUE_MAX), None, true);
    bench.cycle(Some(QUEUE_MAX), Some(QUEUE_MAX), true);
    assert_eq!(bench.clamped, 0, "full, and as much leaves as enters");
    bench.cycle(Some(1), None, true);
    assert_eq!(bench.clamped, 1, "one byte too many");
    bench.cycle(None, Some(QUEUE_MAX), true);
    bench.cycle(None, None, true);
    bench.cycle(None, Some(1), true);
    assert_eq!(bench.clamped, 2, "one byte more than there is");
    bench.cycle(Some(10), Some(11), false);
    bench.cycle(Some(QUEUE_MAX), Some(QUEUE_MAX), false);
    bench.cycle(Some(0), Some(0), true);
    assert_eq!(bench.clamped, 3);
}
