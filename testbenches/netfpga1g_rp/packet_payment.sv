// SPDX-License-Identifier: MIT OR Apache-2.0
// A packet that waits pays its octets, no more and no less, in parts that fit the bucket.

module packet_payment_properties (
    input clock,
    input reset,
    input [13:0] bucket,
    input [4:0] overhead,
    input waits,
    input [13:0] bytes,
    input begins,
    input grant,
    input refuse
);
    wire request, paid;
    wire [13:0] request_bytes;
    packet_payment device (
        .clock(clock), .reset(reset), .bucket_bytes(bucket), .overhead_bytes(overhead), .waits(waits), .bytes(bytes),
        .begins(begins), .request(request), .request_bytes(request_bytes), .grant(grant), .refuse(refuse), .paid(paid)
    );

    reg started = 0;
    always @(posedge clock) started <= 1;

    // The packet of the cycle before, if it has not begun. Bytes that were granted, and in how many parts.
    reg waited = 0;
    reg [13:0] bytes_before = 0;
    reg [14:0] sum = 0;
    reg [9:0] parts = 0;
    reg asked = 0, idle = 0, refused = 0;
    // Cycles in which the packet has waited and nothing was requested; in which bucket and overhead did not change, at most 3.
    reg [2:0] waiting = 0;
    reg [1:0] steady = 0;
    reg [13:0] asked_bytes = 0;
    wire [14:0] cost = request_bytes + {9'd0, overhead};
    wire same = bucket == bucket_before && overhead == overhead_before;
    reg [13:0] bucket_before = 0;
    reg [4:0] overhead_before = 0;
    always @(posedge clock) begin
        waited <= waits && !begins;
        bytes_before <= bytes;
        bucket_before <= bucket;
        overhead_before <= overhead;
        asked <= request && !grant && !refuse;
        asked_bytes <= request_bytes;
        idle <= waits && !paid && !request;
        refused <= refuse;
        waiting <= waits && !paid && !request && !begins ? waiting + 1 : 0;
        steady <= !same ? 0 : steady == 3 ? 3 : steady + 1;
        if (grant) begin
            sum <= sum + request_bytes;
            parts <= parts + 1;
        end
        if (begins) begin
            sum <= 0;
            parts <= 0;
        end
        if (reset) begin
            waited <= 0;
            asked <= 0;
            idle <= 0;
            refused <= 0;
            sum <= 0;
            parts <= 0;
            waiting <= 0;
            steady <= 0;
        end
    end
    always @(*) begin
        if (!started) assume(reset);
        assume(bucket >= 128 && bucket <= 16224);
        assume(!waited || (waits && bytes == bytes_before));
        assume(!(grant && refuse) && (request || !(grant || refuse)));
        assume(!begins || !waits || paid);
        assume(!begins || !request);
    end

    (* anyseq *) wire [13:0] inner_left, inner_largest, inner_half;
    (* anyseq *) wire inner_begun, inner_last, inner_sized, inner_fits;
    always @(*) if (started) begin
        pays_all_and_no_more: assert(!paid || (waits && sum == {1'd0, bytes}));
        a_part_fits_the_bucket: assert(!idle || !request || steady < 3 || !same || cost <= {1'd0, bucket});
        held_until_told: assert(!asked || (request && request_bytes == asked_bytes));
        refused_is_not_requested_again: assert(!refused || !request);
        asks_after_three_cycles: assert(waiting <= 3);
        asks_for_what_waits_and_is_not_paid: assert(!request || (waits && !paid));
        parts_are_not_small: assert(paid || sum >= 48 * parts);
        helper_sum: assert(sum <= {1'd0, bytes} || !waits);
        helper_none: assert(waits || (sum == 0 && parts == 0));
        helper_left: assert(!inner_begun || (waits && !paid && sum + inner_left == {1'd0, bytes}) || paid);
        helper_begun: assert(inner_begun || (sum == 0 && parts == 0 && !request && !paid && !inner_sized));
        helper_part: assert(!request || (inner_begun && request_bytes <= inner_left
            && (inner_last ? request_bytes == inner_left : request_bytes >= 48)));
        helper_waiting: assert(waiting <= (request ? 3 : !waits || paid ? 0 : inner_sized ? 2 : inner_begun ? 1 : 0));
        helper_sized: assert(!inner_sized || (inner_begun && !request && !paid));
        helper_largest: assert(inner_largest >= 97 && (steady == 0 || inner_largest == bucket_before - overhead_before));
        helper_fits: assert(!inner_sized || inner_fits || (inner_half <= inner_left && inner_half >= 48));
        helper_fitting: assert(!inner_sized || steady < 2 || (inner_fits == (inner_left <= bucket_before - overhead_before)
            && inner_half == (bucket_before - overhead_before) >> 1));
    end
endmodule
