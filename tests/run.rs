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
