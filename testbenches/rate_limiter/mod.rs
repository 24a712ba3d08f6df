// SPDX-License-Identifier: MIT OR Apache-2.0
//! The rate limiter's circuit against the token bucket of the model, cycle by cycle.

use tidegate::rtl::reaction_point::rate_limiter::RateLimiter;
use tidegate::scheme::token_bucket::TokenBucket;
use tidegate::units::{RATE_MAX, Rate};
use tidegate_hdl::simulation::Clocked;
use tidegate_testing::settings::sets;
use tidegate_testing::stimulus::Random;

struct Bench {
    clocked: Clocked<RateLimiter>,
    model: TokenBucket,
    overhead: u32,
    now: u64,
    /// The request of the cycle before, if it is granted in this cycle.
    going: Option<u32>,
    granted: u64,
}

impl Bench {
    fn new(bucket_bytes: u32, overhead: u32) -> Self {
        let clocked = Clocked::new(&|name| match name {
            "bucket_bytes" => bucket_bytes.into(),
            "overhead_bytes" => overhead.into(),
            other => panic!("no value for `{other}`"),
        });
        Bench { clocked, model: TokenBucket::new(bucket_bytes), overhead, now: 0, going: None, granted: 0 }
    }

    /// One cycle at `rate` while a frame waits, or none. Returns grant and oversize, after checking both.
    fn cycle(&mut self, rate: Rate, request: Option<u32>) -> (bool, bool) {
        let circuit = &mut self.clocked.circuit;
        circuit.rate.next = u64::from(rate.0).into();
        circuit.request.next = request.is_some();
        circuit.request_bytes.next = u64::from(request.unwrap_or(16383)).into();
        self.clocked.settle();
        let ready = request.map(|bytes| self.model.ready_at(bytes + self.overhead, rate));
        let going = std::mem::take(&mut self.going);
        let expected = (going.is_some(), ready == Some(None));
        let seen = (self.clocked.circuit.grant.val(), self.clocked.circuit.oversize.val());
        assert_eq!(seen, expected, "cycle {}: {request:?} bytes at {rate:?}", self.now);
        match going {
            Some(bytes) => {
                self.model.take(bytes + self.overhead, rate);
                self.granted += 1;
            }
            None => self.going = request.filter(|_| ready == Some(Some(self.now))),
        }
        self.clocked.edge();
        self.now += 1;
        self.model.advance(self.now, rate);
        seen
    }
}

/// Accepted parameters; rates that change in any cycle, frames of any length with and without gaps.
#[test]
fn grants_as_the_model_does() {
    let mut granted = 0;
    for (seed, set) in sets("qcn", 300).into_iter().enumerate() {
        let p = &set.parameters;
        let (least, most) = (p.rate("min_rate_mbps").0, p.rate("line_rate_mbps").0);
        let mut random = Random::new(seed as u64);
        let bucket = p.integer("bucket_bytes") as u32;
        let mut bench = Bench::new(bucket, p.overhead());
        let mut rate = Rate(most);
        let mut request = None;
        let busy = random.pick(&[3, 40, 100]);
        for _ in 0..4000 {
            if random.chance(2) {
                let between = random.between(least.into(), most.into()) as u32;
                rate = Rate(random.pick(&[least, most, between]));
            }
            if request.is_none() && random.chance(busy) {
                let any = random.between(0, bucket.into()) as u32;
                let fitting = bucket.saturating_sub(p.overhead());
                request = Some(random.pick(&[any, any, any / 8, fitting, fitting + 1, 0, 16383]));
            }
            let (grant, oversize) = bench.cycle(rate, request);
            // A frame that can never be granted is discarded. Sometimes a source withdraws another one before its grant
            // is decided.
            if grant || oversize || (bench.going.is_none() && random.chance(1)) {
                request = None;
            }
        }
        granted += bench.granted;
    }
    assert!(granted > 10_000, "only {granted} frames went");
}

/// The widest values that the ports are documented for: depth 16224, the largest rate, tokens that just fit 32 bits.
#[test]
fn the_largest_bucket_and_rate() {
    let mut bench = Bench::new(16_224, 20);
    let rate = Rate(RATE_MAX);
    for _ in 0..200 {
        bench.cycle(rate, None);
    }
    assert_eq!(bench.cycle(rate, Some(16_204)), (false, false), "not in the cycle of the request");
    assert_eq!(bench.cycle(rate, Some(16_204)), (true, false), "the whole bucket");
    assert_eq!(bench.cycle(rate, Some(16_205)), (false, true));
    assert_eq!(bench.cycle(rate, Some(16_383)), (false, true));
    let mut random = Random::new(1);
    for _ in 0..20_000 {
        let bytes = random.between(0, 16_204) as u32;
        while !bench.cycle(rate, Some(bytes)).0 {}
    }
}

/// A frame longer than the bucket is flagged in every cycle of its request and never granted, however long it waits.
#[test]
fn oversize_frames_are_flagged_and_never_granted() {
    for (bucket, overhead, bytes) in [(1542, 0, 1543), (1542, 20, 1523), (128, 20, 16_383), (128, 0, 129)] {
        let mut bench = Bench::new(bucket, overhead);
        for _ in 0..3000 {
            assert_eq!(bench.cycle(Rate(1 << 18), Some(bytes)), (false, true), "{bytes} bytes, bucket of {bucket}");
        }
        // It removed nothing from the bucket: a frame that just fits need not wait.
        assert_eq!(bench.cycle(Rate(1 << 18), Some(bucket - overhead)), (false, false));
        assert_eq!(bench.cycle(Rate(1 << 18), Some(bucket - overhead)), (true, false));
    }
}

/// The bucket starts empty: at one byte per cycle it holds n bytes in cycle n.
#[test]
fn an_empty_bucket_fills_at_the_rate() {
    for bytes in [1, 60, 1024, 1542] {
        let mut bench = Bench::new(1542, 0);
        let cycle = (0..).find(|_| bench.cycle(Rate(1 << 18), Some(bytes)).0);
        assert_eq!(cycle, Some(u64::from(bytes) + 1));
    }
}

/// What is looked at is the overhead of the cycle before. One that rises just then costs up to 31 bytes more than the bucket
/// holds: then it holds less than nothing, and is not taken for a full one.
#[test]
fn an_overhead_that_rises_with_a_grant_does_not_fill_the_bucket() {
    let mut clocked: Clocked<RateLimiter> = Clocked::new(&|name| u64::from(name == "bucket_bytes") * 16_224);
    let frame = 8810;
    let mut grants = Vec::new();
    for cycle in 0..frame + 200 {
        let circuit = &mut clocked.circuit;
        circuit.rate.next = (1 << 18).into();
        circuit.overhead_bytes.next = if cycle >= frame { 31 } else { 0 }.into();
        circuit.request.next = true;
        circuit.request_bytes.next = if grants.is_empty() { frame } else { 60 }.into();
        clocked.settle();
        if clocked.circuit.grant.val() {
            grants.push(cycle);
        }
        clocked.edge();
    }
    // At one byte a cycle; the next frame costs 91 bytes, and 30 are missing.
    assert_eq!(grants, [frame + 1, frame + 123]);
}
