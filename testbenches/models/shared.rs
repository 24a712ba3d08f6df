// SPDX-License-Identifier: MIT OR Apache-2.0
//! The shared blocks of the Ethernet schemes: token bucket, queue monitor, sampler.

use proptest::prelude::*;
use tidegate::scheme::jitter::JitterParameters;
use tidegate::scheme::queue_monitor::{QUEUE_MAX, QueueMonitor};
use tidegate::scheme::sampler::{SampleMode, Sampler, sampling};
use tidegate::scheme::to_units;
use tidegate::scheme::token_bucket::TokenBucket;
use tidegate::units::{Cycles, RATE_FRACTION_BITS, Rate};
use tidegate_testing::settings::{accepted, config};

/// Wait for some cycles, at this share (in 2^-16) of the allowed rates, then request some bytes.
fn requests() -> impl Strategy<Value = Vec<(u32, u32, u32)>> {
    let wait = (any::<u32>(), 12u32..32).prop_map(|(any, shift)| any >> shift);
    prop::collection::vec((wait, 0u32..=1 << 16, 0u32..=16384), 1..120)
}

proptest! {
    #![proptest_config(config(400))]

    /// In any window not more is granted than rate × time + depth, and a frame does not wait a cycle longer than
    /// necessary.
    #[test]
    fn token_bucket_grants_at_most_rate_times_time_plus_depth(set in accepted("qcn"), requests in requests()) {
        let p = &set.parameters;
        let (least, most) = (p.rate("min_rate_mbps").0, p.rate("line_rate_mbps").0);
        let depth = p.integer("bucket_bytes") as u32;
        let mut bucket = TokenBucket::new(depth);
        let mut now: Cycles = 0;
        // Tokens added up to the start of a cycle; and for each grant: these tokens, and the bytes granted so far.
        let mut arrived = 0u128;
        let mut granted = 0u128;
        let mut grants: Vec<(u128, u128, u128)> = Vec::new();
        // The same bucket, without a limit of 32 bits.
        let mut plain = 0i128;
        let depth_tokens = i128::from(depth) << RATE_FRACTION_BITS;
        for (wait, share, bytes) in requests {
            let rate = Rate(least + ((u64::from(most - least) * u64::from(share)) >> 16) as u32);
            let gain = |cycles: Cycles, plain: &mut i128, arrived: &mut u128| {
                let tokens = i128::from(cycles) * i128::from(rate.0);
                *arrived += tokens as u128;
                *plain = (*plain + tokens).min(depth_tokens);
            };
            gain(Cycles::from(wait), &mut plain, &mut arrived);
            now += Cycles::from(wait);
            bucket.advance(now, rate);
            let cost = i128::from(bytes) << RATE_FRACTION_BITS;
            let Some(ready) = bucket.ready_at(bytes, rate) else {
                prop_assert!(bytes > depth, "{bytes} bytes fit a bucket of {depth}");
                continue;
            };
            prop_assert!(bytes <= depth, "{bytes} bytes cannot fit a bucket of {depth}");
            prop_assert!(ready >= now);
            if ready > now {
                gain(ready - 1 - now, &mut plain, &mut arrived);
                prop_assert!(plain < cost, "could have gone a cycle earlier");
                gain(1, &mut plain, &mut arrived);
            }
            prop_assert!(plain >= cost, "granted with {plain} of {cost} tokens");
            now = ready;
            bucket.advance(now, rate);
            prop_assert_eq!(bucket.ready_at(bytes, rate), Some(now));
            bucket.take(bytes, rate);
            // A frame shorter than the rate of one cycle costs as much as the rate of one cycle.
            plain -= cost.max(rate.0.into());
            grants.push((arrived, granted, granted + cost as u128));
            granted += cost as u128;
            // The rate of that cycle is added at its end.
            gain(1, &mut plain, &mut arrived);
            now += 1;
            bucket.advance(now, rate);
        }
        for (first, &(from, before, _)) in grants.iter().enumerate() {
            for &(to, _, after) in &grants[first..] {
                prop_assert!(after - before <= to - from + depth_tokens as u128);
                prop_assert!(after <= to, "the bucket starts empty");
            }
        }
    }

    /// Compared with an unlimited queue: never below 0, never above the largest count, and a clamp is always reported.
    #[test]
    fn queue_monitor_never_underflows(
        q0 in 64u32..=1 << 23,
        moves in prop::collection::vec((0u32..=QUEUE_MAX, 0u32..24, 0u32..=QUEUE_MAX, 0u32..24, any::<bool>()), 1..200)
    ) {
        let mut monitor = QueueMonitor::default();
        let (mut queue, mut old) = (0i64, 0i64);
        for (enqueued, enqueued_shift, dequeued, dequeued_shift, sample) in moves {
            let (enqueued, dequeued) = (enqueued >> enqueued_shift, dequeued >> dequeued_shift);
            let next = queue + i64::from(enqueued) - i64::from(dequeued);
            queue = next.clamp(0, i64::from(QUEUE_MAX));
            prop_assert_eq!(monitor.step(enqueued, dequeued), queue == next);
            prop_assert_eq!(i64::from(monitor.queue_bytes), queue);
            if sample {
                let (offset, delta) = monitor.sample(q0);
                prop_assert_eq!((i64::from(offset), i64::from(delta)), (queue - i64::from(q0), queue - old));
                old = queue;
            }
        }
    }

    /// Rounded towards minus infinity, so that the sign stays; saturated.
    #[test]
    fn units_are_64_octets_rounded_down(bytes in -(1i32 << 24)..1 << 24) {
        let exact = (f64::from(bytes) / 64.0).floor().clamp(-32768.0, 32767.0);
        prop_assert_eq!(f64::from(to_units(bytes)), exact);
        prop_assert_eq!(to_units(bytes) < 0, bytes < 0);
    }

    /// Packets: whole packets, within ± the jitter.
    #[test]
    fn intervals_in_packets(
        nominal in (1u32..=1 << 23, 0u32..23).prop_map(|(any, shift)| (any >> shift).max(1)),
        percent in 0u32..=50,
        seed in 1u16..,
    ) {
        let swing = (u64::from(nominal) * u64::from(percent) / 100) as u32;
        let mut sampler = Sampler::new(SampleMode::Packets, JitterParameters::around(nominal, percent), seed);
        let mut since = 0;
        for now in 0..20_000u64 {
            since += 1;
            if sampler.packet(now, 1 + (now as u32 * 7) % 9000) {
                prop_assert!((nominal - swing..=nominal + swing).contains(&since), "{since} packets");
                since = 0;
            }
            prop_assert!(since < nominal + swing, "no sample for {since} packets");
        }
    }

    /// Bytes: the packet that reaches the interval is the sample, never an earlier or a later one.
    #[test]
    fn intervals_in_bytes(nominal in 64u32..=1 << 23, percent in 0u32..=50, seed in 1u16.., longest in 60u32..16255) {
        let swing = (u64::from(nominal) * u64::from(percent) / 100) as u32;
        let mut sampler = Sampler::new(SampleMode::Bytes, JitterParameters::around(nominal, percent), seed);
        let mut before = 0;
        for now in 0..5000u64 {
            let bytes = 60 + (now as u32).wrapping_mul(2_654_435_761) % (longest - 59);
            if sampler.packet(now, bytes) {
                prop_assert!(before + bytes >= nominal - swing, "a sample after {} bytes", before + bytes);
                before = 0;
            } else {
                before += bytes;
            }
            prop_assert!(before < nominal + swing, "no sample for {before} bytes");
        }
    }

    /// Time: with a packet each `spacing` cycles, samples are as far apart as the periods, plus or minus one spacing;
    /// after a long time without packets, there is one sample for all periods that have ended.
    #[test]
    fn intervals_in_time(
        nominal in (0u32..1 << 17, 0u32..=17).prop_map(|(any, shift)| 16 + (any >> shift)),
        percent in prop_oneof![Just(0u32), 0u32..=50],
        seed in 1u16..,
        spacing in prop_oneof![Just(1u64), 1u64..2000],
        gap in 0u64..1_000_000,
    ) {
        let swing = (u64::from(nominal) * u64::from(percent) / 100) as u32;
        let (low, high) = (u64::from(nominal - swing), u64::from(nominal + swing));
        let mut sampler = Sampler::new(SampleMode::Time, JitterParameters::around(nominal, percent), seed);
        let mut now = 0;
        let mut last = None;
        for _ in 0..2000 {
            if sampler.packet(now, 64) {
                if let Some(last) = last {
                    prop_assert!(now - last + spacing > low, "{} cycles", now - last);
                    prop_assert!(now - last < high + spacing, "{} cycles", now - last);
                } else {
                    prop_assert!(now >= low, "before the first period ended");
                }
                last = Some(now);
            } else {
                prop_assert!(now - last.unwrap_or(0) < high + spacing, "no sample until {now}");
            }
            now += spacing;
        }
        let late = now + gap + high;
        prop_assert!(sampler.packet(late, 64), "a period has ended");
        prop_assert!(!sampler.packet(late, 64), "one sample a period");
    }

    /// Every row of the table is its nominal interval ± the jitter.
    #[test]
    fn every_row_of_the_table_stays_in_its_bounds(set in accepted("qcn")) {
        let percent = set.parameters.integer("sample_jitter_percent");
        let base = set.parameters.integer("sample_bytes");
        let table = [150_000, 75_000, 50_000, 37_500, 30_000, 25_000, 21_500, 18_500];
        for (row, interval) in sampling(&set.parameters).into_iter().enumerate() {
            let nominal = match set.parameters.choice("sample_mode") {
                "packets" => set.parameters.integer("sample_packets"),
                "time" => set.parameters.sample_period(),
                _ => base * table[row] / table[0],
            };
            let swing = nominal * percent / 100;
            prop_assert_eq!((interval.low.into(), interval.high().into()), (nominal - swing, nominal + swing), "row {}", row);
        }
    }
}
