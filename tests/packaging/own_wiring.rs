// SPDX-License-Identifier: MIT OR Apache-2.0
//! The test for cocotb on the emitted files, on a design of a user, and with streams.

use super::{AXI, Emitted, cocotb, said};

fn axi(part: &str) -> Emitted {
    Emitted::new(&[&["--scheme", "qcn", "--part", part], &AXI[..]].concat())
}

#[test]
fn the_emitted_files_pass() {
    if !cocotb() {
        return;
    }
    axi("cp").all_succeed(&["python"]);
    for part in ["cp", "rp"] {
        // With streams, whose frames must come out as they went in.
        let streams = Emitted::new(&["--scheme", "smcc", "--part", part, "--bus", "axis"]);
        let output = streams.shell(&streams.commands("python")[0]);
        let all = said(&output);
        assert!(output.status.success() && all.contains("PASS=2 FAIL=0 SKIP=0"), "{part}: {all}");
    }
}

#[test]
fn broken_registers_fail() {
    if !cocotb() {
        return;
    }
    for (from, to) in [("32'h54444754", "32'h54444755"), ("refused_writes + 32'd1", "refused_writes + 32'd2")] {
        let emitted = axi("rp");
        let file = "tidegate_qcn_reaction_point_registers.v";
        emitted.replace(file, from, to);
        let output = emitted.shell(&emitted.commands("python")[0]);
        assert!(!output.status.success(), "`{to}` is not noticed: {}", said(&output));
    }
}

/// Other names of top module, clock, reset and bus; a reset that is active low; and a stream that passes.
const WIRING: &str = "module mine (
    input  wire clk, input wire rst_n,
    input  wire [11:0] ctl_awaddr, input wire [2:0] ctl_awprot, input wire ctl_awvalid, output wire ctl_awready,
    input  wire [31:0] ctl_wdata, input wire [3:0] ctl_wstrb, input wire ctl_wvalid, output wire ctl_wready,
    output wire [1:0] ctl_bresp, output wire ctl_bvalid, input wire ctl_bready,
    input  wire [11:0] ctl_araddr, input wire [2:0] ctl_arprot, input wire ctl_arvalid, output wire ctl_arready,
    output wire [31:0] ctl_rdata, output wire [1:0] ctl_rresp, output wire ctl_rvalid, input wire ctl_rready,
    input  wire [63:0] in_tdata, input wire [7:0] in_tkeep, input wire in_tlast, input wire in_tvalid, output wire in_tready,
    output wire [63:0] out_tdata, output wire [7:0] out_tkeep, output wire out_tlast, output wire out_tvalid, input wire out_tready
);
    tidegate_qcn_reaction_point_with_registers tidegate (
        .clock(clk), .reset(!rst_n), .boundary(1'b1),
        .s_axi_awaddr(ctl_awaddr), .s_axi_awprot(ctl_awprot), .s_axi_awvalid(ctl_awvalid), .s_axi_awready(ctl_awready),
        .s_axi_wdata(ctl_wdata), .s_axi_wstrb(ctl_wstrb), .s_axi_wvalid(ctl_wvalid), .s_axi_wready(ctl_wready),
        .s_axi_bresp(ctl_bresp), .s_axi_bvalid(ctl_bvalid), .s_axi_bready(ctl_bready),
        .s_axi_araddr(ctl_araddr), .s_axi_arprot(ctl_arprot), .s_axi_arvalid(ctl_arvalid), .s_axi_arready(ctl_arready),
        .s_axi_rdata(ctl_rdata), .s_axi_rresp(ctl_rresp), .s_axi_rvalid(ctl_rvalid), .s_axi_rready(ctl_rready),
        .data_high(0), .data_low(0), .octets(4'd8), .last(1'b0), .bad_frame(1'b0), .valid(1'b0),
        .request(1'b0), .request_bytes(14'd64), .source_empty(1'b0)
    );
    assign out_tdata = in_tdata;
    assign out_tkeep = in_tkeep;
    assign out_tlast = in_tlast;
    assign out_tvalid = in_tvalid;
    assign in_tready = out_tready;
endmodule
";

#[test]
fn it_runs_on_the_wiring_of_a_user_and_finds_its_mistakes() {
    if !cocotb() {
        return;
    }
    let run = |wiring: &str| {
        let emitted = axi("rp");
        std::fs::write(emitted.work.path().join("mine.v"), wiring).unwrap();
        let own = "TOPLEVEL=mine SOURCES=mine.v CLOCK=clk RESET=rst_n RESET_LOW=1 S_AXI=ctl STREAMS=in:out";
        emitted.shell(&format!("{own} {}", emitted.commands("python")[0]))
    };
    let output = run(WIRING);
    let all = said(&output);
    assert!(output.status.success() && all.contains("PASS=2 FAIL=0 SKIP=0"), "{all}");
    for (from, to) in [
        (".s_axi_araddr(ctl_araddr)", ".s_axi_araddr({ctl_araddr[10:0], 1'b0})"),
        ("out_tkeep = in_tkeep", "out_tkeep = 8'hff"),
    ] {
        assert!(WIRING.contains(from));
        let output = run(&WIRING.replace(from, to));
        assert!(!output.status.success(), "`{to}` is not noticed: {}", said(&output));
    }
}
