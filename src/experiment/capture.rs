//! The frames of a link as a capture.

use super::case::{Case, Wiring};
use crate::frame::capture::{CaptureWriter, CapturedFrame};
use crate::frame::cnm::ETHERTYPE_CN_TAG;
use crate::model::packet::Packet;
use crate::model::wire::{mac_octets, write_frame};
use crate::network::flow::Traffic;
use crate::network::topology::FlowSpec;
use crate::network::{Event, Network, Observer, Place};
use crate::scheme::Feedback;
use crate::scheme::parameters::Parameters;
use crate::units::Cycles;
use anyhow::{Result, anyhow};

/// EtherType of the data frames: for local experiments (IEEE 802).
const ETHER_TYPE: u16 = 0x88b5;
/// Octets of a data frame that are captured: addresses, CN-TAG and type, the rest is 0.
const CAPTURED: usize = 64;

/// Runs a case with the first seed, and writes the frames of an output between two cycles: data frames when their last byte
/// has left, and the feedback frames of its congestion point when their first word leaves. Frames of flows with a reaction
/// point carry a CN-TAG with the number of the flow, and so does the feedback for them: it takes no octets of its own, because
/// the number of octets of a packet is that of the scenario, and a feedback frame has the shortest length with and without.
///
/// # Errors
/// The network is not an Ethernet, or the capture is not writable.
pub fn capture(case: &Case, output: usize, [from, to]: [Cycles; 2], writer: &mut CaptureWriter) -> Result<()> {
    let world = case.world(1)?;
    let Wiring::Ethernet(topology) = &world.wiring else {
        return Err(anyhow!("variant {}: an InfiniBand network has no Ethernet frames to capture", case.name));
    };
    let flows = &topology.flows;
    let mut frames = Frames { parameters: &world.parameters, flows, output, from, writer, failed: None };
    let mut network = Network::new(&case.scheme.models(), &world.parameters, topology);
    for (at, parameters) in world.changes.iter().filter(|(at, _)| *at < to) {
        network.run(*at, &mut frames);
        network.set_parameters(*at, parameters);
    }
    network.run(to, &mut frames);
    frames.failed.map_or(Ok(()), Err)
}

struct Frames<'a> {
    parameters: &'a Parameters,
    flows: &'a [FlowSpec],
    output: usize,
    from: Cycles,
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
        // A clock of so many MHz, in millionths.
        let clock = u128::from(self.parameters.decimal("clock_mhz").0);
        let time_ns = (u128::from(now) * 1_000_000_000 / clock) as u64;
        let written = self.writer.write(&CapturedFrame { time_ns, bytes, original_length });
        self.failed = self.failed.take().or(written.err());
    }
}

impl Observer for Frames<'_> {
    fn event(&mut self, now: Cycles, place: Place, event: Event) {
        if place.output != Some(self.output as u32) || now < self.from || self.failed.is_some() {
            return;
        }
        let packet = self.packet(place.flow);
        match event {
            Event::Dequeued => {
                let mut bytes = [mac_octets(packet.destination), mac_octets(packet.source)].concat();
                if let Some(flow_id) = packet.flow_id {
                    bytes.extend([ETHERTYPE_CN_TAG, flow_id].map(u16::to_be_bytes).concat());
                }
                bytes.extend(ETHER_TYPE.to_be_bytes());
                bytes.resize(CAPTURED.min(packet.bytes as usize), 0);
                self.write(now, bytes, packet.bytes);
            }
            Event::FeedbackSent(fields) => {
                let feedback = Feedback {
                    quantized_feedback: fields.quantized_feedback,
                    q_offset: fields.q_offset,
                    q_delta: fields.q_delta,
                    cpid: self.parameters.cpid() + self.output as u64,
                };
                let bytes = write_frame(&packet, &feedback, self.parameters.mac("cp_mac")).to_vec();
                let length = bytes.len() as u32;
                self.write(now, bytes, length);
            }
            _ => {}
        }
    }
}
