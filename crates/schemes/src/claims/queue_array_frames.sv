// SPDX-License-Identifier: MIT OR Apache-2.0
// A congestion point for four queues follows the rules of its frame stream, for any packets and any back-pressure; no
// sample is lost, and a frame leaves for its own sample.

module `PROPERTIES (
    input clock,
    input reset,
    input enqueue,
    input [5:0] enqueue_queue,
    input [2:0] source_port,
    input data_ready
);
    // Parameters: any values that do not change.
    (* anyconst *) wire [63:0] cpid;
    `OTHER_INPUTS
    wire ready, cleared, sample, last, valid;
    wire [2:0] frame_port;
    wire [63:0] data;
    wire [3:0] octets;

    `PART device (
        .clock(clock), .reset(reset), .enqueue(enqueue), .enqueue_queue(enqueue_queue), .source_port(source_port),
        .cpid_high(cpid[63:32]), .cpid_low(cpid[31:0]),
        `OTHER_CONNECTIONS
        .ready(ready), .cleared(cleared), .sample(sample), .data_high(data[63:32]), .data_low(data[31:0]),
        .octets(octets), .last(last), .valid(valid), .frame_port(frame_port), .data_ready(data_ready)
    );

    reg started = 0;
    always @(posedge clock) started <= 1;
    always @(*) if (!started) assume(reset);

    wire [2:0] word;
    stream_specification stream (
        .clock(clock), .reset(reset), .started(started), .valid(valid), .ready(data_ready), .data(data), .octets(octets),
        .last(last), .word(word)
    );

    // What is inside: the sample queue, and what the feedback block takes from it.
    (* anyseq *) wire [2:0] inner_sample_queue__write_pointer, inner_sample_queue__read_pointer;
    (* anyseq *) wire inner_sample_queue__sampled, inner_sample_queue__room, inner_sample_queue__full,
        inner_sample_queue__pop, inner_sample_queue__head_valid;
    (* anyseq *) wire inner_sample_queue__controlled_before, inner_sample_queue__tagged_before,
        inner_sample_queue__cn_tagged_before;
    (* anyseq *) wire [3:0] inner_packet_generator__field;
    wire [3:0] field;
    field_of_word in_generator (
        .word(word), .has_tag(inner_sample_queue__tagged_before), .has_cn_tag(inner_sample_queue__cn_tagged_before), .field(field)
    );
    (* anyseq *) wire [2:0] inner_sample_queue__flags;
    (* keep *) wire [1:0] inner_sample_queue__flags_at = inner_sample_queue__read_pointer[1:0];
    (* anyseq *) wire inner_visit_sequencer__packet_waits, inner_visit_sequencer__counts_packet;
    (* anyseq *) wire [2:0] inner_visit_sequencer__cycle;
    (* anyseq *) wire [1:0] inner_visit_sequencer__packet_queue, inner_visit_sequencer__visited;
    (* anyseq *) wire [1:0] inner_sample_owners__write_pointer, inner_sample_owners__read_pointer,
        inner_sample_owners__head_queue, inner_sample_owners__owners;
    // The port of the sample that the proof follows, and that of the packet that was taken last.
    (* anyseq *) wire [2:0] inner_sample_owners__source_ports, inner_source_ports;
    (* anyseq *) wire [31:0] inner_packet_generator__cpid_low;

    // A packet was taken, and it is not known yet whether it is a sample.
    wire takes = enqueue && ready && enqueue_queue < 4;
    reg undecided = 0;
    reg [1:0] taken_queue;
    reg [2:0] taken_port;
    always @(posedge clock) begin
        undecided <= !reset && (takes || undecided && !sample);
        if (takes) begin
            taken_queue <= enqueue_queue[1:0];
            taken_port <= source_port;
        end
    end
    // Samples that wait, with the one of the cycle before.
    wire accept = inner_sample_queue__sampled && inner_sample_queue__room;
    wire [2:0] written = inner_sample_queue__write_pointer - inner_sample_queue__read_pointer;
    wire [2:0] waiting = written + {2'd0, accept};
    wire [2:0] next_place = inner_sample_queue__write_pointer + {2'd0, accept};
    // The sample that the proof follows: any one.
    (* anyseq *) wire choose;
    reg follows = 0;
    reg [1:0] place, queue;
    reg [2:0] port;
    wire [1:0] ahead = place - inner_sample_queue__read_pointer[1:0];
    wire at_head = follows && place == inner_sample_queue__read_pointer[1:0];
    always @(posedge clock) begin
        if (choose && sample && !follows) begin
            follows <= 1;
            place <= next_place[1:0];
            queue <= taken_queue;
            port <= taken_port;
        end
        if (at_head && inner_sample_queue__pop || reset) follows <= 0;
    end
    (* keep *) wire [1:0] inner_sample_owners__owners_at = place;
    (* keep *) wire [1:0] inner_sample_owners__source_ports_at = place;
    (* keep *) wire [1:0] inner_source_ports_at = next_place[1:0];
    // While the feedback block works, that is one of its registers is not 0, a sample is at the head.
    (* keep *) wire guess_busy = 1;
    (* keep *) wire [3:0] guess_busy_unless = 0;
    (* keep *) wire guess_held = 1;
    (* keep *) wire guess_held_unless = 0;
    // DSM: while a frame is sent, the state is 9.
    (* keep *) wire [3:0] guess_sending = 9;
    (* keep *) wire guess_sending_unless = 0;
    // QCN: while a frame is sent, the phase is `Send`, number 13.
    (* keep *) wire [3:0] guess_send = 13;
    (* keep *) wire guess_send_unless = 0;
    always @(*) if (started) begin
        only_packets: assert(!sample || undecided);
        none_lost: assert(!inner_sample_queue__sampled || inner_sample_queue__room);
        popped_with_its_frame: assert(!valid || inner_sample_queue__head_valid
            && inner_sample_queue__pop == (data_ready && last));
        frame_for_its_queue: assert(!(valid && at_head) || frame_port == port
            && inner_packet_generator__cpid_low == (cpid[31:0] | queue));
        helper_followed: assert(!follows || inner_sample_owners__owners == queue
            && inner_sample_owners__source_ports == port && ahead < waiting);
        helper_port: assert(!undecided || inner_source_ports == taken_port);
        helper_owners: assert(inner_sample_owners__write_pointer == next_place[1:0]
            && inner_sample_owners__read_pointer == inner_sample_queue__read_pointer[1:0]);
        helper_packet: assert(!inner_visit_sequencer__packet_waits
            || inner_visit_sequencer__packet_queue == taken_queue && (inner_visit_sequencer__cycle == 0
                || !inner_visit_sequencer__counts_packet || inner_visit_sequencer__visited == taken_queue));
        helper_waiting: assert(written <= 4 && waiting <= 4
            && inner_sample_queue__full == (waiting == 4));
        helper_head: assert(!inner_sample_queue__head_valid || written != 0);
        // The packet generator knows what is next.
        helper_field: assert(inner_packet_generator__field == field && (word == 0 || inner_sample_queue__head_valid));
        helper_flags: assert(!inner_sample_queue__head_valid || inner_sample_queue__flags
            == {inner_sample_queue__cn_tagged_before, inner_sample_queue__tagged_before,
                inner_sample_queue__controlled_before});
        helper_popped: assert(!inner_sample_queue__pop || inner_sample_queue__head_valid);
        helper_room: assert(!undecided || !inner_sample_queue__full);
        helper_visit: assert(!inner_visit_sequencer__packet_waits || undecided && cleared);
        helper_step: assert(inner_visit_sequencer__cycle <= 4 && (inner_visit_sequencer__cycle == 0
            || !inner_visit_sequencer__counts_packet || inner_visit_sequencer__packet_waits)
            && (inner_visit_sequencer__cycle != 4 || inner_visit_sequencer__counts_packet));
    end
endmodule
