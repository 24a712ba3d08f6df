//! A closed loop as one circuit: a congestion point, three reaction points with sources that always have a packet, and a switch
//! whose queue drains at 1 Gb/s at 125 MHz.

use rust_hdl::prelude::*;
use std::collections::BTreeMap;
use tidegate::netlist::{Connection, Expression, Instance, Module, Netlist, Signal as Net, SignalKind};
use tidegate::registry::{self, Scheme};
use tidegate::rtl::circuit::Circuit;
use tidegate::scheme::Part;

/// Reaction points.
pub const SOURCES: usize = 3;
/// Length of every packet, bytes; at 1 Gb/s and 125 MHz also the cycles that it takes on the link.
const PACKET_BYTES: u64 = 1500;

/// The switch: a granted packet enters the queue, one a cycle, if there is room; a packet leaves every 1,500 cycles. A feedback
/// frame goes to the source that its destination address names.
#[derive(LogicBlock, Default)]
struct Switch {
    clock: Signal<In, Clock>,
    reset: Signal<In, Bit>,
    grant_0: Signal<In, Bit>,
    grant_1: Signal<In, Bit>,
    grant_2: Signal<In, Bit>,
    request_0: Signal<Out, Bit>,
    request_1: Signal<Out, Bit>,
    request_2: Signal<Out, Bit>,
    enqueue: Signal<Out, Bit>,
    source_mac_low: Signal<Out, Bits<32>>,
    dequeue: Signal<Out, Bit>,
    data_low: Signal<In, Bits<32>>,
    last: Signal<In, Bit>,
    valid: Signal<In, Bit>,
    valid_0: Signal<Out, Bit>,
    valid_1: Signal<Out, Bit>,
    valid_2: Signal<Out, Bit>,
    waiting_0: DFF<Bit>,
    waiting_1: DFF<Bit>,
    waiting_2: DFF<Bit>,
    packets: DFF<Bits<8>>,
    elapsed: DFF<Bits<11>>,
    inside: DFF<Bit>,
    flow: DFF<Bits<2>>,
    to: Signal<Local, Bits<2>>,
    room: Signal<Local, Bit>,
}

impl Logic for Switch {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, waiting_0, waiting_1, waiting_2, packets, elapsed, inside, flow);
        self.request_0.next = !self.waiting_0.q.val();
        self.request_1.next = !self.waiting_1.q.val();
        self.request_2.next = !self.waiting_2.q.val();
        self.room.next = self.packets.q.val() < 80;
        self.enqueue.next =
            (self.waiting_0.q.val() | self.waiting_1.q.val() | self.waiting_2.q.val()) & self.room.val();
        self.source_mac_low.next = 0x1002.into();
        if self.waiting_1.q.val() {
            self.source_mac_low.next = 0x1001.into();
        }
        if self.waiting_0.q.val() {
            self.source_mac_low.next = 0x1000.into();
        }
        self.waiting_0.d.next = self.grant_0.val();
        self.waiting_1.d.next = self.grant_1.val() | (self.waiting_1.q.val() & self.waiting_0.q.val());
        self.waiting_2.d.next =
            self.grant_2.val() | (self.waiting_2.q.val() & (self.waiting_0.q.val() | self.waiting_1.q.val()));

        self.dequeue.next = (self.elapsed.q.val() == 1499) & self.packets.q.val().any();
        self.elapsed.d.next = self.elapsed.q.val() + 1;
        if self.elapsed.q.val() == 1499 {
            self.elapsed.d.next = 0.into();
        }
        if self.enqueue.val() & !self.dequeue.val() {
            self.packets.d.next = self.packets.q.val() + 1;
        }
        if self.dequeue.val() & !self.enqueue.val() {
            self.packets.d.next = self.packets.q.val() - 1;
        }

        self.to.next = self.data_low.val().get_bits::<2>(16);
        if self.inside.q.val() {
            self.to.next = self.flow.q.val();
        }
        self.valid_0.next = self.valid.val() & (self.to.val() == 0);
        self.valid_1.next = self.valid.val() & (self.to.val() == 1);
        self.valid_2.next = self.valid.val() & (self.to.val() == 2);
        if self.valid.val() {
            self.inside.d.next = !self.last.val();
            self.flow.d.next = self.to.val();
        }
        if self.reset.val() {
            self.waiting_0.d.next = false;
            self.waiting_1.d.next = false;
            self.waiting_2.d.next = false;
            self.packets.d.next = 0.into();
            self.elapsed.d.next = 0.into();
            self.inside.d.next = false;
        }
    }
}

/// Puts instances together: what has one name is one net.
struct Board {
    all: Netlist,
    top: Module,
}

impl Board {
    /// Adds an instance; `net_of` says what each of its ports is connected to.
    fn place(&mut self, name: &str, part: &Netlist, net_of: impl Fn(&str) -> To) {
        let mut places = Vec::new();
        for module in &part.modules {
            let mut module = module.clone();
            module.instances.iter_mut().for_each(|instance| instance.module = places[instance.module]);
            places.push(self.all.modules.iter().position(|other| *other == module).unwrap_or_else(|| {
                self.all.modules.push(module);
                self.all.modules.len() - 1
            }));
        }
        let top = &mut self.top;
        let connect = |(_, port): (usize, &Net)| match net_of(&port.name) {
            To::Constant(value) => Connection::Constant(Expression::constant(value.into(), port.shape)),
            To::Net(net, kind) => {
                let known = top.find(&net);
                Connection::Signal(known.unwrap_or_else(|| top.add(Net { name: net, kind, ..port.clone() })))
            }
        };
        let connections = part.top().ports().map(connect).collect();
        self.top.instances.push(Instance {
            name: name.to_string(),
            module: places[part.modules.len() - 1],
            connections,
        });
    }
}

/// What a port is connected to.
enum To {
    Constant(u64),
    Net(String, SignalKind),
}

/// The loop of a scheme with the parameters of a profile; outputs: `queue_bytes` and the rates.
pub fn of(scheme: &'static Scheme) -> Netlist {
    let parameters = scheme.parameters(&[]).expect("the defaults are accepted");
    let values: BTreeMap<String, u64> = registry::ports(scheme, &parameters);
    let mut switch = Switch::default();
    switch.connect_all();
    let switch = Netlist::of(&switch, "switch", None).expect("a netlist");
    let part = |part: Part| -> Circuit { (scheme.circuit)(part, &parameters) };
    let (cp, rp) = (part(Part::CongestionPoint), part(Part::ReactionPoint));
    let name = format!("{}_closed_loop", scheme.name);
    let mut board = Board { all: Netlist { modules: Vec::new() }, top: Module::empty(&name, "A closed loop.") };
    let common = |port: &str| match port {
        "clock" => Some(To::Net("clock".into(), SignalKind::Clock)),
        "reset" => Some(To::Net("reset".into(), SignalKind::Input)),
        _ => None,
    };
    let local = |net: String| To::Net(net, SignalKind::Local);
    board.place("switch", &switch, |port| common(port).unwrap_or_else(|| local(port.to_string())));
    board.place("cp", &cp.netlist, |port| {
        common(port).unwrap_or_else(|| match port {
            "queue_bytes" => To::Net("queue_bytes".into(), SignalKind::Output),
            "enqueue" | "dequeue" | "source_mac_low" | "data_high" | "data_low" | "octets" | "last" | "valid" => {
                local(port.to_string())
            }
            "enqueue_bytes" | "dequeue_bytes" => To::Constant(PACKET_BYTES),
            "source_mac_high" => To::Constant(0x0200),
            // The reaction points take every word.
            "controlled" | "data_ready" => To::Constant(1),
            _ => values.get(port).map_or_else(|| unused(&cp, "cp", port), |&value| To::Constant(value)),
        })
    });
    for source in 0..SOURCES {
        let name = format!("rp_{source}");
        board.place(&name, &rp.netlist, |port| {
            common(port).unwrap_or_else(|| match port {
                "current_rate" => To::Net(format!("rate_{source}"), SignalKind::Output),
                "data_high" | "data_low" | "octets" | "last" => local(port.to_string()),
                "valid" | "request" | "grant" => local(format!("{port}_{source}")),
                "request_bytes" => To::Constant(PACKET_BYTES),
                "rp_mac_low" => To::Constant(values["rp_mac_low"] + source as u64),
                "seed" => To::Constant(1 + 77 * source as u64),
                _ => values.get(port).map_or_else(|| unused(&rp, &name, port), |&value| To::Constant(value)),
            })
        });
    }
    board.all.with(board.top).expect("a closed loop has a netlist")
}

/// An input of no consequence is 0; an output of none is left open.
fn unused(circuit: &Circuit, instance: &str, port: &str) -> To {
    match circuit.ports.iter().any(|other| other.name == port && other.input) {
        true => To::Constant(0),
        false => To::Net(format!("{instance}_{port}"), SignalKind::Local),
    }
}
