// SPDX-License-Identifier: MIT OR Apache-2.0
// Limits the source to one outstanding packet, and to one packet in 1 + ipd packet times (Santos
// 2002, sections IV.B and V.D).
//
// `grant` is combinational. It is high in the cycle in which a requested packet may start: the
// calculator has taken the ACK of the packet before, and (1 + ipd) * `packet_cycles` cycles have
// passed since that packet was granted. `ipd` of the cycle before is used; a calculator that is
// ready has not changed it since. The first packet after reset does not wait. An ACK is passed to
// the calculator from the next cycle on, and `feedback_valid` stays high until `feedback_ready`. An
// ACK that arrives while no packet is outstanding, or while an earlier ACK still waits for the
// calculator, is ignored and makes `stray` high.
//
// Part of: infiniband.
// Parameters of the scheme are inputs: drive them from registers or with constants.
// Made by tidegate 0.2.0 with: tidegate emit --scheme infiniband --out DIR

`default_nettype none

module tidegate_inter_packet_delay (
    input  wire        clock,           // Clock, rising edge
    input  wire        reset,           // Synchronous reset, active high
    input  wire [15:0] packet_cycles,   // Packet time: cycles that one packet takes at R_max, 2 or more
    input  wire [7:0]  ipd,             // Inter-packet delay: idle packet times between two packets, 0 to 255
    input  wire        request,         // A packet waits to be sent; hold until `grant`
    output wire        grant,           // The requested packet may start in this cycle
    output wire        outstanding,     // A packet is outstanding: the calculator has not yet taken its ACK
    input  wire        ack,             // An ACK arrives in this cycle
    input  wire        ack_marked,      // The packet of this ACK was marked; valid with `ack`
    output wire        stray,           // The ACK of this cycle belongs to no outstanding packet and is ignored
    output wire        feedback_valid,  // An ACK waits for the calculator; high until `feedback_ready`
    output wire        feedback_marked, // The packet of this ACK was marked; valid with `feedback_valid`
    // The calculator is ready and takes an ACK in this cycle, if `feedback_valid`; no packet is granted while it is low
    input  wire        feedback_ready
);
    reg out; // A packet is outstanding
    reg acknowledged; // The ACK of the outstanding packet has arrived and waits for the calculator
    reg marked; // The acknowledged packet was marked
    reg begun; // A packet has been granted since reset
    reg [15:0] cycles; // Cycles of the current packet time
    reg [8:0] packet_times; // Packet times since the last grant, at most 256
    reg due; // 1 + ipd packet times have passed since the last grant

    initial begin
        out = 1'd0;
        acknowledged = 1'd0;
        marked = 1'd0;
        begun = 1'd0;
        cycles = 16'd0;
        packet_times = 9'd0;
        due = 1'd0;
    end

    wire start = request && (due || !begun) && !out && feedback_ready;
    wire taken = acknowledged && feedback_ready;
    wire [15:0] next_cycles = cycles + 16'd1;
    wire ends = next_cycles >= packet_cycles;
    assign stray = ack && (!out || acknowledged);
    assign grant = start;
    assign outstanding = out;
    assign feedback_valid = acknowledged;
    assign feedback_marked = marked;

    always @(posedge clock) begin
        cycles <= next_cycles;
        due <= packet_times > {1'd0, ipd};
        if (ends) begin
            due <= packet_times >= {1'd0, ipd};
            cycles <= 16'd0;
            if (!packet_times[8]) begin
                packet_times <= packet_times + 9'd1;
            end
        end
        if (start) begin
            cycles <= 16'd1;
            packet_times <= 9'd0;
            due <= 1'd0;
            begun <= 1'd1;
            out <= 1'd1;
        end
        if (taken) begin
            out <= 1'd0;
            acknowledged <= 1'd0;
        end
        if (ack && out && !acknowledged) begin
            acknowledged <= 1'd1;
            marked <= ack_marked;
        end
        if (reset) begin
            out <= 1'd0;
            acknowledged <= 1'd0;
            begun <= 1'd0;
            cycles <= 16'd0;
            packet_times <= 9'd0;
            due <= 1'd0;
        end
    end
endmodule

`default_nettype wire
