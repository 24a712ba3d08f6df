// The rate limiter lets no more go than its rate and its bucket allow, whatever is asked for and however the rate changes.
// Amounts are in tokens: 2^18 to the byte.

module rate_limiter_properties (
    input clock,
    input reset,
    input [24:0] rate,
    input request,
    input [13:0] request_bytes
);
    // Any depth that the scheme's parameters allow, any overhead: neither changes.
    (* anyconst *) wire [13:0] bucket_bytes;
    (* anyconst *) wire [4:0] overhead_bytes;
    wire grant, oversize;
    wire [13:0] grant_bytes;

    rate_limiter device (
        .clock(clock), .reset(reset), .rate(rate), .bucket_bytes(bucket_bytes), .overhead_bytes(overhead_bytes),
        .request(request), .request_bytes(request_bytes), .grant(grant), .grant_bytes(grant_bytes), .oversize(oversize)
    );

    reg started = 0;
    always @(posedge clock) started <= 1;
    always @(*) begin
        if (!started) assume(reset);
        assume(bucket_bytes >= 128 && bucket_bytes <= 16255);
    end

    rate_limiter_specification specification (
        .clock(clock), .reset(reset), .started(started), .rate(rate), .bucket_bytes(bucket_bytes),
        .overhead_bytes(overhead_bytes), .request(request), .request_bytes(request_bytes), .grant(grant),
        .oversize(oversize)
    );

    // What is told to those who count bytes: the length that was asked for.
    reg [13:0] asked_bytes;
    always @(posedge clock) asked_bytes <= request_bytes;
    always @(*) if (started) length_told: assert(grant_bytes == asked_bytes);
endmodule
