//! A random interval: each draw chooses the next interval uniformly between two bounds.

use super::ports::ports;
use crate::units::Cycles;

/// Fraction bits of [`JitterParameters::ratio`].
const RATIO_FRACTION_BITS: u32 = 13;

ports! {
    /// Bounds of an interval, in the form of the parameter ports.
    pub struct JitterParameters {
        /// Smallest interval, in bytes, packets or cycles; below 2²⁴.
        pub low: u32,
        /// (largest − smallest + 1) / smallest with 13 fraction bits; 0 = no jitter.
        pub ratio: u16,
    }
}

impl JitterParameters {
    /// An interval of `nominal` ± `percent` %, at least 1.
    pub fn around(nominal: u32, percent: u32) -> Self {
        let swing = (u64::from(nominal) * u64::from(percent) / 100) as u32;
        let low = (nominal - swing).max(1);
        let high = nominal + swing;
        if swing == 0 {
            return JitterParameters { low: nominal, ratio: 0 };
        }
        let ratio = (u64::from(high - low + 1) << RATIO_FRACTION_BITS) / u64::from(low);
        JitterParameters { low, ratio: ratio.min(u64::from(u16::MAX)) as u16 }
    }

    /// The interval for a fraction that was drawn.
    pub fn interval(self, fraction: u16) -> u32 {
        self.low + ((u64::from(self.low) * u64::from(fraction)) >> RATIO_FRACTION_BITS) as u32
    }
}

/// The values of a register in the last few cycles. The result of the pipeline in the circuit depends on them.
#[derive(Clone, Debug)]
pub struct History<T> {
    /// First cycle and value of each entry, the newest first. There is one entry more than cycles in the pipeline.
    values: [(Cycles, T); 6],
}

impl<T: Copy> History<T> {
    /// The value has always been `value`.
    pub fn new(value: T) -> Self {
        History { values: [(0, value); 6] }
    }

    /// The value is `value` from cycle `from` on. `from` never decreases.
    pub fn set(&mut self, from: Cycles, value: T) {
        if from > self.values[0].0 {
            self.values.rotate_right(1);
        }
        self.values[0] = (from, value);
    }

    /// The newest value.
    pub fn last(&self) -> T {
        self.values[0].1
    }

    /// The value in cycle `at`, which is at most four cycles before the last change but one.
    pub fn at(&self, at: Cycles) -> T {
        let found = self.values.iter().find(|&&(from, _)| from <= at);
        found.unwrap_or(&self.values[self.values.len() - 1]).1
    }
}

/// Number of draws after which a random source is in the same state again: it has had every state except 0.
pub const DRAWS_OF_A_TURN: u64 = 65_535;

/// The next state of a random source: 16-bit linear-feedback shift register, x¹⁶ + x¹⁴ + x¹³ + x¹¹ + 1, eight steps for
/// each draw.
pub fn next_random(s: u16) -> u16 {
    (s << 8) | ((s >> 8) ^ ((s >> 6) & 0xff) ^ ((s >> 5) & 0xff) ^ ((s >> 3) & 0xff))
}

/// The random source of a sampler or counter, and the pipeline that computes an interval from it.
#[derive(Clone, Debug)]
pub struct Jitter {
    ratio: u16,
    /// First cycle after the reset.
    start: Cycles,
    state: History<u16>,
    low: History<u32>,
}

impl Jitter {
    /// A source with this seed, not 0, in cycle 0.
    pub fn new(bounds: JitterParameters, seed: u16) -> Self {
        Jitter::since(bounds, seed, 0)
    }

    /// A source whose reset ends in cycle `start`. During the reset the smallest interval was that of the bounds, so a
    /// change in cycle `start` passes the pipeline like any other change.
    pub fn since(bounds: JitterParameters, seed: u16, start: Cycles) -> Self {
        Jitter { ratio: bounds.ratio, start, state: History::new(seed), low: History::new(bounds.low) }
    }

    /// Draws the next fraction in cycle `now`.
    pub fn draw(&mut self, now: Cycles) {
        let next = next_random(self.state.last());
        self.state.set(now + 1, next);
    }

    /// Changes the smallest interval from cycle `from` on.
    pub fn set_low(&mut self, from: Cycles, low: u32) {
        self.low.set(from, low);
    }

    fn fraction_of(&self, state: u16) -> u16 {
        ((u32::from(self.ratio) * u32::from(state & 0xff)) >> 8) as u16
    }

    /// The interval in cycle `now`, with the delays of the pipeline: the sum uses the smallest interval of one cycle
    /// before; the product uses the smallest interval and the random source of three cycles before. Without jitter
    /// there is no delay.
    pub fn interval(&self, now: Cycles) -> u32 {
        if self.ratio == 0 {
            return self.low.at(now);
        }
        let fraction = if now < self.start + 3 { 0 } else { self.fraction_of(self.state.at(now - 3)) };
        let base = JitterParameters { low: self.low.at(now.saturating_sub(3)), ratio: self.ratio };
        self.low.at(now.saturating_sub(1)) + (base.interval(fraction) - base.low)
    }

    /// The smallest interval that was set last.
    pub fn low(&self) -> u32 {
        self.low.last()
    }

    /// The sum of the intervals of one whole turn of the random source: after this number of cycles, and
    /// [`DRAWS_OF_A_TURN`] draws, it is in the same state again. Each state except 0 occurs once, and the interval
    /// depends on the low octet.
    pub fn turn(&self) -> Cycles {
        let bounds = JitterParameters { low: self.low.last(), ratio: self.ratio };
        (0..=255)
            .map(|octet| {
                let states = if octet == 0 { 255 } else { 256 };
                states * Cycles::from(bounds.interval(self.fraction_of(octet)))
            })
            .sum()
    }

    /// The interval that follows from the last draw.
    pub fn settled(&self) -> u32 {
        JitterParameters { low: self.low.last(), ratio: self.ratio }.interval(self.fraction_of(self.state.last()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_cover_the_bounds_evenly() {
        let bounds = JitterParameters::around(100, 15);
        let mut jitter = Jitter::new(bounds, 1);
        let mut counts = [0u32; 200];
        for draw in 0..65535 {
            counts[jitter.settled() as usize] += 1;
            jitter.draw(draw);
        }
        let (first, last) = (counts.iter().position(|&n| n > 0), counts.iter().rposition(|&n| n > 0));
        assert_eq!((first, last), (Some(85), Some(115)));
        // 256 values on 31 intervals: 7 to 9 values each.
        assert!(counts[85..=115].iter().all(|&n| (7 * 255..=9 * 257).contains(&n)), "{:?}", &counts[85..=115]);
    }

    #[test]
    fn the_register_visits_every_state() {
        let mut jitter = Jitter::new(JitterParameters { low: 1, ratio: 1 }, 1);
        let mut period = 0;
        loop {
            jitter.draw(period);
            period += 1;
            if jitter.state.last() == 1 {
                break;
            }
        }
        assert_eq!(period, DRAWS_OF_A_TURN);
    }

    #[test]
    fn a_turn_is_the_sum_of_its_intervals() {
        for (nominal, percent, seed) in [(16, 0, 1), (100, 15, 7), (255, 50, 40_503), (1 << 23, 50, 65_535)] {
            let mut jitter = Jitter::new(JitterParameters::around(nominal, percent), seed);
            let turn = jitter.turn();
            let sum: Cycles = (0..DRAWS_OF_A_TURN)
                .map(|draw| {
                    let interval = jitter.settled();
                    jitter.draw(draw);
                    Cycles::from(interval)
                })
                .sum();
            assert_eq!(turn, sum, "{nominal} ± {percent} %");
        }
    }

    #[test]
    fn no_jitter_is_exact() {
        let bounds = JitterParameters::around(150_000, 0);
        assert_eq!(Jitter::new(bounds, 7).interval(1000), 150_000);
    }
}
