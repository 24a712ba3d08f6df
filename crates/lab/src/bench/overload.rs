// SPDX-License-Identifier: MIT OR Apache-2.0
//! A whole switch whose first output is overloaded: its internal port, which obeys feedback, and a station at the second port,
//! which does not, send to a station at the first one.

use super::switch::{FORGETS, FRAME_MIN, Frame, GIGABIT_MHZ, Switch, WIRE_OCTETS};
use super::{Reports, Steps};
use anyhow::{Context, Result, anyhow};
use serde::Serialize;
use tidegate_core::error::Usage;
use tidegate_core::frame::capture::{CaptureWriter, CapturedFrame};
use tidegate_core::frame::cnm::Cnm;
use tidegate_core::units::{Cycles, Micro, Rate};
use tidegate_package::switch::core::{Core, core};
use tidegate_schemes::registry::Scheme;

/// Header of the trace.
pub const HEADER: &str = "cycle,queue_bytes,rate_mbps";

/// The station that receives, at port 0, and the one that sends, at port 1.
const RECEIVER: u64 = 0x02_00_00_00_00_0a;
const SENDER: u64 = 0x02_00_00_00_00_0b;
/// All stations.
const BROADCAST: u64 = 0xff_ff_ff_ff_ff_ff;
/// Octets of the frames of both senders, without FCS.
const OCTETS: usize = 1514;
/// The station at port 1 sends one frame in the time of so many: 250 Mb/s.
const SHARE: u64 = 4;
/// Rows of the trace, about.
const ROWS: u64 = 4096;

/// What a run came to.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// In words.
    pub meaning: String,
    /// Cycles run.
    pub cycles: Cycles,
    /// Frames that left each port, without feedback.
    pub sent: Vec<u64>,
    /// Feedback frames that left each port.
    pub feedback_sent: Vec<u64>,
    /// Feedback frames that the reaction point of the internal port took.
    pub feedback_received: u32,
    /// Frames that found no room in the queue.
    pub dropped: u32,
    /// The busy share of the link of port 0.
    pub utilisation: f64,
    /// In the second half of the run.
    pub second_half: SecondHalf,
}

/// The second half of a run.
#[derive(Clone, Debug, Serialize)]
pub struct SecondHalf {
    /// Octets in the queue of output 0.
    pub mean_queue_bytes: f64,
    /// Rate of the reaction point, Mb/s.
    pub mean_rate_mbps: f64,
}

/// The address of a register of one of the register files.
fn address(core: &Core, file: usize, name: &str) -> Result<u32> {
    core.address(file, name).with_context(|| format!("{} has no register {name}", core.registers[file].module))
}

/// Runs it. Frames that leave port 1, to where feedback comes, go into a capture.
///
/// # Errors
/// A setting is refused, or a file cannot be written.
pub fn run(
    scheme: &'static Scheme,
    ports: usize,
    settings: &[(String, String)],
    cycles: Cycles,
    mut capture: Option<&mut CaptureWriter>,
    reports: Reports,
) -> Result<Summary> {
    let core = core(scheme, ports, settings)?;
    // With the buffers of the defaults, the engine takes every switch.
    let mut switch = Switch::new(&core.netlist, ports, core.clock_mhz.into()).map_err(|error| -> anyhow::Error {
        match settings.iter().any(|(key, _)| key == "buffer_bytes") {
            true => Usage(format!("parameter `buffer_bytes`: {error}: expected less")).into(),
            false => error.into(),
        }
    })?;
    let clock = f64::from(core.clock_mhz);
    let answer = |answer: Option<u64>| anyhow!("the register bus answers {answer:?}");
    reports.begin()?;
    (0..FORGETS).for_each(|_| switch.step());
    for (port, station) in [(0, RECEIVER), (1, SENDER)] {
        switch.receive(port, Frame::between(BROADCAST, station, FRAME_MIN, 0));
    }
    let (high, low) = ((RECEIVER >> 32) as u32, RECEIVER as u32);
    let generator = [
        ("generator_destination_high", high),
        ("generator_destination_low", low),
        ("generator_octets", OCTETS as u32),
        ("generate", 1),
    ];
    for (name, value) in generator {
        switch.write(address(&core, 0, name)?, value).map_err(answer)?;
    }
    let (queue, rate) = (address(&core, 2, "queue_bytes")?, address(&core, 1, "current_rate")?);
    let begin = switch.cycle;
    let frame_cycles = (OCTETS as u64 + WIRE_OCTETS) * u64::from(core.clock_mhz) / GIGABIT_MHZ;
    let (mut next_frame, mut next_row) = (begin, begin);
    let (mut rows, mut octets): (Vec<(f64, f64)>, u64) = (Vec::new(), 0);
    let (mut sent, mut feedback) = (vec![0; ports], vec![0; ports]);
    let mut steps = Steps::new(reports.progress);
    while switch.cycle < begin + cycles {
        if switch.cycle >= next_frame {
            switch.receive(1, Frame::between(RECEIVER, SENDER, OCTETS, 0));
            next_frame += SHARE * frame_cycles;
        }
        if switch.cycle >= next_row {
            let cycle = switch.cycle - begin;
            let queue = switch.read(queue).map_err(answer)?;
            let rate = Rate(switch.read(rate).map_err(answer)?).to_mbps(Micro::whole(core.clock_mhz.into())).to_f64();
            reports.trace.row(format_args!("{cycle},{queue},{rate:.3}"))?;
            rows.push((queue.into(), rate));
            next_row += (cycles / ROWS).max(1);
        }
        switch.step();
        steps.step(switch.cycle - begin);
        for (cycle, port, bytes) in std::mem::take(&mut switch.sent) {
            let count = if Cnm::parse(&bytes).is_ok() { &mut feedback } else { &mut sent };
            count[port] += 1;
            octets += if port == 0 { bytes.len().max(FRAME_MIN) as u64 + WIRE_OCTETS } else { 0 };
            if let Some(capture) = capture.as_deref_mut().filter(|_| port == 1) {
                let time_ns = (cycle.saturating_sub(begin) as f64 * 1000.0 / clock) as u64;
                capture.write(&CapturedFrame { time_ns, original_length: bytes.len() as u32, bytes })?;
            }
        }
    }
    let half = &rows[rows.len() / 2..];
    let mean = |of: &dyn Fn(&(f64, f64)) -> f64| half.iter().map(of).sum::<f64>() / half.len().max(1) as f64;
    let second_half = SecondHalf { mean_queue_bytes: mean(&|row| row.0), mean_rate_mbps: mean(&|row| row.1) };
    let utilisation = octets as f64 * clock / GIGABIT_MHZ as f64 / cycles as f64;
    let mut counted = |file, name| -> Result<u32> { switch.read(address(&core, file, name)?).map_err(answer) };
    let (dropped, feedback_received) = (counted(2, "dropped_frames_low")?, counted(1, "removed_frames_low")?);
    let strangers: u64 = feedback.iter().enumerate().filter(|(port, _)| *port != 1).map(|(_, count)| count).sum();
    let meaning = format!(
        "The internal port and the station at port 1 overload port 0. Its link was busy for {:.1} % of the time, its queue held {:.0} \
         bytes. {feedback_received} feedback frames reached the internal port, {} the station at port 1, {strangers} any other port",
        100.0 * utilisation,
        second_half.mean_queue_bytes,
        feedback[1]
    );
    Ok(Summary { meaning, cycles, sent, feedback_sent: feedback, feedback_received, dropped, utilisation, second_half })
}
