// SPDX-License-Identifier: MIT OR Apache-2.0
//! The congestion point in the data path of a NetFPGA-SUME, 10G, 1G-CML or PLUS, between output_port_lookup and
//! output_queues: what does not depend on the width of the stream.
//!
//! TUSER has 128 bits and is valid with the first beat of a frame: bits 15 to 0 its octets, 23 to 16 its source port and 31 to 24
//! its destination ports, a bit each. Even bits are MAC ports 0 to 3, odd bits belong to the processor (DMA). The reference has
//! five output queues: queue i is that of MAC port i, and queue 4 that of all ports of the processor.

pub mod event_store;
pub mod event_turns;
pub mod frame_events;
pub mod queue_account;
pub mod queue_accounts;
