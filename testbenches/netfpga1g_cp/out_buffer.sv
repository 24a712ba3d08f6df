// SPDX-License-Identifier: MIT OR Apache-2.0
// The buffer behind the tap passes on each word once, in order and unchanged, when the receiver has room. The proof follows
// one arbitrary word.

module netfpga1g_out_buffer_properties (
    input clock,
    input reset,
    input [63:0] next_data,
    input [7:0] next_ctrl,
    input next_wr,
    input out_rdy
);
    wire next_rdy, out_wr, buffered;
    wire [63:0] out_data;
    wire [7:0] out_ctrl;
    netfpga1g_out_buffer device (
        .clock(clock), .reset(reset), .next_high(next_data[63:32]), .next_low(next_data[31:0]), .next_ctrl(next_ctrl),
        .next_wr(next_wr), .next_rdy(next_rdy), .out_high(out_data[63:32]), .out_low(out_data[31:0]), .out_ctrl(out_ctrl),
        .out_wr(out_wr), .out_rdy(out_rdy), .buffered(buffered)
    );

    reg started = 0;
    always @(posedge clock) started <= 1;

    // Words that came and that have left; numbers count modulo 8.
    (* anyseq *) wire [2:0] inner_count;
    (* anyseq *) wire [1:0] inner_write_place, inner_read_place;
    (* anyseq *) wire inner_filled, inner_roomy, inner_may_go, inner_holds;
    reg [2:0] taken = 0, left = 0;
    wire [2:0] held = taken - left;
    // Those in LUT RAM.
    wire [2:0] waiting = held - inner_holds;
    // There was a word in the cycle before that did not go then.
    reg waited = 0;
    reg may_write = 0, rdy = 0;
    // Cycles in a row in which the receiver had room, at most 3.
    reg [1:0] open = 0;
    always @(posedge clock) begin
        if (next_wr) taken <= taken + 1;
        if (out_wr) left <= left + 1;
        may_write <= next_rdy;
        rdy <= out_rdy;
        waited <= held != out_wr;
        open <= !out_rdy ? 0 : open == 3 ? 3 : open + 1;
        if (reset) begin
            taken <= 0;
            left <= 0;
            may_write <= 0;
            rdy <= 0;
            waited <= 0;
            open <= 0;
        end
    end
    always @(*) begin
        if (!started) assume(reset);
        // A word comes in the cycle after one with room (nothing_without_room).
        assume(!next_wr || may_write);
    end

    (* anyseq *) wire choose;
    reg following = 0;
    reg [2:0] number = 0;
    reg [71:0] word = 0;
    always @(posedge clock) begin
        if (choose && next_wr && !following) begin
            following <= 1;
            number <= taken;
            word <= {next_ctrl, next_data};
        end
        if (following && out_wr && left == number) following <= 0;
        if (reset) following <= 0;
    end
    wire at_head = following && left == number;
    wire [2:0] ahead = number - left;
    (* anyseq *) wire [31:0] inner_highs, inner_lows;
    (* anyseq *) wire [7:0] inner_ctrls;
    (* anyseq *) wire [31:0] inner_high, inner_low;
    (* anyseq *) wire [7:0] inner_ctrl;
    wire [1:0] inner_highs_at = number[1:0], inner_lows_at = number[1:0], inner_ctrls_at = number[1:0];

    always @(*) if (started) begin
        in_order_and_unchanged: assert(!at_head || !out_wr || {out_ctrl, out_data} == word);
        goes_if_there_was_room: assert(out_wr == (rdy && waited));
        nothing_lost: assert(waiting <= 4 && held <= 5 && (waiting != 4 || out_wr || !next_wr));
        room_while_the_receiver_has_room: assert(open < 3 || next_rdy);
        buffered_tells: assert(buffered == (held != 0));
        helper_count: assert(inner_count == waiting && (!inner_holds || held != 0));
        helper_holds: assert(inner_holds == waited);
        helper_places: assert(inner_write_place == taken[1:0] && inner_read_place == left[1:0] + inner_holds);
        helper_filled: assert(inner_filled == (waiting != 0) && inner_may_go == rdy);
        helper_roomy: assert((!inner_roomy || waiting <= 2) && (!may_write || waiting <= 3));
        helper_ahead: assert(!following || ahead < held);
        helper_word: assert(!following || (ahead < inner_holds ? {inner_ctrl, inner_high, inner_low} == word
            : {inner_ctrls, inner_highs, inner_lows} == word));
        helper_open: assert(open < 2 || (waiting <= 3 && (!may_write || waiting <= 2) && (open < 3 || waiting <= 2)));
        helper_exact: assert(open == 0 || inner_roomy == (waiting <= 2));
    end
endmodule
