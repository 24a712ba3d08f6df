// SPDX-License-Identifier: MIT OR Apache-2.0
//! The dumbbell as a topology of the network simulator.

use std::fmt::Write;
use tidegate::bench::dumbbell::HEADER;
use tidegate::model::Fields;
use tidegate::model::codec::Payload;
use tidegate::network::topology::Topology;
use tidegate::network::{Event, Network, Observer, Place};
use tidegate::registry::Scheme;
use tidegate::scheme::parameters::Parameters;
use tidegate::scheme::to_units;
use tidegate::units::{Cycles, SixDecimals};

/// Writes the trace that circuits and models write. Rows of a host show the length of the only queue, too.
struct Trace<'a> {
    parameters: &'a Parameters,
    text: String,
    queue_bytes: u32,
}

/// cnmQOffset and cnmQDelta.
fn offsets(payload: Payload) -> (i16, i16) {
    let Fields { q_offset, q_delta, .. } = payload.into();
    (q_offset, q_delta)
}

impl Observer for Trace<'_> {
    fn event(&mut self, now: Cycles, place: Place, event: Event) {
        if place.output.is_some() {
            self.queue_bytes = place.register_bytes;
        }
        let bytes = self.parameters.integer("packet_bytes");
        let (name, bytes, offsets, rate) = match event {
            Event::Enqueued => ("enqueue", Some(bytes), None, None),
            Event::Dequeued => ("dequeue", Some(bytes), None, None),
            Event::Dropped => ("drop", Some(bytes), None, None),
            Event::Sampled(offset, delta) => ("sample", Some(bytes), Some((to_units(offset), to_units(delta))), None),
            Event::FeedbackSent(payload) => ("feedback_sent", None, Some(offsets(payload)), None),
            Event::FeedbackReceived(payload) => ("feedback_received", None, Some(offsets(payload)), None),
            Event::Rate(rate) => ("rate", None, None, Some(rate)),
            // The circuits do not tell these.
            Event::Arrived | Event::FeedbackReturns(_) | Event::Marked | Event::Notified { .. } => return,
        };
        let bytes = bytes.map_or(String::new(), |bytes| bytes.to_string());
        let offsets = offsets.map_or(",".into(), |(offset, delta)| format!("{offset},{delta}"));
        let clock = self.parameters.decimal("clock_mhz");
        let rate = rate.map_or(String::new(), |rate| SixDecimals(rate.to_mbps(clock)).to_string());
        writeln!(self.text, "{now},{name},{},{bytes},{},{offsets},{rate}", place.flow, self.queue_bytes).unwrap();
    }
}

/// The trace of a run, and the packets that are still on links.
pub fn trace(scheme: &Scheme, parameters: &Parameters, cycles: Cycles) -> (String, u64) {
    let mut network = Network::new(&scheme.models(), parameters, &Topology::dumbbell(parameters));
    let mut trace = Trace { parameters, text: format!("{HEADER}\n"), queue_bytes: 0 };
    network.run(cycles, &mut trace);
    (trace.text, network.packets_on_links())
}
