// Block feedback alone, as it stands in the cp.
// Scheme: Quantized congestion notification (qcn). smcc.txt 2.2, qcn-phase-plane.txt II; IEEE 802.1Q
// Made by tidegate 0.1.0 with: tidegate emit --scheme qcn --out DIR

module feedback_qcn(clock,reset,sample_valid,controlled,q_offset,q_delta,frame_done,weight,feedback_full_scale,send_zero_feedback,interval_low_0,interval_low_1,interval_low_2,interval_low_3,interval_low_4,interval_low_5,interval_low_6,interval_low_7,feedback_valid,quantized_feedback,q_offset_units,q_delta_units,pop,interval_low);

    // Module arguments
    input wire  clock;
    input wire  reset;
    input wire  sample_valid;
    input wire  controlled;
    input wire  [24:0] q_offset;
    input wire  [24:0] q_delta;
    input wire  frame_done;
    input wire  [5:0] weight;
    input wire  [25:0] feedback_full_scale;
    input wire  send_zero_feedback;
    input wire  [23:0] interval_low_0;
    input wire  [23:0] interval_low_1;
    input wire  [23:0] interval_low_2;
    input wire  [23:0] interval_low_3;
    input wire  [23:0] interval_low_4;
    input wire  [23:0] interval_low_5;
    input wire  [23:0] interval_low_6;
    input wire  [23:0] interval_low_7;
    output reg  feedback_valid;
    output reg  [5:0] quantized_feedback;
    output reg  [15:0] q_offset_units;
    output reg  [15:0] q_delta_units;
    output reg  pop;
    output reg  [23:0] interval_low;

    // Stub signals
    reg  [24:0] offset$bytes;
    wire  [15:0] offset$units;
    reg  [24:0] delta$bytes;
    wire  [15:0] delta$units;
    reg  [3:0] step$d;
    wire  [3:0] step$q;
    reg  [31:0] remainder$d;
    wire  [31:0] remainder$q;
    reg  [5:0] quotient$d;
    wire  [5:0] quotient$q;
    reg  saturated$d;
    wire  saturated$q;
    reg  [2:0] level$d;
    wire  [2:0] level$q;

    // Local signals
    reg  [31:0] offset_extended;
    reg  [31:0] delta_extended;
    reg  [15:0] delta_low;
    reg  [15:0] delta_high;
    reg  [15:0] weight_extended;
    reg  [31:0] product_low;
    reg  [31:0] product_high;
    reg  [31:0] product_high_shifted;
    reg  [31:0] sum;
    reg  negative;
    reg  [31:0] full_scale;
    reg  [31:0] scaled;
    reg  [31:0] divisor;
    reg  fits;
    reg  [31:0] doubled;
    reg  [31:0] reduced;
    reg  [5:0] quotient_doubled;
    reg  [5:0] result;
    reg  send;
    reg  finish;

    // Sub module instances
    feedback_qcn$offset offset(
        .bytes(offset$bytes),
        .units(offset$units)
    );
    feedback_qcn$delta delta(
        .bytes(delta$bytes),
        .units(delta$units)
    );
    feedback_qcn$step step(
        .d(step$d),
        .q(step$q),
        .clock(clock)
    );
    feedback_qcn$remainder remainder(
        .d(remainder$d),
        .q(remainder$q),
        .clock(clock)
    );
    feedback_qcn$quotient quotient(
        .d(quotient$d),
        .q(quotient$q),
        .clock(clock)
    );
    feedback_qcn$saturated saturated(
        .d(saturated$d),
        .q(saturated$q),
        .clock(clock)
    );
    feedback_qcn$level level(
        .d(level$d),
        .q(level$q),
        .clock(clock)
    );

    // Update code
    always @(*) begin
        step$d = step$q;
        remainder$d = remainder$q;
        quotient$d = quotient$q;
        saturated$d = saturated$q;
        level$d = level$q;
        offset_extended = ((q_offset) & 32'hffffffff);
        if (q_offset[32'h18]) begin
            offset_extended = ((q_offset) & 32'hffffffff) | 64'hfe000000;
        end
        delta_extended = ((q_delta) & 32'hffffffff);
        if (q_delta[32'h18]) begin
            delta_extended = ((q_delta) & 32'hffffffff) | 64'hfe000000;
        end
        delta_low = delta_extended[(32'h0)+:(16)];
        delta_high = delta_extended[(32'h10)+:(16)];
        weight_extended = ((weight) & 16'hffff);
        product_low = delta_low * weight_extended;
        product_high = delta_high * weight_extended;
        product_high_shifted = product_high << 32'h10;
        sum = offset_extended + product_low + product_high_shifted;
        full_scale = ((feedback_full_scale) & 32'hffffffff);
        negative = remainder$q[32'h1f] | ~|remainder$q;
        scaled = (remainder$q << 32'h6) - remainder$q;
        divisor = full_scale << 32'h5;
        fits = remainder$q >= divisor;
        reduced = remainder$q;
        if (fits) begin
            reduced = remainder$q - divisor;
        end
        doubled = reduced << 32'h1;
        quotient_doubled = quotient$q << 32'h1;
        result = quotient$q;
        if (saturated$q) begin
            result = 32'h3f;
        end
        send = (step$q == 32'h8) & controlled & (|result | send_zero_feedback);
        finish = (step$q == 32'h8) & (frame_done | ~send);
        pop = finish;
        if (step$q == 32'h0) begin
            remainder$d = sum;
            quotient$d = 32'h0;
            saturated$d = 1'b0;
            if (sample_valid) begin
                step$d = 32'h1;
            end
        end
        else if (step$q == 32'h1) begin
            remainder$d = scaled;
            saturated$d = remainder$q >= full_scale;
            step$d = 32'h2;
            if (negative) begin
                level$d = 32'h0;
                pop = 1'b1;
                step$d = 32'h0;
            end
        end
        else if (step$q == 32'h8) begin
            level$d = result[(32'h3)+:(3)];
            if (finish) begin
                step$d = 32'h0;
            end
        end
        else begin
            remainder$d = doubled;
            quotient$d = quotient_doubled;
            if (fits) begin
                quotient$d = quotient_doubled | 32'h1;
            end
            step$d = step$q + 32'h1;
        end
        if (reset) begin
            step$d = 32'h0;
            level$d = 32'h0;
        end
        interval_low = interval_low_0;
        if (level$q == 32'h1) begin
            interval_low = interval_low_1;
        end
        else if (level$q == 32'h2) begin
            interval_low = interval_low_2;
        end
        else if (level$q == 32'h3) begin
            interval_low = interval_low_3;
        end
        else if (level$q == 32'h4) begin
            interval_low = interval_low_4;
        end
        else if (level$q == 32'h5) begin
            interval_low = interval_low_5;
        end
        else if (level$q == 32'h6) begin
            interval_low = interval_low_6;
        end
        else if (level$q == 32'h7) begin
            interval_low = interval_low_7;
        end
        offset$bytes = q_offset;
        delta$bytes = q_delta;
        q_offset_units = offset$units;
        q_delta_units = delta$units;
        quantized_feedback = result;
        feedback_valid = send;
    end

endmodule // feedback_qcn


module feedback_qcn$delta(bytes,units);

    // Module arguments
    input wire  [24:0] bytes;
    output reg  [15:0] units;

    // Local signals
    reg  [3:0] top;

    // Update code
    always @(*) begin
        top = bytes[(32'h15)+:(4)];
        units = bytes[(32'h6)+:(16)];
        if (bytes[32'h18] & (top != 32'hf)) begin
            units = 32'h8000;
        end
        else if (~bytes[32'h18] & |top) begin
            units = 32'h7fff;
        end
    end

endmodule // feedback_qcn$delta


module feedback_qcn$level(d,q,clock);

    // Module arguments
    input wire  [2:0] d;
    output reg  [2:0] q;
    input wire  clock;

    // Update code (custom)
    initial begin
       q = 3'h0;
    end

    always @(posedge clock) begin
       q <= d;
    end

endmodule // feedback_qcn$level


module feedback_qcn$offset(bytes,units);

    // Module arguments
    input wire  [24:0] bytes;
    output reg  [15:0] units;

    // Local signals
    reg  [3:0] top;

    // Update code
    always @(*) begin
        top = bytes[(32'h15)+:(4)];
        units = bytes[(32'h6)+:(16)];
        if (bytes[32'h18] & (top != 32'hf)) begin
            units = 32'h8000;
        end
        else if (~bytes[32'h18] & |top) begin
            units = 32'h7fff;
        end
    end

endmodule // feedback_qcn$offset


module feedback_qcn$quotient(d,q,clock);

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

endmodule // feedback_qcn$quotient


module feedback_qcn$remainder(d,q,clock);

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

endmodule // feedback_qcn$remainder


module feedback_qcn$saturated(d,q,clock);

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

endmodule // feedback_qcn$saturated


module feedback_qcn$step(d,q,clock);

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

endmodule // feedback_qcn$step
