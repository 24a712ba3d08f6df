// SPDX-License-Identifier: MIT OR Apache-2.0
// Properties of a rate limiter at its ports: for the block alone, and for the rate limiter inside a reaction point.

module rate_limiter_specification (
    input clock,
    input reset,
    input started,
    input [24:0] rate,
    input [13:0] bucket_bytes,
    input [4:0] overhead_bytes,
    input request,
    input [13:0] request_bytes,
    input grant,
    input oversize
);
    wire [35:0] bucket = bucket_bytes << 18;
    wire [14:0] cost_bytes = {1'b0, request_bytes} + {10'd0, overhead_bytes};

    // A grant is for the request of the cycle before, whose length must still be there.
    reg asked = 0;
    reg [13:0] asked_bytes = 0;
    always @(posedge clock) begin
        asked <= request && !reset;
        asked_bytes <= request_bytes;
    end
    always @(*) if (started && grant) assume(request_bytes == asked_bytes);
    wire [35:0] cost = ({22'd0, asked_bytes} + {31'd0, overhead_bytes}) << 18;
    wire [35:0] granted = grant ? cost : 0;

    // The largest excess of granted tokens over rate x time, over all windows that end in this cycle. It restarts at 0
    // when it would become negative: a window that begins with a negative part is never the worst one.
    reg [35:0] excess = 0;
    wire [35:0] excess_with_grant = excess + granted;
    // Rate x time since reset, minus the granted tokens. A credit above 2^35 is cut, which only makes the property
    // stronger.
    reg [35:0] credit = 0;
    wire [35:0] credit_after = credit + rate - granted;

    // The bucket, as the description of the block defines it.
    reg [31:0] tokens = 0;
    wire [35:0] tokens_filled = tokens + rate > bucket ? bucket : tokens + rate;

    always @(posedge clock) begin
        excess <= excess_with_grant > rate ? excess_with_grant - rate : 0;
        credit <= credit_after[35] ? 36'h7ffffffff : credit_after;
        tokens <= !grant ? tokens_filled : cost > rate ? tokens - (cost - rate) : tokens;
        if (reset) begin
            excess <= 0;
            credit <= 0;
            tokens <= 0;
        end
    end

    // Guesses: the register holds the tokens minus the depth, modulo 2^32; the others hold the longest frame, and what the
    // request of the cycle before costs.
    (* keep *) wire [31:0] guess_level = tokens - bucket[31:0];
    (* keep *) wire [13:0] guess_largest = bucket_bytes - {9'd0, overhead_bytes};
    (* keep *) wire [14:0] guess_cost = {1'b0, asked_bytes} + {10'd0, overhead_bytes};

    always @(*) if (started) begin
        any_window: assert(excess_with_grant <= bucket);
        from_reset: assert(granted <= credit);
        asked_for: assert(!grant || asked);
        oversize_tells: assert(oversize == (request && cost_bytes > bucket_bytes));
        helper_excess: assert(excess + tokens <= bucket);
        helper_credit: assert(tokens <= credit && credit < 36'h800000000);
        helper_tokens: assert(tokens <= bucket);
        helper_decided: assert(!grant || cost <= tokens);
    end
endmodule
