// SPDX-License-Identifier: MIT OR Apache-2.0
// The queue monitor, compared with sums that cannot overflow.

module queue_monitor_properties (
    input clock,
    input reset,
    input enqueue,
    input [23:0] enqueue_bytes,
    input dequeue,
    input [23:0] dequeue_bytes,
    input sample,
    input [23:0] q0_bytes
);
    wire [23:0] queue_bytes;
    wire [24:0] q_offset, q_delta;
    wire clamped;

    queue_monitor device (
        .clock(clock), .reset(reset), .enqueue(enqueue), .enqueue_bytes(enqueue_bytes), .dequeue(dequeue),
        .dequeue_bytes(dequeue_bytes), .sample(sample), .q0_bytes(q0_bytes), .queue_bytes(queue_bytes),
        .q_offset(q_offset), .q_delta(q_delta), .clamped(clamped)
    );

    reg started = 0;
    always @(posedge clock) started <= 1;
    always @(*) if (!started) assume(reset);

    localparam signed [63:0] MOST = 64'd16777215;
    wire signed [63:0] entering = enqueue ? {40'd0, enqueue_bytes} : 64'd0;
    wire signed [63:0] leaving = dequeue ? {40'd0, dequeue_bytes} : 64'd0;

    // The next length: the sum, limited to 24 bits without sign.
    wire signed [63:0] sum = $signed({40'd0, queue_bytes}) + entering - leaving;
    wire [23:0] held = sum < 0 ? 24'd0 : sum > MOST ? 24'hffffff : sum[23:0];
    reg [23:0] expected = 0;
    reg impossible = 0;
    reg [25:0] unheld = 0;

    // The exact length, while no event is impossible.
    reg signed [63:0] truth = 0;
    reg possible = 1;
    wire signed [63:0] next_truth = truth + entering - leaving;

    // The length at the sample before. It is stored one cycle after the sample, so it includes the sampled packet.
    reg sampled = 0;
    reg [23:0] length_before = 0;

    always @(posedge clock) begin
        expected <= held;
        impossible <= sum < 0 || sum > MOST;
        unheld <= sum[25:0];
        truth <= next_truth;
        possible <= possible && next_truth >= 0 && next_truth <= MOST;
        sampled <= sample;
        if (sampled) length_before <= queue_bytes;
        if (reset) begin
            expected <= 0;
            impossible <= 0;
            unheld <= 0;
            truth <= 0;
            possible <= 1;
            sampled <= 0;
            length_before <= 0;
        end
    end
    (* keep *) wire [25:0] guess_sum = unheld;
    (* keep *) wire guess_sampled = sampled;
    (* keep *) wire [23:0] guess_length_before = length_before;

    always @(*) if (started) begin
        length_is_clamped_sum: assert(queue_bytes == expected);
        clamped_tells: assert(clamped == impossible);
        length_is_true: assert(!possible || $signed({40'd0, queue_bytes}) == truth);
        possible_is_never_clamped: assert(!possible || !clamped);
        offset_exact: assert($signed({{39{q_offset[24]}}, q_offset}) == $signed({40'd0, queue_bytes}) - $signed({40'd0, q0_bytes}));
        change_exact: assert($signed({{39{q_delta[24]}}, q_delta}) == $signed({40'd0, queue_bytes}) - $signed({40'd0, length_before}));
    end
endmodule
