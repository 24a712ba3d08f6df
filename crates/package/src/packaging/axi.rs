// SPDX-License-Identifier: MIT OR Apache-2.0
//! The AXI interfaces of a module, found by the names of its ports.

use super::Device;
use super::ports::{Port, ports};

/// The prefix of the ports of the register bus.
pub(super) const REGISTERS: &str = "s_axi";

/// A kind of AXI interface.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// AXI4-Lite, this side answers.
    Lite,
    /// AXI4-Stream, this side receives.
    Receives,
    /// AXI4-Stream, this side sends.
    Sends,
}

/// An AXI interface.
pub(super) struct Interface {
    pub kind: Kind,
    /// What the names of its ports begin with, without the last underscore.
    pub prefix: String,
    /// The end of each name, in capital letters: the name in the standard.
    pub logical: Vec<String>,
}

/// All AXI interfaces of a device.
pub(super) fn interfaces(device: &Device) -> Vec<Interface> {
    let all = ports(device.netlist.top());
    let ends = |port: &Port, end: &str| port.name.strip_suffix(end).map(str::to_string);
    let found = all.iter().filter_map(|port| {
        let stream = ends(port, "_tvalid");
        let kind = match (port.is_input(), stream.is_some()) {
            (true, true) => Kind::Receives,
            (false, true) => Kind::Sends,
            _ => Kind::Lite,
        };
        let prefix = stream.or_else(|| ends(port, "_awvalid"))?;
        let logical = all.iter().filter_map(|port| port.name.strip_prefix(&format!("{prefix}_")));
        // A longer prefix may begin with this one: its names have another underscore.
        let logical = logical.filter(|name| !name.contains('_')).map(str::to_uppercase).collect();
        Some(Interface { kind, prefix, logical })
    });
    found.collect()
}

/// Whether a device has an AXI interface.
pub(super) fn is_axi(device: &Device) -> bool {
    !interfaces(device).is_empty()
}

/// Pairs of a stream that comes in and the one on which it goes out: their names differ in the first letter.
pub(super) fn pairs(device: &Device) -> Vec<(String, String)> {
    let all = interfaces(device);
    let sends = |name: &str| all.iter().any(|other| other.kind == Kind::Sends && other.prefix == name);
    let receives = all.iter().filter(|interface| interface.kind == Kind::Receives);
    let pairs = receives.map(|interface| {
        let out = interface.prefix.replacen("s_", "m_", 1);
        (interface.prefix.clone(), out)
    });
    pairs.filter(|(_, out)| sends(out)).collect()
}
