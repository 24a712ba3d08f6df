// SPDX-License-Identifier: MIT OR Apache-2.0
//! Blocks of a pcapng file: several sections, each in either byte order, several interfaces, any resolution of time
//! stamps.

use super::{LINK_TYPE_ETHERNET, MAXIMUM_CAPTURED, Record, read_block, read_up_to};
use anyhow::{Context, Result, bail, ensure};
use std::collections::BTreeSet;
use std::io::Read;

/// Type of a section header block: the first octets of every pcapng file, the same in both byte orders.
pub(super) const SECTION_HEADER: [u8; 4] = [0x0a, 0x0d, 0x0d, 0x0a];
const INTERFACE_DESCRIPTION: u32 = 1;
/// The obsolete packet block.
const PACKET: u32 = 2;
const SIMPLE_PACKET: u32 = 3;
const ENHANCED_PACKET: u32 = 6;

const BYTE_ORDER_MAGIC: u32 = 0x1a2b_3c4d;
/// Octets of a block around its body: type, length, and the length again at the end.
const FRAMING: u32 = 12;
/// A longer block counts as damaged, as in Wireshark.
const MAXIMUM_BLOCK: u32 = 16 << 20;

const OPTION_END: u16 = 0;
const OPTION_TIME_RESOLUTION: u16 = 9;
const OPTION_TIME_OFFSET: u16 = 14;

#[derive(Clone, Copy)]
struct ByteOrder {
    big: bool,
}

impl ByteOrder {
    fn half(self, bytes: &[u8], at: usize) -> u16 {
        let octets = [bytes[at], bytes[at + 1]];
        if self.big { u16::from_be_bytes(octets) } else { u16::from_le_bytes(octets) }
    }

    fn word(self, bytes: &[u8], at: usize) -> u32 {
        let octets = std::array::from_fn(|octet| bytes[at + octet]);
        if self.big { u32::from_be_bytes(octets) } else { u32::from_le_bytes(octets) }
    }

    fn double(self, bytes: &[u8], at: usize) -> u64 {
        let octets = std::array::from_fn(|octet| bytes[at + octet]);
        if self.big { u64::from_be_bytes(octets) } else { u64::from_le_bytes(octets) }
    }
}

struct Interface {
    link_type: u16,
    snap_length: u32,
    time: TimeUnit,
}

/// The unit and the offset of the time stamps of an interface.
#[derive(Clone, Copy)]
struct TimeUnit {
    /// `if_tsresol`: the unit is 10 to the minus value seconds; with the top bit set, 2 to the minus the other seven.
    resolution: u8,
    offset_seconds: i64,
}

impl TimeUnit {
    const MICROSECONDS: TimeUnit = TimeUnit { resolution: 6, offset_seconds: 0 };

    /// Nanoseconds since 1970, rounded down.
    fn nanoseconds(self, ticks: u64) -> i128 {
        let exponent = u32::from(self.resolution & 0x7f);
        let billion_ticks = i128::from(ticks) * 1_000_000_000;
        let since_offset = if self.resolution & 0x80 != 0 {
            billion_ticks >> exponent // at most 127: fits, and the value is below 2^94
        } else {
            // Above 10^38 the divisor does not fit 128 bits, and every time stamp is 0.
            10i128.checked_pow(exponent).map_or(0, |divisor| billion_ticks / divisor)
        };
        since_offset + i128::from(self.offset_seconds) * 1_000_000_000
    }
}

/// The blocks of a pcapng file.
pub(super) struct Records<R> {
    source: R,
    order: ByteOrder,
    interfaces: Vec<Interface>,
    link_types: BTreeSet<u16>,
    /// Octets read, for error messages.
    position: u64,
}

impl<R: Read> Records<R> {
    /// Reads the first section header, whose type has already been read.
    pub(super) fn new(source: R) -> Result<Self> {
        let mut records = Records {
            source,
            order: ByteOrder { big: true },
            interfaces: Vec::new(),
            link_types: BTreeSet::new(),
            position: 4,
        };
        if !records.section_header()? {
            bail!("cut within its header: the section header block is not complete");
        }
        Ok(records)
    }

    /// Link types of all interfaces described so far.
    pub(super) fn link_types(&self) -> &BTreeSet<u16> {
        &self.link_types
    }

    pub(super) fn next(&mut self) -> Result<Record> {
        loop {
            let start = self.position;
            let mut kind = [0; 4];
            match self.fill(&mut kind)? {
                0 => return Ok(Record::End),
                4 => {}
                _ => return Ok(Record::Cut),
            }
            if kind == SECTION_HEADER {
                let whole = self.section_header().with_context(|| at(start))?;
                if !whole {
                    return Ok(Record::Cut);
                }
                continue;
            }
            let Some(body) = self.body().with_context(|| at(start))? else {
                return Ok(Record::Cut);
            };
            let record = match self.order.word(&kind, 0) {
                INTERFACE_DESCRIPTION => self.describe_interface(&body).map(|()| None),
                ENHANCED_PACKET => self.packet(&body, 0).map(Some),
                PACKET => self.packet(&body, 2).map(Some),
                SIMPLE_PACKET => self.simple_packet(body).map(Some),
                _ => Ok(None),
            };
            if let Some(record) = record.with_context(|| at(start))? {
                return Ok(record);
            }
        }
    }

    fn fill(&mut self, buffer: &mut [u8]) -> Result<usize> {
        let found = read_up_to(&mut self.source, buffer)?;
        self.position += found as u64;
        Ok(found)
    }

    /// Reads the rest of a section header block; `false` if the file ends inside it.
    fn section_header(&mut self) -> Result<bool> {
        let mut start = [0; 8];
        if self.fill(&mut start)? < start.len() {
            return Ok(false);
        }
        let magic = &start[4..];
        self.order = if magic == BYTE_ORDER_MAGIC.to_be_bytes() {
            ByteOrder { big: true }
        } else if magic == BYTE_ORDER_MAGIC.to_le_bytes() {
            ByteOrder { big: false }
        } else {
            bail!("not a capture: a section header block without the byte-order magic 1a2b3c4d");
        };
        self.interfaces.clear(); // each section has its own interface numbers
        let length = self.order.word(&start, 0);
        Ok(self.rest_of_block(length, 4)?.is_some())
    }

    /// Reads a block's length, body and second length; `None` if the file ends inside it.
    fn body(&mut self) -> Result<Option<Vec<u8>>> {
        let mut length = [0; 4];
        if self.fill(&mut length)? < length.len() {
            return Ok(None);
        }
        self.rest_of_block(self.order.word(&length, 0), 0)
    }

    /// Reads the body of a block without its first `consumed` octets, and the length after it.
    fn rest_of_block(&mut self, length: u32, consumed: u32) -> Result<Option<Vec<u8>>> {
        ensure!(
            length.is_multiple_of(4) && (FRAMING + consumed..=MAXIMUM_BLOCK).contains(&length),
            "block length {length}, expected a multiple of 4 up to {MAXIMUM_BLOCK}: the file is damaged here"
        );
        let body = (length - FRAMING - consumed) as usize;
        let Some(mut bytes) = read_block(&mut self.source, body + 4)? else {
            return Ok(None);
        };
        self.position += bytes.len() as u64;
        let trailer = self.order.word(&bytes, body);
        ensure!(
            trailer == length,
            "block length {length} at its begin, {trailer} at its end: the file is damaged here"
        );
        bytes.truncate(body);
        Ok(Some(bytes))
    }

    fn describe_interface(&mut self, body: &[u8]) -> Result<()> {
        ensure!(body.len() >= 8, "interface description of {} octets, expected at least 8", body.len());
        let link_type = self.order.half(body, 0);
        let mut time = TimeUnit::MICROSECONDS;
        let mut options = &body[8..];
        // A list may end with the block, without an end mark. An incomplete option is ignored.
        while options.len() >= 4 {
            let code = self.order.half(options, 0);
            let length = usize::from(self.order.half(options, 2));
            let Some(value) = options.get(4..4 + length) else { break };
            match (code, length) {
                (OPTION_END, _) => break,
                (OPTION_TIME_RESOLUTION, 1) => time.resolution = value[0],
                (OPTION_TIME_OFFSET, 8) => time.offset_seconds = self.order.double(value, 0) as i64,
                _ => {}
            }
            options = options.get(4 + length.next_multiple_of(4)..).unwrap_or(&[]);
        }
        self.link_types.insert(link_type);
        self.interfaces.push(Interface { link_type, snap_length: self.order.word(body, 4), time });
        Ok(())
    }

    /// An enhanced packet block, or the obsolete one, whose interface number has `interface_octets` = 2 instead of 4.
    fn packet(&self, body: &[u8], interface_octets: usize) -> Result<Record> {
        ensure!(body.len() >= 20, "packet block of {} octets, expected at least 20", body.len());
        let number = match interface_octets {
            2 => u32::from(self.order.half(body, 0)),
            _ => self.order.word(body, 0),
        };
        let interface = self.interface(number)?;
        let captured = self.order.word(body, 12);
        let Some(bytes) = body[20..].get(..captured as usize).filter(|_| captured <= MAXIMUM_CAPTURED) else {
            bail!("captured length {captured} in a block with room for {}: the file is damaged here", body.len() - 20);
        };
        if interface.link_type != LINK_TYPE_ETHERNET {
            return Ok(Record::OtherLink);
        }
        let ticks = u64::from(self.order.word(body, 4)) << 32 | u64::from(self.order.word(body, 8));
        Ok(Record::Ethernet {
            time_ns: Some(interface.time.nanoseconds(ticks)),
            bytes: bytes.to_vec(),
            original_length: self.order.word(body, 16),
        })
    }

    /// A simple packet block: from the first interface, without a time stamp.
    fn simple_packet(&self, mut body: Vec<u8>) -> Result<Record> {
        ensure!(body.len() >= 4, "simple packet block of {} octets, expected at least 4", body.len());
        let interface = self.interface(0)?;
        let original_length = self.order.word(&body, 0);
        if interface.link_type != LINK_TYPE_ETHERNET {
            return Ok(Record::OtherLink);
        }
        let snap_length = if interface.snap_length == 0 { u32::MAX } else { interface.snap_length };
        let captured = original_length.min(snap_length);
        ensure!(
            captured <= MAXIMUM_CAPTURED && captured as usize <= body.len() - 4,
            "captured length {captured} in a block with room for {}: the file is damaged here",
            body.len() - 4
        );
        body.drain(..4);
        body.truncate(captured as usize); // the rest is padding
        Ok(Record::Ethernet { time_ns: None, bytes: body, original_length })
    }

    fn interface(&self, number: u32) -> Result<&Interface> {
        self.interfaces.get(number as usize).with_context(|| {
            format!(
                "packet of interface {number}, but {} are described before it: the file is damaged here",
                self.interfaces.len()
            )
        })
    }
}

fn at(position: u64) -> String {
    format!("block at octet {position}")
}
