// SPDX-License-Identifier: MIT OR Apache-2.0
//! Scenarios without a network: their values are those of `analyze`, their claims are judged as others are, and a mistake
//! is named with its place.

use super::broken::place;
use tidegate::experiment::calculation::{Findings, Study};
use tidegate::experiment::claims::Verdict;
use tidegate::experiment::kind::{AnyExperiment, AnyFile, AnyResults};
use tidegate::experiment::scenario::Source;
use tidegate::report::experiment::{Shown, pages};

/// A scenario of two variants; `more` stands at its end.
fn text(more: &str) -> String {
    format!(
        r#"title = "short"
calculates = "analysis"
portraits = ["fast"]

[parameters]
byte_cycle_bytes = {{ value = 50000, from = "choice" }}

[[variant]]
name = "slow"
scheme = "qcn"

[[variant]]
name = "fast"
scheme = "qcn"
parameters = {{ line_rate_mbps = 10000 }}
{more}"#
    )
}

fn file(text: &str) -> Result<AnyFile, String> {
    AnyFile::of("t", Source { name: "broken.toml".into(), text: text.into() }).map_err(|error| format!("{error:#}"))
}

/// What a text without mistake finds.
fn with_findings(text: &str, check: impl Fn(&Study, &Findings, Vec<(String, String)>)) {
    let file = file(text).unwrap();
    let experiment = AnyExperiment::new(&file).unwrap_or_else(|error| panic!("{error:#}"));
    let results = experiment.run(&|_, _| ()).unwrap();
    let shown = Shown::new(&results, "").unwrap();
    let mut files = shown.files().unwrap();
    files.extend(pages(&[shown], "tidegate run t.toml"));
    let AnyResults::Calculation(study, findings) = &results else { panic!("it has a network") };
    check(study, findings, files);
}

fn claim(id: &str, measure: &str, more: &str) -> String {
    format!("[[claim]]\nid = \"{id}\"\nclaim = \"c\"\nmeasure = {{ {measure} }}\n{more}\nbound = \"b\"\n")
}

#[test]
fn claims_are_judged_by_what_analyze_says() {
    let k = "quantity = \"k = w/(p·C)\"";
    let claims = [
        // k = w/(p·C) with C in packets: 2 · 100 packets of 1024 bytes at 1 Gb/s.
        claim("k", k, "expect = [1638.399, 1638.401]"),
        claim("ratio", k, "ratio_to = { variant = \"fast\" }\nexpect = [9.999999, 10.000001]"),
        claim("difference", k, "minus = { variant = \"fast\" }\nexpect = [1474.559, 1474.561]"),
        claim("too small", k, "expect = [0, 1]\nother_reading = \"k\"\nremark = \"A remark.\""),
        "[[ablation]]\nname = \"w = 0\"\nof = \"slow\"\nparameters = { w = 0 }\n".into(),
        "[[ablation]]\nname = \"p = 0.02\"\nof = \"slow\"\nparameters = { sample_packets = 50 }\n".into(),
    ];
    with_findings(&text(&claims.concat()), |study, findings, files| {
        let verdicts: Vec<_> = findings.judged.iter().map(|judged| judged.verdict).collect();
        use Verdict::{NotReproduced, Reproduced};
        assert_eq!(verdicts, [Reproduced, Reproduced, Reproduced, NotReproduced]);
        let [k, ratio, difference, small] = &findings.judged[..] else { panic!("four claims") };
        assert_eq!([k.unit, ratio.unit, difference.unit], ["µs", "", "µs"]);
        assert_eq!(k.measured.values.len(), 1);
        assert_eq!(
            small.cause,
            "slow: reproduced (1638.4000 µs). Reproduced with: w = 0 (0.0000 µs). Not with: p = 0.02 (819.2000 µs). A \
             remark."
        );
        let names: Vec<_> = files.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(
            names,
            ["verdict.json", "values.csv", "parameters.csv", "portrait.svg", "scenario.toml", "index.html"]
        );
        let text = |name: &str| &files.iter().find(|(known, _)| known == name).unwrap().1;
        let of_k = |line: &&str| line.starts_with("slow,k = w/(p·C),");
        let line = text("values.csv").lines().find(of_k).unwrap();
        assert!(line.ends_with(",µs,,\"Jiang 2015a, (13)\""), "{line}");
        assert!((line.split(',').nth(2).unwrap().parse::<f64>().unwrap() - 1638.4).abs() < 1e-6, "{line}");
        assert!(text("verdict.json").contains("\"verdict\": \"not_reproduced\""));
        assert!(text("index.html").contains("<figure class=\"broad\">"));
        // Only what the analysis reads, with where it comes from.
        let stated = study.stated();
        assert!(stated.contains(&("slow", "byte_cycle_bytes", "50000".into(), "choice")));
        assert!(stated.contains(&("fast", "w", "2".into(), "default of the scheme")));
        assert!(stated.iter().all(|(_, key, ..)| *key != "cp_mac"));
    });
}

#[test]
fn a_mistake_without_a_network_is_named_with_its_place() {
    let area =
        |fields: &str| text("").replace("\"analysis\"\nportraits = [\"fast\"]", &format!("{{ area = {fields} }}"));
    let claimed = |measure: &str| text(&claim("c", measure, "expect = [0, 1]"));
    let cases = [
        (text("duration_s = 3\n"), "duration_s", "unknown field `duration_s`"),
        (text("").replace("calculates", "duration_s = 3\ncalculates"), "duration_s", "unknown field `duration_s`"),
        (text("[[flow]]\nname = \"S\"\n"), "flow", "unknown field `flow`"),
        (text("").replace("\"analysis\"", "\"analyses\""), "\"analyses\"", "expected `analysis`"),
        (text("").replace("[\"fast\"]", "[\"fats\"]"), "\"fats\"", "no variant `fats`"),
        (text("").replace("50000", "-1"), "byte_cycle_bytes", "expected"),
        (text("").replace("[parameters]", "[parameters]\ncp_mac = \"02:00:00:00:00:01\""), "cp_mac", "has no effect"),
        (text("[[variant.change]]\nat_s = 1\nparameters = {}\n"), "1\nparameters", "there is no network"),
        (text("[variant.flow.S]\ncount = 2\n"), "S]", "there is no network"),
        (text("[[variant]]\nname = \"slow\"\nscheme = \"qcn\"\n"), "\"slow\"", "a second `slow`"),
        (text("[[ablation]]\nname = \"x\"\nof = \"slwo\"\n"), "\"slwo\"", "no variant `slwo`"),
        (claimed("quantity = \"k / t\""), "\"k / t\"", "no quantity `k / t`"),
        // What is said in words has no bound.
        (claimed("quantity = \"T against k\""), "\"T against k\"", "no quantity"),
        (claimed("variant = \"fast\""), "\"c\"\nclaim", "its measure has no quantity"),
        (claimed("metric = \"empty_percent\""), "\"empty_percent\"", "there is no network"),
        (claimed("quantity = \"k / T\", window_s = [0, 1]"), "[0, 1] }", "there is no network"),
        (
            text(&claim("c", "quantity = \"k / T\"", "ratio_to = {}\nminus = {}\nexpect = [0, 1]")),
            "\"c\"\nclaim",
            "expected one of ratio_to and minus",
        ),
        (area("{ family = \"xc2v\", part = \"rp\", ports = 4 }"), "\"xc2v\"", "no family `xc2v`"),
        (area("{ family = \"xc2vp\", part = \"sp\", ports = 4 }"), "\"sp\"", "expected one of cp, rp"),
        (area("{ family = \"xc2vp\", part = \"rp\", ports = 0 }"), "0 } }", "expected 1 to 1024 ports"),
        (
            area("{ family = \"xc2vp\", part = \"rp\", ports = 4 }")
                .replace("[parameters]", "portraits = [\"slow\"]\n[parameters]"),
            "\"slow\"]",
            "only an analysis has portraits",
        ),
    ];
    for (text, word, message) in cases {
        let error = match file(&text) {
            Ok(file) => match AnyExperiment::new(&file) {
                Ok(_) => panic!("it is accepted:\n{text}"),
                Err(error) => format!("{error:#}"),
            },
            Err(error) => error,
        };
        let place = place(&text, word);
        assert!(error.starts_with(&place), "{text}\nexpected {place}\nfound    {error}");
        assert!(error.contains(message), "{text}\nexpected {message}\nfound    {error}");
    }
}

#[test]
fn the_example_of_the_documentation_is_judged() {
    let page = include_str!("../../docs/scenarios.md").split("## Without a network\n").nth(1).unwrap();
    let text = page.split("```toml\n").nth(1).unwrap().split("```").next().unwrap();
    with_findings(text, |_, findings, _| {
        let value = findings.judged[0].measured.values[0];
        assert!((value - 245.13).abs() < 0.01, "{value}: see qcn/theory.rs");
        assert_eq!(findings.portraits.len(), 1);
    });
}
