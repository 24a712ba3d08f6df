// SPDX-License-Identifier: MIT OR Apache-2.0
//! The frames of a link as a capture.

use super::case::{Case, Wiring};
use crate::network::flow::Traffic;
use crate::network::topology::{FlowSpec, Link};
use crate::network::{Event, Network, Observer, Place};
use anyhow::{Result, anyhow};
use std::collections::BTreeMap;
use tidegate_core::error::{Usage, quoted, suggestion};
use tidegate_core::frame::capture::{CaptureWriter, CapturedFrame};
use tidegate_core::frame::cnm::ETHERTYPE_CN_TAG;
use tidegate_core::units::Cycles;
use tidegate_schemes::model::codec::{Codec, Origin, Payload};
use tidegate_schemes::model::packet::Packet;
use tidegate_schemes::model::wire::mac_octets;
use tidegate_schemes::scheme::parameters::Parameters;

/// EtherType of the data frames: for local experiments (IEEE 802).
const ETHER_TYPE: u16 = 0x88b5;
/// Octets of a data frame that are captured: addresses, CN-TAG and type, the rest is 0.
const CAPTURED: usize = 64;

/// The link with the name of an output, or else of a flow.
///
/// # Errors
/// There is none, the case is wrong, or its network is no Ethernet.
pub fn link(case: &Case, wanted: &str) -> Result<Link> {
    if case.is_infiniband() {
        return Err(no_frames(case));
    }
    let (outputs, flows) = (case.output_names(), case.world(1)?.flow_names);
    let number = |known: &[String]| known.iter().position(|name| name == wanted).map(|number| number as u32);
    let found = number(&outputs).map(Link::Output).or_else(|| number(&flows).map(Link::Flow));
    found.ok_or_else(|| {
        let known = [outputs, flows].concat();
        let hint = suggestion(wanted, known.iter().map(String::as_str));
        let expected = known.join(", ");
        Usage(format!("variant {}: no link {}: expected one of {expected}{hint}", case.name, quoted(wanted))).into()
    })
}

fn no_frames(case: &Case) -> anyhow::Error {
    anyhow!("variant {}: an InfiniBand network has no Ethernet frames to capture", case.name)
}

/// Runs a case with a seed, and writes the frames of a link between two cycles, as they are at the switch: behind an
/// output, data frames when their last byte has left, and the feedback frames of its congestion point when their first word
/// leaves; between the host of a flow and its first switch, data frames when their last byte is there, and feedback frames when
/// they come to the link. Frames of flows with a reaction point carry a CN-TAG with the number of the flow, and so does the
/// feedback for them: it takes no octets of its own, because the number of octets of a packet is that of the scenario, and a
/// feedback frame has the shortest length with and without.
///
/// # Errors
/// The network is not an Ethernet, or the capture is not writable.
pub fn capture(case: &Case, seed: u32, link: Link, [from, to]: [Cycles; 2], writer: &mut CaptureWriter) -> Result<()> {
    let world = case.world(seed)?;
    let Wiring::Ethernet(topology) = &world.wiring else {
        return Err(no_frames(case));
    };
    let models = case.scheme.models();
    let mut frames = Frames {
        parameters: &world.parameters,
        codec: models.codec,
        flows: &topology.flows,
        link,
        from,
        sent: BTreeMap::new(),
        returning: BTreeMap::new(),
        writer,
        failed: None,
    };
    let mut network = Network::new(&models, &world.parameters, topology);
    for (at, parameters) in world.changes.iter().filter(|(at, _)| *at < to) {
        network.run(*at, &mut frames);
        network.set_parameters(*at, parameters);
    }
    network.run(to, &mut frames);
    frames.write_returned(to);
    frames.failed.map_or(Ok(()), Err)
}

struct Frames<'a> {
    parameters: &'a Parameters,
    codec: Codec,
    flows: &'a [FlowSpec],
    link: Link,
    from: Cycles,
    /// For the link of a flow: of each output, the feedback frame that its congestion point is writing.
    sent: BTreeMap<u32, Vec<u8>>,
    /// The feedback frames that come to it in later cycles, of each cycle in the order in which they were sent.
    returning: BTreeMap<Cycles, Vec<Vec<u8>>>,
    writer: &'a mut CaptureWriter,
    failed: Option<anyhow::Error>,
}

impl Frames<'_> {
    /// A packet of a flow.
    fn packet(&self, flow: u32) -> Packet {
        let spec = &self.flows[flow as usize];
        let controlled = spec.traffic == Traffic::Controlled;
        let flow_id = controlled.then_some(flow as u16);
        Packet { flow_id, ..Packet::of_source(self.parameters.rp_mac(flow), spec.packet_bytes, controlled) }
    }

    fn write(&mut self, now: Cycles, bytes: Vec<u8>, original_length: u32) {
        if now < self.from || self.failed.is_some() {
            return;
        }
        // A clock of so many MHz, in millionths.
        let clock = u128::from(self.parameters.decimal("clock_mhz").0);
        let time_ns = (u128::from(now) * 1_000_000_000 / clock) as u64;
        self.failed = self.writer.write(&CapturedFrame { time_ns, bytes, original_length }).err();
    }

    /// A data frame of a flow.
    fn write_data(&mut self, now: Cycles, flow: u32) {
        let packet = self.packet(flow);
        let mut bytes = [mac_octets(packet.destination), mac_octets(packet.source)].concat();
        if let Some(flow_id) = packet.flow_id {
            bytes.extend([ETHERTYPE_CN_TAG, flow_id].map(u16::to_be_bytes).concat());
        }
        bytes.extend(ETHER_TYPE.to_be_bytes());
        bytes.resize(CAPTURED.min(packet.bytes as usize), 0);
        self.write(now, bytes, packet.bytes);
    }

    fn write_feedback(&mut self, now: Cycles, bytes: Vec<u8>) {
        let length = bytes.len() as u32;
        self.write(now, bytes, length);
    }

    /// The feedback frames that came to the link before a cycle.
    fn write_returned(&mut self, before: Cycles) {
        let later = self.returning.split_off(&before);
        for (at, frames) in std::mem::replace(&mut self.returning, later) {
            frames.into_iter().for_each(|bytes| self.write_feedback(at, bytes));
        }
    }

    /// A feedback frame for a flow from the congestion point of an output.
    fn feedback(&self, flow: u32, output: u32, payload: Payload) -> Vec<u8> {
        let cpid = self.parameters.cpid() + u64::from(output);
        let origin = Origin { mac: self.parameters.mac("cp_mac"), cpid };
        (self.codec.write)(&self.packet(flow), &payload, &origin).to_vec()
    }

    /// A notification for a flow from its receiver.
    fn notification(&self, flow: u32, payload: Payload) -> Vec<u8> {
        let packet = self.packet(flow);
        (self.codec.write)(&packet, &payload, &Origin::receiver_of(&packet)).to_vec()
    }
}

impl Observer for Frames<'_> {
    fn event(&mut self, now: Cycles, place: Place, event: Event) {
        let Place { output: Some(output), flow, .. } = place else { return };
        match (self.link, event) {
            (Link::Output(own), _) if own != output => {}
            (Link::Output(_), Event::Dequeued) => self.write_data(now, flow),
            (Link::Output(_), Event::FeedbackSent(payload)) => {
                self.write_feedback(now, self.feedback(flow, output, payload));
            }
            (Link::Flow(own), _) if own != flow => {}
            (Link::Flow(_), Event::Arrived) => {
                self.write_returned(now);
                self.write_data(now, flow);
            }
            (Link::Flow(_), Event::FeedbackSent(payload)) => {
                self.sent.insert(output, self.feedback(flow, output, payload));
            }
            (Link::Flow(_), Event::FeedbackReturns(at)) => {
                let frame = self.sent.remove(&output).expect("its first word comes before");
                self.returning.entry(at).or_default().push(frame);
            }
            (Link::Flow(_), Event::Notified { returns, payload, .. }) => {
                let frame = self.notification(flow, payload);
                self.returning.entry(returns).or_default().push(frame);
            }
            _ => {}
        }
    }
}
