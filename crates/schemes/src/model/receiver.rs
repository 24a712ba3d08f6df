// SPDX-License-Identifier: MIT OR Apache-2.0
//! The receiver of a scheme in which it answers packets: with ECN, it tells the source of marked ones.

use super::codec::Payload;
use super::packet::Packet;
use tidegate_core::units::Cycles;

/// A feedback that a receiver sends to the source of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Notification {
    /// Cycles from the last byte of the packet until the notification leaves.
    pub latency: Cycles,
    /// What it carries.
    pub payload: Payload,
}

/// A receiver: the host behind the last output of a path, for all flows that end there.
pub trait ReceiverModel {
    /// The last byte of a packet arrives in cycle `now`; a congestion point on its way has marked it or none has. The
    /// packets of all flows come in the order of time.
    fn arrival(&mut self, now: Cycles, packet: &Packet, marked: bool) -> Option<Notification>;
}

/// The receiver of any scheme. Only a network whose scheme has one calls it.
pub type AnyReceiver = Box<dyn ReceiverModel + Send>;
