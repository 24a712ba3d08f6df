// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a user of a terminal expects: completion in three shells, `-`, tables with whole keys, messages in words of the
//! file, progress where there is no terminal, and a README whose commands run.

use crate::common::{files_below, refused, tidegate};
use regex::Regex;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tidegate::experiment::catalogue;
use tidegate::experiment::kind::AnyFile;
use tidegate::experiment::scenario::Source;
use tidegate::sweep::plan::Plan;
use tidegate::toolchain::find::{Places, Tool};
use toml::{Table, Value};

const SCENARIO: &str = "title = \"t\"\nduration_s = 0.01\n[[flow]]\nname = \"S\"\ncount = 2\n[[variant]]\nname = \"V\"\nscheme = \"smcc\"\n";

fn stdout(folder: &Path, arguments: &[&str]) -> String {
    let run = tidegate(folder, arguments).assert().success();
    String::from_utf8(run.get_output().stdout.clone()).unwrap()
}

fn json(folder: &Path, arguments: &[&str]) -> serde_json::Value {
    serde_json::from_str(&stdout(folder, arguments)).unwrap()
}

/// The binary under test.
fn program() -> PathBuf {
    Command::new(assert_cmd::cargo::cargo_bin("tidegate")).get_program().into()
}

/// What the completion of a shell offers for the end of a line, one a line; `None` if the shell is not there.
fn offered(shell: &str, line: &str) -> Option<Vec<String>> {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("my.toml"), "").unwrap();
    let script = folder.path().join("script");
    std::fs::write(&script, stdout(folder.path(), &["completions", shell])).unwrap();
    let script = script.to_str().unwrap();
    let ask = match shell {
        "bash" => format!(
            "source {script}; COMP_LINE='{line}'; COMP_POINT=${{#COMP_LINE}}
             _tidegate tidegate \"${{COMP_LINE##*[ =:]}}\"; printf '%s\\n' \"${{COMPREPLY[@]}}\""
        ),
        // The functions of zsh's own that the script calls.
        "zsh" => format!(
            "compdef() {{ }}; _files() {{ }}; _describe() {{ print -l -- ${{${{(P)3}}%%:*}} }}
             source {script}; words=(${{(s: :)${{:-{line}}}}}); CURRENT=${{#words}}; _tidegate"
        ),
        _ => format!("source {script}; complete -C '{line}' | string replace -r '\\t.*' ''; true"),
    };
    let path = format!("{}:{}", program().parent()?.display(), std::env::var("PATH").unwrap());
    let run = Command::new(shell).args(["-c", &ask]).current_dir(folder.path()).env("PATH", path).output().ok()?;
    let text = String::from_utf8(run.stdout).unwrap();
    assert!(run.status.success() && run.stderr.is_empty(), "{shell}: {}", String::from_utf8_lossy(&run.stderr));
    Some(text.lines().map(str::to_string).filter(|line| !line.is_empty()).collect())
}

#[test]
fn shells_complete_schemes_boards_experiments_and_keys() {
    for shell in ["bash", "zsh", "fish"] {
        if Command::new(shell).arg("-c").arg("true").output().is_err() {
            eprintln!("skipped: {shell} is not there");
            continue;
        }
        for (line, expected) in [
            ("tidegate emit --scheme s", "smcc"),
            ("tidegate compare qcn sm", "smcc"),
            ("tidegate emit --board ec", "ecp5_versa"),
            ("tidegate emit --board my", "my.toml"),
            ("tidegate reproduce smcc-fig2", "smcc-fig20 smcc-fig21 smcc-fig22 smcc-fig23"),
            ("tidegate experiments asm-fig1", "asm-fig10 asm-fig11"),
            ("tidegate reproduce asm-fig5 --set q0_by", "q0_bytes="),
            ("tidegate sim dumb", "dumbbell"),
            ("tidegate compare qcn --family ice", "ice40"),
            ("tidegate emit --scheme qcn --set fast", "fast_recovery_cycles="),
            ("tidegate compare qcn smcc --set qcn.gd", "qcn.gd_shift="),
            ("tidegate run m", "my.toml"),
        ] {
            assert_eq!(offered(shell, line).unwrap().join(" "), expected, "{shell}: {line}");
        }
        // bash completes what is behind the `=`.
        let start = if shell == "bash" { "" } else { "sample_mode=" };
        let modes = ["packets", "bytes", "time"].map(|mode| format!("{start}{mode}"));
        assert_eq!(offered(shell, "tidegate sim dumbbell --set sample_mode=").unwrap(), modes, "{shell}");
    }
}

#[test]
fn a_folder_is_not_the_standard_output() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("my.toml"), SCENARIO).unwrap();
    for arguments in [
        "emit --scheme qcn --out",
        "run my.toml --out",
        "reproduce smcc-fig5 --out",
        "sweep my.toml --out",
        "sweep merge my.toml --out",
        "sweep jobs my.toml --shards 2 --out",
        "verify --out",
        "compare qcn --report",
        "man --out",
    ] {
        let arguments: Vec<&str> = arguments.split(' ').chain(["-"]).collect();
        let option = arguments[arguments.len() - 2];
        refused(folder.path(), &arguments, 2, &[option, "a folder for several files", "such as results"]);
    }
    refused(folder.path(), &["sweep", "jobs", "-", "--shards", "2", "--out", "o"], 2, &["standard input"]);
    assert_eq!(files_below(folder.path()).len(), 1);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "a folder is left");
}

#[test]
fn a_file_named_minus_is_the_standard_output_or_input() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = |arguments: &[&str], input: &str| {
        let run = tidegate(folder.path(), arguments).write_stdin(input.as_bytes()).assert().success();
        run.get_output().stdout.clone()
    };
    let sim = ["sim", "dumbbell", "--cycles", "3000", "--quiet"];
    for option in ["--trace", "--vcd", "--fst"] {
        let to = |place| [&sim[..], &[option, place]].concat();
        let printed = bytes(&to("-"), "");
        bytes(&to("file"), "");
        assert!(!printed.is_empty() && printed == std::fs::read(folder.path().join("file")).unwrap(), "{option}");
    }
    let portrait = String::from_utf8(bytes(&["analyze", "--scheme", "qcn", "--portrait", "-"], "")).unwrap();
    assert!(portrait.starts_with("<svg") && portrait.trim_end().ends_with("</svg>"));
    let events = "cycle,event,a,b\n5,enqueue,1500,0\n";
    let trace = bytes(&["sim", "cp", "--events", "-", "--trace", "-"], events);
    assert!(trace.starts_with(b"cycle,"), "{}", String::from_utf8_lossy(&trace));
    bytes(&["run", "-", "--out", "results"], SCENARIO);
    assert!(folder.path().join("results/scenario/verdict.json").is_file());
    bytes(&["sweep", "-", "--out", "swept"], "experiment = \"smcc-fig17\"\nduration_s = 0.01\n");
    assert!(folder.path().join("swept/results.csv").is_file());
    let board = include_str!("../boards/ecp5_versa.toml").replace("\"ecp5_versa\"", "\"mine\"");
    bytes(&["emit", "--board", "-", "--out", "board"], &board);
    assert!(folder.path().join("board/mine.lpf").is_file());
    assert!(!folder.path().join("-").exists() && !folder.path().join("results/-").exists());
}

#[test]
fn each_key_is_whole_in_its_table() {
    let folder = tempfile::tempdir().unwrap();
    let all = json(folder.path(), &["schemes", "--json"]);
    for scheme in all["schemes"].as_array().unwrap() {
        let table = stdout(folder.path(), &["schemes", scheme["name"].as_str().unwrap()]);
        for parameter in scheme["parameters"].as_array().unwrap() {
            let key = parameter["key"].as_str().unwrap();
            assert!(table.lines().any(|line| line.split(' ').next() == Some(key)), "no line with {key} in {table}");
        }
    }
    let experiments = stdout(folder.path(), &["experiments"]);
    for id in catalogue::ids() {
        assert!(experiments.lines().any(|line| line.starts_with(&format!("{id} "))), "{id}: {experiments}");
    }
}

#[test]
fn profiles_are_those_that_can_be_set_and_their_defaults_those_that_run() {
    let folder = tempfile::tempdir().unwrap();
    let all = json(folder.path(), &["schemes", "--json"]);
    for scheme in all["schemes"].as_array().unwrap() {
        let profiles: Vec<&str> =
            scheme["profiles"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
        let qcn = scheme["name"] == "qcn";
        assert_eq!(profiles.len(), if qcn { 3 } else { 1 }, "{scheme}");
        for parameter in scheme["parameters"].as_array().unwrap() {
            assert_eq!(parameter.get("default_8021q").is_some(), qcn, "{parameter}");
        }
    }
    let qcn = &all["schemes"][0];
    for profile in ["8021q", "pseudo_code"] {
        let set = format!("profile={profile}");
        let run = json(folder.path(), &["sim", "dumbbell", "--cycles", "2000", "--json", "--set", &set]);
        for parameter in qcn["parameters"].as_array().unwrap() {
            let key = parameter["key"].as_str().unwrap();
            assert_eq!(parameter[format!("default_{profile}")], run["parameters"][key], "{profile}: {key}");
        }
    }
}

/// Every place of a value in a table, as a path of keys and indices.
fn places(value: &Value, here: &mut Vec<String>, all: &mut Vec<Vec<String>>) {
    if !here.is_empty() {
        all.push(here.clone());
    }
    let inner: Vec<(String, &Value)> = match value {
        Value::Table(table) => table.iter().map(|(key, value)| (key.clone(), value)).collect(),
        Value::Array(list) => list.iter().enumerate().map(|(at, value)| (at.to_string(), value)).collect(),
        _ => Vec::new(),
    };
    for (key, value) in inner {
        here.push(key);
        places(value, here, all);
        here.pop();
    }
}

fn at<'a>(value: &'a mut Value, place: &[String]) -> &'a mut Value {
    place.iter().fold(value, |value, key| match value {
        Value::Array(list) => &mut list[key.parse::<usize>().unwrap()],
        other => &mut other[key.as_str()],
    })
}

/// Puts a value of each other kind into each place of a text. Returns how many of the texts were refused.
fn wrong_values(text: &str, read: &dyn Fn(&str) -> anyhow::Result<()>) -> usize {
    let ours = Regex::new(
        r"\b(struct|enum|newtype|[iu](8|16|32|64)|f64|usize|bool|unit|variant identifier|unknown variant|sequence|map|invalid (type|value|length)|wanted)\b",
    )
    .unwrap();
    let whole = Value::Table(text.parse::<Table>().unwrap());
    let mut all = Vec::new();
    places(&whole, &mut Vec::new(), &mut all);
    let table = Value::Table(Table::from_iter([("x".to_string(), Value::Integer(1))]));
    let kinds = [
        Value::Integer(-5),
        Value::Float(0.5),
        Value::Boolean(true),
        Value::String("x".into()),
        Value::Array(Vec::new()),
        Value::Array(vec![table.clone()]),
        Value::Table(Table::new()),
        table,
    ];
    let mut refused = 0;
    for place in &all {
        for kind in &kinds {
            let mut changed = whole.clone();
            *at(&mut changed, place) = kind.clone();
            let text = toml::to_string(&changed).unwrap();
            if let Err(error) = read(&text) {
                refused += 1;
                let message = format!("{error:#}");
                assert!(!ours.is_match(&message), "{} = {kind}: {message}", place.join("."));
            }
        }
    }
    refused
}

#[test]
fn wrong_kinds_of_values_are_named_in_words_of_the_file() {
    let scenario = |text: &str| AnyFile::of("x", Source { name: "x.toml".into(), text: text.into() }).map(drop);
    let whole = "title = 't'\npaper = 'p'\nnotes = ['n']\nduration_s = 1\nseeds = 2\nlook_ms = 1\n\
                 distribution_s = [0, 1]\nshown_s = [0, 1]\npictures = ['queue']\n[parameters]\nw = 4\n\
                 q0_bytes = { value = 30000, from = 'stated' }\n[[output]]\nname = 'O'\nrate_mbps = 100\nbuffer_bytes = 5000\n\
                 pause_bytes = 100\ncongestion_point = true\nfeedback_within_us = [1, 2]\nfrom = 'x'\n[[flow]]\nname = 'S'\n\
                 count = 2\npath = ['O']\nstart_within_s = [0, 1]\nsize_distribution = 'web_search'\ncontrol = 'window'\n\
                 [[change]]\nat_s = 1\nparameters = { w = 2 }\noutput = { O = { delay_us = 5 } }\nflow = { S = { delay_us = 5 } }\n\
                 [[variant]]\nname = 'V'\nscheme = 'qcn'\nparameters = { w = 3 }\nchange = [{ at_s = 1 }]\n\
                 output = { O = { rate_mbps = 5 } }\nflow = { S = { count = 1 } }\n[[grid]]\nof = 'V'\nparameter = 'w'\n\
                 values = [[1, 2]]\nfrom = 'choice'\n[[ablation]]\nname = 'A'\nof = 'V'\nonly = ['c']\nparameters = { w = 1 }\n\
                 [[claim]]\nid = 'c'\nclaim = 'c'\npaper = '5'\nmeasure = { metric = 'settle_ms', window_s = [0, 1], \
                 between_bytes = [0, 64] }\nover = 'least'\nratio_to = { window_s = [0, 1] }\nminus = { output = 'O' }\n\
                 expect = [1, 2]\npartly = [0, 3]\nbound = 'b'\nremark = 'r'\n";
    scenario(whole).unwrap();
    assert!(wrong_values(whole, &scenario) > 400);
    let area = "title = 't'\ncalculates = { area = { family = 'ecp5', part = 'rp', ports = 4 } }\n\
                [[variant]]\nname = 'V'\nscheme = 'qcn'\n";
    scenario(area).unwrap();
    assert!(wrong_values(area, &scenario) > 30);
    let plan = |text: &str| Source { name: "p.toml".into(), text: text.into() }.parse::<Plan>().map(drop);
    let whole = "scenario = 's'\nvariants = ['V']\nseeds = 2\nduration_s = 1\n[grid]\nw = [1, 2]\n[random]\npoints = 4\nseed = 7\n\
                 q0_bytes = { from = 1, to = 2, scale = 'log', integer = true }\n[[measure]]\nname = 'm'\nmetric = 'settle_ms'\n\
                 window_s = [0, 1]\noutput = 'O'\nbetween_bytes = [0, 64]\n";
    plan(whole).unwrap();
    assert!(wrong_values(whole, &plan) > 80);
    let board = |text: &str| tidegate::board::parse("b.toml", text).map(drop);
    let whole = include_str!("../boards/netfpga_1g.toml");
    board(whole).unwrap();
    assert!(wrong_values(whole, &board) > 400);
}

#[test]
fn mistakes_in_a_toml_file_have_their_line() {
    let folder = tempfile::tempdir().unwrap();
    let run = |text: &[u8], expected: &[&str]| {
        std::fs::write(folder.path().join("my.toml"), text).unwrap();
        refused(folder.path(), &["run", "my.toml", "--out", "o"], 1, expected);
    };
    run(b"title = \"t\"\n# M\xfcller\n", &["my.toml:2: octet 4", "0xfc", "UTF-8"]);
    let twice = format!("title = \"u\"\n{SCENARIO}");
    run(twice.as_bytes(), &["my.toml:2:1: the key `title` is here a second time, the first is in line 1"]);
    let two = "[[ablation]]\nname = \"x\"\nof = \"V\"\n".repeat(2);
    run(format!("{SCENARIO}{two}").as_bytes(), &["my.toml:13:8: ", "a second `x`: expected an ablation with"]);
    run(SCENARIO.replace("[[flow]]", "[flow]").as_bytes(), &["my.toml:3:", "found a table, expected a list", "[["]);
    run(
        SCENARIO.replace("duration_s = 0.01", "duration_s = { a = 1 }").as_bytes(),
        &["found a table, expected a number"],
    );
    let three = "shown_s = [0, 0.005, 0.01]\n".to_string() + SCENARIO;
    run(three.as_bytes(), &["my.toml:1:11: found a list of 3, expected a list of 2"]);
    run(SCENARIO.replace("duration_s", "durations").as_bytes(), &["my.toml:2:1: ", "did you mean `duration_s`?"]);
}

#[test]
fn a_run_of_a_million_circuits_says_how_long_it_takes() {
    let folder = tempfile::tempdir().unwrap();
    let sim = ["sim", "dumbbell", "--engine", "rtl", "--set", "flows=1000000"];
    let long = [&sim[..], &["--cycles", "100000000"]].concat();
    refused(folder.path(), &long, 2, &["1000000 reaction points", "116 days", "at most 10000000;", "--engine model"]);
    // A run of some days is possible, and is said before it begins.
    let said = first_line(folder.path(), &[&sim[..], &["--cycles", "2500000"]].concat());
    assert_eq!(
        said,
        "tidegate: 2500000 cycles take about 3 days with 1000000 reaction points as circuits; if that is too long, use \
         --engine model, --cycles, or fewer flows"
    );
}

/// The first line that a run writes to stderr; then it is ended.
fn first_line(folder: &Path, arguments: &[&str]) -> String {
    let mut run = Command::new(program())
        .args(arguments)
        .current_dir(folder)
        .stderr(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(run.stderr.take().unwrap()).read_line(&mut line).unwrap();
    run.kill().unwrap();
    run.wait().unwrap();
    line.trim_end().to_string()
}

#[test]
fn long_work_without_a_terminal_soon_says_what_is_done() {
    let folder = tempfile::tempdir().unwrap();
    let said = first_line(folder.path(), &["sim", "dumbbell", "--engine", "rtl", "--cycles", "500000000"]);
    let line =
        Regex::new(r"^tidegate: \d+ of 500000000 cycles done after \d+ s(, about \d+ (s|min|h) left)?$").unwrap();
    assert!(line.is_match(&said), "{said}");
    // The check of a plan: a million points, each of which is checked before the first run.
    std::fs::write(folder.path().join("my.toml"), SCENARIO).unwrap();
    let plan = "scenario = \"my.toml\"\n[random]\npoints = 1000000\nra_mbps = { from = 1, to = 9 }\n";
    std::fs::write(folder.path().join("plan.toml"), plan).unwrap();
    let said = first_line(folder.path(), &["sweep", "plan.toml", "--shard", "0/1000", "--out", "o"]);
    let line =
        Regex::new(r"^tidegate: \d+ of 1000000 checks of the plan done after \d+ s(, about \d+ (s|min|h) left)?$")
            .unwrap();
    assert!(line.is_match(&said), "{said}");
}

#[test]
fn the_readme_of_an_output_has_commands_that_run() {
    let (folder, home) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    stdout(folder.path(), &["emit", "--scheme", "smcc", "--part", "cp", "--out", "out"]);
    let readme = std::fs::read_to_string(folder.path().join("out/README.md")).unwrap();
    assert!(readme.contains("--part cp --out DIR"), "{readme}");
    if Places::of_process().for_shell().is_empty() {
        assert!(readme.contains("`tidegate doctor` says which are found"), "{readme}");
        eprintln!("skipped: scripts/setup-tools has not run");
        return;
    }
    let (_, checks) = readme.split_once("## Check it").unwrap();
    let lines = |word: &str| checks.lines().filter(|line| line.starts_with(word)).collect::<Vec<_>>();
    let path = lines("export PATH=")[0];
    let icarus = if Tool::Icarus.find().is_ok() { &["iverilog", "vvp", "fusesoc"][..] } else { &[] };
    for command in ["verilator"].iter().chain(icarus).flat_map(|word| lines(&format!("{word} "))) {
        let command = command.replace("DIR", folder.path().join("out").to_str().unwrap());
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("{path}\n{command}")]).current_dir(home.path());
        // The usual PATH of a system, and no home with settings of ours.
        let run = shell.env("PATH", "/usr/local/bin:/usr/bin:/bin").env("HOME", home.path()).output().unwrap();
        assert!(run.status.success(), "{command}: {}", String::from_utf8_lossy(&run.stderr));
    }
}
