// SPDX-License-Identifier: MIT OR Apache-2.0
//! Event files: valid files, and the messages for wrong files.

use std::fmt::Debug;
use std::path::Path;
use tidegate::bench::trace::Event;
use tidegate::bench::{cp, rp};
use tidegate::model::wire::CPID;
use tidegate::scheme::Feedback;
use tidegate_testing::settings::scheme;

fn with_file<T>(text: &str, read: impl Fn(&Path) -> T) -> T {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("events.csv");
    std::fs::write(&path, text).unwrap();
    read(&path)
}

/// The error, with its causes, on one line.
fn error<T: Debug>(text: &str, read: impl Fn(&Path) -> anyhow::Result<T>) -> String {
    let result = with_file(text, read);
    format!("{:#}", result.expect_err(&format!("{text:?} is taken")))
}

fn read_qcn(path: &Path) -> anyhow::Result<Vec<Event<rp::Stimulus>>> {
    rp::read(path, scheme("qcn"))
}

fn read_smcc(path: &Path) -> anyhow::Result<Vec<Event<rp::Stimulus>>> {
    rp::read(path, scheme("smcc"))
}

#[test]
fn events_are_read_with_their_lines() {
    let text = "cycle, event, a, b\n0,sent,1500\n\n# a comment\n7, cnm, -3, 12\n7,cnm,32767,-32768,\n";
    assert!(with_file(text, read_smcc).is_err(), "a fifth column");
    let text = text.replace("-32768,\n", "-32768\n");
    let feedback =
        |q_offset, q_delta| rp::Stimulus::Feedback(Feedback { quantized_feedback: 0, q_offset, q_delta, cpid: CPID });
    assert_eq!(
        with_file(&text, read_smcc).unwrap(),
        [
            Event { line: 2, cycle: 0, kind: rp::Stimulus::Sent(1500) },
            Event { line: 5, cycle: 7, kind: feedback(-3, 12) },
            Event { line: 6, cycle: 7, kind: feedback(32_767, -32_768) },
        ]
    );
    let feedback = Feedback { quantized_feedback: 63, cpid: CPID, ..Feedback::default() };
    assert_eq!(
        with_file("cycle,event,a,b\r\n3,cnm,63,\r\n", read_qcn).unwrap(),
        [Event { line: 2, cycle: 3, kind: rp::Stimulus::Feedback(feedback) }]
    );
    assert_eq!(
        with_file("cycle,event,a,b\n1,enqueue,16777215\n1,dequeue,16777215\n9,enqueue,60,65535\n", cp::read).unwrap(),
        [
            Event { line: 2, cycle: 1, kind: cp::Stimulus::Enqueue { bytes: 16_777_215, flow: 0 } },
            Event { line: 3, cycle: 1, kind: cp::Stimulus::Dequeue(16_777_215) },
            Event { line: 4, cycle: 9, kind: cp::Stimulus::Enqueue { bytes: 60, flow: 65_535 } },
        ]
    );
    assert_eq!(with_file("cycle,event,a,b\n", cp::read).unwrap(), []);
}

/// Lines after the header; the wrong line; the message.
type Bad = (&'static str, usize, &'static [&'static str]);

/// Lines that are wrong for every bench; E is replaced by the names of its events.
const BAD_ANYWHERE: &[Bad] = &[
    ("1,jump,5,\n", 2, &["unknown event `jump`"]),
    ("1,,5,\n", 2, &["unknown event ``"]),
    ("1,E,,\n", 2, &["column `a` is empty", "from 1 to 16777215"]),
    ("1,E\n", 2, &["column `a` is empty"]),
    ("1,E,0,\n", 2, &["column `a`: 0 is out of range", "1 to 16777215"]),
    ("1,E,-5,\n", 2, &["column `a`: -5 is out of range"]),
    ("1,E,16777216,\n", 2, &["column `a`: 16777216 is out of range"]),
    ("1,E,many,\n", 2, &["column `a`: expected a whole number, found `many`"]),
    ("1,E,1.5,\n", 2, &["column `a`: expected a whole number, found `1.5`"]),
    ("1,E,99999999999999999999,\n", 2, &["column `a`: expected a whole number", "too large"]),
    ("1,E,5,x\n", 2, &["column `b`: expected a whole number, found `x`"]),
    ("-1,E,5,\n", 2, &["column `cycle`: expected a whole number from 0 to 4611686018427387904, found `-1`"]),
    ("soon,E,5,\n", 2, &["column `cycle`", "`soon`"]),
    (",E,5,\n", 2, &["column `cycle`", "found ``"]),
    ("9,E,5,\n\n# back\n8,E,5,\n", 5, &["cycle 8 after cycle 9", "order of time"]),
    ("1\n", 2, &["expected `cycle,event,a,b`, found 1 field"]),
    ("1,E,5,6,7\n", 2, &["found 5 fields"]),
    ("1;E;5\n", 2, &["found 1 field"]),
    ("18446744073709551615,E,5,\n", 2, &["column `cycle`: expected a whole number from 0 to 4611686018427387904"]),
    ("4611686018427387905,E,5,\n", 2, &["from 0 to 4611686018427387904, found `4611686018427387905`"]),
    ("99999999999999999999,E,5,\n", 2, &["from 0 to 4611686018427387904"]),
    ("1,\x1b[31mjump,5,\n", 2, &["unknown event `\\u{1b}[31mjump`"]),
    ("1,E,\x1b[31m,\n", 2, &["column `a`: expected a whole number, found `\\u{1b}[31m`"]),
];

const BAD_QUEUES: &[Bad] = &[
    ("1,enqueue,5,-1\n", 2, &["column `b`: -1 is out of range", "0 to 65535"]),
    ("1,enqueue,5,65536\n", 2, &["column `b`: 65536 is out of range"]),
    ("1,dequeue,5,\n", 2, &["5 bytes leave a queue that holds 0"]),
    ("1,enqueue,100,\n2,dequeue,60,\n2,dequeue,60,\n", 4, &["60 bytes leave a queue that holds 40"]),
    ("1,enqueue,16777215,\n2,enqueue,1,\n", 3, &["would hold 16777216 bytes", "at most 16777215"]),
    ("1,sent,5,\n", 2, &["unknown event `sent`: expected enqueue or dequeue"]),
];

const BAD_QCN: &[Bad] = &[
    ("1,cnm,,\n", 2, &["column `a` is empty", "from 0 to 63"]),
    ("1,cnm,64,\n", 2, &["column `a`: 64 is out of range: expected 0 to 63"]),
    ("1,cnm,-1,\n", 2, &["column `a`: -1 is out of range"]),
    ("1,enqueue,60,0\n", 2, &["unknown event `enqueue`: expected cnm or sent"]),
];

const BAD_SMCC: &[Bad] = &[
    ("1,cnm,5,\n", 2, &["column `b` is empty", "from -32768 to 32767"]),
    ("1,cnm,,5\n", 2, &["column `a` is empty"]),
    ("1,cnm,32768,0\n", 2, &["column `a`: 32768 is out of range"]),
    ("1,cnm,0,-32769\n", 2, &["column `b`: -32769 is out of range"]),
];

fn all_bad<T: Debug>(cases: &[Bad], event: &str, read: impl Fn(&Path) -> anyhow::Result<T> + Copy) {
    for &(lines, line, words) in cases {
        let lines = lines.replace('E', event);
        let said = error(&format!("cycle,event,a,b\n{lines}"), read);
        assert!(said.contains(&format!("events.csv:{line}: ")), "{lines:?}: `{said}` does not name line {line}");
        for words in words {
            assert!(said.contains(words), "{lines:?}: `{said}` does not say `{words}`");
        }
    }
}

#[test]
fn mistakes_are_told_with_file_line_and_column() {
    all_bad(BAD_ANYWHERE, "sent", read_qcn);
    all_bad(BAD_ANYWHERE, "sent", read_smcc);
    all_bad(BAD_ANYWHERE, "enqueue", cp::read);
    all_bad(BAD_QUEUES, "", cp::read);
    all_bad(BAD_QCN, "", read_qcn);
    all_bad(BAD_SMCC, "", read_smcc);
}

#[test]
fn headers() {
    for header in
        ["", "cycle,event,a\n", "cycle,event,b,a\n1,sent,5\n", "1,sent,5\n", "Cycle,event,a,b\n", "\ncycle,event,a,b\n"]
    {
        let said = error(header, read_qcn);
        assert!(said.contains("events.csv:1: expected the header `cycle,event,a,b`"), "{header:?}: `{said}`");
    }
}

/// As spreadsheets write it.
#[test]
fn a_byte_order_mark_is_no_part_of_the_header() {
    let events = with_file("\u{feff}cycle,event,a,b\r\n7,enqueue,60,\r\n", cp::read).unwrap();
    assert_eq!(events, [Event { line: 2, cycle: 7, kind: cp::Stimulus::Enqueue { bytes: 60, flow: 0 } }]);
    let said = error("cycle,event,a,b\n\u{feff}7,enqueue,60,\n", cp::read);
    assert!(said.contains("events.csv:2: column `cycle`") && said.contains("\\u{feff}"), "{said}");
}

#[test]
fn a_line_without_end_is_not_read_to_its_end() {
    let line = |octets: usize| format!("cycle,event,a,b\n1,enqueue,60,\n{}\n2,enqueue,60,\n", "#".repeat(octets));
    assert_eq!(with_file(&line(4096), cp::read).unwrap().len(), 2);
    for octets in [4098, 60_000_000] {
        let said = error(&line(octets), cp::read);
        assert!(said.contains("events.csv:3: a line of more than 4096 octets"), "{said:.300}");
    }
    let said = error(&"x".repeat(3000), cp::read);
    assert!(said.contains("events.csv:1: expected the header") && said.len() < 300, "{said}");
    let endless = cp::read(Path::new("/dev/zero")).unwrap_err();
    assert!(endless.to_string().contains("more than 4096 octets"), "{endless}");
}

#[test]
fn the_last_cycle_is_one_that_can_be_run_past() {
    let events = with_file("cycle,event,a,b\n4611686018427387904,enqueue,60,\n", cp::read).unwrap();
    assert_eq!(events[0].cycle, tidegate::units::CYCLES_MAX);
    assert!(events[0].cycle.checked_add(1000).is_some());
}

#[test]
fn files_that_are_not_text_or_not_there() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("events.csv");
    let said = format!("{:#}", cp::read(&path).unwrap_err());
    assert!(said.contains("cannot read") && said.contains("events.csv"), "{said}");
    std::fs::write(&path, b"cycle,event,a,b\n1,enqueue,5\n\xff\xfe\n").unwrap();
    let said = format!("{:#}", cp::read(&path).unwrap_err());
    assert!(said.contains("events.csv:3: not text"), "{said}");
    let said = format!("{:#}", cp::read(folder.path()).unwrap_err());
    assert!(said.contains("it is a folder, expected a file"), "{said}");
}
