// SPDX-License-Identifier: MIT OR Apache-2.0
//! A whole reaction point fed by the frames of a capture: what it takes, what it ignores and why, and what becomes of
//! its rate.

use super::capture::cycle_of;
use super::circuit::{CircuitReactionPoint, REACTION_POINT_PROBES};
use super::machine::{InRustHdl, Maker, Native, Shown};
use super::sender::{Link, Sender};
use super::trace::Cell;
use super::{Engine, Reports, Steps, seed_in};
use anyhow::{Context, Result, bail};
use serde::Serialize;
use std::collections::VecDeque;
use std::io::{BufReader, Read};
use std::path::Path;
use tidegate_core::frame::capture::{CaptureReader, CaptureSummary, MAXIMUM_CAPTURED};
use tidegate_core::frame::cnm::Rejection;
use tidegate_core::input;
use tidegate_core::units::{Cycles, Micro, Rate, SixDecimals};
use tidegate_schemes::model::Fields;
use tidegate_schemes::model::codec::Codec;
use tidegate_schemes::model::device::ReactionPoint;
use tidegate_schemes::model::reaction_point::ModelReactionPoint;
use tidegate_schemes::model::wire::{Address, Ignored, Verdict};
use tidegate_schemes::registry::{self, Scheme};
use tidegate_schemes::scheme::Part;
use tidegate_schemes::scheme::parameters::{Parameters, Value};
use tidegate_schemes::scheme::ports::Ports;

/// Header of the trace. `frame` counts from 1 as Wireshark does.
pub const HEADER: &str = "cycle,event,frame,qntz_fb,q_offset,q_delta,current_rate,reason";

/// Cycles that it runs on after the last word of the last frame, unless told otherwise.
const CYCLES_AFTER_FRAMES: Cycles = 1000;

/// The last cycle in which a frame may come to a circuit, which is simulated in each cycle: hours at 125 MHz. A model jumps over
/// the packets between two frames.
const LAST_FRAME_MAX: Cycles = 1_000_000_000_000;

/// How to play a capture.
#[derive(Clone, Copy, Debug)]
pub struct Playback<'a> {
    /// The capture: pcap or pcapng.
    pub input: &'a Path,
    /// How many times faster than it was recorded.
    pub speedup: u64,
    /// Cycles to run; otherwise 1000 after the last frame. Frames that come later are not read.
    pub cycles: Option<Cycles>,
    /// Which frames are for the reaction point.
    pub address: Address,
}

/// What a run came to.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Summary {
    /// Cycles run.
    pub cycles: Cycles,
    /// Address of the reaction point.
    pub address: String,
    /// Frames that the parser judged, each in the cycle after its last word.
    pub frames: u64,
    /// Feedback that the calculator took.
    pub feedback_taken: u64,
    /// Frames that the parser ignored.
    pub ignored_frames: u64,
    /// Why it did: these add up to `ignored_frames`.
    pub ignored: Reasons,
    /// Packets that the rate limiter let go.
    pub granted_packets: u64,
    /// Their bytes.
    pub granted_bytes: u64,
    /// Changes of the rate.
    pub changes: u64,
    /// The rate at the end.
    pub final_rate_mbps: f64,
    /// What became of the records of the capture. Those that are `snapped` were padded with zeros to their length on
    /// the wire.
    pub capture: CaptureSummary,
}

/// Frames by the first rule that they break.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Reasons {
    /// Less than 60 octets.
    pub too_short: u64,
    /// No congestion notification behind at most one VLAN tag and then at most one CN-TAG.
    pub other_ether_type: u64,
    /// More than 102 octets, and 4 more for each tag.
    pub too_long: u64,
    /// Not version 0.
    pub version: u64,
    /// Its encapsulated data unit is too long or does not fit.
    pub msdu_length: u64,
    /// Not as frames of a scheme with a form of its own are.
    #[serde(skip_serializing_if = "is_zero")]
    pub other_rule: u64,
    /// For another address.
    pub other_destination: u64,
    /// From a congestion point that it does not listen to.
    pub other_cpid: u64,
    /// Came while another feedback waited for the calculator.
    pub dropped: u64,
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

impl Reasons {
    /// Counts one; its name.
    fn count(&mut self, reason: Ignored) -> &'static str {
        let (count, name) = match reason {
            Ignored::Invalid(Rejection::TooShort(_)) => (&mut self.too_short, "too_short"),
            Ignored::Invalid(Rejection::EtherType(_)) => (&mut self.other_ether_type, "other_ether_type"),
            Ignored::Invalid(Rejection::TooLong(_)) => (&mut self.too_long, "too_long"),
            Ignored::Invalid(Rejection::Version(_)) => (&mut self.version, "version"),
            Ignored::Invalid(Rejection::MsduLength(_)) => (&mut self.msdu_length, "msdu_length"),
            Ignored::Own(rule) => (&mut self.other_rule, rule),
            Ignored::Destination => (&mut self.other_destination, "other_destination"),
            Ignored::Cpid => (&mut self.other_cpid, "other_cpid"),
        };
        *count += 1;
        name
    }
}

/// Plays a capture to a reaction point of an Ethernet scheme, a word of 64 bits a cycle, while its source always has a
/// packet to send. A frame that comes before the last one is read follows it at once. The trace has a row for each
/// frame, in the cycle of its last word (`taken` or `ignored`), for each feedback that the calculator takes
/// (`feedback`), and for each change of the rate (`rate`).
///
/// # Errors
/// The capture is damaged, or a frame of it comes too late or is too long to be true.
pub fn run(
    scheme: &Scheme,
    parameters: &Parameters,
    engine: Engine,
    playback: &Playback,
    reports: Reports,
) -> Result<Summary> {
    match (engine, reports.waveform) {
        (Engine::Model, _) => {
            let ports = registry::part_ports(scheme, parameters, Part::ReactionPoint);
            let calculator = (scheme.models().calculator)(parameters, seed_in(&ports));
            let codec = scheme.models().codec;
            let reaction_point = ModelReactionPoint::new(calculator, codec, parameters, playback.address);
            Bench::new(scheme, parameters, playback, reports, reaction_point, true)?.run()
        }
        (Engine::Rtl, None) => run_circuit::<Native>(scheme, parameters, playback, reports),
        (Engine::Rtl, Some(_)) => run_circuit::<Shown>(scheme, parameters, playback, reports),
        (Engine::RustHdl, _) => run_circuit::<InRustHdl>(scheme, parameters, playback, reports),
    }
}

fn run_circuit<'a, K: Maker<'a>>(
    scheme: &Scheme,
    parameters: &Parameters,
    playback: &Playback,
    reports: Reports<'a>,
) -> Result<Summary> {
    let mut ports = registry::part_ports(scheme, parameters, Part::ReactionPoint);
    let Address { mac, cpid, cpid_mask, .. } = playback.address;
    for (name, value) in [("rp_mac", mac), ("allowed_cpid", cpid), ("allowed_cpid_mask", cpid_mask)] {
        ports.extend(value.values(name));
    }
    let circuit = (scheme.circuit)(Part::ReactionPoint, parameters);
    let maker = K::of(circuit, REACTION_POINT_PROBES, reports.waveform);
    let machine = maker.make("reaction_point", &|name| ports[name]);
    Bench::new(scheme, parameters, playback, reports, CircuitReactionPoint::new(machine), false)?.run()
}

/// A frame that the parser has not judged.
struct UnderWay {
    number: u64,
    ignored: Option<Ignored>,
    /// What the parser tells of it, unless it drops it.
    verdict: Option<Verdict>,
}

struct Bench<'a, R> {
    playback: &'a Playback<'a>,
    codec: Codec,
    reader: CaptureReader<BufReader<Box<dyn Read>>>,
    reports: Reports<'a>,
    quantized: bool,
    clock: Micro,
    link: Link,
    sender: Sender<R>,
    /// The frame that the parser judges, reads or waits for, and the next: so it always knows what follows.
    under_way: VecDeque<UnderWay>,
    /// There may be more frames.
    more: bool,
    /// The first cycle that is not run.
    end: Cycles,
    /// The last frame that was taken.
    taken: u64,
    /// Whether the reaction point jumps over what is between two frames.
    jumps: bool,
    summary: Summary,
}

impl<'a, R: ReactionPoint> Bench<'a, R> {
    fn new(
        scheme: &Scheme,
        parameters: &Parameters,
        playback: &'a Playback,
        reports: Reports<'a>,
        reaction_point: R,
        jumps: bool,
    ) -> Result<Self> {
        let address = Value::Mac(playback.address.mac).to_string();
        Ok(Bench {
            playback,
            codec: scheme.models().codec,
            reader: CaptureReader::open(playback.input)?.with_runts(),
            reports,
            quantized: scheme.sends_quantized_feedback,
            clock: parameters.decimal("clock_mhz"),
            link: Link::of(parameters),
            sender: Sender::new(reaction_point, parameters.rate("line_rate_mbps"), 0),
            under_way: VecDeque::with_capacity(2),
            more: true,
            end: playback.cycles.unwrap_or(Cycles::MAX),
            taken: 0,
            jumps,
            summary: Summary { address, ..Summary::default() },
        })
    }

    fn run(mut self) -> Result<Summary> {
        self.reports.begin()?;
        let mut steps = Steps::new(self.reports.progress);
        let mut now = 0;
        self.deliver(now)?;
        while now < self.end {
            self.cycle(now)?;
            let (granted, not_done) = self.sender.skip(now + 1, self.end, &self.link);
            self.granted(granted);
            now = self.sender.next(not_done, &self.link).min(self.end);
            steps.step(now);
        }
        self.summary.cycles = now;
        self.summary.final_rate_mbps = self.sender.rate.to_mbps(self.clock).to_f64();
        self.summary.capture = self.reader.summary().clone();
        Ok(self.summary)
    }

    /// Reads frames until two are under way; behind the last one, says when the run ends. The parser has read all words
    /// before cycle `now`.
    fn deliver(&mut self, now: Cycles) -> Result<()> {
        while self.more && self.under_way.len() < 2 {
            let Some(frame) = self.reader.next().transpose()? else {
                self.more = false;
                break;
            };
            let place = || format!("{}: frame {}", input::name(self.playback.input), self.reader.number());
            let at = cycle_of(frame.time_ns / self.playback.speedup, self.clock).with_context(place)?;
            if self.playback.cycles.is_some_and(|cycles| at >= cycles) {
                self.more = false;
                break;
            }
            if at > LAST_FRAME_MAX && !self.jumps {
                bail!(
                    "{}: it comes in cycle {at}, and circuits are simulated in each cycle: expected at most cycle {LAST_FRAME_MAX}; \
                     use --engine model, play it faster with --speedup, or end the run with --cycles",
                    place()
                );
            }
            if frame.original_length > MAXIMUM_CAPTURED {
                let length = frame.original_length;
                bail!("{}: {length} octets on the wire, expected at most {MAXIMUM_CAPTURED}", place());
            }
            let mut octets = frame.bytes;
            octets.resize(frame.original_length as usize, 0);
            let ignored = (self.codec.read)(&octets, &self.playback.address).err();
            let verdict = (self.codec.verdict)(&octets, &self.playback.address, false);
            self.under_way.push_back(UnderWay { number: self.reader.number(), ignored, verdict });
            self.sender.reaction_point.deliver(at, &octets);
        }
        if self.under_way.is_empty() && self.playback.cycles.is_none() {
            self.end = now + CYCLES_AFTER_FRAMES;
        }
        Ok(())
    }

    fn cycle(&mut self, now: Cycles) -> Result<()> {
        let (outcome, rate_changed) = self.sender.cycle(now, &self.link);
        self.granted(outcome.granted.into());
        let told = self.sender.reaction_point.verdict();
        if outcome.frame_judged {
            self.judged(now - 1, told)?;
            self.deliver(now)?;
        }
        if let Some(feedback) = outcome.feedback {
            self.summary.feedback_taken += 1;
            self.row(now, "feedback", Some(self.taken), Some(feedback.into()), None, "")?;
        }
        if rate_changed {
            self.summary.changes += 1;
            self.row(now, "rate", None, None, Some(outcome.rate), "")?;
        }
        Ok(())
    }

    fn granted(&mut self, packets: u64) {
        self.summary.granted_packets += packets;
        self.summary.granted_bytes += packets * u64::from(self.link.packet_bytes);
    }

    /// The frame whose last word was read in cycle `at` is judged, and this is told of it.
    fn judged(&mut self, at: Cycles, told: Option<Verdict>) -> Result<()> {
        let frame = self.under_way.pop_front().context("a frame was read that was not delivered")?;
        self.summary.frames += 1;
        let dropped = told == Some(Verdict::Dropped);
        if told != frame.verdict && !(dropped && frame.verdict == Some(Verdict::Taken)) {
            bail!("frame {}: the reaction point and the rules of its frames do not agree", frame.number);
        }
        let reason = match frame.ignored {
            Some(reason) => Some(self.summary.ignored.count(reason)),
            None if dropped => {
                self.summary.ignored.dropped += 1;
                Some("dropped")
            }
            None => None,
        };
        if let Some(reason) = reason {
            self.summary.ignored_frames += 1;
            return self.row(at, "ignored", Some(frame.number), None, None, reason);
        }
        self.taken = frame.number;
        self.row(at, "taken", Some(frame.number), None, None, "")
    }

    fn row(
        &mut self,
        now: Cycles,
        event: &str,
        frame: Option<u64>,
        feedback: Option<Fields>,
        rate: Option<Rate>,
        reason: &str,
    ) -> Result<()> {
        self.reports.trace.row(format_args!(
            "{now},{event},{},{},{},{},{},{reason}",
            Cell(frame),
            Cell(feedback.filter(|_| self.quantized).map(|feedback| feedback.quantized_feedback)),
            Cell(feedback.map(|feedback| feedback.q_offset)),
            Cell(feedback.map(|feedback| feedback.q_delta)),
            Cell(rate.map(|rate| SixDecimals(rate.to_mbps(self.clock)))),
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::trace::Trace;
    use tidegate_core::frame::capture::{CaptureWriter, CapturedFrame};
    use tidegate_core::frame::cnm::Cnm;
    use tidegate_schemes::model::device::ReactionPointCycle;
    use tidegate_schemes::model::wire::mac_octets;

    /// A reaction point that is called for each packet.
    struct Stepped<R>(R);

    impl<R: ReactionPoint> ReactionPoint for Stepped<R> {
        fn deliver(&mut self, at: Cycles, frame: &[u8]) {
            self.0.deliver(at, frame);
        }

        fn next(&self, now: Cycles, request: Option<u32>) -> Cycles {
            self.0.next(now, request)
        }

        fn cycle(&mut self, now: Cycles, request: Option<u32>) -> ReactionPointCycle {
            self.0.cycle(now, request)
        }

        fn verdict(&mut self) -> Option<Verdict> {
            self.0.verdict()
        }
    }

    /// Feedback with these pauses in ns between two frames.
    fn capture(path: &Path, pauses: &[u64]) {
        let mut writer = CaptureWriter::create(path).unwrap();
        let mut time_ns = 0;
        for (number, pause) in (1..).zip(pauses) {
            let cnm = Cnm {
                destination: mac_octets(0x0200_0000_1000),
                source: mac_octets(0x0200_0000_0100),
                vlan: None,
                flow_id: None,
                quantized_feedback: 40,
                cpid: 0x0200_0000_0100_0001 + number % 2,
                q_offset: [-300, 40, -20][number as usize % 3],
                q_delta: [-20, 10, 30][number as usize % 3],
                priority: 0,
                encapsulated_destination: [0; 6],
                msdu: Vec::new(),
            };
            let bytes = cnm.to_frame();
            writer.write(&CapturedFrame { time_ns, original_length: bytes.len() as u32, bytes }).unwrap();
            time_ns += pause;
        }
        writer.finish().commit().unwrap();
    }

    fn parameters(scheme: &Scheme, settings: &[(&str, &str)]) -> Parameters {
        let settings: Vec<_> = settings.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
        scheme.parameters(&settings).unwrap()
    }

    /// Trace and summary, jumping or packet by packet.
    fn play(scheme: &Scheme, parameters: &Parameters, input: &Path, jumps: bool) -> (String, Summary) {
        let path = input.with_extension("csv");
        let mut trace = Trace::create(Some(&path), HEADER).unwrap();
        let reports = Reports { trace: &mut trace, waveform: None, set_up: &|| Ok(()), progress: &|_| () };
        let playback = Playback { input, speedup: 1, cycles: None, address: Address::of(parameters, 0) };
        let ports = registry::part_ports(scheme, parameters, Part::ReactionPoint);
        let calculator = (scheme.models().calculator)(parameters, seed_in(&ports));
        let codec = scheme.models().codec;
        let reaction_point = ModelReactionPoint::new(calculator, codec, parameters, playback.address);
        let summary = match jumps {
            true => Bench::new(scheme, parameters, &playback, reports, reaction_point, true).unwrap().run(),
            false => Bench::new(scheme, parameters, &playback, reports, Stepped(reaction_point), false).unwrap().run(),
        };
        let summary = summary.unwrap();
        trace.finish().unwrap().commit().unwrap();
        (std::fs::read_to_string(path).unwrap(), summary)
    }

    /// Pauses of no packet to thousands of them, in each scheme, with buckets of one frame and more, rates above and below that
    /// of the link, timers and overhead.
    #[test]
    fn a_pause_is_jumped_over_with_the_same_result_to_the_byte() {
        let folder = tempfile::tempdir().unwrap();
        let input = folder.path().join("c.pcap");
        capture(&input, &[10_000, 3_000_000, 777, 90_000_001, 12_345_678, 200_000_000, 1_000, 40_000_000, 31_000_000]);
        let common: [&[(&str, &str)]; 5] = [
            &[],
            &[("bucket_bytes", "1044"), ("line_rate_mbps", "999.7")],
            &[("bucket_bytes", "16224"), ("packet_bytes", "60"), ("min_rate_mbps", "0.01")],
            &[
                ("include_overhead", "true"),
                ("bucket_bytes", "1045"),
                ("clock_mhz", "156.25"),
                ("line_rate_mbps", "10000"),
            ],
            &[("clock_mhz", "33.333333"), ("packet_bytes", "1500"), ("seed", "77")],
        ];
        let mut packets = 0;
        for scheme in registry::SCHEMES.iter().filter(|scheme| scheme.benches().contains(&"dumbbell")) {
            let own: &[&[(&str, &str)]] = match scheme.name {
                "qcn" => &[&[], &[("profile", "8021q")], &[("timer_us", "100"), ("byte_cycle_bytes", "9000")]],
                _ => &[&[]],
            };
            for settings in common.iter().flat_map(|common| own.iter().map(|own| [*common, *own].concat())) {
                let parameters = parameters(scheme, &settings);
                let expected = play(scheme, &parameters, &input, false);
                let found = play(scheme, &parameters, &input, true);
                assert_eq!(found, expected, "{}, {settings:?}", scheme.name);
                assert!(found.1.feedback_taken > 3, "{}: {:?}", scheme.name, found.1);
                packets += found.1.granted_packets;
            }
        }
        assert!(packets > 100_000, "only {packets} packets");
    }

    /// A month: its end is 1,000 cycles behind the last frame, and all of its time was at the line rate or below.
    #[test]
    fn a_pause_may_be_as_long_as_time_stamps_say() {
        let folder = tempfile::tempdir().unwrap();
        let input = folder.path().join("c.pcap");
        capture(&input, &[30 * 86_400 * 1_000_000_000, 0]);
        let scheme = registry::find("smcc").unwrap();
        let (_, summary) = play(scheme, &parameters(scheme, &[]), &input, true);
        assert_eq!((summary.frames, summary.cycles / 1_000_000), (2, 30 * 86_400 * 125));
        assert!(summary.granted_packets > 1_000_000_000, "{summary:?}");
    }

    #[test]
    fn a_congestion_point_that_is_not_allowed_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let input = folder.path().join("c.pcap");
        capture(&input, &[1_000_000; 6]);
        let scheme = registry::find("qcn").unwrap();
        for (settings, refused) in [
            (&[][..], 0),
            (&[("allowed_cpid", "0x0200000001000001")], 3),
            (&[("allowed_cpid", "0x0200000001000001"), ("allowed_cpid_mask", "0xfffffffffffffffe")], 3),
            (&[("allowed_cpid", "0x0200000001000001"), ("allowed_cpid_mask", "0xfffffffffffffffc")], 0),
        ] {
            let (trace, summary) = play(scheme, &parameters(scheme, settings), &input, true);
            assert_eq!((summary.ignored.other_cpid, trace.matches("other_cpid").count()), (refused, refused as usize));
            assert_eq!(summary.feedback_taken, 6 - refused);
        }
    }
}
