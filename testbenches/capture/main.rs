//! Real traffic through a congestion point: `testbenches/captures/home-network.pcapng`, recorded in a home network and
//! shipped by the crate `pcap-parser` (see the README beside it).

#[path = "../common/settings.rs"]
mod settings;

use settings::{parameters, scheme};
use std::path::{Path, PathBuf};
use std::process::Command;
use tidegate::bench::capture::{run, Playback, Summary};
use tidegate::bench::trace::Trace;
use tidegate::bench::{cp, Engine};
use tidegate::frame::capture::{CaptureReader, CapturedFrame};
use tidegate::frame::cnm::{Cnm, ETHERTYPE_CNM};
use tidegate::registry::CP_MAC;

/// Fast enough that the queue grows above its target and, with a small buffer, overflows.
const SPEEDUP: u64 = 100_000;

fn capture() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("testbenches/captures/home-network.pcapng")
}

fn play(name: &str, pairs: &[(&str, &str)], engine: Engine, input: &Path, folder: &Path) -> anyhow::Result<Summary> {
    let (trace, output) = (folder.join("trace.csv"), folder.join("out.pcap"));
    let trace = Trace::create(Some(&trace), cp::HEADER)?;
    let playback = Playback { input, output: Some(&output), speedup: SPEEDUP };
    run(scheme(name), &parameters(name, pairs), engine, &playback, trace, None, &|_| {})
}

fn read(path: &Path) -> Vec<CapturedFrame> {
    CaptureReader::open(path).unwrap().map(Result::unwrap).collect()
}

/// Both engines write the same trace and the same capture; what enters comes out unchanged and in order, or is counted
/// as dropped; every feedback frame is one that a reaction point reads, and goes to a source that was seen.
#[test]
fn every_frame_passes_or_is_counted() {
    let frames = read(&capture());
    for (name, pairs) in [
        ("qcn", &[("sample_packets", "10"), ("q0_bytes", "16384")][..]),
        ("qcn", &[("profile", "8021q"), ("sample_bytes", "5000"), ("q0_bytes", "4096"), ("buffer_bytes", "16384")]),
        ("smcc", &[("sample_packets", "3"), ("buffer_bytes", "16384")]),
    ] {
        let [model, circuit] = [Engine::Model, Engine::Rtl].map(|engine| {
            let folder = tempfile::tempdir().unwrap();
            let summary = play(name, pairs, engine, &capture(), folder.path()).unwrap();
            let trace = std::fs::read_to_string(folder.path().join("trace.csv")).unwrap();
            (summary, trace, read(&folder.path().join("out.pcap")))
        });
        assert_eq!(model.1, circuit.1, "{name} {pairs:?}: traces");
        assert!(model.2 == circuit.2, "{name} {pairs:?}: captures");
        let (summary, trace, written) = model;

        let (feedback, passed): (Vec<_>, Vec<_>) =
            written.iter().partition(|frame| frame.bytes[12..14] == ETHERTYPE_CNM.to_be_bytes());
        assert_eq!(feedback.len() as u64, summary.feedback_sent);
        assert_eq!(trace.lines().count() as u64, summary.feedback_sent + 1, "a row for each feedback");
        assert!(summary.feedback_sent >= 10, "{name} {pairs:?}: only {} feedback frames", summary.feedback_sent);
        for frame in &feedback {
            let cnm = Cnm::parse(&frame.bytes).unwrap();
            assert_eq!(cnm.source[..], CP_MAC.to_be_bytes()[2..]);
            assert!(frames.iter().any(|seen| seen.bytes[6..12] == cnm.destination), "to a source that was seen");
        }
        assert_eq!(passed.len() as u64 + summary.dropped, frames.len() as u64);
        assert_eq!(summary.dropped > 0, pairs.contains(&("buffer_bytes", "16384")), "{} dropped", summary.dropped);
        let mut rest = frames.iter();
        for frame in &passed {
            assert!(rest.any(|entered| entered.bytes == frame.bytes), "in order, unchanged");
        }
        assert!(written.windows(2).all(|pair| pair[0].time_ns <= pair[1].time_ns), "in the order of time");
        assert_eq!(summary.flows, 15);
    }
}

#[test]
fn a_capture_that_is_cut_is_used_up_to_the_cut() {
    let folder = tempfile::tempdir().unwrap();
    let cut = folder.path().join("cut.pcapng");
    let whole = std::fs::read(capture()).unwrap();
    std::fs::write(&cut, &whole[..whole.len() / 2]).unwrap();
    let summary = play("smcc", &[], Engine::Model, &cut, folder.path()).unwrap();
    assert!(summary.capture.truncated_file);
    assert!((100..1500).contains(&summary.capture.frames), "{:?}", summary.capture);
    assert_eq!(summary.packets + summary.dropped, summary.capture.frames);
}

#[test]
fn what_is_no_ethernet_capture_is_an_error_and_leaves_nothing() {
    let mut raw_ip = vec![0xd4, 0xc3, 0xb2, 0xa1, 2, 0, 4, 0];
    raw_ip.extend([0; 8]);
    raw_ip.extend(65_535u32.to_le_bytes());
    raw_ip.extend(101u32.to_le_bytes());
    for (contents, expected) in [(&raw_ip[..], "101"), (b"cycle,event,a,b\n", "not a capture"), (b"", "empty")] {
        let folder = tempfile::tempdir().unwrap();
        let input = folder.path().join("input");
        std::fs::write(&input, contents).unwrap();
        let error = format!("{:#}", play("qcn", &[], Engine::Model, &input, folder.path()).unwrap_err());
        assert!(error.contains("input") && error.contains(expected), "{error}");
        let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(left, ["input"]);
    }
}

#[test]
fn tshark_reads_both_kinds_of_frames() {
    if Command::new("tshark").arg("--version").output().is_err() {
        println!("skipped: tshark not found");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let summary = play("smcc", &[("sample_packets", "5")], Engine::Model, &capture(), folder.path()).unwrap();
    let count = |filter: &str| {
        let output = Command::new("tshark").arg("-r").arg(folder.path().join("out.pcap")).args(["-Y", filter]).output();
        let output = output.unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).lines().count() as u64
    };
    assert_eq!(count("eth.type == 0x22e7"), summary.feedback_sent);
    assert_eq!(count("eth.type != 0x22e7 || eth.len"), summary.packets);
    assert_eq!(count("_ws.malformed"), 0);
}
