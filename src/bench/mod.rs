//! Cycle-accurate benches. A device (congestion point, reaction point, calculator) stands here twice: as a circuit that is
//! clocked ([`circuit`]) and as a model that jumps to the next cycle in which something happens ([`model`]). Benches are
//! written once, over the traits below, so that both engines run in the same world and their traces can be compared byte
//! for byte.
//!
//! Time: in cycle `now` a device sees its inputs and the registers as they are; what it computes is in its registers from
//! `now + 1` on. Cycle 0 is the first after reset.

pub mod capture;
pub mod circuit;
pub mod cp;
mod due;
pub mod dumbbell;
pub mod frames;
pub mod marking;
pub mod model;
pub mod native;
pub mod rp;
mod sender;
pub mod source;
pub mod trace;
pub mod vcd;
pub mod vectors;
pub mod wire;

use self::trace::Trace;
use self::vcd::Waveform;
use self::wire::Frame;
use crate::scheme::Feedback;
use crate::units::{Cycles, Rate};
use anyhow::Result;
use std::collections::BTreeMap;

/// A packet that enters the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packet {
    /// Length in bytes.
    pub bytes: u32,
    /// Source address.
    pub source: u64,
    /// Destination address.
    pub destination: u64,
    /// Tag control information of its VLAN tag.
    pub tag: Option<u16>,
    /// Whether a reaction point governs the flow.
    pub controlled: bool,
}

/// What a congestion point does in one cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CongestionPointCycle {
    /// The packet that entered is a sample: Qoff and ΔQ in bytes.
    pub sample: Option<(i32, i32)>,
    /// The first word of a frame leaves: to which source, with what.
    pub feedback_sent: Option<(u64, Feedback)>,
    /// The last word of a frame leaves: the frame.
    pub frame: Option<Frame>,
}

/// A congestion point whose frames are taken as fast as it writes them.
pub trait CongestionPoint {
    /// Whether a packet may enter in cycle `now`: the queue of samples has room.
    fn ready(&mut self, now: Cycles) -> bool;
    /// The next cycle, not before `now`, in which it must be called even if nothing enters or leaves.
    fn next(&self, now: Cycles) -> Cycles;
    /// Cycle `now`: a packet enters, so many bytes leave (0: none).
    fn cycle(&mut self, now: Cycles, enqueue: Option<&Packet>, dequeued: u32) -> CongestionPointCycle;
    /// Queue length in bytes after the last cycle.
    fn queue_bytes(&mut self) -> u32;
}

/// What a reaction point does in one cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReactionPointCycle {
    /// The requested frame may go.
    pub granted: bool,
    /// The parser reads the last word of a frame.
    pub frame_read: bool,
    /// The calculator takes this feedback from the parser.
    pub feedback: Option<Feedback>,
    /// The rate in force in this cycle.
    pub rate: Rate,
}

/// A reaction point: parser, calculator, rate limiter.
pub trait ReactionPoint {
    /// The first word of `frame` arrives in cycle `at`, the others behind it, of any length but 0. Frames are delivered in their
    /// order, and before the parser can begin them; one that arrives while another is being read follows it at once.
    fn deliver(&mut self, at: Cycles, frame: &[u8]);
    /// The next cycle, not before `now`, in which it must be called, while a frame of `request` bytes waits or none.
    fn next(&self, now: Cycles, request: Option<u32>) -> Cycles;
    /// Cycle `now`, while a frame of `request` bytes waits or none.
    fn cycle(&mut self, now: Cycles, request: Option<u32>) -> ReactionPointCycle;
    /// Frames that the parser ignored up to the last cycle; wraps.
    fn ignored_frames(&mut self) -> u32;
}

/// The registers of a calculator that a trace shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CalculatorState {
    /// r.
    pub current_rate: Rate,
    /// R, byte stage and time stage, where the scheme has them.
    pub target: Option<(Rate, u8, u8)>,
}

/// A calculator, alone.
pub trait Calculator {
    /// The next cycle, not before `now`, in which it must be called even without input.
    fn next(&self, now: Cycles) -> Cycles;
    /// Cycle `now`: a feedback is offered, a frame of so many bytes left. Returns whether the feedback was taken, and the
    /// registers in this cycle.
    fn cycle(
        &mut self,
        now: Cycles,
        feedback: Option<&Feedback>,
        sent: Option<u32>,
        source_empty: bool,
    ) -> (bool, CalculatorState);
}

/// What a run reports to, and what may stop it before its first cycle.
pub struct Reports<'a> {
    /// Rows of what happened.
    pub trace: &'a mut Trace,
    /// Signals of the circuits; only [`Engine::RustHdl`] shows them.
    pub waveform: Option<&'a Waveform>,
    /// Called once when all is set up and every parameter that the run needs was read; an error ends the run.
    pub set_up: &'a dyn Fn() -> Result<()>,
    /// Called now and then with the cycle reached.
    pub progress: &'a dyn Fn(Cycles),
}

impl<'a> Reports<'a> {
    /// A trace and nothing else.
    pub fn trace(trace: &'a mut Trace) -> Self {
        Reports { trace, waveform: None, set_up: &|| Ok(()), progress: &|_| {} }
    }

    /// All is set up: the first cycle comes.
    fn begin(&self) -> Result<()> {
        (self.set_up)()?;
        self.waveform.map_or(Ok(()), Waveform::begin)
    }
}

/// Steps of a run between two calls of `progress`: some ten milliseconds of a circuit.
const STEPS_BETWEEN_REPORTS: u32 = 1024;

/// Tells how far a run is, at little cost.
struct Steps<'a> {
    progress: &'a dyn Fn(Cycles),
    count: u32,
}

impl<'a> Steps<'a> {
    fn new(progress: &'a dyn Fn(Cycles)) -> Self {
        Steps { progress, count: 0 }
    }

    /// A step that ends before cycle `now`.
    fn step(&mut self, now: Cycles) {
        self.count += 1;
        if self.count == STEPS_BETWEEN_REPORTS {
            self.count = 0;
            (self.progress)(now);
        }
    }
}

/// Which form of a scheme a bench runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Engine {
    /// The circuits, as machine code.
    Rtl,
    /// The circuits in the simulation of `rust-hdl`: slow, the reference for the others.
    RustHdl,
    /// The integer models.
    Model,
}

/// The seed of a reaction point among the values of its ports; 1 where it has no random source.
fn seed_in(ports: &BTreeMap<&'static str, u64>) -> u16 {
    ports.get("seed").map_or(1, |&seed| seed as u16)
}

/// The seed of one of several random sources: spread over 1 to 65535, the same for both engines. Distinct for up to 65535
/// indices; those that are 65535 apart share a seed. With so many flows some therefore jitter alike; that does not make them move
/// together, because they start at other times and get other feedback.
pub fn seed_of(seed: u64, index: u32) -> u16 {
    ((seed - 1 + 7919 * u64::from(index)) % 65535 + 1) as u16
}
