// SPDX-License-Identifier: MIT OR Apache-2.0
// Counts the queue length from enqueue and dequeue events, and gives Qoff and dQ of each sample
// (Jiang 2015b, section 2.2).
//
// Events of cycle t change `queue_bytes` in cycle t + 1. In that cycle `q_offset` and `q_delta`
// belong to a sample of cycle t; the length at the last sample is overwritten at its end. A length
// below 0 or above 2^24 - 1 is clamped; `clamped` is then high in the cycle after the event,
// together with the clamped length.
//
// Part of: qcn, bcn, smcc, asm, dsm.
// Parameters of the scheme are inputs: drive them from registers or with constants.
// Made by tidegate 0.2.0 with: tidegate emit --scheme qcn|bcn|smcc|asm|dsm --out DIR

`default_nettype none

module tidegate_queue_monitor (
    input  wire        clock,         // Clock, rising edge
    input  wire        reset,         // Synchronous reset, active high
    input  wire        enqueue,       // A packet enters the queue in this cycle
    input  wire [23:0] enqueue_bytes, // Length of the packet that enters, bytes; valid with `enqueue`
    input  wire        dequeue,       // Bytes leave the queue in this cycle
    input  wire [23:0] dequeue_bytes, // Number of bytes that leave; valid with `dequeue`
    input  wire        sample,        // The packet that enters in this cycle is a sample
    input  wire [23:0] q0_bytes,      // Target queue length q0, bytes
    output wire [23:0] queue_bytes,   // Queue length after all events of earlier cycles, bytes
    // Qoff = length - q0, bytes, two's complement; belongs to a sample of the cycle before
    output wire [24:0] q_offset,
    // dQ = length - length at the sample before, bytes, two's complement; belongs to a sample of the cycle before
    output wire [24:0] q_delta,
    // The length was clamped: the events of the cycle before would have made it less than 0 or more than 24 bits hold
    output wire        clamped
);
    // Length before it is clamped, bytes, two's complement. Bit 25: below 0; else bit 24: more than 24 bits hold
    reg [25:0] sum;
    reg [23:0] queue_old; // Queue length at the last sample, bytes
    reg sampled; // The cycle before had a sample

    initial begin
        sum = 26'd0;
        queue_old = 24'd0;
        sampled = 1'd0;
    end

    wire [25:0] queue_length_next_sum;
    wire [23:0] length;

    assign queue_bytes = length;
    assign q_offset = {1'd0, length} - {1'd0, q0_bytes};
    assign q_delta = {1'd0, length} - {1'd0, queue_old};

    tidegate_queue_length queue_length (
        .present(length),
        .enqueue(enqueue),
        .enqueue_bytes(enqueue_bytes),
        .dequeue(dequeue),
        .dequeue_bytes(dequeue_bytes),
        .next_sum(queue_length_next_sum),
        .sum(sum),
        .length(length),
        .clamped(clamped)
    );

    always @(posedge clock) begin
        sum <= queue_length_next_sum;
        sampled <= sample && !reset;
        if (sampled) begin
            queue_old <= length;
        end
        if (reset) begin
            sum <= 26'd0;
            queue_old <= 24'd0;
        end
    end
endmodule

`default_nettype wire
