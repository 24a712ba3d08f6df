// SPDX-License-Identifier: MIT OR Apache-2.0
//! The closed loop through the buses of the NetFPGA-1G beside the native dumbbell: the same scheme and parameters, once
//! as three cards with `tidegate_rp` and a switch with `tidegate_cp` and output queues in SRAM, and once as models.
//!
//! `examples/netfpga1g_loop.rs` draws queue and rates side by side.

use tidegate_testing::netfpga1g_loop::{Run, native, on_buses};

/// Runs of the native dumbbell whose spread is compared.
const NATIVE_SEEDS: u64 = 10;
/// Bytes of two packets: the queue of the switch leaves out the packet in the MAC and the one on the wire.
const ALLOWED_BYTES: f64 = 2.0 * 1024.0;
/// A hundredth of the line rate.
const ALLOWED_MBPS: f64 = 10.0;

/// Whether a value is between the least and the largest of others, or near.
fn near(others: &[f64], value: f64, allowed: f64) -> bool {
    let least = others.iter().copied().fold(f64::INFINITY, f64::min);
    let most = others.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    value >= least - allowed && value <= most + allowed
}

/// Compares both with these seeds, 2 with CN-TAGs, and returns the runs through the buses.
fn compare(scheme: &str, seeds: &[u64]) -> Vec<Run> {
    let natives: Vec<_> = (1..=NATIVE_SEEDS).map(|seed| native(scheme, seed)).collect();
    let queues: Vec<f64> = natives.iter().map(|run| run.queue_bytes).collect();
    let rates: Vec<f64> = natives.iter().map(|run| run.rates_mbps).collect();
    let compared = |&seed: &u64| {
        let run = on_buses(scheme, seed, seed == 2);
        let line = run.line();
        println!("{scheme}, native: {}\n{scheme}, buses:  {line}", natives[seed as usize - 1].line());
        assert!(run.outcome.feedback_sent > 100, "{scheme}: {line}");
        assert!(near(&queues, run.queue_bytes, ALLOWED_BYTES), "{scheme}, seed {seed}: {line}; native {queues:?}");
        assert!(near(&rates, run.rates_mbps, ALLOWED_MBPS), "{scheme}, seed {seed}: {line}; native {rates:?}");
        run
    };
    seeds.iter().map(compared).collect()
}

#[test]
fn queue_and_rates_of_qcn_are_those_of_the_native_dumbbell() {
    compare("qcn", &[2]);
}

#[test]
fn queue_and_rates_of_smcc_are_those_of_the_native_dumbbell() {
    near_the_target(&compare("smcc", &[1]));
}

#[test]
#[ignore = "long: the other of two seeds"]
fn so_they_are_with_and_without_tags() {
    compare("qcn", &[1]);
    near_the_target(&compare("smcc", &[2]));
}

fn near_the_target(runs: &[Run]) {
    for run in runs {
        let target = run.parameters.integer("q0_bytes") as f64;
        assert!(near(&[target], run.queue_bytes, ALLOWED_BYTES), "{}; target {target}", run.line());
    }
}
