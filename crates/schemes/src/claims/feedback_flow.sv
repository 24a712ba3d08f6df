// SPDX-License-Identifier: MIT OR Apache-2.0
// The flow of each feedback is that of its frame, and feedback that names no flow is counted.

module feedback_flow_properties (
    input clock,
    input reset,
    input frame_start,
    input [11:0] frame_flow,
    input feedback_valid,
    input has_flow_id,
    input [15:0] flow_id
);
    // Parameters: any values that do not change.
    (* anyconst *) wire [11:0] flow_mask;
    (* anyconst *) wire flow_from_tag;
    wire valid, unknown;
    wire [11:0] flow;
    wire [15:0] unknown_frames;

    feedback_flow device (
        .clock(clock), .reset(reset), .frame_start(frame_start), .frame_flow(frame_flow),
        .feedback_valid(feedback_valid), .has_flow_id(has_flow_id), .flow_id(flow_id), .flow_mask(flow_mask),
        .flow_from_tag(flow_from_tag), .valid(valid), .flow(flow), .unknown(unknown), .unknown_frames(unknown_frames)
    );

    reg started = 0;
    always @(posedge clock) started <= 1;
    always @(*) if (!started) assume(reset);

    // The low bits of the address of the frame that began last, of the one that had begun last a cycle before, and of the
    // frame whose feedback waits: when that comes to wait, the next frame may have begun in the cycle before.
    reg [11:0] read_flow, before_flow, waiting_flow;
    reg read_begun = 0, before_begun = 0, waiting = 0, waited = 0;
    wire [11:0] waiting_now = waited ? waiting_flow : before_flow;
    wire known = waited ? waiting : before_begun;
    wire no_flow = !has_flow_id || (flow_id & ~{4'd0, flow_mask}) != 0;
    reg [15:0] counted = 0;
    always @(posedge clock) begin
        if (frame_start) begin
            read_flow <= frame_flow & flow_mask;
            read_begun <= 1;
        end
        if (reset) read_begun <= 0;
        before_flow <= read_flow;
        before_begun <= read_begun && !reset;
        waiting_flow <= waiting_now;
        waiting <= known && !reset;
        waited <= feedback_valid;
        counted <= reset ? 0 : feedback_valid && flow_from_tag && no_flow && counted != 16'hffff ? counted + 1 : counted;
    end
    (* keep *) wire [11:0] guess_read = read_flow, guess_waiting = waiting_now;
    (* keep *) wire guess_read_if = read_begun, guess_waiting_if = known;
    (* keep *) wire [15:0] guess_counted = counted;

    always @(*) if (started) begin
        flow_is_the_frames: assert(flow_from_tag ? flow == flow_id[11:0] : !known || flow == waiting_now);
        unknown_tells: assert(unknown == (feedback_valid && flow_from_tag && no_flow) && valid == (feedback_valid && !unknown));
        flow_exists: assert(!valid || !known && !flow_from_tag || (flow & ~flow_mask) == 0);
        helper_masked: assert((!read_begun || (read_flow & ~flow_mask) == 0)
            && (!before_begun || (before_flow & ~flow_mask) == 0) && (!waiting || (waiting_flow & ~flow_mask) == 0));
        unknown_counted: assert(unknown_frames == counted);
    end
endmodule
