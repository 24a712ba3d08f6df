// SPDX-License-Identifier: MIT OR Apache-2.0
//! Schemes side by side in the dumbbell: runs of the integer models, their figures of merit, their pictures.

use super::area::Cells;
use crate::number::grouped;
use crate::plot::{Picture, Series, TimeSeries, time_series};
use crate::steps::StepFunction;
use anyhow::{Result, anyhow};
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};
use tidegate_core::units::Cycles;
use tidegate_lab::bench::dumbbell::{self, HEADER, Observation, Summary};
use tidegate_lab::bench::trace::Trace;
use tidegate_lab::bench::{Engine, Reports};
use tidegate_lab::experiment::fairness::jain_index;
use tidegate_lab::experiment::metric::KB;
use tidegate_lab::measure::Variant;
use tidegate_schemes::registry;
use tidegate_schemes::scheme::parameters::Parameters;

/// Number of seeds: that of the settings, and those that follow.
const SEEDS: u64 = 10;

/// A flow that gets less than this share of an even share, in percent, is starved.
pub(crate) const STARVED_PERCENT: f64 = 10.0;

/// A scheme in the dumbbell, once for each seed. What is shown of one seed is that of the median seed: the middle one by
/// Jain's index, of two in the middle the lower one, of equal ones the first.
pub struct Run {
    /// The scheme and its profile.
    pub variant: Variant,
    /// All parameters of the median seed.
    pub parameters: Parameters,
    /// The settings of the median seed, for the command that repeats its run.
    pub settings: Vec<(String, String)>,
    /// Length of a run.
    pub cycles: Cycles,
    /// Of every seed, in the order of the seeds.
    seeds: Vec<SeedRun>,
    /// Places in `seeds`, by Jain's index from the lowest on.
    by_fairness: Vec<usize>,
}

/// The run with one seed.
struct SeedRun {
    seed: u64,
    summary: Summary,
    merit: Merit,
}

/// Figures of merit: of the last second, or of the second half of a shorter run, unless stated otherwise.
pub(crate) struct Merit {
    window_seconds: f64,
    /// Mean length of the queue in KB.
    pub queue_mean: f64,
    /// Standard deviation over time of the length of the queue in KB.
    pub queue_deviation: f64,
    empty: f64,
    rates: Vec<f64>,
    /// Of the whole run.
    utilisation: f64,
    /// Packets dropped in the whole run.
    pub dropped: f64,
}

/// A figure of merit over the seeds.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct OverSeeds {
    /// The middle one; of two in the middle the lower one.
    pub median: f64,
    /// The least.
    pub least: f64,
    /// The largest.
    pub most: f64,
}

/// What the flows that got little got.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Starved {
    /// Seeds in which a flow got less than [`STARVED_PERCENT`] of an even share.
    pub seeds: usize,
    /// All seeds.
    pub of: usize,
    /// The lowest mean rate of a flow in Mb/s.
    pub lowest: f64,
    /// The seed with it.
    pub seed: u64,
}

/// Cycles in a time in ms.
fn milliseconds(parameters: &Parameters, count: u64) -> Cycles {
    (parameters.decimal("clock_mhz").0 * count / 1000).max(1)
}

impl Run {
    /// Runs the dumbbell with the model of a scheme, with a sample of queue and rates every millisecond; once for each
    /// seed. `progress` is called with the cycles done in all of them, of [`Run::work`].
    ///
    /// # Errors
    /// An unknown scheme or a wrong setting.
    pub fn new(
        variant: &Variant,
        settings: Vec<(String, String)>,
        cycles: Cycles,
        progress: &(dyn Fn(Cycles) + Sync),
    ) -> Result<Run> {
        let scheme = registry::find(&variant.scheme).map_err(|reason| anyhow!(reason))?;
        let with_seed = |seed: u64| {
            let mut settings = settings.clone();
            settings.retain(|(key, _)| key.rsplit('.').next() != Some("seed"));
            settings.push(("seed".to_string(), seed.to_string()));
            settings
        };
        let all: Vec<(u64, AtomicU64)> =
            seeds(&scheme.parameters(&settings)?).map(|seed| (seed, AtomicU64::new(0))).collect();
        let one = |(seed, reached): &(u64, AtomicU64)| -> Result<SeedRun> {
            let parameters = scheme.parameters(&with_seed(*seed))?;
            let observation = Observation::every(milliseconds(&parameters, 1), cycles, &parameters);
            let trace = &mut Trace::create(None, HEADER)?;
            let report = |at: Cycles| {
                reached.store(at, Ordering::Relaxed);
                progress(all.iter().map(|(_, reached)| reached.load(Ordering::Relaxed)).sum());
            };
            let reports = Reports { progress: &report, ..Reports::trace(trace) };
            let summary = dumbbell::run(scheme, &parameters, Engine::Model, cycles, observation, reports)?;
            report(cycles);
            Ok(SeedRun { seed: *seed, merit: Merit::of(&summary, &parameters, cycles)?, summary })
        };
        let seeds: Vec<SeedRun> = all.par_iter().map(one).collect::<Result<_>>()?;
        let by_fairness = by_fairness(&seeds.iter().map(|run| run.merit.fairness()).collect::<Vec<_>>());
        let settings = with_seed(seeds[middle(&by_fairness)].seed);
        let parameters = scheme.parameters(&settings)?;
        Ok(Run { variant: variant.clone(), parameters, settings, cycles, seeds, by_fairness })
    }

    /// The cycles of all its seeds.
    pub fn work(cycles: Cycles) -> Cycles {
        SEEDS * cycles
    }

    /// `qcn paper`.
    pub(crate) fn name(&self) -> String {
        format!("{} {}", self.variant.scheme, self.variant.profile)
    }

    /// The run that is shown.
    fn median(&self) -> &SeedRun {
        &self.seeds[middle(&self.by_fairness)]
    }

    /// The seed that is shown.
    pub(crate) fn median_seed(&self) -> u64 {
        self.median().seed
    }

    /// `seed 4 of 1 to 10, the median by Jain's index`.
    pub(crate) fn seed_text(&self) -> String {
        format!("seed {} of {}, the median by Jain's index", self.median().seed, seeds_text(self))
    }

    /// The target queue length in KB.
    pub(crate) fn target(&self) -> f64 {
        self.parameters.integer("q0_bytes") as f64 / KB
    }

    /// What each flow gets if all get the same, in Mb/s.
    pub(crate) fn even_share(&self) -> f64 {
        let clock = self.parameters.decimal("clock_mhz");
        self.parameters.bottleneck().to_mbps(clock).to_f64() / self.median().merit.rates.len() as f64
    }

    /// What each flow got, in percent of an even share: for each seed, by Jain's index from the lowest on; and the place
    /// of the median seed.
    pub(crate) fn shares(&self) -> (Vec<Vec<f64>>, usize) {
        let share = |rate: &f64| 100.0 * rate / self.even_share();
        let of = |&place: &usize| self.seeds[place].merit.rates.iter().map(share).collect();
        (self.by_fairness.iter().map(of).collect(), middle_place(self.by_fairness.len()))
    }

    /// Flows that got little.
    pub(crate) fn starved(&self) -> Starved {
        let lowest = |run: &SeedRun| run.merit.lowest_rate();
        let bound = STARVED_PERCENT / 100.0 * self.even_share();
        // There is a seed, and of equal ones the first is named.
        let worst = self.seeds.iter().min_by(|one, other| lowest(one).total_cmp(&lowest(other))).expect("a seed");
        Starved {
            seeds: self.seeds.iter().filter(|run| lowest(run) < bound).count(),
            of: self.seeds.len(),
            lowest: lowest(worst),
            seed: worst.seed,
        }
    }

    /// A number of cycles in seconds.
    pub(super) fn seconds(&self, at: Cycles) -> f64 {
        at as f64 / (self.parameters.decimal("clock_mhz").to_f64() * 1e6)
    }

    /// Queue length of the median seed: points (s, KB).
    pub(crate) fn queue(&self) -> Vec<(f64, f64)> {
        self.median().summary.queue.iter().map(|&(at, bytes)| (self.seconds(at), f64::from(bytes) / KB)).collect()
    }

    /// The least and the largest queue length of all seeds at each sampling time: points (s, KB, KB).
    pub(crate) fn queue_band(&self) -> Vec<(f64, f64, f64)> {
        let at = |place: usize| self.seeds.iter().map(move |run| f64::from(run.summary.queue[place].1) / KB);
        self.band(&at)
    }

    /// The least and the largest of some values of all seeds at each sampling time.
    fn band<I: Iterator<Item = f64>>(&self, values: &dyn Fn(usize) -> I) -> Vec<(f64, f64, f64)> {
        let times = self.median().summary.queue.iter().map(|&(at, _)| self.seconds(at));
        let point = |(place, time)| {
            let ends = (f64::INFINITY, f64::NEG_INFINITY);
            let (low, high) = values(place).fold(ends, |(low, high), value| (low.min(value), high.max(value)));
            (time, low, high)
        };
        times.enumerate().map(point).collect()
    }

    /// Queue length over time, with the target and the range over the seeds.
    ///
    /// # Errors
    /// See [`time_series`].
    pub(crate) fn queue_picture(&self) -> Result<Picture> {
        let chart = TimeSeries::new(format!("{}: queue length", self.name()), "time (s)", "queue length (KB)")
            .band("all seeds", self.queue_band())
            .series(Series::new(format!("queue, seed {}", self.median().seed), self.queue()).steps())
            .reference(self.target(), format!("q0 = {} KB", grouped(self.target(), 1)));
        time_series(&chart)
    }

    /// Rate of each flow over time, with the range over the flows of all seeds.
    ///
    /// # Errors
    /// See [`time_series`].
    pub(crate) fn rate_picture(&self) -> Result<Picture> {
        let clock = self.parameters.decimal("clock_mhz");
        let shown = self.median();
        let mut chart = TimeSeries::new(format!("{}: rate of each flow", self.name()), "time (s)", "rate (Mb/s)");
        for flow in 0..shown.merit.rates.len() {
            let times = shown.summary.queue.iter().map(|&(at, _)| self.seconds(at));
            let rates = shown.summary.rates.iter().map(|rates| rates[flow].to_mbps(clock).to_f64());
            let name = format!("flow {}, seed {}", flow + 1, shown.seed);
            chart = chart.series(Series::new(name, times.zip(rates).collect()).steps());
        }
        let at = |place: usize| {
            let rates = self.seeds.iter().flat_map(move |run| &run.summary.rates[place]);
            rates.map(move |rate| rate.to_mbps(clock).to_f64())
        };
        let share = self.even_share();
        let chart = chart.band("all flows of all seeds", self.band(&at));
        time_series(&chart.reference(share, format!("even: {} Mb/s", grouped(share, 0))))
    }

    /// A figure over the seeds.
    pub(crate) fn over_seeds(&self, figure: &dyn Fn(&Merit) -> f64) -> OverSeeds {
        let mut values: Vec<f64> = self.seeds.iter().map(|run| figure(&run.merit)).collect();
        values.sort_by(f64::total_cmp);
        OverSeeds { median: values[middle_place(values.len())], least: values[0], most: values[values.len() - 1] }
    }

    /// The result of the median seed, in a sentence.
    pub(crate) fn sentence(&self) -> String {
        let SeedRun { merit, summary, .. } = self.median();
        let rates: Vec<String> = merit.rates.iter().map(|rate| grouped(*rate, 0)).collect();
        format!(
            "{}, {}: over the last {} s the queue averaged {} KB against a target of {} KB, with a standard deviation over \
             time of {} KB, and was empty for {} % of the time; the flows were given {} Mb/s (Jain's index {}); {} packets \
             of {} were dropped in the whole run.",
            self.name(),
            self.seed_text(),
            grouped(merit.window_seconds, 3).trim_end_matches('0').trim_end_matches('.'),
            grouped(merit.queue_mean, 1),
            grouped(self.target(), 1),
            grouped(merit.queue_deviation, 1),
            grouped(100.0 * merit.empty, 1),
            rates.join(", "),
            grouped(merit.fairness(), 3),
            grouped(summary.dropped as f64, 0),
            grouped((summary.dropped + summary.enqueued) as f64, 0),
        )
    }

    /// The command that repeats the run of the median seed.
    pub fn command(&self) -> String {
        let mut command =
            format!("tidegate sim dumbbell --scheme {} --cycles {} --engine model", self.variant.scheme, self.cycles);
        for (key, value) in &self.settings {
            command += &format!(" --set {key}={value}");
        }
        command
    }
}

/// The place of the middle one of some values in their order; of two in the middle the lower one.
fn middle_place(values: usize) -> usize {
    (values - 1) / 2
}

/// The one in the middle.
fn middle(order: &[usize]) -> usize {
    order[middle_place(order.len())]
}

/// Places of the values, from the lowest on; equal ones in their order.
fn by_fairness(values: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|one, other| values[*one].total_cmp(&values[*other]));
    order
}

/// The seeds of the spread; after the largest seed comes the first.
fn seeds(parameters: &Parameters) -> impl Iterator<Item = u64> {
    let first = parameters.integer("seed");
    (0..SEEDS).map(move |index| (first - 1 + index) % 65535 + 1)
}

/// `1 to 10`.
pub(crate) fn seeds_text(run: &Run) -> String {
    format!("{} to {}", run.seeds[0].seed, run.seeds[run.seeds.len() - 1].seed)
}

impl Merit {
    /// Jain's index of the mean rates.
    pub(crate) fn fairness(&self) -> f64 {
        jain_index(&self.rates)
    }

    /// The lowest mean rate of a flow in Mb/s.
    fn lowest_rate(&self) -> f64 {
        self.rates.iter().copied().fold(f64::INFINITY, f64::min)
    }

    fn of(summary: &Summary, parameters: &Parameters, cycles: Cycles) -> Result<Merit> {
        let clock = parameters.decimal("clock_mhz");
        let window = milliseconds(parameters, 1000).min(cycles.div_ceil(2));
        let start = cycles - window;
        let over = |samples: &[(Cycles, f64)]| -> Result<(f64, f64, f64)> {
            // The window begins with a sample, so that earlier values do not count.
            let first = samples.iter().map(|sample| sample.0).find(|&at| at >= start).unwrap_or(samples[0].0);
            let value = StepFunction::new(samples, cycles)?.starting_at(first)?;
            let empty = value.fraction_of_time(|value| value == 0.0);
            Ok((value.time_weighted_mean(), value.time_weighted_deviation(), empty))
        };
        let queue: Vec<_> = summary.queue.iter().map(|&(at, bytes)| (at, f64::from(bytes) / KB)).collect();
        let (queue_mean, queue_deviation, empty) = over(&queue)?;
        let flows = parameters.sources() as usize;
        let mut rates = Vec::with_capacity(flows);
        for flow in 0..flows {
            let samples = summary.queue.iter().zip(&summary.rates);
            let rate: Vec<_> = samples.map(|(&(at, _), rates)| (at, rates[flow].to_mbps(clock).to_f64())).collect();
            rates.push(over(&rate)?.0);
        }
        let on_the_link = summary.bytes_out + summary.dequeued * u64::from(parameters.overhead());
        let bits_of_the_link = cycles as f64 * parameters.bottleneck().to_mbps(clock).to_f64() / clock.to_f64();
        Ok(Merit {
            window_seconds: window as f64 / (clock.to_f64() * 1e6),
            queue_mean,
            queue_deviation,
            empty,
            rates,
            utilisation: 8.0 * on_the_link as f64 / bits_of_the_link,
            dropped: summary.dropped as f64,
        })
    }
}

/// The figures of merit of the median seed of every run.
pub(crate) fn merits(runs: &[Run]) -> Cells {
    let mut headers = vec!["".to_string()];
    headers.extend(runs.iter().map(|run| format!("{}, seed {}", run.name(), run.median().seed)));
    type Show<'a> = Box<dyn Fn(&Run) -> String + 'a>;
    let percent = |share: f64, decimals| format!("{} %", grouped(100.0 * share, decimals));
    let mut lines: Vec<(String, Show)> = vec![
        ("mean queue, KB".into(), Box::new(|run| grouped(run.median().merit.queue_mean, 1))),
        ("target q0, KB".into(), Box::new(|run| grouped(run.target(), 1))),
        (
            "standard deviation of the queue over time, KB".into(),
            Box::new(|run| grouped(run.median().merit.queue_deviation, 1)),
        ),
        ("queue empty, share of the time".into(), Box::new(move |run| percent(run.median().merit.empty, 1))),
    ];
    let flows = runs.iter().map(|run| run.median().merit.rates.len()).max().unwrap_or(0);
    for flow in 0..flows {
        let show = move |run: &Run| run.median().merit.rates.get(flow).map_or("–".into(), |rate| grouped(*rate, 1));
        lines.push((format!("mean rate of flow {}, Mb/s", flow + 1), Box::new(show)));
    }
    lines.push(("Jain's index of these rates".into(), Box::new(|run| grouped(run.median().merit.fairness(), 3))));
    lines.push(("link used, whole run".into(), Box::new(move |run| percent(run.median().merit.utilisation, 2))));
    type Count = (&'static str, fn(&Summary) -> u64);
    let counts: [Count; 4] = [
        ("packets through, whole run", |summary| summary.dequeued),
        ("packets dropped, whole run", |summary| summary.dropped),
        ("samples, whole run", |summary| summary.samples),
        ("feedback frames, whole run", |summary| summary.feedback_sent),
    ];
    for (title, count) in counts {
        lines.push((title.into(), Box::new(move |run| grouped(count(&run.median().summary) as f64, 0))));
    }
    let rows = lines.iter().map(|(title, show)| std::iter::once(title.clone()).chain(runs.iter().map(show)).collect());
    Cells { rows: rows.collect(), right_aligned: (1..headers.len()).collect(), headers }
}

/// Every parameter of every run.
pub(crate) fn parameters(runs: &[Run]) -> Cells {
    let mut headers = vec!["parameter".to_string()];
    headers.extend(runs.iter().map(Run::name));
    let mut keys: Vec<&str> = Vec::new();
    for (key, _) in runs.iter().flat_map(|run| run.parameters.iter()) {
        if !keys.contains(&key) {
            keys.push(key);
        }
    }
    keys.sort_unstable();
    let value = |run: &Run, key: &str| {
        run.parameters.iter().find(|(name, _)| *name == key).map_or("–".to_string(), |(_, value)| value.to_string())
    };
    let rows =
        keys.iter().map(|key| std::iter::once(key.to_string()).chain(runs.iter().map(|run| value(run, key))).collect());
    Cells { rows: rows.collect(), right_aligned: (1..headers.len()).collect(), headers }
}

/// The figures of merit over the seeds: median (least to largest).
pub fn spread(runs: &[Run]) -> Cells {
    let mut headers = vec!["".to_string()];
    headers.extend(runs.iter().map(Run::name));
    type Figure = (&'static str, usize, fn(&Merit) -> f64);
    let figures: [Figure; 6] = [
        ("mean queue, KB", 1, |merit| merit.queue_mean),
        ("standard deviation of the queue over time, KB", 1, |merit| merit.queue_deviation),
        ("queue empty, % of the time", 1, |merit| 100.0 * merit.empty),
        ("Jain's index", 3, Merit::fairness),
        ("lowest mean rate of a flow, Mb/s", 1, Merit::lowest_rate),
        ("packets dropped, whole run", 0, |merit| merit.dropped),
    ];
    let row = |&(title, decimals, figure): &Figure| {
        let cells = runs.iter().map(|run| run.over_seeds(&figure).text(decimals));
        std::iter::once(title.to_string()).chain(cells).collect()
    };
    Cells { rows: figures.iter().map(row).collect(), right_aligned: (1..headers.len()).collect(), headers }
}

impl OverSeeds {
    /// `4.1 (3.9 to 4.4)`.
    pub(crate) fn text(&self, decimals: usize) -> String {
        let [median, least, most] = [self.median, self.least, self.most].map(|value| grouped(value, decimals));
        format!("{median} ({least} to {most})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(scheme: &str) -> Run {
        let variant = Variant { scheme: scheme.to_string(), profile: "paper".to_string() };
        Run::new(&variant, vec![("profile".into(), "paper".into())], 2_500_000, &|_| ()).unwrap()
    }

    #[test]
    fn figures_of_merit_are_those_of_the_samples_in_the_window() {
        let run = run("qcn");
        let SeedRun { summary, merit, .. } = run.median();
        // 20 ms: a sample each ms, the window is the second half.
        assert_eq!(summary.queue.len(), 20);
        let samples = &summary.queue[10..];
        assert_eq!(samples[0].0, 1_250_000);
        let mean = samples.iter().map(|&(_, bytes)| f64::from(bytes) / KB).sum::<f64>() / 10.0;
        assert!((merit.queue_mean - mean).abs() < 1e-9, "{} {mean}", merit.queue_mean);
        assert!(merit.utilisation > 0.9 && merit.utilisation <= 1.0, "{}", merit.utilisation);
        assert_eq!(merit.rates.len(), 3);
    }

    #[test]
    fn tables_and_sentences_name_every_run_and_every_parameter() {
        let runs = [run("qcn"), run("smcc")];
        let merits = merits(&runs);
        let seeds = runs.each_ref().map(|run| run.median().seed);
        let headers = [format!("qcn paper, seed {}", seeds[0]), format!("smcc paper, seed {}", seeds[1])];
        assert_eq!(merits.headers[1..], headers);
        assert!(merits.rows.iter().all(|row| row.len() == 3));
        let spread = spread(&runs);
        assert!(spread.rows.iter().all(|row| row.len() == 3 && row[1].contains(" to ")), "{:?}", spread.rows);
        let parameters = parameters(&runs);
        for key in ["seed", "q0_bytes", "byte_cycle_bytes", "ra_mbps", "packet_bytes"] {
            assert!(parameters.rows.iter().any(|row| row[0] == key), "{key}");
        }
        let command =
            "tidegate sim dumbbell --scheme smcc --cycles 2500000 --engine model --set profile=paper --set seed=";
        assert_eq!(runs[1].command(), format!("{command}{}", seeds[1]));
    }

    #[test]
    fn the_median_is_the_middle_one_and_of_equal_ones_the_first() {
        assert_eq!(by_fairness(&[0.9, 0.5, 0.9, 0.7]), [1, 3, 0, 2]);
        assert_eq!(middle(&by_fairness(&[0.9, 0.5, 0.9, 0.7])), 3, "of two in the middle the lower one");
        assert_eq!(middle(&by_fairness(&[1.0; 10])), 4);
        assert_eq!(middle(&by_fairness(&[0.3, 0.1, 0.2])), 2);
    }

    #[test]
    fn what_is_shown_is_the_median_seed_within_the_range_of_all() {
        let run = run("smcc");
        let mut indices: Vec<f64> = run.seeds.iter().map(|run| run.merit.fairness()).collect();
        indices.sort_by(f64::total_cmp);
        assert_eq!(run.median().merit.fairness(), indices[4]);
        assert_eq!(
            run.over_seeds(&Merit::fairness),
            OverSeeds { median: indices[4], least: indices[0], most: indices[9] }
        );
        assert_eq!(run.parameters.integer("seed"), run.median().seed);
        assert!(run.seed_text().contains(&format!("seed {} of 1 to 10", run.median().seed)), "{}", run.seed_text());
        let (shares, place) = run.shares();
        assert_eq!((shares.len(), place, shares[place].len()), (10, 4, 3));
        let (queue, band) = (run.queue(), run.queue_band());
        assert_eq!(queue.len(), band.len());
        let inside = |((time, length), (at, low, high)): (&(f64, f64), &(f64, f64, f64))| {
            time == at && low <= length && length <= high
        };
        assert!(queue.iter().zip(&band).all(inside));
        assert!(band.iter().any(|(_, low, high)| low < high), "seeds differ");
    }

    #[test]
    fn a_starved_flow_is_counted_in_each_seed() {
        let mut run = run("smcc");
        let share = run.even_share();
        for (place, lowest) in [(2, 0.099), (7, 0.05), (8, 0.101)] {
            run.seeds[place].merit.rates = vec![share * lowest, share, share];
        }
        for place in [0, 1, 3, 4, 5, 6, 9] {
            run.seeds[place].merit.rates = vec![share; 3];
        }
        assert_eq!(run.starved(), Starved { seeds: 2, of: 10, lowest: share * 0.05, seed: 8 });
    }
}
