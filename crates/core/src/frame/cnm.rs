// SPDX-License-Identifier: MIT OR Apache-2.0
//! The congestion notification message (CNM) of IEEE 802.1Q, clause 33: the message from a congestion point to a
//! source.
//!
//! Untagged layout, octets from 0, all fields big-endian. A VLAN tag moves all octets after octet 11 by four, and so
//! does a CN-TAG, which stands behind the VLAN tag if there are both.
//!
//! | octets | field |
//! |---|---|
//! | 0–5 | destination: the source of the sampled frame |
//! | 6–11 | source: the congestion point |
//! | 12–13 | EtherType 0x22E7 |
//! | 14–15 | version (4 bits, 0), reserved (6), quantized feedback (6) |
//! | 16–23 | CPID |
//! | 24–25 | cnmQOffset |
//! | 26–27 | cnmQDelta |
//! | 28–29 | encapsulated priority (top 3 bits) |
//! | 30–35 | encapsulated destination address |
//! | 36–37 | encapsulated MSDU length |
//! | 38– | encapsulated MSDU, then zeros up to 60 octets |
//!
//! The parser in `rtl/` follows the same rules; its benches compare it with [`Cnm::parse`].

/// EtherType of the congestion notification message.
pub const ETHERTYPE_CNM: u16 = 0x22e7;
/// EtherType of the congestion notification tag (CN-TAG), which carries a 16-bit flow identifier.
pub const ETHERTYPE_CN_TAG: u16 = 0x22e9;
/// EtherType of a customer VLAN tag.
pub const ETHERTYPE_VLAN: u16 = 0x8100;
/// Shortest Ethernet frame without its frame check sequence, in octets.
pub const MINIMUM_FRAME: usize = 60;
/// Most octets of the sampled frame in a message.
pub const MAXIMUM_MSDU: usize = 64;
/// Octets of the message between the EtherType and the encapsulated MSDU.
const PDU_HEADER: usize = 24;
const UNTAGGED_HEADER: usize = 14;
const TAG: usize = 4;

/// What stands between the addresses and the EtherType of any frame: a VLAN tag, then a CN-TAG, or one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tags {
    /// Tag control information of the VLAN tag.
    pub vlan: Option<u16>,
    /// Flow identifier of the CN-TAG.
    pub flow_id: Option<u16>,
    /// Index of the first octet of the EtherType behind them.
    pub ether_type_at: usize,
}

impl Tags {
    /// The tags of a frame, as far as they are whole.
    pub fn of(frame: &[u8]) -> Self {
        let tag = |kind: u16, at: usize| match frame.get(at..at + TAG) {
            Some(&[high, low, first, second]) if [high, low] == kind.to_be_bytes() => {
                Some(u16::from_be_bytes([first, second]))
            }
            _ => None,
        };
        let behind = |tag: Option<u16>, at: usize| if tag.is_some() { at + TAG } else { at };
        let vlan = tag(ETHERTYPE_VLAN, UNTAGGED_HEADER - 2);
        let at = behind(vlan, UNTAGGED_HEADER - 2);
        let flow_id = tag(ETHERTYPE_CN_TAG, at);
        Tags { vlan, flow_id, ether_type_at: behind(flow_id, at) }
    }
}

/// A congestion notification message, without frame check sequence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cnm {
    /// MAC address of the reaction point.
    pub destination: [u8; 6],
    /// MAC address of the congestion point.
    pub source: [u8; 6],
    /// Tag control information (priority, drop eligibility, VLAN identifier), if the frame carries a VLAN tag.
    pub vlan: Option<u16>,
    /// Flow identifier, if the frame carries a CN-TAG: that of the sampled frame.
    pub flow_id: Option<u16>,
    /// QntzFb, 6 bits: how strong the congestion is, 0 to 63.
    pub quantized_feedback: u8,
    /// Identifier of the congestion point.
    pub cpid: u64,
    /// Queue length above its target, in 64-octet units; positive means congestion.
    pub q_offset: i16,
    /// Growth of the queue since the previous sample, in 64-octet units; positive means congestion.
    pub q_delta: i16,
    /// Priority of the sampled frame, 3 bits.
    pub priority: u8,
    /// Destination address of the sampled frame.
    pub encapsulated_destination: [u8; 6],
    /// Beginning of the sampled frame's contents, 0 to 64 octets.
    pub msdu: Vec<u8>,
}

/// Why a frame is not a valid congestion notification message (clause 33.4, validation).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rejection {
    /// Shorter than 60 octets; holds the length.
    TooShort(usize),
    /// The EtherType, after at most one VLAN tag and then at most one CN-TAG, is not 0x22E7; holds the EtherType.
    EtherType(u16),
    /// Longer than the longest message, 102 octets and 4 more for each tag; holds the length.
    TooLong(usize),
    /// The version is not 0; holds the version.
    Version(u8),
    /// The MSDU length is over 64, or the MSDU does not fit the frame; holds the stated length.
    MsduLength(u16),
}

impl std::fmt::Display for Rejection {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Rejection::TooShort(length) => {
                write!(formatter, "frame of {length} octets, expected at least {MINIMUM_FRAME}")
            }
            Rejection::EtherType(found) => write!(formatter, "EtherType {found:#06x}, expected {ETHERTYPE_CNM:#06x}"),
            Rejection::TooLong(length) => {
                write!(formatter, "frame of {length} octets, expected at most 102, and 4 more for each tag")
            }
            Rejection::Version(found) => write!(formatter, "version {found}, expected 0"),
            Rejection::MsduLength(stated) => {
                write!(
                    formatter,
                    "encapsulated MSDU length {stated}, expected at most {MAXIMUM_MSDU} and inside the frame"
                )
            }
        }
    }
}

impl std::error::Error for Rejection {}

impl Cnm {
    /// The frame for the MAC: padded with zeros to 60 octets, without frame check sequence.
    ///
    /// # Panics
    /// If a value does not fit its field: `quantized_feedback` above 63, `priority` above 7, `msdu` above 64 octets.
    pub fn to_frame(&self) -> Vec<u8> {
        assert!(self.quantized_feedback < 64, "quantized_feedback {} does not fit 6 bits", self.quantized_feedback);
        assert!(self.priority < 8, "priority {} does not fit 3 bits", self.priority);
        assert!(self.msdu.len() <= MAXIMUM_MSDU, "msdu of {} octets, at most {MAXIMUM_MSDU} fit", self.msdu.len());
        let mut frame = Vec::with_capacity(UNTAGGED_HEADER + 2 * TAG + PDU_HEADER + MAXIMUM_MSDU);
        frame.extend(self.destination);
        frame.extend(self.source);
        if let Some(tag_control) = self.vlan {
            frame.extend(ETHERTYPE_VLAN.to_be_bytes());
            frame.extend(tag_control.to_be_bytes());
        }
        if let Some(flow_id) = self.flow_id {
            frame.extend(ETHERTYPE_CN_TAG.to_be_bytes());
            frame.extend(flow_id.to_be_bytes());
        }
        frame.extend(ETHERTYPE_CNM.to_be_bytes());
        frame.extend(u16::from(self.quantized_feedback).to_be_bytes());
        frame.extend(self.cpid.to_be_bytes());
        frame.extend(self.q_offset.to_be_bytes());
        frame.extend(self.q_delta.to_be_bytes());
        frame.extend((u16::from(self.priority) << 13).to_be_bytes());
        frame.extend(self.encapsulated_destination);
        frame.extend((self.msdu.len() as u16).to_be_bytes());
        frame.extend(&self.msdu);
        if frame.len() < MINIMUM_FRAME {
            frame.resize(MINIMUM_FRAME, 0);
        }
        frame
    }

    /// Reads a frame without its frame check sequence. Reserved bits and padding are ignored.
    ///
    /// # Errors
    /// The first rule that the frame violates, in the order of the variants of [`Rejection`].
    pub fn parse(frame: &[u8]) -> Result<Cnm, Rejection> {
        if frame.len() < MINIMUM_FRAME {
            return Err(Rejection::TooShort(frame.len()));
        }
        let word = |at: usize| u16::from_be_bytes([frame[at], frame[at + 1]]);
        let address = |at: usize| -> [u8; 6] { std::array::from_fn(|octet| frame[at + octet]) };
        let Tags { vlan, flow_id, ether_type_at } = Tags::of(frame);
        let header = ether_type_at + 2;
        let ether_type = word(ether_type_at);
        if ether_type != ETHERTYPE_CNM {
            return Err(Rejection::EtherType(ether_type));
        }
        if frame.len() > header + PDU_HEADER + MAXIMUM_MSDU {
            return Err(Rejection::TooLong(frame.len()));
        }
        let version = frame[header] >> 4;
        if version != 0 {
            return Err(Rejection::Version(version));
        }
        let msdu_length = word(header + 22);
        let msdu_start = header + PDU_HEADER;
        if usize::from(msdu_length) > MAXIMUM_MSDU || msdu_start + usize::from(msdu_length) > frame.len() {
            return Err(Rejection::MsduLength(msdu_length));
        }
        Ok(Cnm {
            destination: address(0),
            source: address(6),
            vlan,
            flow_id,
            quantized_feedback: frame[header + 1] & 0x3f,
            cpid: u64::from_be_bytes(std::array::from_fn(|octet| frame[header + 2 + octet])),
            q_offset: word(header + 10) as i16,
            q_delta: word(header + 12) as i16,
            priority: frame[header + 14] >> 5,
            encapsulated_destination: address(header + 16),
            msdu: frame[msdu_start..msdu_start + usize::from(msdu_length)].to_vec(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn example() -> Cnm {
        Cnm {
            destination: [0x02, 0, 0, 0, 0, 0x0a],
            source: [0x02, 0, 0, 0, 0, 0x01],
            vlan: None,
            flow_id: None,
            quantized_feedback: 0x2a,
            cpid: 0x0102_0304_0506_0708,
            q_offset: -2,
            q_delta: 0x1234,
            priority: 5,
            encapsulated_destination: [0x02, 0, 0, 0, 0, 0x0b],
            msdu: vec![0xde, 0xad],
        }
    }

    #[test]
    fn fields_stand_where_the_standard_puts_them() {
        let frame = example().to_frame();
        let mut expected = vec![0x02, 0, 0, 0, 0, 0x0a, 0x02, 0, 0, 0, 0, 0x01, 0x22, 0xe7, 0x00, 0x2a];
        expected.extend([1, 2, 3, 4, 5, 6, 7, 8, 0xff, 0xfe, 0x12, 0x34, 0xa0, 0x00]);
        expected.extend([0x02, 0, 0, 0, 0, 0x0b, 0x00, 0x02, 0xde, 0xad]);
        expected.resize(60, 0);
        assert_eq!(frame, expected);
        let tagged = Cnm { vlan: Some(0xe123), ..example() }.to_frame();
        assert_eq!(tagged[12..20], [0x81, 0x00, 0xe1, 0x23, 0x22, 0xe7, 0x00, 0x2a]);
        assert_eq!(tagged.len(), 60);
        let of_a_flow = Cnm { flow_id: Some(0x4567), ..example() }.to_frame();
        assert_eq!(of_a_flow[12..20], [0x22, 0xe9, 0x45, 0x67, 0x22, 0xe7, 0x00, 0x2a]);
        let with_both = Cnm { vlan: Some(0xe123), flow_id: Some(0x4567), ..example() }.to_frame();
        assert_eq!(with_both[12..20], [0x81, 0x00, 0xe1, 0x23, 0x22, 0xe9, 0x45, 0x67]);
        assert_eq!(with_both[20..52], expected[12..44]);
        assert_eq!((of_a_flow.len(), with_both.len()), (60, 60));
    }

    #[test]
    fn lengths_at_the_edges() {
        let full = Cnm { msdu: vec![7; 64], ..example() };
        let frame = full.to_frame();
        assert_eq!(frame.len(), 102);
        assert_eq!(Cnm::parse(&frame), Ok(full.clone()));
        let tagged = Cnm { vlan: Some(1), ..full };
        assert_eq!(tagged.to_frame().len(), 106);
        assert_eq!(Cnm::parse(&tagged.to_frame()), Ok(tagged.clone()));
        let with_both = Cnm { flow_id: Some(2), ..tagged.clone() };
        assert_eq!(with_both.to_frame().len(), 110);
        assert_eq!(Cnm::parse(&with_both.to_frame()), Ok(with_both.clone()));

        assert_eq!(Cnm::parse(&frame[..59]), Err(Rejection::TooShort(59)));
        assert_eq!(Cnm::parse(&[]), Err(Rejection::TooShort(0)));
        let longer = |frame: Vec<u8>| [frame, vec![0]].concat();
        assert_eq!(Cnm::parse(&longer(frame.clone())), Err(Rejection::TooLong(103)));
        assert_eq!(Cnm::parse(&longer(tagged.to_frame())), Err(Rejection::TooLong(107)));
        assert_eq!(Cnm::parse(&longer(with_both.to_frame())), Err(Rejection::TooLong(111)));
        // cut inside the MSDU
        assert_eq!(Cnm::parse(&frame[..101]), Err(Rejection::MsduLength(64)));
    }

    #[test]
    fn wrong_fields_are_named() {
        let changed = |at: usize, value: u8| {
            let mut frame = example().to_frame();
            frame[at] = value;
            Cnm::parse(&frame)
        };
        assert_eq!(changed(13, 0xe8), Err(Rejection::EtherType(0x22e8)));
        assert_eq!(changed(13, 0xe9), Err(Rejection::EtherType(0x0102))); // behind a CN-TAG
        assert_eq!(changed(14, 0x10), Err(Rejection::Version(1)));
        assert_eq!(changed(36, 0x01), Err(Rejection::MsduLength(0x102)));
        assert_eq!(changed(37, 65), Err(Rejection::MsduLength(65)));
        assert_eq!(changed(37, 23), Err(Rejection::MsduLength(23))); // 38 + 23 = 61 > 60
        assert!(changed(37, 22).is_ok());
    }

    #[test]
    fn only_a_vlan_tag_and_then_a_cn_tag() {
        let (vlan, cn_tag) = ([0x81, 0x00, 0x00, 0x02], [0x22, 0xe9, 0x00, 0x03]);
        for (tags, found) in [
            (vec![vlan, vlan], 0x8100),
            (vec![cn_tag, vlan], 0x8100),
            (vec![cn_tag, cn_tag], 0x22e9),
            (vec![vlan, cn_tag, cn_tag], 0x22e9),
            (vec![vlan, cn_tag, vlan], 0x8100),
        ] {
            let mut frame = example().to_frame();
            frame.splice(12..12, tags.concat());
            assert_eq!(Cnm::parse(&frame), Err(Rejection::EtherType(found)), "{tags:x?}");
        }
    }

    #[test]
    fn tags_of_a_frame_that_is_cut() {
        let frame = Cnm { vlan: Some(1), flow_id: Some(2), ..example() }.to_frame();
        let tags = |octets: usize| {
            let Tags { vlan, flow_id, ether_type_at } = Tags::of(&frame[..octets]);
            (vlan, flow_id, ether_type_at)
        };
        assert_eq!([0, 12, 15].map(tags), [(None, None, 12); 3]);
        assert_eq!([16, 19].map(tags), [(Some(1), None, 16); 2]);
        assert_eq!([20, 60].map(tags), [(Some(1), Some(2), 20); 2]);
    }

    #[test]
    fn reserved_bits_and_padding_are_ignored() {
        let mut frame = example().to_frame();
        frame[14] |= 0x0f;
        frame[15] |= 0xc0;
        frame[28] |= 0x1f;
        frame[29] = 0xff;
        frame[59] = 0xff;
        assert_eq!(Cnm::parse(&frame), Ok(example()));
    }

    #[test]
    #[should_panic(expected = "does not fit 6 bits")]
    fn a_field_too_wide_is_refused() {
        Cnm { quantized_feedback: 64, ..example() }.to_frame();
    }

    prop_compose! {
        fn any_cnm()(
            destination: [u8; 6],
            source: [u8; 6],
            vlan: Option<u16>,
            flow_id: Option<u16>,
            quantized_feedback in 0u8..64,
            cpid: u64,
            q_offset: i16,
            q_delta: i16,
            priority in 0u8..8,
            encapsulated_destination: [u8; 6],
            msdu in prop::collection::vec(any::<u8>(), 0..=64),
        ) -> Cnm {
            Cnm {
                destination, source, vlan, flow_id, quantized_feedback, cpid, q_offset, q_delta, priority,
                encapsulated_destination, msdu,
            }
        }
    }

    proptest! {
        #[test]
        fn what_is_built_is_parsed(cnm in any_cnm()) {
            let frame = cnm.to_frame();
            prop_assert!((60..=110).contains(&frame.len()));
            prop_assert_eq!(Cnm::parse(&frame), Ok(cnm));
        }

        /// One changed octet either breaks a rule or changes a field, a reserved bit or the padding: never a panic.
        #[test]
        fn damage_does_not_panic(cnm in any_cnm(), at in 0usize..110, value: u8, cut in 0usize..114) {
            let mut frame = cnm.to_frame();
            let at = at % frame.len();
            frame[at] = value;
            frame.truncate(cut);
            if let Ok(parsed) = Cnm::parse(&frame) {
                prop_assert_eq!(Cnm::parse(&parsed.to_frame()), Ok(parsed));
            }
        }
    }
}
