// SPDX-License-Identifier: MIT OR Apache-2.0
//! The Wireshark dissector in `scripts/cnm.lua` must read what [`super::cnm`] builds.

use super::capture::{CaptureWriter, CapturedFrame};
use super::cnm::Cnm;
use std::process::{Command, Stdio};

/// Runs tshark with the dissector over `frames`; one line a frame, the fields separated by `;`. `None` without tshark.
fn dissect(frames: Vec<Vec<u8>>, fields: &[&str]) -> Option<Vec<String>> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cnm.pcap");
    let mut writer = CaptureWriter::create(&path).unwrap();
    for (index, bytes) in frames.into_iter().enumerate() {
        let original_length = bytes.len() as u32;
        writer.write(&CapturedFrame { time_ns: index as u64, bytes, original_length }).unwrap();
    }
    writer.finish().commit().unwrap();
    let mut command = Command::new("tshark");
    command.arg("-X").arg(concat!("lua_script:", env!("CARGO_MANIFEST_DIR"), "/../../scripts/cnm.lua"));
    command.arg("-r").arg(&path).args(["-T", "fields", "-E", "separator=;"]);
    for field in fields {
        command.args(["-e", field]);
    }
    let output = match command.stdin(Stdio::null()).output() {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            println!("skipped: tshark not found");
            return None;
        }
        outcome => outcome.unwrap(),
    };
    let complaints = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && !complaints.contains("lua"), "tshark: {complaints}");
    Some(String::from_utf8(output.stdout).unwrap().lines().map(str::to_string).collect())
}

fn message(vlan: Option<u16>, flow_id: Option<u16>, msdu: Vec<u8>) -> Cnm {
    Cnm {
        destination: [2, 0, 0, 0, 0, 1],
        source: [2, 0, 0, 0, 0, 2],
        vlan,
        flow_id,
        quantized_feedback: 42,
        cpid: 0x8123_4567_89ab_cdef,
        q_offset: -3,
        q_delta: 1000,
        priority: 6,
        encapsulated_destination: [2, 0, 0, 0, 0, 3],
        msdu,
    }
}

#[test]
fn tshark_shows_every_field() {
    let fields = [
        "cnm.version",
        "cnm.quantized_feedback",
        "cnm.cpid",
        "cnm.q_offset",
        "cnm.q_delta",
        "cnm.priority",
        "cnm.destination",
        "cnm.msdu_length",
        "cnm.msdu",
        "vlan.id",
        "cn_tag.flow",
        "_ws.expert.message",
    ];
    let frames = vec![
        message(None, None, vec![1, 2, 3]).to_frame(),
        message(Some(0xa001), None, vec![9; 64]).to_frame(),
        message(None, Some(77), vec![]).to_frame(),
        message(Some(0xa001), Some(0xffff), vec![9; 64]).to_frame(),
    ];
    let Some(lines) = dissect(frames, &fields) else { return };
    let common = "0;42;0x8123456789abcdef;-3;1000;6;02:00:00:00:00:03";
    let full = "09".repeat(64);
    let expected = [
        format!("{common};3;010203;;;"),
        format!("{common};64;{full};1;;"),
        format!("{common};0;;;77;"),
        format!("{common};64;{full};1;65535;"),
    ];
    assert_eq!(lines, expected);
}

#[test]
fn tshark_marks_what_the_parser_refuses() {
    let changed = |at: usize, value: u8| {
        let mut frame = message(None, None, vec![]).to_frame();
        frame[at] = value;
        assert!(Cnm::parse(&frame).is_err());
        frame
    };
    let mut cut = message(None, None, vec![]).to_frame();
    cut.truncate(30);
    let frames = vec![changed(14, 0x20), changed(37, 65), changed(37, 23), cut];
    let Some(lines) = dissect(frames, &["_ws.expert.message"]) else { return };
    let over = "MSDU length over 64 or beyond the frame";
    assert_eq!(lines, ["Version is not 0", over, over, "Message cut short"]);
}

#[test]
fn tshark_shows_the_flow_of_a_tag() {
    let frame = message(None, Some(0x1234), vec![]).to_frame();
    let Some(lines) = dissect(vec![frame], &["cn_tag.flow", "cn_tag.type", "_ws.col.Info"]) else { return };
    assert_eq!(lines, ["4660;0x22e7;Feedback 42, queue offset -192, delta 64000 octets, CPID 0x8123456789abcdef"]);
}
