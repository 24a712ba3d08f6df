//! The speed of the network simulator on the dumbbell, beside the bench `dumbbell` with the same models in the same run,
//! and the memory of a flow. Writes `benches/network.json`. Run it with `scripts/bench`.

use anyhow::Result;
use serde_json::json;
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;
use tidegate::bench::dumbbell::{self, Observation};
use tidegate::bench::trace::Trace;
use tidegate::bench::{Engine, Reports};
use tidegate::network::Network;
use tidegate::network::topology::Topology;
use tidegate::registry;
use tidegate::scheme::parameters::Parameters;
use tidegate::units::Cycles;

/// Memory in use, bytes.
static IN_USE: AtomicU64 = AtomicU64::new(0);

struct Counting;

// SAFETY: all calls go to the allocator of the system unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        IN_USE.fetch_add(layout.size() as u64, Ordering::Relaxed);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        IN_USE.fetch_sub(layout.size() as u64, Ordering::Relaxed);
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Runs of each, one after the other in turn; the fastest of each counts.
const RUNS: usize = 5;
/// Packets of a run, about.
const PACKETS: u64 = 2_000_000;

/// Packets per second.
fn of_network(models: &tidegate::model::Models, parameters: &Parameters, cycles: Cycles) -> f64 {
    let topology = Topology::dumbbell(parameters);
    let mut network = Network::new(models, parameters, &topology);
    let started = Instant::now();
    network.run(cycles, &mut ());
    let sent: u64 = (0..topology.flows.len()).map(|flow| network.packets_of(flow).0).sum();
    sent as f64 / started.elapsed().as_secs_f64()
}

fn of_bench(scheme: &registry::Scheme, parameters: &Parameters, cycles: Cycles) -> Result<f64> {
    let mut trace = Trace::create(None, dumbbell::HEADER)?;
    let started = Instant::now();
    let observation = Observation { period: 0 };
    let summary = dumbbell::run(scheme, parameters, Engine::Model, cycles, observation, Reports::trace(&mut trace))?;
    Ok(summary.sent as f64 / started.elapsed().as_secs_f64())
}

fn main() -> Result<()> {
    let mut rows = Vec::new();
    for name in ["qcn", "smcc"] {
        let scheme = registry::find(name).expect("a scheme");
        for flows in [3, 20, 200, 2000] {
            let set = [("flows".to_string(), flows.to_string()), ("min_rate_mbps".to_string(), "0.1".to_string())];
            let parameters = scheme.parameters(&set)?;
            // The queue drains a packet of 1024 bytes each 1024 cycles; sources send little more.
            let cycles = PACKETS * 1024;
            let (mut network, mut bench) = (0.0f64, 0.0f64);
            for _ in 0..RUNS {
                network = network.max(of_network(&scheme.models(), &parameters, cycles));
                bench = bench.max(of_bench(scheme, &parameters, cycles)?);
            }
            let before = IN_USE.load(Ordering::Relaxed);
            let topology = Topology::dumbbell(&parameters);
            let mut whole = Network::new(&scheme.models(), &parameters, &topology);
            whole.run(cycles / 10, &mut ());
            let bytes = (IN_USE.load(Ordering::Relaxed) - before) / flows;
            println!(
                "{name}, {flows} flows: {:.2} million packets/s, {:.2} times the bench; {bytes} bytes a flow",
                network / 1e6,
                network / bench
            );
            rows.push(json!({
                "scheme": name,
                "flows": flows,
                "packets_per_second": network.round(),
                "peer": "sim dumbbell, models",
                "peer_packets_per_second": bench.round(),
                "ratio": (network / bench * 1000.0).round() / 1000.0,
                "bytes_per_flow": bytes,
            }));
        }
    }
    let text = json!({ "format_version": 1, "bench": "network", "made_by": "scripts/bench", "rows": rows });
    std::fs::write("benches/network.json", format!("{text:#}\n"))?;
    Ok(())
}
