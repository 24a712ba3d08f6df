// SPDX-License-Identifier: MIT OR Apache-2.0
// The rate limiter grants not more than rate and bucket allow, for any requests and any changes of the rate. Amounts
// are in tokens: 2^18 tokens are one byte.

module rate_limiter_properties (
    input clock,
    input reset,
    input [24:0] rate,
    input request,
    input [13:0] request_bytes
);
    // Any depth in the range of the parameter and any overhead; they do not change.
    (* anyconst *) wire [13:0] bucket_bytes;
    (* anyconst *) wire [4:0] overhead_bytes;
    wire grant, oversize;

    rate_limiter device (
        .clock(clock), .reset(reset), .rate(rate), .bucket_bytes(bucket_bytes), .overhead_bytes(overhead_bytes),
        .request(request), .request_bytes(request_bytes), .grant(grant), .oversize(oversize)
    );

    reg started = 0;
    always @(posedge clock) started <= 1;
    always @(*) begin
        if (!started) assume(reset);
        assume(bucket_bytes >= 128 && bucket_bytes <= 16224);
    end

    rate_limiter_specification specification (
        .clock(clock), .reset(reset), .started(started), .rate(rate), .bucket_bytes(bucket_bytes),
        .overhead_bytes(overhead_bytes), .request(request), .request_bytes(request_bytes), .grant(grant),
        .oversize(oversize)
    );
endmodule
