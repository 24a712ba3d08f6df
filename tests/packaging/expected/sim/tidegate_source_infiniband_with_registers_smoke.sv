// SPDX-License-Identifier: MIT OR Apache-2.0
// Smoke test of tidegate_source_infiniband_with_registers: it resets and clocks the module and
// looks whether it does anything. It needs nothing but a simulator of SystemVerilog: $fatal ends it
// with an exit code that is not 0.
// Made by tidegate 0.2.0 with: tidegate emit --scheme infiniband --part rp --registers
//   --register-bus axi4-lite --out DIR

`timescale 1ns / 1ps

module tidegate_source_infiniband_with_registers_smoke;
    reg clock = 1'b0;
    reg reset;
    reg [11:0] s_axi_awaddr;
    reg [2:0] s_axi_awprot;
    reg s_axi_awvalid;
    wire s_axi_awready;
    reg [31:0] s_axi_wdata;
    reg [3:0] s_axi_wstrb;
    reg s_axi_wvalid;
    wire s_axi_wready;
    wire [1:0] s_axi_bresp;
    wire s_axi_bvalid;
    reg s_axi_bready;
    reg [11:0] s_axi_araddr;
    reg [2:0] s_axi_arprot;
    reg s_axi_arvalid;
    wire s_axi_arready;
    wire [31:0] s_axi_rdata;
    wire [1:0] s_axi_rresp;
    wire s_axi_rvalid;
    reg s_axi_rready;
    reg request;
    wire grant;
    wire outstanding;
    reg ack;
    reg ack_marked;
    wire stray;
    reg flow_start;
    wire [7:0] ipd;
    reg boundary;
    reg started = 1'b0;

    // 125 MHz
    always #4 clock = !clock;

    tidegate_source_infiniband_with_registers device (
        .clock(clock),
        .reset(reset),
        .s_axi_awaddr(s_axi_awaddr),
        .s_axi_awprot(s_axi_awprot),
        .s_axi_awvalid(s_axi_awvalid),
        .s_axi_awready(s_axi_awready),
        .s_axi_wdata(s_axi_wdata),
        .s_axi_wstrb(s_axi_wstrb),
        .s_axi_wvalid(s_axi_wvalid),
        .s_axi_wready(s_axi_wready),
        .s_axi_bresp(s_axi_bresp),
        .s_axi_bvalid(s_axi_bvalid),
        .s_axi_bready(s_axi_bready),
        .s_axi_araddr(s_axi_araddr),
        .s_axi_arprot(s_axi_arprot),
        .s_axi_arvalid(s_axi_arvalid),
        .s_axi_arready(s_axi_arready),
        .s_axi_rdata(s_axi_rdata),
        .s_axi_rresp(s_axi_rresp),
        .s_axi_rvalid(s_axi_rvalid),
        .s_axi_rready(s_axi_rready),
        .request(request),
        .grant(grant),
        .outstanding(outstanding),
        .ack(ack),
        .ack_marked(ack_marked),
        .stray(stray),
        .flow_start(flow_start),
        .ipd(ipd),
        .boundary(boundary)
    );

    // Nothing takes this long.
    initial #1000000 $fatal(1, "no end after 125000 cycles");

    // After reset every output is known.
    always @(negedge clock) if (started) begin
        if (^s_axi_awready === 1'bx) $fatal(1, "s_axi_awready is %b, so a bit is unknown", s_axi_awready);
        if (^s_axi_wready === 1'bx) $fatal(1, "s_axi_wready is %b, so a bit is unknown", s_axi_wready);
        if (^s_axi_bresp === 1'bx) $fatal(1, "s_axi_bresp is %b, so a bit is unknown", s_axi_bresp);
        if (^s_axi_bvalid === 1'bx) $fatal(1, "s_axi_bvalid is %b, so a bit is unknown", s_axi_bvalid);
        if (^s_axi_arready === 1'bx) $fatal(1, "s_axi_arready is %b, so a bit is unknown", s_axi_arready);
        if (^s_axi_rdata === 1'bx) $fatal(1, "s_axi_rdata is %b, so a bit is unknown", s_axi_rdata);
        if (^s_axi_rresp === 1'bx) $fatal(1, "s_axi_rresp is %b, so a bit is unknown", s_axi_rresp);
        if (^s_axi_rvalid === 1'bx) $fatal(1, "s_axi_rvalid is %b, so a bit is unknown", s_axi_rvalid);
        if (^grant === 1'bx) $fatal(1, "grant is %b, so a bit is unknown", grant);
        if (^outstanding === 1'bx) $fatal(1, "outstanding is %b, so a bit is unknown", outstanding);
        if (^stray === 1'bx) $fatal(1, "stray is %b, so a bit is unknown", stray);
        if (^ipd === 1'bx) $fatal(1, "ipd is %b, so a bit is unknown", ipd);
    end

    // AXI4-Lite.
    reg address_taken, data_taken;

    task read(input [11:0] address, output [31:0] data);
        begin
            s_axi_araddr = address;
            s_axi_arvalid = 1'b1;
            #1 while (!s_axi_arready) @(negedge clock);
            @(negedge clock) s_axi_arvalid = 1'b0;
            while (!s_axi_rvalid) @(negedge clock);
            data = s_axi_rdata;
            if (s_axi_rresp !== 0) $fatal(1, "a read of %h has the response %b", address, s_axi_rresp);
            s_axi_rready = 1'b1;
            @(negedge clock) s_axi_rready = 1'b0;
        end
    endtask

    task write(input [11:0] address, input [31:0] data);
        begin
            s_axi_awaddr = address;
            s_axi_wdata = data;
            s_axi_wstrb = 4'b1111;
            s_axi_awvalid = 1'b1;
            s_axi_wvalid = 1'b1;
            while (s_axi_awvalid || s_axi_wvalid) begin
                #1 address_taken = s_axi_awready;
                data_taken = s_axi_wready;
                @(negedge clock);
                if (address_taken) s_axi_awvalid = 1'b0;
                if (data_taken) s_axi_wvalid = 1'b0;
            end
            while (!s_axi_bvalid) @(negedge clock);
            if (s_axi_bresp !== 0) $fatal(1, "a write of %h has the response %b", address, s_axi_bresp);
            s_axi_bready = 1'b1;
            @(negedge clock) s_axi_bready = 1'b0;
        end
    endtask

    reg [31:0] found;

    task check(input [11:0] address, input [31:0] expected);
        begin
            read(address, found);
            if (found !== expected) $fatal(1, "the register at %h is %h, not %h", address, found, expected);
        end
    endtask

    initial begin
        // `always @*` does not run at time 0. So inputs get their values later, and the reset comes after an edge of the
        // clock; otherwise outputs may stay unknown.
        #1;
        reset = 1'b0;
        s_axi_awaddr = 0;
        s_axi_awprot = 0;
        s_axi_awvalid = 0;
        s_axi_wdata = 0;
        s_axi_wstrb = 0;
        s_axi_wvalid = 0;
        s_axi_bready = 0;
        s_axi_araddr = 0;
        s_axi_arprot = 0;
        s_axi_arvalid = 0;
        s_axi_rready = 0;
        request = 0;
        ack = 0;
        ack_marked = 0;
        flow_start = 0;
        boundary = 1'b1;
        repeat (2) @(negedge clock);
        reset = 1'b1;
        repeat (4) @(negedge clock);
        reset = 1'b0;
        // Memories are cleared after it, a word a cycle.
        repeat (100) @(negedge clock);
        started = 1'b1;
        @(negedge clock);
        // Identification and version.
        check(12'h000, 32'h54444754);
        check(12'h004, 32'h00000200);
        // A write of a register that can only be read is refused and counted.
        write(12'h000, 0);
        check(12'h01c, 1);
        // packet_cycles: a parameter after reset, and another value.
        check(12'h040, 32'h00000100);
        write(12'h040, 32'h00000101);
        check(12'h040, 32'h00000101);
        write(12'h040, 32'h00000100);
        // A packet is granted.
        request = 1'b1;
        #1 while (!grant) @(negedge clock);
        @(negedge clock) request = 1'b0;
        repeat (100) @(negedge clock);
        $display("tidegate_source_infiniband_with_registers_smoke: passed");
        $finish;
    end
endmodule
