// SPDX-License-Identifier: MIT OR Apache-2.0
//! What stands before the module in the switches of the NetFPGA-SUME and PLUS: `switch_lite_output_port_lookup` and
//! `switch_output_port_lookup`, cycle by cycle. They wait with a beat in a queue until its destination has been looked up, which
//! comes through a queue of its own. The destination is in TUSER in the first cycle of a frame only, whatever `tready` is.

use crate::axis_cp::beats::Beat;
use crate::axis_tap::path_frames::USER;

/// A beat with its TUSER.
pub type Offered = (Beat, [u8; USER]);

/// Octet of a TUSER with the destination ports.
pub const DESTINATION: usize = 3;
/// Places of the queue of beats.
const BEATS: usize = 16;

/// How a lookup ends a frame of one beat that is taken in its first cycle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// Not at all: it takes the next frame for the rest of this one, and shows no destination with it.
    Sume,
    /// As any other frame.
    Plus,
}

/// A queue whose oldest word is shown: a memory, and three registers behind it. It does not look whether a word that comes has
/// a place.
struct FallThrough<T> {
    memory: Vec<Option<T>>,
    write: usize,
    read: usize,
    /// Words in the memory, as a counter of one bit more than a place has.
    depth: usize,
    fetched: Option<T>,
    middle: Option<T>,
    shown: Option<T>,
}

impl<T: Clone> FallThrough<T> {
    fn new(places: usize) -> Self {
        let memory = vec![None; places];
        FallThrough { memory, write: 0, read: 0, depth: 0, fetched: None, middle: None, shown: None }
    }

    /// No word or one is free.
    fn nearly_full(&self) -> bool {
        self.depth >= self.memory.len() - 1
    }

    /// A clock edge.
    fn step(&mut self, comes: Option<T>, removes: bool) {
        let places = self.memory.len();
        let stands = [&self.fetched, &self.middle, &self.shown].iter().all(|word| word.is_some());
        let fetches = self.depth > 0 && !stands;
        if removes {
            self.shown = None;
        }
        if self.shown.is_none() {
            self.shown = self.middle.take().or_else(|| self.fetched.take());
        }
        if self.middle.is_none() {
            self.middle = self.fetched.take();
        }
        if fetches {
            self.fetched = self.memory[self.read].clone();
            self.read = (self.read + 1) % places;
        }
        self.depth = (self.depth + usize::from(comes.is_some()) + 2 * places - usize::from(fetches)) % (2 * places);
        if comes.is_some() {
            self.memory[self.write] = comes;
            self.write = (self.write + 1) % places;
        }
    }
}

pub struct Lookup {
    kind: Kind,
    beats: FallThrough<Offered>,
    destinations: FallThrough<u8>,
    /// The destination of the frame whose header was read in the cycle before, and of the one before that.
    parsed: Option<u8>,
    found: Option<u8>,
    /// The beat that comes next is the first one of its frame.
    begins: bool,
    /// The header has been shown: the beats of the frame go as they are.
    sends: bool,
}

impl Lookup {
    /// `places`: those of the queue of destinations.
    pub fn new(kind: Kind, places: usize) -> Lookup {
        let (beats, destinations) = (FallThrough::new(BEATS), FallThrough::new(places));
        Lookup { kind, beats, destinations, parsed: None, found: None, begins: true, sends: false }
    }

    /// It takes a beat in this cycle.
    pub fn ready(&self) -> bool {
        !self.beats.nearly_full()
    }

    /// What it offers in this cycle.
    pub fn offered(&self) -> Option<Offered> {
        let (beat, mut user) = self.beats.shown.clone()?;
        if !self.sends {
            user[DESTINATION] = self.destinations.shown?;
        }
        Some((beat, user))
    }

    /// A clock edge. `comes`: a beat, taken by [`Self::ready`], with the destination of its frame in TUSER, which is found from
    /// its header. `taken`: what is offered is taken.
    pub fn step(&mut self, comes: Option<Offered>, taken: bool) {
        let ends = taken && self.beats.shown.as_ref().is_some_and(|(beat, _)| beat.last);
        let decides = !self.sends && self.destinations.shown.is_some();
        self.sends = match (decides, self.kind) {
            (true, Kind::Sume) => true,
            (true, Kind::Plus) => !ends,
            (false, _) => self.sends && !ends,
        };
        self.destinations.step(self.found.take(), decides);
        self.found = self.parsed.take();
        let stored = comes.map(|(beat, mut user)| {
            let begins = std::mem::replace(&mut self.begins, beat.last);
            if begins {
                self.parsed = Some(user[DESTINATION]);
                user[DESTINATION] = 0;
            }
            (beat, user)
        });
        self.beats.step(stored, taken);
    }
}
