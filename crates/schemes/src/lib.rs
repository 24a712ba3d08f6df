// SPDX-License-Identifier: MIT OR Apache-2.0
//! The schemes: the algorithms in integers, their models, what the theory says, and a row for each in the registry.

pub mod analysis;
pub mod asm;
pub mod bcn;
pub mod claims;
pub mod dsm;
pub mod infiniband;
pub mod model;
pub mod qcn;
pub mod reference;
pub mod registry;
pub mod scheme;
pub mod smcc;
