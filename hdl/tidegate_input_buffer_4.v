// SPDX-License-Identifier: MIT OR Apache-2.0
// Counts the packets in the buffer of one input: the slots in use, and the packets that wait for
// each output. A slot is the place of one packet.
//
// Each packet has four events, each in one cycle: `enter` when its header is in, `complete` when
// its last byte is in, `leave` when it begins to leave, and `free` when its last byte has left.
// `complete` can come in the cycle of `enter` or later, before or after `leave` (a packet that cuts
// through), and comes before `free` or with it. Packets come in one after the other. When a packet
// begins to leave, it no longer waits, but it keeps its slot until `free`. With `full_when_whole`
// the buffer becomes full when all slots hold packets whose last byte is in; else when all slots
// are taken. Events of cycle t change the counters in cycle t + 1; `entering`, `leaving`,
// `congested` and `mark` report them in cycle t. An impossible event changes nothing and makes
// `impossible` high.
//
// Part of: infiniband.
// Parameters of the scheme are inputs: drive them from registers or with constants.
// Made by tidegate 0.2.0 with: tidegate emit --scheme infiniband --out DIR

`default_nettype none

module tidegate_input_buffer_4 (
    input  wire       clock,           // Clock, rising edge
    input  wire       reset,           // Synchronous reset, active high
    // Number of slots in the buffer, 1 to 15. A packet that enters makes the buffer full if so many slots are in use
    // then, or more
    input  wire [3:0] buffer_packets,
    // When the buffer becomes full and starts the marking. 1: when all slots hold packets whose last byte is in; 0:
    // when all slots are taken
    input  wire       full_when_whole,
    // The header of a packet is in: it takes a slot and waits. Not allowed while `full`; with `full_when_whole` not
    // before `complete` of the packet in front
    input  wire       enter,
    input  wire [1:0] enter_output,    // Output to which the packet goes; valid with `enter`
    // The last byte of a packet is in: of the one that is coming in, or if none is, of the one that enters in this
    // cycle. Once for each packet, also if it has begun to leave. May stay low if `full_when_whole` is always 0
    input  wire       complete,
    input  wire       leave,           // A packet that waits begins to leave
    input  wire [1:0] leave_output,    // Output on which the packet leaves; valid with `leave`
    input  wire       free,            // A packet that began to leave, in this cycle or before, has left: free its slot
    input  wire [3:0] marking,         // For each output: mark a packet that begins to leave on it in this cycle
    output wire       mark,            // Mark the packet that begins to leave in this cycle
    output wire       full,            // All slots are in use, with whole packets or not: no packet may enter
    output wire       impossible,      // An event of this cycle is impossible and is ignored
    output wire [3:0] entering,        // For each output: a packet for it enters in this cycle
    output wire [3:0] leaving,         // For each output: a packet begins to leave on it in this cycle
    // For each output: the buffer becomes full in this cycle, and a packet in it waits for this output
    output wire [3:0] congested,
    output wire [3:0] waiting_0,       // Number of packets that wait for this output, from a register
    output wire [3:0] waiting_1,       // Number of packets that wait for this output, from a register
    output wire [3:0] waiting_2,       // Number of packets that wait for this output, from a register
    output wire [3:0] waiting_3        // Number of packets that wait for this output, from a register
);
    reg filled; // All slots are in use
    reg [3:0] used; // Number of slots in use
    reg [3:0] sending; // Number of slots whose packets have begun to leave
    reg coming; // The last byte of the packet that entered last is not in
    reg [3:0] count_0; // Number of packets that wait for this output
    reg [3:0] count_1; // Number of packets that wait for this output
    reg [3:0] count_2; // Number of packets that wait for this output
    reg [3:0] count_3; // Number of packets that wait for this output
    reg [3:0] waits; // For each output: the number of packets that wait for it is not 0

    initial begin
        filled = 1'd0;
        used = 4'd0;
        sending = 4'd0;
        coming = 1'd0;
        count_0 = 4'd0;
        count_1 = 4'd0;
        count_2 = 4'd0;
        count_3 = 4'd0;
        waits = 4'd0;
    end

    wire enters = enter && !filled && !(full_when_whole && coming && !complete);
    wire [3:0] leaves_on_bit_0 = (leave && (leave_output == 2'd0) && waits[0]) ? 4'd1 : 4'd0;
    wire [3:0] leaves_on_bit_1 = (leave && (leave_output == 2'd1) && waits[1]) ? 4'd2 : 4'd0;
    wire [3:0] leaves_on_bit_2 = (leave && (leave_output == 2'd2) && waits[2]) ? 4'd4 : 4'd0;
    wire [3:0] leaves_on_bit_3 = (leave && (leave_output == 2'd3) && waits[3]) ? 4'd8 : 4'd0;
    wire [3:0] leaves_on = leaves_on_bit_0 | leaves_on_bit_1 | leaves_on_bit_2 | leaves_on_bit_3;
    wire [3:0] leaves_term = waits >> leave_output;
    wire leaves = leave && leaves_term[0];
    wire frees = free && (leaves || |sending);

    reg [3:0] enters_for;
    always @* begin
        enters_for = 4'd0;
        if (enters) begin
            if (enter_output == 2'd0) begin
                enters_for = 4'd1;
            end
            if (enter_output == 2'd1) begin
                enters_for = 4'd2;
            end
            if (enter_output == 2'd2) begin
                enters_for = 4'd4;
            end
            if (enter_output == 2'd3) begin
                enters_for = 4'd8;
            end
        end
    end

    wire [3:0] next_used = used + 4'd1;
    wire takes_last = enters && (next_used >= buffer_packets);
    wire sent_leaves = free && |sending;
    wire fills = takes_last && !sent_leaves && !(free && leaves);
    wire holds_last = (full_when_whole && coming) ? filled : takes_last;
    wire makes_full = holds_last && (complete || !full_when_whole) && !sent_leaves;
    wire becomes_full = makes_full && !(free && leaves);
    assign waiting_0 = count_0;
    assign waiting_1 = count_1;
    assign waiting_2 = count_2;
    assign waiting_3 = count_3;
    wire [3:0] stays_bit_0 = (enters_for[0] || (count_0 > 4'd1) || (waits[0] && !leaves_on[0])) ? 4'd1 : 4'd0;
    wire [3:0] stays_bit_1 = (enters_for[1] || (count_1 > 4'd1) || (waits[1] && !leaves_on[1])) ? 4'd2 : 4'd0;
    wire [3:0] stays_bit_2 = (enters_for[2] || (count_2 > 4'd1) || (waits[2] && !leaves_on[2])) ? 4'd4 : 4'd0;
    wire [3:0] stays_bit_3 = (enters_for[3] || (count_3 > 4'd1) || (waits[3] && !leaves_on[3])) ? 4'd8 : 4'd0;
    wire [3:0] stays = stays_bit_0 | stays_bit_1 | stays_bit_2 | stays_bit_3;
    assign mark = |(leaves_on & marking);
    assign full = filled;
    assign impossible =
        (!enters && (enter || (full_when_whole && complete && !coming))) || (leave && !leaves) || (free && !frees);
    assign entering = enters_for;
    assign leaving = leaves_on;
    assign congested = becomes_full ? stays : 4'd0;

    always @(posedge clock) begin
        coming <= (coming && !complete) || (enters && (coming || !complete));
        if (fills) begin
            filled <= 1'd1;
        end else if (frees) begin
            filled <= 1'd0;
        end
        if (enters && !frees) begin
            used <= next_used;
        end else if (frees && !enters) begin
            used <= used - 4'd1;
        end
        if (leaves && !frees) begin
            sending <= sending + 4'd1;
        end else if (frees && !leaves) begin
            sending <= sending - 4'd1;
        end
        if (enters_for[0] && !leaves_on[0]) begin
            count_0 <= count_0 + 4'd1;
        end else if (leaves_on[0] && !enters_for[0]) begin
            count_0 <= count_0 - 4'd1;
        end
        if (enters_for[1] && !leaves_on[1]) begin
            count_1 <= count_1 + 4'd1;
        end else if (leaves_on[1] && !enters_for[1]) begin
            count_1 <= count_1 - 4'd1;
        end
        if (enters_for[2] && !leaves_on[2]) begin
            count_2 <= count_2 + 4'd1;
        end else if (leaves_on[2] && !enters_for[2]) begin
            count_2 <= count_2 - 4'd1;
        end
        if (enters_for[3] && !leaves_on[3]) begin
            count_3 <= count_3 + 4'd1;
        end else if (leaves_on[3] && !enters_for[3]) begin
            count_3 <= count_3 - 4'd1;
        end
        waits <= stays;
        if (reset) begin
            filled <= 1'd0;
            used <= 4'd0;
            sending <= 4'd0;
            coming <= 1'd0;
            count_0 <= 4'd0;
            count_1 <= 4'd0;
            count_2 <= 4'd0;
            count_3 <= 4'd0;
            waits <= 4'd0;
        end
    end

    wire unused = &{1'b0, leaves_term[3:1]};
endmodule

`default_nettype wire
