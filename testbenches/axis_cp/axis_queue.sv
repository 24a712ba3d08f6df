// SPDX-License-Identifier: MIT OR Apache-2.0
// Whole good frames go through the queue, unchanged and in order; all others are dropped as a whole. For a memory of 16 beats
// of 64 bits, without the stage at the output. The proof follows one arbitrary beat.

module axis_queue_64_properties (
    input clock,
    input reset,
    input in_valid,
    input in_bad,
    input [67:0] in_beat,
    input next_tready,
    input taken
);
    wire in_last = in_beat[67];
    wire [6:0] in_octets = in_beat[66:64] + 7'd1;
    wire next_tvalid, next_tlast, enqueue, dequeue, bad_frame, dropped_frame, boundary;
    wire [63:0] next_tdata;
    wire [7:0] next_tkeep;
    wire [23:0] enqueue_bytes, dequeue_bytes;
    axis_queue_64 device (
        .clock(clock), .reset(reset), .in_valid(in_valid), .in_last(in_last), .in_bad(in_bad), .in_octets(in_octets),
        .in_beat(in_beat), .next_tdata(next_tdata), .next_tkeep(next_tkeep), .next_tlast(next_tlast),
        .next_tvalid(next_tvalid), .next_tready(next_tready), .taken(taken), .enqueue(enqueue), .enqueue_bytes(enqueue_bytes),
        .dequeue(dequeue), .dequeue_bytes(dequeue_bytes), .bad_frame(bad_frame), .dropped_frame(dropped_frame),
        .boundary(boundary)
    );

    // A beat is at the output, and not known to be taken.
    reg at_output = 0;
    reg started = 0;
    always @(posedge clock) started <= 1;
    always @(*) begin
        if (!started) assume(reset);
        // The stage at the output takes the next beat if the one before it was taken.
        assume(!taken || at_output);
        assume(next_tready == (!at_output || taken));
    end

    // Beats of frames that have entered and that have left, modulo 64; beats that are stored of the frame that comes in.
    reg [5:0] entered = 0, left = 0;
    reg [4:0] part = 0;
    reg no_room = 0, bad = 0;
    reg [23:0] octets = 0, all_octets = 0;
    wire [5:0] loaded = left + next_tvalid;
    wire [5:0] waiting = entered - loaded;
    wire [5:0] stored = waiting + part;
    // Whether at most one place is free is known a cycle later. Then no beat comes in, so one place may stay free.
    reg was_full = 0;
    wire room = !no_room && !was_full;
    wire spoils = bad || in_bad;
    wire ends = in_valid && in_last;
    wire keeps = ends && room && !spoils;
    wire takes = next_tvalid && next_tready;
    reg was_kept = 0, was_bad = 0, was_dropped = 0, within = 0, held = 0;
    reg [3:0] took_octets = 0;
    reg [72:0] held_beat = 0;
    reg [2:0] waited = 0;
    reg [5:0] entered_before = 0;
    reg stored_before = 0;
    reg [67:0] beat_before = 0;
    reg [3:0] place_before = 0;
    always @(posedge clock) begin
        if (in_valid) begin
            if (room) part <= part + 1;
            no_room <= !room;
            bad <= spoils;
            octets <= octets + in_octets;
            within <= !in_last;
        end
        if (ends) begin
            part <= 0;
            no_room <= 0;
            bad <= 0;
            octets <= 0;
            if (keeps) entered <= entered + part + 1;
        end
        all_octets <= octets + in_octets;
        was_full <= stored >= 15;
        was_kept <= keeps;
        was_bad <= ends && spoils;
        was_dropped <= ends && !spoils && !room;
        if (takes) left <= left + 1;
        at_output <= takes || (at_output && !taken);
        if (takes) took_octets <= next_tkeep[0] + next_tkeep[1] + next_tkeep[2] + next_tkeep[3] + next_tkeep[4]
            + next_tkeep[5] + next_tkeep[6] + next_tkeep[7];
        held <= next_tvalid && !next_tready;
        held_beat <= {next_tlast, next_tkeep, next_tdata};
        entered_before <= entered;
        stored_before <= in_valid && room;
        beat_before <= in_beat;
        place_before <= entered[3:0] + part[3:0];
        waited <= entered != left && !next_tvalid ? waited + 1 : 0;
        if (reset) begin
            {entered, left, part, no_room, was_full, bad, octets, within} <= 0;
            {was_kept, was_bad, was_dropped, at_output, held, waited, entered_before, stored_before} <= 0;
        end
    end

    (* anyseq *) wire choose;
    // The beat that is followed came in the cycle before: it is on its way to the memory.
    reg following = 0, complete = 0, comes = 0;
    reg [5:0] number = 0;
    reg [67:0] beat = 0;
    wire at_head = following && complete && left == number;
    always @(posedge clock) begin
        if (following && !complete && ends) begin
            complete <= keeps;
            following <= keeps;
        end
        comes <= 0;
        if (choose && in_valid && room && !following && (!in_last || keeps)) begin
            following <= 1;
            comes <= 1;
            complete <= keeps;
            number <= entered + part;
            beat <= in_beat;
        end
        if (at_head && takes) following <= 0;
        if (reset) {following, comes} <= 0;
    end

    (* anyseq *) wire [4:0] inner_frame_queue__write_place, inner_frame_queue__frame_place, inner_frame_queue__read_place;
    (* anyseq *) wire [4:0] inner_frame_queue__whole_place, inner_frame_queue__following_place;
    (* anyseq *) wire inner_frame_queue__full, inner_frame_queue__shows, inner_frame_queue__overflowed,
        inner_frame_queue__spoiled, inner_frame_queue__begun;
    (* anyseq *) wire [23:0] inner_frame_queue__octets;
    (* anyseq *) wire [6:0] inner_frame_queue__left_octets;
    (* anyseq *) wire [67:0] inner_beat_memory__out, inner_beat_memory__stored;
    (* anyseq *) wire [35:0] inner_beat_memory__beats_0, inner_beat_memory__shown_0;
    (* anyseq *) wire [31:0] inner_beat_memory__beats_1, inner_beat_memory__shown_1;
    (* anyseq *) wire [3:0] inner_beat_memory__place;
    (* anyseq *) wire inner_beat_memory__writes;
    wire [3:0] inner_beat_memory__beats_0_at = number[3:0], inner_beat_memory__beats_1_at = number[3:0];
    wire [5:0] before_it = number - loaded, seen = entered_before - loaded;
    wire [5:0] until_it = number - left, all = entered - left, of_part = number - entered;

    always @(*) if (started) begin
        in_order_and_unchanged: assert(!at_head || !next_tvalid
            || {next_tlast, next_tdata} == {beat[67], beat[63:0]} && next_tkeep == 8'hff >> (7 - beat[66:64]));
        none_goes_that_has_not_entered: assert(!next_tvalid || entered != left);
        held_until_ready: assert(!held
            || (next_tvalid && {next_tlast, next_tkeep, next_tdata} == held_beat));
        leaves_in_time: assert(waited <= 3);
        a_frame_that_begins_ends: assert(!at_head || !next_tvalid || next_tlast || entered != left + 6'd1);
        each_frame_has_one_outcome: assert(enqueue == was_kept && bad_frame == was_bad && dropped_frame == was_dropped);
        enqueue_tells_the_length: assert(!enqueue || enqueue_bytes == all_octets);
        dequeue_tells_what_left: assert(dequeue == taken && (!taken || dequeue_bytes == took_octets));
        boundary_tells: assert(boundary == !within);
        helper_places: assert(inner_frame_queue__write_place == entered[4:0] + part
            && inner_frame_queue__frame_place == entered[4:0] && inner_frame_queue__read_place == loaded[4:0]
            && inner_frame_queue__following_place == loaded[4:0] + 5'd1
            && inner_frame_queue__whole_place == entered_before[4:0]);
        helper_full: assert(inner_frame_queue__full == was_full && (was_full || stored != 16));
        helper_flags: assert(inner_frame_queue__overflowed == no_room && inner_frame_queue__spoiled == bad
            && inner_frame_queue__begun == within && inner_frame_queue__octets == octets);
        helper_writes: assert(inner_beat_memory__writes == stored_before && (!stored_before
            || inner_beat_memory__place == place_before && inner_beat_memory__stored == beat_before));
        helper_bounds: assert(waiting <= 16 && part <= 16 && stored <= 16 && all <= 17 && seen <= waiting);
        helper_not_within: assert(within || (part == 0 && !no_room && !bad));
        helper_shows: assert(!inner_frame_queue__shows || seen != 0);
        helper_waited: assert(waited == 0 || next_tvalid || (waited == 1 && seen != 0)
            || (waited == 2 && inner_frame_queue__shows));
        helper_complete: assert(!following || !complete || until_it < all);
        helper_incomplete: assert(!following || complete || (of_part < part && within));
        helper_more_comes: assert(!following || !complete || beat[67] || until_it + 6'd1 < all);
        helper_not_the_last: assert(!following || complete || !beat[67]);
        helper_comes: assert(!comes || (following && stored_before && place_before == number[3:0] && beat_before == beat
            && number - entered_before <= 6'd16));
        helper_in_memory: assert(!following || comes || before_it > 16
            || {inner_beat_memory__beats_1, inner_beat_memory__beats_0} == beat);
        helper_shown: assert(!following || !inner_frame_queue__shows || number != loaded
            || {inner_beat_memory__shown_1, inner_beat_memory__shown_0} == beat);
        helper_left: assert(!at_output || inner_frame_queue__left_octets == took_octets);
        helper_out: assert(!at_head || !next_tvalid || inner_beat_memory__out == beat);
    end
endmodule
