//! Schemes side by side in the dumbbell: runs of the integer models, their figures of merit, their pictures.

use super::area::Cells;
use crate::bench::dumbbell::{self, HEADER, Observation, Summary};
use crate::bench::trace::Trace;
use crate::bench::{Engine, Reports};
use crate::experiment::fairness::jain_index;
use crate::experiment::metric::KB;
use crate::measure::Variant;
use crate::registry;
use crate::report::number::grouped;
use crate::report::plot::{Series, TimeSeries, time_series};
use crate::report::steps::StepFunction;
use crate::scheme::parameters::Parameters;
use crate::units::Cycles;
use anyhow::{Result, anyhow};

/// Seeds of the spread: that of the run, and those that follow.
const SEEDS: u64 = 10;

/// A run with the parameters that made it, and the same with other seeds.
pub struct Run {
    /// The scheme and its profile.
    pub variant: Variant,
    /// All its parameters.
    pub parameters: Parameters,
    /// The settings, for the command that repeats the run.
    pub settings: Vec<(String, String)>,
    /// Length of the run.
    pub cycles: Cycles,
    summary: Summary,
    merit: Merit,
    /// Of every seed, that of the run first.
    spread: Vec<Merit>,
}

/// Figures of merit: of the last second, or of the second half of a shorter run, unless stated otherwise.
#[derive(Clone)]
struct Merit {
    window_seconds: f64,
    queue_mean: f64,
    queue_deviation: f64,
    empty: f64,
    rates: Vec<f64>,
    /// Of the whole run.
    utilisation: f64,
    /// Of the whole run.
    dropped: f64,
}

/// Cycles in a time in ms.
fn milliseconds(parameters: &Parameters, count: u64) -> Cycles {
    (parameters.decimal("clock_mhz").0 * count / 1000).max(1)
}

impl Run {
    /// Runs the dumbbell with the model of a scheme, with a sample of queue and rates every millisecond; once for each
    /// seed.
    ///
    /// # Errors
    /// An unknown scheme or a wrong setting.
    pub fn new(
        variant: &Variant,
        settings: Vec<(String, String)>,
        cycles: Cycles,
        progress: &dyn Fn(Cycles),
    ) -> Result<Run> {
        let scheme = registry::find(&variant.scheme).map_err(|reason| anyhow!(reason))?;
        let one = |settings: &[(String, String)], progress: &dyn Fn(Cycles)| -> Result<(Parameters, Summary, Merit)> {
            let parameters = scheme.parameters(settings)?;
            let observation = Observation::every(milliseconds(&parameters, 1), cycles, &parameters);
            let trace = &mut Trace::create(None, HEADER)?;
            let reports = Reports { progress, ..Reports::trace(trace) };
            let summary = dumbbell::run(scheme, &parameters, Engine::Model, cycles, observation, reports)?;
            let merit = Merit::of(&summary, &parameters, cycles)?;
            Ok((parameters, summary, merit))
        };
        let (parameters, summary, merit) = one(&settings, progress)?;
        let mut spread = vec![merit.clone()];
        for seed in seeds(&parameters).skip(1) {
            let mut settings = settings.clone();
            settings.push(("seed".to_string(), seed.to_string()));
            spread.push(one(&settings, &|_| ())?.2);
        }
        Ok(Run { variant: variant.clone(), parameters, settings, cycles, summary, merit, spread })
    }

    /// `qcn paper`.
    pub fn name(&self) -> String {
        format!("{} {}", self.variant.scheme, self.variant.profile)
    }

    /// The target queue length in KB.
    fn target(&self) -> f64 {
        self.parameters.integer("q0_bytes") as f64 / KB
    }

    fn seconds(&self, at: Cycles) -> f64 {
        at as f64 / (self.parameters.decimal("clock_mhz").to_f64() * 1e6)
    }

    /// Queue length over time, with the target.
    ///
    /// # Errors
    /// See [`time_series`].
    pub fn queue_picture(&self) -> Result<String> {
        let points = self.summary.queue.iter().map(|&(at, bytes)| (self.seconds(at), f64::from(bytes) / KB)).collect();
        let chart = TimeSeries::new(format!("{}: queue length", self.name()), "time (s)", "queue length (KB)")
            .series(Series::new("queue", points).steps())
            .reference(self.target(), format!("q0 = {} KB", grouped(self.target(), 1)));
        time_series(&chart)
    }

    /// Rate of each flow over time.
    ///
    /// # Errors
    /// See [`time_series`].
    pub fn rate_picture(&self) -> Result<String> {
        let clock = self.parameters.decimal("clock_mhz");
        let mut chart = TimeSeries::new(format!("{}: rate of each flow", self.name()), "time (s)", "rate (Mb/s)");
        for flow in 0..self.merit.rates.len() {
            let times = self.summary.queue.iter().map(|&(at, _)| self.seconds(at));
            let rates = self.summary.rates.iter().map(|rates| rates[flow].to_mbps(clock).to_f64());
            chart = chart.series(Series::new(format!("flow {}", flow + 1), times.zip(rates).collect()).steps());
        }
        let share = self.parameters.bottleneck().to_mbps(clock).to_f64() / self.merit.rates.len() as f64;
        time_series(&chart.reference(share, format!("even share, {} Mb/s", grouped(share, 0))))
    }

    fn fairness(&self) -> f64 {
        self.merit.fairness()
    }

    /// Mean, least and most of a figure over the seeds.
    fn over_seeds(&self, figure: &dyn Fn(&Merit) -> f64) -> (f64, f64, f64) {
        let values: Vec<f64> = self.spread.iter().map(figure).collect();
        let least = values.iter().copied().fold(f64::INFINITY, f64::min);
        let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        (values.iter().sum::<f64>() / values.len() as f64, least, most)
    }

    /// The result, in a sentence.
    pub fn sentence(&self) -> String {
        let merit = &self.merit;
        let rates: Vec<String> = merit.rates.iter().map(|rate| grouped(*rate, 0)).collect();
        format!(
            "{}: over the last {} s the queue averaged {} KB against a target of {} KB, with a standard deviation of {} \
             KB, and was empty in {} % of the observations; the flows were given {} Mb/s (Jain's index {}); {} packets of {} \
             were dropped in the whole run.",
            self.name(),
            grouped(merit.window_seconds, 3).trim_end_matches('0').trim_end_matches('.'),
            grouped(merit.queue_mean, 1),
            grouped(self.target(), 1),
            grouped(merit.queue_deviation, 1),
            grouped(100.0 * merit.empty, 1),
            rates.join(", "),
            grouped(self.fairness(), 3),
            grouped(self.summary.dropped as f64, 0),
            grouped((self.summary.dropped + self.summary.enqueued) as f64, 0),
        )
    }

    /// The command that repeats the run.
    pub fn command(&self) -> String {
        let mut command =
            format!("tidegate sim dumbbell --scheme {} --cycles {} --engine model", self.variant.scheme, self.cycles);
        for (key, value) in &self.settings {
            command += &format!(" --set {key}={value}");
        }
        command
    }
}

/// The seeds of the spread; after the largest seed comes the first.
fn seeds(parameters: &Parameters) -> impl Iterator<Item = u64> {
    let first = parameters.integer("seed");
    (0..SEEDS).map(move |index| (first - 1 + index) % 65535 + 1)
}

/// `1 to 10`.
pub fn seeds_text(run: &Run) -> String {
    let all: Vec<u64> = seeds(&run.parameters).collect();
    format!("{} to {}", all[0], all[all.len() - 1])
}

impl Merit {
    fn fairness(&self) -> f64 {
        jain_index(&self.rates)
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
            let looks = summary.queue.iter().zip(&summary.rates);
            let rate: Vec<_> = looks.map(|(&(at, _), rates)| (at, rates[flow].to_mbps(clock).to_f64())).collect();
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

/// The figures of merit of every run.
pub fn merits(runs: &[Run]) -> Cells {
    let mut headers = vec!["".to_string()];
    headers.extend(runs.iter().map(Run::name));
    type Show<'a> = Box<dyn Fn(&Run) -> String + 'a>;
    let mut lines: Vec<(String, Show)> = vec![
        ("mean queue, KB".into(), Box::new(|run| grouped(run.merit.queue_mean, 1))),
        ("target q0, KB".into(), Box::new(|run| grouped(run.target(), 1))),
        ("standard deviation of the queue, KB".into(), Box::new(|run| grouped(run.merit.queue_deviation, 1))),
        (
            "queue empty, share of the observations".into(),
            Box::new(|run| format!("{} %", grouped(100.0 * run.merit.empty, 1))),
        ),
    ];
    let flows = runs.iter().map(|run| run.merit.rates.len()).max().unwrap_or(0);
    for flow in 0..flows {
        let show = move |run: &Run| run.merit.rates.get(flow).map_or("–".into(), |rate| grouped(*rate, 1));
        lines.push((format!("mean rate of flow {}, Mb/s", flow + 1), Box::new(show)));
    }
    lines.push(("Jain's index of these rates".into(), Box::new(|run| grouped(run.fairness(), 3))));
    lines.push((
        "link used, whole run".into(),
        Box::new(|run| format!("{} %", grouped(100.0 * run.merit.utilisation, 2))),
    ));
    type Count = (&'static str, fn(&Summary) -> u64);
    let counts: [Count; 4] = [
        ("packets through, whole run", |summary| summary.dequeued),
        ("packets dropped, whole run", |summary| summary.dropped),
        ("samples, whole run", |summary| summary.samples),
        ("feedback frames, whole run", |summary| summary.feedback_sent),
    ];
    for (title, count) in counts {
        lines.push((title.into(), Box::new(move |run| grouped(count(&run.summary) as f64, 0))));
    }
    let rows = lines.iter().map(|(title, show)| std::iter::once(title.clone()).chain(runs.iter().map(show)).collect());
    Cells { rows: rows.collect(), right_aligned: (1..headers.len()).collect(), headers }
}

/// Every parameter of every run.
pub fn parameters(runs: &[Run]) -> Cells {
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

/// The figures of merit over the seeds: mean (least to most).
pub fn spread(runs: &[Run]) -> Cells {
    let mut headers = vec!["".to_string()];
    headers.extend(runs.iter().map(Run::name));
    type Figure = (&'static str, usize, fn(&Merit) -> f64);
    let figures: [Figure; 6] = [
        ("mean queue, KB", 1, |merit| merit.queue_mean),
        ("standard deviation of the queue, KB", 1, |merit| merit.queue_deviation),
        ("queue empty, % of the observations", 1, |merit| 100.0 * merit.empty),
        ("Jain's index", 3, Merit::fairness),
        ("least rate of a flow, Mb/s", 1, |merit| merit.rates.iter().copied().fold(f64::INFINITY, f64::min)),
        ("packets dropped, whole run", 0, |merit| merit.dropped),
    ];
    let cell = |run: &Run, decimals: usize, figure: fn(&Merit) -> f64| {
        let (mean, least, most) = run.over_seeds(&figure);
        format!("{} ({} to {})", grouped(mean, decimals), grouped(least, decimals), grouped(most, decimals))
    };
    let row = |&(title, decimals, figure): &Figure| {
        std::iter::once(title.to_string()).chain(runs.iter().map(|run| cell(run, decimals, figure))).collect()
    };
    Cells { rows: figures.iter().map(row).collect(), right_aligned: (1..headers.len()).collect(), headers }
}

/// The best run for each figure, by the mean over the seeds, with the range; empty for a single run.
pub fn verdict(runs: &[Run]) -> String {
    let with_target = |run: &Run, figure: &dyn Fn(&Merit, f64) -> f64| {
        let target = run.target();
        run.over_seeds(&|merit| figure(merit, target))
    };
    let best = |figure: &dyn Fn(&Merit, f64) -> f64, sign: f64, decimals: usize| {
        let order = |run: &&Run| sign * with_target(run, figure).0;
        let run = runs.iter().min_by(|one, other| order(one).total_cmp(&order(other)))?;
        let (mean, least, most) = with_target(run, figure);
        let [mean, least, most] = [mean, least, most].map(|value| grouped(value, decimals));
        Some((run, format!("{mean}, {least} to {most}")))
    };
    let near = best(&|merit, target| (merit.queue_mean - target).abs(), 1.0, 1);
    let calm = best(&|merit, _| merit.queue_deviation, 1.0, 1);
    let even = best(&|merit, _| merit.fairness(), -1.0, 3);
    match (near, calm, even) {
        (Some(near), Some(calm), Some(even)) if runs.len() > 1 => format!(
            "Closed loop, untuned, seeds {}: in the mean, the queue of {} came closest to its target (off by {} KB), that of \
             {} was the steadiest (deviation {} KB), and {} shared the link most evenly (Jain's index {}).",
            seeds_text(near.0),
            near.0.name(),
            near.1,
            calm.0.name(),
            calm.1,
            even.0.name(),
            even.1,
        ),
        _ => String::new(),
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
    fn figures_of_merit_are_those_of_the_looks_in_the_window() {
        let run = run("qcn");
        // 20 ms: a sample each ms, the window is the second half.
        assert_eq!(run.summary.queue.len(), 20);
        let looks = &run.summary.queue[10..];
        assert_eq!(looks[0].0, 1_250_000);
        let mean = looks.iter().map(|&(_, bytes)| f64::from(bytes) / KB).sum::<f64>() / 10.0;
        assert!((run.merit.queue_mean - mean).abs() < 1e-9, "{} {mean}", run.merit.queue_mean);
        assert!(run.merit.utilisation > 0.9 && run.merit.utilisation <= 1.0, "{}", run.merit.utilisation);
        assert_eq!(run.merit.rates.len(), 3);
    }

    #[test]
    fn tables_and_sentences_name_every_run_and_every_parameter() {
        let runs = [run("qcn"), run("smcc")];
        let merits = merits(&runs);
        assert_eq!(merits.headers, ["", "qcn paper", "smcc paper"]);
        assert!(merits.rows.iter().all(|row| row.len() == 3));
        let spread = spread(&runs);
        assert!(spread.rows.iter().all(|row| row.len() == 3 && row[1].contains(" to ")), "{:?}", spread.rows);
        let parameters = parameters(&runs);
        for key in ["seed", "q0_bytes", "byte_cycle_bytes", "ra_mbps", "packet_bytes"] {
            assert!(parameters.rows.iter().any(|row| row[0] == key), "{key}");
        }
        assert!(verdict(&runs).contains("seeds 1 to 10") && verdict(&runs[..1]).is_empty());
        assert_eq!(
            runs[1].command(),
            "tidegate sim dumbbell --scheme smcc --cycles 2500000 --engine model --set profile=paper"
        );
    }
}
