//! Progress of long work: a bar on a terminal; otherwise one line, if the work takes long.

use super::QUIET;
use anyhow::Result;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// After this time the line is written, if there is no bar.
const LONG: Duration = Duration::from_secs(5);

/// Work with a known or growing amount to do.
pub struct Progress {
    bar: ProgressBar,
    unit: &'static str,
    started: Instant,
    /// Whether the line about long work is still to be written.
    silent: AtomicBool,
}

impl Progress {
    /// Before the work.
    pub fn new(unit: &'static str) -> Progress {
        let quiet = QUIET.load(Ordering::Relaxed);
        let target = if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let bar = ProgressBar::with_draw_target(None, target);
        let template = format!("{{bar:30}} {{human_pos}}/{{human_len}} {unit}, {{elapsed}}, {{eta}} to go");
        bar.set_style(ProgressStyle::with_template(&template).expect("a valid template"));
        let silent = AtomicBool::new(!quiet && !std::io::stderr().is_terminal());
        Progress { bar, unit, started: Instant::now(), silent }
    }

    /// Reports the finished amount, and the total if it is known.
    pub fn set(&self, done: u64, all: Option<u64>) {
        if let Some(all) = all {
            self.bar.set_length(all);
        }
        self.bar.set_position(done);
        let elapsed = self.started.elapsed();
        if elapsed > LONG && done > 0 && self.silent.swap(false, Ordering::Relaxed) {
            let unit = self.unit;
            match all {
                Some(all) => {
                    let left = elapsed.mul_f64((all.saturating_sub(done)) as f64 / done as f64);
                    eprintln!("tidegate: {done} of {all} {unit} done, about {} to go", duration(left));
                }
                None => eprintln!("tidegate: {done} {unit} done so far"),
            }
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// A span of time in its largest unit.
pub fn duration(span: Duration) -> String {
    let seconds = span.as_secs_f64();
    let units = [("years", 31_557_600.0), ("days", 86_400.0), ("h", 3_600.0), ("min", 60.0)];
    let largest = units.iter().find(|(_, length)| seconds >= 2.0 * length);
    match largest {
        Some((unit, length)) => format!("{:.0} {unit}", seconds / length),
        None => format!("{seconds:.0} s"),
    }
}

/// Work that reports how many of its units are finished.
pub fn with_bar<T>(unit: &'static str, work: impl FnOnce(&(dyn Fn(usize, usize) + Sync)) -> Result<T>) -> Result<T> {
    let progress = Progress::new(unit);
    work(&|finished, all| progress.set(finished as u64, Some(all as u64)))
}
