// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tests with the real outside tools. They fail if a tool of `scripts/setup-tools` is missing.

use tidegate::emit::{EmittedBlock, ParameterStyle, blocks};
use tidegate::toolchain::cells::{Family, Resources, SmallMemories};
use tidegate::toolchain::verilator::{Effort, Verilator};
use tidegate::toolchain::yosys::{Job, Yosys};

/// Designs of one kind of hardware each, so that the counts can be worked out by hand.
const REGISTER: &str = "
module register(input wire clk, input wire reset, input wire [9:0] d, output reg [9:0] q);
    always @(posedge clk) if (reset) q <= 10'd0; else q <= d;
endmodule
";
const GATES: &str = "
module gates(input wire [7:0] a, input wire [7:0] b, input wire [7:0] c, output wire [7:0] y);
    assign y = (a & b) ^ c;
endmodule
";
const ADDER: &str = "
module adder(input wire [15:0] a, input wire [15:0] b, output wire [15:0] sum);
    assign sum = a + b;
endmodule
";
const MULTIPLIER: &str = "
module multiplier(input wire [15:0] a, input wire [15:0] b, output wire [31:0] product);
    assign product = a * b;
endmodule
";
/// Reads and writes never at once, so that no family needs logic around its memory.
const MEMORY: &str = "
module memory(input wire clk, input wire write, input wire [9:0] at, input wire [15:0] d, output reg [15:0] q);
    reg [15:0] words [0:1023];
    always @(posedge clk) if (write) words[at] <= d; else q <= words[at];
endmodule
";
/// Too small for a block RAM, and read without a clock.
const SMALL_MEMORY: &str = "
module small(input wire clk, input wire write, input wire [3:0] at, input wire [3:0] d, output wire [3:0] q);
    reg [3:0] words [0:15];
    assign q = words[at];
    always @(posedge clk) if (write) words[at] <= d;
endmodule
";

fn job(family: Family, top: &str, verilog: &str) -> Job {
    let (top, verilog) = (top.to_string(), verilog.to_string());
    Job { family, top, verilog, small_memories: SmallMemories::LutRam }
}

fn synthesize(family: Family, designs: &[(&str, &str)]) -> Vec<Resources> {
    synthesize_with(family, SmallMemories::LutRam, designs)
}

fn synthesize_with(family: Family, small_memories: SmallMemories, designs: &[(&str, &str)]) -> Vec<Resources> {
    let jobs = designs.iter().map(|(top, verilog)| Job { small_memories, ..job(family, top, verilog) });
    let jobs: Vec<Job> = jobs.collect();
    let counted = Yosys::find().unwrap().synthesize(&jobs, |_| ()).unwrap();
    for (resources, (top, _)) in counted.iter().zip(designs) {
        assert!(resources.other_cells.is_empty(), "{top} for {}: {:?}", family.name(), resources.other_cells);
    }
    counted
}

/// Carry primitives for a sum of 16 bits: one less than the bits if a primitive is for one bit, because the last bit
/// has no carry. LUT RAMs for 16 words of 4 bits, if the family has them: one for each bit, or one for several bits.
fn check_family(family: Family, carries: u32, lut_rams: u32) {
    let designs = [
        ("register", REGISTER),
        ("gates", GATES),
        ("adder", ADDER),
        ("multiplier", MULTIPLIER),
        ("memory", MEMORY),
        ("small", SMALL_MEMORY),
    ];
    let counted = synthesize(family, &designs);
    let [register, gates, adder, multiplier, memory, small] = &counted[..] else { panic!("a result is missing") };
    assert_eq!(register, &Resources { flip_flops: 10, ..Resources::default() });
    assert_eq!(gates, &Resources { luts: 8, ..Resources::default() });
    assert_eq!((adder.carries, adder.flip_flops), (carries, 0), "{adder:?}");
    assert_eq!(multiplier, &Resources { multipliers: 1, ..Resources::default() });
    let bits_of_a_block = if family == Family::Ice40 { 4096 } else { 16384 };
    assert_eq!(memory.block_rams, 16 * 1024 / bits_of_a_block);
    assert_eq!(memory.flip_flops, 0, "{memory:?}");
    assert_eq!(small.lut_rams, lut_rams, "{small:?}");
    assert_eq!(small.flip_flops, if lut_rams == 0 { 16 * 4 } else { 0 }, "{small:?}");

    // Without LUT RAM each bit is a flip-flop, also if an attribute asks for LUT RAM; all else is the same.
    let wanted = SMALL_MEMORY.replace("reg [3:0] words", "(* ram_style = \"distributed\" *) reg [3:0] words");
    assert_ne!(wanted, SMALL_MEMORY);
    let designs = match lut_rams {
        0 => vec![("small", SMALL_MEMORY), ("gates", GATES)], // Yosys refuses the attribute for a family without LUT RAM.
        _ => vec![("small", SMALL_MEMORY), ("gates", GATES), ("small", &wanted)],
    };
    let without = synthesize_with(family, SmallMemories::FlipFlops, &designs);
    assert_eq!(without[1], *gates);
    for small in without.iter().step_by(2) {
        assert_eq!((small.lut_rams, small.flip_flops), (0, 16 * 4), "{small:?}");
    }
}

#[test]
#[ignore = "long: synthesizes for half a minute"]
fn virtex_2_pro() {
    check_family(Family::Xc2vp, 15, 4);
}

#[test]
#[ignore = "long: synthesizes for half a minute"]
fn series_7() {
    check_family(Family::Xc7, 4, 1);
}

#[test]
fn ecp5() {
    check_family(Family::Ecp5, 8, 1);
}

#[test]
#[ignore = "long: synthesizes for half a minute"]
fn ice40() {
    check_family(Family::Ice40, 15, 0);
}

#[test]
#[ignore = "long: synthesizes for half a minute"]
fn gowin() {
    check_family(Family::Gowin, 16, 1);
}

#[test]
fn a_hierarchy_is_counted_as_often_as_it_is_used() {
    let four = format!(
        "{REGISTER}
module four(input wire clk, input wire reset, input wire [39:0] d, output wire [39:0] q);
    register first(.clk(clk), .reset(reset), .d(d[9:0]), .q(q[9:0]));
    register second(.clk(clk), .reset(reset), .d(d[19:10]), .q(q[19:10]));
    register third(.clk(clk), .reset(reset), .d(d[29:20]), .q(q[29:20]));
    register fourth(.clk(clk), .reset(reset), .d(d[39:30]), .q(q[39:30]));
endmodule
"
    );
    assert_eq!(synthesize(Family::Ice40, &[("four", &four)])[0], Resources { flip_flops: 40, ..Resources::default() });
}

#[test]
fn lint_tells_clean_from_careless_and_careless_from_wrong() {
    let verilator = Verilator::find().unwrap();
    assert_eq!(verilator.lint(&[("register.v", REGISTER)], "register", true), Ok(()));

    let careless = "module careless(input wire [7:0] a, output wire [3:0] y); assign y = a; endmodule\n";
    assert_eq!(verilator.lint(&[("careless.v", careless)], "careless", false), Ok(()));
    let messages = verilator.lint(&[("careless.v", careless)], "careless", true).unwrap_err();
    assert!(messages.contains("WIDTHTRUNC"), "{messages}");

    let messages =
        verilator.lint(&[("wrong.v", "module wrong(input wire a; endmodule\n")], "wrong", false).unwrap_err();
    assert!(messages.contains("syntax error"), "{messages}");
}

#[test]
fn a_compiled_model_runs() {
    let main = r#"
#include "Vregister.h"
#include <cstdio>
int main() {
    Vregister model;
    model.d = 77;
    for (int clk : {0, 1}) { model.clk = clk; model.eval(); }
    std::printf("%d\n", model.q);
}
"#;
    let scratch = tempfile::tempdir().unwrap();
    let verilator = Verilator::find().unwrap();
    let model = verilator.build_model(scratch.path(), REGISTER, "register", main, Effort::Quick).unwrap();
    let output = std::process::Command::new(model).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "77\n");

    let broken = tempfile::tempdir().unwrap();
    let error =
        verilator.build_model(broken.path(), REGISTER, "register", "int main() { oops }", Effort::Quick).unwrap_err();
    assert!(format!("{error:#}").contains("oops"), "the compiler's message is passed on: {error:#}");
}

/// The top module of a block with four instances instead of one, which share clock and reset only. The instances are
/// not one level deeper: Yosys then finds other optimizations.
fn four_copies(block: &EmittedBlock) -> String {
    let (modules, top) = block.verilog.split_once(&format!("module {} (", block.top)).unwrap();
    let (declared, body) = top.split_once("\n);").unwrap();
    let port = regex::Regex::new(r"(?m)^ *(input|output) +(?:wire|reg) *(\[[^\]]*\])? *(\w+)").unwrap();
    let connection = regex::Regex::new(r"\((\w+)\)").unwrap();
    let name = regex::Regex::new(r"(?m)^(    (?:wire(?: \[[^\]]*\])?|\w+) \w+)(;| \()$").unwrap();
    let shared = |name: &str| ["clock", "reset"].contains(&name);
    let body: Vec<&str> = body.lines().filter(|line| !line.contains("wire unused") && *line != "endmodule").collect();
    let body = body.join("\n");
    let (mut ports, mut copies) = (vec!["input wire clock".to_string(), "input wire reset".to_string()], String::new());
    for copy in 0..4 {
        for found in port.captures_iter(declared).filter(|found| !shared(&found[3])) {
            let range = found.get(2).map_or("", |range| range.as_str());
            ports.push(format!("{} wire {range} {}_{copy}", &found[1], &found[3]));
        }
        let body = connection.replace_all(&body, |found: &regex::Captures| match &found[1] {
            name if shared(name) => format!("({name})"),
            name => format!("({name}_{copy})"),
        });
        copies += &name.replace_all(&body, format!("${{1}}_{copy}$2"));
    }
    format!("{modules}\nmodule four_copies ({});\n{copies}endmodule\n", ports.join(", "))
}

/// The registers of each design.
fn registers(yosys: &Yosys, jobs: Vec<Job>) -> Vec<u32> {
    yosys.synthesize(&jobs, |_| ()).unwrap().iter().map(|resources| resources.flip_flops).collect()
}

/// `compare` multiplies the counts of one port: four copies have four times the registers of one, in one synthesis too.
/// Only what is the same in all copies is kept once: a register that starts at 0 and then holds a constant, as the bits
/// that every gain of SMCC has. That is one register in a block at most.
#[test]
#[ignore = "long: synthesizes for half a minute"]
fn four_ports_take_four_times_the_registers_of_one() {
    let yosys = Yosys::find().unwrap();
    let registers = |jobs| registers(&yosys, jobs);
    let family = Family::Ecp5;
    for scheme in ["qcn", "smcc"] {
        let part = tidegate::scheme::Part::ReactionPoint;
        let emitted = blocks(scheme, part, &[], ParameterStyle::Fixed).unwrap();
        let four = emitted.iter().map(|block| job(family, "four_copies", &four_copies(block)));
        let four = registers(four.collect());
        let one = emitted.iter().map(|block| job(family, &block.top, &block.verilog));
        for (four, one) in four.into_iter().zip(registers(one.collect())) {
            assert!(four == 4 * one || four == 4 * one - 3, "{scheme}: {four} registers in four copies, {one} in one");
        }
    }
}

/// The parts reach the core clock of the NetFPGA-1G, 125 MHz, in the slowest ECP5; `measure::timing` describes the
/// measurement. One part of two schemes: more would take more time.
#[test]
#[ignore = "long: places and routes"]
fn reaction_points_can_be_clocked_at_125_mhz() {
    use tidegate::toolchain::nextpnr::{Mapped, Nextpnr};
    let (nextpnr, yosys) = (Nextpnr::find().unwrap(), Yosys::find().unwrap());
    for scheme in ["qcn", "smcc"] {
        let part = tidegate::scheme::Part::ReactionPoint;
        let design = tidegate::emit::between_registers(scheme, part, &[]).unwrap();
        let emitted = blocks(scheme, part, &[], ParameterStyle::Fixed).unwrap();
        let jobs = emitted.iter().map(|block| job(Family::Ecp5, &block.top, &block.verilog));
        let own: u32 = registers(&yosys, jobs.collect()).into_iter().sum();
        let mapped = Mapped::new(&yosys, &design.top, &design.verilog).unwrap();
        let routed = nextpnr.route(&mapped, 1).unwrap();
        assert!(routed.fmax_mhz >= 125.0, "{scheme}: {routed:?}");
        // Those of the blocks, and at least those at the 64 bits of the stream.
        assert!(routed.flip_flops >= own + 64 && routed.luts > 500, "{scheme}: {routed:?}, {own} in the blocks");
    }
}

/// Each seed is a place and route of its own: another seed gives another result, the same seed the same.
#[test]
#[ignore = "long: places and routes"]
fn each_seed_is_a_place_and_route_of_its_own() {
    use tidegate::emit::ParameterStyle::Fixed;
    use tidegate::measure::{Request, timing};
    use tidegate::toolchain::nextpnr::Nextpnr;
    let request = Request {
        schemes: vec!["infiniband".to_string()],
        families: vec![Family::Ecp5],
        parts: vec![tidegate::scheme::Part::ReactionPoint],
        settings: Vec::new(),
        style: Fixed,
        ports: vec![1],
        counts: Vec::new(),
    };
    let nextpnr = Nextpnr::find().unwrap();
    let seen = std::cell::RefCell::new(Vec::new());
    let measure = |seeds| {
        timing::measure(&nextpnr, &request, seeds, |finished, all| seen.borrow_mut().push((finished, all))).unwrap()
    };
    let (one, two) = (measure(1), measure(2));
    assert_eq!(*seen.borrow(), [(1, 1), (1, 2), (2, 2)]);
    assert_eq!((&one.seeds[..], &two.seeds[..]), (&[1][..], &[1, 2][..]));
    let (one, two) = (&one.rows[0], &two.rows[0]);
    assert_eq!(one.runs[..], two.runs[..1]);
    let [first, second] = [0, 1].map(|run| two.runs[run].fmax_mhz);
    assert_ne!(first, second);
    assert_eq!((one.fmax_mhz, one.fastest_mhz), (first, first));
    assert_eq!((two.fmax_mhz, two.fastest_mhz), (first.min(second), first.max(second)));
    assert_eq!(two.slowest().fmax_mhz, two.fmax_mhz);
}

/// What `compare` counts of the reaction points of QCN and SMCC on an xc2vp, for so many ports.
fn compared_reaction_points(settings: &[(&str, &str)], ports: u32) -> tidegate::measure::area::Comparison {
    use tidegate::measure::{Request, area};
    let request = Request {
        schemes: vec!["qcn".to_string(), "smcc".to_string()],
        families: vec![Family::Xc2vp],
        parts: vec![tidegate::scheme::Part::ReactionPoint],
        settings: settings.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect(),
        style: ParameterStyle::Fixed,
        ports: vec![ports],
        counts: Vec::new(),
    };
    area::compare(&request, |_, _| ()).unwrap()
}

/// The experiment on the area measures what `compare` counts, for the same parts and parameters.
#[test]
#[ignore = "long: synthesizes for half a minute"]
fn the_experiment_on_the_area_counts_as_compare_does() {
    use tidegate::experiment::catalogue;
    use tidegate::experiment::kind::AnyExperiment;
    let file = catalogue::find("smcc-area").unwrap();
    let experiment = AnyExperiment::new(&file).unwrap();
    let results = experiment.run(&|_, _| ()).unwrap();
    let compared = compared_reaction_points(&[("qcn.profile", "paper"), ("qcn.timer_us", "15000")], 4);
    let [difference] = &compared.differences[..] else { panic!("one pair: {:?}", compared.differences) };
    let [first, _, registers, logic, ..] = results.judged() else { panic!("four claims and more") };
    assert_eq!(first.measured.values, [difference.flip_flops as f64]);
    let calculator = |scheme: &str| {
        let row = compared.rows.iter().find(|row| row.scheme == scheme && row.block == "calculator").unwrap();
        [row.resources.flip_flops, row.resources.luts].map(f64::from)
    };
    let ([qcn, qcn_luts], [smcc, smcc_luts]) = (calculator("qcn"), calculator("smcc"));
    assert_eq!([registers, logic].map(|judged| judged.measured.values[0]), [smcc / qcn, smcc_luts / qcn_luts]);
}
