// SPDX-License-Identifier: MIT OR Apache-2.0
//! The devices of a bench, cycle by cycle: congestion point, reaction point, calculator. A circuit that is clocked is
//! one, and a model that jumps to the next cycle in which something happens.
//!
//! Time: in cycle `now` a device sees its inputs and the registers as they are; what it computes is in its registers
//! from
//! `now + 1` on. Cycle 0 is the first after reset.

use super::codec::{Frame, Payload};
use super::packet::Packet;
use super::wire::Verdict;
use crate::scheme::parameters::Parameters;
use crate::scheme::token_bucket::Frames;
use tidegate_core::units::{Cycles, Rate};

/// What a congestion point does in one cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CongestionPointCycle {
    /// The packet that entered is marked.
    pub marked: bool,
    /// The packet that entered is a sample: Qoff and ΔQ in bytes.
    pub sample: Option<(i32, i32)>,
    /// The first word of a frame leaves: to which source, with what.
    pub feedback_sent: Option<(u64, Payload)>,
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
    /// The parser judges a frame, in the cycle after its last word.
    pub frame_judged: bool,
    /// The calculator takes this feedback from the parser.
    pub feedback: Option<Payload>,
    /// The rate in force in this cycle.
    pub rate: Rate,
}

/// A reaction point: parser, calculator, rate limiter.
pub trait ReactionPoint {
    /// The first word of `frame` arrives in cycle `at`, the others behind it, of any length but 0. Frames are delivered
    /// in their order, and not after their first cycle; one that arrives while another is being read follows it at
    /// once.
    fn deliver(&mut self, at: Cycles, frame: &[u8]);
    /// The next cycle, not before `now`, in which it must be called, while a frame of `request` bytes waits or none.
    fn next(&self, now: Cycles, request: Option<u32>) -> Cycles;
    /// Cycle `now`, while a frame of `request` bytes waits or none.
    fn cycle(&mut self, now: Cycles, request: Option<u32>) -> ReactionPointCycle;
    /// What the parser tells of the frame that it judged in the last cycle.
    fn verdict(&mut self) -> Option<Verdict>;
    /// Lets frames go, as [`cycle`](Self::cycle) would do one by one, as long as nothing else happens. Returns how many, and
    /// the cycle in which the last one was granted. A device that does each cycle lets none go.
    fn grant_many(&mut self, _frames: &Frames) -> (u64, Cycles) {
        (0, 0)
    }
}

/// What a reaction point of many flows does in one cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FlowReactionPointCycle {
    /// The announcement is taken.
    pub announced: bool,
    /// The frame of this flow starts.
    pub sent: Option<u16>,
    /// The calculator takes this feedback for a flow.
    pub feedback: Option<(u16, Payload)>,
    /// This rate of a flow is in force from this cycle on; perhaps it had the same before.
    pub rate: Option<(u16, Rate)>,
}

/// A reaction point of many flows: one parser, one calculator, one rate limiter. It is called in each cycle.
pub trait FlowReactionPoint {
    /// See [`ReactionPoint::deliver`]; the low bits of the destination number the flow.
    fn deliver(&mut self, at: Cycles, frame: &[u8]);
    /// Cycle `now`: a flow announces a frame of so many bytes, and holds this until it is taken; the link can take the
    /// frame that is granted, which has `link` bytes.
    fn cycle(&mut self, now: Cycles, announce: Option<(u16, u32)>, link: Option<u32>) -> FlowReactionPointCycle;
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
    /// Cycle `now`: a feedback is offered, a frame of so many bytes left. Returns whether the feedback was taken, and
    /// the registers in this cycle.
    fn cycle(
        &mut self,
        now: Cycles,
        feedback: Option<&Payload>,
        sent: Option<u32>,
        source_empty: bool,
    ) -> (bool, CalculatorState);
    /// How many frames of so many bytes can leave without an effect but that they are counted: nothing happens before
    /// [`next`](Self::next).
    fn uneventful(&self, _bytes: u32) -> u64 {
        0
    }
    /// So many frames of so many bytes have left, as [`uneventful`](Self::uneventful) allows.
    fn count(&mut self, _frames: u64, _bytes: u32) {}
    /// Cycle `now`, in which nothing happens but that a frame of so many bytes left; the registers stay the same.
    /// Returns whether its [`next`](Self::next) cycle is another one then: only where it counts bytes.
    #[inline]
    fn sent(&mut self, _now: Cycles, _bytes: u32) -> bool {
        false
    }
    /// Sets the current rate, before the first cycle.
    ///
    /// # Panics
    /// If it starts at line rate only, as a circuit does.
    fn set_rate(&mut self, _rate: Rate) {
        panic!("this calculator starts at line rate");
    }
    /// Before the first cycle: reads the feedback as the key `fb_bits` says, which no circuit does.
    fn quantize_itself(&mut self, _parameters: &Parameters) {}
    /// Other values of the [`CHANGEABLE`](super::CHANGEABLE) keys from cycle `now` on.
    fn change_parameters(&mut self, _now: Cycles, _parameters: &Parameters) {}
}
