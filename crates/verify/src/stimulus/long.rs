// SPDX-License-Identifier: MIT OR Apache-2.0
//! Epochs as long as the timers of a circuit need.
//!
//! An epoch of the other stimulus is short, so that there are many sets of parameters. In it, a timer of milliseconds
//! never expires. A long epoch has one set of parameters and one reset. It alternates between busy phases and rests, in
//! which nothing begins and only time goes by. The feedback before a rest is that of severe congestion, which starts
//! timers.

use super::parameters::{Ports, of_flows};
use super::random::Random;
use std::collections::BTreeMap;
use tidegate_circuits::rtl::circuit::Circuit;
use tidegate_core::units::{Cycles, Micro};
use tidegate_schemes::registry::{self, Scheme};
use tidegate_schemes::scheme::Part;
use tidegate_schemes::scheme::parameters::{Kind, Parameters};

/// The longest epoch of the other stimulus: it is enough for a timer that expires twice in it.
pub(super) const ENOUGH: Cycles = 8000;
/// Busy phases between two rests, at least and at most.
const BUSY_PHASES: (u64, u64) = (2, 6);

/// A long epoch of a circuit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LongEpoch {
    /// The settings that differ from the defaults.
    pub settings: Vec<(String, String)>,
    ports: Ports,
    longest: Cycles,
}

impl LongEpoch {
    /// The long epochs of a circuit with the defaults of each profile. None, where the other epochs are long enough.
    pub fn of_profiles(scheme: &Scheme, circuit: &Circuit) -> Vec<LongEpoch> {
        let of = |profile: &&str| LongEpoch::of(scheme, circuit, &[("profile".into(), profile.to_string())]);
        scheme.profiles.iter().filter_map(of).filter(|epoch| 2 * epoch.longest > ENOUGH).collect()
    }

    /// The long epoch of a circuit with the longest timer that the validator accepts: one numeric key after the other
    /// gets the largest value of its range, or half of it, and so on, if this makes a timer longer.
    pub fn of_longest(scheme: &Scheme, circuit: &Circuit) -> Option<LongEpoch> {
        let mut best = LongEpoch::of(scheme, circuit, &[])?;
        for specification in scheme.specifications() {
            let (text, most): (fn(u64) -> String, u64) = match specification.kind {
                Kind::Integer(_, most) => (|value| value.to_string(), most),
                Kind::Decimal(_, most) => (|value| Micro(value).to_string(), most),
                _ => continue,
            };
            let with = |value: u64| {
                let setting = (specification.key.to_string(), text(value));
                LongEpoch::of(scheme, circuit, &[best.settings.clone(), vec![setting]].concat())
            };
            let halves = std::iter::successors(Some(most), |value| Some(value / 2)).take_while(|&value| value > 0);
            if let Some(longer) = halves.filter_map(with).next().filter(|epoch| epoch.longest > best.longest) {
                best = longer;
            }
        }
        Some(best).filter(|epoch| 2 * epoch.longest > ENOUGH)
    }

    /// With these settings; `None` if the validator refuses them.
    fn of(scheme: &Scheme, circuit: &Circuit, settings: &[(String, String)]) -> Option<LongEpoch> {
        let all = [settings, &of_flows(circuit.flows())].concat();
        let parameters = scheme.parameters(&all).ok()?;
        let longest = longest_timer(circuit, scheme, &parameters);
        let ports = registry::ports(scheme, &parameters);
        Some(LongEpoch { settings: settings.to_vec(), ports, longest })
    }

    /// Its length: a rest in which the longest timer expires twice, and as long again.
    pub fn cycles(&self) -> Cycles {
        4 * self.longest + ENOUGH
    }

    /// The values of the parameter ports.
    pub(super) fn ports(&self) -> &Ports {
        &self.ports
    }
}

/// The longest time that a circuit measures with these parameters; 0 for a circuit without a timer.
fn longest_timer(circuit: &Circuit, scheme: &Scheme, parameters: &Parameters) -> Cycles {
    // Something else measures a time that it tells.
    if circuit.ports.iter().any(|port| !port.input && port.name == "wait_cycles") {
        return 0;
    }
    let tables = [Part::CongestionPoint, Part::ReactionPoint].map(|part| registry::table(scheme, parameters, part));
    let ports = tables.iter().flat_map(BTreeMap::values);
    let own = ports.filter(|port| circuit.ports.iter().any(|of| of.input && of.name == port.name));
    own.map(|port| (port.row.timer)(parameters) * port.value).sum()
}

/// The rests of a long epoch that runs.
pub(super) struct Rests {
    pub(super) epoch: LongEpoch,
    /// Busy phases before the next rest.
    busy: u64,
    first: bool,
}

impl Rests {
    /// Before the first phase.
    pub(super) fn new(epoch: LongEpoch) -> Self {
        Rests { epoch, busy: BUSY_PHASES.1, first: true }
    }

    /// Whether the next phase is a rest.
    pub(super) fn follows(&self) -> bool {
        self.busy == 0
    }

    /// The length of the rest that the next phase is; `None` if that is a busy one. In the first rest every timer
    /// expires twice.
    pub(super) fn next(&mut self, random: &mut Random) -> Option<Cycles> {
        if self.busy > 0 {
            self.busy -= 1;
            return None;
        }
        self.busy = random.between(BUSY_PHASES.0, BUSY_PHASES.1);
        let longest = self.epoch.longest;
        let eighths = if std::mem::take(&mut self.first) { 18 } else { random.pick(&[4, 2, 1]) };
        Some((longest * eighths / 8).max(1))
    }
}
