// SPDX-License-Identifier: MIT OR Apache-2.0
//! Area and clock rate on an ECP5, with flip-flops at all ports; area on FPGAs without open place and route.

use rayon::prelude::*;
use tidegate_hdl::netlist::{Netlist, SignalKind};
use tidegate_hdl::verilog;
use tidegate_package::emit::with_registers_at_ports;
use tidegate_toolchain::cells::{Family, SmallMemories};
use tidegate_toolchain::nextpnr::{Mapped, Nextpnr};
use tidegate_toolchain::yosys::{Job, Yosys};

/// The runs of which a clock rate is the median.
const SEEDS: u32 = 5;

/// Prints what it costs; returns the median of the clock rates, MHz.
pub fn cost(name: &str, netlist: &Netlist) -> f64 {
    median(name, &with_registers_at_ports(netlist, "held"))
}

/// The median of the clock rates of a design `held`, MHz; each run is printed.
fn median(name: &str, verilog: &str) -> f64 {
    let (yosys, nextpnr) = (Yosys::find().unwrap(), Nextpnr::find().unwrap());
    let mapped = Mapped::new(&yosys, "held", verilog).unwrap();
    let mut runs: Vec<_> = (1..=SEEDS).into_par_iter().map(|seed| nextpnr.route(&mapped, seed).unwrap()).collect();
    runs.sort_by(|a, b| a.fmax_mhz.total_cmp(&b.fmax_mhz));
    let rates: Vec<f64> = runs.iter().map(|run| run.fmax_mhz).collect();
    let middle = &runs[runs.len() / 2];
    println!("{name}: {} LUTs, {} flip-flops, {rates:.1?} MHz", middle.luts, middle.flip_flops);
    println!("  from {} to {}", middle.from, middle.to);
    middle.fmax_mhz
}

/// Prints what each module costs, and then fails if one of them does not reach 125 MHz, as the median of its runs.
pub fn reach_125_mhz(modules: impl IntoIterator<Item = (String, Netlist)>) {
    let rates = modules.into_iter().map(|(name, netlist)| {
        let rate = cost(&name, &netlist);
        (name, rate)
    });
    let slow: Vec<_> = rates.filter(|(_, rate)| *rate < 125.0).collect();
    assert!(slow.is_empty(), "MHz: {slow:?}");
}

/// Look-up tables one behind another before a ready: so many that the way through them is the longest one.
const LEVELS: usize = 14;

/// The design with flip-flops at its ports, in which `ready` comes late in a cycle, through look-up tables. They end in a register of
/// its own instead if `plain`: the design is the same otherwise. A second register stands at each end of them that is at a pin, so that
/// it does not matter where the pins are.
fn behind_logic(netlist: &Netlist, ready: &str, plain: bool) -> String {
    let clock = netlist.top().ports().find(|(_, port)| port.kind == SignalKind::Clock).expect("it has a clock").1;
    let (direct, start) = (format!(".{ready}({ready}_held)"), format!(".{ready}(late[0])"));
    let held = with_registers_at_ports(netlist, "held");
    assert!(held.contains(&direct), "there is no input {ready}");
    let (held, port, end) = match plain {
        true => {
            let end = format!(
                "    reg late_last;\n    always @(posedge {}) {{late_end, late_last}} <= {{late_last, late[{LEVELS}]}};\n",
                clock.name
            );
            (held.replace(&direct, &start), ", output reg late_end", end)
        }
        false => (held.replace(&direct, &format!(".{ready}(late[{LEVELS}])")), "", String::new()),
    };
    let mut logic = format!(
        "    reg [{0}:0] late_a, late_b;\n    reg late_start;\n    wire [{0}:0] late;\n    assign late[0] = late_start;\n\
         \x20   always @(posedge {1}) late_start <= {ready}_held;\n\
         \x20   always @(posedge {1}) {{late_b, late_a}} <= {{late_b, late_a, late_in}};\n{end}",
        LEVELS, clock.name
    );
    for level in 0..LEVELS {
        logic += &format!(
            "    LUT4 #(.INIT(16'h6969)) late_{level} (.A(late[{level}]), .B(late_a[{level}]), .C(late_b[{level}]), .D(1'b0), .Z(late[{}]));\n",
            level + 1
        );
    }
    let (inside, wrapper) = held.split_once("module held (").expect("the wrapper");
    let (ports, body) = wrapper.split_once(");\n").expect("its ports");
    let (body, _) = body.rsplit_once("endmodule").expect("its end");
    format!("{inside}module held ({ports}, input wire late_in{port});\n{body}{logic}endmodule\n")
}

/// Prints how fast a design is if `ready` comes through logic, and if the same logic ends in a register of its own. Fails if the first is
/// more than 3 % slower, as the median of five runs.
pub fn ready_is_as_fast_as_a_register(name: &str, netlist: &Netlist, ready: &str) {
    let [ours, register] = [("ours", false), ("a register", true)].map(|(end, plain)| {
        median(&format!("{name}, {ready} through {LEVELS} LUTs to {end}"), &behind_logic(netlist, ready, plain))
    });
    assert!(ours >= 0.97 * register, "{name}: {ready} {ours:.1} MHz, a register {register:.1} MHz");
}

/// LUTs of an xc2vp50, the FPGA of the NetFPGA-1G.
const XC2VP50: f64 = 47_232.0;
/// LUTs of an LFE5U-25F.
const LFE5U_25F: f64 = 24_288.0;

/// Prints the area of each module on the Virtex-II Pro, on a 7-series FPGA and on an ECP5, by synthesis alone, and the share
/// of the LUTs of a device. LUT RAMs count as LUTs where the cells say how many they take.
pub fn areas(modules: impl IntoIterator<Item = (String, Netlist)>) {
    let families = [
        (Family::Xc2vp, Some((XC2VP50, "an xc2vp50"))),
        (Family::Xc7, None),
        (Family::Ecp5, Some((LFE5U_25F, "an LFE5U-25F"))),
    ];
    let yosys = Yosys::find().unwrap();
    for (name, netlist) in modules {
        let jobs = families.map(|(family, _)| Job {
            family,
            top: netlist.top().name.clone(),
            verilog: verilog::text(&netlist),
            small_memories: SmallMemories::LutRam,
        });
        for ((family, device), found) in families.iter().zip(yosys.synthesize(&jobs, |_| {}).unwrap()) {
            let (luts, flip_flops, carries) = (found.luts, found.flip_flops, found.carries);
            let (rams, ram_luts, blocks) = (found.lut_rams, found.lut_ram_luts, found.block_rams);
            let share = device.map_or(String::new(), |(all, device)| {
                format!(", {:.1} % of {device}", 100.0 * f64::from(luts + ram_luts) / all)
            });
            println!(
                "{name}, {}: {flip_flops} flip-flops, {luts} LUTs, {carries} carries, {rams} LUT RAMs of {ram_luts} LUTs, \
                 {blocks} block RAMs, {} multipliers{share}",
                family.name(),
                found.multipliers
            );
        }
    }
}
