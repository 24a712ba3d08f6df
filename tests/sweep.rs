// SPDX-License-Identifier: MIT OR Apache-2.0
//! `sweep`: its plans and their errors, and that results do not depend on threads, shards and interruptions.

use crate::common::{files_below, refused, tidegate};
use assert_cmd::cargo::cargo_bin;
use parquet::basic::Type;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

const SCENARIO: &str = r#"title = "t"
duration_s = 0.002
[[flow]]
name = "S"
count = 2
[[flow]]
name = "late"
start_within_s = [0.0001, 0.0005]
[[variant]]
name = "V"
scheme = "smcc"
[[variant]]
name = "Q, quoted"
scheme = "qcn"
"#;

/// 4 × 2 × 3 points, 2 variants, 2 seeds: 96 runs.
const PLAN: &str = r#"scenario = "my.toml"
seeds = 2
[grid]
w = [1, 2, 3, 4]
"flow.S.start_rate_mbps" = [100, 250.5]
[random]
points = 3
q0_bytes = { from = 1000, to = 60000, scale = "log", integer = true }
"output.bottleneck.delay_us" = { from = 0.5, to = 2 }
[[measure]]
name = "queue"
metric = "queue_mean_kb"
window_s = [0.001, 0.002]
[[measure]]
name = "late rate"
metric = "throughput_mbps"
flow = "late"
[[measure]]
name = "settled"
metric = "settle_ms"
between_bytes = [0, 640]
"#;
const RUNS: usize = 96;

fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("my.toml"), SCENARIO).unwrap();
    fs::write(folder.path().join("plan.toml"), PLAN).unwrap();
    folder
}

fn results(folder: &Path) -> Vec<Vec<u8>> {
    let names = ["results.csv", "results.parquet", "index.html", "points.csv", "points.parquet"];
    names.map(|name| fs::read(folder.join(name)).unwrap()).to_vec()
}

/// Results of the plan, made without shards and interruptions.
fn whole(folder: &Path) -> Vec<Vec<u8>> {
    whole_in(folder, "whole")
}

fn whole_in(folder: &Path, out: &str) -> Vec<Vec<u8>> {
    tidegate(folder, &["sweep", "plan.toml", "--out", out]).assert().success();
    results(&folder.join(out))
}

#[test]
fn a_wrong_plan_is_refused_with_its_place() {
    let folder = folder();
    let before = files_below(folder.path());
    let check = |plan: &str, pieces: &[&str]| {
        fs::write(folder.path().join("bad.toml"), plan).unwrap();
        refused(folder.path(), &["sweep", "bad.toml", "--out", "out"], 1, pieces);
        assert!(!folder.path().join("out").exists(), "{plan}");
    };
    let with = |from: &str, to: &str| {
        assert!(PLAN.contains(from), "{from}");
        PLAN.replacen(from, to, 1)
    };
    for (from, to, pieces) in [
        ("seeds", "seed", &["bad.toml:2:1: ", "`seed`", "seeds"][..]),
        ("seeds = 2", "seeds = 0", &["bad.toml:2:9: ", "1 to 65535"]),
        ("\"my.toml\"", "\"none.toml\"", &["bad.toml:1:12: ", "none.toml"]),
        ("scenario = \"my.toml\"", "", &["bad.toml: expected `scenario", "experiment"]),
        ("scenario", "experiment", &["bad.toml:1:14: ", "no experiment `my.toml`"]),
        ("seeds = 2", "experiment = \"smcc-fig5\"", &["bad.toml:1:12: ", "one of them"]),
        ("seeds = 2", "variants = [\"V\", \"X\"]", &["bad.toml:2:18: ", "no variant `X`", "V, Q, quoted"]),
        ("seeds = 2", "variants = [\"V\", \"V\"]", &["bad.toml:2:18: ", "twice"]),
        ("seeds = 2", "variants = []", &["bad.toml:2:12: ", "at least one variant"]),
        ("seeds = 2", "duration_s = 0.0025", &["bad.toml:2:14: ", "multiple of look_ms"]),
        ("w = [1", "w = [64, 1", &["bad.toml:4:6: ", "`w`", "0 to 63", "variant V, w = 64"]),
        ("w = [1", "w = [1.5", &["bad.toml:4:6: ", "`w`", "whole number"]),
        ("w = [1, 2", "w = [1, 1", &["bad.toml:4:9: ", "twice"]),
        ("w = [1, 2, 3, 4]", "w = []", &["bad.toml:4:5: ", "at least one value"]),
        ("w = [1, 2, 3, 4]", "w = 1", &["bad.toml:4:5: ", "expected a list"]),
        ("w = [1", "ww = [1", &["bad.toml:4:1: ", "no parameter `ww`", "did you mean `w`?"]),
        ("w = [1, 2, 3, 4]", "ra_mbps = [1]", &["bad.toml:4:1: ", "variant Q, quoted: qcn has no parameter `ra_mbps`"]),
        ("w = [1, 2, 3, 4]", "flows = [1]", &["bad.toml:4:1: ", "[[flow]]"]),
        ("flow.S.start", "flow.T.start", &["bad.toml:5:1: ", "no flow `T`", "S, late"]),
        ("start_rate_mbps", "start_rate", &["bad.toml:5:1: ", "no field `start_rate`", "start_rate_mbps"]),
        ("\"flow.S.start_rate_mbps\" = [", "\"flow.S.count\" = [2000000] # ", &["bad.toml:5:19: ", "flows"]),
        ("250.5]", "\"fast\"]", &["bad.toml:5:34: ", "expected a number"]),
        ("250.5]", "2000]", &["bad.toml:5:34: ", "line rate", "flow.S.start_rate_mbps = 2000"]),
        ("\"flow.S.start_rate_mbps\"", "\"flow.late.start_s\"", &["bad.toml:5:1: ", "no effect", "start_within_s"]),
        ("output.bottleneck", "output.neck", &["bad.toml:9:1: ", "no output `neck`", "bottleneck"]),
        ("points = 3", "points = 0", &["bad.toml:7:10: ", "at least one point"]),
        ("points = 3", "", &["bad.toml:6:1: ", "points"]),
        ("from = 1000", "from = 0", &["bad.toml:8:12: ", "above 0"]),
        ("from = 1000", "from = 70000", &["bad.toml:8:12: ", "smaller"]),
        ("from = 1000", "from = 1000.5", &["bad.toml:8:12: ", "without decimals"]),
        ("\"log\"", "\"lin\"", &["bad.toml:8:", "`lin`", "linear"]),
        ("integer = true", "whole = true", &["bad.toml:8:", "`whole`", "integer"]),
        ("q0_bytes", "w", &["bad.toml:8:1: ", "also in [grid]"]),
        ("\"queue\"", "\"seed\"", &["bad.toml:11:8: ", "`seed`"]),
        ("\"late rate\"", "\"queue\"", &["bad.toml:15:8: ", "no other column"]),
        ("window_s = [0.001", "window_s = [0.0015", &["bad.toml:13:12: ", "window"]),
        ("flow = \"late\"", "flow = \"S\"", &["bad.toml:17:8: ", "no flow `S`", "S1, S2, late"]),
        ("between_bytes", "# ", &["bad.toml:20:10: ", "between_bytes"]),
        ("points = 3", "points = 900000", &["bad.toml: ", "at most 1000000"]),
    ] {
        check(&with(from, to), pieces);
    }
    // An error in the scenario has its place there.
    fs::write(folder.path().join("my.toml"), SCENARIO.replace("count", "cuont")).unwrap();
    check(PLAN, &["my.toml:5:1: ", "`cuont`"]);
    fs::write(folder.path().join("my.toml"), SCENARIO.replace("\"smcc\"", "\"smcc\"\nparameters = { w = 2, q1 = 3 }"))
        .unwrap();
    check(PLAN, &["my.toml:12:23: ", "`q1`"]);
    fs::write(folder.path().join("my.toml"), SCENARIO).unwrap();
    fs::remove_file(folder.path().join("bad.toml")).unwrap();
    assert_eq!(files_below(folder.path()), before);
}

#[test]
fn wrong_usage_is_refused() {
    let folder = folder();
    let run = |arguments: &[&str], code, pieces: &[&str]| drop(refused(folder.path(), arguments, code, pieces));
    run(&["sweep"], 2, &["FILE.toml", "--out"]);
    run(&["sweep", "plan.toml"], 2, &["--out"]);
    run(&["sweep", "plan.toml", "--out", "o", "--shard", "2/2"], 2, &["0 to N - 1"]);
    run(&["sweep", "plan.toml", "--out", "o", "--shard", "x"], 2, &["0/4"]);
    run(&["sweep", "merge", "--out", "o"], 2, &["<DIR>"]);
    run(&["sweep", "merge", "none", "--out", "o"], 1, &["none"]);
    run(&["sweep", "merge", ".", "--out", "o"], 1, &["no journal"]);
    run(&["sweep", "jobs", "plan.toml", "--out", "o", "--shards", "0"], 2, &["1 to 1000"]);
    assert!(!folder.path().join("o").exists());
}

#[test]
fn shards_threads_and_kills_do_not_change_a_byte() {
    let folder = folder();
    let expected = whole(folder.path());

    // Threads.
    for threads in ["1", "2"] {
        let mut run = tidegate(folder.path(), &["sweep", "plan.toml", "--out", threads]);
        run.env("RAYON_NUM_THREADS", threads).assert().success();
        assert!(results(&folder.path().join(threads)) == expected, "{threads} threads");
    }

    // Shards in two folders, one of them run again when it is complete.
    for (shard, out) in [("0/3", "a"), ("2/3", "b"), ("1/3", "a"), ("1/3", "a")] {
        tidegate(folder.path(), &["sweep", "plan.toml", "--out", out, "--shard", shard]).assert().success();
        assert!(!folder.path().join(out).join("results.csv").exists());
    }
    tidegate(folder.path(), &["sweep", "merge", "a", "b", "--out", "m"]).assert().success();
    assert!(results(&folder.path().join("m")) == expected, "shards");

    // Killed at five moments. Runs are longer, so that there is something to kill.
    fs::write(folder.path().join("plan.toml"), format!("duration_s = 0.02\n{PLAN}")).unwrap();
    let expected = whole_in(folder.path(), "long");
    let journal = folder.path().join("killed/shard-0-of-1.journal");
    let lines = || fs::read(&journal).map_or(0, |text| text.iter().filter(|octet| **octet == b'\n').count());
    let mut left = Vec::new();
    for wanted in [1, 9, 30, 31, 60] {
        let mut child = Command::new(cargo_bin("tidegate"))
            .args(["sweep", "plan.toml", "--out", "killed"])
            .current_dir(folder.path())
            .env("RAYON_NUM_THREADS", "1")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let started = Instant::now();
        while lines() < wanted {
            assert!(started.elapsed() < Duration::from_secs(60), "no progress");
            std::thread::sleep(Duration::from_micros(200));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        left.push(lines());
    }
    assert!(left.is_sorted() && left[2] <= RUNS, "lines were lost, or nothing was interrupted: {left:?}");
    let run = tidegate(folder.path(), &["sweep", "plan.toml", "--out", "killed", "--json"]).assert().success();
    let report: serde_json::Value = serde_json::from_slice(&run.get_output().stdout).unwrap();
    let number = |key: &str| report[key].as_u64().unwrap() as usize;
    assert_eq!((number("runs"), number("runs_before") + number("runs_now")), (RUNS, RUNS), "{report}");
    assert!(results(&folder.path().join("killed")) == expected, "killed");
}

#[test]
fn a_torn_line_is_run_again_and_other_damage_is_refused() {
    let folder = folder();
    let expected = whole(folder.path());
    let journal = folder.path().join("whole/shard-0-of-1.journal");
    let text = fs::read(&journal).unwrap();
    let again = |octets: &[u8]| {
        fs::write(&journal, octets).unwrap();
        tidegate(folder.path(), &["sweep", "plan.toml", "--out", "whole", "--json"])
            .assert()
            .success()
            .get_output()
            .stdout
            .clone()
    };
    let ends: Vec<usize> = (0..text.len()).filter(|at| text[*at] == b'\n').collect();
    // Within the header, within the last line, without its end, with a changed octet, with zeros behind.
    let mut changed = text.clone();
    let at = changed.len() - 30;
    changed[at] ^= 1;
    let zeros = [&text[..=ends[40]], &[0; 50][..]].concat();
    for (octets, left) in [
        (&text[..10], 0),
        (&text[..text.len() - 3], RUNS - 1),
        (&text[..text.len() - 1], RUNS - 1),
        (&changed, RUNS - 1),
        (&zeros, 40),
        (&text[..ends[7] + 5], 7),
    ] {
        let report: serde_json::Value = serde_json::from_slice(&again(octets)).unwrap();
        assert_eq!(report["runs_before"].as_u64().unwrap() as usize, left);
        assert!(results(&folder.path().join("whole")) == expected);
    }
    // A damaged line that others follow is no accident of the end.
    let mut damaged = text.clone();
    damaged[ends[4] + 3] ^= 1;
    fs::write(&journal, &damaged).unwrap();
    let line = ".journal:6: ";
    refused(folder.path(), &["sweep", "plan.toml", "--out", "whole"], 1, &[line, "damaged"]);
    // A line twice.
    let twice = [&text[..], &text[ends[4] + 1..=ends[5]]].concat();
    fs::write(&journal, twice).unwrap();
    refused(folder.path(), &["sweep", "merge", "whole", "--out", "m"], 1, &["twice"]);
    assert!(!folder.path().join("m").exists());
}

#[test]
fn what_does_not_belong_together_is_refused() {
    let folder = folder();
    let sweep = |plan: &str, shard: &str, out: &str| {
        tidegate(folder.path(), &["sweep", plan, "--out", out, "--shard", shard]).assert().success();
    };
    sweep("plan.toml", "0/3", "a");
    // Missing shards.
    refused(
        folder.path(),
        &["sweep", "merge", "a", "--out", "m"],
        1,
        &["64 of 96 runs are missing", "shard 1/3 (32 runs", "shard 2/3"],
    );
    sweep("plan.toml", "1/3", "a");
    let journal = folder.path().join("a/shard-1-of-3.journal");
    let text = fs::read(&journal).unwrap();
    fs::write(&journal, &text[..text.len() - 1]).unwrap();
    sweep("plan.toml", "2/3", "b");
    refused(
        folder.path(),
        &["sweep", "merge", "a", "b", "--out", "m"],
        1,
        &["1 of 96 runs are missing: shard 1/3 (1 runs"],
    );
    refused(folder.path(), &["sweep", "merge", "a", "b", "a", "--out", "m"], 1, &["both of shard 0/3"]);
    // Another division.
    refused(
        folder.path(),
        &["sweep", "plan.toml", "--out", "a", "--shard", "0/2"],
        1,
        &["shard 0/3", "another folder"],
    );
    sweep("plan.toml", "0/2", "c");
    refused(folder.path(), &["sweep", "merge", "a", "c", "--out", "m"], 1, &["one division"]);
    // A changed plan, a changed scenario.
    fs::write(folder.path().join("plan.toml"), PLAN.replace("w = [1, 2", "w = [1, 5")).unwrap();
    refused(
        folder.path(),
        &["sweep", "plan.toml", "--out", "a", "--shard", "0/3"],
        1,
        &["shard-0-of-3.journal", "another plan", "plan.toml is `w = [1, 5", "and was `w = [1, 2"],
    );
    sweep("plan.toml", "0/3", "d");
    refused(folder.path(), &["sweep", "merge", "a", "d", "--out", "m"], 1, &["different plans"]);
    fs::write(folder.path().join("plan.toml"), PLAN).unwrap();
    fs::write(folder.path().join("my.toml"), SCENARIO.replace("count = 2", "count = 3")).unwrap();
    refused(folder.path(), &["sweep", "plan.toml", "--out", "a", "--shard", "0/3"], 1, &["another plan"]);
    // Two processes.
    let locked = fs::File::open(folder.path().join("b/shard-2-of-3.journal")).unwrap();
    locked.lock().unwrap();
    fs::write(folder.path().join("my.toml"), SCENARIO).unwrap();
    refused(folder.path(), &["sweep", "plan.toml", "--out", "b", "--shard", "2/3"], 1, &["in use"]);
    refused(folder.path(), &["sweep", "merge", "a", "b", "--out", "m"], 1, &["in use"]);
    drop(locked);
    sweep("plan.toml", "1/3", "a");
    tidegate(folder.path(), &["sweep", "merge", "b", "a", "--out", "m"]).assert().success();
}

#[test]
fn a_changed_data_file_is_another_sweep() {
    let folder = folder();
    let sizes = "[[flow]]\nname = \"sized\"\nsizes_file = \"sizes.txt\"\n[[variant]]";
    fs::write(folder.path().join("my.toml"), SCENARIO.replacen("[[variant]]", sizes, 1)).unwrap();
    let data = folder.path().join("sizes.txt");
    fs::write(&data, "20000 0.5\n90000 1\n").unwrap();
    let shard = |shard| ["sweep", "plan.toml", "--out", "a", "--shard", shard];
    tidegate(folder.path(), &shard("0/2")).assert().success();
    fs::write(&data, "20000 0.5\n90001 1\n").unwrap();
    refused(folder.path(), &shard("0/2"), 1, &["shard-0-of-2.journal", "sizes.txt is `90001 1`, and was `90000 1`"]);
    tidegate(folder.path(), &["sweep", "plan.toml", "--out", "b", "--shard", "1/2"]).assert().success();
    refused(folder.path(), &["sweep", "merge", "a", "b", "--out", "m"], 1, &["different plans"]);
    fs::write(&data, "20000 0.5\n90000 1\n").unwrap();
    tidegate(folder.path(), &shard("1/2")).assert().success();
    let expected = whole(folder.path());
    // The journals have the data.
    fs::remove_file(&data).unwrap();
    tidegate(folder.path(), &["sweep", "merge", "a", "--out", "m"]).assert().success();
    assert!(results(&folder.path().join("m")) == expected);
    refused(folder.path(), &shard("0/2"), 1, &["my.toml:11:14: ", "sizes.txt"]);
}

#[test]
fn a_latency_of_feedback_is_swept_and_is_a_part_of_the_scenario() {
    let folder = folder();
    let plan =
        "scenario = \"my.toml\"\nvariants = [\"V\"]\n[grid]\nw = [1]\n\"output.bottleneck.feedback_us\" = [0, 40.5]\n";
    fs::write(folder.path().join("plan.toml"), plan).unwrap();
    // Long enough for feedback.
    let scenario = SCENARIO.replace("0.002", "0.02");
    fs::write(folder.path().join("my.toml"), &scenario).unwrap();
    let sweep = ["sweep", "plan.toml", "--out", "a"];
    tidegate(folder.path(), &sweep).assert().success();
    let rows = records(&fs::read_to_string(folder.path().join("a/results.csv")).unwrap());
    let column =
        rows[0].iter().position(|name| name == "output.bottleneck.feedback_us").expect("the latency is a column");
    assert_eq!([&rows[1][column], &rows[2][column]], ["0", "40.5"]);
    assert_ne!(rows[1][column + 1..], rows[2][column + 1..], "the latency changes what is measured");
    let range = scenario.replacen(
        "[[variant]]",
        "[[output]]\nname = \"bottleneck\"\nfeedback_within_us = [1, 2]\n[[variant]]",
        1,
    );
    fs::write(folder.path().join("my.toml"), range).unwrap();
    refused(folder.path(), &sweep, 1, &["plan.toml:5:36: ", "expected one of feedback_us and feedback_within_us"]);
    let range = "scenario = \"my.toml\"\nvariants = [\"V\"]\n";
    fs::write(folder.path().join("plan.toml"), range).unwrap();
    tidegate(folder.path(), &["sweep", "plan.toml", "--out", "b"]).assert().success();
    let text = fs::read_to_string(folder.path().join("my.toml")).unwrap();
    fs::write(folder.path().join("my.toml"), text.replace("[1, 2]", "[1, 3]")).unwrap();
    refused(folder.path(), &["sweep", "plan.toml", "--out", "b"], 1, &["another plan", "of my.toml is "]);
}

/// The records of a CSV file without line breaks in its cells.
fn records(text: &str) -> Vec<Vec<String>> {
    let record = |line: &str| {
        let (mut cells, mut quoted) = (vec![String::new()], false);
        for letter in line.chars() {
            match letter {
                '"' => quoted = !quoted,
                ',' if !quoted => cells.push(String::new()),
                letter => cells.last_mut().unwrap().push(letter),
            }
        }
        cells
    };
    text.lines().map(record).collect()
}

#[test]
fn rows_say_all_of_a_run_and_both_formats_say_the_same() {
    let folder = folder();
    let files = whole(folder.path());
    let rows = records(std::str::from_utf8(&files[0]).unwrap());
    let (head, rows) = rows.split_first().unwrap();
    assert_eq!((rows.len(), &head[..4]), (RUNS, &["run", "variant", "scheme", "seed"].map(String::from)[..]));
    let last = ["flow.S.start_rate_mbps", "output.bottleneck.delay_us", "queue", "late rate", "settled"];
    assert_eq!(head[head.len() - 5..], last);
    let of = |row: &[String], name: &str| row[head.iter().position(|head| head == name).unwrap()].clone();
    for (number, row) in rows.iter().enumerate() {
        assert_eq!(of(row, "run"), number.to_string());
        let (seed, variant, point) = (number % 2, number / 2 % 2, number / 4);
        assert_eq!(of(row, "seed"), (seed + 1).to_string());
        assert_eq!(
            (of(row, "variant"), of(row, "scheme")),
            [("V".into(), "smcc".into()), ("Q, quoted".into(), "qcn".into())][variant]
        );
        // The draws are the same for each point of the grid.
        let (draw, rate, weight) = (point % 3, point / 3 % 2, point / 6);
        assert_eq!(of(row, "flow.S.start_rate_mbps"), ["100", "250.5"][rate]);
        assert_eq!(of(row, "w"), (weight + 1).to_string());
        let first = &rows[draw * 4];
        for key in ["q0_bytes", "output.bottleneck.delay_us"] {
            assert_eq!(of(row, key), of(first, key));
        }
        assert!((1000..=60000).contains(&of(row, "q0_bytes").parse().unwrap()));
        assert!((0.5..=2.0).contains(&of(row, "output.bottleneck.delay_us").parse().unwrap()));
        // Only one of the schemes has these, and no row has what a scenario says elsewhere.
        assert_eq!(
            (of(row, "ra_mbps").is_empty(), of(row, "byte_cycle_bytes").is_empty()),
            (variant == 1, variant == 0)
        );
    }
    assert!(!head.contains(&"flows".to_string()) && head.contains(&"buffer_bytes".to_string()));
    // Another start rate is another run; a point has two variants and two seeds, a rate three points.
    for (number, row) in rows.iter().enumerate().filter(|(number, _)| number / 12 % 2 == 0) {
        assert_ne!(of(row, "queue"), of(&rows[number + 12], "queue"), "runs {number} and {}", number + 12);
    }
    let drawn: BTreeSet<_> = rows.iter().map(|row| of(row, "q0_bytes")).collect();
    assert_eq!(drawn.len(), 3);
    assert!(rows.iter().any(|row| of(row, "settled") == "inf"));

    let file = fs::File::open(folder.path().join("whole/results.parquet")).unwrap();
    let reader = SerializedFileReader::new(file).unwrap();
    let metadata = reader.metadata().file_metadata();
    assert_eq!(metadata.created_by(), Some(concat!("tidegate ", env!("CARGO_PKG_VERSION"))));
    let mut count = 0;
    for (record, row) in reader.get_row_iter(None).unwrap().zip(rows) {
        count += 1;
        let record = record.unwrap();
        let cells: Vec<_> = record.get_column_iter().collect();
        assert_eq!(cells.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), *head);
        for ((name, field), cell) in cells.iter().zip(row) {
            let same = match field {
                Field::Null => cell.is_empty(),
                Field::Long(value) => *cell == value.to_string(),
                Field::Double(value) => cell.parse::<f64>().unwrap().to_bits() == value.to_bits(),
                Field::Bool(value) => *cell == value.to_string(),
                Field::Str(value) => cell == value,
                _ => false,
            };
            assert!(same, "{name}: {field:?} and {cell}");
            // A column has the type of its values.
            let is_text = matches!(field, Field::Str(_));
            let of_another_type = cell.parse::<f64>().is_ok() || cell.parse::<bool>().is_ok();
            assert!(!is_text || !of_another_type, "{name} is text: {cell}");
        }
    }
    assert_eq!(count, RUNS);
    // Flags, and choices that are numbers.
    let types = column_types(&folder.path().join("whole/results.parquet"));
    let of = |name: &str| types.iter().find(|(known, _)| known == name).map(|(_, kind)| *kind);
    for name in ["extra_fast_recovery", "target_reduction", "include_overhead"] {
        assert_eq!(of(name), Some(Type::BOOLEAN), "{name}");
    }
    for name in ["cp_queues", "cpid_bits", "w", "sample_packets"] {
        assert_eq!(of(name), Some(Type::INT64), "{name}");
    }
    assert_eq!([of("line_rate_mbps"), of("sample_mode")], [Some(Type::DOUBLE), Some(Type::BYTE_ARRAY)]);
}

/// Names and types of the columns of a Parquet file.
fn column_types(file: &Path) -> Vec<(String, Type)> {
    let reader = SerializedFileReader::new(fs::File::open(file).unwrap()).unwrap();
    let columns = reader.metadata().file_metadata().schema_descr().columns().to_vec();
    columns.iter().map(|column| (column.name().to_string(), column.physical_type())).collect()
}

/// A queue that is not in the range at the end of one of the runs does not hide the others.
#[test]
fn points_have_the_statistics_of_their_seeds() {
    let folder = folder();
    let plan = PLAN.replace("seeds = 2", "seeds = 3").replace("w = [1, 2, 3, 4]", "w = [2, 4]");
    fs::write(folder.path().join("plan.toml"), plan.replace("[0, 640]", "[0, 4096]")).unwrap();
    let files = whole(folder.path());
    let [runs, points] = [0, 3].map(|at| records(std::str::from_utf8(&files[at]).unwrap()));
    let (head, rows) = points.split_first().unwrap();
    assert_eq!((rows.len(), &head[..4]), (24, &["row", "variant", "scheme", "seeds"].map(String::from)[..]));
    let measures = ["queue mean", "queue deviation", "late rate mean", "late rate deviation"];
    assert_eq!(head[head.len() - 6..head.len() - 2], measures);
    assert_eq!(head[head.len() - 2..], ["settled settled_percent", "settled median"]);
    let mut shares = BTreeSet::new();
    for (row, runs) in rows.iter().zip(runs[1..].chunks(3)) {
        // What a point is stands in both tables.
        assert!(row[1..3] == runs[0][1..3] && row[3] == "3" && row[4..row.len() - 6] == runs[0][4..runs[0].len() - 3]);
        let column = |from_end: usize| {
            let mut values: Vec<f64> = runs.iter().map(|run| run[run.len() - from_end].parse().unwrap()).collect();
            values.sort_by(f64::total_cmp);
            values
        };
        let number = |from_end: usize| row[row.len() - from_end].parse::<f64>().unwrap();
        let (queue, settled) = (column(3), column(1));
        assert!((number(6) - queue.iter().sum::<f64>() / 3.0).abs() < 1e-9);
        assert!(number(5) >= 0.0 && number(5) <= queue[2] - queue[0]);
        let share = settled.iter().filter(|time| time.is_finite()).count();
        assert!((number(2) - share as f64 / 0.03).abs() < 1e-9, "{settled:?}: {}", number(2));
        assert_eq!(number(1), settled[1], "{settled:?}");
        shares.insert(share);
    }
    assert!(shares.iter().any(|share| (1..3).contains(share)), "each point settles or does not: {shares:?}");
    let reader =
        SerializedFileReader::new(fs::File::open(folder.path().join("whole/points.parquet")).unwrap()).unwrap();
    let fields = reader.metadata().file_metadata().schema().get_fields().iter().map(|field| field.name().to_string());
    assert_eq!((reader.get_row_iter(None).unwrap().count(), fields.collect::<Vec<_>>()), (24, head.clone()));
    let page = String::from_utf8(files[2].clone()).unwrap();
    for wanted in ["settled: runs that settle", "settled: median", "Share of the runs that settle, over"] {
        assert!(page.contains(wanted), "{wanted}");
    }
}

/// The example of the documentation, with short runs.
#[test]
fn the_example_is_that_of_the_documentation_and_runs() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |name: &str| fs::read_to_string(root.join(name)).unwrap();
    let (plan, page) = (read("examples/sweep.toml"), read("docs/scenarios.md"));
    let shown = plan.trim_start_matches(&format!("# {}\n", tidegate::licence::LINE));
    assert!(page.contains(&format!("```toml\n{shown}```")), "docs/scenarios.md shows another plan");
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("background.toml"), read("examples/background.toml")).unwrap();
    let short = plan.replace("seeds = 3 ", "seeds = 1 ").replace("window_s = [0.12, 0.2]", "window_s = [0.001, 0.002]");
    fs::write(folder.path().join("sweep.toml"), format!("duration_s = 0.002\n{short}")).unwrap();
    tidegate(folder.path(), &["sweep", "sweep.toml", "--out", "out"]).assert().success();
    let page = fs::read_to_string(folder.path().join("out/index.html")).unwrap();
    for wanted in ["32 runs: 16 points, 2 variants, 1 seed.", "flow.S.count", "<svg", "queue_kb", "fairness"] {
        assert!(page.contains(wanted), "{wanted}");
    }
    // The whole example is checked, not run.
    fs::write(folder.path().join("sweep.toml"), plan).unwrap();
    tidegate(folder.path(), &["sweep", "jobs", "sweep.toml", "--out", "jobs", "--shards", "4"]).assert().success();
}

/// Runs the job files, where GNU parallel is there.
#[test]
fn job_files_run_with_gnu_parallel() {
    let folder = folder();
    let folder_name = folder.path().join("it's here");
    fs::create_dir(&folder_name).unwrap();
    for name in ["my.toml", "plan.toml"] {
        fs::copy(folder.path().join(name), folder_name.join(name)).unwrap();
    }
    tidegate(&folder_name, &["sweep", "jobs", "plan.toml", "--out", "jobs", "--shards", "3"]).assert().success();
    let array = fs::read_to_string(folder_name.join("jobs/shards.slurm")).unwrap();
    assert!(array.contains("#SBATCH --array=0-2\n") && array.contains("--shard \"$SLURM_ARRAY_TASK_ID\"/3"), "{array}");
    let there =
        Command::new("parallel").arg("--version").output().is_ok_and(|run| run.stdout.starts_with(b"GNU parallel"));
    if !there {
        eprintln!("skipped: GNU parallel is not there");
        return;
    }
    let run = Command::new("sh").args(["jobs/parallel.sh", "--jobs", "2"]).current_dir(&folder_name).output().unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    assert!(results(&folder_name.join("jobs")) == whole(folder.path()));
}
