// SPDX-License-Identifier: MIT OR Apache-2.0
//! `experiments`, `run` and `reproduce`: their files, their errors, and that a failure leaves nothing.

use crate::common::{files_below, refused, tidegate};
use std::path::Path;
use std::process::Command;
use tidegate::frame::capture::CaptureReader;
use tidegate::frame::cnm::{Cnm, Tags};
use tidegate::model::wire::{CPID, mac_octets, rp_mac};

const SCENARIO: &str = "title = \"t\"\nduration_s = 0.01\n[[flow]]\nname = \"S\"\ncount = 2\n[[variant]]\nname = \"V\"\nscheme = \"smcc\"\n";

#[test]
fn a_scenario_leaves_a_folder_and_a_page() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("my.toml"), SCENARIO).unwrap();
    let run = tidegate(folder.path(), &["run", "my.toml", "--out", "a/b", "--json"]).assert().success();
    let report: serde_json::Value = serde_json::from_slice(&run.get_output().stdout).unwrap();
    assert_eq!((&report["format_version"], &report["experiments"][0]["id"]), (&1.into(), &"my".into()));
    assert!(report["experiments"][0]["packets"].as_u64().unwrap() > 1000);
    let out = folder.path().join("a/b");
    let first = files_below(&out);
    let names: Vec<_> = first.iter().map(|(path, _)| path.to_str().unwrap()).collect();
    let expected = [
        "distribution.svg",
        "metrics.csv",
        "parameters.csv",
        "queue.csv",
        "queue.svg",
        "rates.csv",
        "rates.svg",
        "scenario.toml",
        "shares.svg",
        "verdict.json",
    ];
    let expected: Vec<_> =
        ["index.html".to_string()].into_iter().chain(expected.map(|name| format!("my/{name}"))).collect();
    let expected = [expected, vec!["tidegate-manifest.json".to_string()]].concat();
    assert_eq!(names, expected);
    // Over the files of a run before.
    tidegate(folder.path(), &["run", "my.toml", "--out", "a/b"]).assert().success();
    assert!(files_below(&out) == first, "the same file gives other bytes");
}

#[test]
fn the_frames_of_a_link_are_captured() {
    let folder = tempfile::tempdir().unwrap();
    let background = "[[flow]]\nname = \"B\"\nrate_mbps = 200\n[[variant]]";
    let scenario =
        SCENARIO.replace("[[flow]]", "shown_s = [0.002, 0.008]\n[[flow]]").replace("[[variant]]", background)
            + "parameters = { sample_packets = 20 }\n";
    std::fs::write(folder.path().join("my.toml"), &scenario).unwrap();
    tidegate(folder.path(), &["run", "my.toml", "--out", "out", "--pcap", "bottleneck"]).assert().success();
    let path = folder.path().join("out/my/frames-1.pcap");
    let start = captured(&path)[0].0;
    assert!((2_000_000..2_000_000 + 2 * 8192).contains(&start), "{start} ns");
    let mut reader = CaptureReader::open(&path).unwrap();
    let (mut data, mut uncontrolled, mut feedback, mut last, mut departed) = (0, 0, 0, 0, 0);
    while let Some(frame) = reader.next().transpose().unwrap() {
        // The reader counts from the first frame.
        assert!(frame.time_ns < 6_000_000 && frame.time_ns >= last, "{} ns", frame.time_ns);
        last = frame.time_ns;
        let low_octet = |flow| mac_octets(rp_mac(flow))[5];
        match Cnm::parse(&frame.bytes) {
            Ok(cnm) => {
                feedback += 1;
                assert_eq!((cnm.cpid, cnm.destination[..5].to_vec()), (CPID, mac_octets(rp_mac(0))[..5].to_vec()));
                let flow = cnm.flow_id.expect("feedback has the CN-TAG of its sample");
                assert!(flow < 2 && cnm.destination[5] == low_octet(flow.into()), "{cnm:?}");
            }
            Err(_) => {
                data += 1;
                let flow = (0..3).find(|&flow| low_octet(flow) == frame.bytes[11]).expect("one of the sources");
                let tags = Tags::of(&frame.bytes);
                assert_eq!(tags.flow_id, (flow < 2).then_some(flow as u16), "only controlled flows have a CN-TAG");
                assert_eq!(frame.bytes[tags.ether_type_at..][..2], [0x88, 0xb5]);
                uncontrolled += u32::from(flow == 2);
                assert_eq!((frame.bytes.len(), frame.original_length), (64, 1024));
                // A byte a cycle of 8 ns.
                assert!(data == 1 || frame.time_ns >= departed + 1024 * 8 - 8, "two frames at a time");
                departed = frame.time_ns;
            }
        }
    }
    // The link is full: 6 ms of packets of 8192 ns. Each twentieth packet is sampled, of those with ΔQ > 0 or not.
    assert!((700..=733).contains(&data), "{data} data frames");
    assert!((50..400).contains(&uncontrolled), "{uncontrolled} of them without reaction point");
    assert!((10..40).contains(&feedback), "{feedback} feedback frames");
    let error = ["no link `bottlenek`", "expected one of bottleneck, S1, S2, B", "did you mean `bottleneck`"];
    refused(folder.path(), &["run", "my.toml", "--out", "other", "--pcap", "bottlenek"], 2, &error);
    assert!(!folder.path().join("other").exists());
}

#[test]
fn the_frames_are_those_of_the_seed_that_the_pictures_show() {
    let folder = tempfile::tempdir().unwrap();
    let flow = "[[flow]]\nname = \"B\"\nrate_mbps = 200\n[[variant]]";
    let scenario =
        SCENARIO.replace("0.01\n", "0.02\nseeds = 3\nshown_s = [0.002, 0.018]\n").replace("[[variant]]", flow)
            + "parameters = { sample_packets = 20 }\n";
    std::fs::write(folder.path().join("my.toml"), scenario).unwrap();
    let frames = |more: &[&str]| {
        let arguments = [&["run", "my.toml", "--out", "out", "--pcap", "bottleneck"], more].concat();
        tidegate(folder.path(), &arguments).assert().success();
        captured(&folder.path().join("out/my/frames-1.pcap"))
    };
    let of_first = frames(&["--seeds", "1"]);
    let of_median = frames(&[]);
    let table = std::fs::read_to_string(folder.path().join("out/my/queue.csv")).unwrap();
    let rows: Vec<Vec<&str>> = table.lines().map(|line| line.split(',').collect()).collect();
    let column = |name: &str| rows[0].iter().position(|known| *known == name).unwrap();
    assert!(rows[1..].iter().all(|row| row[column("seed")] != "1"), "the first seed is no test");
    assert!(of_first != of_median);
    // Looks of 1 ms; the window begins with the third.
    let shown = rows[3..19].iter().map(|row| row[column("feedback")].parse::<usize>().unwrap());
    let feedback = |frames: &[(u64, Vec<u8>)]| frames.iter().filter(|(_, frame)| Cnm::parse(frame).is_ok()).count();
    assert_eq!(feedback(&of_median), shown.sum::<usize>());
}

/// The frames of a capture, with their times: ns from the start of the run.
fn captured(path: &Path) -> Vec<(u64, Vec<u8>)> {
    // The time of the first frame: seconds and nanoseconds, behind the header of the file.
    let first = std::fs::read(path).unwrap()[24..32].to_vec();
    let [seconds, nanoseconds] = [0, 4].map(|at| u64::from(u32::from_le_bytes(first[at..at + 4].try_into().unwrap())));
    let mut reader = CaptureReader::open(path).unwrap();
    let mut frames = Vec::new();
    while let Some(frame) = reader.next().transpose().unwrap() {
        // The reader counts from the first frame.
        frames.push((seconds * 1_000_000_000 + nanoseconds + frame.time_ns, frame.bytes));
    }
    frames
}

#[test]
fn the_link_of_a_host_has_its_frames_and_the_feedback_for_it() {
    let folder = tempfile::tempdir().unwrap();
    // Both outputs are too slow, so both have feedback. That of the second takes the link between, 5 us and a cycle, more.
    let outputs = "shown_s = [0, 0.02]\n[[output]]\nname = \"A\"\nrate_mbps = 900\ndelay_us = 5\n\
        [[output]]\nname = \"B\"\nrate_mbps = 600\n[[flow]]\npath = [\"A\", \"B\"]\ndelay_us = 3\n";
    let scenario =
        SCENARIO.replace("0.01", "0.02").replace("[[flow]]\n", outputs) + "parameters = { sample_packets = 20 }\n";
    std::fs::write(folder.path().join("my.toml"), &scenario).unwrap();
    let frames = |link: &str| {
        tidegate(folder.path(), &["run", "my.toml", "--out", link, "--pcap", link]).assert().success();
        captured(&folder.path().join(link).join("my/frames-1.pcap"))
    };
    let [first, second, hosts @ ..] = ["A", "B", "S1", "S2"].map(frames);
    // The last of eight words, and for the second output 5 us and a cycle.
    let mut returned: Vec<_> = [(&first, 7 * 8), (&second, 7 * 8 + 5000 + 8)]
        .into_iter()
        .flat_map(|(frames, later)| frames.iter().map(move |(at, frame)| (at + later, frame.clone())))
        .filter(|(at, frame)| *at < 20_000_000 && Cnm::parse(frame).is_ok())
        .collect();
    let cpids = [&first, &second]
        .map(|frames| frames.iter().find_map(|(_, frame)| Cnm::parse(frame).ok()).expect("there is feedback").cpid);
    assert_eq!(cpids, [CPID, CPID + 1]);
    returned.sort();
    let mut of_hosts = Vec::new();
    for (flow, frames) in (0..).zip(&hosts) {
        assert!(frames.is_sorted_by_key(|&(at, _)| at));
        let mut sent = Vec::new();
        for (at, frame) in frames {
            if let Ok(cnm) = Cnm::parse(frame) {
                assert_eq!(cnm.destination, mac_octets(rp_mac(flow)));
                of_hosts.push((*at, frame.clone()));
            } else {
                assert_eq!(frame[6..12], mac_octets(rp_mac(flow)));
                sent.push(*at);
            }
        }
        // A byte a cycle of 8 ns. What is there leaves the first output in the order in which it came, after the time of a
        // packet at 900 Mb/s.
        assert!(sent.windows(2).all(|pair| pair[1] >= pair[0] + 1024 * 8), "two frames at a time");
        let left: Vec<_> = first.iter().filter(|(_, frame)| frame[6..12] == mac_octets(rp_mac(flow))).collect();
        assert!(left.len() > 20 && left.len() <= sent.len(), "{} of {} left", left.len(), sent.len());
        assert!(
            left.iter().zip(&sent).all(|((left, _), arrived)| left >= &(arrived + 9102)),
            "a frame leaves before it came"
        );
    }
    of_hosts.sort();
    assert!(returned.len() > 20);
    assert!(of_hosts == returned, "the hosts get other feedback than the outputs send");
}

#[test]
fn sizes_of_flows_come_from_a_file_beside_the_scenario() {
    let folder = tempfile::tempdir().unwrap();
    let below = folder.path().join("below");
    std::fs::create_dir(&below).unwrap();
    let with = |sizes: &str| {
        let flow = format!("[[flow]]\nname = \"short\"\narrivals_per_s = 5000\n{sizes}\n[[variant]]");
        SCENARIO.replace("[[variant]]", &flow)
    };
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    std::fs::copy(root.join("testbenches/experiments/web_search.txt"), below.join("web.txt")).unwrap();
    std::fs::write(below.join("same.txt"), "20000 1\n").unwrap();
    // The file of the repository is the distribution with a name; another file gives other flows.
    let mean = "size_mean_bytes = 20000";
    let mut metrics = Vec::new();
    for (id, sizes) in [
        ("named", format!("size_distribution = \"web_search\"\n{mean}")),
        ("web", format!("sizes_file = \"web.txt\"\n{mean}")),
        ("same", "sizes_file = \"same.txt\"".into()),
        ("bytes", "size_bytes = 20000".into()),
    ] {
        std::fs::write(below.join(format!("{id}.toml")), with(&sizes)).unwrap();
        tidegate(folder.path(), &["run", &format!("below/{id}.toml"), "--out", "out"]).assert().success();
        metrics.push(std::fs::read_to_string(folder.path().join(format!("out/{id}/metrics.csv"))).unwrap());
    }
    assert_eq!(metrics[0], metrics[1]);
    assert_eq!(metrics[2].lines().count(), metrics[3].lines().count());
    assert_ne!(metrics[1], metrics[2]);

    let before = files_below(folder.path());
    for (sizes, text, pieces) in [
        ("sizes_file = \"none.txt\"", "", &["below/bad.toml:9:14: ", "none.txt"][..]),
        ("sizes_file = \"bad.txt\"", "1 0.5\n2 0.4\n3 1\n", &["below/bad.txt:2: part 0.4", "line 1"]),
        ("sizes_file = \"bad.txt\"\nsize_bytes = 9", "1 1\n", &["below/bad.toml:9:14: ", "expected one of"]),
        (
            "sizes_file = \"bad.txt\"\nsize_distribution = \"web_search\"",
            "1 1\n",
            &["below/bad.toml:9:14: ", "one of size_distribution and sizes_file"],
        ),
    ] {
        std::fs::write(below.join("bad.toml"), with(sizes)).unwrap();
        std::fs::write(below.join("bad.txt"), text).unwrap();
        refused(folder.path(), &["run", "below/bad.toml", "--out", "other"], 1, pieces);
    }
    ["bad.toml", "bad.txt"].iter().for_each(|name| std::fs::remove_file(below.join(name)).unwrap());
    assert_eq!(files_below(folder.path()), before);
}

/// `scripts/png`, where rsvg-convert is there: twice the size, and with text.
#[test]
fn pictures_become_png() {
    let folder = tempfile::tempdir().unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/png");
    std::fs::write(folder.path().join("my.toml"), SCENARIO).unwrap();
    tidegate(folder.path(), &["run", "my.toml", "--out", "out"]).assert().success();
    let svg = std::fs::read_to_string(folder.path().join("out/my/queue.svg")).unwrap();
    let (mut rest, mut without_text) = (svg.as_str(), String::new());
    while let Some((before, behind)) = rest.split_once("<text") {
        without_text += before;
        rest = behind.split_once("</text>").unwrap().1;
    }
    std::fs::write(folder.path().join("out/my/silent.svg"), without_text + rest).unwrap();
    let run = Command::new(&script).arg("out").current_dir(folder.path()).output().unwrap();
    let message = String::from_utf8_lossy(&run.stderr).into_owned();
    if run.status.code() == Some(3) {
        assert!(message.contains("apt-get install"), "{message}");
        eprintln!("skipped: {message}");
        return;
    }
    assert!(run.status.success(), "{message}");
    assert_eq!(String::from_utf8_lossy(&run.stdout), "5 pictures\n");
    let read = |name: &str| std::fs::read(folder.path().join("out/my").join(name)).unwrap();
    let size = |png: &[u8]| [16, 20].map(|at| u32::from_be_bytes(png[at..at + 4].try_into().unwrap()));
    let (queue, silent) = (read("queue.png"), read("silent.png"));
    let attribute = |name: &str| -> u32 {
        svg.split_once(&format!(" {name}=\"")).unwrap().1.split('"').next().unwrap().parse().unwrap()
    };
    assert_eq!(
        (&queue[..8], size(&queue)),
        (&b"\x89PNG\r\n\x1a\n"[..], ["width", "height"].map(|of| 2 * attribute(of)))
    );
    assert!(size(&silent) == size(&queue) && queue.len() > silent.len() + 2000, "the text is missing");
    // A picture that is none leaves no file.
    std::fs::write(folder.path().join("out/my/a.svg"), "no picture").unwrap();
    let run = Command::new(&script).arg("out").current_dir(folder.path()).output().unwrap();
    assert_eq!(run.status.code(), Some(1));
    let names = files_below(&folder.path().join("out"));
    assert!(names.iter().all(|(path, _)| !path.to_string_lossy().contains("a.png")), "half a picture");
}

#[test]
fn a_failure_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("bad.toml"), SCENARIO.replace("count", "cuont")).unwrap();
    std::fs::write(folder.path().join("good.toml"), SCENARIO).unwrap();
    std::fs::write(folder.path().join("file"), "").unwrap();
    let before = files_below(folder.path());
    refused(folder.path(), &["run", "bad.toml", "--out", "out"], 1, &["bad.toml:5:1: ", "`cuont`", "count"]);
    refused(folder.path(), &["run", "none.toml", "--out", "out"], 1, &["none.toml"]);
    refused(folder.path(), &["run", "good.toml", "--out", "file/out"], 1, &["file is a file"]);
    refused(folder.path(), &["run", "good.toml"], 2, &["--out"]);
    refused(folder.path(), &["reproduce", "--out", "out"], 2, &["<ID>"]);
    refused(folder.path(), &["reproduce", "asm-fig5", "--all", "--out", "out"], 2, &["cannot be used with"]);
    refused(
        folder.path(),
        &["reproduce", "smcc-fig55", "--out", "out"],
        2,
        &["no experiment", "did you mean `smcc-fig"],
    );
    refused(folder.path(), &["reproduce", "asm-fig5", "asm-fig5", "--out", "out"], 2, &["named twice"]);
    assert_eq!(files_below(folder.path()), before);
    assert!(!folder.path().join("out").exists());
}

#[test]
fn an_experiment_of_a_paper_is_listed_and_runs() {
    let folder = tempfile::tempdir().unwrap();
    let list = tidegate(folder.path(), &["experiments", "--json"]).assert().success();
    let list: serde_json::Value = serde_json::from_slice(&list.get_output().stdout).unwrap();
    let row = list["experiments"].as_array().unwrap().iter().find(|row| row["id"] == "asm-fig5").unwrap();
    assert_eq!((&row["claims"], &row["seeds"]), (&3.into(), &3.into()));
    let table = tidegate(folder.path(), &["experiments"]).assert().success();
    assert!(String::from_utf8_lossy(&table.get_output().stdout).contains("asm-fig5"));
    tidegate(folder.path(), &["reproduce", "asm-fig5", "--out", "out"]).assert().success();
    let verdict = std::fs::read_to_string(folder.path().join("out/asm-fig5/verdict.json")).unwrap();
    let verdict: serde_json::Value = serde_json::from_str(&verdict).unwrap();
    for claim in verdict["claims"].as_array().unwrap() {
        assert!(claim["measured"].is_number() && claim["values"].as_array().unwrap().len() == 3, "{claim}");
        assert!(["reproduced", "partly", "not_reproduced"].contains(&claim["verdict"].as_str().unwrap()));
    }
    assert!(Path::new(&folder.path().join("out/asm-fig5/plane.svg")).is_file());
}

#[test]
fn without_yosys_the_area_is_not_measured_and_says_how_to_get_it() {
    let folder = tempfile::tempdir().unwrap();
    let no_tools = tempfile::tempdir().unwrap();
    let run = tidegate(folder.path(), &["reproduce", "smcc-area", "ib-fig5", "--out", "out", "--json"])
        .env("TIDEGATE_TOOLS", no_tools.path())
        .assert()
        .success();
    let report: serde_json::Value = serde_json::from_slice(&run.get_output().stdout).unwrap();
    let claims = report["experiments"][0]["claims"].as_array().unwrap();
    assert!(claims.len() > 2);
    for claim in claims {
        assert_eq!((&claim["verdict"], &claim["measured"]), (&"not_measured".into(), &serde_json::Value::Null));
        let cause = claim["cause"].as_str().unwrap();
        assert!(cause.contains("yosys") && cause.contains("scripts/setup-tools"), "{cause}");
    }
    // The others are judged.
    assert_eq!(report["experiments"][1]["claims"][0]["verdict"], "reproduced");
    let page = std::fs::read_to_string(folder.path().join("out/index.html")).unwrap();
    assert!(page.contains(&format!(", {} not measured.", claims.len())), "the page counts them");
    assert!(folder.path().join("out/ib-fig5/portrait.svg").is_file());
}

#[test]
fn a_scenario_without_a_network_has_no_frames_and_is_not_swept() {
    let folder = tempfile::tempdir().unwrap();
    let text = "title = \"t\"\ncalculates = \"analysis\"\n[[variant]]\nname = \"V\"\nscheme = \"qcn\"\n";
    std::fs::write(folder.path().join("my.toml"), text).unwrap();
    std::fs::write(folder.path().join("plan.toml"), "scenario = \"my.toml\"\n[grid]\nw = [1, 2]\n").unwrap();
    let arguments = ["run", "my.toml", "--out", "out", "--pcap", "bottleneck"];
    refused(folder.path(), &arguments, 2, &["--pcap", "no network"]);
    let infiniband = Path::new(env!("CARGO_MANIFEST_DIR")).join("testbenches/experiments/ib-fig2.toml");
    std::fs::copy(infiniband, folder.path().join("ib.toml")).unwrap();
    let arguments = ["run", "ib.toml", "--out", "out", "--pcap", "root"];
    refused(folder.path(), &arguments, 1, &["InfiniBand network", "no Ethernet frames"]);
    refused(folder.path(), &["sweep", "plan.toml", "--out", "out"], 1, &["my.toml:2:14: ", "no network"]);
    assert!(!folder.path().join("out").exists());
    tidegate(folder.path(), &["run", "my.toml", "--out", "out"]).assert().success();
}

fn verdict(path: &Path) -> serde_json::Value {
    serde_json::from_slice(&std::fs::read(path.join("verdict.json")).unwrap()).unwrap()
}

#[test]
fn the_scenario_of_an_experiment_is_printed_and_gives_the_same_results() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    for id in ["asm-fig5", "ib-fig5"] {
        let printed = tidegate(here, &["experiments", id, "--toml"]).assert().success().get_output().stdout.clone();
        let file = format!("{id}.toml");
        std::fs::write(here.join(&file), &printed).unwrap();
        tidegate(here, &["run", &file, "--out", "run"]).assert().success();
        tidegate(here, &["reproduce", id, "--out", "reproduced"]).assert().success();
        let [run, reproduced] = ["run", "reproduced"].map(|out| here.join(out).join(id));
        let claims = |path: &Path| verdict(path)["claims"].to_string();
        assert!(claims(&run).len() > 100 && claims(&run) == claims(&reproduced), "{id}");
        let others = |path: &Path| {
            files_below(path).into_iter().filter(|(name, _)| name != Path::new("verdict.json")).collect::<Vec<_>>()
        };
        assert!(others(&run) == others(&reproduced), "{id}");
        assert!(std::fs::read(run.join("scenario.toml")).unwrap() == printed);
    }
    refused(here, &["experiments", "--toml"], 2, &["--toml: expected an experiment, such as `tidegate experiments "]);
    refused(here, &["experiments", "asm-fig55", "--toml"], 2, &["no experiment `asm-fig55`", "did you mean `asm-fig"]);
    refused(here, &["experiments", "asm-fig55"], 2, &["no experiment `asm-fig55`"]);
    refused(here, &["experiments", "asm-fig5", "asm-fig6", "--toml"], 2, &["asm-fig6"]);
    let one = tidegate(here, &["experiments", "asm-fig5", "--json"]).assert().success();
    let one: serde_json::Value = serde_json::from_slice(&one.get_output().stdout).unwrap();
    assert_eq!(one["experiments"].as_array().unwrap().len(), 1);
}

/// Two schemes; QCN has a parameter of a set, and SMCC has no `gd_shift`.
const TWO: &str = "title = \"t\"\nduration_s = 0.01\n[parameters]\nq0_bytes = { value = 30000, from = \"choice\" }\n\
    [set.fine]\nw = 1\n[[flow]]\nname = \"S\"\ncount = 2\n\
    [[variant]]\nname = \"one\"\nscheme = \"smcc\"\n\
    [[variant]]\nname = \"two\"\nscheme = \"qcn\"\nsets = [\"fine\"]\nparameters = { gd_shift = 6 }\n\
    [[ablation]]\nname = \"w = 4\"\nof = \"one\"\nparameters = { w = 4 }\n\
    [[claim]]\nid = \"long\"\nclaim = \"long\"\nmeasure = { metric = \"queue_mean_kb\" }\nexpect = [1e6, 1e7]\nbound = \"b\"\n\
    [[claim]]\nid = \"short\"\nclaim = \"short\"\nmeasure = { metric = \"queue_mean_kb\" }\nexpect = [1e6, 1e7]\npartly = [0, 1e6]\n\
    bound = \"b\"\n";

#[test]
fn what_the_command_line_sets_counts_and_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    std::fs::write(here.join("my.toml"), TWO).unwrap();
    let set = ["--set", "w=3", "--set", "gd_shift=5", "--set", "q0_bytes=20000", "--seeds", "2"];
    tidegate(here, &[&["run", "my.toml", "--out", "set"], &set[..]].concat()).assert().success();
    // The same, written into the file.
    let file = TWO
        .replace("{ value = 30000, from = \"choice\" }", "20000")
        .replace("w = 1", "w = 3")
        .replace("scheme = \"smcc\"\n", "scheme = \"smcc\"\nparameters = { w = 3 }\n")
        .replace("gd_shift = 6", "gd_shift = 5")
        .replace("[parameters]", "seeds = 2\n[parameters]");
    std::fs::write(here.join("written.toml"), file).unwrap();
    tidegate(here, &["run", "written.toml", "--out", "written"]).assert().success();
    tidegate(here, &["run", "my.toml", "--out", "plain"]).assert().success();
    let folders = ["set/my", "written/written", "plain/my"].map(|name| here.join(name));
    let [set, written, plain] =
        folders.each_ref().map(|path| std::fs::read_to_string(path.join("metrics.csv")).unwrap());
    assert!(set == written && set != plain);
    let [set, written, plain] = folders.each_ref().map(|path| verdict(path));
    assert_eq!(set["claims"], written["claims"], "also with the ablation");
    assert_ne!(set["claims"], plain["claims"]);

    let parameters = std::fs::read_to_string(folders[0].join("parameters.csv")).unwrap();
    let of_set: Vec<&str> = parameters.lines().filter(|line| line.ends_with(",--set")).collect();
    let expected = ["one,q0_bytes,20000", "one,w,3", "two,gd_shift,5", "two,q0_bytes,20000", "two,w,3"];
    let mut sorted = of_set.clone();
    sorted.sort_unstable();
    assert_eq!(sorted, expected.map(|row| format!("{row},--set")));

    let made_by = &set["made_by"];
    assert_eq!(made_by["tidegate"], env!("CARGO_PKG_VERSION"));
    let command = "tidegate run my.toml --set w=3 --set gd_shift=5 --set q0_bytes=20000 --seeds 2 --out DIR";
    assert_eq!((&made_by["command"], &made_by["seeds"]), (&command.into(), &2.into()));
    assert_eq!(made_by["set"], serde_json::json!({ "w": "3", "gd_shift": "5", "q0_bytes": "20000" }));
    assert!(std::fs::read_to_string(here.join("set/index.html")).unwrap().contains(command));
    assert_eq!((&plain["made_by"]["seeds"], &plain["made_by"]["set"]), (&1.into(), &serde_json::json!({})));
    let copy = std::fs::read_to_string(folders[0].join("scenario.toml")).unwrap();
    assert_eq!(copy, TWO);
    let sum = Command::new("sha256sum").arg(folders[0].join("scenario.toml")).output().unwrap();
    let sum = String::from_utf8(sum.stdout).unwrap();
    assert_eq!(Some(made_by["scenario"]["sha256"].as_str().unwrap()), sum.split(' ').next());
}

#[test]
fn what_cannot_be_set_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    std::fs::write(here.join("my.toml"), TWO).unwrap();
    let before = files_below(here);
    for (options, pieces) in [
        (&["--seeds", "0"][..], &["--seeds", "1..=65535"][..]),
        (&["--set"], &["KEY=VALUE"]),
        (&["--set", "w"], &["expected KEY=VALUE"]),
        (&["--set", "a=b"], &["no variant has the parameter `a`", "`tidegate schemes qcn`", "`tidegate schemes smcc`"]),
        (&["--set", "q0_byts=3"], &["no variant has the parameter `q0_byts`", "did you mean `q0_bytes`?"]),
        (&["--set", "w=3", "--set", "w=3"], &["`w` is set twice"]),
        (&["--set", "w=x"], &["--set w=x: my: parameter `w`: `x` cannot be read"]),
        (&["--set", "flows=3"], &["--set flows=3: my: `flows` is no parameter of a scenario: use [[flow]]"]),
    ] {
        refused(here, &[&["run", "my.toml", "--out", "out"], options].concat(), 2, pieces);
    }
    let reproduce = |words: &str, pieces: &[&str]| {
        let words: Vec<&str> = words.split(' ').collect();
        refused(here, &[&["reproduce", "--out", "out"], &words[..]].concat(), 2, pieces);
    };
    reproduce("ib-fig5 smcc-area --seeds 2", &["--seeds: there is no network"]);
    reproduce("ib-fig5 --set w=2", &["no variant has the parameter `w`", "`tidegate schemes infiniband`"]);
    reproduce("asm-fig8 --set approach=1,1,1,1", &["--set approach: asm-fig8 has a grid of it"]);
    reproduce("phase-theorem1 --set seed=3", &["--set seed=3: phase-theorem1: parameter `seed`"]);
    assert_eq!(files_below(here), before);
    // Each counts where it can.
    tidegate(here, &["reproduce", "ib-fig5", "asm-fig5", "--set", "w=3", "--seeds", "1", "--out", "out"])
        .assert()
        .success();
    let [calculated, network] = ["ib-fig5", "asm-fig5"].map(|id| verdict(&here.join("out").join(id)));
    assert_eq!((&calculated["made_by"]["set"], calculated.get("seeds")), (&serde_json::json!({}), None));
    assert_eq!((&network["made_by"]["set"]["w"], &network["seeds"]), (&"3".into(), &1.into()));
}

#[test]
fn a_claim_that_is_not_reproduced_fails_on_request_after_all_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    std::fs::write(here.join("my.toml"), TWO).unwrap();
    tidegate(here, &["run", "my.toml", "--out", "plain"]).assert().success();
    for more in [&[][..], &["--json"]] {
        let run = tidegate(here, &[&["run", "my.toml", "--out", "out", "--fail"], more].concat()).assert().code(1);
        let output = run.get_output();
        assert!(String::from_utf8_lossy(&output.stderr).contains("--fail: 1 of 2 claims not reproduced"));
        assert!(String::from_utf8_lossy(&output.stdout).contains("partly"), "the verdicts are printed");
        assert!(files_below(&here.join("out")) == files_below(&here.join("plain")), "what it gives is the same");
    }
    // Partly is no failure.
    let (first, rest) = TWO.split_once("[[claim]]\nid = \"long\"").unwrap();
    std::fs::write(here.join("my.toml"), format!("{first}[[claim]]{}", rest.split_once("[[claim]]").unwrap().1))
        .unwrap();
    let run = tidegate(here, &["run", "my.toml", "--out", "out", "--fail"]).assert().success();
    assert!(String::from_utf8_lossy(&run.get_output().stdout).contains("1 claims: 0 reproduced, 1 partly"));
}

#[test]
fn data_files_are_copied_beside_the_scenario() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    std::fs::create_dir_all(here.join("below/sizes")).unwrap();
    std::fs::write(here.join("outside.txt"), "30000 1\n").unwrap();
    std::fs::write(here.join("below/sizes/own.txt"), "20000 1\n").unwrap();
    let flow = |name: &str, file: &str| format!("[[flow]]\nname = \"{name}\"\nsizes_file = \"{file}\"\n[[variant]]");
    let own = SCENARIO.replace("[[variant]]", &flow("A", "sizes/own.txt"));
    std::fs::write(here.join("below/my.toml"), &own).unwrap();
    tidegate(here, &["run", "below/my.toml", "--out", "first"]).assert().success();
    // The copy runs where it is, and gives the same.
    tidegate(here, &["run", "first/my/scenario.toml", "--out", "second"]).assert().success();
    let metrics = |path: &str| std::fs::read(here.join(path).join("metrics.csv")).unwrap();
    assert!(metrics("first/my") == metrics("second/scenario"));
    std::fs::write(here.join("below/my.toml"), own.replace("[[variant]]", &flow("B", "../outside.txt"))).unwrap();
    tidegate(here, &["run", "below/my.toml", "--out", "first"]).assert().success();
    let data = &verdict(&here.join("first/my"))["made_by"]["data"];
    let rows: Vec<_> =
        data.as_array().unwrap().iter().map(|row| ["name", "file"].map(|key| row[key].as_str().unwrap())).collect();
    assert_eq!(rows, [["../outside.txt", "data-1"], ["sizes/own.txt", "sizes/own.txt"]]);
    assert_eq!(std::fs::read_to_string(here.join("first/my/data-1")).unwrap(), "30000 1\n");
}
