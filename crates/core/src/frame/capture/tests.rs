// SPDX-License-Identifier: MIT OR Apache-2.0
use super::*;
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Builds capture files octet by octet, independent of the reader.
struct Builder {
    big: bool,
    bytes: Vec<u8>,
}

impl Builder {
    fn half(&mut self, value: u16) {
        let octets = if self.big { value.to_be_bytes() } else { value.to_le_bytes() };
        self.bytes.extend(octets);
    }

    fn word(&mut self, value: u32) {
        let octets = if self.big { value.to_be_bytes() } else { value.to_le_bytes() };
        self.bytes.extend(octets);
    }

    fn pcap(big: bool, magic: u32, link_type: u32) -> Builder {
        let mut file = Builder { big, bytes: Vec::new() };
        file.word(magic);
        file.half(2);
        file.half(4);
        for field in [0, 0, 65535, link_type] {
            file.word(field);
        }
        file
    }

    fn record(mut self, seconds: u32, fraction: u32, frame: &[u8], original_length: u32) -> Builder {
        for field in [seconds, fraction, frame.len() as u32, original_length] {
            self.word(field);
        }
        self.bytes.extend(frame);
        self
    }

    fn pcapng(big: bool) -> Builder {
        Builder { big, bytes: Vec::new() }.section()
    }

    fn section(self) -> Builder {
        self.block(0x0a0d_0d0a, |body| {
            body.word(0x1a2b_3c4d);
            body.half(1);
            body.half(0);
            body.word(u32::MAX);
            body.word(u32::MAX);
        })
    }

    fn block(mut self, kind: u32, fill: impl FnOnce(&mut Builder)) -> Builder {
        let mut body = Builder { big: self.big, bytes: Vec::new() };
        fill(&mut body);
        body.bytes.resize(body.bytes.len().next_multiple_of(4), 0);
        let length = body.bytes.len() as u32 + 12;
        self.word(kind);
        self.word(length);
        self.bytes.extend(body.bytes);
        self.word(length);
        self
    }

    /// Options without an end mark: allowed, and present in real captures.
    fn interface(self, link_type: u16, resolution: Option<u8>) -> Builder {
        self.block(1, |body| {
            body.half(link_type);
            body.half(0);
            body.word(0);
            body.half(1); // a comment that is not UTF-8
            body.half(3);
            body.bytes.extend([0xff, 0xfe, 0xfd, 0]);
            if let Some(resolution) = resolution {
                body.half(9);
                body.half(1);
                body.bytes.extend([resolution, 0, 0, 0]);
            }
        })
    }

    fn packet(self, interface: u32, ticks: u64, frame: &[u8], original_length: u32) -> Builder {
        self.block(6, |body| {
            body.word(interface);
            body.word((ticks >> 32) as u32);
            body.word(ticks as u32);
            body.word(frame.len() as u32);
            body.word(original_length);
            body.bytes.extend(frame);
        })
    }
}

fn frame(length: usize) -> Vec<u8> {
    (0..length).map(|octet| octet as u8).collect()
}

fn read(bytes: &[u8]) -> (Vec<CapturedFrame>, CaptureSummary) {
    let mut reader = CaptureReader::new(bytes, "test.pcap").unwrap();
    let frames = reader.by_ref().collect::<Result<Vec<_>>>().unwrap();
    (frames, reader.summary().clone())
}

fn error_of(bytes: &[u8]) -> String {
    let error = match CaptureReader::new(bytes, "test.pcap") {
        Err(error) => error,
        Ok(reader) => reader.collect::<Result<Vec<_>>>().unwrap_err(),
    };
    format!("{error:#}")
}

fn times(frames: &[CapturedFrame]) -> Vec<u64> {
    frames.iter().map(|frame| frame.time_ns).collect()
}

fn home_network() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testbenches/captures/home-network.pcapng")
}

#[test]
fn pcap_in_both_byte_orders_and_resolutions() {
    for big in [false, true] {
        for (magic, unit) in [(0xa1b2_c3d4, 1000), (0xa1b2_3c4d, 1)] {
            let file = Builder::pcap(big, magic, 1).record(10, 999_999, &frame(60), 60).record(11, 1, &frame(14), 14);
            let (frames, summary) = read(&file.bytes);
            assert_eq!(times(&frames), [0, 1_000_000_000 - 999_998 * unit]);
            assert_eq!(frames[0].bytes, frame(60));
            assert_eq!(summary, CaptureSummary { frames: 2, ..Default::default() });
        }
    }
}

#[test]
fn snapped_frames_keep_their_length_on_the_wire() {
    // longer than the snap length of 65535 in the header, as with segmentation offload
    let file = Builder::pcap(false, 0xa1b2_c3d4, 1).record(0, 0, &frame(14), 70_000).record(0, 0, &frame(13), 1500);
    let (frames, summary) = read(&file.bytes);
    assert_eq!(frames, [CapturedFrame { time_ns: 0, bytes: frame(14), original_length: 70_000 }]);
    assert_eq!(summary, CaptureSummary { frames: 1, snapped: 1, too_short: 1, ..Default::default() });
}

#[test]
fn time_never_goes_back() {
    let file = Builder::pcap(false, 0xa1b2_3c4d, 1)
        .record(5, 100, &frame(60), 60)
        .record(5, 300, &frame(60), 60)
        .record(5, 200, &frame(60), 60)
        .record(4, 0, &frame(60), 60)
        .record(5, 301, &frame(60), 60);
    let (frames, summary) = read(&file.bytes);
    assert_eq!(times(&frames), [0, 200, 200, 200, 201]);
    assert_eq!(summary.backward_time_stamps, 2);
}

#[test]
fn a_pcap_cut_anywhere_gives_the_frames_before_the_cut() {
    let file = Builder::pcap(false, 0xa1b2_c3d4, 1).record(0, 0, &frame(60), 60).record(0, 1, &frame(60), 60);
    for length in 0..file.bytes.len() {
        let bytes = &file.bytes[..length];
        if length < 24 {
            let error = error_of(bytes);
            assert!(error.contains(if length == 0 { "empty" } else { "cut within its header" }), "{length}: {error}");
            continue;
        }
        let (frames, summary) = read(bytes);
        assert_eq!(frames.len(), (length - 24) / 76);
        assert_eq!(summary.truncated_file, !(length - 24).is_multiple_of(76), "{length}");
    }
}

#[test]
fn a_pcapng_cut_anywhere_gives_the_frames_before_the_cut() {
    let head = Builder::pcapng(true).interface(1, None).bytes.len();
    let file = Builder::pcapng(true).interface(1, None).packet(0, 0, &frame(60), 60).packet(0, 1, &frame(60), 60);
    for length in 28..file.bytes.len() {
        let (frames, summary) = read(&file.bytes[..length]);
        assert_eq!(frames.len(), length.saturating_sub(head) / 92);
        let at_a_boundary = length == 28 || length >= head && (length - head).is_multiple_of(92);
        assert_eq!(summary.truncated_file, !at_a_boundary, "{length}");
    }
    assert!(error_of(&file.bytes[..27]).contains("cut within its header"));
}

#[test]
fn pcapng_stamps_in_every_resolution() {
    let elapsed = |resolution, ticks: [u64; 2]| {
        let file = Builder::pcapng(false).interface(1, resolution).packet(0, ticks[0], &frame(60), 60).packet(
            0,
            ticks[1],
            &frame(60),
            60,
        );
        times(&read(&file.bytes).0)[1]
    };
    assert_eq!(elapsed(None, [1_500_000_000_000_000, 1_500_000_000_000_007]), 7000); // microseconds by default
    assert_eq!(elapsed(Some(9), [u64::MAX - 7, u64::MAX]), 7);
    assert_eq!(elapsed(Some(0), [3, 5]), 2_000_000_000);
    assert_eq!(elapsed(Some(12), [0, 7_999]), 7);
    assert_eq!(elapsed(Some(0x80 | 10), [1024, 1024 + 512]), 500_000_000); // 2^-10 s
    assert_eq!(elapsed(Some(0x80 | 32), [0, 1 << 31]), 500_000_000);
    assert_eq!(elapsed(Some(0x80), [0, 1]), 1_000_000_000);
    for finest in [39, 127, 255] {
        assert_eq!(elapsed(Some(finest), [0, u64::MAX]), 0);
    }
}

#[test]
fn pcapng_time_offset_counts_between_interfaces() {
    let with_offset = |file: Builder, seconds: u32| {
        file.block(1, |body| {
            body.half(1);
            body.half(0);
            body.word(0);
            body.half(14);
            body.half(8);
            body.word(seconds);
            body.word(0); // little-endian: low word first
        })
    };
    let file = with_offset(with_offset(Builder::pcapng(false), 100), 101).packet(0, 1_500_000, &frame(60), 60).packet(
        1,
        1_000_000,
        &frame(60),
        60,
    );
    assert_eq!(times(&read(&file.bytes).0), [0, 500_000_000]);
}

#[test]
fn frames_of_other_link_types_are_skipped_and_counted() {
    let file = Builder::pcapng(true)
        .interface(105, None)
        .interface(1, None)
        .packet(0, 1, &frame(60), 60)
        .packet(1, 2, &frame(60), 60)
        .block(0x0bad, |body| body.word(7)) // an unknown block type
        .packet(0, 3, &frame(60), 60)
        .section() // new interface numbers
        .interface(1, None)
        .packet(0, 5, &frame(60), 60);
    let (frames, summary) = read(&file.bytes);
    assert_eq!(times(&frames), [0, 3000]);
    assert_eq!(summary, CaptureSummary { frames: 2, skipped_not_ethernet: 2, ..Default::default() });
}

#[test]
fn simple_and_obsolete_packet_blocks() {
    let file = Builder::pcapng(false)
        .interface(1, None)
        .block(2, |body| {
            body.half(0); // interface
            body.half(0xffff); // drop count
            for field in [0, 9, 17, 17] {
                body.word(field);
            }
            body.bytes.extend(frame(17));
        })
        .block(3, |body| {
            body.word(15);
            body.bytes.extend(frame(15));
        });
    let (frames, _) = read(&file.bytes);
    assert_eq!(frames[0].bytes, frame(17));
    assert_eq!(frames[1], CapturedFrame { time_ns: 0, bytes: frame(15), original_length: 15 });
}

#[test]
fn a_link_type_that_is_not_ethernet_is_an_error_that_names_it() {
    let expected = "test.pcap: link type 105 (IEEE 802.11), expected Ethernet (1)";
    assert!(error_of(&Builder::pcap(false, 0xa1b2_c3d4, 105).bytes).starts_with(expected));
    let file = Builder::pcapng(false).interface(105, None).packet(0, 0, &frame(60), 60);
    assert!(error_of(&file.bytes).starts_with(expected));
    // the upper half of the field is the length of the frame check sequences
    assert!(CaptureReader::new(&*Builder::pcap(false, 0xa1b2_c3d4, 0x4400_0001).bytes, "").is_ok());
}

#[test]
fn what_is_no_capture_or_damaged_is_an_error() {
    assert!(error_of(b"#!/bin/sh\n").contains("test.pcap: not a capture: it begins with 23 21 2f 62"));
    assert!(error_of(&[0x1f, 0x8b, 8, 0]).contains("gunzip"));
    let file = Builder::pcap(false, 0xa1b2_c3d4, 1).record(0, 0, &frame(60), 60);
    let mut damaged = file.bytes.clone();
    damaged[24 + 11] = 0x7f;
    assert!(error_of(&damaged).contains("record 1: captured length 2130706492, expected at most 262144"));
    let file = Builder::pcapng(false).packet(0, 0, &frame(60), 60);
    assert!(error_of(&file.bytes).contains("block at octet 28: packet of interface 0, but 0 are described"));
    let mut damaged = Builder::pcapng(false).interface(1, None).bytes;
    *damaged.last_mut().unwrap() = 1;
    assert!(error_of(&damaged).contains("the file is damaged here"));
    let missing = CaptureReader::open(Path::new("/nowhere/x.pcap")).err().unwrap();
    assert!(format!("{missing:#}").starts_with("cannot read /nowhere/x.pcap: "));
}

#[test]
fn a_real_capture_survives_writing_and_reading() {
    let mut reader = CaptureReader::open(&home_network()).unwrap();
    let frames: Vec<CapturedFrame> = reader.by_ref().map(Result::unwrap).collect();
    assert_eq!(reader.summary(), &CaptureSummary { frames: 1500, ..Default::default() });
    let octets: u64 = frames.iter().map(|frame| u64::from(frame.original_length)).sum();
    assert_eq!((octets, frames.last().unwrap().time_ns), (242_553, 407_553_525_401)); // as capinfos counts them
    let sources: BTreeSet<&[u8]> = frames.iter().map(|frame| &frame.bytes[6..12]).collect();
    assert_eq!(sources.len(), 15);

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("copy.pcap");
    let mut writer = CaptureWriter::create(&path).unwrap();
    for frame in &frames {
        writer.write(frame).unwrap();
    }
    assert!(!path.exists());
    writer.finish().commit().unwrap();
    let copy: Vec<CapturedFrame> = CaptureReader::open(&path).unwrap().map(Result::unwrap).collect();
    assert_eq!(copy, frames);
}

#[test]
fn an_uncommitted_or_refused_capture_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mut writer = CaptureWriter::create(&folder.path().join("x.pcap")).unwrap();
    let endless = CapturedFrame { time_ns: u64::MAX, bytes: frame(60), original_length: 60 };
    assert!(writer.write(&endless).unwrap_err().to_string().contains("2^32 seconds"));
    let giant = CapturedFrame { time_ns: 0, bytes: vec![0; 262_145], original_length: 262_145 };
    assert!(writer.write(&giant).unwrap_err().to_string().contains("262145 octets"));
    drop(writer);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

/// For any octets, the reader ends, with valid frames or with an error.
fn check_any_input(bytes: &[u8]) {
    let Ok(reader) = CaptureReader::new(bytes, "fuzz") else { return };
    let mut last = 0;
    for frame in reader.map_while(Result::ok) {
        assert!(frame.time_ns >= last);
        assert!(frame.bytes.len() >= ETHERNET_HEADER && frame.bytes.len() <= frame.original_length as usize);
        last = frame.time_ns;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn random_octets_do_not_panic(
        magic in prop::sample::select(vec![[0x0a, 0x0d, 0x0d, 0x0a], [0xd4, 0xc3, 0xb2, 0xa1], [0xa1, 0xb2, 0x3c, 0x4d]]),
        rest in prop::collection::vec(any::<u8>(), 0..300),
    ) {
        check_any_input(&[magic.as_slice(), &rest].concat());
    }

    #[test]
    fn damaged_captures_do_not_panic(
        big: bool,
        ng: bool,
        resolution: u8,
        ticks: [u64; 2],
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6),
        cut: prop::sample::Index,
    ) {
        let mut bytes = if ng {
            Builder::pcapng(big)
                .interface(1, Some(resolution))
                .packet(0, ticks[0], &frame(61), 61)
                .packet(0, ticks[1], &frame(62), 1500)
                .bytes
        } else {
            Builder::pcap(big, 0xa1b2_c3d4, 1)
                .record(ticks[0] as u32, ticks[1] as u32, &frame(61), 61)
                .record(ticks[1] as u32, ticks[0] as u32, &frame(62), 1500)
                .bytes
        };
        for (at, value) in damage {
            let at = at.index(bytes.len());
            bytes[at] = value;
        }
        bytes.truncate(cut.index(bytes.len() + 1));
        check_any_input(&bytes);
    }
}
