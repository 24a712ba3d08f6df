// SPDX-License-Identifier: MIT OR Apache-2.0
//! The parameters that all Ethernet schemes have at the ports of their parts.

use super::bounds::{Bounds, Row, Rule, fits, one};
use super::jitter::JitterParameters;
use super::parameters::{INTERVAL_MAX, Parameters};
use super::ports::ports;
use super::sampler::{sample_mode, sampling};
use tidegate_core::units::OVERHEAD_BYTES;

/// The low bit of the first octet of an address: set in a group address.
const GROUP: u64 = 1 << 40;
const MAC_MAX: u64 = (1 << 48) - 1;

/// Conditions between the parameters of a part, for those parts that have them.
pub const RULES: &[Rule] = &[
    Rule { left: &[one("min_rate")], right: &[one("line_rate")], more: 0, meaning: "min_rate is at most line_rate" },
    fits!("interval_low", "interval_span"),
];

ports! {
    /// Of a congestion point.
    pub struct CongestionPointParameters {
        /// What the sampling interval counts.
        pub sample_mode: u8 = Row::between(0, 2),
        /// Value of the random source after reset, not 0.
        pub seed: u16 = Row::key("seed"),
        /// The sampling interval.
        pub interval: JitterParameters = Row::between(1, INTERVAL_MAX).unit("packets, bytes or cycles"),
        /// q0.
        pub q0_bytes: u32 = Row::key("q0_bytes").unit("bytes").named(&["cpQueueSizeSetPoint"]),
        /// Identifier; that of one for many queues numbers them in its low bits.
        pub cpid: u64 = Row::of(|keys| Bounds::bits(64).clear(keys.cp_queues() - 1)).named(&["cpIdentifier"]),
        /// Address.
        pub cp_mac: u64 = Row::within(Bounds::of(1, MAC_MAX).clear(GROUP)).named(&["cpMacAddress"]),
    }
}

impl CongestionPointParameters {
    /// Computes the ports from checked parameters.
    pub fn new(parameters: &Parameters) -> Self {
        CongestionPointParameters {
            sample_mode: sample_mode(parameters) as u8,
            seed: parameters.integer("seed") as u16,
            interval: sampling(parameters)[0],
            q0_bytes: parameters.integer("q0_bytes") as u32,
            cpid: parameters.cpid(),
            cp_mac: parameters.mac("cp_mac"),
        }
    }
}

ports! {
    /// Of a reaction point. Its memories are made for so many flows, so the last two cannot be written.
    pub struct ReactionPointParameters {
        /// Address; that of one for many flows numbers them in its low bits, unless their frames have a tag.
        pub rp_mac: u64 = Row::of(|keys| {
            let numbers = if keys.flow_from_tag() { 0 } else { keys.rp_flows() - 1 };
            Bounds::of(1, MAC_MAX).clear(GROUP | numbers)
        }),
        /// Congestion point that is obeyed.
        pub allowed_cpid: u64 = Row::within(Bounds::bits(64)),
        /// Bits of it that are compared.
        pub allowed_cpid_mask: u64 = Row::within(Bounds::bits(64)),
        /// Depth of the token bucket.
        pub bucket_bytes: u16 = Row::key("bucket_bytes").unit("bytes"),
        /// Bytes added to the length of a frame.
        pub overhead_bytes: u32 =
            Row::within(Bounds::of(OVERHEAD_BYTES as u64, OVERHEAD_BYTES as u64).or_zero()).unit("bytes"),
        /// Bits of a flow's number.
        pub flow_mask: u16 = Row::MADE,
        /// A frame has the number of its flow in its CN-TAG.
        pub flow_from_tag: bool = Row::MADE,
    }
}

impl ReactionPointParameters {
    /// Computes the ports from checked parameters.
    pub fn new(parameters: &Parameters) -> Self {
        let (allowed_cpid, allowed_cpid_mask) = parameters.allowed_cpid();
        ReactionPointParameters {
            rp_mac: parameters.rp_mac(0),
            allowed_cpid,
            allowed_cpid_mask,
            bucket_bytes: parameters.integer("bucket_bytes") as u16,
            overhead_bytes: parameters.overhead(),
            flow_mask: parameters.rp_flows() as u16 - 1,
            flow_from_tag: parameters.flow_from_tag(),
        }
    }
}
