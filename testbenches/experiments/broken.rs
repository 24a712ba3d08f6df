// SPDX-License-Identifier: MIT OR Apache-2.0
//! Scenario files with a mistake: each message names file, line, column, and what was expected.

use super::text;
use tidegate::experiment::Experiment;
use tidegate::experiment::scenario::File;

fn refused(text: &str) -> String {
    let file = match File::parse("broken.toml", "broken", text) {
        Ok(file) => file,
        Err(error) => return format!("{error:#}"),
    };
    match Experiment::new(&file) {
        Ok(_) => panic!("it is accepted:\n{text}"),
        Err(error) => format!("{error:#}"),
    }
}

/// The place of the last of a word in a text.
pub fn place(text: &str, word: &str) -> String {
    let at = text.rfind(word).unwrap_or_else(|| panic!("no {word}"));
    let line = text[..at].matches('\n').count() + 1;
    let column = at - text[..at].rfind('\n').map_or(0, |end| end + 1) + 1;
    format!("broken.toml:{line}:{column}: ")
}

#[test]
fn a_mistake_is_named_with_its_place() {
    let claim = |measure: &str| {
        format!("[[claim]]\nid = \"c\"\nclaim = \"c\"\nmeasure = {{ {measure} }}\nexpect = [0, 1]\nbound = \"b\"\n")
    };
    let grid = |of: &str, parameter: &str, values: &str| {
        format!("[[grid]]\nof = \"{of}\"\nparameter = \"{parameter}\"\nvalues = {values}\nfrom = \"\"\n")
    };
    // What is added, the word at whose place the error is, and a part of the message.
    let cases: Vec<(String, &str, &str)> = vec![
        ("[[variat]]\n".into(), "variat", "unknown field `variat`"),
        ("[[variant]]\nname = \"x\"\nscheme = \"qcm\"\n".into(), "\"qcm\"", "unknown scheme `qcm`"),
        ("[[variant]]\nname = \"QCN\"\nscheme = \"qcn\"\n".into(), "\"QCN\"", "a second `QCN`"),
        (
            "[[variant]]\nname = \"x\"\nscheme = \"qcn\"\nparameters = { wieght = 2 }\n".into(),
            "wieght",
            "qcn has no such parameter",
        ),
        (
            "[[variant]]\nname = \"x\"\nscheme = \"qcn\"\nparameters = { w = 64 }\n".into(),
            "w = 64",
            "expected a whole number from 0 to 63",
        ),
        (
            "[[variant]]\nname = \"x\"\nscheme = \"qcn\"\nparameters = { w = { value = 2, form = \"\" } }\n".into(),
            "{ value",
            "unknown field `form`",
        ),
        ("[[variant]]\nname = \"x\"\nscheme = \"qcn\"\nparameters = { flows = 2 }\n".into(), "flows", "use [[flow]]"),
        (
            "[[variant]]\nname = \"x\"\nscheme = \"qcn\"\n[variant.flow.T]\nstart_s = 1\n".into(),
            "T]",
            "no flow `T`: expected one of S",
        ),
        ("[[flow]]\nname = \"T\"\npath = [\"nowhere\"]\n".into(), "\"nowhere\"", "no output `nowhere`"),
        ("[[flow]]\nname = \"T\"\nrate_mbps = 1001\n".into(), "1001", "at most the line rate"),
        ("[[flow]]\nname = \"T\"\nrate_mbps = -1\n".into(), "-1", "expected a rate above 0"),
        ("[[output]]\nname = \"a\"\npause_bytes = 9\n".into(), "9", "expected pause_bytes and resume_bytes"),
        (
            "[[output]]\nname = \"a\"\npause_bytes = 4096\nresume_bytes = 4096\n".into(),
            "4096\nresume",
            "expected more than resume_bytes",
        ),
        ("[[output]]\nname = \"a\"\nfeedback_us = -1\n".into(), "-1", "expected a time from 0"),
        ("[[output]]\nname = \"a\"\nfeedback_within_us = [-1, 1]\n".into(), "[-1, 1]", "expected a time from 0"),
        ("[[output]]\nname = \"a\"\nfeedback_within_us = [2, 1]\n".into(), "[2, 1]", "the smaller number first"),
        (
            "[[output]]\nname = \"a\"\nfeedback_us = 3\nfeedback_within_us = [1, 2]\n".into(),
            "3",
            "expected one of feedback_us and feedback_within_us",
        ),
        (
            "[variant.output.nowhere]\nfeedback_us = 1\n".into(),
            "nowhere",
            "no output `nowhere`: expected one of bottleneck",
        ),
        ("[[flow]]\nname = \"T\"\narrivals_per_s = 7\n".into(), "7", "need a size"),
        ("[[flow]]\nname = \"T\"\narrivals_per_s = -7\nsize_bytes = 9\n".into(), "-7", "expected arrivals a second"),
        ("[[flow]]\nname = \"T\"\narrivals_per_s = 1e9\nsize_bytes = 9\n".into(), "1e9", "at most 100000 in a run"),
        ("[[flow]]\nname = \"T\"\ncount = 2\narrivals_per_s = 7\nsize_bytes = 9\n".into(), "7", "have no count"),
        ("[[flow]]\nname = \"T\"\nsize_distribution = \"web\"\n".into(), "\"web\"", "expected `web_search`"),
        ("[[flow]]\nname = \"T\"\nsize_mean_bytes = 8\n".into(), "8", "expected size_distribution"),
        (
            "[[flow]]\nname = \"T\"\nsize_distribution = \"web_search\"\nsize_mean_bytes = 0\n".into(),
            "0",
            "expected a mean size above 0",
        ),
        (
            "[[flow]]\nname = \"T\"\nsize_bytes = 8\nsize_distribution = \"web_search\"\n".into(),
            "\"web_search\"",
            "expected one of",
        ),
        ("[[flow]]\nname = \"T\"\nsizes_file = \"s.txt\"\n".into(), "\"s.txt\"", "has no data files"),
        ("[[flow]]\nname = \"T\"\non_ms = 3\n".into(), "3", "expected on_ms and off_ms"),
        ("[[flow]]\nname = \"T\"\non_ms = 3\noff_ms = 0\n".into(), "0", "expected a mean length above 0"),
        ("[[flow]]\nname = \"T\"\nstart_s = -1\n".into(), "-1", "expected a time"),
        ("[[flow]]\nname = \"T\"\nstart_within_s = [2, 1]\n".into(), "[2, 1]", "the smaller number first"),
        // Most numbers of these ranges would be accepted.
        ("[[flow]]\nname = \"T\"\nstart_within_s = [-1e-9, 1]\n".into(), "[-1e-9, 1]", "expected a time from 0"),
        ("[[flow]]\nname = \"T\"\ndelay_within_us = [0, 1e9]\n".into(), "[0, 1e9]", "expected a time from 0"),
        ("[[flow]]\nname = \"T\"\nsize_within_bytes = [-1, 1e9]\n".into(), "[-1, 1e9]", "expected a size in bytes"),
        ("[[output]]\nname = \"a\"\n[[output]]\nname = \"b\"\n".into(), "\"S\"", "expected a path"),
        (
            "[[change]]\nat_s = 1\nparameters = { byte_cycle_bytes = -3 }\n".into(),
            "byte_cycle_bytes",
            "byte_cycle_bytes",
        ),
        ("[[change]]\nat_s = 1\nparameters = { w = 3 }\n".into(), "w = 3", "does not change while it runs"),
        ("[[change]]\nat_s = 7\n".into(), "7", "nothing changes: expected parameters, output or flow"),
        (
            "[[change]]\nat_s = 1\n[change.output.nowhere]\ndelay_us = 1\n".into(),
            "nowhere",
            "no output `nowhere`: expected one of bottleneck",
        ),
        ("[[change]]\nat_s = 1\n[change.flow.T]\ndelay_us = 1\n".into(), "T]", "no flow `T`: expected one of S"),
        (
            "[[change]]\nat_s = 1\n[change.flow.S]\nrate_mbps = 1\n".into(),
            "rate_mbps",
            "unknown field `rate_mbps`, expected `delay_us`",
        ),
        ("[[change]]\nat_s = 1\n[change.flow.S]\ndelay_us = -1\n".into(), "-1", "expected a time from 0"),
        (
            "[[output]]\nname = \"a\"\npause_bytes = 4096\nresume_bytes = 1\n[[change]]\nat_s = 1\n[change.flow.S]\n\
             delay_us = 7\n"
                .into(),
            "7",
            "no delay changes in a network with pause frames",
        ),
        ("[[ablation]]\nname = \"x\"\nof = \"QCN\"\nonly = [\"z\"]\n".into(), "\"z\"", "no claim `z`"),
        ("[[ablation]]\nname = \"x\"\nof = \"QCM\"\n".into(), "\"QCM\"", "no variant `QCM`"),
        ("[[ablation]]\nname = \"x\"\nof = [\"QCN\", \"QCM\"]\n".into(), "\"QCM\"", "no variant `QCM`"),
        ("[[ablation]]\nname = \"x\"\nof = [\"QCN\", \"QCN\"]\n".into(), "\"QCN\"]", "`QCN` stands twice in the list"),
        ("[[ablation]]\nname = \"x\"\nof = []\n".into(), "[]", "expected at least one name"),
        ("[[ablation]]\nname = \"x\"\nof = 3\n".into(), "3", "expected a name or a list of names"),
        (
            "[[variant]]\nname = \"x\"\nscheme = \"qcn\"\nsets = [\"a\"]\n".into(),
            "\"a\"",
            "there is no set: expected a table [set.NAME]",
        ),
        (
            "[set.b]\nw = 1\n[[variant]]\nname = \"x\"\nscheme = \"qcn\"\nsets = [\"a\"]\n".into(),
            "\"a\"",
            "no set `a`: expected one of b",
        ),
        ("[set.b]\nw = 1\n".into(), "b]", "no variant has the set `b`"),
        (
            "[set.b]\nwieght = 1\n[[variant]]\nname = \"x\"\nscheme = \"qcn\"\nsets = [\"b\"]\n".into(),
            "wieght",
            "qcn has no such parameter",
        ),
        (grid("QCM", "w", "[[1]]"), "\"QCM\"", "no variant `QCM`"),
        (grid("QCN", "w", "[]"), "[]", "expected a list of values for each part"),
        (grid("QCN", "w", "[[1], []]"), "[[1], []]", "of 1 to 1000 combinations"),
        (grid("QCN", "w", "[[1], [[2]]]"), "[2]", "expected a number"),
        (grid("QCN", "wieght", "[[1, 2]]"), "\"wieght\"", "qcn has no such parameter"),
        (grid("QCN", "w", "[[1, 2]]") + &grid("QCN", "w", "[[1, 2]]"), "\"QCN\"", "a second grid of `QCN`"),
        (grid("QCN", "w", "[[1, 1]]"), "\"QCN\"", "a second `QCN 1`"),
        ("[[flow]]\nname = \"T\"\ncount = 2000000\n".into(), "2000000", "flows"),
        (claim("metric = \"jain_index\", variant = \"QCN\"") + "over = \"least\"\n", "\"QCN\"", "leave out `variant`"),
        (claim("metric = \"jain_index\"") + "over = \"most\"\n", "\"most\"", "unknown value `most`"),
        (claim("variant = \"QCN\""), "\"c\"\nclaim", "its measure has no metric"),
        (claim("quantity = \"k / T\""), "\"k / T\"", "expected `metric`"),
        (
            claim("metric = \"jain_index\"") + "ratio_to = {}\nminus = {}\n",
            "\"c\"\nclaim",
            "expected one of ratio_to and minus",
        ),
        (claim("metric = \"queue_men_kb\""), "\"queue_men_kb\"", "unknown value `queue_men_kb`"),
        (claim("metric = \"empty_percent\", window_s = [0, 1]"), "[0, 1] }", "expected a window in the run"),
        (claim("metric = \"empty_percent\", window_s = [0.01, 0.0101]"), "[0.01,", "multiples of look_ms"),
        (claim("metric = \"within_percent\""), "\"within_percent\"", "expected `between_bytes`"),
        (claim("metric = \"within_percent\", between_bytes = [1, 64]"), "[1, 64]", "expected two multiples of 64"),
        (claim("metric = \"throughput_mbps\""), "\"throughput_mbps\"", "expected `flow`"),
        (claim("metric = \"jain_index\"") + "other_reading = \"d\"\n", "\"d\"", "no claim `d`: expected one of c"),
        (claim("metric = \"jain_index\", flow = \"S1\""), "\"jain_index\"", "leave out `flow`"),
        (claim("metric = \"throughput_mbps\", flow = \"S4\""), "\"S4\"", "expected one of S1, S2, S3"),
    ];
    for (more, word, message) in cases {
        let text = text(&more);
        let error = refused(&text);
        let place = place(&text, word);
        assert!(error.starts_with(&place), "{more}\nexpected {place}\nfound    {error}");
        assert!(error.contains(message), "{more}\nexpected {message}\nfound    {error}");
    }
}

#[test]
fn fields_of_the_whole_run_are_checked() {
    for (was, is, message) in [
        ("duration_s = 0.02", "duration_s = 0.0203", "expected a multiple of look_ms"),
        ("duration_s = 0.02", "duration_s = -1", "expected a multiple of look_ms"),
        ("duration_s = 0.02", "duration_s = nan", "expected a multiple of look_ms"),
        ("look_ms = 0.5", "look_ms = 0", "expected a time above 0"),
        ("seeds = 2", "seeds = 0", "expected 1 to 65535 seeds"),
        ("title = \"short\"\n", "", "missing field `title`"),
        ("title = \"short\"", "title = 3", "expected a text in quotes"),
    ] {
        let text = text("").replace(was, is);
        let error = refused(&text);
        assert!(error.starts_with("broken.toml:") && error.contains(message), "{is}: {error}");
    }
}
