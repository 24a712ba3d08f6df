// SPDX-License-Identifier: MIT OR Apache-2.0
//! The circuits of tidegate: the schemes as `rust-hdl` modules.
//!
//! This is a crate of its own because it takes longest to build and knows nothing of the rest. `tidegate` shows its rooms as
//! if they were its own: `tidegate::rtl`.

pub mod response;
pub mod rtl;
