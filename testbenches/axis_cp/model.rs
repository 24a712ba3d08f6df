//! The output queue and the stream of feedback frames, as plain programs: what they do in each cycle.

use crate::beats::{Beat, Frame};
use std::collections::VecDeque;

/// What the congestion point is told in a cycle.
#[derive(Default)]
pub struct Events {
    pub entered: Option<Frame>,
    pub left: u32,
}

/// The output queue: a register at the input, the memory, a register at the output.
#[derive(Default)]
pub struct Queue {
    capacity: usize,
    arrived: Option<Beat>,
    memory: VecDeque<Beat>,
    /// Beats of whole frames in the memory, but for those of the frame that ended in the cycle before.
    whole: usize,
    /// Beats of this frame.
    new: usize,
    /// Beats of the frame that comes in, which are in the memory.
    part: usize,
    no_room: bool,
    bad: bool,
    shown: bool,
    out: Option<Beat>,
    /// Frames whose beats come in.
    pub coming: VecDeque<Frame>,
    pub bad_frames: u64,
    pub dropped_frames: u64,
    pub rejected_frames: u64,
    pub gone: u64,
    next: Events,
}

impl Queue {
    /// Empty, for so many beats.
    pub fn new(capacity: usize) -> Queue {
        Queue { capacity, ..Default::default() }
    }

    /// The beat that goes out.
    pub fn out(&self) -> Option<&Beat> {
        self.out.as_ref()
    }

    /// Whether nothing is in it.
    pub fn is_empty(&self) -> bool {
        self.arrived.is_none() && self.memory.is_empty() && self.out.is_none()
    }

    /// A cycle with a beat that comes, and whether the one that goes out is taken. Returns the events of this cycle.
    pub fn cycle(&mut self, arrives: Option<Beat>, ready: bool) -> Events {
        let told = std::mem::take(&mut self.next);
        let full = self.memory.len() == self.capacity;
        let whole = self.whole;
        self.whole += std::mem::take(&mut self.new);
        if ready && let Some(beat) = self.out.take() {
            self.next.left = beat.valid().len() as u32;
            self.gone += u64::from(beat.last);
        }
        let loads = self.shown && self.out.is_none();
        if let Some(beat) = self.arrived.take() {
            self.stores(beat, full);
        }
        if loads {
            self.out = self.memory.pop_front();
            self.whole -= 1;
        }
        self.shown = whole > usize::from(loads);
        self.arrived = arrives;
        told
    }

    fn stores(&mut self, beat: Beat, full: bool) {
        let valid = beat.keep.count_ones();
        let contiguous = beat.keep == u64::MAX.checked_shr(64 - valid).unwrap_or(0);
        let whole = valid as usize == beat.octets.len() || (beat.last && valid > 0);
        self.bad |= !(contiguous && whole) || (beat.last && beat.user);
        self.no_room |= full;
        let last = beat.last;
        if !self.no_room {
            self.memory.push_back(beat);
            self.part += 1;
        }
        if !last {
            return;
        }
        let frame = self.coming.pop_front().expect("it has begun");
        assert_eq!(frame.bad, self.bad);
        if self.bad || self.no_room {
            self.memory.truncate(self.memory.len() - self.part);
            self.bad_frames += u64::from(self.bad);
            self.dropped_frames += u64::from(!self.bad);
        } else {
            self.new = self.part;
            self.rejected_frames += u64::from(frame.short);
            self.next.entered = Some(frame);
        }
        (self.part, self.no_room, self.bad) = (0, false, false);
    }
}

/// Feedback frames: words of 64 bits become beats.
#[derive(Default)]
pub struct Output {
    words: Vec<u64>,
    out: Option<Beat>,
    /// A word that was taken and waits for room, and whether it is the last one of its frame.
    spare: Option<(u64, bool)>,
}

impl Output {
    pub fn out(&self) -> Option<&Beat> {
        self.out.as_ref()
    }

    /// Whether a word is taken in this cycle.
    pub fn ready(&self) -> bool {
        self.spare.is_none() && !self.out.as_ref().is_some_and(|beat| beat.last)
    }

    /// A cycle with a word, which is taken if there is room, and whether it is the last one of its frame.
    pub fn cycle(&mut self, word: Option<(u64, bool)>, ready: bool, width: usize) {
        let word = self.spare.take().or(word.filter(|_| self.ready()));
        if self.out.is_some() && !ready {
            self.spare = word;
            return;
        }
        self.out = None;
        if let Some((word, last)) = word {
            self.words.push(word);
            if 8 * self.words.len() == width {
                let octets = self.words.drain(..).flat_map(u64::to_be_bytes).collect();
                let valid = if last { width - 4 } else { width };
                self.out = Some(Beat { octets, keep: u64::MAX >> (64 - valid), last, user: false });
            }
        }
    }
}
