// SPDX-License-Identifier: MIT OR Apache-2.0
//! The schemes: the algorithms in integers, their models, what the theory says, and a row for each in the registry.

pub mod analysis;
pub mod model;
pub mod registry;
pub mod scheme;
