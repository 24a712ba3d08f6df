// SPDX-License-Identifier: MIT OR Apache-2.0
//! A source with a window of one packet and any rate: fixed, or by the closed forms of the response functions.

use tidegate_circuits::response::Response;
use tidegate_core::units::Cycles;
use tidegate_schemes::infiniband::model::ACK_LATENCY;
use tidegate_schemes::infiniband::rule::{response, table_of};
use tidegate_schemes::scheme::parameters::Parameters;

/// The response functions of the paper (Santos 2002, sections V.C, V.D and VI.B), in floating point; the unit of a rate is
/// R_max.
#[derive(Clone, Copy, Debug)]
pub(super) struct Functions {
    response: Response,
    factor: f64,
    least: f64,
    persistent: bool,
}

impl Functions {
    pub fn new(parameters: &Parameters) -> Self {
        let (factor, steps) = table_of(parameters);
        let persistent = parameters.flag("persistent");
        Functions { response: response(parameters), factor: factor.into(), least: 1.0 / f64::from(steps), persistent }
    }

    /// The rate after an ACK.
    fn after(&self, rate: f64, marked: bool) -> f64 {
        let &Functions { response, factor, least, .. } = self;
        let changed = match (response, marked) {
            (Response::Lipd, true) => 1.0 / (1.0 / rate + 1.0),
            (Response::Lipd, false) => rate / (1.0 - least),
            (Response::Fimd | Response::Aimd, true) => rate / factor,
            (Response::Fimd, false) => rate * libm::pow(factor, least / rate),
            // From R_min to m·R_min in 1 / R_min; an ACK arrives after 1 / r.
            (Response::Aimd, false) => rate + (factor - 1.0) * least * least / rate,
        };
        changed.clamp(least, 1.0)
    }
}

/// The source. It takes as long to react to an ACK as the circuit with discrete rates.
#[derive(Clone, Debug)]
pub(super) struct Pace {
    functions: Option<Functions>,
    packet: f64,
    /// In units of R_max.
    pub rate: f64,
    granted: Option<Cycles>,
    outstanding: bool,
    /// The first cycle in which the last ACK has been taken.
    ready: Cycles,
}

impl Pace {
    /// With the first rate, in units of R_max; a rate without functions stays.
    pub fn new(packet: Cycles, rate: f64, functions: Option<Functions>) -> Self {
        Pace { functions, packet: packet as f64, rate, granted: None, outstanding: false, ready: 0 }
    }

    /// When the next packet may go; `Cycles::MAX` while one is outstanding.
    pub fn due(&self) -> Cycles {
        if self.outstanding {
            return Cycles::MAX;
        }
        let paced = self.granted.map_or(0, |granted| granted + (self.packet / self.rate).ceil() as Cycles);
        paced.max(self.ready)
    }

    pub fn flow_start(&mut self) {
        if self.functions.is_some_and(|functions| !functions.persistent) {
            self.rate = 1.0;
        }
    }

    pub fn grant(&mut self, now: Cycles) {
        (self.granted, self.outstanding) = (Some(now), true);
    }

    pub fn acknowledge(&mut self, now: Cycles, marked: bool) {
        if let Some(functions) = &self.functions {
            self.rate = functions.after(self.rate, marked);
        }
        (self.outstanding, self.ready) = (false, now + 1 + ACK_LATENCY);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// T_rec: from a mark until the rate is back, in packet times, is the same for all rates with LIPD and FIMD
    /// (Condition 3), and AIMD takes from R_min to R_max as long as LIPD (section VI.B).
    #[test]
    fn recovers_in_the_time_of_condition_3() {
        let climb = |response, from: f64, to: f64| {
            let functions = Functions { response, factor: 2.0, least: 1.0 / 256.0, persistent: false };
            let (mut rate, mut time) = (from, 0.0);
            while rate < to * (1.0 - 1e-9) {
                time += 1.0 / rate;
                rate = functions.after(rate, false);
            }
            time
        };
        for response in [Response::Lipd, Response::Fimd] {
            let functions = Functions { response, factor: 2.0, least: 1.0 / 256.0, persistent: false };
            for rate in [1.0, 0.5, 0.1, 0.02] {
                let time = climb(response, functions.after(rate, true), rate);
                let acks = 1.0 / functions.after(rate, true);
                assert!((time - 256.0).abs() <= acks + 20.0, "{response:?} from {rate}: {time}");
            }
        }
        let times = [Response::Lipd, Response::Fimd, Response::Aimd].map(|response| climb(response, 1.0 / 256.0, 1.0));
        // The closed forms of Fig. 5 are for continuous time: 255, 8 and 255 times T_rec. Steps at ACKs are a little
        // longer where a step is a large part of the rate.
        assert!((times[0] / 65_280.0 - 1.0).abs() < 0.01, "{times:?}");
        assert!((times[1] / 2048.0 - 1.0).abs() < 0.2, "{times:?}");
        assert!((times[2] / 65_280.0 - 1.0).abs() < 0.05, "{times:?}");
    }
}
