// SPDX-License-Identifier: MIT OR Apache-2.0
//! The command line and the tools, as a user meets them: `cargo test --release --test tests FILE::` runs one file.

mod analyze;
mod boards;
mod browser;
mod build;
mod cli;
mod command_line;
mod common;
mod compare;
mod docs;
mod features;
mod folders;
mod licence;
mod limits;
mod man;
mod messages;
mod outputs;
mod packaging;
mod release;
mod rooms;
mod run;
mod scenario_schema;
mod signals;
mod sweep;
mod terminal;
mod tools;
mod verify;
