// Reaction point, for the traffic source; parameters are ports.
// Scheme: Sliding mode congestion control (smcc). smcc.txt 4
// Made by tidegate 0.1.0 with: tidegate emit --scheme smcc --out DIR
// Parameters of the scheme are inputs: drive them from registers or with constants.

module smcc_reaction_point(clock,reset,data_high,data_low,octets,last,valid,ready,request,request_bytes,rp_mac_high,rp_mac_low,allowed_cpid_high,allowed_cpid_low,allowed_cpid_mask_high,allowed_cpid_mask_low,bucket_bytes,overhead_bytes,line_rate,min_rate,gain_a,gain_a_small,gain_b,t1_units,cpid_mask_high,cpid_mask_low,grant,oversize,current_rate,ignored_frames);

    // Module arguments
    input wire  clock;
    input wire  reset;
    input wire  [31:0] data_high;
    input wire  [31:0] data_low;
    input wire  [3:0] octets;
    input wire  last;
    input wire  valid;
    output reg  ready;
    input wire  request;
    input wire  [13:0] request_bytes;
    input wire  [15:0] rp_mac_high;
    input wire  [31:0] rp_mac_low;
    input wire  [31:0] allowed_cpid_high;
    input wire  [31:0] allowed_cpid_low;
    input wire  [31:0] allowed_cpid_mask_high;
    input wire  [31:0] allowed_cpid_mask_low;
    input wire  [13:0] bucket_bytes;
    input wire  [4:0] overhead_bytes;
    input wire  [24:0] line_rate;
    input wire  [24:0] min_rate;
    input wire  [31:0] gain_a;
    input wire  [31:0] gain_a_small;
    input wire  [31:0] gain_b;
    input wire  [15:0] t1_units;
    input wire  [31:0] cpid_mask_high;
    input wire  [31:0] cpid_mask_low;
    output reg  grant;
    output reg  oversize;
    output reg  [24:0] current_rate;
    output reg  [31:0] ignored_frames;

    // Stub signals
    reg  parser$reset;
    reg  [31:0] parser$data_high;
    reg  [31:0] parser$data_low;
    reg  [3:0] parser$octets;
    reg  parser$last;
    reg  parser$valid;
    wire  parser$ready;
    reg  [15:0] parser$rp_mac_high;
    reg  [31:0] parser$rp_mac_low;
    reg  [31:0] parser$allowed_cpid_high;
    reg  [31:0] parser$allowed_cpid_low;
    reg  [31:0] parser$allowed_cpid_mask_high;
    reg  [31:0] parser$allowed_cpid_mask_low;
    wire  parser$feedback_valid;
    reg  parser$feedback_ready;
    wire  [5:0] parser$quantized_feedback;
    wire  [15:0] parser$q_offset_units;
    wire  [15:0] parser$q_delta_units;
    wire  [31:0] parser$cpid_high;
    wire  [31:0] parser$cpid_low;
    wire  [31:0] parser$ignored_frames;
    reg  calculator$reset;
    reg  calculator$feedback_valid;
    wire  calculator$feedback_ready;
    reg  [15:0] calculator$q_offset_units;
    reg  [15:0] calculator$q_delta_units;
    reg  [31:0] calculator$cpid_high;
    reg  [31:0] calculator$cpid_low;
    reg  [24:0] calculator$line_rate;
    reg  [24:0] calculator$min_rate;
    reg  [31:0] calculator$gain_a;
    reg  [31:0] calculator$gain_a_small;
    reg  [31:0] calculator$gain_b;
    reg  [15:0] calculator$t1_units;
    reg  [31:0] calculator$cpid_mask_high;
    reg  [31:0] calculator$cpid_mask_low;
    wire  [24:0] calculator$current_rate;
    reg  rate_limiter$reset;
    reg  [24:0] rate_limiter$rate;
    reg  [13:0] rate_limiter$bucket_bytes;
    reg  [4:0] rate_limiter$overhead_bytes;
    reg  rate_limiter$request;
    reg  [13:0] rate_limiter$request_bytes;
    wire  rate_limiter$grant;
    wire  rate_limiter$oversize;
    wire  rate_limiter$sent;
    wire  [13:0] rate_limiter$sent_bytes;

    // Sub module instances
    smcc_reaction_point$parser parser(
        .clock(clock),
        .reset(parser$reset),
        .data_high(parser$data_high),
        .data_low(parser$data_low),
        .octets(parser$octets),
        .last(parser$last),
        .valid(parser$valid),
        .ready(parser$ready),
        .rp_mac_high(parser$rp_mac_high),
        .rp_mac_low(parser$rp_mac_low),
        .allowed_cpid_high(parser$allowed_cpid_high),
        .allowed_cpid_low(parser$allowed_cpid_low),
        .allowed_cpid_mask_high(parser$allowed_cpid_mask_high),
        .allowed_cpid_mask_low(parser$allowed_cpid_mask_low),
        .feedback_valid(parser$feedback_valid),
        .feedback_ready(parser$feedback_ready),
        .quantized_feedback(parser$quantized_feedback),
        .q_offset_units(parser$q_offset_units),
        .q_delta_units(parser$q_delta_units),
        .cpid_high(parser$cpid_high),
        .cpid_low(parser$cpid_low),
        .ignored_frames(parser$ignored_frames)
    );
    smcc_reaction_point$calculator calculator(
        .clock(clock),
        .reset(calculator$reset),
        .feedback_valid(calculator$feedback_valid),
        .feedback_ready(calculator$feedback_ready),
        .q_offset_units(calculator$q_offset_units),
        .q_delta_units(calculator$q_delta_units),
        .cpid_high(calculator$cpid_high),
        .cpid_low(calculator$cpid_low),
        .line_rate(calculator$line_rate),
        .min_rate(calculator$min_rate),
        .gain_a(calculator$gain_a),
        .gain_a_small(calculator$gain_a_small),
        .gain_b(calculator$gain_b),
        .t1_units(calculator$t1_units),
        .cpid_mask_high(calculator$cpid_mask_high),
        .cpid_mask_low(calculator$cpid_mask_low),
        .current_rate(calculator$current_rate)
    );
    smcc_reaction_point$rate_limiter rate_limiter(
        .clock(clock),
        .reset(rate_limiter$reset),
        .rate(rate_limiter$rate),
        .bucket_bytes(rate_limiter$bucket_bytes),
        .overhead_bytes(rate_limiter$overhead_bytes),
        .request(rate_limiter$request),
        .request_bytes(rate_limiter$request_bytes),
        .grant(rate_limiter$grant),
        .oversize(rate_limiter$oversize),
        .sent(rate_limiter$sent),
        .sent_bytes(rate_limiter$sent_bytes)
    );

    // Update code
    always @(*) begin
        parser$reset = reset;
        calculator$reset = reset;
        rate_limiter$reset = reset;
        parser$data_high = data_high;
        parser$data_low = data_low;
        parser$octets = octets;
        parser$last = last;
        parser$valid = valid;
        ready = parser$ready;
        parser$rp_mac_high = rp_mac_high;
        parser$rp_mac_low = rp_mac_low;
        parser$allowed_cpid_high = allowed_cpid_high;
        parser$allowed_cpid_low = allowed_cpid_low;
        parser$allowed_cpid_mask_high = allowed_cpid_mask_high;
        parser$allowed_cpid_mask_low = allowed_cpid_mask_low;
        ignored_frames = parser$ignored_frames;
        calculator$feedback_valid = parser$feedback_valid;
        parser$feedback_ready = calculator$feedback_ready;
        calculator$q_offset_units = parser$q_offset_units;
        calculator$q_delta_units = parser$q_delta_units;
        calculator$cpid_high = parser$cpid_high;
        calculator$cpid_low = parser$cpid_low;
        calculator$line_rate = line_rate;
        calculator$min_rate = min_rate;
        calculator$gain_a = gain_a;
        calculator$gain_a_small = gain_a_small;
        calculator$gain_b = gain_b;
        calculator$t1_units = t1_units;
        calculator$cpid_mask_high = cpid_mask_high;
        calculator$cpid_mask_low = cpid_mask_low;
        current_rate = calculator$current_rate;
        rate_limiter$rate = calculator$current_rate;
        rate_limiter$bucket_bytes = bucket_bytes;
        rate_limiter$overhead_bytes = overhead_bytes;
        rate_limiter$request = request;
        rate_limiter$request_bytes = request_bytes;
        grant = rate_limiter$grant;
        oversize = rate_limiter$oversize;
    end

endmodule // smcc_reaction_point


module smcc_reaction_point$calculator(clock,reset,feedback_valid,feedback_ready,q_offset_units,q_delta_units,cpid_high,cpid_low,line_rate,min_rate,gain_a,gain_a_small,gain_b,t1_units,cpid_mask_high,cpid_mask_low,current_rate);

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
    smcc_reaction_point$calculator$rate rate(
        .d(rate$d),
        .q(rate$q),
        .clock(clock)
    );
    smcc_reaction_point$calculator$stored_cpid_high stored_cpid_high(
        .d(stored_cpid_high$d),
        .q(stored_cpid_high$q),
        .clock(clock)
    );
    smcc_reaction_point$calculator$stored_cpid_low stored_cpid_low(
        .d(stored_cpid_low$d),
        .q(stored_cpid_low$q),
        .clock(clock)
    );
    smcc_reaction_point$calculator$chosen chosen(
        .d(chosen$d),
        .q(chosen$q),
        .clock(clock)
    );
    smcc_reaction_point$calculator$chosen_gain chosen_gain(
        .d(chosen_gain$d),
        .q(chosen_gain$q),
        .clock(clock)
    );
    smcc_reaction_point$calculator$chosen_valid chosen_valid(
        .d(chosen_valid$d),
        .q(chosen_valid$q),
        .clock(clock)
    );
    smcc_reaction_point$calculator$chosen_up chosen_up(
        .d(chosen_up$d),
        .q(chosen_up$q),
        .clock(clock)
    );
    smcc_reaction_point$calculator$whole_product whole_product(
        .d(whole_product$d),
        .q(whole_product$q),
        .clock(clock)
    );
    smcc_reaction_point$calculator$fraction_carry fraction_carry(
        .d(fraction_carry$d),
        .q(fraction_carry$q),
        .clock(clock)
    );
    smcc_reaction_point$calculator$product_valid product_valid(
        .d(product_valid$d),
        .q(product_valid$q),
        .clock(clock)
    );
    smcc_reaction_point$calculator$product_up product_up(
        .d(product_up$d),
        .q(product_up$q),
        .clock(clock)
    );
    smcc_reaction_point$calculator$step step(
        .d(step$d),
        .q(step$q),
        .clock(clock)
    );
    smcc_reaction_point$calculator$step_valid step_valid(
        .d(step_valid$d),
        .q(step_valid$q),
        .clock(clock)
    );
    smcc_reaction_point$calculator$step_up step_up(
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

endmodule // smcc_reaction_point$calculator


module smcc_reaction_point$calculator$chosen(d,q,clock);

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

endmodule // smcc_reaction_point$calculator$chosen


module smcc_reaction_point$calculator$chosen_gain(d,q,clock);

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

endmodule // smcc_reaction_point$calculator$chosen_gain


module smcc_reaction_point$calculator$chosen_up(d,q,clock);

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

endmodule // smcc_reaction_point$calculator$chosen_up


module smcc_reaction_point$calculator$chosen_valid(d,q,clock);

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

endmodule // smcc_reaction_point$calculator$chosen_valid


module smcc_reaction_point$calculator$fraction_carry(d,q,clock);

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

endmodule // smcc_reaction_point$calculator$fraction_carry


module smcc_reaction_point$calculator$product_up(d,q,clock);

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

endmodule // smcc_reaction_point$calculator$product_up


module smcc_reaction_point$calculator$product_valid(d,q,clock);

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

endmodule // smcc_reaction_point$calculator$product_valid


module smcc_reaction_point$calculator$rate(d,q,clock);

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

endmodule // smcc_reaction_point$calculator$rate


module smcc_reaction_point$calculator$step(d,q,clock);

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

endmodule // smcc_reaction_point$calculator$step


module smcc_reaction_point$calculator$step_up(d,q,clock);

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

endmodule // smcc_reaction_point$calculator$step_up


module smcc_reaction_point$calculator$step_valid(d,q,clock);

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

endmodule // smcc_reaction_point$calculator$step_valid


module smcc_reaction_point$calculator$stored_cpid_high(d,q,clock);

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

endmodule // smcc_reaction_point$calculator$stored_cpid_high


module smcc_reaction_point$calculator$stored_cpid_low(d,q,clock);

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

endmodule // smcc_reaction_point$calculator$stored_cpid_low


module smcc_reaction_point$calculator$whole_product(d,q,clock);

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

endmodule // smcc_reaction_point$calculator$whole_product


module smcc_reaction_point$parser(clock,reset,data_high,data_low,octets,last,valid,ready,rp_mac_high,rp_mac_low,allowed_cpid_high,allowed_cpid_low,allowed_cpid_mask_high,allowed_cpid_mask_low,feedback_valid,feedback_ready,quantized_feedback,q_offset_units,q_delta_units,cpid_high,cpid_low,ignored_frames);

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
    smcc_reaction_point$parser$word word(
        .d(word$d),
        .q(word$q),
        .clock(clock)
    );
    smcc_reaction_point$parser$rejected rejected(
        .d(rejected$d),
        .q(rejected$q),
        .clock(clock)
    );
    smcc_reaction_point$parser$tagged tagged(
        .d(tagged$d),
        .q(tagged$q),
        .clock(clock)
    );
    smcc_reaction_point$parser$pending pending(
        .d(pending$d),
        .q(pending$q),
        .clock(clock)
    );
    smcc_reaction_point$parser$feedback feedback(
        .d(feedback$d),
        .q(feedback$q),
        .clock(clock)
    );
    smcc_reaction_point$parser$offset offset(
        .d(offset$d),
        .q(offset$q),
        .clock(clock)
    );
    smcc_reaction_point$parser$delta delta(
        .d(delta$d),
        .q(delta$q),
        .clock(clock)
    );
    smcc_reaction_point$parser$identifier_high identifier_high(
        .d(identifier_high$d),
        .q(identifier_high$q),
        .clock(clock)
    );
    smcc_reaction_point$parser$identifier_low identifier_low(
        .d(identifier_low$d),
        .q(identifier_low$q),
        .clock(clock)
    );
    smcc_reaction_point$parser$needed_less_one needed_less_one(
        .d(needed_less_one$d),
        .q(needed_less_one$q),
        .clock(clock)
    );
    smcc_reaction_point$parser$ignored ignored(
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

endmodule // smcc_reaction_point$parser


module smcc_reaction_point$parser$delta(d,q,clock);

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

endmodule // smcc_reaction_point$parser$delta


module smcc_reaction_point$parser$feedback(d,q,clock);

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

endmodule // smcc_reaction_point$parser$feedback


module smcc_reaction_point$parser$identifier_high(d,q,clock);

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

endmodule // smcc_reaction_point$parser$identifier_high


module smcc_reaction_point$parser$identifier_low(d,q,clock);

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

endmodule // smcc_reaction_point$parser$identifier_low


module smcc_reaction_point$parser$ignored(d,q,clock);

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

endmodule // smcc_reaction_point$parser$ignored


module smcc_reaction_point$parser$needed_less_one(d,q,clock);

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

endmodule // smcc_reaction_point$parser$needed_less_one


module smcc_reaction_point$parser$offset(d,q,clock);

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

endmodule // smcc_reaction_point$parser$offset


module smcc_reaction_point$parser$pending(d,q,clock);

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

endmodule // smcc_reaction_point$parser$pending


module smcc_reaction_point$parser$rejected(d,q,clock);

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

endmodule // smcc_reaction_point$parser$rejected


module smcc_reaction_point$parser$tagged(d,q,clock);

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

endmodule // smcc_reaction_point$parser$tagged


module smcc_reaction_point$parser$word(d,q,clock);

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

endmodule // smcc_reaction_point$parser$word


module smcc_reaction_point$rate_limiter(clock,reset,rate,bucket_bytes,overhead_bytes,request,request_bytes,grant,oversize,sent,sent_bytes);

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
    smcc_reaction_point$rate_limiter$granted granted(
        .d(granted$d),
        .q(granted$q),
        .clock(clock)
    );
    smcc_reaction_point$rate_limiter$granted_bytes granted_bytes(
        .d(granted_bytes$d),
        .q(granted_bytes$q),
        .clock(clock)
    );
    smcc_reaction_point$rate_limiter$tokens tokens(
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

endmodule // smcc_reaction_point$rate_limiter


module smcc_reaction_point$rate_limiter$granted(d,q,clock);

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

endmodule // smcc_reaction_point$rate_limiter$granted


module smcc_reaction_point$rate_limiter$granted_bytes(d,q,clock);

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

endmodule // smcc_reaction_point$rate_limiter$granted_bytes


module smcc_reaction_point$rate_limiter$tokens(d,q,clock);

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

endmodule // smcc_reaction_point$rate_limiter$tokens
