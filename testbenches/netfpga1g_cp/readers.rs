// SPDX-License-Identifier: MIT OR Apache-2.0
//! The frames that come out, read by programs that know nothing of the circuit: `etherparse`, and tshark with the
//! dissector of this project.

use crate::netfpga1g_cp::packets::Packet;
use crate::netfpga1g_cp::world::{ADDRESS, CPID, Case, World};
use crate::netfpga1g_cp::{QCN, SMCC, run};
use etherparse::{EtherType, Ethernet2Header, SingleVlanHeader};
use tidegate::frame::cnm::Cnm;
use tidegate_testing::stimulus::Pattern;
use tidegate_testing::tshark::dissect;

const VLAN: EtherType = EtherType(0x8100);
const CN_TAG: EtherType = EtherType(0x22e9);
const FEEDBACK: EtherType = EtherType(0x22e7);

/// The tags of a packet as its octets say them: that of the VLAN, and the flow of the CN-TAG.
fn tags(packet: &Packet) -> (Option<u16>, Option<u16>) {
    let pair = |at: usize| u16::from_be_bytes([packet.octets[at], packet.octets[at + 1]]);
    let vlan = (pair(12) == VLAN.0).then(|| pair(14));
    let behind = if vlan.is_some() { 16 } else { 12 };
    (vlan, (pair(behind) == CN_TAG.0).then(|| pair(behind + 2)))
}

/// Reads a frame with `etherparse`, as far as it knows the headers.
fn parsed((octets, packet, queue): &(Vec<u8>, Packet, u64)) {
    assert_eq!(octets.len(), 60, "the shortest frame without its FCS");
    let (ethernet, rest) = Ethernet2Header::from_slice(octets).unwrap();
    assert_eq!(ethernet.source, ADDRESS);
    assert_eq!(ethernet.destination[..], packet.octets[6..12], "to the source of the packet");
    let (vlan, flow) = tags(packet);
    let (mut ether_type, mut rest) = (ethernet.ether_type, rest);
    if let Some(tag) = vlan {
        assert_eq!(ether_type, VLAN);
        let (header, behind) = SingleVlanHeader::from_slice(rest).unwrap();
        let found = u16::from(header.pcp.value()) << 13
            | u16::from(header.drop_eligible_indicator) << 12
            | header.vlan_id.value();
        assert_eq!(found, tag);
        (ether_type, rest) = (header.ether_type, behind);
    }
    if let Some(flow) = flow {
        assert_eq!(ether_type, CN_TAG);
        assert_eq!(u16::from_be_bytes([rest[0], rest[1]]), flow);
        (ether_type, rest) = (EtherType(u16::from_be_bytes([rest[2], rest[3]])), &rest[4..]);
    }
    assert_eq!(ether_type, FEEDBACK);
    // 802.1Q: version, reserved and QntzFb; CPID; QOffset; QDelta; priority; destination; length of the MSDU.
    assert_eq!(u64::from_be_bytes(rest[2..10].try_into().unwrap()), CPID | queue);
    assert_eq!(rest[16..22], packet.octets[..6], "the destination of the packet");
    assert!(rest[24..].iter().all(|&octet| octet == 0), "padding");
}

/// Frames of packets with and without tags.
fn frames(case: Case) -> World {
    let world = run(Case { packets: 4_000, sink: Pattern::Random(80), ..case });
    for vlan in [false, true] {
        for flow in [false, true] {
            let such = |(_, packet, _): &&(_, Packet, _)| {
                let tags = tags(packet);
                (tags.0.is_some(), tags.1.is_some()) == (vlan, flow)
            };
            let count = world.kept.iter().filter(such).count();
            assert!(count > 5, "{count} frames with VLAN {vlan} and CN-TAG {flow}");
        }
    }
    world
}

#[test]
fn frames_are_valid_for_etherparse_and_tshark() {
    for case in [QCN, SMCC] {
        let world = frames(case);
        world.kept.iter().for_each(parsed);
        let octets: Vec<Vec<u8>> = world.kept.iter().map(|(octets, ..)| octets.clone()).collect();
        let fields = [
            "eth.dst",
            "eth.src",
            "vlan.id",
            "cn_tag.flow",
            "cnm.version",
            "cnm.quantized_feedback",
            "cnm.cpid",
            "cnm.q_offset",
            "cnm.q_delta",
            "cnm.destination",
            "cnm.msdu_length",
            "_ws.expert.message",
        ];
        let Some(lines) = dissect(&octets, &fields) else { return };
        assert_eq!(lines.len(), octets.len());
        let address = |octets: &[u8]| octets.iter().map(|octet| format!("{octet:02x}")).collect::<Vec<_>>().join(":");
        for (line, (octets, packet, queue)) in lines.iter().zip(&world.kept) {
            let (vlan, flow) = tags(packet);
            let text = |tag: Option<u16>| tag.map_or(String::new(), |tag| tag.to_string());
            let frame = Cnm::parse(octets).unwrap();
            let expected = [
                address(&packet.octets[6..12]),
                address(&ADDRESS),
                text(vlan.map(|tag| tag & 0xfff)),
                text(flow),
                "0".to_string(),
                frame.quantized_feedback.to_string(),
                format!("{:#018x}", CPID | queue),
                frame.q_offset.to_string(),
                frame.q_delta.to_string(),
                address(&packet.octets[..6]),
                "0".to_string(),
                String::new(),
            ];
            assert_eq!(*line, expected.join(";"));
        }
    }
}
