// Block sample_queue alone, as it stands in the cp.
// Scheme: Sliding mode congestion control (smcc). smcc.txt 4
// Made by tidegate 0.1.0 with: tidegate emit --scheme smcc --out DIR

module sample_queue(clock,reset,enqueue,sample,q_offset,q_delta,controlled,source_mac_high,source_mac_low,destination_mac_high,destination_mac_low,tagged,vlan_tci,pop,ready,lost,head_valid,head_q_offset,head_q_delta,head_controlled,head_source_mac_high,head_source_mac_low,head_destination_mac_high,head_destination_mac_low,head_tagged,head_vlan_tci);

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
    sample_queue$offsets offsets(
        .read_address(offsets$read_address),
        .read_clock(clock),
        .read_data(offsets$read_data),
        .write_address(offsets$write_address),
        .write_clock(clock),
        .write_data(offsets$write_data),
        .write_enable(offsets$write_enable)
    );
    sample_queue$deltas deltas(
        .read_address(deltas$read_address),
        .read_clock(clock),
        .read_data(deltas$read_data),
        .write_address(deltas$write_address),
        .write_clock(clock),
        .write_data(deltas$write_data),
        .write_enable(deltas$write_enable)
    );
    sample_queue$sources sources(
        .read_address(sources$read_address),
        .read_clock(clock),
        .read_data(sources$read_data),
        .write_address(sources$write_address),
        .write_clock(clock),
        .write_data(sources$write_data),
        .write_enable(sources$write_enable)
    );
    sample_queue$destinations destinations(
        .read_address(destinations$read_address),
        .read_clock(clock),
        .read_data(destinations$read_data),
        .write_address(destinations$write_address),
        .write_clock(clock),
        .write_data(destinations$write_data),
        .write_enable(destinations$write_enable)
    );
    sample_queue$high_halves high_halves(
        .read_address(high_halves$read_address),
        .read_clock(clock),
        .read_data(high_halves$read_data),
        .write_address(high_halves$write_address),
        .write_clock(clock),
        .write_data(high_halves$write_data),
        .write_enable(high_halves$write_enable)
    );
    sample_queue$tags tags(
        .read_address(tags$read_address),
        .read_clock(clock),
        .read_data(tags$read_data),
        .write_address(tags$write_address),
        .write_clock(clock),
        .write_data(tags$write_data),
        .write_enable(tags$write_enable)
    );
    sample_queue$write_pointer write_pointer(
        .d(write_pointer$d),
        .q(write_pointer$q),
        .clock(clock)
    );
    sample_queue$sampled sampled(
        .d(sampled$d),
        .q(sampled$q),
        .clock(clock)
    );
    sample_queue$room room(
        .d(room$d),
        .q(room$q),
        .clock(clock)
    );
    sample_queue$written_pointer written_pointer(
        .d(written_pointer$d),
        .q(written_pointer$q),
        .clock(clock)
    );
    sample_queue$read_pointer read_pointer(
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

endmodule // sample_queue


module sample_queue$deltas(read_address,read_clock,read_data,write_address,write_clock,write_data,write_enable);

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

endmodule // sample_queue$deltas


module sample_queue$destinations(read_address,read_clock,read_data,write_address,write_clock,write_data,write_enable);

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

endmodule // sample_queue$destinations


module sample_queue$high_halves(read_address,read_clock,read_data,write_address,write_clock,write_data,write_enable);

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

endmodule // sample_queue$high_halves


module sample_queue$offsets(read_address,read_clock,read_data,write_address,write_clock,write_data,write_enable);

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

endmodule // sample_queue$offsets


module sample_queue$read_pointer(d,q,clock);

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

endmodule // sample_queue$read_pointer


module sample_queue$room(d,q,clock);

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

endmodule // sample_queue$room


module sample_queue$sampled(d,q,clock);

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

endmodule // sample_queue$sampled


module sample_queue$sources(read_address,read_clock,read_data,write_address,write_clock,write_data,write_enable);

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

endmodule // sample_queue$sources


module sample_queue$tags(read_address,read_clock,read_data,write_address,write_clock,write_data,write_enable);

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

endmodule // sample_queue$tags


module sample_queue$write_pointer(d,q,clock);

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

endmodule // sample_queue$write_pointer


module sample_queue$written_pointer(d,q,clock);

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

endmodule // sample_queue$written_pointer
