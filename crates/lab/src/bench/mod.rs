// SPDX-License-Identifier: MIT OR Apache-2.0
//! Cycle-accurate benches. They are written once, over the devices of [`tidegate_schemes::model::device`]: circuits that are
//! clocked ([`circuit`]) and models. So all engines run in the same world, and their traces can be compared byte for
//! byte.

pub mod capture;
mod card;
pub mod circuit;
mod circuit_flows;
pub mod cp;
mod due;
pub mod dumbbell;
pub mod frames;
pub mod machine;
pub mod marking;
pub mod overload;
mod received_frames;
pub mod rp;
mod sender;
pub mod source;
mod sources;
pub mod switch;
pub mod trace;
pub mod vectors;
pub mod waveform;

use self::trace::Trace;
use self::waveform::Waveform;
use anyhow::Result;
use std::collections::BTreeMap;
use tidegate_core::units::Cycles;

/// What a run reports to, and what may stop it before its first cycle.
pub struct Reports<'a> {
    /// Rows of what happened.
    pub trace: &'a mut Trace,
    /// Signals of the circuits; only [`Engine::Rtl`] shows them.
    pub waveform: Option<&'a Waveform>,
    /// Called once when all is set up and every parameter that the run needs was read; an error ends the run.
    pub set_up: &'a dyn Fn() -> Result<()>,
    /// Called now and then with the cycle reached.
    pub progress: &'a dyn Fn(Cycles),
}

impl<'a> Reports<'a> {
    /// A trace and nothing else.
    pub fn trace(trace: &'a mut Trace) -> Self {
        Reports { trace, waveform: None, set_up: &|| Ok(()), progress: &|_| {} }
    }

    /// All is set up: the first cycle comes.
    fn begin(&self) -> Result<()> {
        (self.set_up)()?;
        self.waveform.map_or(Ok(()), Waveform::begin)
    }
}

/// Steps of a run between two calls of `progress`: some ten milliseconds of a circuit.
const STEPS_BETWEEN_REPORTS: u32 = 1024;

/// Tells how far a run is, at little cost.
struct Steps<'a> {
    progress: &'a dyn Fn(Cycles),
    count: u32,
}

impl<'a> Steps<'a> {
    fn new(progress: &'a dyn Fn(Cycles)) -> Self {
        Steps { progress, count: 0 }
    }

    /// A step that ends before cycle `now`.
    fn step(&mut self, now: Cycles) {
        self.count += 1;
        if self.count == STEPS_BETWEEN_REPORTS {
            self.count = 0;
            (self.progress)(now);
        }
    }
}

/// Which form of a scheme a bench runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Engine {
    /// The circuits, as machine code.
    Rtl,
    /// The circuits in the simulation of `rust-hdl`: slow, the reference for the others.
    RustHdl,
    /// The integer models.
    Model,
}

/// The seed of a reaction point among the values of its ports; 1 where it has no random source.
fn seed_in(ports: &BTreeMap<String, u64>) -> u16 {
    ports.get("seed").map_or(1, |&seed| seed as u16)
}
