// Block calculator alone, as it stands in the rp.
// Scheme: Sliding mode congestion control (smcc). smcc.txt 4
// Made by tidegate 0.1.0 with: tidegate emit --scheme smcc --out DIR

module calculator_smcc(clock,reset,feedback_valid,feedback_ready,q_offset_units,q_delta_units,cpid_high,cpid_low,line_rate,min_rate,gain_a,gain_a_small,gain_b,t1_units,cpid_mask_high,cpid_mask_low,current_rate);

    // Module arguments
    input wire  clock;
    input wire  reset;
    input wire  feedback_valid;
    output reg  feedback_ready;
    input wire  [15:0] q_offset_units;
    input wire  [15:0] q_delta_units;
    input wire  [31:0] cpid_high;
    input wire  [31:0] cpid_low;
    input wire  [24:0] line_rate;
    input wire  [24:0] min_rate;
    input wire  [31:0] gain_a;
    input wire  [31:0] gain_a_small;
    input wire  [31:0] gain_b;
    input wire  [15:0] t1_units;
    input wire  [31:0] cpid_mask_high;
    input wire  [31:0] cpid_mask_low;
    output reg  [24:0] current_rate;

    // Stub signals
    reg  [24:0] rate$d;
    wire  [24:0] rate$q;
    reg  [31:0] stored_cpid_high$d;
    wire  [31:0] stored_cpid_high$q;
    reg  [31:0] stored_cpid_low$d;
    wire  [31:0] stored_cpid_low$q;
    reg  [15:0] chosen$d;
    wire  [15:0] chosen$q;
    reg  [31:0] chosen_gain$d;
    wire  [31:0] chosen_gain$q;
    reg  chosen_valid$d;
    wire  chosen_valid$q;
    reg  chosen_up$d;
    wire  chosen_up$q;
    reg  [31:0] whole_product$d;
    wire  [31:0] whole_product$q;
    reg  [15:0] fraction_carry$d;
    wire  [15:0] fraction_carry$q;
    reg  product_valid$d;
    wire  product_valid$q;
    reg  product_up$d;
    wire  product_up$q;
    reg  [24:0] step$d;
    wire  [24:0] step$q;
    reg  step_valid$d;
    wire  step_valid$q;
    reg  step_up$d;
    wire  step_up$q;

    // Local signals
    reg  [15:0] offset_magnitude;
    reg  [15:0] delta_magnitude;
    reg  state_b;
    reg  increase;
    reg  [15:0] magnitude;
    reg  [31:0] gain;
    reg  [15:0] gain_whole;
    reg  [15:0] gain_fraction;
    reg  [31:0] fraction_product;
    reg  [31:0] product;
    reg  [31:0] masked_high;
    reg  [31:0] masked_low;
    reg  same_point;
    reg  [25:0] raised;
    reg  [24:0] room;

    // Sub module instances
    calculator_smcc$rate rate(
        .d(rate$d),
        .q(rate$q),
        .clock(clock)
    );
    calculator_smcc$stored_cpid_high stored_cpid_high(
        .d(stored_cpid_high$d),
        .q(stored_cpid_high$q),
        .clock(clock)
    );
    calculator_smcc$stored_cpid_low stored_cpid_low(
        .d(stored_cpid_low$d),
        .q(stored_cpid_low$q),
        .clock(clock)
    );
    calculator_smcc$chosen chosen(
        .d(chosen$d),
        .q(chosen$q),
        .clock(clock)
    );
    calculator_smcc$chosen_gain chosen_gain(
        .d(chosen_gain$d),
        .q(chosen_gain$q),
        .clock(clock)
    );
    calculator_smcc$chosen_valid chosen_valid(
        .d(chosen_valid$d),
        .q(chosen_valid$q),
        .clock(clock)
    );
    calculator_smcc$chosen_up chosen_up(
        .d(chosen_up$d),
        .q(chosen_up$q),
        .clock(clock)
    );
    calculator_smcc$whole_product whole_product(
        .d(whole_product$d),
        .q(whole_product$q),
        .clock(clock)
    );
    calculator_smcc$fraction_carry fraction_carry(
        .d(fraction_carry$d),
        .q(fraction_carry$q),
        .clock(clock)
    );
    calculator_smcc$product_valid product_valid(
        .d(product_valid$d),
        .q(product_valid$q),
        .clock(clock)
    );
    calculator_smcc$product_up product_up(
        .d(product_up$d),
        .q(product_up$q),
        .clock(clock)
    );
    calculator_smcc$step step(
        .d(step$d),
        .q(step$q),
        .clock(clock)
    );
    calculator_smcc$step_valid step_valid(
        .d(step_valid$d),
        .q(step_valid$q),
        .clock(clock)
    );
    calculator_smcc$step_up step_up(
        .d(step_up$d),
        .q(step_up$q),
        .clock(clock)
    );

    // Update code
    always @(*) begin
        rate$d = rate$q;
        stored_cpid_high$d = stored_cpid_high$q;
        stored_cpid_low$d = stored_cpid_low$q;
        chosen$d = chosen$q;
        chosen_gain$d = chosen_gain$q;
        chosen_valid$d = chosen_valid$q;
        chosen_up$d = chosen_up$q;
        whole_product$d = whole_product$q;
        fraction_carry$d = fraction_carry$q;
        product_valid$d = product_valid$q;
        product_up$d = product_up$q;
        step$d = step$q;
        step_valid$d = step_valid$q;
        step_up$d = step_up$q;
        feedback_ready = 1'b1;
        offset_magnitude = q_offset_units;
        if (q_offset_units[32'hf]) begin
            offset_magnitude = ((32'h0) & 16'hffff) - q_offset_units;
        end
        delta_magnitude = q_delta_units;
        if (q_delta_units[32'hf]) begin
            delta_magnitude = ((32'h0) & 16'hffff) - q_delta_units;
        end
        state_b = q_offset_units[32'hf] ^ q_delta_units[32'hf];
        magnitude = offset_magnitude;
        increase = q_offset_units[32'hf];
        gain = gain_a_small;
        if (state_b) begin
            magnitude = delta_magnitude;
            increase = q_delta_units[32'hf];
            gain = gain_b;
        end
        else if (delta_magnitude > t1_units) begin
            gain = gain_a;
        end
        chosen$d = magnitude;
        chosen_gain$d = gain;
        chosen_up$d = increase;
        gain_whole = chosen_gain$q[(32'h10)+:(16)];
        gain_fraction = chosen_gain$q[(32'h0)+:(16)];
        whole_product$d = chosen$q * gain_whole;
        fraction_product = chosen$q * gain_fraction;
        fraction_carry$d = fraction_product[(32'h10)+:(16)];
        product_valid$d = chosen_valid$q;
        product_up$d = chosen_up$q;
        product = whole_product$q + ((fraction_carry$q) & 32'hffffffff);
        step$d = product[(32'h0)+:(25)];
        if (|product[(32'h19)+:(7)]) begin
            step$d = 32'h1ffffff;
        end
        step_valid$d = product_valid$q;
        step_up$d = product_up$q;
        masked_high = cpid_high & cpid_mask_high;
        masked_low = cpid_low & cpid_mask_low;
        same_point = (masked_high == stored_cpid_high$q) & (masked_low == stored_cpid_low$q);
        chosen_valid$d = feedback_valid & (~increase | same_point);
        if (feedback_valid & ~increase) begin
            stored_cpid_high$d = masked_high;
            stored_cpid_low$d = masked_low;
        end
        current_rate = rate$q;
        raised = ((rate$q) & 26'h3ffffff) + ((step$q) & 26'h3ffffff);
        room = rate$q - min_rate;
        if (step_valid$q) begin
            if (step_up$q) begin
                rate$d = raised[(32'h0)+:(25)];
                if (raised > ((line_rate) & 26'h3ffffff)) begin
                    rate$d = line_rate;
                end
            end
            else begin
                rate$d = rate$q - step$q;
                if (step$q > room) begin
                    rate$d = min_rate;
                end
            end
        end
        if (reset) begin
            rate$d = line_rate;
            chosen_valid$d = 1'b0;
            product_valid$d = 1'b0;
            step_valid$d = 1'b0;
            stored_cpid_high$d = 32'h0;
            stored_cpid_low$d = 32'h0;
        end
    end

endmodule // calculator_smcc


module calculator_smcc$chosen(d,q,clock);

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

endmodule // calculator_smcc$chosen


module calculator_smcc$chosen_gain(d,q,clock);

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

endmodule // calculator_smcc$chosen_gain


module calculator_smcc$chosen_up(d,q,clock);

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

endmodule // calculator_smcc$chosen_up


module calculator_smcc$chosen_valid(d,q,clock);

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

endmodule // calculator_smcc$chosen_valid


module calculator_smcc$fraction_carry(d,q,clock);

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

endmodule // calculator_smcc$fraction_carry


module calculator_smcc$product_up(d,q,clock);

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

endmodule // calculator_smcc$product_up


module calculator_smcc$product_valid(d,q,clock);

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

endmodule // calculator_smcc$product_valid


module calculator_smcc$rate(d,q,clock);

    // Module arguments
    input wire  [24:0] d;
    output reg  [24:0] q;
    input wire  clock;

    // Update code (custom)
    initial begin
       q = 25'h0;
    end

    always @(posedge clock) begin
       q <= d;
    end

endmodule // calculator_smcc$rate


module calculator_smcc$step(d,q,clock);

    // Module arguments
    input wire  [24:0] d;
    output reg  [24:0] q;
    input wire  clock;

    // Update code (custom)
    initial begin
       q = 25'h0;
    end

    always @(posedge clock) begin
       q <= d;
    end

endmodule // calculator_smcc$step


module calculator_smcc$step_up(d,q,clock);

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

endmodule // calculator_smcc$step_up


module calculator_smcc$step_valid(d,q,clock);

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

endmodule // calculator_smcc$step_valid


module calculator_smcc$stored_cpid_high(d,q,clock);

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

endmodule // calculator_smcc$stored_cpid_high


module calculator_smcc$stored_cpid_low(d,q,clock);

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

endmodule // calculator_smcc$stored_cpid_low


module calculator_smcc$whole_product(d,q,clock);

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

endmodule // calculator_smcc$whole_product
