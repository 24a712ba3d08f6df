// Block queue_monitor alone, as it stands in the cp.
// Scheme: Sliding mode congestion control (smcc). smcc.txt 4
// Made by tidegate 0.1.0 with: tidegate emit --scheme smcc --out DIR

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

    // Local signals
    reg  [24:0] filled;
    reg  [24:0] leaving;
    reg  [24:0] difference;
    reg  [24:0] drained;

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

    // Update code
    always @(*) begin
        queue$d = queue$q;
        queue_old$d = queue_old$q;
        clamped = 1'b0;
        filled = ((queue$q) & 25'h1ffffff);
        if (enqueue) begin
            filled = ((queue$q) & 25'h1ffffff) + ((enqueue_bytes) & 25'h1ffffff);
        end
        leaving = 32'h0;
        if (dequeue) begin
            leaving = ((dequeue_bytes) & 25'h1ffffff);
        end
        difference = filled - leaving;
        drained = difference;
        if (leaving > filled) begin
            drained = 32'h0;
            clamped = 1'b1;
        end
        else if (difference[32'h18]) begin
            drained = 32'hffffff;
            clamped = 1'b1;
        end
        queue$d = drained[(32'h0)+:(24)];
        queue_bytes = queue$q;
        q_offset = drained - ((q0_bytes) & 25'h1ffffff);
        q_delta = drained - ((queue_old$q) & 25'h1ffffff);
        if (sample) begin
            queue_old$d = drained[(32'h0)+:(24)];
        end
        if (reset) begin
            queue$d = 32'h0;
            queue_old$d = 32'h0;
        end
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
