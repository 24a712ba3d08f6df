// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the dissector in `scripts/cnm.lua` shows of frames.

use crate::REPOSITORY;
use std::process::{Command, Stdio};
use tidegate_core::frame::capture::{CaptureWriter, CapturedFrame};

/// Runs tshark with the dissector over `frames`: one line a frame, the fields separated by `;`. `None` without tshark.
pub fn dissect(frames: &[Vec<u8>], fields: &[&str]) -> Option<Vec<String>> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("frames.pcap");
    let mut writer = CaptureWriter::create(&path).unwrap();
    for (index, bytes) in frames.iter().enumerate() {
        let original_length = bytes.len() as u32;
        writer.write(&CapturedFrame { time_ns: index as u64, bytes: bytes.clone(), original_length }).unwrap();
    }
    writer.finish().commit().unwrap();
    let mut command = Command::new("tshark");
    command.arg("-X").arg(format!("lua_script:{REPOSITORY}/scripts/cnm.lua"));
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
