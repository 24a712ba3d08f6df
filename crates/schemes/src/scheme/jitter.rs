// SPDX-License-Identifier: MIT OR Apache-2.0
//! A random interval: each draw chooses the next interval uniformly between two bounds.

use super::bounds::Row;
use super::ports::{Port, Ports, within};
use tidegate_core::units::Cycles;

/// Bounds of an interval, in the form of the parameter ports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JitterParameters {
    /// Smallest interval, in bytes, packets or cycles; below 2²⁴ with jitter.
    pub low: u32,
    /// Largest minus smallest interval, in the same unit; 0 = no jitter.
    pub span: u32,
}

/// The row of the field is that of the smallest interval.
impl Ports for JitterParameters {
    fn write(&self, name: &str, row: Row, to: &mut dyn FnMut(Port)) {
        let (low, span) = row.of_interval();
        self.low.write(&within(name, "low"), low, to);
        self.span.write(&within(name, "span"), span, to);
    }

    fn read(name: &str, of: &dyn Fn(&str) -> u64) -> Self {
        JitterParameters { low: u32::read(&within(name, "low"), of), span: u32::read(&within(name, "span"), of) }
    }
}

impl JitterParameters {
    /// An interval of `nominal` ± `percent` %, at least 1.
    pub fn around(nominal: u32, percent: u32) -> Self {
        let swing = (u64::from(nominal) * u64::from(percent) / 100) as u32;
        let low = (nominal - swing).max(1);
        JitterParameters { low, span: nominal + swing - low }
    }

    /// The largest interval.
    pub fn high(self) -> u32 {
        self.low + self.span
    }

    /// As many low bits as the span has.
    fn mask(self) -> u32 {
        u32::MAX.checked_shr(self.span.leading_zeros()).unwrap_or(0)
    }

    /// Whether a random number fits the span.
    fn fits(self, random: u32) -> bool {
        random & self.mask() <= self.span
    }

    /// The interval of a random number that has `settled`, or has not; with jitter modulo 2²⁴, as the number need not fit
    /// in the cycle in which the span becomes smaller.
    fn interval(self, random: u32, settled: bool) -> u32 {
        if self.span == 0 {
            return self.low;
        }
        (self.low + (random & if settled { self.mask() } else { self.mask() >> 1 })) & 0xff_ffff
    }
}

/// Bounds that change.
#[derive(Clone, Copy, Debug)]
struct ChangingBounds {
    before: JitterParameters,
    then: JitterParameters,
    /// The first cycle with the new bounds.
    from: Cycles,
}

impl ChangingBounds {
    /// Bounds that do not change.
    fn constant(bounds: JitterParameters) -> Self {
        ChangingBounds { before: bounds, then: bounds, from: 0 }
    }

    /// In cycle `now`.
    fn at(self, now: Cycles) -> JitterParameters {
        if now < self.from { self.before } else { self.then }
    }
}

/// Numbers of 24 bits that a random source has before one comes again: all except 0.
const NUMBERS_OF_A_TURN: Cycles = (1 << 24) - 1;

/// The next number of a random source: linear-feedback shift register, x²⁴ + x²³ + x²² + x¹⁷ + 1, sixteen steps at
/// once.
fn next_number(s: u32) -> u32 {
    ((s << 16) & 0xff_ffff) | (((s >> 8) ^ (s >> 7) ^ (s >> 6) ^ (s >> 1)) & 0xffff)
}

/// The halves of a number exchanged.
fn exchanged(s: u32) -> u32 {
    ((s << 12) & 0xff_ffff) | (s >> 12)
}

/// What a random source holds in a cycle.
#[derive(Clone, Copy, Debug)]
struct Source {
    number: u32,
    /// The number was there in the cycle before, and `settled` tells whether it fitted then.
    judged: bool,
    /// The number has fitted in an earlier cycle.
    settled: bool,
}

impl Source {
    /// In the first cycle of a number.
    fn new(number: u32) -> Self {
        Source { number, judged: false, settled: false }
    }
}

/// A random source and the intervals that it makes, one or two. Each number is judged in its first cycle. If it fits
/// both spans, it counts from the next cycle on; otherwise it is replaced in the cycle after the next one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Jitter {
    first: ChangingBounds,
    second: ChangingBounds,
    source: Source,
    /// The cycle in which this is the source.
    at: Cycles,
    /// The source in the cycle before, if it was drawn from then.
    replaced: Option<Source>,
    /// The first interval in the cycle before; at first its lower bound.
    before: u32,
    /// In this cycle the number is not used and not judged, and none is drawn: the interval is its lower bound.
    waits: bool,
    /// The number fits and has settled, and `before` is its interval: all stays so until a draw or a change of the
    /// bounds.
    steady: bool,
}

impl Jitter {
    /// A source with this seed, not 0, in cycle 0, for intervals with these bounds.
    pub(crate) fn new(first: JitterParameters, second: JitterParameters, seed: u16) -> Self {
        let seed = u32::from(seed);
        Jitter {
            first: ChangingBounds::constant(first),
            second: ChangingBounds::constant(second),
            source: Source::new((seed << 8) | (seed >> 8)),
            at: 0,
            replaced: None,
            before: first.low,
            waits: false,
            steady: false,
        }
    }

    /// Of one interval.
    pub(crate) fn of_one(bounds: JitterParameters, seed: u16) -> Self {
        Jitter::new(bounds, JitterParameters { low: 0, span: 0 }, seed)
    }

    /// The same source, which does not begin before its second cycle.
    pub(crate) fn after_a_cycle(self) -> Self {
        Jitter { waits: true, ..self }
    }

    /// The same source, `cycles` later.
    pub(crate) fn later(self, cycles: Cycles) -> Self {
        Jitter { at: self.at + cycles, ..self }
    }

    /// Whether the number of the source fits both spans.
    fn fits(&self) -> bool {
        let number = self.source.number;
        self.first.at(self.at).fits(number) && self.second.at(self.at).fits(exchanged(number))
    }

    /// The first interval of a source in cycle `now`.
    fn first_of(&self, source: Source, now: Cycles) -> u32 {
        self.first.at(now).interval(source.number, source.settled)
    }

    /// As in cycle `now`, not before the last cycle of a draw.
    fn in_cycle(mut self, now: Cycles) -> Self {
        if let Some(source) = self.replaced.filter(|_| now < self.at) {
            return Jitter { source, at: now, replaced: None, ..self };
        }
        while self.at < now && !self.steady {
            if std::mem::take(&mut self.waits) {
                self.before = self.first.at(self.at).low;
                self.at += 1;
                continue;
            }
            let Source { number, judged, settled } = self.source;
            let fits = self.fits();
            self.before = self.first_of(self.source, self.at);
            if fits && settled && self.at >= self.first.from.max(self.second.from) {
                self.steady = true;
                break;
            }
            self.source = if judged && !settled {
                Source::new(next_number(number))
            } else {
                Source { number, judged: true, settled: fits }
            };
            self.at += 1;
        }
        Jitter { at: now, replaced: None, ..self }
    }

    /// Takes the next number in cycle `now`; only one in a cycle.
    pub(crate) fn draw(&mut self, now: Cycles) {
        if self.at <= now {
            let Jitter { source: there, waits, .. } = self.in_cycle(now);
            if waits {
                return;
            }
            let before = self.first_of(there, now);
            let source = Source::new(next_number(there.number));
            *self = Jitter { source, at: now + 1, replaced: Some(there), before, waits, steady: false, ..*self };
        }
    }

    /// Other bounds of the first interval for a number that has settled: it stays, also if it does not fit.
    pub(crate) fn set_bounds_of_settled(&mut self, bounds: JitterParameters) {
        (self.first, self.steady) = (ChangingBounds::constant(bounds), true);
    }

    /// The first interval of a number that has settled, as an adder of more than 24 bits computes it.
    pub(crate) fn interval_of_settled(&self) -> u32 {
        let bounds = self.first.then;
        bounds.low + (self.source.number & bounds.mask())
    }

    /// Lets so much time pass that new bounds are there and a number fits. Returns how many numbers were replaced.
    pub(crate) fn settle(&mut self) -> u32 {
        self.first = ChangingBounds::constant(self.first.then);
        self.second = ChangingBounds::constant(self.second.then);
        let mut replaced = 0;
        while !self.fits() {
            self.source = Source::new(next_number(self.source.number));
            replaced += 1;
        }
        self.source = Source { judged: true, settled: true, ..self.source };
        replaced
    }

    /// Nothing is asked for a cycle before cycle `now` any more: no period ends before it.
    pub(crate) fn pass_to(&mut self, now: Cycles) {
        if self.at < now {
            *self = self.in_cycle(now);
        }
    }

    /// The bounds of the first interval, after their last change.
    pub(crate) fn bounds(&self) -> JitterParameters {
        self.first.then
    }

    /// Changes the bounds of the first interval from cycle `from` on, this one or the next one.
    pub(crate) fn set_bounds(&mut self, from: Cycles, bounds: JitterParameters) {
        let last = from.saturating_sub(1);
        self.pass_to(last);
        self.first = ChangingBounds { before: self.first.at(last), then: bounds, from };
        self.steady = false;
    }

    /// The same of the second interval.
    pub(crate) fn set_second_bounds(&mut self, from: Cycles, bounds: JitterParameters) {
        let last = from.saturating_sub(1);
        self.pass_to(last);
        self.second = ChangingBounds { before: self.second.at(last), then: bounds, from };
        self.steady = false;
    }

    /// The first interval in cycle `now`.
    pub(crate) fn first(&self, now: Cycles) -> u32 {
        self.first_of(self.in_cycle(now).source, now)
    }

    /// The first interval in the cycle before cycle `now`; in the first cycle its lower bound. Cycle `now` is behind
    /// the last draw, and from then on nothing is asked or changed for an earlier one.
    #[inline]
    pub(crate) fn first_before(&mut self, now: Cycles) -> u32 {
        if !self.steady {
            *self = self.in_cycle(now);
        }
        self.before
    }

    /// The second interval in cycle `now`.
    pub(crate) fn second(&self, now: Cycles) -> u32 {
        let there = self.in_cycle(now).source;
        self.second.at(now).interval(exchanged(there.number), there.settled)
    }

    /// The last cycle of a period that began in cycle `start` and is as long as the first interval of the cycle before
    /// says. It has not ended before the cycle of the last change of the bounds or
    /// that of [`pass_to`](Self::pass_to).
    pub(crate) fn period_end(&self, start: Cycles) -> Cycles {
        let mut now = start.max(self.at);
        loop {
            let there = self.in_cycle(now);
            let last = start + Cycles::from(there.before) - 1;
            let stays = there.source.settled
                && now >= self.first.from
                && there.fits()
                && there.before == self.first_of(there.source, now);
            if stays || last <= now {
                return last.max(now);
            }
            now += 1;
        }
    }

    /// Whether the source comes back to this state: the number before this one had settled. One that had not is used
    /// only if its period is shorter than the search for the next.
    pub(crate) fn recurs(&self) -> bool {
        self.replaced.is_some_and(|source| source.settled)
    }

    /// The cycles of periods, one after the other, until the source has had every number and is in the same state again
    /// at the start of a period; without jitter, the cycles of one period.
    ///
    /// # Panics
    /// If the source does not [recur](Self::recurs).
    pub(crate) fn turn(&self) -> Cycles {
        assert!(self.recurs(), "the source does not come back to this state");
        let JitterParameters { low, span } = self.bounds();
        if span == 0 {
            return low.into();
        }
        let mut jitter = *self;
        loop {
            let end = jitter.period_end(jitter.at);
            jitter.draw(end);
            if jitter.source.number == self.source.number {
                return jitter.at - self.at;
            }
        }
    }

    /// Fewest cycles of a turn: more than half of all numbers fit any span.
    pub(crate) fn shortest_turn(&self) -> Cycles {
        NUMBERS_OF_A_TURN / 2 * Cycles::from(self.bounds().low)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_cover_the_bounds_evenly() {
        let bounds = JitterParameters::around(100, 15);
        let mut jitter = Jitter::of_one(bounds, 1);
        let mut counts = [0u32; 200];
        let mut now = 0;
        for _ in 0..65_535 {
            now = jitter.period_end(now) + 1;
            counts[jitter.first(now - 1) as usize] += 1;
            jitter.draw(now - 1);
        }
        let (first, last) = (counts.iter().position(|&n| n > 0), counts.iter().rposition(|&n| n > 0));
        assert_eq!((first, last), (Some(85), Some(115)));
        // 2114 of each are expected, with a deviation of 45.
        assert!(counts[85..=115].iter().all(|&n| (1890..=2340).contains(&n)), "{:?}", &counts[85..=115]);
    }

    #[test]
    fn the_source_has_every_number() {
        let mut number = 1;
        let numbers = (1..).find(|_| {
            number = next_number(number);
            number == 1
        });
        assert_eq!(numbers, Some(NUMBERS_OF_A_TURN));
    }

    /// In a whole turn each interval occurs as often as any other: but for number 0, which the source never has.
    #[test]
    fn a_turn_is_the_sum_of_its_intervals() {
        for (nominal, percent, seed) in [(100, 15, 7), (255, 50, 40_503), (1 << 23, 50, 65_535)] {
            let bounds = JitterParameters::around(nominal, percent);
            let mut jitter = Jitter::of_one(bounds, seed);
            jitter.draw(jitter.period_end(0));
            let numbers = Cycles::from(0xff_ffff / (bounds.mask() + 1) + 1);
            let shares = Cycles::from(bounds.span) + 1;
            let intervals = shares * Cycles::from(bounds.low) + shares * (shares - 1) / 2;
            let turn = jitter.turn();
            assert_eq!(turn, numbers * intervals - Cycles::from(bounds.low), "{nominal} ± {percent} %");
            assert!(turn > jitter.shortest_turn());
        }
    }

    #[test]
    fn no_jitter_is_exact() {
        let bounds = JitterParameters::around(150_000, 0);
        assert_eq!(Jitter::of_one(bounds, 7).first(1000), 150_000);
    }

    /// Whether it is asked in each cycle or seldom, the interval of the cycle before is the same.
    #[test]
    fn the_interval_before_is_that_of_the_cycle_before() {
        let [narrow, wide] = [15, 50].map(|percent| JitterParameters::around(1000, percent));
        let mut numbers = 1;
        let mut below = |bound| {
            numbers = next_number(numbers);
            numbers % bound
        };
        let mut plain = Jitter::of_one(narrow, 11);
        let mut asked = plain;
        let (mut draws, mut different) = (0, 0);
        for now in 1..40_000 {
            let expected = plain.first(now - 1);
            if below(13) == 0 {
                let bounds = if below(2) == 0 { narrow } else { wide };
                [&mut plain, &mut asked].into_iter().for_each(|jitter| jitter.set_bounds(now, bounds));
            }
            if below(3) > 0 {
                assert_eq!(asked.first_before(now), expected, "cycle {now}");
            }
            different += u32::from(plain.first(now) != expected);
            if below(7) == 0 {
                [&mut plain, &mut asked].into_iter().for_each(|jitter| jitter.draw(now));
                draws += 1;
            }
        }
        assert!(draws > 3000 && different > 6000, "{draws} draws, {different} cycles with another interval");
    }

    /// Two intervals of one source: the second is not a function of the first.
    #[test]
    fn two_intervals_are_different() {
        let bounds = JitterParameters::around(1000, 15);
        let mut jitter = Jitter::new(bounds, bounds, 9);
        let mut equal = 0;
        for now in 1..=1000 {
            let now = now * 100;
            let (first, second) = (jitter.first(now), jitter.second(now));
            assert!((850..=1150).contains(&first) && (850..=1150).contains(&second));
            equal += u32::from(first == second);
            jitter.draw(now);
        }
        assert!(equal < 30, "{equal} of 1000 are equal");
    }
}
