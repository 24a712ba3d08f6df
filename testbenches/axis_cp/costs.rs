//! What the module costs, and how fast it can be clocked: area and clock rate on an ECP5 with flip-flops at its ports, and area
//! in two Xilinx families. Run with `cargo test --locked --test axis_cp -- --ignored --nocapture costs`.

use crate::cost::{cost, reach_125_mhz};
use crate::world::made;
use tidegate::bus::width::Width;
use tidegate::netlist::Netlist;
use tidegate::toolchain::cells::{Family, SmallMemories};
use tidegate::toolchain::yosys::{Job, Yosys};
use tidegate::verilog;

#[test]
#[ignore = "places and routes for minutes"]
fn cost_of_64_bits() {
    reach_125_mhz(["smcc", "qcn"].map(|scheme| with_memory(scheme, "32768")));
}

/// There is no limit for this: the wires from 68 block RAMs are long.
#[test]
#[ignore = "places and routes for minutes"]
fn cost_of_a_large_memory() {
    let (name, netlist) = with_memory("smcc", "131072");
    cost(&name, &netlist);
}

fn with_memory(scheme: &'static str, bytes: &'static str) -> (String, Netlist) {
    let netlist = made(scheme, &[("buffer_bytes", bytes)], Width::W64).netlist;
    (format!("{scheme}, 64 bits, {bytes} octets"), netlist)
}

#[test]
#[ignore = "places and routes for minutes"]
fn cost_of_the_other_widths() {
    for width in [Width::W128, Width::W256, Width::W512] {
        cost(&format!("smcc, {} bits", width.bits()), &made("smcc", &[], width).netlist);
    }
}

#[test]
#[ignore = "synthesizes for minutes"]
fn area_in_each_family() {
    let families = [Family::Xc2vp, Family::Xc7, Family::Ecp5];
    let of = |scheme, width| {
        let netlist = made(scheme, &[], width).netlist;
        let (top, verilog) = (netlist.top().name.clone(), verilog::text(&netlist));
        families.map(|family| Job {
            family,
            top: top.clone(),
            verilog: verilog.clone(),
            small_memories: SmallMemories::LutRam,
        })
    };
    let widths = Width::ALL.map(|width| ("smcc", width));
    let designs: Vec<_> = widths.into_iter().chain([("qcn", Width::W64)]).collect();
    let jobs: Vec<Job> = designs.iter().flat_map(|&(scheme, width)| of(scheme, width)).collect();
    let results = Yosys::find().unwrap().synthesize(&jobs, |_| {}).unwrap();
    for ((scheme, width), results) in designs.iter().zip(results.chunks(families.len())) {
        for (family, result) in families.iter().zip(results) {
            println!("{scheme}, {} bits, {family:?}: {result:?}", width.bits());
        }
    }
}
