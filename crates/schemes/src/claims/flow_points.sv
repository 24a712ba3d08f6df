// SPDX-License-Identifier: MIT OR Apache-2.0
// The congestion points of four flows: that of a flow changes only if it is remembered for this flow. The proof follows
// one arbitrary flow.

module flow_points_properties (
    input clock,
    input reset,
    input [31:0] frame_cpid_high,
    input [31:0] frame_cpid_low,
    input frame_cpid_high_valid,
    input frame_cpid_low_valid,
    input frame_taken,
    input [11:0] flow,
    input known,
    input remember
);
    // Parameters: any values that do not change.
    (* anyconst *) wire cpid_any;
    wire same_point;

    flow_points device (
        .clock(clock), .reset(reset), .frame_cpid_high(frame_cpid_high), .frame_cpid_low(frame_cpid_low),
        .frame_cpid_high_valid(frame_cpid_high_valid), .frame_cpid_low_valid(frame_cpid_low_valid),
        .frame_taken(frame_taken), .flow(flow), .known(known), .remember(remember), .cpid_any(cpid_any),
        .cpid_digest(1'b0), .same_point(same_point)
    );

    reg started = 0;
    always @(posedge clock) started <= 1;
    always @(*) begin
        if (!started) assume(reset);
        assume(flow < 4);
    end

    (* anyconst *) wire [1:0] followed;
    // CPIDs of two frames: of the feedback that waits, and of the frame that is read; which halves have come.
    reg [63:0] cpid [0:1];
    reg [1:0] come [0:1];
    reg place = 0;
    // The CPID that is remembered for the followed flow.
    reg [63:0] stored;
    reg is_stored = 0;
    // Cycles since the feedback, its flow or what is remembered changed.
    reg [1:0] steady = 0;
    reg [11:0] flow_before;
    wire own = flow == {10'd0, followed};
    always @(posedge clock) begin
        if (frame_cpid_high_valid) cpid[!place][63:32] <= frame_cpid_high;
        if (frame_cpid_low_valid) cpid[!place][31:0] <= frame_cpid_low;
        if (frame_cpid_high_valid) come[!place][1] <= 1;
        if (frame_cpid_low_valid) come[!place][0] <= 1;
        if (frame_taken) place <= !place;
        if (remember && own) begin
            stored <= cpid[place];
            is_stored <= come[place] == 3;
        end
        flow_before <= flow;
        steady <= frame_taken || remember || reset ? 0 : flow != flow_before ? 1 : steady == 3 ? 3 : steady + 1;
        if (reset) begin
            place <= 0;
            come[0] <= 0;
            come[1] <= 0;
            is_stored <= 0;
        end
    end
    (* anyseq *) wire inner_place;
    wire [1:0] words_kept;
    genvar i;
    generate for (i = 0; i < 2; i = i + 1) begin : words
        (* anyseq *) wire [31:0] inner_highs_read, inner_lows_read;
        (* keep *) wire inner_highs_read_at = i, inner_lows_read_at = i;
        assign words_kept[i] = (!come[i][1] || inner_highs_read == cpid[i][63:32])
            && (!come[i][0] || inner_lows_read == cpid[i][31:0]);
    end endgenerate
    // What is remembered for the followed flow.
    (* anyseq *) wire [31:0] inner_highs, inner_lows, inner_highs_read_data, inner_lows_read_data, inner_high_before,
        inner_low_before;
    (* keep *) wire [1:0] inner_highs_at = followed, inner_lows_at = followed;
    (* anyseq *) wire inner_same_high, inner_same_low;
    wire comes = come[place] == 3 && is_stored;
    wire steady_now = flow == flow_before;

    always @(*) if (started) begin
        remembered_for_its_flow: assert(!is_stored || {inner_highs, inner_lows} == stored);
        same_point_exact: assert(!(own && steady_now && steady == 3 && comes)
            || same_point == (cpid_any || known && cpid[place] == stored));
        helper_words: assert(words_kept == 3 && inner_place == place);
        helper_compared: assert(!(flow_before == followed && steady == 3 && comes)
            || inner_same_high == (cpid[place][63:32] == stored[63:32]) && inner_same_low == (cpid[place][31:0] == stored[31:0]));
        helper_before: assert(!(flow_before == followed && steady >= 2 && is_stored)
            || {inner_high_before, inner_low_before} == stored);
        helper_read: assert(!(flow_before == followed && steady >= 1 && is_stored)
            || {inner_highs_read_data, inner_lows_read_data} == stored);
    end
endmodule
