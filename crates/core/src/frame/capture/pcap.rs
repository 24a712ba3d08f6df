// SPDX-License-Identifier: MIT OR Apache-2.0
//! Records of a classic pcap file: microsecond or nanosecond stamps, either byte order.

use super::{LINK_TYPE_ETHERNET, MAXIMUM_CAPTURED, Record, link_type_name, not_ethernet, read_block, read_up_to};
use anyhow::{Result, bail};
use pcap_file::pcap::PcapHeader;
use pcap_file::{Endianness, TsResolution};
use std::io::Read;

const FILE_HEADER: usize = 24;
const RECORD_HEADER: usize = 16;

/// The records after the header of a pcap file.
pub(super) struct Records<R> {
    source: R,
    word: fn([u8; 4]) -> u32,
    fraction_ns: i128,
    index: u64,
}

impl<R: Read> Records<R> {
    /// Reads the file header, whose first four octets are already in `magic`.
    pub(super) fn new(mut source: R, magic: [u8; 4]) -> Result<Self> {
        let mut bytes = [0; FILE_HEADER];
        bytes[..4].copy_from_slice(&magic);
        let found = 4 + read_up_to(&mut source, &mut bytes[4..])?;
        if found < FILE_HEADER {
            bail!("cut within its header: {found} octets, a pcap header has {FILE_HEADER}");
        }
        let (_, header) = PcapHeader::from_slice(&bytes)?;
        // The upper half of the field is the length of the frame check sequences.
        let link_type = u32::from(header.datalink) as u16;
        if link_type != LINK_TYPE_ETHERNET {
            bail!(not_ethernet(&link_type_name(link_type)));
        }
        Ok(Records {
            source,
            word: match header.endianness {
                Endianness::Big => u32::from_be_bytes,
                Endianness::Little => u32::from_le_bytes,
            },
            fraction_ns: match header.ts_resolution {
                TsResolution::MicroSecond => 1000,
                TsResolution::NanoSecond => 1,
            },
            index: 0,
        })
    }

    pub(super) fn next(&mut self) -> Result<Record> {
        let mut header = [0; RECORD_HEADER];
        match read_up_to(&mut self.source, &mut header)? {
            0 => return Ok(Record::End),
            RECORD_HEADER => {}
            _ => return Ok(Record::Cut),
        }
        self.index += 1;
        let field = |at: usize| (self.word)(std::array::from_fn(|octet| header[4 * at + octet]));
        let (seconds, fraction, captured, original_length) = (field(0), field(1), field(2), field(3));
        if captured > MAXIMUM_CAPTURED {
            bail!(
                "record {}: captured length {captured}, expected at most {MAXIMUM_CAPTURED}: the file is damaged here",
                self.index
            );
        }
        let Some(bytes) = read_block(&mut self.source, captured as usize)? else {
            return Ok(Record::Cut);
        };
        let time_ns = i128::from(seconds) * 1_000_000_000 + i128::from(fraction) * self.fraction_ns;
        Ok(Record::Ethernet { time_ns: Some(time_ns), bytes, original_length })
    }
}
