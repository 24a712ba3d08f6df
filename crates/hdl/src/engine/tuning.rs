// SPDX-License-Identifier: MIT OR Apache-2.0
//! A program that runs long is compiled a second time, so that what rests can sleep.
//!
//! All simulations of a program count their steps together. When there are enough, some windows of steps are watched, spread over a
//! longer time: in them, all operations are computed here as well, and it is counted how often each changes. Then the circuit is
//! cut into regions, and each simulation goes over to their code.

use super::activity::{Activity, values};
use super::code::{Code, Layout, compile};
use super::flatten::Flat;
use super::{Optimisations, deep, regions};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

/// Steps between two windows, and of a window.
const APART: u32 = 4096;
const WINDOW: u32 = 128;
/// Steps that are watched.
const WATCHED: u32 = 2000;

/// More steps than a simulation makes.
const NEVER: u64 = u64::MAX;

/// What the simulations of a program find out together.
pub struct Tuning {
    flat: Flat,
    optimisations: Optimisations,
    steps: AtomicU64,
    simulations: AtomicU64,
    activity: Mutex<Activity>,
    /// Nothing if all is better computed in every cycle.
    code: OnceLock<Option<Arc<Code>>>,
}

impl Tuning {
    pub fn new(flat: Flat, optimisations: Optimisations) -> Self {
        let [steps, simulations] = [0, 0].map(AtomicU64::new);
        Tuning { flat, optimisations, steps, simulations, activity: Mutex::default(), code: OnceLock::new() }
    }

    /// The circuit.
    pub fn flat(&self) -> &Flat {
        &self.flat
    }

    /// The code whose regions sleep, if it is there.
    pub fn code(&self) -> Option<Arc<Code>> {
        self.code.get()?.clone()
    }

    /// Steps between two windows: fewer where sleep comes early.
    fn apart(&self) -> u32 {
        self.optimisations.sleep_after.map_or(u32::MAX, |after| after.clamp(2, u64::from(APART)) as u32)
    }

    fn window(&self) -> u32 {
        WINDOW.min(self.apart() / 2 + 1)
    }
}

/// The part of a simulation in it.
#[derive(Clone)]
pub struct Tuner {
    /// Steps until there is something to do; [`NEVER`] where nothing is left to do.
    left: u64,
    /// Steps that are counted then.
    counted: u32,
    /// Steps of a window that are still to be watched, and all values in the last one.
    window: u32,
    before: Vec<u64>,
}

impl Tuner {
    pub fn new(tuning: &Tuning) -> Self {
        // Many short simulations are watched at different times.
        let number = tuning.simulations.fetch_add(1, Ordering::Relaxed);
        let first = 1 + (number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as u32 % tuning.apart();
        let sleeps_later = tuning.optimisations.sleep_after.is_some() && tuning.code.get().is_none();
        let left = if sleeps_later { first.into() } else { NEVER };
        Tuner { left, counted: first, window: 0, before: Vec::new() }
    }

    /// Counts a step; whether there is something to do.
    #[inline]
    pub fn is_due(&mut self) -> bool {
        let due = self.left == 0;
        if !due {
            self.left -= 1;
        }
        due
    }

    /// Watches a step that is about to be made, or waits for more. Returns code that the simulation goes over to.
    #[cold]
    pub fn due(&mut self, tuning: &Tuning, layout: &Layout, words: &[u64], registers: &[u64]) -> Option<Arc<Code>> {
        let after = tuning.optimisations.sleep_after?;
        if let Some(code) = tuning.code.get() {
            self.left = NEVER;
            return code.clone();
        }
        if self.window == 0 {
            let steps = tuning.steps.fetch_add(u64::from(self.counted), Ordering::Relaxed) + u64::from(self.counted);
            self.counted = tuning.apart();
            if steps < after {
                self.left = u64::from(self.counted) - 1;
                return None;
            }
            self.window = tuning.window();
            self.before.clear();
        }
        // A step of a window.
        let now = values(&tuning.flat, layout, words, registers);
        let mut activity = tuning.activity.lock().expect("nobody panics with it");
        if !self.before.is_empty() {
            activity.see(&self.before, &now);
        }
        self.before = now;
        self.window -= 1;
        self.left = if self.window == 0 { u64::from(self.counted) - 1 } else { 0 };
        if activity.cycles() < WATCHED.min(16 * (tuning.window() - 1)) {
            return None;
        }
        if tuning.code.get().is_none() {
            let regions = regions::by_activity(&tuning.flat, &activity);
            let code = regions.may_sleep().then(|| {
                let code = deep(|| compile(&tuning.flat, &regions, tuning.optimisations).map_err(super::Error));
                Arc::new(code.expect("it was compiled as one region"))
            });
            let _ = tuning.code.set(code);
        }
        self.left = NEVER;
        tuning.code()
    }
}
