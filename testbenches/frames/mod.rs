// SPDX-License-Identifier: MIT OR Apache-2.0
//! Wrong frames and recorded frames at whole reaction points: circuit and model accept the same frames, in the same
//! cycle, and count the others.

use rayon::prelude::*;
use tidegate::bench::frames::{HEADER, Playback, Reasons, Summary, run};
use tidegate::bench::trace::Trace;
use tidegate::bench::{Engine, Reports};
use tidegate::frame::capture::{CaptureWriter, CapturedFrame};
use tidegate::frame::cnm::Cnm;
use tidegate::model::wire::{Address, mac_octets};
use tidegate::model::wire::{CPID, rp_mac};
use tidegate::output::commit_all;
use tidegate::registry::{self, Scheme};
use tidegate::scheme::parameters::Parameters;
use tidegate_testing::settings::{Settings, first_accepted, lively, parameters, scheme, settings};
use tidegate_testing::stimulus::Random;

fn fill(random: &mut Random, octets: &mut [u8]) {
    octets.iter_mut().for_each(|octet| *octet = random.word() as u8);
}

/// A frame that the reaction point accepts, if it allows this congestion point.
fn notification(random: &mut Random) -> Cnm {
    let mut msdu = vec![0; random.pick(&[0, 0, 22, 23, 63, 64])];
    fill(random, &mut msdu);
    Cnm {
        destination: mac_octets(rp_mac(0)),
        source: std::array::from_fn(|_| random.word() as u8),
        vlan: random.chance(50).then(|| random.word() as u16),
        flow_id: random.chance(50).then(|| random.word() as u16),
        quantized_feedback: random.bus(6) as u8,
        cpid: CPID,
        q_offset: random.bus(16) as i16,
        q_delta: random.bus(16) as i16,
        priority: random.below(8) as u8,
        encapsulated_destination: std::array::from_fn(|_| random.word() as u8),
        msdu,
    }
}

fn hostile(random: &mut Random) -> Vec<u8> {
    let mut cnm = notification(random);
    let kind = random.below(18);
    match kind {
        0 => cnm.destination[random.below(6) as usize] ^= 1 << random.below(8),
        1 | 2 => cnm.cpid ^= 1 << random.below(64),
        _ => {}
    }
    let mut frame = cnm.to_frame();
    let header = 14 + 4 * usize::from(cnm.vlan.is_some()) + 4 * usize::from(cnm.flow_id.is_some());
    match kind {
        3 => (0..random.between(1, 3)).for_each(|_| {
            let at = random.below(frame.len() as u64) as usize;
            frame[at] = random.word() as u8;
        }),
        4 => frame.truncate(random.below(frame.len() as u64 + 1) as usize),
        5 => frame.resize(random.between(60, 300) as usize, random.word() as u8),
        6 => drop(frame.splice(12..12, [0x81, 0x00, 0x00, 0x02])),
        // Behind a tag that it may not follow, or behind none.
        16 => drop(frame.splice(header - 2..header - 2, [0x81, 0x00, 0x00, 0x02])),
        17 => drop(frame.splice(header - 2..header - 2, [0x22, 0xe9, 0x00, 0x02])),
        7 => frame[header - 2 + random.below(2) as usize] ^= 1 << random.below(8),
        8 => frame[header] |= 0x10 << random.below(4),
        9 => frame[header + 22] = 1 << random.below(8),
        10 => frame[header + 23] = random.word() as u8,
        11 => {
            frame = vec![0; random.between(0, 300) as usize];
            fill(random, &mut frame);
        }
        12 if random.chance(20) => frame.resize(random.pick(&[1500, 9000]), 0),
        _ => {}
    }
    frame
}

/// Plays frames to both engines. Returns their common result.
fn agree(
    scheme: &Scheme,
    parameters: &Parameters,
    address: Address,
    frames: &[CapturedFrame],
    what: &str,
) -> (String, Summary) {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("frames.pcap");
    let mut writer = CaptureWriter::create(&input).unwrap();
    frames.iter().for_each(|frame| writer.write(frame).unwrap());
    writer.finish().commit().unwrap();
    let play = |engine| {
        let path = folder.path().join(format!("{engine:?}.csv"));
        let playback = Playback { input: &input, speedup: 1, cycles: None, address };
        let mut trace = Trace::create(Some(&path), HEADER).unwrap();
        let reports = Reports::trace(&mut trace);
        let summary = run(scheme, parameters, engine, &playback, reports).unwrap();
        commit_all(trace.finish()).unwrap();
        (std::fs::read_to_string(path).unwrap(), summary)
    };
    let (circuit, model) = (play(Engine::Rtl), play(Engine::Model));
    for (line, (left, right)) in circuit.0.lines().zip(model.0.lines()).enumerate() {
        assert_eq!(left, right, "{what}: circuit and model differ first in line {}", line + 1);
    }
    assert_eq!(circuit.0.len(), model.0.len(), "{what}: one trace is longer");
    assert_eq!(circuit.1, model.1, "{what}");
    model
}

fn sum(reasons: &Reasons) -> u64 {
    let Reasons { too_short, other_ether_type, too_long, version, msdu_length, .. } = *reasons;
    let Reasons { other_rule, other_destination, other_cpid, dropped, .. } = *reasons;
    let invalid = too_short + other_ether_type + too_long + version + msdu_length + other_rule;
    invalid + other_destination + other_cpid + dropped
}

fn hostile_frames_agree(scheme: &'static Scheme, seed: u64) {
    let (name, mut random) = (scheme.name, Random::new(seed));
    let mut total = Vec::new();
    for (cpid, cpid_mask) in [(0, 0), (CPID, u64::MAX), (CPID, 0xffff_0000_8000_0001)] {
        let mut time_ns = 0;
        let frames: Vec<_> = (0..1000)
            .map(|_| {
                let mut bytes = hostile(&mut random);
                let gap = random.pick(&[0, 8, 64, 400, 3000]);
                time_ns += random.between(0, gap);
                let original_length = bytes.len() as u32;
                if random.chance(5) {
                    bytes.truncate(random.below(u64::from(original_length) + 1) as usize);
                }
                CapturedFrame { time_ns, bytes, original_length }
            })
            .collect();
        let pairs = match seed {
            1 => Settings::new(),
            _ => first_accepted(scheme, || settings(&lively(scheme, &mut random))),
        };
        let what = format!("{name}, seed {seed}, mask {cpid_mask:#x}, {pairs:?}");
        let address = Address { cpid, cpid_mask, ..Address::any_cpid(rp_mac(0)) };
        let (trace, summary) = agree(scheme, &scheme.parameters(&pairs).unwrap(), address, &frames, &what);
        assert_eq!(summary.frames + summary.capture.too_short, 1000, "{what}: {summary:?}");
        assert_eq!(sum(&summary.ignored), summary.ignored_frames, "{what}: {summary:?}");
        assert_eq!(summary.feedback_taken, summary.frames - summary.ignored_frames, "{what}: {summary:?}");
        assert_eq!(summary.ignored.other_cpid > 0, cpid_mask != 0, "{what}");
        let rows = |event: &str| trace.lines().filter(|line| line.split(',').nth(1) == Some(event)).count() as u64;
        assert_eq!(rows("ignored"), summary.ignored_frames);
        assert_eq!((rows("feedback"), rows("rate")), (summary.feedback_taken, summary.changes));
        total.push(summary);
    }
    let all = |count: fn(&Summary) -> u64| total.iter().map(count).sum::<u64>();
    assert!(all(|summary| summary.capture.snapped) > 20 && all(|summary| summary.capture.too_short) > 0, "{name}");
    assert!(all(|summary| summary.feedback_taken) > 200 && all(|summary| summary.changes) > 20, "{name}: {total:?}");
    // Even DSM, which takes a feedback one cycle later, drops one whose frame follows at once: that comes to wait with the
    // second word of the next frame.
    assert!(all(|summary| summary.ignored.dropped) > 0, "{name}: {total:?}");
    let reasons: [fn(&Reasons) -> u64; 6] = [
        |reasons| reasons.too_short,
        |reasons| reasons.other_ether_type,
        |reasons| reasons.too_long,
        |reasons| reasons.version,
        |reasons| reasons.msdu_length,
        |reasons| reasons.other_destination,
    ];
    for (index, reason) in reasons.iter().enumerate() {
        assert!(total.iter().map(|summary| reason(&summary.ignored)).sum::<u64>() > 0, "{name}: reason {index} never");
    }
}

/// Every scheme, with the defaults and with lively values of its keys.
#[test]
fn hostile_frames() {
    let cases: Vec<_> = registry::ethernet().flat_map(|scheme| [(scheme, 1), (scheme, 2)]).collect();
    cases.into_par_iter().for_each(|(scheme, seed)| hostile_frames_agree(scheme, seed));
}

/// A notification, a runt that follows at once, another with a gap, one for another station: each in its cycle.
#[test]
fn rows_stand_in_the_cycle_of_the_last_word() {
    let mut random = Random::new(7);
    let tags = Cnm { vlan: None, flow_id: None, ..notification(&mut random) };
    let cnm = Cnm { cpid: CPID, q_offset: 100, q_delta: 20, msdu: Vec::new(), ..tags };
    let frame = |time_ns, bytes: Vec<u8>| CapturedFrame { time_ns, original_length: bytes.len() as u32, bytes };
    let other = Cnm { destination: [2; 6], ..cnm.clone() };
    let frames = [
        frame(0, cnm.to_frame()),
        frame(8, vec![9; 13]),
        frame(800, cnm.to_frame()),
        frame(1600, [other.to_frame(), vec![0; 42]].concat()),
    ];
    let address = Address::any_cpid(rp_mac(0));
    let (trace, summary) = agree(scheme("smcc"), &parameters("smcc", &[]), address, &frames, "four frames");
    let rows: Vec<_> = trace.lines().skip(1).filter(|row| !row.contains(",rate,")).collect();
    assert_eq!(
        rows,
        [
            "7,taken,1,,,,,",
            // Two words, taken while the calculator works.
            "9,ignored,2,,,,,too_short",
            "27,feedback,1,,100,20,,",
            "107,taken,3,,,,,",
            "127,feedback,3,,100,20,,",
            // 102 octets are 13 words.
            "212,ignored,4,,,,,other_destination",
        ]
    );
    assert!(trace.contains("\n28,rate,,,,,"), "{trace}");
    assert_eq!(summary.cycles, 213 + 1000);
    assert_eq!((summary.frames, summary.changes, &summary.address[..]), (4, 2, "02:00:00:00:10:00"));
    assert!(summary.granted_packets > 0 && summary.granted_bytes == 1024 * summary.granted_packets, "{summary:?}");
    let json = serde_json::to_value(&summary).unwrap();
    assert_eq!(json["ignored"]["other_destination"], 1);
}

#[test]
fn a_length_that_is_not_true_and_a_run_that_ends_early() {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("frames.pcap");
    let write = |frames: &[CapturedFrame]| {
        let mut writer = CaptureWriter::create(&input).unwrap();
        frames.iter().for_each(|frame| writer.write(frame).unwrap());
        writer.finish().commit().unwrap();
    };
    let play = |engine, cycles| {
        let address = Address::any_cpid(rp_mac(0));
        let playback = Playback { input: &input, speedup: 1, cycles, address };
        let trace = &mut Trace::create(None, HEADER).unwrap();
        run(scheme("qcn"), &parameters("qcn", &[]), engine, &playback, Reports::trace(trace))
    };
    let frame = |time_ns, original_length| CapturedFrame { time_ns, bytes: vec![1; 60], original_length };
    write(&[frame(0, 60), frame(10, u32::MAX)]);
    let said = format!("{:#}", play(Engine::Model, None).unwrap_err());
    assert!(said.contains("frames.pcap: frame 2: 4294967295 octets"), "{said}");
    write(&[frame(0, 60), frame(10_000_000_000_000, 60)]);
    let said = format!("{:#}", play(Engine::Rtl, None).unwrap_err());
    assert!(
        said.contains("frames.pcap: frame 2: it comes in cycle 1250000000000") && said.contains("--speedup"),
        "{said}"
    );
    // For the model, a gap of hours takes no time.
    assert_eq!(play(Engine::Model, None).unwrap().cycles, 1_250_000_000_000 + 8 + 1000);
    write(&[frame(0, 60), frame(10_000_000_000, 60)]);
    for engine in [Engine::Rtl, Engine::Model] {
        let summary = play(engine, Some(500)).unwrap();
        assert_eq!((summary.cycles, summary.frames, summary.ignored.other_ether_type), (500, 1, 1));
    }
    write(&[]);
    assert_eq!(play(Engine::Rtl, None).unwrap().cycles, 1000);
}
