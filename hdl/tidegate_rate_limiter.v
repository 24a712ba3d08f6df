// SPDX-License-Identifier: MIT OR Apache-2.0
// A token bucket that counts bytes with 18 fraction bits. Each cycle adds the rate, up to the depth
// of the bucket. A frame is granted when the bucket holds its length, and the grant removes this
// length (Jiang 2015b, section 2.2: the rate limiter).
//
// If the bucket holds enough bytes in cycle t, `grant` is high in cycle t + 1, for one cycle: the
// requested frame may start. Hold `request` and `request_bytes` until `grant`, also in the cycle of
// the grant: the length of the cycle before is paid then. The next grant can come two cycles later.
// A frame longer than the bucket can never be granted: `oversize` is high in the same cycle, and
// the source requests it in parts, or counts it and does something else. A new depth or overhead
// counts one cycle later: in the first cycle after power-up `oversize` may be wrong. Reset empties
// the bucket, so that never more than rate * time + depth is granted. In the cycle of a grant the
// bucket loses the length of the frame and gains the rate, but its level never rises: a frame
// shorter than the rate of one cycle costs as much as the rate of one cycle. A bucket that is
// deeper than the frame by at least the rate of two cycles loses no bytes while it waits for a
// grant.
//
// Part of: qcn, bcn, smcc, asm, dsm.
// Parameters of the scheme are inputs: drive them from registers or with constants.
// Made by tidegate 0.2.0 with: tidegate emit --scheme qcn|bcn|smcc|asm|dsm --out DIR

`default_nettype none

module tidegate_rate_limiter (
    input  wire        clock,          // Clock, rising edge
    input  wire        reset,          // Synchronous reset, active high
    input  wire [24:0] rate,           // Rate, bytes per cycle, 18 fraction bits
    input  wire [13:0] bucket_bytes,   // Depth of the bucket, bytes, 128 to 16224
    // Bytes added to the length of each frame: 20 if preamble and inter-frame gap count, else 0
    input  wire [4:0]  overhead_bytes,
    input  wire        request,        // A frame waits to be sent; hold until `grant`
    // Length of the frame that waits, bytes; valid with `request`, hold until `grant`
    input  wire [13:0] request_bytes,
    output wire        grant,          // The requested frame may start in this cycle
    output wire        oversize        // The requested frame is longer than the bucket and will never be granted
);
    // The longest frame, bytes: the depth less the overhead, of the cycle before. What depends on parameters only comes
    // from registers, which constants remove
    reg [13:0] largest;
    reg [14:0] cost; // What the request costs: its length and the overhead, of the cycle before
    reg granted; // In the cycle before, the bucket held enough bytes for the request
    // Bytes in the bucket minus its depth, 18 fraction bits, modulo 2^32: 0 means full, also at power-up. Values from 1
    // to 2^25 - 1 do not occur
    reg [31:0] level;

    initial begin
        granted = 1'd0;
        level = 32'd0;
    end

    assign grant = granted;
    wire [13:0] whole = level[31:18];
    wire [13:0] less_request = request_bytes ^ 14'h3fff;
    wire allowed = request_bytes <= largest;
    assign oversize = request && !allowed;

    // The bucket must hold the length. One carry chain gives the sign of the margin
    wire full = !(|level[31:25]);
    wire [13:0] sums = whole ^ largest ^ less_request;
    wire [13:0] carries = (whole & largest) | (whole & less_request) | (largest & less_request);
    wire [14:0] margin = {1'd0, sums} + {carries, 1'd1};
    wire enough = full || !margin[14];

    // Level without a grant: add the rate; a carry out of bit 31 is a level above the depth
    wire [32:0] filled = {1'd0, level} + {8'd0, rate};
    wire [13:0] less_cost = cost[13:0] ^ 14'h3fff;
    wire [15:0] rate_whole = {9'd0, rate[24:18]};
    wire [15:0] growth = rate_whole - {1'd0, cost};
    wire [13:0] rate_low = rate_whole[13:0];
    wire [13:0] paid_sums = whole ^ rate_low ^ less_cost;
    wire [13:0] paid_carries = (whole & rate_low) | (whole & less_cost) | (rate_low & less_cost);
    wire [17:0] fraction = level[17:0];
    wire [17:0] rate_fraction = rate[17:0];
    wire [31:0] paid = {paid_sums, fraction} + {paid_carries[12:0], 1'd1, rate_fraction};

    // Level of an empty bucket, for reset
    wire [31:0] empty = -{bucket_bytes, 18'd0};

    always @(posedge clock) begin
        // The request must fit the bucket. The overhead is subtracted from the depth
        largest <= bucket_bytes - {9'd0, overhead_bytes};
        granted <= request && allowed && enough && !granted;

        // Level with a grant: add the rate, subtract what the frame costs
        cost <= {1'd0, request_bytes} + {10'd0, overhead_bytes};

        // After a grant the level never rises; without a grant it stops at the depth
        if (!granted || growth[15]) begin
            if (granted) begin
                level <= paid;
            end else if (full || filled[32]) begin
                level <= 32'd0;
            end else begin
                level <= filled[31:0];
            end
        end
        if (reset) begin
            level <= empty;
            granted <= 1'd0;
        end
    end

    wire unused = &{1'b0, margin[13:0], growth[14:0], paid_carries[13]};
endmodule

`default_nettype wire
