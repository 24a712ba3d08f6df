// The congestion point of Adaptive sliding mode congestion control with fixed parameters.
// Scheme: Adaptive sliding mode congestion control (asm). asm.txt 4
// Made by tidegate 0.1.0 with: tidegate emit --scheme asm --out DIR
// Parameters:
//   approach = 1/8,1/64,1/16,1/2
//   b_sigma = 64
//   b_zero = 16
//   bucket_bytes = 1542
//   clock_mhz = 125
//   cpid_bits = 64
//   fb_sign = regions
//   include_overhead = false
//   line_rate_mbps = 1000
//   min_rate_mbps = 10
//   profile = paper
//   q0_bytes = 65536
//   quantiser_bits = 8
//   sample_bytes = 150000
//   sample_jitter_percent = 15
//   sample_mode = packets
//   sample_packets = 100
//   seed = 1
//   sliding = 1/16,1/128,1/32,1/4
//   w = 32

module asm_congestion_point_fixed (
    input  wire        clock,                // Rising edge counts
    input  wire        reset,                // Synchronous, active high
    input  wire        enqueue,              // A packet enters the queue
    input  wire [23:0] enqueue_bytes,        // Its length, bytes
    input  wire [15:0] source_mac_high,      // Source address of the packet, bits 47 to 32
    input  wire [31:0] source_mac_low,       // Bits 31 to 0
    input  wire [15:0] destination_mac_high, // Destination address of the packet, bits 47 to 32
    input  wire [31:0] destination_mac_low,  // Bits 31 to 0
    input  wire        has_tag,              // The packet has a VLAN tag
    input  wire [15:0] vlan_tci,             // Tag control information of its tag
    input  wire        controlled,           // A reaction point governs the flow of the packet
    input  wire        dequeue,              // Bytes leave the queue
    input  wire [23:0] dequeue_bytes,        // How many
    output wire [23:0] queue_bytes,          // Length with all of the cycles before, bytes
    output wire        clamped,              // The events of the cycle before would have left a length that cannot be
    output wire        sample,               // This packet is a sample; same cycle
    output wire        ready,                // There is room for a sample; low: hold the next packet
    output wire        lost,                 // The sample of the cycle before found no room
    output wire [31:0] data_high,            // Octets 0 to 3 of the word, the first in the top byte
    output wire [31:0] data_low,             // Octets 4 to 7
    output wire [3:0]  octets,               // Valid octets of the word
    output wire        last,                 // The last word of the frame
    output wire        valid,                // A word is there
    input  wire        data_ready            // It is taken
);
    asm_congestion_point congestion_point (
        .clock(clock),
        .reset(reset),
        .enqueue(enqueue),
        .enqueue_bytes(enqueue_bytes),
        .source_mac_high(source_mac_high),
        .source_mac_low(source_mac_low),
        .destination_mac_high(destination_mac_high),
        .destination_mac_low(destination_mac_low),
        .has_tag(has_tag),
        .vlan_tci(vlan_tci),
        .controlled(controlled),
        .dequeue(dequeue),
        .dequeue_bytes(dequeue_bytes),
        .sample_mode(2'd0),
        .jitter_ratio(16'hbab),
        .seed(16'd1),
        .q0_bytes(24'h10000),
        .cpid_high(32'h2000000),
        .cpid_low(32'h1000001),
        .cp_mac_high(16'h200),
        .cp_mac_low(32'h100),
        .quantiser_limit(16'h3ff),
        .quantiser_mask(16'hfff8),
        .interval_low_0(24'd85),
        .queue_bytes(queue_bytes),
        .clamped(clamped),
        .sample(sample),
        .ready(ready),
        .lost(lost),
        .data_high(data_high),
        .data_low(data_low),
        .octets(octets),
        .last(last),
        .valid(valid),
        .data_ready(data_ready)
    );
endmodule
