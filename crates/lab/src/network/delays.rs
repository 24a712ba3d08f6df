// SPDX-License-Identifier: MIT OR Apache-2.0
//! Delays of links that change while a run goes.

use super::topology::{Link, Topology};
use std::collections::BTreeMap;
use std::iter::Peekable;
use std::vec::IntoIter;
use tidegate_core::units::Cycles;

/// Another delay of a link.
struct Change {
    at: Cycles,
    component: u32,
    delay: Cycles,
}

/// The changes of a run. A link has the number of the output before it, or that of all outputs + that of the flow.
pub(super) struct Delays {
    /// Those that are still to come, in the order of time.
    changes: Peekable<IntoIter<Change>>,
    /// For each link that changes, the cycles from which on it has a delay, from 0 on.
    courses: BTreeMap<u32, Vec<(Cycles, Cycles)>>,
}

impl Delays {
    /// Before the first change.
    pub fn new(topology: &Topology) -> Self {
        let outputs = topology.outputs.len() as u32;
        let mut changes = Vec::new();
        let mut courses = BTreeMap::new();
        for change in &topology.delay_changes {
            let (component, first) = match change.link {
                Link::Output(number) => (number, topology.outputs[number as usize].delay),
                Link::Flow(number) => (outputs + number, topology.flows[number as usize].delay),
            };
            let course: &mut Vec<_> = courses.entry(component).or_insert_with(|| vec![(0, first)]);
            course.push((change.at, change.delay));
            changes.push(Change { at: change.at, component, delay: change.delay });
        }
        // What stands later in the list counts where two are in the same cycle.
        changes.sort_by_key(|change| change.at);
        courses.values_mut().for_each(|course| course.sort_by_key(|&(from, _)| from));
        Delays { changes: changes.into_iter().peekable(), courses }
    }

    /// The cycle of the next change, if it is before `end`.
    pub fn next(&mut self, end: Cycles) -> Option<Cycles> {
        self.changes.peek().map(|change| change.at).filter(|&at| at < end)
    }

    /// The next change in this cycle: the link, and its delay from now on.
    pub fn take(&mut self, at: Cycles) -> Option<(u32, Cycles)> {
        self.changes.next_if(|change| change.at == at).map(|change| (change.component, change.delay))
    }

    /// The cycle in which a feedback frame that enters a link in cycle `enters` is at its other end, a cycle and the delay
    /// later, but not before one that entered it earlier. `delay` is that of a link that does not change.
    pub fn arrives(&self, component: u32, enters: Cycles, delay: Cycles) -> Cycles {
        let Some(course) = self.courses.get(&component) else {
            return enters + 1 + delay;
        };
        let mut arrives = 0;
        for (number, &(from, delay)) in course.iter().enumerate() {
            if from > enters {
                break;
            }
            // What entered in the last cycle with this delay.
            let end = course.get(number + 1).map_or(Cycles::MAX, |&(next, _)| next);
            if from < end {
                arrives = arrives.max(enters.min(end - 1) + 1 + delay);
            }
        }
        arrives
    }
}

#[cfg(test)]
mod tests {
    use super::super::topology::DelayChange;
    use super::*;

    /// A link of output 0 without a delay, with these changes.
    fn delays(changes: &[(Cycles, Cycles)]) -> Delays {
        let change = |&(at, delay): &(Cycles, Cycles)| DelayChange { at, link: Link::Output(0), delay };
        let parameters = tidegate_schemes::scheme::parameters::Parameters::new(
            "qcn",
            tidegate_schemes::qcn::rule::KEYS
                .iter()
                .chain(tidegate_schemes::scheme::parameters::ETHERNET)
                .chain(tidegate_schemes::scheme::parameters::BENCH)
                .copied(),
            &[],
        );
        let mut topology = Topology::dumbbell(&parameters.expect("the defaults are accepted"));
        topology.delay_changes = changes.iter().map(change).collect();
        Delays::new(&topology)
    }

    #[test]
    fn a_link_is_first_in_first_out() {
        let changes = [(200, 90), (50, 30), (230, 10), (90, 0), (300, 5), (300, 7)];
        let delays = delays(&changes);
        let delay = |cycle| {
            let mut sorted = changes.to_vec();
            sorted.sort_by_key(|&(at, _)| at);
            sorted.into_iter().rfind(|&(at, _)| at <= cycle).map_or(0, |(_, delay)| delay)
        };
        let mut last = 0;
        for enters in 0..400 {
            last = last.max(enters + 1 + delay(enters));
            assert_eq!(delays.arrives(0, enters, 0), last, "entered in cycle {enters}");
        }
        assert_eq!(delays.arrives(1, 17, 4), 22, "another link");
    }
}
