// Block rate_limiter alone, as it stands in the rp.
// Scheme: Sliding mode congestion control (smcc). smcc.txt 4
// Made by tidegate 0.1.0 with: tidegate emit --scheme smcc --out DIR

module rate_limiter(clock,reset,rate,bucket_bytes,overhead_bytes,request,request_bytes,grant,oversize,sent,sent_bytes);

    // Module arguments
    input wire  clock;
    input wire  reset;
    input wire  [24:0] rate;
    input wire  [13:0] bucket_bytes;
    input wire  [4:0] overhead_bytes;
    input wire  request;
    input wire  [13:0] request_bytes;
    output reg  grant;
    output reg  oversize;
    output reg  sent;
    output reg  [13:0] sent_bytes;

    // Stub signals
    reg  granted$d;
    wire  granted$q;
    reg  [13:0] granted_bytes$d;
    wire  [13:0] granted_bytes$q;
    reg  [31:0] tokens$d;
    wire  [31:0] tokens$q;

    // Local signals
    reg  [31:0] depth;
    reg  [14:0] cost;
    reg  [31:0] cost_tokens;
    reg  affordable;
    reg  allowed;
    reg  [31:0] rate_tokens;
    reg  [31:0] nearly_full;
    reg  [31:0] net_cost;

    // Sub module instances
    rate_limiter$granted granted(
        .d(granted$d),
        .q(granted$q),
        .clock(clock)
    );
    rate_limiter$granted_bytes granted_bytes(
        .d(granted_bytes$d),
        .q(granted_bytes$q),
        .clock(clock)
    );
    rate_limiter$tokens tokens(
        .d(tokens$d),
        .q(tokens$q),
        .clock(clock)
    );

    // Update code
    always @(*) begin
        tokens$d = tokens$q;
        granted$d = granted$q;
        granted_bytes$d = granted_bytes$q;
        granted_bytes$d = request_bytes;
        sent = granted$q;
        sent_bytes = granted_bytes$q;
        depth = ((bucket_bytes) & 32'hffffffff) << 32'h12;
        cost = ((request_bytes) & 15'h7fff) + ((overhead_bytes) & 15'h7fff);
        allowed = cost <= ((bucket_bytes) & 15'h7fff);
        oversize = request & ~allowed;
        cost_tokens = ((cost) & 32'hffffffff) << 32'h12;
        affordable = request & allowed & (tokens$q >= cost_tokens);
        grant = affordable;
        granted$d = affordable & ~reset;
        rate_tokens = ((rate) & 32'hffffffff);
        nearly_full = depth - rate_tokens;
        net_cost = cost_tokens - rate_tokens;
        if (affordable) begin
            if (cost_tokens > rate_tokens) begin
                tokens$d = tokens$q - net_cost;
            end
        end
        else if (tokens$q >= nearly_full) begin
            tokens$d = depth;
        end
        else begin
            tokens$d = tokens$q + rate_tokens;
        end
        if (reset) begin
            tokens$d = 32'h0;
        end
    end

endmodule // rate_limiter


module rate_limiter$granted(d,q,clock);

    // Module arguments
    input wire  d;
    output reg  q;
    input wire  clock;

    // Update code (custom)
    initial begin
       q = 1'h0;
    end

    always @(posedge clock) begin
       q <= d;
    end

endmodule // rate_limiter$granted


module rate_limiter$granted_bytes(d,q,clock);

    // Module arguments
    input wire  [13:0] d;
    output reg  [13:0] q;
    input wire  clock;

    // Update code (custom)
    initial begin
       q = 14'h0;
    end

    always @(posedge clock) begin
       q <= d;
    end

endmodule // rate_limiter$granted_bytes


module rate_limiter$tokens(d,q,clock);

    // Module arguments
    input wire  [31:0] d;
    output reg  [31:0] q;
    input wire  clock;

    // Update code (custom)
    initial begin
       q = 32'h0;
    end

    always @(posedge clock) begin
       q <= d;
    end

endmodule // rate_limiter$tokens
