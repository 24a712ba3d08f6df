// SPDX-License-Identifier: MIT OR Apache-2.0
//! A card that always has a packet: `tidegate_rp` with its gate of port 0, and the wires of this port.

use super::wire::{Frame, Wire, Word, octets_of, words_of};
use std::collections::VecDeque;
use tidegate_core::units::{Cycles, Rate};
use tidegate_hdl::engine::{Input, Output, Program, Simulation};
use tidegate_package::bus::netfpga1g_rp;
use tidegate_schemes::registry::Scheme;
use tidegate_schemes::scheme::parameters::Parameters;

/// The block of a reaction point on the register ring.
const BLOCK: u64 = 3;

pub struct Card {
    simulation: Simulation,
    receive: [Input; 3],
    transmit: [Input; 3],
    out_rdy: Input,
    outputs: Outputs,
    packet: Vec<Word>,
    /// Words of the packet that goes into the gate.
    sending: VecDeque<Word>,
    /// `tx_in_rdy_0` of the cycle before.
    ready: bool,
    leaving: Vec<Word>,
    wire: Wire,
    /// Words of feedback frames that have come in whole.
    arriving: VecDeque<Word>,
    from: Cycles,
    pub rate: Rate,
    /// Cycles in which a frame came in whole, of feedback whose rate has not been seen yet.
    waiting: Option<Cycles>,
    /// From a whole frame to the new rate, cycles.
    pub latencies: Vec<Cycles>,
}

struct Outputs {
    tx_ready: Output,
    tx: [Output; 3],
    changes: Output,
    new_rate: Output,
}

impl Card {
    /// The card of a source; it begins to send in the cycle `from`. With `tags` the destination of its packets numbers their
    /// flow, and their gate puts a CN-TAG into them, which names the flow in the feedback.
    pub fn new(
        scheme: &'static Scheme,
        settings: &[(String, String)],
        parameters: &Parameters,
        source: u32,
        from: Cycles,
        tags: bool,
    ) -> Card {
        let mac = parameters.rp_mac(4 * source);
        let octets = mac.to_be_bytes()[2..].to_vec();
        let text: Vec<_> = octets.iter().map(|octet| format!("{octet:02x}")).collect();
        let seed = parameters.seed_of(source + 1);
        let mut settings: Vec<_> = settings.iter().filter(|(key, _)| key != "seed").cloned().collect();
        settings.push(("rp_mac".to_string(), text.join(":")));
        settings.push(("seed".to_string(), seed.to_string()));
        if tags {
            settings.push(("flow_from".to_string(), "tag".to_string()));
        }
        let of_bus = netfpga1g_rp::parameters(scheme, &settings).unwrap();
        let part = netfpga1g_rp::reaction_point(scheme, &of_bus, &settings);
        let probes = ["reaction_point.flow_limiter.change", "reaction_point.flow_limiter.new_rate"];
        let program = Program::with_probes(&part.netlist, &probes).unwrap();
        let input = |name: &str| program.input(name).unwrap();
        let output = |name: &str| program.output(name).unwrap();
        let mut simulation = program.start(1);
        let [reset, out_rdy] = ["reset", "out_rdy"].map(input);
        simulation.set(out_rdy, 1);
        simulation.set(reset, 1);
        simulation.step();
        simulation.set(reset, 0);
        if tags {
            for (name, value) in [("flow_source", 3), ("insert_cn_tag", 1)] {
                let register = part.registers.list.iter().find(|register| register.name == name).unwrap();
                let address = BLOCK << 10 | u64::from(register.address) >> 2;
                let request = [("req", 1), ("rd_wr_L", 0), ("addr", address), ("data", value)];
                request.iter().for_each(|&(port, value)| simulation.set(input(&format!("reg_{port}_in")), value));
                simulation.step();
                simulation.set(input("reg_req_in"), 0);
                (0..16).for_each(|_| simulation.step());
            }
        }
        let mut frame = vec![0x02, 0, 0, 0, 0, 0xfe];
        frame.extend(octets);
        frame.extend([0x08, 0]);
        frame.resize(parameters.integer("packet_bytes") as usize, 0x5a);
        Card {
            receive: ["in_data", "in_ctrl", "in_wr"].map(input),
            transmit: ["tx_in_data_0", "tx_in_ctrl_0", "tx_in_wr_0"].map(input),
            out_rdy: input("tx_out_rdy_0"),
            outputs: Outputs {
                tx_ready: output("tx_in_rdy_0"),
                tx: ["tx_out_data_0", "tx_out_ctrl_0", "tx_out_wr_0"].map(output),
                changes: output(probes[0]),
                new_rate: output(probes[1]),
            },
            simulation,
            packet: words_of(&frame, 1, 1),
            sending: VecDeque::new(),
            ready: false,
            leaving: Vec::new(),
            wire: Wire::new(parameters.rate("line_rate_mbps")),
            arriving: VecDeque::new(),
            from,
            rate: parameters.rate("line_rate_mbps"),
            waiting: None,
            latencies: Vec::new(),
        }
    }

    /// A frame has come in whole.
    pub fn receive(&mut self, now: Cycles, frame: &Frame) {
        self.arriving.extend(words_of(frame, 0, 0));
        self.waiting = Some(now);
    }

    /// One cycle; the packet that is out on the wire since this cycle.
    pub fn cycle(&mut self, now: Cycles) -> Option<Frame> {
        if self.sending.is_empty() && now >= self.from {
            self.sending.extend(&self.packet);
        }
        let word = if self.ready { self.sending.pop_front() } else { None };
        drive(&mut self.simulation, self.transmit, word);
        drive(&mut self.simulation, self.receive, self.arriving.pop_front());
        // A packet that has begun goes out whole: there is room for it, and none for another one.
        let room = self.wire.takes() || !self.leaving.is_empty();
        self.simulation.set(self.out_rdy, room.into());
        self.simulation.step();
        self.ready = self.simulation.get(self.outputs.tx_ready) == 1;
        if self.simulation.get(self.outputs.changes) == 1 {
            self.rate = Rate(self.simulation.get(self.outputs.new_rate) as u32);
            self.latencies.extend(self.waiting.take().map(|since| now - since));
        }
        let [data, ctrl, write] = self.outputs.tx.map(|output| self.simulation.get(output));
        if write == 1 {
            self.leaving.push((ctrl as u8, data));
            if self.leaving.len() > 1 && ctrl != 0 {
                let words = std::mem::take(&mut self.leaving);
                self.wire.send(now, octets_of(&words));
            }
        }
        self.wire.ended(now)
    }
}

fn drive(simulation: &mut Simulation, [data, ctrl, write]: [Input; 3], word: Option<Word>) {
    let (of_ctrl, of_data) = word.unwrap_or((0, 0));
    simulation.set(data, of_data);
    simulation.set(ctrl, of_ctrl.into());
    simulation.set(write, word.is_some().into());
}
