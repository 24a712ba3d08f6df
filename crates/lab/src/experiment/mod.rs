// SPDX-License-Identifier: MIT OR Apache-2.0
//! Experiments with networks: a scenario file says what runs and what is claimed of it; the claims are judged by bounds that
//! stand in the file.
//!
//! A scenario has variants: a scheme with parameters, in a network of outputs and flows. Each runs once for each seed. An
//! ablation is a variant with something changed. It runs only if a claim about its variant is not reproduced, to tell what
//! decides. What the papers claim of analysis or of circuits needs no network: [`calculation`].

pub mod calculation;
pub mod capture;
pub mod case;
pub mod catalogue;
pub mod claims;
pub mod control;
pub mod fairness;
pub mod grid;
mod infiniband;
pub mod joint;
pub mod kind;
pub mod metric;
pub mod overrides;
pub mod run;
pub mod scenario;
pub mod schema;
pub(crate) mod sizes;
pub(crate) mod spanned;
pub(crate) mod target;

use self::case::{Case, Clock, World};
use self::claims::{Judged, Quantity, Question, Scope, explain, in_parts};
use self::run::{Looks, Outcome, run};
use self::scenario::File;
use self::target::{Target, window_looks};
use anyhow::{Result, anyhow, ensure};
use rayon::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};
use tidegate_core::units::Cycles;
use tidegate_schemes::scheme::parameters::Parameters;

/// A checked scenario.
pub struct Experiment<'a> {
    /// The file.
    pub file: &'a File,
    /// The variants.
    pub cases: Vec<Case<'a>>,
    /// Ablations, with a case for each variant that one changes.
    ablations: Vec<(Scope, Vec<Case<'a>>)>,
    questions: Vec<Question<'a, Target>>,
    looks: Looks,
    seeds: u32,
    /// The window of the distributions, in looks.
    pub distribution: [usize; 2],
    /// The window of the pictures over time, in looks.
    pub shown: [usize; 2],
}

/// The runs of a case, one for each seed from 1.
pub struct Runs {
    /// Its name.
    pub name: String,
    /// What the runs left.
    pub outcomes: Vec<Outcome>,
    /// Parameters of the first run.
    pub parameters: Parameters,
    /// Which of the outcomes is shown.
    pub median: Median,
}

/// The run that pictures and tables over time show: the only one that keeps the rates of its flows.
#[derive(Clone, Debug, PartialEq)]
pub struct Median {
    /// Number of the outcome: the seed is one more.
    pub number: usize,
    /// Of each outcome, the standard deviation of the queue of the first output in the window that is shown, KB.
    pub deviations_kb: Vec<f64>,
}

impl Median {
    /// The one with the median deviation; of an even number, the lower of the two in the middle.
    fn of(outcomes: &[Outcome], [from, to]: [usize; 2]) -> Median {
        let scope = metric::Scope { output: 0, flow: 0, from, to, between: [0, 0] };
        let deviation = |outcome: &Outcome| metric::measure(outcome, metric::Metric::QueueDeviationKb, scope);
        let deviations_kb: Vec<f64> = outcomes.iter().map(deviation).collect();
        let mut order: Vec<usize> = (0..outcomes.len()).collect();
        order.sort_by(|one, other| deviations_kb[*one].total_cmp(&deviations_kb[*other]));
        Median { number: order[(order.len() - 1) / 2], deviations_kb }
    }
}

impl Runs {
    /// The outcome that is shown.
    pub fn outcome(&self) -> &Outcome {
        &self.outcomes[self.median.number]
    }

    /// Its seed.
    pub fn shown_seed(&self) -> u32 {
        self.median.number as u32 + 1
    }
}

/// A finished experiment.
pub struct Results<'a> {
    /// The runs of the variants.
    pub runs: Vec<Runs>,
    /// The verdicts, in the order of the claims.
    pub judged: Vec<Judged<'a>>,
    /// Packets sent in all runs, also of ablations.
    pub packets: u64,
}

impl<'a> Experiment<'a> {
    /// Checks a scenario.
    ///
    /// # Errors
    /// With file, line and column.
    pub fn new(file: &'a File) -> Result<Experiment<'a>> {
        file.check_names()?;
        let scenario = &file.scenario;
        let cases: Vec<_> =
            scenario.variant.iter().map(|variant| Case::new(file, variant, None)).collect::<Result<_>>()?;
        let ablations: Vec<(_, Vec<_>)> = scenario
            .ablation
            .iter()
            .map(|ablation| {
                let scope = Scope::new(file, &scenario.variant, &scenario.claim, ablation)?;
                let case = |of: &usize| Case::new(file, &scenario.variant[*of], Some(ablation));
                let cases = scope.of.iter().map(case).collect::<Result<_>>()?;
                Ok((scope, cases))
            })
            .collect::<Result<_>>()?;
        let mut clocks = Vec::new();
        for case in cases.iter().chain(ablations.iter().flat_map(|(_, cases)| cases)) {
            clocks.push(case.world(1)?.parameters.decimal("clock_mhz"));
        }
        let clock = Clock(clocks[0]);
        let seeds = *scenario.seeds.get_ref();
        ensure!((1..=65_535).contains(&seeds), file.error(&scenario.seeds, "expected 1 to 65535 seeds"));
        let looks = Looks::of(file, clock)?;
        let window = |window: &Option<_>| match window {
            Some(window) => window_looks(file, window, &looks, clock),
            None => Ok([0, looks.count]),
        };
        let (distribution, shown) = (window(&scenario.distribution_s)?, window(&scenario.shown_s)?);
        let names: Vec<_> = cases.iter().map(|case| case.name.as_str()).collect();
        let questions: Vec<_> = scenario
            .claim
            .iter()
            .map(|claim| {
                Question::new(file, (&scenario.claim, &scenario.condition), claim, &names, |measure| {
                    Target::new(file, &cases, &looks, clock, &claim.id, measure)
                })
            })
            .collect::<Result<_>>()?;
        let cuts = questions.iter().flat_map(Question::quantities).flat_map(|target| target.cuts());
        let looks = looks.cut(cuts.chain(distribution).chain(shown));
        ensure!(clocks.iter().all(|other| *other == clock.0), "{}: expected one clock_mhz in all variants", file.name);
        Ok(Experiment { file, cases, ablations, questions, looks, seeds, distribution, shown })
    }

    /// Looks of all runs of the variants: what the progress counts. Those of ablations come on top.
    pub fn looks(&self) -> usize {
        self.cases.len() * self.seeds as usize * self.looks.count
    }

    /// The window of the pictures over time, in cycles.
    pub fn shown_cycles(&self) -> [Cycles; 2] {
        self.shown.map(|look| look as Cycles * self.looks.cycles)
    }

    /// Runs all variants with all seeds, spread over the processors, and judges the claims. `progress` hears how many looks
    /// are done, of how many.
    ///
    /// # Errors
    /// See [`Case::world`]; a packet that is lost or made is a panic.
    pub fn run(&'a self, progress: &(dyn Fn(usize, usize) + Sync)) -> Result<Results<'a>> {
        let (done, all) = (AtomicUsize::new(0), AtomicUsize::new(self.looks()));
        let step = || progress(done.fetch_add(1, Ordering::Relaxed) + 1, all.load(Ordering::Relaxed));
        let cases: Vec<_> = self.cases.iter().collect();
        let runs = self.run_cases(&cases, true, &step)?;
        let values = |target: &Target, runs: &Runs| -> Vec<f64> {
            runs.outcomes.iter().map(|outcome| target.value(outcome)).collect()
        };
        let mut judged = self.judge(|target| values(target, &runs[target.case()]));
        let wanted: Vec<_> = self.ablations.iter().filter(|(scope, _)| scope.tells_any(&judged)).collect();
        let cases: Vec<_> = wanted.iter().flat_map(|(_, cases)| cases).collect();
        all.fetch_add(cases.len() * self.seeds as usize * self.looks.count, Ordering::Relaxed);
        let ablated = self.run_cases(&cases, false, &step)?;
        let ablations: Vec<_> = wanted.iter().map(|(scope, cases)| (cases[0].name.as_str(), scope)).collect();
        let of_each = in_parts(&ablated, wanted.iter().map(|(_, cases)| cases.len()));
        explain(&mut judged, &ablations, |claim, ablation| {
            let scope = ablations[ablation].1;
            self.questions[claim].answer(|target| values(target, scope.choose(target.case(), of_each[ablation], &runs)))
        });
        let outcomes = runs.iter().chain(&ablated).flat_map(|runs| &runs.outcomes);
        let packets = outcomes.map(|outcome| outcome.sent).sum();
        Ok(Results { runs, judged, packets })
    }

    /// The verdicts from the values of each target, one for each seed, without what ablations say.
    fn judge(&self, values: impl Fn(&Target) -> Vec<f64>) -> Vec<Judged<'a>> {
        let names: Vec<_> = self.cases.iter().map(|case| case.name.as_str()).collect();
        let mut judged: Vec<Judged> =
            self.questions.iter().map(|question| question.judge(&names, question.answers(&values))).collect();
        if let Some(controls) = &self.file.scenario.controls {
            for judged in &mut judged {
                judged.can_fail = !controls.never.contains(&judged.claim.id);
            }
        }
        judged
    }

    /// Runs one variant with all seeds: what claims measure of it.
    fn measure_case(&self, case: usize) -> Result<Vec<(Target, Vec<f64>)>> {
        let runs = self.run_cases(&[&self.cases[case]], false, &|| ())?.remove(0);
        let targets = self.questions.iter().flat_map(Question::quantities).filter(|target| target.case() == case);
        Ok(targets
            .map(|target| (*target, runs.outcomes.iter().map(|outcome| target.value(outcome)).collect()))
            .collect())
    }

    /// Runs cases with all seeds; `rates`: the shown one of each keeps its rates.
    fn run_cases(&self, cases: &[&Case<'a>], rates: bool, step: &(dyn Fn() + Sync)) -> Result<Vec<Runs>> {
        let worlds: Vec<Vec<World>> = cases
            .iter()
            .map(|case| (1..=self.seeds).map(|seed| case.world(seed)).collect::<Result<_>>())
            .collect::<Result<_>>()?;
        let jobs: Vec<_> = worlds
            .iter()
            .enumerate()
            .flat_map(|(case, worlds)| (0..worlds.len()).map(move |seed| (case, seed)))
            .collect();
        let looks = Looks { rates, ..self.looks.clone() };
        let one = |&(case, seed): &(usize, usize)| run(cases[case].scheme, &worlds[case][seed], &looks, &step);
        let mut outcomes = jobs.par_iter().map(one).collect::<Vec<_>>().into_iter();
        let runs = cases.iter().zip(worlds).map(|(case, mut worlds)| {
            let mut outcomes: Vec<Outcome> = outcomes.by_ref().take(worlds.len()).collect();
            let parameters = worlds.drain(..).next().map(|world| world.parameters);
            let parameters = parameters.ok_or_else(|| anyhow!("no seed"))?;
            let median = Median::of(&outcomes, self.shown);
            // Nobody reads those of the others, and they are large.
            let others = (0..).zip(&mut outcomes).filter(|(number, _)| *number != median.number);
            others.for_each(|(_, outcome)| outcome.rates = Vec::new());
            Ok(Runs { name: case.name.clone(), outcomes, parameters, median })
        });
        runs.collect()
    }
}
