// SPDX-License-Identifier: MIT OR Apache-2.0
//! The closed loop through the buses of the NetFPGA-1G: three cards with `tidegate_rp`, and a switch with `tidegate_cp`,
//! beside the native dumbbell with the same parameters.
//!
//! Run it with `cargo run --release --example netfpga1g_loop -- [SCHEME] [PICTURE.svg]`. It prints the queue and the rates
//! of both in the second half of 20 ms, for three seeds, and draws the run of the first seed. The scheme is one with
//! Ethernet frames; without one it is SMCC.

use anyhow::{Context, Result, bail};
use tidegate::report::plot::{Picture, Series, TimeSeries, side_by_side, time_series};
use tidegate::units::Cycles;
use tidegate_testing::netfpga1g_loop::{Run, native, on_buses};

const SEEDS: u64 = 3;
const KB: f64 = 1024.0;

/// The queue above, the rates below.
fn pictures(run: &Run, name: &str) -> Result<Vec<Picture>> {
    let points =
        |values: Vec<(Cycles, f64)>| values.into_iter().map(|(at, value)| (at as f64 / 125e3, value)).collect();
    let target = run.parameters.integer("q0_bytes") as f64 / KB;
    let lengths = run.outcome.queue.iter().map(|&(at, bytes)| (at, f64::from(bytes) / KB)).collect();
    let queue = TimeSeries::new(format!("{name}: queue"), "time (ms)", "queue length (KB)")
        .series(Series::new("queue", points(lengths)).steps())
        .reference(target, format!("q0 = {target} KB"));
    let clock = run.parameters.decimal("clock_mhz");
    let mut rates = TimeSeries::new(format!("{name}: rates"), "time (ms)", "rate of each source (Mb/s)");
    for source in 0..run.outcome.rates[0].len() {
        let looks = run.outcome.queue.iter().zip(&run.outcome.rates);
        let values = looks.map(|(&(at, _), rates)| (at, rates[source].to_mbps(clock).to_f64())).collect();
        rates = rates.series(Series::new(format!("{}", source + 1), points(values)).steps());
    }
    Ok(vec![time_series(&queue)?, time_series(&rates)?])
}

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let scheme = arguments.next().unwrap_or_else(|| "smcc".to_string());
    let file = arguments.next();
    if arguments.next().is_some() {
        bail!("usage: netfpga1g_loop [SCHEME] [PICTURE.svg]");
    }
    let known = tidegate::registry::find(&scheme).map_err(anyhow::Error::msg)?;
    if known.name == "infiniband" {
        bail!("{scheme} has no Ethernet frames: choose another scheme");
    }
    for seed in 1..=SEEDS {
        let runs = [("native dumbbell", native(&scheme, seed)), ("through the buses", on_buses(&scheme, seed, false))];
        runs.iter().for_each(|(name, run)| println!("{scheme}, seed {seed}, {name}: {}", run.line()));
        if let (1, Some(file)) = (seed, &file) {
            let columns = runs.iter().map(|(name, run)| pictures(run, &format!("{scheme}, {name}")));
            let picture = side_by_side(&columns.collect::<Result<Vec<_>>>()?);
            std::fs::write(file, picture.svg()).with_context(|| format!("cannot write {file}"))?;
        }
    }
    Ok(())
}
