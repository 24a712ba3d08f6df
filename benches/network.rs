// SPDX-License-Identifier: MIT OR Apache-2.0
//! The speed of the network simulator on dumbbells of QCN with few and many sources, and of the bench `sim dumbbell` with
//! the same models in the same run; and the memory of a flow. Writes `benches/network.json`. Run it with `scripts/bench`.

use anyhow::Result;
use serde_json::json;
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;
use tidegate::bench::dumbbell::{self, Observation};
use tidegate::bench::trace::Trace;
use tidegate::bench::{Engine, Reports};
use tidegate::network::Network;
use tidegate::network::topology::Topology;
use tidegate::registry::{self, Scheme};
use tidegate::scheme::parameters::Parameters;
use tidegate::units::Rate;

/// Packets that the sources send at least.
const PACKETS: u64 = 4_000_000;
/// Packets of the bench, which looks at every source at every event.
const PACKETS_OF_BENCH: u64 = 400_000;
/// A millisecond.
const PIECE: u64 = 125_000;

/// Counts the bytes that are allocated.
struct Counting;

static ALLOCATED: AtomicUsize = AtomicUsize::new(0);

// SAFETY: all calls go to the allocator of the system.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATED.fetch_add(layout.size(), Ordering::Relaxed);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        ALLOCATED.fetch_sub(layout.size(), Ordering::Relaxed);
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn parameters(scheme: &Scheme, sources: u64) -> Result<Parameters> {
    // With many sources the smallest rates together must be below the line rate.
    let settings = [("flows", sources.to_string()), ("min_rate_mbps", "0.1".to_string())];
    Ok(scheme.parameters(&settings.map(|(key, value)| (key.to_string(), value)))?)
}

/// Packets a second, and allocated bytes after the run.
fn network(scheme: &Scheme, sources: u64) -> Result<(f64, usize)> {
    let parameters = parameters(scheme, sources)?;
    let mut topology = Topology::dumbbell(&parameters);
    // From line rate, many sources would drop packets for seconds before each has got a feedback.
    let fair = Rate(parameters.rate("line_rate_mbps").0 / sources as u32);
    topology.flows.iter_mut().for_each(|flow| flow.start_rate = Some(fair));
    let before = ALLOCATED.load(Ordering::Relaxed);
    let mut network = Network::new(&scheme.models(), &parameters, &topology);
    let started = Instant::now();
    let (mut end, mut packets) = (0, 0);
    while packets < PACKETS {
        end += PIECE;
        network.run(end, &mut ());
        packets = network.outputs()[0].enqueued + network.outputs()[0].dropped;
    }
    let seconds = started.elapsed().as_secs_f64();
    Ok((packets as f64 / seconds, ALLOCATED.load(Ordering::Relaxed) - before))
}

/// Packets a second of the bench.
fn bench(scheme: &Scheme, sources: u64) -> Result<f64> {
    let parameters = parameters(scheme, sources)?;
    // A packet of 1024 bytes takes 1024 cycles.
    let cycles = PACKETS_OF_BENCH * 1024;
    let started = Instant::now();
    let trace = &mut Trace::create(None, dumbbell::HEADER)?;
    let observation = Observation { period: cycles };
    let summary = dumbbell::run(scheme, &parameters, Engine::Model, cycles, observation, Reports::trace(trace))?;
    Ok((summary.enqueued + summary.dropped) as f64 / started.elapsed().as_secs_f64())
}

fn main() -> Result<()> {
    let scheme = registry::find("qcn").map_err(anyhow::Error::msg)?;
    let (mut rows, mut memory) = (Vec::new(), Vec::new());
    for sources in [3, 20, 200, 2000] {
        let (packets_per_s, bytes) = network(scheme, sources)?;
        memory.push((sources, bytes));
        let peer = (sources <= 20).then(|| bench(scheme, sources)).transpose()?;
        let ratio = peer.map(|peer| packets_per_s / peer);
        println!("{sources} sources: {:.2} million packets/s", packets_per_s / 1e6);
        if let (Some(peer), Some(ratio)) = (peer, ratio) {
            println!("  sim dumbbell {:.2} million packets/s, ratio {ratio:.2}", peer / 1e6);
        }
        rows.push(json!({
            "sources": sources,
            "packets_per_s": packets_per_s.round(),
            "sim_dumbbell_packets_per_s": peer.map(f64::round),
            "ratio": ratio,
        }));
    }
    let [.., (few, less), (many, more)] = memory[..] else { unreachable!("four runs") };
    let bytes_per_flow = (more as f64 - less as f64) / (many - few) as f64;
    println!("{bytes_per_flow:.0} bytes a flow");
    let report = json!({ "scheme": "qcn", "runs": rows, "bytes_per_flow": bytes_per_flow.round() });
    tidegate::output::write_file("benches/network.json", serde_json::to_string_pretty(&report)? + "\n")
}
