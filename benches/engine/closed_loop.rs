// SPDX-License-Identifier: MIT OR Apache-2.0
//! The dumbbell of `crates/lab/src/bench/dumbbell.rs` as one circuit: a congestion point, three reaction points with sources that
//! always have a packet, their links, and a switch. The network simulator runs the same one.

use std::collections::BTreeMap;
use tidegate::model::starts::Starts;
use tidegate::netlist::{Board, Netlist, SignalKind, Wire};
use tidegate::registry::{self, Scheme};
use tidegate::rtl::circuit::Circuit;
use tidegate::scheme::Part;
use tidegate::scheme::parameters::Parameters;
use tidegate::units::FineTime;
use tidegate_hdl::lut_ram::LutRam;
use tidegate_hdl::prelude::*;

/// Reaction points.
pub const SOURCES: usize = 3;

/// Links, switch and the way back, cycle for cycle those of the dumbbell. A packet arrives when its link is free again.
/// One that the buffer has no room for is dropped; the others enter the queue one a cycle, in the order of arrival, then
/// of source: those that wait come before those that arrive, because of three sources never two wait since different
/// cycles. A feedback frame is stored for its eight cycles, and goes to the source that its destination address names.
#[derive(LogicBlock, Default)]
struct Switch {
    clock: Signal<In, Clock>,
    reset: Signal<In, Bit>,
    /// The cycle after reset from which on a source has packets.
    start_0: Signal<In, Bits<12>>,
    start_1: Signal<In, Bits<12>>,
    start_2: Signal<In, Bits<12>>,
    /// Cycles of a packet on each link, less one.
    packet_cycles_less_1: Signal<In, Bits<12>>,
    /// Packets that the buffer holds.
    capacity: Signal<In, Bits<8>>,
    grant_0: Signal<In, Bit>,
    grant_1: Signal<In, Bit>,
    grant_2: Signal<In, Bit>,
    request_0: Signal<Out, Bit>,
    request_1: Signal<Out, Bit>,
    request_2: Signal<Out, Bit>,
    enqueue: Signal<Out, Bit>,
    source_mac_low: Signal<Out, Bits<32>>,
    dequeue: Signal<Out, Bit>,
    data_high: Signal<In, Bits<32>>,
    data_low: Signal<In, Bits<32>>,
    octets: Signal<In, Bits<4>>,
    last: Signal<In, Bit>,
    valid: Signal<In, Bit>,
    stored_high: Signal<Out, Bits<32>>,
    stored_low: Signal<Out, Bits<32>>,
    stored_octets: Signal<Out, Bits<4>>,
    stored_last: Signal<Out, Bit>,
    valid_0: Signal<Out, Bit>,
    valid_1: Signal<Out, Bit>,
    valid_2: Signal<Out, Bit>,
    /// Cycles until the link is free.
    link_0: DFF<Bits<12>>,
    link_1: DFF<Bits<12>>,
    link_2: DFF<Bits<12>>,
    /// A packet is on the link.
    sends_0: DFF<Bit>,
    sends_1: DFF<Bit>,
    sends_2: DFF<Bit>,
    /// A packet of the source has its place in the buffer, and is not yet in the queue.
    waiting_0: DFF<Bit>,
    waiting_1: DFF<Bit>,
    waiting_2: DFF<Bit>,
    /// Packets that have their place in the buffer.
    occupied: DFF<Bits<8>>,
    /// Packets in the queue.
    queued: DFF<Bits<8>>,
    /// Cycles that the packet at the head of the queue has been leaving.
    elapsed: DFF<Bits<12>>,
    highs: LutRam<Bits<32>, 3>,
    lows: LutRam<Bits<32>, 3>,
    octet_counts: LutRam<Bits<4>, 3>,
    lasts: LutRam<Bit, 3>,
    /// The word of the memories to which this cycle writes, which is that of eight cycles ago.
    turn: DFF<Bits<3>>,
    /// Which of the words of the last eight cycles are valid.
    valids: DFF<Bits<8>>,
    inside: DFF<Bit>,
    flow: DFF<Bits<2>>,
    free_0: Signal<Local, Bit>,
    free_1: Signal<Local, Bit>,
    free_2: Signal<Local, Bit>,
    taken_0: Signal<Local, Bits<8>>,
    taken_1: Signal<Local, Bits<8>>,
    taken_2: Signal<Local, Bits<8>>,
    placed_0: Signal<Local, Bit>,
    placed_1: Signal<Local, Bit>,
    placed_2: Signal<Local, Bit>,
    some_wait: Signal<Local, Bit>,
    enters_0: Signal<Local, Bit>,
    enters_1: Signal<Local, Bit>,
    enters_2: Signal<Local, Bit>,
    stored_valid: Signal<Local, Bit>,
    to: Signal<Local, Bits<2>>,
}

impl Logic for Switch {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self, clock, link_0, link_1, link_2, sends_0, sends_1, sends_2, waiting_0, waiting_1, waiting_2, occupied,
            queued, elapsed, turn, valids, inside, flow
        );

        // Links: a source has the next packet when its link is free.
        self.free_0.next = self.link_0.q.val() == 0;
        self.request_0.next = self.free_0.val();
        if !self.free_0.val() {
            self.link_0.d.next = self.link_0.q.val() - 1;
        }
        if self.grant_0.val() {
            self.link_0.d.next = self.packet_cycles_less_1.val();
        }
        self.sends_0.d.next = self.grant_0.val() | (self.sends_0.q.val() & !self.free_0.val());
        self.free_1.next = self.link_1.q.val() == 0;
        self.request_1.next = self.free_1.val();
        if !self.free_1.val() {
            self.link_1.d.next = self.link_1.q.val() - 1;
        }
        if self.grant_1.val() {
            self.link_1.d.next = self.packet_cycles_less_1.val();
        }
        self.sends_1.d.next = self.grant_1.val() | (self.sends_1.q.val() & !self.free_1.val());
        self.free_2.next = self.link_2.q.val() == 0;
        self.request_2.next = self.free_2.val();
        if !self.free_2.val() {
            self.link_2.d.next = self.link_2.q.val() - 1;
        }
        if self.grant_2.val() {
            self.link_2.d.next = self.packet_cycles_less_1.val();
        }
        self.sends_2.d.next = self.grant_2.val() | (self.sends_2.q.val() & !self.free_2.val());
        // The packet at the head of the queue is out.
        self.dequeue.next = (self.elapsed.q.val() == self.packet_cycles_less_1.val()) & self.queued.q.val().any();
        self.elapsed.d.next = 0.into();
        if self.queued.q.val().any() & !self.dequeue.val() {
            self.elapsed.d.next = self.elapsed.q.val() + 1;
        }

        // What arrives gets its place in the buffer, or is dropped.
        self.taken_0.next = self.occupied.q.val();
        if self.dequeue.val() {
            self.taken_0.next = self.occupied.q.val() - 1;
        }
        self.placed_0.next = self.sends_0.q.val() & self.free_0.val() & (self.taken_0.val() < self.capacity.val());
        self.taken_1.next = self.taken_0.val();
        if self.placed_0.val() {
            self.taken_1.next = self.taken_0.val() + 1;
        }
        self.placed_1.next = self.sends_1.q.val() & self.free_1.val() & (self.taken_1.val() < self.capacity.val());
        self.taken_2.next = self.taken_1.val();
        if self.placed_1.val() {
            self.taken_2.next = self.taken_1.val() + 1;
        }
        self.placed_2.next = self.sends_2.q.val() & self.free_2.val() & (self.taken_2.val() < self.capacity.val());
        self.occupied.d.next = self.taken_2.val();
        if self.placed_2.val() {
            self.occupied.d.next = self.taken_2.val() + 1;
        }

        // The packet whose turn it is enters the queue.
        self.some_wait.next = self.waiting_0.q.val() | self.waiting_1.q.val() | self.waiting_2.q.val();
        self.enters_0.next = self.placed_0.val();
        self.enters_1.next = self.placed_1.val() & !self.placed_0.val();
        self.enters_2.next = self.placed_2.val() & !self.placed_1.val() & !self.placed_0.val();
        if self.some_wait.val() {
            self.enters_0.next = self.waiting_0.q.val();
            self.enters_1.next = self.waiting_1.q.val() & !self.waiting_0.q.val();
            self.enters_2.next = self.waiting_2.q.val() & !self.waiting_1.q.val() & !self.waiting_0.q.val();
        }
        self.waiting_0.d.next = (self.waiting_0.q.val() | self.placed_0.val()) & !self.enters_0.val();
        self.waiting_1.d.next = (self.waiting_1.q.val() | self.placed_1.val()) & !self.enters_1.val();
        self.waiting_2.d.next = (self.waiting_2.q.val() | self.placed_2.val()) & !self.enters_2.val();
        self.enqueue.next = self.enters_0.val() | self.enters_1.val() | self.enters_2.val();
        self.source_mac_low.next = 0x1000.into();
        if self.enters_1.val() {
            self.source_mac_low.next = 0x1001.into();
        }
        if self.enters_2.val() {
            self.source_mac_low.next = 0x1002.into();
        }
        if self.enqueue.val() & !self.dequeue.val() {
            self.queued.d.next = self.queued.q.val() + 1;
        }
        if self.dequeue.val() & !self.enqueue.val() {
            self.queued.d.next = self.queued.q.val() - 1;
        }

        // The way back.
        self.highs.clock.next = self.clock.val();
        self.highs.read_address.next = self.turn.q.val();
        self.highs.write_address.next = self.turn.q.val();
        self.highs.write_data.next = self.data_high.val();
        self.highs.write_enable.next = self.valid.val();
        self.lows.clock.next = self.clock.val();
        self.lows.read_address.next = self.turn.q.val();
        self.lows.write_address.next = self.turn.q.val();
        self.lows.write_data.next = self.data_low.val();
        self.lows.write_enable.next = self.valid.val();
        self.octet_counts.clock.next = self.clock.val();
        self.octet_counts.read_address.next = self.turn.q.val();
        self.octet_counts.write_address.next = self.turn.q.val();
        self.octet_counts.write_data.next = self.octets.val();
        self.octet_counts.write_enable.next = self.valid.val();
        self.lasts.clock.next = self.clock.val();
        self.lasts.read_address.next = self.turn.q.val();
        self.lasts.write_address.next = self.turn.q.val();
        self.lasts.write_data.next = self.last.val();
        self.lasts.write_enable.next = self.valid.val();
        self.turn.d.next = self.turn.q.val() + 1;
        self.valids.d.next = self.valids.q.val() << 1;
        if self.valid.val() {
            self.valids.d.next = (self.valids.q.val() << 1) | 1;
        }
        self.stored_valid.next = self.valids.q.val().get_bit(7);
        self.stored_high.next = self.highs.read_data.val();
        self.stored_low.next = self.lows.read_data.val();
        self.stored_octets.next = self.octet_counts.read_data.val();
        self.stored_last.next = self.lasts.read_data.val();
        self.to.next = self.lows.read_data.val().get_bits::<2>(16);
        if self.inside.q.val() {
            self.to.next = self.flow.q.val();
        }
        self.valid_0.next = self.stored_valid.val() & (self.to.val() == 0);
        self.valid_1.next = self.stored_valid.val() & (self.to.val() == 1);
        self.valid_2.next = self.stored_valid.val() & (self.to.val() == 2);
        if self.stored_valid.val() {
            self.inside.d.next = !self.lasts.read_data.val();
            self.flow.d.next = self.to.val();
        }

        if self.reset.val() {
            self.link_0.d.next = self.start_0.val();
            self.link_1.d.next = self.start_1.val();
            self.link_2.d.next = self.start_2.val();
            self.sends_0.d.next = false;
            self.sends_1.d.next = false;
            self.sends_2.d.next = false;
            self.waiting_0.d.next = false;
            self.waiting_1.d.next = false;
            self.waiting_2.d.next = false;
            self.occupied.d.next = 0.into();
            self.queued.d.next = 0.into();
            self.elapsed.d.next = 0.into();
            self.valids.d.next = 0.into();
            self.inside.d.next = false;
        }
    }
}

/// The name of the loop of a scheme.
pub fn name(scheme: &Scheme, idle: bool) -> String {
    format!("{}_closed_loop{}", scheme.name, if idle { "_idle" } else { "" })
}

/// The loop of a scheme; outputs: `enqueue`, `dequeue`, `valid` and `last` (the words of feedback frames), `queue_bytes`
/// and the rates. The sources of an idle one never have a packet.
pub fn of(scheme: &'static Scheme, parameters: &Parameters, idle: bool) -> Netlist {
    let values: BTreeMap<String, u64> = registry::ports(scheme, parameters);
    let packet_bytes = parameters.integer("packet_bytes");
    let line_rate = parameters.rate("line_rate_mbps");
    let packet = FineTime::of_bytes(packet_bytes as u32 + parameters.overhead(), line_rate);
    assert!(packet.whole() == packet.reached() && parameters.bottleneck() == line_rate, "whole cycles, one rate");
    assert_eq!((parameters.integer("flows"), parameters.rp_mac(0)), (SOURCES as u64, 0x0200_0000_1000));
    assert_eq!((parameters.integer("propagation_cycles"), parameters.rate("background_mbps").0), (0, 0));
    let starts: Vec<u64> = Starts::new(parameters).take(SOURCES).collect();
    let mut switch = Switch::default();
    switch.connect_all();
    let switch = Netlist::of(&switch, "switch", None).expect("a netlist");
    let part = |part: Part| -> Circuit { (scheme.circuit)(part, parameters) };
    let (cp, rp) = (part(Part::CongestionPoint), part(Part::ReactionPoint));
    let name = name(scheme, idle);
    let mut board = Board::new(&name, "A closed loop.");
    let common = |port: &str| match port {
        "clock" => Some(Wire::Signal("clock".into(), SignalKind::Clock)),
        "reset" => Some(Wire::Signal("reset".into(), SignalKind::Input)),
        _ => None,
    };
    let local = |net: String| Wire::Signal(net, SignalKind::Local);
    let output = |net: String| Wire::Signal(net, SignalKind::Output);
    let mut place = |instance: &str, part: &Netlist, wire_of: &dyn Fn(&str) -> Wire| {
        board.place(instance, part, wire_of).expect("no two modules have one name");
    };
    place("switch", &switch, &|port| {
        common(port).unwrap_or_else(|| match port {
            "start_0" => Wire::Constant(starts[0]),
            "start_1" => Wire::Constant(starts[1]),
            "start_2" => Wire::Constant(starts[2]),
            "packet_cycles_less_1" => Wire::Constant(packet.whole() - 1),
            "capacity" => Wire::Constant(parameters.integer("buffer_bytes") / packet_bytes),
            "enqueue" | "dequeue" | "last" | "valid" => output(port.to_string()),
            _ => local(port.to_string()),
        })
    });
    place("cp", &cp.netlist, &|port| {
        common(port).unwrap_or_else(|| match port {
            "queue_bytes" => output(port.to_string()),
            // Nets of the switch.
            "enqueue" | "dequeue" | "source_mac_low" | "data_high" | "data_low" | "octets" | "last" | "valid" => {
                local(port.to_string())
            }
            "enqueue_bytes" | "dequeue_bytes" => Wire::Constant(packet_bytes),
            "source_mac_high" => Wire::Constant(0x0200),
            // The switch takes every word.
            "controlled" | "data_ready" => Wire::Constant(1),
            _ => values.get(port).map_or_else(|| unused(&cp, "cp", port), |&value| Wire::Constant(value)),
        })
    });
    for source in 0..SOURCES {
        let name = format!("rp_{source}");
        place(&name, &rp.netlist, &|port| {
            common(port).unwrap_or_else(|| match port {
                "current_rate" => output(format!("rate_{source}")),
                "data_high" => local("stored_high".into()),
                "data_low" => local("stored_low".into()),
                "octets" | "last" => local(format!("stored_{port}")),
                "request" if idle => Wire::Constant(0),
                "valid" | "request" | "grant" => local(format!("{port}_{source}")),
                "request_bytes" => Wire::Constant(packet_bytes),
                "rp_mac_low" => Wire::Constant(values["rp_mac_low"] + source as u64),
                "seed" => Wire::Constant(parameters.seed_of(source as u32 + 1).into()),
                _ => values.get(port).map_or_else(|| unused(&rp, &name, port), |&value| Wire::Constant(value)),
            })
        });
    }
    board.finish().expect("a closed loop has a netlist")
}

/// An input of no consequence is 0; an output of none is left open.
fn unused(circuit: &Circuit, instance: &str, port: &str) -> Wire {
    match circuit.ports.iter().any(|other| other.name == port && other.input) {
        true => Wire::Constant(0),
        false => Wire::Signal(format!("{instance}_{port}"), SignalKind::Local),
    }
}
