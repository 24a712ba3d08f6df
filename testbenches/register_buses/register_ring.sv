// SPDX-License-Identifier: MIT OR Apache-2.0
// A node of the register ring: each request passes unchanged or has one access and one answer.

module register_ring_properties (
    input clock,
    input reset,
    input req, ack, reads,
    input [22:0] address,
    input [31:0] data,
    input [1:0] source,
    input acknowledge,
    input [31:0] read_data
);
    (* anyconst *) wire [12:0] block;
    wire out_req, out_ack, out_reads, select, write, unanswered;
    wire [22:0] out_address;
    wire [31:0] out_data, write_data;
    wire [1:0] out_source;
    wire [9:0] word;
    register_ring device (
        .clock(clock), .reset(reset), .block_address(block), .reg_req_in(req), .reg_ack_in(ack), .reg_rd_wr_L_in(reads),
        .reg_addr_in(address), .reg_data_in(data), .reg_src_in(source), .reg_req_out(out_req), .reg_ack_out(out_ack),
        .reg_rd_wr_L_out(out_reads), .reg_addr_out(out_address), .reg_data_out(out_data), .reg_src_out(out_source),
        .register_select(select), .register_write(write), .register_address(word), .register_write_data(write_data),
        .register_acknowledge(acknowledge), .register_read_data(read_data), .unanswered_request(unanswered)
    );

    reg started = 0;
    always @(posedge clock) started <= 1;
    always @(*) if (!started) assume(reset);

    wire for_this_block = req && !ack && address[22:10] == block;
    wire [59:0] ring = {ack, reads, address, data, source}, out_ring = {out_ack, out_reads, out_address, out_data, out_source};

    // The request that was taken off the ring, and whether its access has ended.
    reg held = 0, ended = 0, held_reads = 0;
    reg [22:0] held_address = 0;
    reg [31:0] held_data = 0;
    reg [1:0] held_source = 0;
    wire answers = held && (ended || select && acknowledge) && !req;
    // What happened in the last cycle.
    reg passed = 0, answered = 0, was_late = 0;
    reg [59:0] passed_ring = 0, answer = 0;
    always @(posedge clock) begin
        if (select && acknowledge) ended <= 1;
        if (answers) begin
            held <= 0;
            ended <= 0;
        end
        if (for_this_block && !held) begin
            held <= 1;
            {held_reads, held_address, held_data, held_source} <= {reads, address, data, source};
        end
        passed <= req && !(for_this_block && !held);
        passed_ring <= ring;
        answered <= answers;
        answer <= {1'b1, held_reads, held_address, held_reads ? read_data : held_data, held_source};
        was_late <= for_this_block && held;
        if (reset) begin
            held <= 0;
            ended <= 0;
            passed <= 0;
            answered <= 0;
            was_late <= 0;
        end
    end

    (* anyseq *) wire inner_held, inner_done, inner_held_reads, inner_request;
    (* anyseq *) wire [9:0] inner_held_word;
    (* anyseq *) wire [31:0] inner_held_data;
    (* anyseq *) wire [1:0] inner_held_source;
    always @(*) if (started) begin
        an_access_is_that_of_the_request: assert(!select || (held && !ended && write == !held_reads
            && word == held_address[9:0] && (!write || write_data == held_data)));
        a_request_has_its_access: assert(!held || ended || select);
        others_pass_unchanged: assert(!passed || (out_req && out_ring == passed_ring));
        an_answer_is_that_of_the_request: assert(!answered || (out_req && out_ring == answer));
        nothing_else_goes_out: assert(!out_req || passed || answered);
        late_ones_are_told: assert(unanswered == was_late);
        helper_block: assert(!held || held_address[22:10] == block);
        helper_held: assert(inner_held == held && inner_done == ended && (held || !ended));
        helper_request: assert(!held || {inner_held_reads, inner_held_word, inner_held_data, inner_held_source}
            == {held_reads, held_address[9:0], held_data, held_source});
        helper_goes: assert(inner_request == (passed || answered));
    end
endmodule
