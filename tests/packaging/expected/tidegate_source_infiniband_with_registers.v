// SPDX-License-Identifier: MIT OR Apache-2.0
// The reaction point of End-to-end congestion control for InfiniBand with its register file: the
// parameters are registers. Connect `boundary` to "no packet is in progress"; it may be high in
// every cycle.
//
// Scheme: End-to-end congestion control for InfiniBand (infiniband). Santos 2002: End-to-End
//   Congestion Control for InfiniBand, sections IV and V; older than the congestion control of the
//   InfiniBand standard (threshold, marking rate, CCT).
// Parameters of the scheme are registers inside. They and their addresses stand in the files of the
//   register file.
// Made by tidegate 0.2.0 with: tidegate emit --scheme infiniband --part rp --registers --register-bus axi4-lite --out DIR

`default_nettype none

module tidegate_source_infiniband_with_registers (
    input  wire        clock,         // Clock, rising edge: that of the bus
    input  wire        reset,         // Synchronous reset, active high: the inverse of `aresetn`
    input  wire [11:0] s_axi_awaddr,  // Byte address of a write
    input  wire [2:0]  s_axi_awprot,  // Its protection, which is not read
    input  wire        s_axi_awvalid, // There is an address of a write
    output wire        s_axi_awready, // It is taken
    input  wire [31:0] s_axi_wdata,   // Value to write
    input  wire [3:0]  s_axi_wstrb,   // Its octets that are written: all, or the write is refused
    input  wire        s_axi_wvalid,  // There is a value to write
    output wire        s_axi_wready,  // It is taken
    output wire [1:0]  s_axi_bresp,   // Response to a write: 0 OKAY, 2 SLVERR
    output wire        s_axi_bvalid,  // There is a response to a write; it does not change until it is taken
    input  wire        s_axi_bready,  // It is taken
    input  wire [11:0] s_axi_araddr,  // Byte address of a read
    input  wire [2:0]  s_axi_arprot,  // Its protection, which is not read
    input  wire        s_axi_arvalid, // There is an address of a read
    output wire        s_axi_arready, // It is taken
    output wire [31:0] s_axi_rdata,   // The value that was read
    output wire [1:0]  s_axi_rresp,   // Response to a read: 0 OKAY
    output wire        s_axi_rvalid,  // There is a value that was read; it does not change until it is taken
    input  wire        s_axi_rready,  // It is taken
    input  wire        request,       // A packet waits to be sent; hold until `grant`
    output wire        grant,         // The requested packet may start in this cycle
    output wire        outstanding,   // A packet is outstanding: the calculator has not yet taken its ACK
    input  wire        ack,           // An ACK arrives in this cycle
    input  wire        ack_marked,    // The packet of this ACK was marked; valid with `ack`
    output wire        stray,         // The ACK of this cycle belongs to no outstanding packet and is ignored
    input  wire        flow_start,    // A new flow to the same destination begins in this cycle
    output wire [7:0]  ipd,           // Inter-packet delay: idle packet times between two packets, 0 to 255
    input  wire        boundary       // No packet is in progress: the values written so far come into use
);
    wire register_select;
    wire register_write;
    wire [9:0] register_address;
    wire [31:0] register_write_data;
    wire register_acknowledge;
    wire [31:0] register_read_data;
    wire [15:0] packet_cycles;
    wire persistent;

    tidegate_axi4_lite axi4_lite (
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
        .register_select(register_select),
        .register_write(register_write),
        .register_address(register_address),
        .register_write_data(register_write_data),
        .register_acknowledge(register_acknowledge),
        .register_read_data(register_read_data)
    );

    tidegate_source_infiniband_registers registers (
        .clock(clock),
        .reset(reset),
        .select(register_select),
        .write(register_write),
        .address(register_address),
        .write_data(register_write_data),
        .boundary(boundary),
        .ipd(ipd),
        .grant(grant),
        .stray(stray),
        .acknowledge(register_acknowledge),
        .read_data(register_read_data),
        .packet_cycles(packet_cycles),
        .persistent(persistent)
    );

    tidegate_source_infiniband reaction_point (
        .clock(clock),
        .reset(reset),
        .packet_cycles(packet_cycles),
        .persistent(persistent),
        .request(request),
        .grant(grant),
        .outstanding(outstanding),
        .ack(ack),
        .ack_marked(ack_marked),
        .stray(stray),
        .flow_start(flow_start),
        .ipd(ipd)
    );
endmodule

`default_nettype wire
