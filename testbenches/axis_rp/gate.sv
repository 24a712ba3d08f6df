// SPDX-License-Identifier: MIT OR Apache-2.0
// Beats leave the gate in order and unchanged, and no frame begins while it waits for the limiter, which is told its length. For
// a memory of 8 beats of 128 bits. The proof follows one arbitrary beat. With PROGRESS, which assumes what this has shown of
// `out_last`, it is about time: what may go goes.

module axis_transmit_gate_128_properties (
    input clock,
    input reset,
    input [127:0] in_data,
    input [15:0] in_keep,
    input in_last,
    input in_user,
    input [11:0] in_flow,
    input in_valid,
    input out_ready,
    input controlled,
    input taken,
    input paid,
    input refuse
);
    (* anyconst *) wire [11:0] flow_mask;
    wire in_ready, out_last, out_user, out_valid, request, rejected, source_empty;
    wire [127:0] out_data;
    wire [15:0] out_keep;
    wire [11:0] request_flow;
    wire [13:0] request_bytes;
    axis_transmit_gate_128 device (
        .clock(clock), .reset(reset), .s_axis_tx_tdata(in_data), .s_axis_tx_tkeep(in_keep), .s_axis_tx_tlast(in_last),
        .s_axis_tx_tuser(in_user), .s_axis_tx_tdest(in_flow), .s_axis_tx_tvalid(in_valid), .s_axis_tx_tready(in_ready),
        .next_tdata(out_data), .next_tkeep(out_keep), .next_tlast(out_last), .next_tuser(out_user),
        .next_tvalid(out_valid), .next_tready(out_ready), .taken(taken), .controlled(controlled), .flow_mask(flow_mask),
        .request(request), .request_flow(request_flow), .request_bytes(request_bytes), .paid(paid), .refuse(refuse),
        .rejected(rejected), .source_empty(source_empty)
    );

    // A beat is at the output, and not known to be taken.
    reg at_output = 0;
    reg started = 0;
    always @(posedge clock) started <= 1;
    always @(*) begin
        if (!started) assume(reset);
        // The stage at the output takes the next beat if the one before it was taken.
        assume(!taken || at_output);
        assume(out_ready == (!at_output || taken));
        // The limiter answers what it was asked.
        assume(request || !(paid || refuse));
    end

    wire comes = in_valid && in_ready, leaves = out_valid && out_ready;
    wire [145:0] beat = {in_user, in_last, in_keep, in_data}, out_beat = {out_user, out_last, out_keep, out_data};
    // Beats that came and that left, modulo 16.
    reg [3:0] entered = 0, left = 0;
    reg held = 0, asked = 0, begun = 0;
    reg [145:0] held_beat = 0;
    reg [25:0] held_request = 0;
    always @(posedge clock) begin
        entered <= entered + comes;
        left <= left + leaves;
        held <= out_valid && !out_ready;
        held_beat <= out_beat;
        if (leaves) begun <= !out_last;
        at_output <= leaves || (at_output && !taken);
        asked <= request && !paid && !refuse;
        held_request <= {request_flow, request_bytes};
        if (reset) {entered, left, held, asked, begun, at_output} <= 0;
    end

    (* anyseq *) wire choose;
    reg following = 0;
    reg [3:0] number = 0;
    reg [145:0] followed = 0;
    wire at_head = following && left == number;
    always @(posedge clock) begin
        if (choose && comes && !following) begin
            following <= 1;
            number <= entered;
            followed <= beat;
        end
        if (at_head && leaves) following <= 0;
        if (reset) following <= 0;
    end

    (* anyseq *) wire inner_gate_memory__came, inner_frame_gate__shown, inner_frame_gate__there;
    (* anyseq *) wire inner_frame_gate__offers;
    (* anyseq *) wire inner_frame_gate__started, inner_frame_gate__full, inner_frame_gate__may_begin, inner_frame_gate__may_pass;
    (* anyseq *) wire inner_frame_gate__is_next, inner_frame_gate__waiting, inner_frame_gate__crowded;
    (* anyseq *) wire [4:0] inner_frame_gate__known_place, inner_frame_gate__following_place, inner_frame_gate__frames;
    wire [4:0] frames = inner_frame_gate__frames;
    wire [4:0] known = inner_frame_gate__known_place - inner_frame_gate__following_place + inner_frame_gate__is_next;
    (* anyseq *) wire [145:0] inner_gate_memory__came_beat, inner_gate_memory__beats, inner_gate_memory__shown;
    (* anyseq *) wire [145:0] inner_gate_memory__goes_beat;
    (* anyseq *) wire [2:0] inner_frame_gate__write_place, inner_frame_gate__read_place, inner_frame_gate__stored;
    wire [2:0] inner_gate_memory__beats_at = number[2:0];
    wire [3:0] stored = entered - inner_gate_memory__came, read = left + inner_frame_gate__there;
    wire [3:0] used = stored - left, behind = stored - read, ahead = number - left;

    always @(*) if (started) begin
        helper_frames: assert(frames == known && (!inner_frame_gate__is_next || frames != 0));
        helper_waiting: assert(inner_frame_gate__waiting == (frames != 0) && inner_frame_gate__crowded == (frames == 31));
        helper_may_begin: assert(!inner_frame_gate__may_begin || inner_frame_gate__is_next);
        helper_may_pass: assert(inner_frame_gate__may_pass == (inner_frame_gate__started || inner_frame_gate__may_begin));
        helper_stored: assert({inner_frame_gate__full, inner_frame_gate__stored} == used && used <= 8);
        helper_places: assert(inner_frame_gate__write_place == stored[2:0] && inner_frame_gate__read_place == read[2:0]);
        helper_there: assert(!inner_frame_gate__there || used != 0);
        helper_shown: assert(!inner_frame_gate__shown || behind != 0);
        // A beat that is not shown, or none, was written in the last cycle; the output register waits one cycle longer.
        helper_not_shown: assert(inner_frame_gate__shown || behind <= 1);
        helper_not_there: assert(inner_frame_gate__there || used <= 2);
        helper_started: assert(inner_frame_gate__started == begun);
        helper_offers: assert(!inner_frame_gate__offers || at_output);
`ifndef PROGRESS
        in_order_and_unchanged: assert(!at_head || !out_valid || out_beat == followed);
        nothing_that_never_came: assert(!out_valid || entered != left);
        held_until_taken: assert(!held || (out_valid && out_beat == held_beat));
        nothing_begins_unpaid: assert(!request || !out_valid || begun);
        a_request_is_held: assert(!asked || (request && {request_flow, request_bytes} == held_request));
        helper_followed: assert(!following || ahead <= used);
        helper_came: assert(!following || ahead != used || (inner_gate_memory__came && inner_gate_memory__came_beat == followed));
        helper_in_memory: assert(!following || ahead >= used || (at_head && inner_frame_gate__there)
            || inner_gate_memory__beats == followed);
        helper_at_head: assert(!at_head || !inner_frame_gate__there || inner_gate_memory__goes_beat == followed);
        helper_is_shown: assert(!following || number != read || !inner_frame_gate__shown
            || inner_gate_memory__shown == followed);
`endif
    end

`ifdef PROGRESS
    (* anyseq *) wire inner_frame_gate__told, inner_gate_memory__came_last;
    // Whether a beat is the last one of its frame, by its number.
    reg [15:0] lasts = 0;
    always @(posedge clock) if (comes) lasts[entered] <= in_last;
    reg [3:0] last_beats;
    integer i;
    always @(*) begin
        last_beats = 0;
        for (i = 0; i < 8; i = i + 1) last_beats = last_beats + (i < used && lasts[(left + i) & 15]);
        assume(!out_valid || out_last == lasts[left]);
    end
    // The limiter is not waited for, and a frame has begun, is stored as a whole, or fills the memory.
    wire may_leave = used != 0 && (begun || frames != 0 || inner_frame_gate__full) && (!request || paid || refuse);
    wire waits = may_leave && out_ready && !leaves;
    reg [2:0] waited = 0;
    always @(posedge clock) waited <= reset || !waits ? 0 : waited + 1;
    // Cycles until a beat leaves, at most.
    wire [1:0] for_beat = inner_frame_gate__there ? 0 : inner_frame_gate__shown ? 1 : 2;
    wire [1:0] for_frame = begun || inner_frame_gate__may_begin ? 0 : inner_frame_gate__is_next ? 1 : frames != 0 ? 2 : 3;
    wire [1:0] needed = for_beat > for_frame ? for_beat : for_frame;

    always @(*) if (started) begin
        helper_last_beats: assert(frames + begun == last_beats + inner_frame_gate__told);
        helper_last: assert(!inner_gate_memory__came || inner_gate_memory__came_last == lasts[stored]);
        helper_told: assert(!inner_frame_gate__told || (last_beats == 0 && (begun ? frames == 0 : frames == 1)));
        helper_told_waits: assert(!inner_frame_gate__told || begun || inner_frame_gate__full);
        helper_waited: assert(!may_leave || waited + needed <= 3);
        // Of a frame longer than the memory it is not known.
        no_frame_waits_is_told: assert(inner_frame_gate__told || source_empty == (last_beats == begun));
        what_may_go_goes: assert(!waits || waited < 3);
        a_full_memory_goes: assert(!inner_frame_gate__full || begun || frames != 0 || !inner_frame_gate__told);
    end
`endif
endmodule
