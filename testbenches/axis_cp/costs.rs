//! What the module costs, and how fast it can be clocked: area and clock rate on an ECP5 with flip-flops at its ports, and area
//! in two Xilinx families. Run with `cargo test --locked --test axis_cp -- --ignored --nocapture costs`.

use crate::cost::cost;
use crate::world::made;
use tidegate::bus::width::Width;
use tidegate::toolchain::cells::{Family, SmallMemories};
use tidegate::toolchain::yosys::{Job, Yosys};
use tidegate::verilog;

/// Prints the cost with each scheme and size of the memory, and then fails if one of them is too slow.
#[test]
#[ignore = "places and routes for minutes"]
fn cost_of_64_bits() {
    let cases = [("smcc", "32768"), ("qcn", "32768"), ("smcc", "131072"), ("qcn", "131072")];
    let slowest = cases.map(|(scheme, bytes)| {
        let name = format!("{scheme}, 64 bits, {bytes} octets");
        let slowest = cost(&name, &made(scheme, &[("buffer_bytes", bytes)], Width::W64).netlist);
        (name, slowest)
    });
    let slow: Vec<_> = slowest.into_iter().filter(|&(_, slowest)| slowest < 125.0).collect();
    assert!(slow.is_empty(), "MHz: {slow:?}");
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
