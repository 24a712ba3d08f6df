// SPDX-License-Identifier: MIT OR Apache-2.0
//! Real traffic through a congestion point: `testbenches/captures/home-network.pcapng`, recorded in a home network and
//! part of the crate `pcap-parser` (see the README there).

use std::path::{Path, PathBuf};
use std::process::Command;
use tidegate::bench::capture::{Playback, Summary, run};
use tidegate::bench::trace::Trace;
use tidegate::bench::{Engine, Reports, cp};
use tidegate::frame::capture::{CaptureReader, CaptureWriter, CapturedFrame};
use tidegate::frame::cnm::{Cnm, ETHERTYPE_CN_TAG, ETHERTYPE_CNM, ETHERTYPE_VLAN, Tags};
use tidegate::model::wire::CP_MAC;
use tidegate::output::commit_all;
use tidegate_testing::settings::{parameters, scheme};

/// Fast enough that the queue grows above its target and, with a small buffer, overflows.
const SPEEDUP: u64 = 100_000;

fn capture() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("captures/home-network.pcapng")
}

fn play(name: &str, pairs: &[(&str, &str)], engine: Engine, input: &Path, folder: &Path) -> anyhow::Result<Summary> {
    let (trace, output) = (folder.join("trace.csv"), folder.join("out.pcap"));
    let (mut trace, mut writer) = (Trace::create(Some(&trace), cp::HEADER)?, CaptureWriter::create(&output)?);
    let playback = Playback { input, output: Some(&mut writer), speedup: SPEEDUP };
    let summary = run(scheme(name), &parameters(name, pairs), engine, playback, Reports::trace(&mut trace))?;
    commit_all(trace.finish().into_iter().chain([writer.finish()]))?;
    Ok(summary)
}

fn read(path: &Path) -> Vec<CapturedFrame> {
    CaptureReader::open(path).unwrap().map(Result::unwrap).collect()
}

/// Both engines write the same trace and the same capture; each frame leaves unchanged and in order, or is counted as
/// dropped; a reaction point accepts every feedback frame, and its destination is a source of the capture.
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

/// Frames of four sources, one for each choice of tags: the feedback for a source has the tags of its frames.
#[test]
fn feedback_has_the_tags_of_the_sampled_frame() {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("tagged.pcap");
    let tags_of = |source: usize| ([None, Some(0xa005u16)][source % 2], [None, Some(0x1234u16)][source / 2]);
    let mut writer = CaptureWriter::create(&input).unwrap();
    for index in 0..200usize {
        let source = index % 4;
        let (vlan, flow_id) = tags_of(source);
        let mut bytes = [&[2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 16 + source as u8][..], &[0x08, 0x00]].concat();
        bytes.resize(1400, 0);
        for (kind, value) in [(ETHERTYPE_CN_TAG, flow_id), (ETHERTYPE_VLAN, vlan)] {
            bytes.splice(12..12, value.iter().flat_map(|value| [kind.to_be_bytes(), value.to_be_bytes()].concat()));
        }
        let original_length = bytes.len() as u32;
        writer.write(&CapturedFrame { time_ns: index as u64, bytes, original_length }).unwrap();
    }
    writer.finish().commit().unwrap();
    for engine in [Engine::Model, Engine::Rtl] {
        play("smcc", &[("sample_packets", "3"), ("buffer_bytes", "1000000")], engine, &input, folder.path()).unwrap();
        let mut seen = [0; 4];
        for frame in read(&folder.path().join("out.pcap")) {
            let Tags { vlan, flow_id, ether_type_at } = Tags::of(&frame.bytes);
            if frame.bytes[ether_type_at..ether_type_at + 2] == ETHERTYPE_CNM.to_be_bytes() {
                let source = usize::from(frame.bytes[5]) - 16;
                assert_eq!((vlan, flow_id), tags_of(source), "{engine:?}");
                let priority = if vlan.is_some() { 5 } else { 0 };
                assert_eq!(Cnm::parse(&frame.bytes).unwrap().priority, priority, "{engine:?}");
                seen[source] += 1;
            }
        }
        assert!(seen.iter().all(|&count| count > 5), "{engine:?}: {seen:?}");
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

/// One frame, then 60 of 1500 octets after a gap.
fn with_gap(path: &Path, gap_ns: u64) {
    let mut writer = CaptureWriter::create(path).unwrap();
    let mut frame = CapturedFrame { time_ns: 0, bytes: vec![1; 60], original_length: 60 };
    writer.write(&frame).unwrap();
    frame = CapturedFrame { time_ns: gap_ns, bytes: vec![2; 1500], original_length: 1500 };
    (0..60).for_each(|_| writer.write(&frame).unwrap());
    writer.finish().commit().unwrap();
}

const DAY_NS: u64 = 86_400_000_000_000;

/// 6 days are 2^45.9 cycles, 7 days 2^46.1; 49,000 days are nearly the longest time in a pcap file.
#[test]
fn the_queue_of_a_burst_does_not_depend_on_the_day() {
    for (days, pairs) in [
        (6, &[][..]),
        (7, &[]),
        (49_000, &[]),
        (49_000, &[("sample_mode", "time"), ("sample_packets", "1"), ("packet_bytes", "60")]),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let input = folder.path().join("gap.pcap");
        with_gap(&input, days * DAY_NS);
        let playback = Playback { input: &input, output: None, speedup: 1 };
        let mut trace = Trace::create(None, cp::HEADER).unwrap();
        let reports = Reports::trace(&mut trace);
        let summary = run(scheme("qcn"), &parameters("qcn", pairs), Engine::Model, playback, reports).unwrap();
        assert_eq!((summary.longest_queue_bytes, summary.packets), (90_000, 61), "{days} days");
        assert!(summary.cycles > days * DAY_NS / 8);
    }
}

/// A pcapng of one interface with nanosecond stamps, and frames at these times.
fn pcapng(times: &[u64]) -> Vec<u8> {
    let block = |kind: u32, body: Vec<u8>| {
        let length = (body.len() as u32 + 12).to_le_bytes();
        [&kind.to_le_bytes()[..], &length, &body, &length].concat()
    };
    let section = [&0x1a2b_3c4d_u32.to_le_bytes()[..], &[1, 0, 0, 0], &[0xff; 8]].concat();
    let interface = vec![1, 0, 0, 0, 0, 0, 0, 0, 9, 0, 1, 0, 9, 0, 0, 0];
    let frames = times.iter().flat_map(|&time| {
        let [high, low] = [(time >> 32) as u32, time as u32].map(u32::to_le_bytes);
        block(6, [&[0; 4][..], &high, &low, &60u32.to_le_bytes(), &60u32.to_le_bytes(), &[3; 60]].concat())
    });
    [block(0x0a0d_0d0a, section), block(1, interface)].concat().into_iter().chain(frames).collect()
}

#[test]
fn a_frame_that_comes_too_late_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("late.pcapng");
    std::fs::write(&input, pcapng(&[0, 5, u64::MAX - 1])).unwrap();
    let play = |output: Option<&Path>, clock, speedup| {
        let mut writer = output.map(|path| CaptureWriter::create(path).unwrap());
        let playback = Playback { input: &input, output: writer.as_mut(), speedup };
        let trace = &mut Trace::create(None, cp::HEADER).unwrap();
        let parameters = parameters("qcn", &[("clock_mhz", clock)]);
        let summary = run(scheme("qcn"), &parameters, Engine::Model, playback, Reports::trace(trace))
            .map_err(|error| format!("{error:#}"))?;
        commit_all(writer.map(CaptureWriter::finish)).unwrap();
        Ok::<_, String>(summary)
    };
    let output = folder.path().join("o.pcap");
    // 584 years: too late for the file, not for the clock; at 1 GHz for both.
    for (output, clock, said) in
        [(Some(&*output), "125", "leave out --pcap-out"), (None, "1000", "expected at most cycle")]
    {
        let error = play(output, clock, 1).unwrap_err();
        assert!(error.contains("late.pcapng: frame 3") && error.contains("18446744073 s"), "{error}");
        assert!(error.contains(said) && error.contains("--speedup") && !error.contains("o.pcap:"), "{error}");
    }
    assert!(!output.exists());
    assert_eq!(play(None, "125", 1).unwrap().packets, 3);
    assert_eq!(play(Some(&output), "1000", 10).unwrap().packets, 3);
    assert_eq!(read(&output).len(), 3);
}

#[test]
fn progress_is_told_within_a_gap() {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("gap.pcap");
    with_gap(&input, 400_000);
    let reached = std::cell::RefCell::new(Vec::new());
    let playback = Playback { input: &input, output: None, speedup: 1 };
    let progress = |now| reached.borrow_mut().push(now);
    let mut trace = Trace::create(None, cp::HEADER).unwrap();
    let reports = Reports { progress: &progress, ..Reports::trace(&mut trace) };
    run(scheme("smcc"), &parameters("smcc", &[]), Engine::RustHdl, playback, reports).unwrap();
    let in_gap = reached.borrow().iter().filter(|&&now| now < 50_000).count();
    assert!(in_gap >= 40, "heard {in_gap} times in 50,000 cycles of circuits");
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
