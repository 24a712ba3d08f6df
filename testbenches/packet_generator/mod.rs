// SPDX-License-Identifier: MIT OR Apache-2.0
//! The packet generator against [`write_frame`], under every pattern of back-pressure.

use tidegate::model::packet::Packet;
use tidegate::model::wire::CP_MAC;
use tidegate::model::wire::{FRAME_OCTETS, FRAME_WORDS, write_frame};
use tidegate::rtl::congestion_point::packet_generator::PacketGenerator;
use tidegate::scheme::Feedback;
use tidegate_hdl::module::Module;
use tidegate_hdl::simulation::Clocked;
use tidegate_testing::stimulus::{PATTERNS, Pattern, Random, Willing, twos_complement, value};

fn generator(cpid: u64) -> Clocked<PacketGenerator> {
    Clocked::new(&|name| match name {
        "cpid_high" => cpid >> 32,
        "cpid_low" => cpid & 0xffff_ffff,
        "cp_mac_high" => CP_MAC >> 32,
        "cp_mac_low" => CP_MAC & 0xffff_ffff,
        other => panic!("no value for `{other}`"),
    })
}

fn random_fields(random: &mut Random, cpid: u64) -> (Packet, Feedback) {
    let packet = Packet {
        bytes: 64,
        source: random.bus(48),
        destination: random.bus(48),
        tag: random.chance(50).then(|| random.bus(16) as u16),
        flow_id: random.chance(50).then(|| random.bus(16) as u16),
        controlled: true,
    };
    let feedback = Feedback {
        quantized_feedback: random.bus(6) as u8,
        q_offset: random.bus(16) as i16,
        q_delta: random.bus(16) as i16,
        cpid,
    };
    (packet, feedback)
}

fn drive(clocked: &mut Clocked<PacketGenerator>, random: &mut Random, packet: &Packet, feedback: &Feedback) {
    let circuit = &mut clocked.circuit;
    circuit.set("quantized_feedback", feedback.quantized_feedback.into());
    circuit.set("q_offset_units", twos_complement(feedback.q_offset.into(), 16));
    circuit.set("q_delta_units", twos_complement(feedback.q_delta.into(), 16));
    circuit.set("source_mac_high", packet.source >> 32);
    circuit.set("source_mac_low", packet.source & 0xffff_ffff);
    circuit.set("destination_mac_high", packet.destination >> 32);
    circuit.set("destination_mac_low", packet.destination & 0xffff_ffff);
    circuit.set("has_tag", packet.tag.is_some().into());
    // Without a tag its bus holds anything.
    let tag = packet.tag.map_or(random.word() & 0xffff, u64::from);
    circuit.set("vlan_tci", tag);
    circuit.set("has_cn_tag", packet.flow_id.is_some().into());
    let flow_id = packet.flow_id.map_or(random.word() & 0xffff, u64::from);
    circuit.set("flow_id", flow_id);
}

/// Sends one frame. Returns the number of cycles.
fn send(clocked: &mut Clocked<PacketGenerator>, random: &mut Random, ready: &mut Willing, cpid: u64) -> u64 {
    let (packet, feedback) = random_fields(random, cpid);
    drive(clocked, random, &packet, &feedback);
    clocked.circuit.feedback_valid.next = true;
    let expected = write_frame(&packet, &feedback, CP_MAC);
    let (mut cycles, mut words, mut done) = (0, 0, 0);
    while words < FRAME_WORDS {
        let is_ready = ready.next(random);
        clocked.circuit.ready.next = is_ready;
        clocked.settle();
        let circuit = &clocked.circuit;
        // Checked in every cycle, taken or not: valid does not fall, the word does not change.
        assert!(circuit.valid.val(), "valid fell before word {words} was taken");
        let octets = expected.len().min(8 * (words + 1)) - 8 * words;
        let mut word = [0; 8];
        word[..octets].copy_from_slice(&expected[8 * words..][..octets]);
        let seen = value(circuit.data_high.val()) << 32 | value(circuit.data_low.val());
        assert_eq!(seen.to_be_bytes(), word, "word {words} of {packet:?}, {feedback:?}");
        assert_eq!(value(circuit.octets.val()), octets as u64, "octets of word {words}");
        assert_eq!(circuit.last.val(), words + 1 == FRAME_WORDS, "last with word {words}");
        assert_eq!(circuit.frame_done.val(), is_ready && words + 1 == FRAME_WORDS, "done with word {words}");
        done += u32::from(circuit.frame_done.val());
        words += usize::from(is_ready);
        clocked.edge();
        cycles += 1;
        assert!(cycles < 5000, "stuck at word {words}");
    }
    assert_eq!(done, 1, "the end of a frame is reported once");
    cycles
}

#[test]
fn frames_under_back_pressure_and_with_gaps() {
    for (seed, ready) in PATTERNS.into_iter().enumerate() {
        for gaps in PATTERNS {
            let mut random = Random::new(seed as u64 + 1);
            let cpid = random.word();
            let mut clocked = generator(cpid);
            let (mut ready, mut gaps) = (Willing::new(ready), Willing::new(gaps));
            for _ in 0..100 {
                // Without a frame to send the stream is idle, also if the receiver is ready.
                while !gaps.next(&mut random) {
                    clocked.circuit.feedback_valid.next = false;
                    clocked.circuit.ready.next = ready.next(&mut random);
                    clocked.settle();
                    assert!(!clocked.circuit.valid.val());
                    assert!(!clocked.circuit.frame_done.val());
                    clocked.edge();
                }
                send(&mut clocked, &mut random, &mut ready, cpid);
            }
        }
    }
}

#[test]
fn eight_cycles_a_frame_without_back_pressure() {
    assert_eq!((FRAME_OCTETS, FRAME_WORDS), (60, 8));
    let mut random = Random::new(9);
    let mut clocked = generator(0);
    let mut ready = Willing::new(Pattern::Always);
    for _ in 0..100 {
        assert_eq!(send(&mut clocked, &mut random, &mut ready, 0), 8);
    }
}

/// A reset in the middle of a frame: the next one begins with its first word.
#[test]
fn reset_begins_a_new_frame() {
    let mut random = Random::new(10);
    for words in 0..8 {
        let mut clocked = generator(1);
        clocked.circuit.feedback_valid.next = true;
        clocked.circuit.ready.next = true;
        (0..words).for_each(|_| clocked.edge());
        clocked.circuit.reset.next = true;
        clocked.edge();
        clocked.circuit.reset.next = false;
        send(&mut clocked, &mut random, &mut Willing::new(Pattern::Always), 1);
    }
}
