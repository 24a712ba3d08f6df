//! A jittered interval: each draw picks the next one uniformly between two bounds.

/// Fraction bits of [`JitterParameters::ratio`].
const RATIO_FRACTION_BITS: u32 = 13;

/// Bounds of an interval, as the hardware takes them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct JitterParameters {
    /// Smallest interval, in bytes, packets or cycles; below 2²⁴.
    pub low: u32,
    /// (largest − smallest + 1) / smallest with 13 fraction bits; 0 = no jitter.
    pub ratio: u16,
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

/// The random source of one sampler or counter: 16-bit linear-feedback shift register, x¹⁶ + x¹⁴ + x¹³ + x¹¹ + 1, eight
/// steps a draw.
#[derive(Clone, Debug)]
pub struct Jitter {
    state: u16,
    ratio: u16,
    /// What was drawn last: a fraction in [0, ratio).
    pub fraction: u16,
}

impl Jitter {
    /// Starts at a seed other than 0, with the first fraction drawn.
    pub fn new(ratio: u16, seed: u16) -> Self {
        let mut jitter = Jitter { state: seed, ratio, fraction: 0 };
        jitter.set_fraction();
        jitter
    }

    /// Takes the next fraction.
    pub fn draw(&mut self) {
        let s = self.state;
        self.state = (s << 8) | ((s >> 8) ^ ((s >> 6) & 0xff) ^ ((s >> 5) & 0xff) ^ ((s >> 3) & 0xff));
        self.set_fraction();
    }

    fn set_fraction(&mut self) {
        self.fraction = ((u32::from(self.ratio) * u32::from(self.state & 0xff)) >> 8) as u16;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_cover_the_bounds_evenly() {
        let bounds = JitterParameters::around(100, 15);
        let mut jitter = Jitter::new(bounds.ratio, 1);
        let mut counts = [0u32; 200];
        for _ in 0..65535 {
            counts[bounds.interval(jitter.fraction) as usize] += 1;
            jitter.draw();
        }
        let (first, last) = (counts.iter().position(|&n| n > 0), counts.iter().rposition(|&n| n > 0));
        assert_eq!((first, last), (Some(85), Some(115)));
        // 256 values on 31 intervals: 7 to 9 values each.
        assert!(counts[85..=115].iter().all(|&n| (7 * 255..=9 * 257).contains(&n)), "{:?}", &counts[85..=115]);
    }

    #[test]
    fn the_register_visits_every_state() {
        let mut jitter = Jitter::new(1, 1);
        let mut period = 0;
        loop {
            jitter.draw();
            period += 1;
            if jitter.state == 1 {
                break;
            }
        }
        assert_eq!(period, 65535);
    }

    #[test]
    fn no_jitter_is_exact() {
        let bounds = JitterParameters::around(150_000, 0);
        assert_eq!(bounds.interval(Jitter::new(bounds.ratio, 7).fraction), 150_000);
    }
}
