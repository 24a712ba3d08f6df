// Block queue_monitor alone, as it stands in the cp.
// Scheme: Quantized congestion notification (qcn). smcc.txt 2.2, qcn-phase-plane.txt II; IEEE 802.1Q
// Made by tidegate 0.1.0 with: tidegate emit --scheme qcn --out DIR

module queue_monitor(clock,reset,enqueue,enqueue_bytes,dequeue,dequeue_bytes,sample,q0_bytes,queue_bytes,q_offset,q_delta,clamped);

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
    queue_monitor$queue queue(
        .d(queue$d),
        .q(queue$q),
        .clock(clock)
    );
    queue_monitor$queue_old queue_old(
        .d(queue_old$d),
        .q(queue_old$q),
        .clock(clock)
    );
    queue_monitor$sampled sampled(
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

endmodule // queue_monitor


module queue_monitor$queue(d,q,clock);

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

endmodule // queue_monitor$queue


module queue_monitor$queue_old(d,q,clock);

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

endmodule // queue_monitor$queue_old


module queue_monitor$sampled(d,q,clock);

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

endmodule // queue_monitor$sampled
