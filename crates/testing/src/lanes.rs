// SPDX-License-Identifier: MIT OR Apache-2.0
//! Ports of more than 64 bits as several of at most 64, as the simulators take them.

use tidegate_hdl::netlist::{
    Connection, Expression, ExpressionKind, Instance, Module, Netlist, Shape, Signal, SignalKind, Statement,
};

/// Bits of a lane.
const BITS: usize = 64;

/// A module around a netlist: port `data` of 128 bits is `data_0` and `data_1`, the low bits first.
pub fn in_lanes(netlist: &Netlist) -> Netlist {
    let mut whole = Module::empty("lanes", "");
    let mut connections = Vec::new();
    for (_, port) in netlist.top().ports() {
        let bits = port.shape.bits;
        if bits <= BITS {
            connections.push(Connection::Signal(whole.add(port.clone())));
            continue;
        }
        let wide = whole.add(Signal { kind: SignalKind::Local, ..port.clone() });
        let lane = |place: usize| Signal {
            name: format!("{}_{place}", port.name),
            shape: Shape::unsigned(BITS),
            ..port.clone()
        };
        let lanes: Vec<usize> = (0..bits / BITS).map(|place| whole.add(lane(place))).collect();
        let value = Expression::signal(wide, port.shape);
        if port.kind == SignalKind::Output {
            let lanes = lanes.into_iter().enumerate();
            let parts = lanes.map(|(place, target)| (target, value.clone().slice(BITS * place, BITS)));
            whole.statements.extend(parts.map(|(target, value)| Statement::Assign { target, low: 0, value }));
        } else {
            let parts = lanes.iter().rev().map(|&lane| Expression::signal(lane, Shape::unsigned(BITS))).collect();
            let value = Expression { kind: ExpressionKind::Join(parts), shape: port.shape };
            whole.statements.push(Statement::Assign { target: wide, low: 0, value });
        }
        connections.push(Connection::Signal(wide));
    }
    let module = netlist.modules.len() - 1;
    whole.instances.push(Instance { name: "whole".to_string(), module, connections });
    netlist.with(whole).unwrap()
}
