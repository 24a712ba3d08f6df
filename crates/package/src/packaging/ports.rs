// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ports of a module as its user sees them.

use tidegate_hdl::netlist::{ExpressionKind, Module, SignalId, SignalKind};
use tidegate_hdl::verilog;

/// A port.
pub(super) struct Port<'a> {
    /// Its name in Verilog.
    pub name: String,
    pub kind: SignalKind,
    pub bits: usize,
    /// The name of its width, if that has one.
    pub width: Option<&'a str>,
    /// Its meaning and unit; empty if not known.
    pub meaning: &'a str,
}

impl Port<'_> {
    pub fn is_input(&self) -> bool {
        self.kind != SignalKind::Output
    }

    /// The range of its declaration, with a space behind it; empty for one bit.
    pub fn range(&self) -> String {
        if self.bits == 1 { String::new() } else { format!("[{}:0] ", self.bits - 1) }
    }
}

/// The ports of a module, in their order.
pub(super) fn ports(module: &Module) -> Vec<Port<'_>> {
    let names = verilog::names(module);
    let ports = module.ports().map(|(id, signal)| Port {
        name: names[id].clone(),
        kind: signal.kind,
        bits: signal.shape.bits,
        width: module.widths.iter().find(|width| width.ports.contains(&id)).map(|width| width.name.as_str()),
        meaning: &signal.meaning,
    });
    ports.collect()
}

/// The name of the clock.
pub(super) fn clock(module: &Module) -> String {
    let clock = ports(module).into_iter().find(|port| port.kind == SignalKind::Clock);
    clock.expect("every part has a clock").name
}

/// The name of the reset, and whether it is active low.
pub(super) fn reset(module: &Module) -> (String, bool) {
    let reset = ports(module).into_iter().find(|port| port.is_input() && port.name.contains("reset"));
    let name = reset.expect("every part has a reset").name;
    let low = name.ends_with('n');
    (name, low)
}

/// The instantiation of a module: each port on a signal of its name.
pub(super) fn instance(module: &Module, name: &str, instance: &str, choices: &[(String, String)]) -> String {
    let connected = |(name, value): &(String, String)| format!("    .{name}({value})");
    let choices: Vec<String> = choices.iter().map(connected).collect();
    let choices = if choices.is_empty() { String::new() } else { format!("#(\n{}\n) ", choices.join(",\n")) };
    let all = ports(module);
    let ports: Vec<String> = all.iter().map(|port| format!("    .{0}({0})", port.name)).collect();
    format!("{name} {choices}{instance} (\n{}\n);\n", ports.join(",\n"))
}

/// The parameters in Verilog of a module, which whoever instantiates it may choose: name, bits, default.
pub(super) fn choices(module: &Module) -> Vec<(String, usize, u128)> {
    let of = |&id: &SignalId| {
        let signal = &module.signals[id];
        let ExpressionKind::Constant(default) = module.default_of(id).kind else { panic!("a default is a number") };
        (signal.name.clone(), signal.shape.bits, default)
    };
    module.choices.iter().map(of).collect()
}
