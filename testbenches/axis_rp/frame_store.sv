// The memory passes on each word once, in order and unchanged. The proof follows one arbitrary word.

module frame_store_properties (
    input clock,
    input reset,
    input [63:0] in_data,
    input [9:0] in_mark,
    input in_wr,
    input pop
);
    wire in_ready, word_valid;
    wire [63:0] word_data;
    wire [9:0] word_mark;
    frame_store device (
        .clock(clock), .reset(reset), .in_high(in_data[63:32]), .in_low(in_data[31:0]), .in_mark(in_mark), .in_wr(in_wr),
        .in_ready(in_ready), .pop(pop), .word_valid(word_valid), .word_high(word_data[63:32]),
        .word_low(word_data[31:0]), .word_mark(word_mark)
    );

    reg started = 0;
    always @(posedge clock) started <= 1;
    always @(*) begin
        if (!started) assume(reset);
        assume(!in_wr || in_ready);
        assume(!pop || word_valid);
    end

    // Words that were written and that have left; numbers count modulo 4096.
    reg [11:0] written = 0, left = 0;
    wire [11:0] used = written - left;
    reg stood = 0;
    always @(posedge clock) begin
        written <= written + in_wr;
        left <= left + pop;
        // A word stood in the memory one cycle before, behind any word that left then.
        stood <= used > pop;
        if (reset) begin
            written <= 0;
            left <= 0;
            stood <= 0;
        end
    end

    (* anyseq *) wire choose;
    reg following = 0;
    reg [11:0] number = 0;
    reg [73:0] word = 0;
    wire [11:0] ahead = number - left;
    always @(posedge clock) begin
        if (choose && in_wr && !following) begin
            following <= 1;
            number <= written;
            word <= {in_mark, in_data};
        end
        if (following && pop && left == number) following <= 0;
        if (reset) following <= 0;
    end
    wire at_head = following && left == number && word_valid;
    (* anyseq *) wire [11:0] inner_write_place, inner_read_place, inner_following_place;
    (* anyseq *) wire inner_shown, inner_full;
    (* anyseq *) wire [31:0] inner_highs, inner_lows;
    (* anyseq *) wire [9:0] inner_marks;
    wire [10:0] inner_highs_at = number[10:0], inner_lows_at = number[10:0], inner_marks_at = number[10:0];

    always @(*) if (started) begin
        in_order_and_unchanged: assert(!at_head || {word_mark, word_data} == word);
        shown_in_two_cycles: assert(!stood || word_valid);
        nothing_that_never_came: assert(!word_valid || used != 0);
        never_overfull: assert(used <= 2048);
        helper_shown: assert(inner_shown == stood);
        helper_places: assert(inner_write_place == written && inner_read_place == left
            && inner_following_place == left + 12'd1);
        helper_full: assert(inner_full == (used == 2048));
        helper_stood: assert(!stood || used != 0);
        helper_ahead: assert(!following || ahead < used);
        helper_word: assert(!following || {inner_marks, inner_highs, inner_lows} == word);
    end
endmodule
