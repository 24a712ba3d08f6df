// SPDX-License-Identifier: MIT OR Apache-2.0
//! The output queue and the stream of feedback frames, as plain programs: what they do in each cycle.

use crate::axis_cp::beats::{Beat, Frame};
use std::collections::VecDeque;

/// What the congestion point is told in a cycle.
#[derive(Default)]
pub struct Events {
    pub entered: Option<Frame>,
    pub left: u32,
}

/// The output queue: a register at the input, the memory, a register behind it, and the stage at the output.
#[derive(Default)]
pub struct Queue {
    capacity: usize,
    /// One place or none was free in the cycle before.
    full: bool,
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
    /// The beat in the register behind the memory.
    following: Option<Beat>,
    /// The beat at the output that was not taken.
    waits: Option<Beat>,
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
        self.waits.as_ref().or(self.following.as_ref())
    }

    /// Whether nothing is in it.
    pub fn is_empty(&self) -> bool {
        self.arrived.is_none() && self.memory.is_empty() && self.out().is_none()
    }

    /// A cycle with a beat that comes, and whether the one that goes out is taken. Returns the events of this cycle.
    pub fn cycle(&mut self, arrives: Option<Beat>, ready: bool) -> Events {
        let told = std::mem::take(&mut self.next);
        let full = std::mem::replace(&mut self.full, self.memory.len() + 1 >= self.capacity);
        let whole = self.whole;
        self.whole += std::mem::take(&mut self.new);
        let out = self.waits.take().or_else(|| self.following.take());
        let loads = self.shown && self.following.is_none();
        match out {
            Some(beat) if ready => {
                self.next.left = beat.valid().len() as u32;
                self.gone += u64::from(beat.last);
            }
            out => self.waits = out,
        }
        if let Some(beat) = self.arrived.take() {
            self.stores(beat, full);
        }
        if loads {
            self.following = self.memory.pop_front();
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

/// A beat of these words of a feedback frame.
fn beat_of(words: &[u64], last: bool) -> Beat {
    let octets: Vec<u8> = words.iter().flat_map(|word| word.to_be_bytes()).collect();
    let valid = if last { octets.len() - 4 } else { octets.len() };
    Beat { octets, keep: u64::MAX >> (64 - valid), last, user: false }
}

/// Feedback frames: words of 64 bits become beats. Two words wait; where a beat is one word, it is the older of them. That a
/// beat was taken is known in the next cycle, in which there is none.
#[derive(Default)]
pub struct Output {
    /// Words that wait, and whether each is the last one of its frame.
    waiting: VecDeque<(u64, bool)>,
    words: Vec<u64>,
    out: Option<Beat>,
    /// It was taken in the cycle before.
    taken: bool,
}

impl Output {
    pub fn out(&self) -> Option<&Beat> {
        self.out.as_ref().filter(|_| !self.taken)
    }

    /// Whether a word is taken in this cycle.
    pub fn ready(&self) -> bool {
        let ends = self.waiting.iter().any(|&(_, last)| last) || self.out.as_ref().is_some_and(|beat| beat.last);
        self.waiting.len() < 2 && !ends
    }

    /// A cycle with a word, which is taken if there is room, and whether it is the last one of its frame.
    pub fn cycle(&mut self, word: Option<(u64, bool)>, ready: bool, width: usize) {
        let word = word.filter(|_| self.ready());
        let of_word = width == 8;
        let goes = self.taken || self.out.is_none();
        self.taken = ready && self.out().is_some();
        if of_word && goes {
            self.waiting.pop_front();
        }
        let moved = if !of_word && goes { self.waiting.pop_front() } else { None };
        self.waiting.extend(word);
        if of_word {
            self.out = self.waiting.front().map(|&(word, last)| beat_of(&[word], last));
        } else if goes {
            self.words.extend(moved.map(|(word, _)| word));
            let whole = 8 * self.words.len() == width;
            self.out = moved.filter(|_| whole).map(|(_, last)| beat_of(&self.words, last));
            if whole {
                self.words.clear();
            }
        }
    }
}
