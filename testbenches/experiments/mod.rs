// SPDX-License-Identifier: MIT OR Apache-2.0
//! Scenario files and their runs: errors with their place, metrics against sums over all events, the same bytes with any
//! number of threads. `testbenches/dumbbell` compares the network simulator with circuits; here a scenario is compared
//! with the topology that is compared there.

mod broken;
mod calculation;
mod changes;
mod controls;
mod grids;
mod infiniband;
mod joint;
mod latencies;
mod metrics;
mod papers;
mod sentences;
mod traffic;

use tidegate::experiment::calculation::Subject;
use tidegate::experiment::case::Case;
use tidegate::experiment::claims::Verdict;
use tidegate::experiment::kind::{AnyExperiment, AnyFile, AnyResults};
use tidegate::experiment::run::Tally;
use tidegate::experiment::scenario::File;
use tidegate::experiment::{Experiment, catalogue};
use tidegate::network::topology::Topology;
use tidegate::network::{Event, Network, Observer, Place};
use tidegate::registry;
use tidegate::report::experiment::{Shown, pages};
use tidegate::units::Cycles;

/// Keys that decide nothing in a network, or that other keys make useless.
const WITHOUT_EFFECT: [&str; 9] = [
    "allowed_cpid",
    "allowed_cpid_mask",
    "cp_mac",
    "cp_queues",
    "cpid",
    "cpid_bits",
    "flow_from",
    "rp_mac",
    "sample_bytes",
];

/// A short scenario; `more` stands at its end.
pub fn text(more: &str) -> String {
    format!(
        r#"title = "short"
duration_s = 0.02
seeds = 2
look_ms = 0.5

[parameters]
packet_bytes = 1000

[[flow]]
name = "S"
count = 3

[[variant]]
name = "QCN"
scheme = "qcn"

[[variant]]
name = "SMCC"
scheme = "smcc"
parameters = {{ ra_mbps = {{ value = 64, from = "choice" }} }}
{more}"#
    )
}

/// All events as text.
#[derive(Default, PartialEq, Debug)]
pub struct Log(pub Vec<(Cycles, Place, Event)>);

impl Observer for Log {
    fn event(&mut self, now: Cycles, place: Place, event: Event) {
        self.0.push((now, place, event));
    }
}

#[test]
fn every_experiment_of_the_papers_states_each_parameter_and_where_it_comes_from() {
    let mut claims = 0;
    for id in catalogue::ids() {
        let file = catalogue::find(id).unwrap();
        let stated: Vec<(String, String, String)> = match AnyExperiment::new(&file)
            .unwrap_or_else(|error| panic!("{error:#}"))
        {
            AnyExperiment::Network(experiment) => {
                let read = |case: &Case| {
                    let rows = case.stated().unwrap().into_iter();
                    // The other schemes have a w that they do not read.
                    let unread = |key: &str| key == "w" && ["smcc", "dsm"].contains(&case.scheme.name);
                    let unread = |key: &str| unread(key) || key == "profile" && case.scheme.name != "qcn";
                    let rows = rows.filter(|(key, ..)| !unread(key) && !WITHOUT_EFFECT.contains(&key.as_str()));
                    rows.map(|(key, value, from)| (format!("{}: {key}", case.name), value, from)).collect::<Vec<_>>()
                };
                experiment.cases.iter().flat_map(read).collect()
            }
            // The area is that of the circuits with the defaults, where the file says nothing else.
            AnyExperiment::Calculation(study) => {
                let area = matches!(study.file.scenario.calculates, Subject::Area(_));
                let rows = study.stated().into_iter().filter(|(.., from)| !area || *from != "default of the scheme");
                rows.map(|(name, key, value, from)| (format!("{name}: {key}"), value, from.into())).collect()
            }
        };
        for (key, value, from) in stated {
            let said = ["stated", "derived", "choice"].iter().any(|word| from.starts_with(word));
            assert!(said, "{id}, {key} = {value} comes from \"{from}\"");
        }
        if let AnyFile::Network(file) = &file {
            for flow in &file.scenario.flow {
                assert!(flow.from.is_some(), "{id}: a flow comes from nowhere");
            }
        }
        let heading = file.heading();
        assert!(!heading.figure.is_empty(), "{id}: nothing is said of the paper's figure");
        claims += heading.claims.len();
        for claim in heading.claims {
            let ([low, high], partly) = (*claim.expect.get_ref(), claim.partly);
            assert!(low.is_finite() || high.is_finite(), "{id}, {}: any value is accepted", claim.id.get_ref());
            assert!(
                partly.is_none_or(|[least, most]| least <= low && high <= most),
                "{id}, {}: the wider bound is not wider",
                claim.id.get_ref()
            );
            assert!(!claim.bound.is_empty());
        }
    }
    assert!(claims > 100, "{claims} claims");
}

#[test]
fn a_scenario_with_three_flows_is_the_dumbbell_that_circuits_are_compared_with() {
    for scheme in registry::ethernet() {
        let name = scheme.name;
        let file =
            File::parse("t", "t", &text(&format!("[[variant]]\nname = \"this\"\nscheme = \"{name}\"\n"))).unwrap();
        let experiment = Experiment::new(&file).unwrap_or_else(|error| panic!("{error:#}"));
        let world = experiment.cases[2].world(7).unwrap();
        let settings = [("packet_bytes", "1000"), ("seed", "7")];
        let settings = settings.map(|(key, value)| (key.to_string(), value.to_string()));
        let parameters = scheme.parameters(&settings).unwrap();
        let [mut of_scenario, mut of_bench] = [Log::default(), Log::default()];
        Network::new(&scheme.models(), &world.parameters, world.ethernet()).run(1_000_000, &mut of_scenario);
        Network::new(&scheme.models(), &parameters, &Topology::dumbbell(&parameters)).run(1_000_000, &mut of_bench);
        assert!(of_bench.0.len() > 2_000, "{name}: {} events", of_bench.0.len());
        assert!(of_scenario == of_bench, "{name}: the runs differ");
    }
}

#[test]
fn the_number_of_threads_changes_no_byte() {
    let claims = r#"
[variant.output.bottleneck]
feedback_within_us = [0, 50]

[[ablation]]
name = "large gain"
of = "SMCC"
parameters = { ra_mbps = 256 }

[[ablation]]
name = "of no interest"
of = "SMCC"
only = ["always"]

[[claim]]
id = "never"
claim = "the queue is longer than any"
measure = { metric = "queue_mean_kb", variant = "SMCC", window_s = [0.01, 0.02] }
expect = [1000, 2000]
other_reading = "always"
bound = "to run the ablation"

[[claim]]
id = "always"
claim = "the ratio of a value to itself"
measure = { metric = "queue_max_kb", variant = "QCN" }
ratio_to = {}
expect = [1, 1]
bound = "exactly 1"
"#;
    let file = File::parse("short.toml", "short", &text(claims)).unwrap();
    let experiment = AnyExperiment::Network(Experiment::new(&file).unwrap());
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let results: AnyResults = pool.install(|| experiment.run(&|_, _| ())).unwrap();
        let verdicts: Vec<_> = results.judged().iter().map(|judged| judged.verdict).collect();
        assert_eq!(verdicts, [Verdict::NotReproduced, Verdict::Reproduced]);
        let cause = &results.judged()[0].cause;
        assert!(cause.starts_with("QCN: reproduced (1.0000). Not with: large gain ("), "{cause}");
        assert!(!cause.contains("of no interest"), "{cause}");
        let tried: Vec<_> = results.judged()[0].tried.iter().map(|one| (one.name.as_str(), one.verdict)).collect();
        use Verdict::{NotReproduced, Reproduced};
        assert_eq!(tried, [("other reading: QCN", Reproduced), ("large gain", NotReproduced)]);
        let shown = Shown::new(&results, "").unwrap();
        let mut files = shown.files().unwrap();
        files.extend(pages(&[shown], "tidegate run short.toml"));
        files
    };
    let files = run(1);
    let names: Vec<_> = files.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(
        names,
        [
            "verdict.json",
            "metrics.csv",
            "queue.csv",
            "rates.csv",
            "parameters.csv",
            "queue-1.svg",
            "queue-2.svg",
            "distribution.svg",
            "rates-1.svg",
            "rates-2.svg",
            "shares.svg",
            "scenario.toml",
            "index.html"
        ]
    );
    assert!(run(1) == files && run(3) == files, "the files differ");
    let page = &files[files.len() - 1].1;
    for outside in ["src=", "href=\"http", "@import", "url("] {
        assert!(!page.contains(outside), "the page has {outside}");
    }
    for wanted in [
        "<tr id=\"short-never\" data-verdict=\"not-reproduced\">",
        "✗ not reproduced",
        "✓ reproduced",
        "show-reproduced",
    ] {
        assert!(page.contains(wanted), "no {wanted}");
    }
    let rows = |name: &str| files.iter().find(|(known, _)| known == name).unwrap().1.lines().count() - 1;
    assert_eq!(rows("queue.csv"), 2 * 40);
    assert_eq!(rows("rates.csv"), 2 * 40 * 3);
    assert_eq!(rows("metrics.csv"), 2 * 2 * 9);
}

#[test]
fn the_example_of_the_documentation_runs() {
    let (text, page) = (include_str!("../../examples/background.toml"), include_str!("../../docs/scenarios.md"));
    let shown = text.trim_start_matches(&format!("# {}\n", tidegate::licence::LINE));
    assert!(page.contains(&format!("```toml\n{shown}```")), "docs/scenarios.md shows another file");
    let file = File::parse("background.toml", "background", text).unwrap();
    let experiment = Experiment::new(&file).unwrap_or_else(|error| panic!("{error:#}"));
    let results = experiment.run(&|_, _| ()).unwrap();
    let measured = results.judged[0].measured.value();
    assert!(measured.is_finite() && measured > 0.0, "{measured}");
}

#[test]
fn pictures_and_tables_over_time_show_the_median_seed() {
    let file =
        File::parse("t.toml", "t", &text("").replace("seeds = 2", "seeds = 4\nshown_s = [0.005, 0.02]")).unwrap();
    let experiment = AnyExperiment::Network(Experiment::new(&file).unwrap());
    let results: AnyResults = experiment.run(&|_, _| ()).unwrap();
    let shown = Shown::new(&results, "").unwrap();
    let files = shown.files().unwrap();
    let (AnyResults::Network(_, runs), AnyExperiment::Network(experiment)) = (&results, &experiment) else {
        panic!("there is a network")
    };
    let [from, to] = experiment.shown;
    for (number, runs) in (1..).zip(&runs.runs) {
        let deviations: Vec<f64> = runs
            .outcomes
            .iter()
            .map(|outcome| {
                let looks = &outcome.looks[0][from..to];
                let cycles = looks.len() as f64 * outcome.look_cycles as f64;
                let mean = looks.iter().map(|look| look.bytes as f64).sum::<f64>() / cycles;
                (looks.iter().map(|look| look.squares as f64).sum::<f64>() / cycles - mean * mean).sqrt() / 1024.0
            })
            .collect();
        let median = runs.median.number;
        // Of four seeds, one is below the lower of the two in the middle.
        assert_eq!(deviations.iter().filter(|one| **one < deviations[median]).count(), 1, "{deviations:?}");
        assert!((runs.median.deviations_kb[median] - deviations[median]).abs() < 1e-6);
        let kept: Vec<bool> = runs.outcomes.iter().map(|outcome| !outcome.rates.is_empty()).collect();
        assert_eq!(kept, (0..4).map(|seed| seed == median).collect::<Vec<_>>(), "whose rates are kept");
        let of_file = |name: &str| &files.iter().find(|(known, _)| known == name).unwrap().1;
        for table in ["queue.csv", "rates.csv"] {
            let start = format!(",{},{},", runs.name, median + 1);
            let others = of_file(table).lines().filter(|line| line.contains(&format!(",{},", runs.name)));
            assert!(others.clone().count() > 0 && others.clone().all(|line| line.contains(&start)), "{table}");
        }
        let picture = of_file(&format!("queue-{number}.svg"));
        assert!(picture.contains(&format!("{}: queue", runs.name)) && picture.contains(">all seeds</text>"));
    }
    let index = &pages(&[shown], "c")[0].1;
    for runs in &runs.runs {
        let wanted = format!("Seed {} of 4, the median one", runs.median.number + 1);
        assert!(index.contains(&wanted), "no {wanted}");
    }
    let wanted = "Queue length at the end of each 0.5 ms; the area goes from the least to the greatest length in it, the light \
        one over all 4 seeds.";
    assert_eq!(index.matches(wanted).count(), 2, "no {wanted}");
}

#[test]
fn a_picture_of_one_seed_has_no_others_behind_it() {
    let file = File::parse("t.toml", "t", &text("").replace("seeds = 2", "seeds = 1")).unwrap();
    let experiment = AnyExperiment::Network(Experiment::new(&file).unwrap());
    let results: AnyResults = experiment.run(&|_, _| ()).unwrap();
    let files = Shown::new(&results, "").unwrap().files().unwrap();
    let picture = &files.iter().find(|(name, _)| name == "queue-1.svg").unwrap().1;
    assert!(picture.contains(">least to greatest in 0.5 ms</text>") && !picture.contains("all seeds"));
}

#[test]
fn the_queue_is_read_at_the_end_of_each_look() {
    let outcome = |look_ms: &str| {
        let text = text("").replace("look_ms = 0.5", &format!("look_ms = {look_ms}"));
        let file = File::parse("t.toml", "t", &text).unwrap();
        let experiment = Experiment::new(&file).unwrap();
        experiment.run(&|_, _| ()).unwrap().runs.remove(1).outcomes.remove(0)
    };
    let [fine, coarse] = ["0.25", "0.5"].map(outcome);
    // A queue at a time is the same whenever else it is read; a mean is not.
    let every_second: Vec<u32> = fine.lengths[0].iter().skip(1).step_by(2).copied().collect();
    assert_eq!((every_second.len(), &every_second), (40, &coarse.lengths[0]));
    let within = |(length, look): (&u32, &Tally)| (look.least..=look.most).contains(length);
    let inside = coarse.lengths[0].iter().zip(&coarse.looks[0]).filter(|pair| within(*pair)).count();
    // A packet that comes in the last cycle is in no tally of that look.
    assert!(inside >= 36, "{inside} of 40");
}

#[test]
fn several_experiments_have_an_overview_and_a_page_for_each_paper() {
    let scenario = |paper: &str| {
        let claim = "[[claim]]\nid = \"full\"\nclaim = \"c\"\nmeasure = { metric = \"queue_max_kb\" }\nexpect = [1, 500]\nbound = \"b\"\n";
        let head = format!("paper = \"{paper}\"\nfigure = \"A curve over a time axis.\"\nduration_s");
        text(claim).replacen("duration_s", &head, 1)
    };
    let ids =
        [("one-fig1", "Author 2001, figure 1"), ("two-fig2", "Other 2002, figure 2"), ("one-fig3", "Author 2001")];
    let files = ids.map(|(id, paper)| File::parse("t.toml", id, &scenario(paper)).unwrap());
    let experiments: Vec<_> = files.iter().map(|file| AnyExperiment::Network(Experiment::new(file).unwrap())).collect();
    let results: Vec<AnyResults> = experiments.iter().map(|one| one.run(&|_, _| ()).unwrap()).collect();
    let shown: Vec<_> = results.iter().map(|results| Shown::new(results, "").unwrap()).collect();
    let pages = pages(&shown, "tidegate reproduce --all --out DIR");
    let names: Vec<_> = pages.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["index.html", "one.html", "two.html"]);
    // Each link leads to a place that is there.
    let mut links = 0;
    for (own, page) in &pages {
        assert!(
            page.contains("tidegate reproduce --all --out DIR") && page.contains(env!("CARGO_PKG_VERSION")),
            "{own}"
        );
        for link in page.split("href=\"").skip(1).map(|rest| rest.split('"').next().unwrap()) {
            let (file, place) = link.split_once('#').unwrap_or((link, ""));
            let file = if file.is_empty() { own } else { file };
            let target = &pages.iter().find(|(name, _)| name == file).unwrap_or_else(|| panic!("{own}: {link}")).1;
            assert!(place.is_empty() || target.contains(&format!(" id=\"{place}\"")), "{own}: {link}");
            links += 1;
        }
    }
    assert_eq!(links, 14);
    assert!(pages[1].1.contains("<b>In the paper.</b> A curve over a time axis."));
    assert!(pages[0].1.contains("Author 2001 (one)") && !pages[0].1.contains("<figure"));
}

#[test]
fn parameters_change_while_it_runs() {
    // Byte cycles of 150 KB until 10 ms, then of 2 KB: rates recover much faster.
    let change = "[[change]]\nat_s = 0.01\nparameters = { byte_cycle_bytes = 2000, sample_packets = 20 }\n";
    let text = |change: &str| {
        format!(
            "title = \"t\"\nduration_s = 0.02\n[[flow]]\nname = \"S\"\ncount = 4\n{change}\n[[variant]]\nname = \"Q\"\nscheme = \"qcn\"\n"
        )
    };
    let outcomes = ["", change].map(|change| {
        let file = File::parse("t", "t", &text(change)).unwrap();
        let experiment = Experiment::new(&file).unwrap();
        experiment.run(&|_, _| ()).unwrap().runs.remove(0).outcomes.remove(0)
    });
    let [before, after] = outcomes.each_ref().map(|outcome| {
        outcome.rates.iter().map(|rates| rates.iter().map(|rate| rate.0).sum::<u32>()).collect::<Vec<_>>()
    });
    assert_eq!(before[..10], after[..10], "nothing changes before");
    assert_ne!(before[11..], after[11..]);
    let feedback = outcomes.map(|outcome| outcome.looks[0][10..].iter().map(|look| look.feedback).sum::<u64>());
    assert!(feedback[1] > 2 * feedback[0], "{feedback:?} feedback frames");
}
