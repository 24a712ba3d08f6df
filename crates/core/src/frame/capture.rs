// SPDX-License-Identifier: MIT OR Apache-2.0
//! Captures of real traffic: pcap and pcapng files in, Ethernet frames with times out; and a pcap writer.
//!
//! The reader is a stream: only one frame is in memory. Skipped and corrected records are counted in a
//! [`CaptureSummary`], because a bench that silently drops a part of its stimulus would claim too much.
//!
//! The crate `pcap-file` 2.0 reads the pcap header and writes our files. Records and pcapng blocks are read here,
//! because the readers of the crate refuse or misread real captures:
//! - a cut pcap frame (original length above the snap length) is an error there, and so is a time stamp above one
//!   second;
//! - pcapng time stamps are read as nanoseconds for every `if_tsresol`, and `if_tsoffset` is not applied;
//! - a pcapng option list without an end mark, or a comment that is not UTF-8, makes the whole file unreadable;
//! - simple packet blocks contain their padding;
//! - a damaged length and a file that was cut give the same error.

mod pcap;
mod pcapng;
mod writer;

pub use writer::CaptureWriter;

use crate::input;
use anyhow::{Context, Result, anyhow, bail};
use serde::Serialize;
use std::io::{BufReader, Read};
use std::path::Path;

/// Octets of an Ethernet header: destination, source, EtherType. A shorter frame has no complete source address.
pub(crate) const ETHERNET_HEADER: usize = 14;
/// Most octets of one frame; a longer record is damaged. libpcap has the same limit for Ethernet.
pub const MAXIMUM_CAPTURED: u32 = 262_144;
/// Link type of Ethernet in pcap and pcapng files.
const LINK_TYPE_ETHERNET: u16 = 1;

/// One Ethernet frame of a capture. If the capture recorded frame check sequences, they are its last four octets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CapturedFrame {
    /// Nanoseconds since the first frame; never less than in the frame before.
    pub time_ns: u64,
    /// The octets that were captured, at least 14 unless the reader also returns shorter frames.
    pub bytes: Vec<u8>,
    /// Length of the frame on the wire in octets, at least that of `bytes`. A queue counts this length.
    pub original_length: u32,
}

/// Counts of the records of a capture. Complete after the reader has returned `None`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct CaptureSummary {
    /// Returned frames.
    pub frames: u64,
    /// Frames of interfaces that are not Ethernet, skipped (pcapng only).
    pub skipped_not_ethernet: u64,
    /// Frames of less than 14 captured octets, skipped; if the reader returns short frames, only empty ones.
    pub too_short: u64,
    /// Returned frames of which only the beginning was captured.
    pub snapped: u64,
    /// Frames with an earlier time stamp than a frame before; they have the time of that frame.
    pub backward_time_stamps: u64,
    /// The file ends inside a record; all frames before it were used.
    pub truncated_file: bool,
}

/// The next item of a file of either format.
enum Record {
    /// An Ethernet frame. The time is in nanoseconds since 1970, or `None` if the format has none.
    Ethernet { time_ns: Option<i128>, bytes: Vec<u8>, original_length: u32 },
    /// A frame of another link type.
    OtherLink,
    /// The regular end of the file.
    End,
    /// The end of the file, inside a record.
    Cut,
}

enum Format<R> {
    Pcap(pcap::Records<R>),
    Pcapng(pcapng::Records<R>),
}

/// Reads the Ethernet frames of a capture, in the order of the file.
///
/// An item is an error if the file is damaged or not readable; it is the last item. A file that ends inside a record is
/// not an error: see [`CaptureSummary::truncated_file`].
pub struct CaptureReader<R> {
    name: String,
    format: Format<R>,
    summary: CaptureSummary,
    first_ns: Option<i128>,
    last_ns: u64,
    /// Least number of captured octets of a returned frame.
    least: usize,
    finished: bool,
}

impl CaptureReader<BufReader<Box<dyn Read>>> {
    /// Opens a pcap or pcapng file; `-` is the standard input.
    ///
    /// # Errors
    /// If the file is not readable, is not a capture, is cut inside its header, or (pcap) has another link type than
    /// Ethernet.
    pub fn open(path: &Path) -> Result<Self> {
        CaptureReader::new(BufReader::with_capacity(1 << 16, input::open(path)?), &input::name(path))
    }
}

impl<R: Read> CaptureReader<R> {
    /// Reads a capture from `source`; `name` is its name in errors.
    ///
    /// # Errors
    /// See [`CaptureReader::open`].
    pub(crate) fn new(mut source: R, name: &str) -> Result<Self> {
        let mut magic = [0; 4];
        let found = read_up_to(&mut source, &mut magic).with_context(|| format!("{name}: cannot read"))?;
        if found == 0 {
            bail!("{name}: the file is empty, expected a pcap or pcapng capture");
        }
        if found < magic.len() {
            bail!("{name}: cut within its header: {found} octets, expected a pcap or pcapng capture");
        }
        let format = match magic {
            pcapng::SECTION_HEADER => pcapng::Records::new(source).map(Format::Pcapng),
            [0xa1, 0xb2, 0xc3, 0xd4]
            | [0xa1, 0xb2, 0x3c, 0x4d]
            | [0xd4, 0xc3, 0xb2, 0xa1]
            | [0x4d, 0x3c, 0xb2, 0xa1] => pcap::Records::new(source, magic).map(Format::Pcap),
            [0x1f, 0x8b, ..] => Err(anyhow!("compressed with gzip: unpack it first (gunzip)")),
            [0x28, 0xb5, 0x2f, 0xfd] => Err(anyhow!("compressed with Zstandard: unpack it first (unzstd)")),
            _ => Err(anyhow!(
                "not a capture: it begins with {}, expected pcap or pcapng (`editcap -F pcapng` converts other formats)",
                magic.map(|octet| format!("{octet:02x}")).join(" ")
            )),
        };
        let format = format.with_context(|| name.to_string())?;
        Ok(CaptureReader {
            name: name.to_string(),
            format,
            summary: CaptureSummary::default(),
            first_ns: None,
            last_ns: 0,
            least: ETHERNET_HEADER,
            finished: false,
        })
    }

    /// Also returns frames that are shorter than an Ethernet header, except empty ones.
    pub fn with_runts(mut self) -> Self {
        self.least = 1;
        self
    }

    /// The number of the last frame in the file, from 1, including skipped frames, as in Wireshark.
    pub fn number(&self) -> u64 {
        let summary = &self.summary;
        summary.frames + summary.skipped_not_ethernet + summary.too_short
    }

    /// Counts of used, skipped and corrected records so far.
    pub fn summary(&self) -> &CaptureSummary {
        &self.summary
    }

    fn next_frame(&mut self) -> Result<Option<CapturedFrame>> {
        loop {
            let record = match &mut self.format {
                Format::Pcap(records) => records.next(),
                Format::Pcapng(records) => records.next(),
            };
            match record.with_context(|| self.name.clone())? {
                Record::Ethernet { time_ns, bytes, original_length } => {
                    if bytes.len() < self.least {
                        self.summary.too_short += 1;
                        continue;
                    }
                    // Some programs write a length below the captured one; the frame on the wire was at least as long
                    // as the captured octets.
                    let captured = bytes.len() as u32;
                    let original_length = original_length.max(captured);
                    self.summary.frames += 1;
                    self.summary.snapped += u64::from(captured < original_length);
                    let time_ns = self.since_first(time_ns)?;
                    return Ok(Some(CapturedFrame { time_ns, bytes, original_length }));
                }
                Record::OtherLink => self.summary.skipped_not_ethernet += 1,
                Record::Cut => {
                    self.summary.truncated_file = true;
                    return self.finish();
                }
                Record::End => return self.finish(),
            }
        }
    }

    /// A pcapng file declares its link types between its frames: only at its end it is known that none was Ethernet.
    fn finish(&self) -> Result<Option<CapturedFrame>> {
        if let Format::Pcapng(records) = &self.format {
            let others = records.link_types();
            if !others.is_empty() && !others.contains(&LINK_TYPE_ETHERNET) {
                let names: Vec<String> = others.iter().map(|link_type| link_type_name(*link_type)).collect();
                bail!("{}: {}", self.name, not_ethernet(&names.join(", ")));
            }
        }
        Ok(None)
    }

    /// Time since the first frame. With an earlier time stamp than before, or without one, the time of the frame
    /// before.
    fn since_first(&mut self, time_ns: Option<i128>) -> Result<u64> {
        if let Some(absolute) = time_ns {
            let elapsed = absolute - *self.first_ns.get_or_insert(absolute);
            if elapsed < i128::from(self.last_ns) {
                self.summary.backward_time_stamps += 1;
            } else {
                self.last_ns = u64::try_from(elapsed).map_err(|_| {
                    anyhow!(
                        "{}: frame {}: its time stamp is {} s after that of the first one, expected less than 2^64 ns: is the \
                         time resolution of its interface right?",
                        self.name,
                        self.number(),
                        elapsed / 1_000_000_000
                    )
                })?;
            }
        }
        Ok(self.last_ns)
    }
}

impl<R: Read> Iterator for CaptureReader<R> {
    type Item = Result<CapturedFrame>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.finished {
            return None;
        }
        let item = self.next_frame().transpose();
        self.finished = !matches!(item, Some(Ok(_)));
        item
    }
}

fn not_ethernet(link_types: &str) -> String {
    format!("link type {link_types}, expected Ethernet (1): record on an Ethernet interface")
}

/// Link types of captures from a wrong interface.
fn link_type_name(link_type: u16) -> String {
    let name = match link_type {
        0 => "BSD loopback",
        101 | 228 | 229 => "raw IP",
        105 => "IEEE 802.11",
        113 => "Linux cooked",
        127 => "IEEE 802.11 with radiotap",
        189 | 220 => "USB",
        276 => "Linux cooked v2",
        _ => return link_type.to_string(),
    };
    format!("{link_type} ({name})")
}

/// Fills `buffer`, up to the end of the source. Returns the number of octets.
fn read_up_to(source: &mut impl Read, buffer: &mut [u8]) -> std::io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match source.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

/// Reads `length` octets, or `None` if the source ends before. Memory is allocated for octets that arrive, not for the
/// stated length.
fn read_block(source: &mut impl Read, length: usize) -> std::io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    source.by_ref().take(length as u64).read_to_end(&mut bytes)?;
    Ok((bytes.len() == length).then_some(bytes))
}

#[cfg(test)]
mod tests;
