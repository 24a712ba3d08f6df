// SPDX-License-Identifier: MIT OR Apache-2.0
//! Progress of long work: a bar on a terminal; elsewhere a line on stderr after five seconds, and then each minute.

use super::QUIET;
use anyhow::Result;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{IsTerminal, Write};
use std::sync::atomic::Ordering;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// The first line is due after this time: shorter work needs none.
const FIRST: Duration = Duration::from_secs(5);
/// The others are due at multiples of this time.
const EVERY: Duration = Duration::from_secs(60);
/// The clock of a bar goes on in these steps, also while the work reports nothing.
const TICK: Duration = Duration::from_secs(1);

/// Work with a known or growing amount to do.
pub struct Progress {
    bar: ProgressBar,
    unit: &'static str,
    count: Arc<Mutex<Count>>,
    lines: Option<Lines>,
}

/// How much is done, out of how much if that is known.
#[derive(Clone, Copy, Default)]
struct Count {
    done: u64,
    all: Option<u64>,
}

impl Progress {
    /// Before the work; `unit` is what is counted, as in `3 of 10 runs`.
    pub fn new(unit: &'static str) -> Progress {
        let (quiet, terminal) = (QUIET.load(Ordering::Relaxed), std::io::stderr().is_terminal());
        let target = if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let bar = ProgressBar::with_draw_target(None, target);
        bar.set_style(style(&format!("{{human_pos}} {unit}, {{elapsed}}")));
        if terminal && !quiet {
            bar.enable_steady_tick(TICK);
        }
        let count = Arc::<Mutex<Count>>::default();
        let lines = (!quiet && !terminal).then(|| Lines::write(unit, count.clone()));
        Progress { bar, unit, count, lines }
    }

    /// Reports the finished amount, and the total if it is known.
    pub fn set(&self, done: u64, all: Option<u64>) {
        if let Some(all) = all {
            if self.bar.length().is_none() {
                let unit = self.unit;
                self.bar.set_style(style(&format!(
                    "{{bar:30}} {{human_pos}}/{{human_len}} {unit}, {{elapsed}}, {{eta}} left"
                )));
            }
            self.bar.set_length(all);
        }
        self.bar.set_position(done);
        let mut count = self.count.lock().unwrap_or_else(PoisonError::into_inner);
        // Threads may report in another order than they have counted.
        if done >= count.done {
            *count = Count { done, all };
        }
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).expect("a valid template")
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
        if let Some(Lines { end, thread }) = self.lines.take() {
            drop(end);
            let _ = thread.join();
        }
    }
}

/// Writes the lines. It has a thread of its own, because work may report nothing for minutes.
struct Lines {
    /// Dropped at the end of the work.
    end: Sender<()>,
    thread: JoinHandle<()>,
}

impl Lines {
    fn write(unit: &'static str, count: Arc<Mutex<Count>>) -> Lines {
        let (end, ended) = channel();
        let started = Instant::now();
        let mut due = Due::default();
        let thread = std::thread::spawn(move || {
            while ended.recv_timeout(due.wait(started.elapsed())) == Err(RecvTimeoutError::Timeout) {
                let elapsed = started.elapsed();
                if due.is_now(elapsed) {
                    let count = *count.lock().unwrap_or_else(PoisonError::into_inner);
                    // Nobody may read stderr any more; the work goes on.
                    let _ = writeln!(std::io::stderr(), "tidegate: {}", line(unit, count, elapsed));
                }
            }
        });
        Lines { end, thread }
    }
}

/// When the next line is due, from the start of the work.
struct Due(Duration);

impl Default for Due {
    fn default() -> Due {
        Due(FIRST)
    }
}

impl Due {
    /// How long to wait for the next line.
    fn wait(&self, elapsed: Duration) -> Duration {
        self.0.saturating_sub(elapsed)
    }

    /// Whether a line is due. Lines that were missed, because the machine was asleep, are not made up for.
    fn is_now(&mut self, elapsed: Duration) -> bool {
        let due = elapsed >= self.0;
        if due {
            self.0 = Duration::from_secs((elapsed.as_secs() / EVERY.as_secs() + 1) * EVERY.as_secs());
        }
        due
    }
}

/// What a line says: the time left is in proportion to what is done.
fn line(unit: &str, Count { done, all }: Count, elapsed: Duration) -> String {
    let after = duration(elapsed);
    match all {
        Some(all) if done > 0 => {
            let left = elapsed.mul_f64(all.saturating_sub(done) as f64 / done as f64);
            format!("{done} of {all} {unit} done after {after}, about {} left", duration(left))
        }
        Some(all) => format!("0 of {all} {unit} done after {after}"),
        None if done > 0 => format!("{done} {unit} done after {after}"),
        None => format!("{unit}: at work for {after}"),
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The seconds at which lines are written, if time passes in steps of `step` seconds.
    fn written(until: u64, step: usize) -> Vec<u64> {
        let mut due = Due::default();
        (0..=until).step_by(step).filter(|&second| due.is_now(Duration::from_secs(second))).collect()
    }

    #[test]
    fn a_line_is_due_after_five_seconds_and_then_each_minute() {
        assert!(written(4, 1).is_empty());
        assert_eq!(written(200, 1), [5, 60, 120, 180]);
        assert_eq!(written(400, 100), [100, 200, 300, 400], "one line after a long sleep");
        let mut due = Due::default();
        assert_eq!(due.wait(Duration::from_secs(2)), Duration::from_secs(3));
        assert!(due.is_now(Duration::from_secs(5)));
        assert_eq!(due.wait(Duration::from_secs(6)), Duration::from_secs(54));
        assert_eq!(due.wait(Duration::from_secs(70)), Duration::ZERO);
    }

    #[test]
    fn a_line_says_what_is_done_and_how_long_the_rest_takes() {
        let after = |seconds, done, all| line("runs", Count { done, all }, Duration::from_secs(seconds));
        assert_eq!(after(60, 10, Some(70)), "10 of 70 runs done after 60 s, about 6 min left");
        assert_eq!(after(60, 70, Some(70)), "70 of 70 runs done after 60 s, about 0 s left");
        assert_eq!(after(7200, 1, Some(49)), "1 of 49 runs done after 2 h, about 4 days left");
        assert_eq!(after(5, 0, Some(70)), "0 of 70 runs done after 5 s");
        assert_eq!(after(180, 12, None), "12 runs done after 3 min");
        assert_eq!(after(5, 0, None), "runs: at work for 5 s");
    }

    #[test]
    fn the_greatest_count_stays_whatever_the_order_of_the_reports() {
        let progress = Progress::new("runs");
        for done in [1, 3, 2] {
            progress.set(done, Some(9));
        }
        assert_eq!(progress.count.lock().unwrap().done, 3);
    }
}
