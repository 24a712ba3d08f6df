// SPDX-License-Identifier: MIT OR Apache-2.0
//! Parse, dispatch, exit code; nothing else.

use std::process::ExitCode;

fn main() -> ExitCode {
    tidegate::cli::main()
}
