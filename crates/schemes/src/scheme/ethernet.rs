// SPDX-License-Identifier: MIT OR Apache-2.0
//! The parameters that all Ethernet schemes have at the ports of their parts.

use super::bounds::{Bounds, Row, Rule, fits, one};
use super::jitter::JitterParameters;
use super::parameters::{INTERVAL_MAX, Parameters};
use super::ports::ports;
use super::sampler::{SampleMode, sample_mode, sampling};
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
    pub struct CongestionPointParameters from keys {
        /// What the sampling interval counts.
        pub sample_mode: u8 = Row::between(0, 2) => |keys| sample_mode(keys) as u8,
        /// Value of the random source after reset, not 0.
        pub seed: u16 = Row::key("seed"),
        /// The sampling interval.
        pub interval: JitterParameters = Row::between(1, INTERVAL_MAX).unit("packets, bytes or cycles")
            .timer(|keys| u64::from(sample_mode(keys) == SampleMode::Time))
            => |keys| sampling(keys)[0],
        /// q0.
        pub q0_bytes: u32 = Row::key("q0_bytes").unit("bytes").named(&["cpQueueSizeSetPoint"]),
        /// Identifier; that of one for many queues numbers them in its low bits.
        pub cpid: u64 = Row::of(|keys| Bounds::bits(64).clear(keys.cp_queues() - 1)).named(&["cpIdentifier"])
            => Parameters::cpid,
        /// Address.
        pub cp_mac: u64 = Row::within(Bounds::of(1, MAC_MAX).clear(GROUP)).named(&["cpMacAddress"])
            => |keys| keys.mac("cp_mac"),
    }
}

ports! {
    /// Of a reaction point. Its memories are made for so many flows, so the last two cannot be written.
    pub struct ReactionPointParameters from keys {
        /// Address; that of one for many flows numbers them in its low bits, unless their frames have a tag.
        pub rp_mac: u64 = Row::of(|keys| {
            let numbers = if keys.flow_from_tag() { 0 } else { keys.rp_flows() - 1 };
            Bounds::of(1, MAC_MAX).clear(GROUP | numbers)
        }) => |keys| keys.rp_mac(0),
        /// Congestion point that is obeyed.
        pub allowed_cpid: u64 = Row::within(Bounds::bits(64)) => |keys| keys.allowed_cpid().0,
        /// Bits of it that are compared.
        pub allowed_cpid_mask: u64 = Row::within(Bounds::bits(64)) => |keys| keys.allowed_cpid().1,
        /// Depth of the token bucket.
        pub bucket_bytes: u16 = Row::key("bucket_bytes").unit("bytes"),
        /// Bytes added to the length of a frame.
        pub overhead_bytes: u32 =
            Row::within(Bounds::of(OVERHEAD_BYTES as u64, OVERHEAD_BYTES as u64).or_zero()).unit("bytes")
            => Parameters::overhead,
        /// Bits of a flow's number.
        pub flow_mask: u16 = Row::MADE => |keys| keys.rp_flows() as u16 - 1,
        /// A frame has the number of its flow in its CN-TAG.
        pub flow_from_tag: bool = Row::MADE => Parameters::flow_from_tag,
    }
}
