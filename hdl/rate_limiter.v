// A token bucket in bytes with 18 fraction bits: each cycle adds the rate, up to the depth; a frame goes when its
// length is there, and takes it out (smcc.txt section 2.2: the rate limiter at the NIC).
// Scheme: Quantized congestion notification (qcn). smcc.txt 2.2, qcn-phase-plane.txt II; IEEE 802.1Q
// Scheme: Sliding mode congestion control (smcc). smcc.txt 4
// Parameters of the scheme are inputs: drive them from registers or with constants.
// Made by tidegate 0.1.0 with: tidegate emit --scheme qcn|smcc --out DIR

module rate_limiter (
    input  wire        clock,          // Rising edge counts
    input  wire        reset,          // Synchronous, active high
    input  wire [24:0] rate,           // Bytes per cycle, 18 fraction bits
    input  wire [13:0] bucket_bytes,   // Depth of the bucket, bytes, 128 to 16255
    input  wire [4:0]  overhead_bytes, // Added to each frame, bytes: 20 where preamble and gap count
    input  wire        request,        // A frame waits; hold until `grant`
    input  wire [13:0] request_bytes,  // Its length, bytes
    output wire        grant,          // It may start in this cycle
    output wire        oversize,       // It is longer than the bucket and can never go: discard and count it
    output wire        sent,           // A frame was granted in the cycle before
    output wire [13:0] sent_bytes      // Its length, bytes
);
    reg granted; // A frame was granted in the cycle before
    reg [13:0] granted_bytes; // Its length, bytes
    reg [31:0] level; // Tokens less the depth, bytes with 18 fraction bits, modulo 2^32: 0 is a full bucket, and no value between 0 and 2^25 comes up

    initial begin
        granted = 1'd0;
        granted_bytes = 14'd0;
        level = 32'd0;
    end
    assign sent = granted;
    assign sent_bytes = granted_bytes;
    wire [13:0] largest = bucket_bytes - {9'd0, overhead_bytes};
    wire allowed = request_bytes <= largest;
    assign oversize = request && !allowed;
    wire full = !(|level[31:25]);
    wire [14:0] whole = {1'd0, level[31:18]};
    wire [14:0] most = {1'd0, largest};
    wire [14:0] less_request = {1'd0, request_bytes} ^ 15'h7fff;
    wire [14:0] sums = whole ^ most ^ less_request;
    wire [14:0] carries = (whole & most) | (whole & less_request) | (most & less_request);
    wire [14:0] left = sums + ((carries << 1'd1) | 15'h1);
    wire affordable = request && allowed && (full || left[14]);
    assign grant = affordable;
    wire [31:0] filled = level + {7'd0, rate};
    wire [14:0] cost = {1'd0, request_bytes} + {10'd0, overhead_bytes};
    wire [31:0] cost_tokens = {17'd0, cost} << 5'd18;
    wire [31:0] empty = 32'd0 - {bucket_bytes, 18'd0};
    always @(posedge clock) begin
        granted_bytes <= request_bytes;
        granted <= affordable && !reset;
        if (reset) begin
            level <= empty;
        end else if (affordable) begin
            if (cost > {8'd0, rate[24:18]}) begin
                level <= filled - cost_tokens;
            end
        end else if (!(|filled[31:25])) begin
            level <= 32'd0;
        end else begin
            level <= filled;
        end
    end
    wire unused = &{1'b0, left[13:0]};
endmodule
