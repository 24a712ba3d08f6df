// Block parser alone, as it stands in the rp.
// Scheme: Quantized congestion notification (qcn). smcc.txt 2.2, qcn-phase-plane.txt II; IEEE 802.1Q
// Made by tidegate 0.1.0 with: tidegate emit --scheme qcn --out DIR

module parser(clock,reset,data_high,data_low,octets,last,valid,ready,rp_mac_high,rp_mac_low,allowed_cpid_high,allowed_cpid_low,allowed_cpid_mask_high,allowed_cpid_mask_low,feedback_valid,feedback_ready,quantized_feedback,q_offset_units,q_delta_units,cpid_high,cpid_low,ignored_frames);

    // Module arguments
    input wire  clock;
    input wire  reset;
    input wire  [31:0] data_high;
    input wire  [31:0] data_low;
    input wire  [3:0] octets;
    input wire  last;
    input wire  valid;
    output reg  ready;
    input wire  [15:0] rp_mac_high;
    input wire  [31:0] rp_mac_low;
    input wire  [31:0] allowed_cpid_high;
    input wire  [31:0] allowed_cpid_low;
    input wire  [31:0] allowed_cpid_mask_high;
    input wire  [31:0] allowed_cpid_mask_low;
    output reg  feedback_valid;
    input wire  feedback_ready;
    output reg  [5:0] quantized_feedback;
    output reg  [15:0] q_offset_units;
    output reg  [15:0] q_delta_units;
    output reg  [31:0] cpid_high;
    output reg  [31:0] cpid_low;
    output reg  [31:0] ignored_frames;

    // Stub signals
    reg  [3:0] word$d;
    wire  [3:0] word$q;
    reg  rejected$d;
    wire  rejected$q;
    reg  tagged$d;
    wire  tagged$q;
    reg  pending$d;
    wire  pending$q;
    reg  [5:0] feedback$d;
    wire  [5:0] feedback$q;
    reg  [15:0] offset$d;
    wire  [15:0] offset$q;
    reg  [15:0] delta$d;
    wire  [15:0] delta$q;
    reg  [31:0] identifier_high$d;
    wire  [31:0] identifier_high$q;
    reg  [31:0] identifier_low$d;
    wire  [31:0] identifier_low$q;
    reg  [6:0] needed_less_one$d;
    wire  [6:0] needed_less_one$q;
    reg  [31:0] ignored$d;
    wire  [31:0] ignored$q;

    // Local signals
    reg  take;
    reg  reject;
    reg  [15:0] high_upper;
    reg  [15:0] high_lower;
    reg  [15:0] low_upper;
    reg  [15:0] low_lower;
    reg  [31:0] wrong_high;
    reg  [31:0] wrong_low;
    reg  [31:0] identifier_in_high;
    reg  [31:0] identifier_in_low;
    reg  [31:0] expected_high;
    reg  [15:0] expected_low;
    reg  [15:0] unit_length_field;
    reg  [6:0] unit_length_in;
    reg  [3:0] octets_less_one;
    reg  [6:0] length_less_one;
    reg  [6:0] most_less_one;
    reg  accept;

    // Sub module instances
    parser$word word(
        .d(word$d),
        .q(word$q),
        .clock(clock)
    );
    parser$rejected rejected(
        .d(rejected$d),
        .q(rejected$q),
        .clock(clock)
    );
    parser$tagged tagged(
        .d(tagged$d),
        .q(tagged$q),
        .clock(clock)
    );
    parser$pending pending(
        .d(pending$d),
        .q(pending$q),
        .clock(clock)
    );
    parser$feedback feedback(
        .d(feedback$d),
        .q(feedback$q),
        .clock(clock)
    );
    parser$offset offset(
        .d(offset$d),
        .q(offset$q),
        .clock(clock)
    );
    parser$delta delta(
        .d(delta$d),
        .q(delta$q),
        .clock(clock)
    );
    parser$identifier_high identifier_high(
        .d(identifier_high$d),
        .q(identifier_high$q),
        .clock(clock)
    );
    parser$identifier_low identifier_low(
        .d(identifier_low$d),
        .q(identifier_low$q),
        .clock(clock)
    );
    parser$needed_less_one needed_less_one(
        .d(needed_less_one$d),
        .q(needed_less_one$q),
        .clock(clock)
    );
    parser$ignored ignored(
        .d(ignored$d),
        .q(ignored$q),
        .clock(clock)
    );

    // Update code
    always @(*) begin
        word$d = word$q;
        rejected$d = rejected$q;
        tagged$d = tagged$q;
        pending$d = pending$q;
        feedback$d = feedback$q;
        offset$d = offset$q;
        delta$d = delta$q;
        identifier_high$d = identifier_high$q;
        identifier_low$d = identifier_low$q;
        needed_less_one$d = needed_less_one$q;
        ignored$d = ignored$q;
        ready = ~pending$q | feedback_ready;
        take = valid & (~pending$q | feedback_ready);
        if (feedback_ready) begin
            pending$d = 1'b0;
        end
        high_upper = data_high[(32'h10)+:(16)];
        high_lower = data_high[(32'h0)+:(16)];
        low_upper = data_low[(32'h10)+:(16)];
        low_lower = data_low[(32'h0)+:(16)];
        expected_high = (((rp_mac_high) & 32'hffffffff) << 32'h10) | ((rp_mac_low[(32'h10)+:(16)]) & 32'hffffffff);
        expected_low = rp_mac_low[(32'h0)+:(16)];
        identifier_in_high = data_high;
        identifier_in_low = data_low;
        unit_length_field = low_upper;
        if (tagged$q) begin
            identifier_in_high = data_low;
            identifier_in_low = data_high;
            unit_length_field = high_upper;
        end
        unit_length_in = unit_length_field[(32'h0)+:(7)];
        wrong_high = (identifier_in_high ^ allowed_cpid_high) & allowed_cpid_mask_high;
        wrong_low = (identifier_in_low ^ allowed_cpid_low) & allowed_cpid_mask_low;
        reject = rejected$q;
        if (word$q == 32'h0) begin
            reject = (data_high != expected_high) | (low_upper != expected_low);
        end
        else if (word$q == 32'h1) begin
            if (low_upper == 32'h22e7) begin
                reject = rejected$q | |low_lower[(32'hc)+:(4)];
            end
            else if (low_upper != 32'h8100) begin
                reject = 1'b1;
            end
        end
        else if (word$q == 32'h2) begin
            if (tagged$q) begin
                reject = rejected$q | (high_upper != 32'h22e7) | |high_lower[(32'hc)+:(4)] | |wrong_high;
            end
            else begin
                reject = rejected$q | |wrong_high | |wrong_low;
            end
        end
        else if (word$q == 32'h3) begin
            if (tagged$q) begin
                reject = rejected$q | |wrong_low;
            end
        end
        else if (((word$q == 32'h4) & ~tagged$q) | ((word$q == 32'h5) & tagged$q)) begin
            reject = rejected$q | (unit_length_field > 32'h40);
        end
        octets_less_one = octets - 32'h1;
        length_less_one = (((word$q) & 7'h7f) << 32'h3) | ((octets_less_one[(32'h0)+:(3)]) & 7'h7f);
        most_less_one = 32'h65;
        if (tagged$q) begin
            most_less_one = 32'h69;
        end
        accept = ~reject & (length_less_one >= 32'h3b) & (length_less_one <= most_less_one) & (length_less_one >= needed_less_one$q);
        if (take) begin
            rejected$d = reject;
            if (word$q != 32'hf) begin
                word$d = word$q + 32'h1;
            end
            if (word$q == 32'h1) begin
                tagged$d = low_upper == 32'h8100;
                feedback$d = data_low[(32'h0)+:(6)];
            end
            else if (word$q == 32'h2) begin
                identifier_high$d = identifier_in_high;
                if (tagged$q) begin
                    feedback$d = data_high[(32'h0)+:(6)];
                end
                else begin
                    identifier_low$d = identifier_in_low;
                end
            end
            else if (word$q == 32'h3) begin
                offset$d = high_upper;
                delta$d = high_lower;
                if (tagged$q) begin
                    identifier_low$d = identifier_in_low;
                    offset$d = low_upper;
                    delta$d = low_lower;
                end
            end
            else if (((word$q == 32'h4) & ~tagged$q) | ((word$q == 32'h5) & tagged$q)) begin
                needed_less_one$d = unit_length_in + 32'h25;
                if (tagged$q) begin
                    needed_less_one$d = unit_length_in + 32'h29;
                end
            end
            if (last) begin
                word$d = 32'h0;
                rejected$d = 1'b0;
                tagged$d = 1'b0;
                if (accept) begin
                    pending$d = 1'b1;
                end
                else begin
                    ignored$d = ignored$q + 32'h1;
                end
            end
        end
        if (reset) begin
            word$d = 32'h0;
            rejected$d = 1'b0;
            tagged$d = 1'b0;
            pending$d = 1'b0;
            ignored$d = 32'h0;
        end
        feedback_valid = pending$q;
        quantized_feedback = feedback$q;
        q_offset_units = offset$q;
        q_delta_units = delta$q;
        cpid_high = identifier_high$q;
        cpid_low = identifier_low$q;
        ignored_frames = ignored$q;
    end

endmodule // parser


module parser$delta(d,q,clock);

    // Module arguments
    input wire  [15:0] d;
    output reg  [15:0] q;
    input wire  clock;

    // Update code (custom)
    initial begin
       q = 16'h0;
    end

    always @(posedge clock) begin
       q <= d;
    end

endmodule // parser$delta


module parser$feedback(d,q,clock);

    // Module arguments
    input wire  [5:0] d;
    output reg  [5:0] q;
    input wire  clock;

    // Update code (custom)
    initial begin
       q = 6'h0;
    end

    always @(posedge clock) begin
       q <= d;
    end

endmodule // parser$feedback


module parser$identifier_high(d,q,clock);

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

endmodule // parser$identifier_high


module parser$identifier_low(d,q,clock);

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

endmodule // parser$identifier_low


module parser$ignored(d,q,clock);

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

endmodule // parser$ignored


module parser$needed_less_one(d,q,clock);

    // Module arguments
    input wire  [6:0] d;
    output reg  [6:0] q;
    input wire  clock;

    // Update code (custom)
    initial begin
       q = 7'h0;
    end

    always @(posedge clock) begin
       q <= d;
    end

endmodule // parser$needed_less_one


module parser$offset(d,q,clock);

    // Module arguments
    input wire  [15:0] d;
    output reg  [15:0] q;
    input wire  clock;

    // Update code (custom)
    initial begin
       q = 16'h0;
    end

    always @(posedge clock) begin
       q <= d;
    end

endmodule // parser$offset


module parser$pending(d,q,clock);

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

endmodule // parser$pending


module parser$rejected(d,q,clock);

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

endmodule // parser$rejected


module parser$tagged(d,q,clock);

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

endmodule // parser$tagged


module parser$word(d,q,clock);

    // Module arguments
    input wire  [3:0] d;
    output reg  [3:0] q;
    input wire  clock;

    // Update code (custom)
    initial begin
       q = 4'h0;
    end

    always @(posedge clock) begin
       q <= d;
    end

endmodule // parser$word
