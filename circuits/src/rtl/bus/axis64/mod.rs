//! The reaction point on AXI4-Stream of 64 bits.
//!
//! Inside, the first octet of a word is in bits 63 to 56; on the bus it is in bits 7 to 0 of `tdata`.

pub mod axis_receive_filter;
pub mod axis_transmit_gate;
pub mod frame_store;
