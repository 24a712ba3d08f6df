// SPDX-License-Identifier: MIT OR Apache-2.0
//! The congestion point in the user data path of the NetFPGA-1G, between output_port_lookup and output_queues.
//!
//! A word of the path has 64 bits of data and 8 bits of ctrl. Words with a ctrl other than 0 before a packet are module
//! headers; the words of the packet have ctrl 0, except the last one, whose ctrl has one bit: 0x80 = one valid octet …
//! 0x01 = eight. The first octet is in bits 63 to 56. The module header with ctrl 0xff says what the packet is: bits 15
//! to 0 its octets, 31 to 16 the number of its source port, 47 to 32 its words, 63 to 48 its destination ports, a bit
//! each.

pub mod event_queue;
pub mod gate_turns;
pub mod level_events;
pub mod out_buffer;
pub mod outgoing_fields;
pub mod packet_events;
pub mod packet_fields;
pub mod packet_payment;
pub mod packet_sequencer;
pub mod queue_events;
pub mod queue_level;
pub mod queue_levels;
pub mod receive_filter;
pub mod tag_inserter;
pub mod tap;
pub mod token_increments;
pub mod transmit_gate;
pub mod transmit_gates;
pub mod word_queue;
pub mod words_in_flight;
