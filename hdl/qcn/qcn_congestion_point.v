// Congestion point, for the switch; parameters are ports.
// Scheme: Quantized congestion notification (qcn). smcc.txt 2.2, qcn-phase-plane.txt II; IEEE 802.1Q
// Made by tidegate 0.1.0 with: tidegate emit --scheme qcn --out DIR
// Parameters of the scheme are inputs: drive them from registers or with constants.

module qcn_congestion_point(clock,reset,enqueue,enqueue_bytes,source_mac_high,source_mac_low,destination_mac_high,destination_mac_low,tagged,vlan_tci,controlled,dequeue,dequeue_bytes,sample_mode,jitter_ratio,seed,q0_bytes,cpid_high,cpid_low,cp_mac_high,cp_mac_low,weight,feedback_full_scale,send_zero_feedback,interval_low_0,interval_low_1,interval_low_2,interval_low_3,interval_low_4,interval_low_5,interval_low_6,interval_low_7,queue_bytes,clamped,sample,ready,lost,data_high,data_low,octets,last,valid,data_ready);

    // Module arguments
    input wire  clock;
    input wire  reset;
    input wire  enqueue;
    input wire  [23:0] enqueue_bytes;
    input wire  [15:0] source_mac_high;
    input wire  [31:0] source_mac_low;
    input wire  [15:0] destination_mac_high;
    input wire  [31:0] destination_mac_low;
    input wire  tagged;
    input wire  [15:0] vlan_tci;
    input wire  controlled;
    input wire  dequeue;
    input wire  [23:0] dequeue_bytes;
    input wire  [1:0] sample_mode;
    input wire  [15:0] jitter_ratio;
    input wire  [15:0] seed;
    input wire  [23:0] q0_bytes;
    input wire  [31:0] cpid_high;
    input wire  [31:0] cpid_low;
    input wire  [15:0] cp_mac_high;
    input wire  [31:0] cp_mac_low;
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
    output reg  [23:0] queue_bytes;
    output reg  clamped;
    output reg  sample;
    output reg  ready;
    output reg  lost;
    output reg  [31:0] data_high;
    output reg  [31:0] data_low;
    output reg  [3:0] octets;
    output reg  last;
    output reg  valid;
    input wire  data_ready;

    // Stub signals
    reg  sampler$reset;
    reg  sampler$enqueue;
    reg  [23:0] sampler$enqueue_bytes;
    reg  [23:0] sampler$interval_low;
    reg  [1:0] sampler$sample_mode;
    reg  [15:0] sampler$jitter_ratio;
    reg  [15:0] sampler$seed;
    wire  sampler$sample;
    reg  queue_monitor$reset;
    reg  queue_monitor$enqueue;
    reg  [23:0] queue_monitor$enqueue_bytes;
    reg  queue_monitor$dequeue;
    reg  [23:0] queue_monitor$dequeue_bytes;
    reg  queue_monitor$sample;
    reg  [23:0] queue_monitor$q0_bytes;
    wire  [23:0] queue_monitor$queue_bytes;
    wire  [24:0] queue_monitor$q_offset;
    wire  [24:0] queue_monitor$q_delta;
    wire  queue_monitor$clamped;
    reg  sample_queue$reset;
    reg  sample_queue$enqueue;
    reg  sample_queue$sample;
    reg  [24:0] sample_queue$q_offset;
    reg  [24:0] sample_queue$q_delta;
    reg  sample_queue$controlled;
    reg  [15:0] sample_queue$source_mac_high;
    reg  [31:0] sample_queue$source_mac_low;
    reg  [15:0] sample_queue$destination_mac_high;
    reg  [31:0] sample_queue$destination_mac_low;
    reg  sample_queue$tagged;
    reg  [15:0] sample_queue$vlan_tci;
    reg  sample_queue$pop;
    wire  sample_queue$ready;
    wire  sample_queue$lost;
    wire  sample_queue$head_valid;
    wire  [24:0] sample_queue$head_q_offset;
    wire  [24:0] sample_queue$head_q_delta;
    wire  sample_queue$head_controlled;
    wire  [15:0] sample_queue$head_source_mac_high;
    wire  [31:0] sample_queue$head_source_mac_low;
    wire  [15:0] sample_queue$head_destination_mac_high;
    wire  [31:0] sample_queue$head_destination_mac_low;
    wire  sample_queue$head_tagged;
    wire  [15:0] sample_queue$head_vlan_tci;
    reg  feedback$reset;
    reg  feedback$sample_valid;
    reg  feedback$controlled;
    reg  [24:0] feedback$q_offset;
    reg  [24:0] feedback$q_delta;
    reg  feedback$frame_done;
    reg  [5:0] feedback$weight;
    reg  [25:0] feedback$feedback_full_scale;
    reg  feedback$send_zero_feedback;
    reg  [23:0] feedback$interval_low_0;
    reg  [23:0] feedback$interval_low_1;
    reg  [23:0] feedback$interval_low_2;
    reg  [23:0] feedback$interval_low_3;
    reg  [23:0] feedback$interval_low_4;
    reg  [23:0] feedback$interval_low_5;
    reg  [23:0] feedback$interval_low_6;
    reg  [23:0] feedback$interval_low_7;
    wire  feedback$feedback_valid;
    wire  [5:0] feedback$quantized_feedback;
    wire  [15:0] feedback$q_offset_units;
    wire  [15:0] feedback$q_delta_units;
    wire  feedback$pop;
    wire  [23:0] feedback$interval_low;
    reg  packet_generator$reset;
    reg  packet_generator$feedback_valid;
    reg  [5:0] packet_generator$quantized_feedback;
    reg  [15:0] packet_generator$q_offset_units;
    reg  [15:0] packet_generator$q_delta_units;
    reg  [15:0] packet_generator$source_mac_high;
    reg  [31:0] packet_generator$source_mac_low;
    reg  [15:0] packet_generator$destination_mac_high;
    reg  [31:0] packet_generator$destination_mac_low;
    reg  packet_generator$tagged;
    reg  [15:0] packet_generator$vlan_tci;
    reg  [31:0] packet_generator$cpid_high;
    reg  [31:0] packet_generator$cpid_low;
    reg  [15:0] packet_generator$cp_mac_high;
    reg  [31:0] packet_generator$cp_mac_low;
    wire  packet_generator$frame_done;
    wire  [31:0] packet_generator$data_high;
    wire  [31:0] packet_generator$data_low;
    wire  [3:0] packet_generator$octets;
    wire  packet_generator$last;
    wire  packet_generator$valid;
    reg  packet_generator$ready;

    // Sub module instances
    qcn_congestion_point$sampler sampler(
        .clock(clock),
        .reset(sampler$reset),
        .enqueue(sampler$enqueue),
        .enqueue_bytes(sampler$enqueue_bytes),
        .interval_low(sampler$interval_low),
        .sample_mode(sampler$sample_mode),
        .jitter_ratio(sampler$jitter_ratio),
        .seed(sampler$seed),
        .sample(sampler$sample)
    );
    qcn_congestion_point$queue_monitor queue_monitor(
        .clock(clock),
        .reset(queue_monitor$reset),
        .enqueue(queue_monitor$enqueue),
        .enqueue_bytes(queue_monitor$enqueue_bytes),
        .dequeue(queue_monitor$dequeue),
        .dequeue_bytes(queue_monitor$dequeue_bytes),
        .sample(queue_monitor$sample),
        .q0_bytes(queue_monitor$q0_bytes),
        .queue_bytes(queue_monitor$queue_bytes),
        .q_offset(queue_monitor$q_offset),
        .q_delta(queue_monitor$q_delta),
        .clamped(queue_monitor$clamped)
    );
    qcn_congestion_point$sample_queue sample_queue(
        .clock(clock),
        .reset(sample_queue$reset),
        .enqueue(sample_queue$enqueue),
        .sample(sample_queue$sample),
        .q_offset(sample_queue$q_offset),
        .q_delta(sample_queue$q_delta),
        .controlled(sample_queue$controlled),
        .source_mac_high(sample_queue$source_mac_high),
        .source_mac_low(sample_queue$source_mac_low),
        .destination_mac_high(sample_queue$destination_mac_high),
        .destination_mac_low(sample_queue$destination_mac_low),
        .tagged(sample_queue$tagged),
        .vlan_tci(sample_queue$vlan_tci),
        .pop(sample_queue$pop),
        .ready(sample_queue$ready),
        .lost(sample_queue$lost),
        .head_valid(sample_queue$head_valid),
        .head_q_offset(sample_queue$head_q_offset),
        .head_q_delta(sample_queue$head_q_delta),
        .head_controlled(sample_queue$head_controlled),
        .head_source_mac_high(sample_queue$head_source_mac_high),
        .head_source_mac_low(sample_queue$head_source_mac_low),
        .head_destination_mac_high(sample_queue$head_destination_mac_high),
        .head_destination_mac_low(sample_queue$head_destination_mac_low),
        .head_tagged(sample_queue$head_tagged),
        .head_vlan_tci(sample_queue$head_vlan_tci)
    );
    qcn_congestion_point$feedback feedback(
        .clock(clock),
        .reset(feedback$reset),
        .sample_valid(feedback$sample_valid),
        .controlled(feedback$controlled),
        .q_offset(feedback$q_offset),
        .q_delta(feedback$q_delta),
        .frame_done(feedback$frame_done),
        .weight(feedback$weight),
        .feedback_full_scale(feedback$feedback_full_scale),
        .send_zero_feedback(feedback$send_zero_feedback),
        .interval_low_0(feedback$interval_low_0),
        .interval_low_1(feedback$interval_low_1),
        .interval_low_2(feedback$interval_low_2),
        .interval_low_3(feedback$interval_low_3),
        .interval_low_4(feedback$interval_low_4),
        .interval_low_5(feedback$interval_low_5),
        .interval_low_6(feedback$interval_low_6),
        .interval_low_7(feedback$interval_low_7),
        .feedback_valid(feedback$feedback_valid),
        .quantized_feedback(feedback$quantized_feedback),
        .q_offset_units(feedback$q_offset_units),
        .q_delta_units(feedback$q_delta_units),
        .pop(feedback$pop),
        .interval_low(feedback$interval_low)
    );
    qcn_congestion_point$packet_generator packet_generator(
        .clock(clock),
        .reset(packet_generator$reset),
        .feedback_valid(packet_generator$feedback_valid),
        .quantized_feedback(packet_generator$quantized_feedback),
        .q_offset_units(packet_generator$q_offset_units),
        .q_delta_units(packet_generator$q_delta_units),
        .source_mac_high(packet_generator$source_mac_high),
        .source_mac_low(packet_generator$source_mac_low),
        .destination_mac_high(packet_generator$destination_mac_high),
        .destination_mac_low(packet_generator$destination_mac_low),
        .tagged(packet_generator$tagged),
        .vlan_tci(packet_generator$vlan_tci),
        .cpid_high(packet_generator$cpid_high),
        .cpid_low(packet_generator$cpid_low),
        .cp_mac_high(packet_generator$cp_mac_high),
        .cp_mac_low(packet_generator$cp_mac_low),
        .frame_done(packet_generator$frame_done),
        .data_high(packet_generator$data_high),
        .data_low(packet_generator$data_low),
        .octets(packet_generator$octets),
        .last(packet_generator$last),
        .valid(packet_generator$valid),
        .ready(packet_generator$ready)
    );

    // Update code
    always @(*) begin
        sampler$reset = reset;
        queue_monitor$reset = reset;
        sample_queue$reset = reset;
        feedback$reset = reset;
        packet_generator$reset = reset;
        sampler$enqueue = enqueue;
        sampler$enqueue_bytes = enqueue_bytes;
        sampler$sample_mode = sample_mode;
        sampler$jitter_ratio = jitter_ratio;
        sampler$seed = seed;
        sampler$interval_low = feedback$interval_low;
        sample = sampler$sample;
        queue_monitor$enqueue = enqueue;
        queue_monitor$enqueue_bytes = enqueue_bytes;
        queue_monitor$dequeue = dequeue;
        queue_monitor$dequeue_bytes = dequeue_bytes;
        queue_monitor$sample = sampler$sample;
        queue_monitor$q0_bytes = q0_bytes;
        queue_bytes = queue_monitor$queue_bytes;
        clamped = queue_monitor$clamped;
        sample_queue$enqueue = enqueue;
        sample_queue$sample = sampler$sample;
        sample_queue$q_offset = queue_monitor$q_offset;
        sample_queue$q_delta = queue_monitor$q_delta;
        sample_queue$controlled = controlled;
        sample_queue$source_mac_high = source_mac_high;
        sample_queue$source_mac_low = source_mac_low;
        sample_queue$destination_mac_high = destination_mac_high;
        sample_queue$destination_mac_low = destination_mac_low;
        sample_queue$tagged = tagged;
        sample_queue$vlan_tci = vlan_tci;
        sample_queue$pop = feedback$pop;
        ready = sample_queue$ready;
        lost = sample_queue$lost;
        feedback$sample_valid = sample_queue$head_valid;
        feedback$controlled = sample_queue$head_controlled;
        feedback$q_offset = sample_queue$head_q_offset;
        feedback$q_delta = sample_queue$head_q_delta;
        feedback$frame_done = packet_generator$frame_done;
        feedback$weight = weight;
        feedback$feedback_full_scale = feedback_full_scale;
        feedback$send_zero_feedback = send_zero_feedback;
        feedback$interval_low_0 = interval_low_0;
        feedback$interval_low_1 = interval_low_1;
        feedback$interval_low_2 = interval_low_2;
        feedback$interval_low_3 = interval_low_3;
        feedback$interval_low_4 = interval_low_4;
        feedback$interval_low_5 = interval_low_5;
        feedback$interval_low_6 = interval_low_6;
        feedback$interval_low_7 = interval_low_7;
        packet_generator$feedback_valid = feedback$feedback_valid;
        packet_generator$quantized_feedback = feedback$quantized_feedback;
        packet_generator$q_offset_units = feedback$q_offset_units;
        packet_generator$q_delta_units = feedback$q_delta_units;
        packet_generator$source_mac_high = sample_queue$head_source_mac_high;
        packet_generator$source_mac_low = sample_queue$head_source_mac_low;
        packet_generator$destination_mac_high = sample_queue$head_destination_mac_high;
        packet_generator$destination_mac_low = sample_queue$head_destination_mac_low;
        packet_generator$tagged = sample_queue$head_tagged;
        packet_generator$vlan_tci = sample_queue$head_vlan_tci;
        packet_generator$cpid_high = cpid_high;
        packet_generator$cpid_low = cpid_low;
        packet_generator$cp_mac_high = cp_mac_high;
        packet_generator$cp_mac_low = cp_mac_low;
        packet_generator$ready = data_ready;
        data_high = packet_generator$data_high;
        data_low = packet_generator$data_low;
        octets = packet_generator$octets;
        last = packet_generator$last;
        valid = packet_generator$valid;
    end

endmodule // qcn_congestion_point


module qcn_congestion_point$feedback(clock,reset,sample_valid,controlled,q_offset,q_delta,frame_done,weight,feedback_full_scale,send_zero_feedback,interval_low_0,interval_low_1,interval_low_2,interval_low_3,interval_low_4,interval_low_5,interval_low_6,interval_low_7,feedback_valid,quantized_feedback,q_offset_units,q_delta_units,pop,interval_low);

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
    qcn_congestion_point$feedback$offset offset(
        .bytes(offset$bytes),
        .units(offset$units)
    );
    qcn_congestion_point$feedback$delta delta(
        .bytes(delta$bytes),
        .units(delta$units)
    );
    qcn_congestion_point$feedback$step step(
        .d(step$d),
        .q(step$q),
        .clock(clock)
    );
    qcn_congestion_point$feedback$remainder remainder(
        .d(remainder$d),
        .q(remainder$q),
        .clock(clock)
    );
    qcn_congestion_point$feedback$quotient quotient(
        .d(quotient$d),
        .q(quotient$q),
        .clock(clock)
    );
    qcn_congestion_point$feedback$saturated saturated(
        .d(saturated$d),
        .q(saturated$q),
        .clock(clock)
    );
    qcn_congestion_point$feedback$level level(
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

endmodule // qcn_congestion_point$feedback


module qcn_congestion_point$feedback$delta(bytes,units);

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

endmodule // qcn_congestion_point$feedback$delta


module qcn_congestion_point$feedback$level(d,q,clock);

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

endmodule // qcn_congestion_point$feedback$level


module qcn_congestion_point$feedback$offset(bytes,units);

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

endmodule // qcn_congestion_point$feedback$offset


module qcn_congestion_point$feedback$quotient(d,q,clock);

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

endmodule // qcn_congestion_point$feedback$quotient


module qcn_congestion_point$feedback$remainder(d,q,clock);

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

endmodule // qcn_congestion_point$feedback$remainder


module qcn_congestion_point$feedback$saturated(d,q,clock);

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

endmodule // qcn_congestion_point$feedback$saturated


module qcn_congestion_point$feedback$step(d,q,clock);

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

endmodule // qcn_congestion_point$feedback$step


module qcn_congestion_point$packet_generator(clock,reset,feedback_valid,quantized_feedback,q_offset_units,q_delta_units,source_mac_high,source_mac_low,destination_mac_high,destination_mac_low,tagged,vlan_tci,cpid_high,cpid_low,cp_mac_high,cp_mac_low,frame_done,data_high,data_low,octets,last,valid,ready);

    // Module arguments
    input wire  clock;
    input wire  reset;
    input wire  feedback_valid;
    input wire  [5:0] quantized_feedback;
    input wire  [15:0] q_offset_units;
    input wire  [15:0] q_delta_units;
    input wire  [15:0] source_mac_high;
    input wire  [31:0] source_mac_low;
    input wire  [15:0] destination_mac_high;
    input wire  [31:0] destination_mac_low;
    input wire  tagged;
    input wire  [15:0] vlan_tci;
    input wire  [31:0] cpid_high;
    input wire  [31:0] cpid_low;
    input wire  [15:0] cp_mac_high;
    input wire  [31:0] cp_mac_low;
    output reg  frame_done;
    output reg  [31:0] data_high;
    output reg  [31:0] data_low;
    output reg  [3:0] octets;
    output reg  last;
    output reg  valid;
    input wire  ready;

    // Stub signals
    reg  [2:0] word$d;
    wire  [2:0] word$q;

    // Local signals
    reg  [31:0] source_middle;
    reg  [31:0] type_and_feedback;
    reg  [31:0] offset_and_delta;
    reg  [15:0] priority;
    reg  [31:0] priority_and_destination;

    // Sub module instances
    qcn_congestion_point$packet_generator$word word(
        .d(word$d),
        .q(word$q),
        .clock(clock)
    );

    // Update code
    always @(*) begin
        word$d = word$q;
        valid = feedback_valid;
        last = word$q == 32'h7;
        octets = 32'h8;
        if (word$q == 32'h7) begin
            octets = 32'h4;
        end
        frame_done = feedback_valid & ready & (word$q == 32'h7);
        if (feedback_valid & ready) begin
            word$d = word$q + 32'h1;
        end
        if (reset) begin
            word$d = 32'h0;
        end
        source_middle = (((source_mac_low[(32'h0)+:(16)]) & 32'hffffffff) << 32'h10) | ((cp_mac_high) & 32'hffffffff);
        type_and_feedback = ((quantized_feedback) & 32'hffffffff) | 32'h22e70000;
        offset_and_delta = (((q_offset_units) & 32'hffffffff) << 32'h10) | ((q_delta_units) & 32'hffffffff);
        priority = 32'h0;
        if (tagged) begin
            priority = vlan_tci & 32'he000;
        end
        priority_and_destination = (((priority) & 32'hffffffff) << 32'h10) | ((destination_mac_high) & 32'hffffffff);
        data_high = 32'h0;
        data_low = 32'h0;
        if (word$q == 32'h0) begin
            data_high = (((source_mac_high) & 32'hffffffff) << 32'h10) | ((source_mac_low[(32'h10)+:(16)]) & 32'hffffffff);
            data_low = source_middle;
        end
        else if (word$q == 32'h1) begin
            data_high = cp_mac_low;
            data_low = type_and_feedback;
            if (tagged) begin
                data_low = ((vlan_tci) & 32'hffffffff) | 64'h81000000;
            end
        end
        else if (word$q == 32'h2) begin
            data_high = cpid_high;
            data_low = cpid_low;
            if (tagged) begin
                data_high = type_and_feedback;
                data_low = cpid_high;
            end
        end
        else if (word$q == 32'h3) begin
            data_high = offset_and_delta;
            data_low = priority_and_destination;
            if (tagged) begin
                data_high = cpid_low;
                data_low = offset_and_delta;
            end
        end
        else if (word$q == 32'h4) begin
            data_high = destination_mac_low;
            if (tagged) begin
                data_high = priority_and_destination;
                data_low = destination_mac_low;
            end
        end
    end

endmodule // qcn_congestion_point$packet_generator


module qcn_congestion_point$packet_generator$word(d,q,clock);

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

endmodule // qcn_congestion_point$packet_generator$word


module qcn_congestion_point$queue_monitor(clock,reset,enqueue,enqueue_bytes,dequeue,dequeue_bytes,sample,q0_bytes,queue_bytes,q_offset,q_delta,clamped);

    // Module arguments
    input wire  clock;
    input wire  reset;
    input wire  enqueue;
    input wire  [23:0] enqueue_bytes;
    input wire  dequeue;
    input wire  [23:0] dequeue_bytes;
    input wire  sample;
    input wire  [23:0] q0_bytes;
    output reg  [23:0] queue_bytes;
    output reg  [24:0] q_offset;
    output reg  [24:0] q_delta;
    output reg  clamped;

    // Stub signals
    reg  [23:0] queue$d;
    wire  [23:0] queue$q;
    reg  [23:0] queue_old$d;
    wire  [23:0] queue_old$q;
    reg  sampled$d;
    wire  sampled$q;

    // Local signals
    reg  [25:0] entering;
    reg  [25:0] leaving;
    reg  [25:0] change;
    reg  [25:0] next_queue;

    // Sub module instances
    qcn_congestion_point$queue_monitor$queue queue(
        .d(queue$d),
        .q(queue$q),
        .clock(clock)
    );
    qcn_congestion_point$queue_monitor$queue_old queue_old(
        .d(queue_old$d),
        .q(queue_old$q),
        .clock(clock)
    );
    qcn_congestion_point$queue_monitor$sampled sampled(
        .d(sampled$d),
        .q(sampled$q),
        .clock(clock)
    );

    // Update code
    always @(*) begin
        queue$d = queue$q;
        queue_old$d = queue_old$q;
        sampled$d = sampled$q;
        entering = 32'h0;
        if (enqueue) begin
            entering = ((enqueue_bytes) & 26'h3ffffff);
        end
        leaving = 32'h0;
        if (dequeue) begin
            leaving = ((dequeue_bytes) & 26'h3ffffff);
        end
        change = entering - leaving;
        next_queue = ((queue$q) & 26'h3ffffff) + change;
        clamped = next_queue[32'h19] | next_queue[32'h18];
        queue$d = next_queue[(32'h0)+:(24)];
        if (next_queue[32'h19]) begin
            queue$d = 32'h0;
        end
        else if (next_queue[32'h18]) begin
            queue$d = 32'hffffff;
        end
        sampled$d = sample & ~reset;
        if (sampled$q) begin
            queue_old$d = queue$q;
        end
        if (reset) begin
            queue$d = 32'h0;
            queue_old$d = 32'h0;
        end
        queue_bytes = queue$q;
        q_offset = ((queue$q) & 25'h1ffffff) - ((q0_bytes) & 25'h1ffffff);
        q_delta = ((queue$q) & 25'h1ffffff) - ((queue_old$q) & 25'h1ffffff);
    end

endmodule // qcn_congestion_point$queue_monitor


module qcn_congestion_point$queue_monitor$queue(d,q,clock);

    // Module arguments
    input wire  [23:0] d;
    output reg  [23:0] q;
    input wire  clock;

    // Update code (custom)
    initial begin
       q = 24'h0;
    end

    always @(posedge clock) begin
       q <= d;
    end

endmodule // qcn_congestion_point$queue_monitor$queue


module qcn_congestion_point$queue_monitor$queue_old(d,q,clock);

    // Module arguments
    input wire  [23:0] d;
    output reg  [23:0] q;
    input wire  clock;

    // Update code (custom)
    initial begin
       q = 24'h0;
    end

    always @(posedge clock) begin
       q <= d;
    end

endmodule // qcn_congestion_point$queue_monitor$queue_old


module qcn_congestion_point$queue_monitor$sampled(d,q,clock);

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

endmodule // qcn_congestion_point$queue_monitor$sampled


module qcn_congestion_point$sample_queue(clock,reset,enqueue,sample,q_offset,q_delta,controlled,source_mac_high,source_mac_low,destination_mac_high,destination_mac_low,tagged,vlan_tci,pop,ready,lost,head_valid,head_q_offset,head_q_delta,head_controlled,head_source_mac_high,head_source_mac_low,head_destination_mac_high,head_destination_mac_low,head_tagged,head_vlan_tci);

    // Module arguments
    input wire  clock;
    input wire  reset;
    input wire  enqueue;
    input wire  sample;
    input wire  [24:0] q_offset;
    input wire  [24:0] q_delta;
    input wire  controlled;
    input wire  [15:0] source_mac_high;
    input wire  [31:0] source_mac_low;
    input wire  [15:0] destination_mac_high;
    input wire  [31:0] destination_mac_low;
    input wire  tagged;
    input wire  [15:0] vlan_tci;
    input wire  pop;
    output reg  ready;
    output reg  lost;
    output reg  head_valid;
    output reg  [24:0] head_q_offset;
    output reg  [24:0] head_q_delta;
    output reg  head_controlled;
    output reg  [15:0] head_source_mac_high;
    output reg  [31:0] head_source_mac_low;
    output reg  [15:0] head_destination_mac_high;
    output reg  [31:0] head_destination_mac_low;
    output reg  head_tagged;
    output reg  [15:0] head_vlan_tci;

    // Stub signals
    reg  [3:0] offsets$read_address;
    wire  [24:0] offsets$read_data;
    reg  [3:0] offsets$write_address;
    reg  [24:0] offsets$write_data;
    reg  offsets$write_enable;
    reg  [3:0] deltas$read_address;
    wire  [24:0] deltas$read_data;
    reg  [3:0] deltas$write_address;
    reg  [24:0] deltas$write_data;
    reg  deltas$write_enable;
    reg  [3:0] sources$read_address;
    wire  [31:0] sources$read_data;
    reg  [3:0] sources$write_address;
    reg  [31:0] sources$write_data;
    reg  sources$write_enable;
    reg  [3:0] destinations$read_address;
    wire  [31:0] destinations$read_data;
    reg  [3:0] destinations$write_address;
    reg  [31:0] destinations$write_data;
    reg  destinations$write_enable;
    reg  [3:0] high_halves$read_address;
    wire  [31:0] high_halves$read_data;
    reg  [3:0] high_halves$write_address;
    reg  [31:0] high_halves$write_data;
    reg  high_halves$write_enable;
    reg  [3:0] tags$read_address;
    wire  [17:0] tags$read_data;
    reg  [3:0] tags$write_address;
    reg  [17:0] tags$write_data;
    reg  tags$write_enable;
    reg  [4:0] write_pointer$d;
    wire  [4:0] write_pointer$q;
    reg  sampled$d;
    wire  sampled$q;
    reg  room$d;
    wire  room$q;
    reg  [4:0] written_pointer$d;
    wire  [4:0] written_pointer$q;
    reg  [4:0] read_pointer$d;
    wire  [4:0] read_pointer$q;

    // Local signals
    reg  [4:0] filled;
    reg  full;
    reg  accept;
    reg  [4:0] next_write;
    reg  [4:0] next_read;
    reg  [3:0] write_address;
    reg  [3:0] packet_address;
    reg  [3:0] read_address;

    // Sub module instances
    qcn_congestion_point$sample_queue$offsets offsets(
        .read_address(offsets$read_address),
        .read_clock(clock),
        .read_data(offsets$read_data),
        .write_address(offsets$write_address),
        .write_clock(clock),
        .write_data(offsets$write_data),
        .write_enable(offsets$write_enable)
    );
    qcn_congestion_point$sample_queue$deltas deltas(
        .read_address(deltas$read_address),
        .read_clock(clock),
        .read_data(deltas$read_data),
        .write_address(deltas$write_address),
        .write_clock(clock),
        .write_data(deltas$write_data),
        .write_enable(deltas$write_enable)
    );
    qcn_congestion_point$sample_queue$sources sources(
        .read_address(sources$read_address),
        .read_clock(clock),
        .read_data(sources$read_data),
        .write_address(sources$write_address),
        .write_clock(clock),
        .write_data(sources$write_data),
        .write_enable(sources$write_enable)
    );
    qcn_congestion_point$sample_queue$destinations destinations(
        .read_address(destinations$read_address),
        .read_clock(clock),
        .read_data(destinations$read_data),
        .write_address(destinations$write_address),
        .write_clock(clock),
        .write_data(destinations$write_data),
        .write_enable(destinations$write_enable)
    );
    qcn_congestion_point$sample_queue$high_halves high_halves(
        .read_address(high_halves$read_address),
        .read_clock(clock),
        .read_data(high_halves$read_data),
        .write_address(high_halves$write_address),
        .write_clock(clock),
        .write_data(high_halves$write_data),
        .write_enable(high_halves$write_enable)
    );
    qcn_congestion_point$sample_queue$tags tags(
        .read_address(tags$read_address),
        .read_clock(clock),
        .read_data(tags$read_data),
        .write_address(tags$write_address),
        .write_clock(clock),
        .write_data(tags$write_data),
        .write_enable(tags$write_enable)
    );
    qcn_congestion_point$sample_queue$write_pointer write_pointer(
        .d(write_pointer$d),
        .q(write_pointer$q),
        .clock(clock)
    );
    qcn_congestion_point$sample_queue$sampled sampled(
        .d(sampled$d),
        .q(sampled$q),
        .clock(clock)
    );
    qcn_congestion_point$sample_queue$room room(
        .d(room$d),
        .q(room$q),
        .clock(clock)
    );
    qcn_congestion_point$sample_queue$written_pointer written_pointer(
        .d(written_pointer$d),
        .q(written_pointer$q),
        .clock(clock)
    );
    qcn_congestion_point$sample_queue$read_pointer read_pointer(
        .d(read_pointer$d),
        .q(read_pointer$q),
        .clock(clock)
    );

    // Update code
    always @(*) begin
        sampled$d = sampled$q;
        room$d = room$q;
        write_pointer$d = write_pointer$q;
        written_pointer$d = written_pointer$q;
        read_pointer$d = read_pointer$q;
        accept = sampled$q & room$q;
        lost = sampled$q & ~room$q;
        next_write = write_pointer$q;
        if (accept) begin
            next_write = write_pointer$q + 32'h1;
        end
        write_pointer$d = next_write;
        written_pointer$d = write_pointer$q;
        filled = next_write - read_pointer$q;
        full = filled[32'h4];
        ready = ~full;
        sampled$d = sample & ~reset;
        room$d = ~full;
        head_valid = written_pointer$q != read_pointer$q;
        next_read = read_pointer$q;
        if (pop) begin
            next_read = read_pointer$q + 32'h1;
        end
        read_pointer$d = next_read;
        if (reset) begin
            write_pointer$d = 32'h0;
            written_pointer$d = 32'h0;
            read_pointer$d = 32'h0;
        end
        write_address = write_pointer$q[(32'h0)+:(4)];
        packet_address = next_write[(32'h0)+:(4)];
        read_address = next_read[(32'h0)+:(4)];
        offsets$write_enable = accept;
        offsets$write_address = write_address;
        offsets$read_address = read_address;
        offsets$write_data = q_offset;
        deltas$write_enable = accept;
        deltas$write_address = write_address;
        deltas$read_address = read_address;
        deltas$write_data = q_delta;
        sources$write_enable = enqueue & ~full;
        sources$write_address = packet_address;
        sources$read_address = read_address;
        sources$write_data = source_mac_low;
        destinations$write_enable = enqueue & ~full;
        destinations$write_address = packet_address;
        destinations$read_address = read_address;
        destinations$write_data = destination_mac_low;
        high_halves$write_enable = enqueue & ~full;
        high_halves$write_address = packet_address;
        high_halves$read_address = read_address;
        high_halves$write_data = (((source_mac_high) & 32'hffffffff) << 32'h10) | ((destination_mac_high) & 32'hffffffff);
        tags$write_enable = enqueue & ~full;
        tags$write_address = packet_address;
        tags$read_address = read_address;
        tags$write_data = ((vlan_tci) & 18'h3ffff);
        if (controlled & tagged) begin
            tags$write_data = ((vlan_tci) & 18'h3ffff) | 32'h30000;
        end
        else if (controlled) begin
            tags$write_data = ((vlan_tci) & 18'h3ffff) | 32'h10000;
        end
        else if (tagged) begin
            tags$write_data = ((vlan_tci) & 18'h3ffff) | 32'h20000;
        end
        head_q_offset = offsets$read_data;
        head_controlled = tags$read_data[32'h10];
        head_tagged = tags$read_data[32'h11];
        head_q_delta = deltas$read_data;
        head_source_mac_low = sources$read_data;
        head_destination_mac_low = destinations$read_data;
        head_source_mac_high = high_halves$read_data[(32'h10)+:(16)];
        head_destination_mac_high = high_halves$read_data[(32'h0)+:(16)];
        head_vlan_tci = tags$read_data[(32'h0)+:(16)];
    end

endmodule // qcn_congestion_point$sample_queue


module qcn_congestion_point$sample_queue$deltas(read_address,read_clock,read_data,write_address,write_clock,write_data,write_enable);

    // Module arguments
    input wire  [3:0] read_address;
    input wire  read_clock;
    output reg  [24:0] read_data;
    input wire  [3:0] write_address;
    input wire  write_clock;
    input wire  [24:0] write_data;
    input wire  write_enable;

    // Update code (custom)
    reg[24:0] mem[15:0];



    always @(posedge read_clock) begin
       read_data <= mem[read_address];
    end

    always @(posedge write_clock) begin
       if (write_enable) begin
          mem[write_address] <= write_data;
       end
    end

endmodule // qcn_congestion_point$sample_queue$deltas


module qcn_congestion_point$sample_queue$destinations(read_address,read_clock,read_data,write_address,write_clock,write_data,write_enable);

    // Module arguments
    input wire  [3:0] read_address;
    input wire  read_clock;
    output reg  [31:0] read_data;
    input wire  [3:0] write_address;
    input wire  write_clock;
    input wire  [31:0] write_data;
    input wire  write_enable;

    // Update code (custom)
    reg[31:0] mem[15:0];



    always @(posedge read_clock) begin
       read_data <= mem[read_address];
    end

    always @(posedge write_clock) begin
       if (write_enable) begin
          mem[write_address] <= write_data;
       end
    end

endmodule // qcn_congestion_point$sample_queue$destinations


module qcn_congestion_point$sample_queue$high_halves(read_address,read_clock,read_data,write_address,write_clock,write_data,write_enable);

    // Module arguments
    input wire  [3:0] read_address;
    input wire  read_clock;
    output reg  [31:0] read_data;
    input wire  [3:0] write_address;
    input wire  write_clock;
    input wire  [31:0] write_data;
    input wire  write_enable;

    // Update code (custom)
    reg[31:0] mem[15:0];



    always @(posedge read_clock) begin
       read_data <= mem[read_address];
    end

    always @(posedge write_clock) begin
       if (write_enable) begin
          mem[write_address] <= write_data;
       end
    end

endmodule // qcn_congestion_point$sample_queue$high_halves


module qcn_congestion_point$sample_queue$offsets(read_address,read_clock,read_data,write_address,write_clock,write_data,write_enable);

    // Module arguments
    input wire  [3:0] read_address;
    input wire  read_clock;
    output reg  [24:0] read_data;
    input wire  [3:0] write_address;
    input wire  write_clock;
    input wire  [24:0] write_data;
    input wire  write_enable;

    // Update code (custom)
    reg[24:0] mem[15:0];



    always @(posedge read_clock) begin
       read_data <= mem[read_address];
    end

    always @(posedge write_clock) begin
       if (write_enable) begin
          mem[write_address] <= write_data;
       end
    end

endmodule // qcn_congestion_point$sample_queue$offsets


module qcn_congestion_point$sample_queue$read_pointer(d,q,clock);

    // Module arguments
    input wire  [4:0] d;
    output reg  [4:0] q;
    input wire  clock;

    // Update code (custom)
    initial begin
       q = 5'h0;
    end

    always @(posedge clock) begin
       q <= d;
    end

endmodule // qcn_congestion_point$sample_queue$read_pointer


module qcn_congestion_point$sample_queue$room(d,q,clock);

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

endmodule // qcn_congestion_point$sample_queue$room


module qcn_congestion_point$sample_queue$sampled(d,q,clock);

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

endmodule // qcn_congestion_point$sample_queue$sampled


module qcn_congestion_point$sample_queue$sources(read_address,read_clock,read_data,write_address,write_clock,write_data,write_enable);

    // Module arguments
    input wire  [3:0] read_address;
    input wire  read_clock;
    output reg  [31:0] read_data;
    input wire  [3:0] write_address;
    input wire  write_clock;
    input wire  [31:0] write_data;
    input wire  write_enable;

    // Update code (custom)
    reg[31:0] mem[15:0];



    always @(posedge read_clock) begin
       read_data <= mem[read_address];
    end

    always @(posedge write_clock) begin
       if (write_enable) begin
          mem[write_address] <= write_data;
       end
    end

endmodule // qcn_congestion_point$sample_queue$sources


module qcn_congestion_point$sample_queue$tags(read_address,read_clock,read_data,write_address,write_clock,write_data,write_enable);

    // Module arguments
    input wire  [3:0] read_address;
    input wire  read_clock;
    output reg  [17:0] read_data;
    input wire  [3:0] write_address;
    input wire  write_clock;
    input wire  [17:0] write_data;
    input wire  write_enable;

    // Update code (custom)
    reg[17:0] mem[15:0];



    always @(posedge read_clock) begin
       read_data <= mem[read_address];
    end

    always @(posedge write_clock) begin
       if (write_enable) begin
          mem[write_address] <= write_data;
       end
    end

endmodule // qcn_congestion_point$sample_queue$tags


module qcn_congestion_point$sample_queue$write_pointer(d,q,clock);

    // Module arguments
    input wire  [4:0] d;
    output reg  [4:0] q;
    input wire  clock;

    // Update code (custom)
    initial begin
       q = 5'h0;
    end

    always @(posedge clock) begin
       q <= d;
    end

endmodule // qcn_congestion_point$sample_queue$write_pointer


module qcn_congestion_point$sample_queue$written_pointer(d,q,clock);

    // Module arguments
    input wire  [4:0] d;
    output reg  [4:0] q;
    input wire  clock;

    // Update code (custom)
    initial begin
       q = 5'h0;
    end

    always @(posedge clock) begin
       q <= d;
    end

endmodule // qcn_congestion_point$sample_queue$written_pointer


module qcn_congestion_point$sampler(clock,reset,enqueue,enqueue_bytes,interval_low,sample_mode,jitter_ratio,seed,sample);

    // Module arguments
    input wire  clock;
    input wire  reset;
    input wire  enqueue;
    input wire  [23:0] enqueue_bytes;
    input wire  [23:0] interval_low;
    input wire  [1:0] sample_mode;
    input wire  [15:0] jitter_ratio;
    input wire  [15:0] seed;
    output reg  sample;

    // Stub signals
    reg  jitter$reset;
    reg  [23:0] jitter$low;
    reg  [15:0] jitter$ratio;
    reg  [15:0] jitter$seed;
    reg  jitter$draw;
    wire  [23:0] jitter$interval;
    reg  [23:0] elapsed$d;
    wire  [23:0] elapsed$q;
    reg  due$d;
    wire  due$q;

    // Local signals
    reg  by_bytes;
    reg  by_time;
    reg  [24:0] amount;
    reg  [24:0] total;
    reg  [24:0] interval;
    reg  counts;
    reg  full;

    // Sub module instances
    qcn_congestion_point$sampler$jitter jitter(
        .clock(clock),
        .reset(jitter$reset),
        .low(jitter$low),
        .ratio(jitter$ratio),
        .seed(jitter$seed),
        .draw(jitter$draw),
        .interval(jitter$interval)
    );
    qcn_congestion_point$sampler$elapsed elapsed(
        .d(elapsed$d),
        .q(elapsed$q),
        .clock(clock)
    );
    qcn_congestion_point$sampler$due due(
        .d(due$d),
        .q(due$q),
        .clock(clock)
    );

    // Update code
    always @(*) begin
        elapsed$d = elapsed$q;
        due$d = due$q;
        jitter$reset = reset;
        jitter$low = interval_low;
        jitter$ratio = jitter_ratio;
        jitter$seed = seed;
        by_bytes = sample_mode == 32'h1;
        by_time = sample_mode == 32'h2;
        amount = 32'h1;
        if (by_bytes) begin
            amount = ((enqueue_bytes) & 25'h1ffffff);
        end
        counts = enqueue | by_time;
        total = ((elapsed$q) & 25'h1ffffff) + amount;
        interval = ((jitter$interval) & 25'h1ffffff);
        full = counts & (total >= interval);
        if (counts) begin
            elapsed$d = total[(32'h0)+:(24)];
        end
        if (full) begin
            elapsed$d = 32'h0;
        end
        jitter$draw = full;
        sample = full;
        due$d = 1'b0;
        if (by_time) begin
            sample = enqueue & due$q;
            due$d = full | (due$q & ~enqueue);
        end
        if (reset) begin
            elapsed$d = 32'h0;
            due$d = 1'b0;
        end
    end

endmodule // qcn_congestion_point$sampler


module qcn_congestion_point$sampler$due(d,q,clock);

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

endmodule // qcn_congestion_point$sampler$due


module qcn_congestion_point$sampler$elapsed(d,q,clock);

    // Module arguments
    input wire  [23:0] d;
    output reg  [23:0] q;
    input wire  clock;

    // Update code (custom)
    initial begin
       q = 24'h0;
    end

    always @(posedge clock) begin
       q <= d;
    end

endmodule // qcn_congestion_point$sampler$elapsed


module qcn_congestion_point$sampler$jitter(clock,reset,low,ratio,seed,draw,interval);

    // Module arguments
    input wire  clock;
    input wire  reset;
    input wire  [23:0] low;
    input wire  [15:0] ratio;
    input wire  [15:0] seed;
    input wire  draw;
    output reg  [23:0] interval;

    // Stub signals
    reg  [15:0] state$d;
    wire  [15:0] state$q;
    reg  [15:0] fraction$d;
    wire  [15:0] fraction$q;
    reg  [23:0] extra_low$d;
    wire  [23:0] extra_low$q;
    reg  [23:0] extra_high$d;
    wire  [23:0] extra_high$q;
    reg  [23:0] total$d;
    wire  [23:0] total$q;

    // Local signals
    reg  [15:0] next_state;
    reg  [15:0] uniform;
    reg  [31:0] scaled;
    reg  [15:0] low_half;
    reg  [15:0] high_half;
    reg  [31:0] low_product;
    reg  [31:0] high_product;

    // Sub module instances
    qcn_congestion_point$sampler$jitter$state state(
        .d(state$d),
        .q(state$q),
        .clock(clock)
    );
    qcn_congestion_point$sampler$jitter$fraction fraction(
        .d(fraction$d),
        .q(fraction$q),
        .clock(clock)
    );
    qcn_congestion_point$sampler$jitter$extra_low extra_low(
        .d(extra_low$d),
        .q(extra_low$q),
        .clock(clock)
    );
    qcn_congestion_point$sampler$jitter$extra_high extra_high(
        .d(extra_high$d),
        .q(extra_high$q),
        .clock(clock)
    );
    qcn_congestion_point$sampler$jitter$total total(
        .d(total$d),
        .q(total$q),
        .clock(clock)
    );

    // Update code
    always @(*) begin
        state$d = state$q;
        fraction$d = fraction$q;
        extra_low$d = extra_low$q;
        extra_high$d = extra_high$q;
        total$d = total$q;
        next_state = (state$q << 32'h8) | ((state$q >> 32'h8) ^ ((state$q >> 32'h6) & 32'hff) ^ ((state$q >> 32'h5) & 32'hff) ^ ((state$q >> 32'h3) & 32'hff));
        if (reset) begin
            next_state = seed;
        end
        if (draw | reset) begin
            state$d = next_state;
        end
        uniform = state$q & 32'hff;
        scaled = ratio * uniform;
        fraction$d = scaled[(32'h8)+:(16)];
        low_half = low[(32'h0)+:(16)];
        high_half = ((low[(32'h10)+:(8)]) & 16'hffff);
        low_product = low_half * fraction$q;
        high_product = high_half * fraction$q;
        extra_low$d = ((low_product[(32'hd)+:(19)]) & 24'hffffff);
        extra_high$d = ((high_product) & 24'hffffff) << 32'h3;
        total$d = low + extra_low$q + extra_high$q;
        if (reset) begin
            fraction$d = 32'h0;
            extra_low$d = 32'h0;
            extra_high$d = 32'h0;
            total$d = low;
        end
        interval = low;
        if (|ratio) begin
            interval = total$q;
        end
    end

endmodule // qcn_congestion_point$sampler$jitter


module qcn_congestion_point$sampler$jitter$extra_high(d,q,clock);

    // Module arguments
    input wire  [23:0] d;
    output reg  [23:0] q;
    input wire  clock;

    // Update code (custom)
    initial begin
       q = 24'h0;
    end

    always @(posedge clock) begin
       q <= d;
    end

endmodule // qcn_congestion_point$sampler$jitter$extra_high


module qcn_congestion_point$sampler$jitter$extra_low(d,q,clock);

    // Module arguments
    input wire  [23:0] d;
    output reg  [23:0] q;
    input wire  clock;

    // Update code (custom)
    initial begin
       q = 24'h0;
    end

    always @(posedge clock) begin
       q <= d;
    end

endmodule // qcn_congestion_point$sampler$jitter$extra_low


module qcn_congestion_point$sampler$jitter$fraction(d,q,clock);

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

endmodule // qcn_congestion_point$sampler$jitter$fraction


module qcn_congestion_point$sampler$jitter$state(d,q,clock);

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

endmodule // qcn_congestion_point$sampler$jitter$state


module qcn_congestion_point$sampler$jitter$total(d,q,clock);

    // Module arguments
    input wire  [23:0] d;
    output reg  [23:0] q;
    input wire  clock;

    // Update code (custom)
    initial begin
       q = 24'h0;
    end

    always @(posedge clock) begin
       q <= d;
    end

endmodule // qcn_congestion_point$sampler$jitter$total
