// SPDX-License-Identifier: MIT OR Apache-2.0
//! Writes captures: pcap with time stamps in nanoseconds, which every tool reads.

use super::{CapturedFrame, MAXIMUM_CAPTURED};
use crate::output::OutputFile;
use anyhow::{Context, Result, bail};
use pcap_file::pcap::{PcapHeader, PcapWriter, RawPcapPacket};
use pcap_file::{DataLink, Endianness, PcapError, TsResolution};
use std::borrow::Cow;
use std::path::{Path, PathBuf};

/// Writes Ethernet frames to a pcap file with time stamps in nanoseconds, little-endian on every machine.
///
/// The file appears under its name when it is committed; otherwise nothing is left.
pub struct CaptureWriter {
    path: PathBuf,
    writer: PcapWriter<OutputFile>,
}

impl CaptureWriter {
    /// Begins a capture. The folder of `path` must exist.
    pub fn create(path: &Path) -> Result<Self> {
        Self::new(OutputFile::create(path)?)
    }

    /// Begins a capture in a file.
    ///
    /// # Errors
    /// It is not writable.
    pub fn new(file: OutputFile) -> Result<Self> {
        let path = file.path().to_path_buf();
        let header = PcapHeader {
            snaplen: MAXIMUM_CAPTURED,
            datalink: DataLink::ETHERNET,
            ts_resolution: TsResolution::NanoSecond,
            endianness: Endianness::Little,
            ..PcapHeader::default()
        };
        let writer =
            PcapWriter::with_header(file, header).with_context(|| format!("cannot write {}", path.display()))?;
        Ok(CaptureWriter { path, writer })
    }

    /// Appends a frame. Its time counts from 1970-01-01.
    ///
    /// # Errors
    /// If the file is not writable, the frame is longer than 262144 octets, or its time is above 2^32 seconds.
    pub fn write(&mut self, frame: &CapturedFrame) -> Result<()> {
        let Some(captured) = u32::try_from(frame.bytes.len()).ok().filter(|length| *length <= MAXIMUM_CAPTURED) else {
            bail!(
                "{}: frame of {} octets, expected at most {MAXIMUM_CAPTURED}",
                self.path.display(),
                frame.bytes.len()
            );
        };
        let Ok(seconds) = u32::try_from(frame.time_ns / 1_000_000_000) else {
            bail!("{}: time of {} ns, a pcap file holds up to 2^32 seconds", self.path.display(), frame.time_ns);
        };
        let record = RawPcapPacket {
            ts_sec: seconds,
            ts_frac: (frame.time_ns % 1_000_000_000) as u32,
            incl_len: captured,
            orig_len: frame.original_length,
            data: Cow::Borrowed(&frame.bytes),
        };
        self.writer.write_raw_packet(&record).map_err(|error| match error {
            // This error names the file; the error of the crate says that octets could not be "read".
            PcapError::IoError(error) => error.into(),
            error => anyhow::Error::from(error).context(format!("cannot write {}", self.path.display())),
        })?;
        Ok(())
    }

    /// The file, to be committed.
    pub fn finish(self) -> OutputFile {
        self.writer.into_writer()
    }
}
