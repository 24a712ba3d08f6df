// SPDX-License-Identifier: MIT OR Apache-2.0
//! For all time and all traffic: what connects a register file to a bus.

use tidegate::bus::register_bus::RegisterBus;
use tidegate_testing::proofs::Proof;

const AXI4_LITE: &str = include_str!("axi4_lite.sv");
const REGISTER_RING: &str = include_str!("register_ring.sv");

/// All of them.
pub fn proofs() -> Vec<Proof> {
    vec![axi4_lite(), ring()]
}

fn axi4_lite() -> Proof {
    let broken = &[
        ("a_write_is_that_of_the_bus", "write_word <= s_axi_awaddr[11:2]", "write_word <= s_axi_araddr[11:2]"),
        ("a_write_is_that_of_the_bus", "write_addressed && write_valued &&", "write_addressed &&"),
        ("a_write_is_that_of_the_bus", "s_axi_wstrb == 4'd15", "s_axi_wstrb != 4'd0"),
        ("a_read_is_that_of_the_bus", "write_word : read_word;", "write_word : (read_word + 10'd1);"),
        ("an_access_does_not_change", "if (s_axi_arvalid && !read_addressed)", "if (s_axi_arvalid)"),
        ("a_write_that_ends_has_its_response", "responds_error <= refuses", "responds_error <= 1'd1"),
        ("a_response_without_access_refuses_octets", "responds_error <= refuses", "responds_error <= 1'd0"),
        ("a_response_to_a_write_stays", "if (s_axi_bready)", "if (s_axi_rready)"),
        ("a_read_that_ends_has_its_response", "returns <= 1'd1", "returns <= 1'd0"),
        ("a_value_stays", "!returns && !working", "!working"),
        ("no_value_without_a_read", "if (s_axi_rready)", "if (s_axi_rready && s_axi_bready)"),
        ("a_write_ends_in_time", "(!read_waits || !writing)", "!read_waits"),
        ("a_read_ends_in_time", "(!write_waits || writing)", "!write_waits"),
        ("takes_when_it_has_none", "s_axi_awready = !write_addressed", "s_axi_awready = !write_addressed && !working"),
    ];
    Proof::new(RegisterBus::Axi4Lite.adapter().netlist, AXI4_LITE, broken)
}

fn ring() -> Proof {
    let broken = &[
        ("an_access_is_that_of_the_request", "held_data <= reg_data_in", "held_data <= data"),
        (
            "a_request_has_its_access",
            "register_select = held && !done",
            "register_select = held && !done && !reg_req_in",
        ),
        ("others_pass_unchanged", "reg_addr_in[22:10] == block_address", "reg_addr_in[21:10] == block_address[11:0]"),
        ("others_pass_unchanged", "source <= reg_src_in", "source <= held_source"),
        ("an_answer_is_that_of_the_request", "data <= register_read_data", "data <= held_data"),
        ("an_answer_is_that_of_the_request", "answered <= 1'd1", "answered <= 1'd0"),
        ("nothing_else_goes_out", "request <= reg_req_in && !takes", "request <= reg_req_in"),
        ("late_ones_are_told", "unanswered <= ours && held", "unanswered <= held"),
    ];
    Proof::new(RegisterBus::Ring.adapter().netlist, REGISTER_RING, broken)
}

#[test]
fn mistakes_have_their_places() {
    proofs().iter().for_each(Proof::mistakes_have_their_places);
}

#[test]
fn each_request_on_axi4_lite_has_its_access_and_its_response() {
    axi4_lite().holds();
}

#[test]
#[ignore = "long: a proof for each mistake"]
fn each_claim_about_axi4_lite_sees_a_mistake() {
    axi4_lite().sees_mistakes();
}

#[test]
fn each_request_on_the_ring_passes_or_is_answered() {
    ring().sees_mistakes();
}
