// SPDX-License-Identifier: MIT OR Apache-2.0
//! The look-up tables of an InfiniBand source for its response to marks (Santos 2002, section V). They are computed
//! from the closed forms when a model or a circuit is made.
//!
//! The unit of time is the packet time: the time of one packet at R_max. The discrete rates are R_max / (1 + ipd). The
//! paper derives each increase function from a curve F_inc(t), the rate as a function of the time since it was R_min.
//! The table holds the time of this curve from one discrete rate to the next, in whole packet times. So Condition 2,
//! which is about times, can be checked with the table. LIPD and FIMD satisfy it as in Condition 3: each recovery takes
//! R_max / R_min packet times.

/// The response of a source to marks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Response {
    /// Linear inter-packet delay: a mark adds one packet time to the delay.
    Lipd,
    /// Fast increase, multiplicative decrease: a mark divides the rate, which grows back exponentially.
    Fimd,
    /// Additive increase, multiplicative decrease: a mark divides the rate, which grows back linearly.
    Aimd,
}

/// Every response.
pub const RESPONSES: [Response; 3] = [Response::Lipd, Response::Fimd, Response::Aimd];

/// The entry of the table for one inter-packet delay.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Entry {
    /// Cost of the next higher rate, packet times.
    pub wait: u16,
    /// Inter-packet delay after a mark, packet times.
    pub decreased: u8,
    /// A mark leads to R_min, because the decreased rate would be below it: the credit is cleared.
    pub at_minimum: bool,
    /// Number of bits by which a mark shifts the credit right.
    pub credit_shift: u8,
}

/// The table of one response.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Table {
    entries: Vec<Entry>,
}

impl Table {
    /// The table for R_min = R_max / `rate_steps` and, if the response divides the rate, a division by
    /// `decrease_factor`. Both are whole numbers from 2 to 256. m is whole so that a discrete rate divided by m is a
    /// discrete rate: only then a recovery takes as long as in the paper.
    ///
    /// # Panics
    /// If one of them is out of range.
    pub fn new(response: Response, decrease_factor: u32, rate_steps: u32) -> Table {
        assert!((2..=256).contains(&rate_steps), "2 to 256 discrete rates, not {rate_steps}");
        assert!((2..=256).contains(&decrease_factor), "a rate is divided by 2 to 256, not {decrease_factor}");
        // A small amount is added, so that a time of exactly half a packet time is always rounded up.
        let climb = |ipd: u32| (climb(response, decrease_factor, rate_steps, ipd) + 1e-6).round() as u32;
        let entry = |ipd: u32| {
            let wanted = match response {
                Response::Lipd => ipd + 1,
                Response::Fimd | Response::Aimd => decrease_factor * (ipd + 1) - 1,
            };
            let wait = if ipd == 0 { 0 } else { climb(ipd) - climb(ipd - 1) };
            Entry {
                wait: u16::try_from(wait).expect("at most half of rate_steps squared"),
                decreased: wanted.min(rate_steps - 1) as u8,
                at_minimum: wanted > rate_steps - 1,
                credit_shift: match response {
                    Response::Lipd | Response::Fimd => 0,
                    Response::Aimd => decrease_factor.next_power_of_two().trailing_zeros() as u8,
                },
            }
        };
        Table { entries: (0..rate_steps).map(entry).collect() }
    }

    /// The entry for a delay; all zeros for a delay that does not occur.
    pub fn entry(&self, ipd: u8) -> Entry {
        self.entries.get(usize::from(ipd)).copied().unwrap_or_default()
    }

    /// Number of discrete rates.
    pub fn rates(&self) -> usize {
        self.entries.len()
    }

    /// T_rec: packet times from a mark at a discrete rate until this rate is reached again, without another mark.
    pub fn recovery_time(&self, ipd: u8) -> u32 {
        let decreased = self.entry(ipd).decreased;
        (ipd..decreased).map(|step| u32::from(self.entry(step + 1).wait)).sum()
    }

    /// Whether no rate recovers faster than a lower rate (Condition 2).
    pub fn converges(&self) -> bool {
        (1..self.rates()).all(|ipd| self.recovery_time(ipd as u8) <= self.recovery_time(ipd as u8 - 1))
    }
}

/// Packet times of F_inc from R_max / (1 + ipd) to R_max, with S = R_max / R_min = T_rec in packet times:
/// - LIPD, F_inc = R_max / (S − t/T_rec): S · ipd;
/// - FIMD, F_inc = R_min · m^(t/T_rec): S · log_m(1 + ipd);
/// - AIMD, linear, from R_min to m·R_min in T_rec: S² / (m − 1) · ipd / (1 + ipd).
pub fn climb(response: Response, decrease_factor: u32, rate_steps: u32, ipd: u32) -> f64 {
    let (m, steps, ipd) = (f64::from(decrease_factor), f64::from(rate_steps), f64::from(ipd));
    match response {
        Response::Lipd => steps * ipd,
        Response::Fimd => steps * (1.0 + ipd).ln() / m.ln(),
        Response::Aimd => steps * steps / (m - 1.0) * ipd / (1.0 + ipd),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FACTORS: [u32; 7] = [2, 3, 4, 5, 8, 16, 256];
    const STEPS: [u32; 5] = [256, 255, 128, 16, 2];

    /// The functions of the paper, as printed; the unit of the rate is R_max.
    fn increase(response: Response, m: f64, r_min: f64, rate: f64) -> f64 {
        let increased = match response {
            Response::Lipd => rate / (1.0 - r_min),
            Response::Fimd => rate * m.powf(r_min / rate),
            // The slope is (m − 1)·R_min in T_rec = 1 / R_min; an ACK arrives after 1 / r.
            Response::Aimd => rate + (m - 1.0) * r_min * r_min / rate,
        };
        increased.min(1.0)
    }

    fn decrease(response: Response, m: f64, r_min: f64, rate: f64) -> f64 {
        let decreased = match response {
            Response::Lipd => 1.0 / (1.0 / rate + 1.0),
            Response::Fimd | Response::Aimd => rate / m,
        };
        decreased.max(r_min)
    }

    fn each(check: impl Fn(Response, u32, u32, &Table)) {
        for response in RESPONSES {
            for factor in FACTORS {
                for steps in STEPS {
                    check(response, factor, steps, &Table::new(response, factor, steps));
                }
            }
        }
    }

    #[test]
    fn decreases_are_those_of_the_paper_to_half_a_step() {
        each(|response, m, steps, table| {
            for ipd in 0..steps {
                let rate = decrease(response, m.into(), 1.0 / f64::from(steps), 1.0 / f64::from(1 + ipd));
                let found = f64::from(table.entry(ipd as u8).decreased);
                assert!((1.0 / rate - 1.0 - found).abs() < 0.5, "{response:?}, m = {m}, {steps} rates, ipd {ipd}");
            }
        });
    }

    /// One ACK moves the rate along the curve by 1 + ipd packet times of those that are left to R_max, within half a
    /// packet time.
    #[test]
    fn increases_are_those_of_the_paper_to_half_a_packet_time() {
        each(|response, m, steps, table| {
            let mut left = 0;
            for ipd in 0..steps {
                left += u32::from(table.entry(ipd as u8).wait);
                let rate = increase(response, m.into(), 1.0 / f64::from(steps), 1.0 / f64::from(1 + ipd));
                let (s, increased) = (f64::from(steps), 1.0 / rate - 1.0);
                let expected = match response {
                    Response::Lipd => s * increased,
                    Response::Fimd => s * (1.0 + increased).log(m.into()),
                    Response::Aimd => s * s / (f64::from(m) - 1.0) * (1.0 - rate),
                };
                let found = left.saturating_sub(1 + ipd);
                let off = (expected - f64::from(found)).abs();
                assert!(off <= 0.500_001, "{response:?}, m = {m}, {steps} rates, ipd {ipd}: {expected} and {found}");
            }
        });
    }

    #[test]
    fn no_rate_recovers_sooner_than_a_lower_one() {
        each(|response, m, steps, table| {
            assert!(table.converges(), "Condition 2: {response:?}, m = {m}, {steps} rates");
        });
    }

    #[test]
    fn recoveries_take_the_least_time_that_the_conditions_allow() {
        each(|response, m, steps, table| {
            for ipd in 0..steps {
                let time = table.recovery_time(ipd as u8);
                let entry = table.entry(ipd as u8);
                match response {
                    _ if entry.at_minimum => {
                        assert!(time <= steps + 1, "{response:?}, m = {m}, {steps}, ipd {ipd}: {time}")
                    }
                    Response::Lipd | Response::Fimd => assert_eq!(time, steps, "{response:?}, m = {m}, ipd {ipd}"),
                    Response::Aimd => assert!(time + 1 >= steps, "AIMD, m = {m}, {steps} rates, ipd {ipd}: {time}"),
                }
            }
        });
    }

    /// "4.2 ms for FIMD and 133.7 ms for LIPD and AIMD", at 1 GByte/s and 2048 bytes: 2.048 µs a packet.
    #[test]
    fn the_whole_way_up_takes_as_long_as_the_paper_says() {
        let milliseconds = RESPONSES.map(|response| {
            let table = Table::new(response, 2, 256);
            let packets: u32 = (0..=255).map(|ipd| u32::from(table.entry(ipd).wait)).sum();
            (f64::from(packets) * 2.048e-2).round() / 10.0
        });
        assert_eq!(milliseconds, [133.7, 4.2, 133.7]);
    }

    #[test]
    fn a_table_that_recovers_unfairly_is_told() {
        let mut table = Table::new(Response::Lipd, 2, 256);
        table.entries[200].wait += 1;
        assert!(!table.converges());
        assert_eq!((table.recovery_time(199), table.recovery_time(198)), (257, 256));
    }
}
