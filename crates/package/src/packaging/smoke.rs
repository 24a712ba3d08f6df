// SPDX-License-Identifier: MIT OR Apache-2.0
//! A test bench that resets and clocks a part: no output may be unknown, the registers answer, and the part does one
//! thing that all settings allow.

use super::ports::{Port, choices, clock, instance, ports, reset};
use super::{Device, Package, smoke_registers};
use crate::emit::comment_lines;
use tidegate_hdl::netlist::SignalKind;

/// Inputs that are high when nothing happens: whoever is behind the part is ready.
const READY: [&str; 3] = ["boundary", "data_ready", "out_rdy"];

/// What to do with a device that has certain ports, and what to do before.
struct Check {
    /// Ports that the device must have.
    ports: &'static [&'static str],
    /// A port that it must not have.
    without: &'static str,
    /// Statements beside the others; empty if there are none.
    beside: &'static str,
    /// Statements.
    statements: &'static str,
}

const CHECKS: &[Check] = &[
    Check {
        ports: &["request", "request_bytes", "grant"],
        without: "",
        beside: "",
        statements: "        // A frame of 64 octets is granted.
        request_bytes = 64;
        request = 1'b1;
        #1 while (!grant) @(negedge CLOCK);
        @(negedge CLOCK) request = 1'b0;
",
    },
    Check {
        ports: &["request", "grant"],
        without: "request_bytes",
        beside: "",
        statements: "        // A packet is granted.
        request = 1'b1;
        #1 while (!grant) @(negedge CLOCK);
        @(negedge CLOCK) request = 1'b0;
",
    },
    Check {
        ports: &["enqueue", "dequeue", "queue_bytes"],
        without: "counted",
        beside: "",
        statements: "        // 1500 bytes enter the queue, 500 leave it.
        while (!ready) @(negedge CLOCK);
        enqueue_bytes = 1500;
        enqueue = 1'b1;
        @(negedge CLOCK) enqueue = 1'b0;
        dequeue_bytes = 500;
        dequeue = 1'b1;
        @(negedge CLOCK) dequeue = 1'b0;
        repeat (4) @(negedge CLOCK);
        if (queue_bytes !== 1000) $fatal(1, \"the queue has %0d bytes, not 1000\", queue_bytes);
",
    },
    Check {
        ports: &["enqueue", "counted", "visited_queue", "queue_bytes"],
        without: "",
        beside: "",
        statements: "        // 1500 bytes enter queue 1.
        while (!ready) @(negedge CLOCK);
        enqueue_queue = 1;
        enqueue_bytes = 1500;
        enqueue = 1'b1;
        @(negedge CLOCK) enqueue = 1'b0;
        while (!counted) @(negedge CLOCK);
        if (visited_queue !== 1 || queue_bytes !== 1500)
            $fatal(1, \"queue %0d has %0d bytes, not queue 1 1500\", visited_queue, queue_bytes);
",
    },
    Check {
        ports: &["enter", "complete", "full"],
        without: "",
        beside: "",
        statements:
            "        // Packets enter at input 0, each with its last byte in the same cycle, until its buffer is full, and none
        // of the events is impossible.
        if (full !== 0) $fatal(1, \"a buffer is full before a packet entered\");
        enter = 1;
        complete = 1;
        #1 while (!full[0]) begin
            if (impossible !== 0) $fatal(1, \"an event is impossible\");
            @(negedge CLOCK);
        end
        enter = 0;
        complete = 0;
",
    },
    Check {
        ports: &["in_wr", "in_rdy", "out_wr", "out_ctrl"],
        without: "",
        beside: "
    // The packet that goes in: a module header (ports, 8 words, 64 octets), and 64 octets.
    function [71:0] word(input integer place);
        case (place)
            0: word = {8'hff, 64'h0004_0008_0001_0040};
            1: word = {8'h00, 64'h0200_0000_1001_0200};
            2: word = {8'h00, 64'h0000_2001_0800_4500};
            8: word = {8'h01, 64'h0102_0304_0506_0708};
            default: word = {8'h00, {8{place[7:0]}}};
        endcase
    endfunction

    integer sent, received = 0;
    always @(negedge CLOCK) if (started && out_wr) begin
        if ({out_ctrl, out_data} !== word(received))
            $fatal(1, \"word %0d of the packet is %h, not %h\", received, {out_ctrl, out_data}, word(received));
        received = received + 1;
    end
",
        statements: "        // A packet comes out as it went in.
        for (sent = 0; sent < 9; sent = sent + 1) begin
            while (!in_rdy) @(negedge CLOCK);
            {in_ctrl, in_data} = word(sent);
            in_wr = 1'b1;
            @(negedge CLOCK) in_wr = 1'b0;
        end
        while (received < 9) @(negedge CLOCK);
",
    },
];

/// The bench of a device.
pub(super) fn bench(package: &Package, device: &Device) -> String {
    let module = device.netlist.top();
    let (smoke, all, clock) = (package.smoke(device), ports(module), clock(module));
    let (reset, low) = reset(module);
    let registers = device.registers.as_ref().and_then(|registers| smoke_registers::of(device, registers));
    let has = |name: &str| all.iter().any(|port| port.name == name);
    let checks = CHECKS.iter().filter(|check| check.ports.iter().all(|port| has(port)) && !has(check.without));
    let checks: Vec<&Check> = checks.collect();
    let unknown = all.iter().filter(|port| port.kind == SignalKind::Output).map(|port| {
        format!("        if (^{0} === 1'bx) $fatal(1, \"{0} is %b, so a bit is unknown\", {0});\n", port.name)
    });
    let named = choices(module).into_iter().map(|(name, ..)| (name.clone(), name)).collect::<Vec<_>>();
    let constants = choices(module).into_iter().map(|(name, bits, default)| {
        let range = format!("[{}:0]", bits - 1);
        format!("    localparam {range} {name} = {bits}'d{default};\n")
    });

    let mut text = String::new();
    comment_lines(
        &format!(
            "Smoke test of {}: it resets and clocks the module and looks whether it does anything. It needs nothing but a \
             simulator of SystemVerilog: $fatal ends it with an exit code that is not 0.",
            package.top(device)
        ),
        "",
        &mut text,
    );
    comment_lines(&package.made(), "  ", &mut text);
    text += &format!("\n`timescale 1ns / 1ps\n\nmodule {smoke};\n");
    text.extend(constants);
    text.extend(all.iter().map(declaration));
    text += &format!("    reg started = 1'b0;\n\n    // 125 MHz\n    always #4 {clock} = !{clock};\n\n");
    let instance = instance(module, &package.top(device), "device", &named);
    text.extend(instance.lines().map(|line| format!("    {line}\n")));
    text += "\n    // Nothing takes this long.\n    initial #1000000 $fatal(1, \"no end after 125000 cycles\");\n\n";
    text += &format!("    // After reset every output is known.\n    always @(negedge {clock}) if (started) begin\n");
    text.extend(unknown);
    text += "    end\n";
    let (tasks, accesses) = registers.unwrap_or_default();
    let beside = checks.iter().map(|check| check.beside).collect::<String>();
    text += &(tasks + &beside).replace("CLOCK", &clock);
    let (active, inactive) = if low { ("1'b0", "1'b1") } else { ("1'b1", "1'b0") };
    text += "
    initial begin
        // `always @*` does not run at time 0. So inputs get their values later, and the reset comes after an edge of the
        // clock; otherwise outputs may stay unknown.
        #1;
";
    text.extend(all.iter().filter_map(|port| idle(port, &reset, inactive)));
    text += &format!(
        "        repeat (2) @(negedge {clock});
        {reset} = {active};
        repeat (4) @(negedge {clock});
        {reset} = {inactive};
        // Memories are cleared after it, a word a cycle.
        repeat (100) @(negedge {clock});
        started = 1'b1;
        @(negedge {clock});
"
    );
    let statements = checks.iter().map(|check| check.statements).collect::<String>();
    text += &(accesses + &statements).replace("CLOCK", &clock);
    text += &format!(
        "        repeat (100) @(negedge {clock});\n        $display(\"{smoke}: passed\");\n        $finish;\n    end\nendmodule\n"
    );
    text
}

/// The signal at a port.
fn declaration(port: &Port) -> String {
    let (range, name) = (port.range(), &port.name);
    match port.kind {
        SignalKind::Clock => format!("    reg {name} = 1'b0;\n"),
        SignalKind::Output => format!("    wire {range}{name};\n"),
        _ => format!("    reg {range}{name};\n"),
    }
}

/// The statement that gives an input its value when nothing happens.
fn idle(port: &Port, reset: &str, inactive: &str) -> Option<String> {
    if port.kind != SignalKind::Input {
        return None;
    }
    let ready = READY.contains(&port.name.as_str()) || port.name.ends_with("_tready");
    let value = match ready {
        _ if port.name == reset => inactive,
        true => "1'b1",
        false => "0",
    };
    Some(format!("        {} = {value};\n", port.name))
}
