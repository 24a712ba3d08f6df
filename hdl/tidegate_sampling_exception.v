// SPDX-License-Identifier: MIT OR Apache-2.0
// A packet from the source of the last feedback frame is not sampled (Jiang 2014, section 4.5). The
// sample that was due is dropped, and the source forgotten, so that the next sample may hit it;
// with `exception_waits`, the next packet from another source is sampled instead. In both cases the
// next interval of the sampler runs.
//
// Combinational from `due` to `sample`. A frame whose last word leaves in cycle t has effect from
// cycle t + 1. If there is only one source, each second sample is dropped; with `exception_waits`,
// only one feedback frame is sent after reset, as by the letter of the paper.
//
// Part of: asm.
// Parameters of the scheme are inputs: drive them from registers or with constants.
// Made by tidegate 0.2.0 with: tidegate emit --scheme asm --out DIR

`default_nettype none

module tidegate_sampling_exception (
    input  wire        clock,           // Clock, rising edge
    input  wire        reset,           // Synchronous reset, active high
    input  wire        enqueue,         // A packet enters the queue in this cycle
    input  wire        due,             // The sampler selects the packet of this cycle
    input  wire [15:0] source_mac_high, // Source address of the packet, bits 47 to 32; valid with `enqueue`
    input  wire [31:0] source_mac_low,  // Source address, bits 31 to 0
    input  wire        sent,            // The last word of a feedback frame is transferred in this cycle
    input  wire [15:0] sent_mac_high,   // Destination address of the feedback frame, bits 47 to 32; valid with `sent`
    input  wire [31:0] sent_mac_low,    // Destination address of the feedback frame, bits 31 to 0
    // A sample that is due at a packet from the source of the last feedback frame waits for one from another source;
    // otherwise it is dropped, and the next one may hit this source
    input  wire        exception_waits,
    output wire        sample           // The packet that enters in this cycle is a sample
);
    reg waiting; // A sample is due; wait for a packet from another source
    reg known; // A feedback frame has been sent since reset, and since a sample was dropped
    reg [15:0] last_high; // Destination address of the last feedback frame, bits 47 to 32
    reg [31:0] last_low; // The same address, bits 31 to 0

    initial begin
        waiting = 1'd0;
        known = 1'd0;
        last_high = 16'd0;
        last_low = 32'd0;
    end

    wire wanted = due || waiting;
    wire excepted = known && (source_mac_high == last_high) && (source_mac_low == last_low);
    assign sample = enqueue && wanted && !excepted;

    always @(posedge clock) begin
        waiting <= wanted && !sample && (exception_waits || !enqueue);
        if (enqueue && wanted && excepted && !exception_waits) begin
            known <= 1'd0;
        end
        if (sent) begin
            known <= 1'd1;
            last_high <= sent_mac_high;
            last_low <= sent_mac_low;
        end
        if (reset) begin
            waiting <= 1'd0;
            known <= 1'd0;
        end
    end
endmodule

`default_nettype wire
