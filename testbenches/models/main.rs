//! The integer models against plain formulas and against what the papers promise, over all that the validator accepts.

#[path = "../common/settings.rs"]
mod settings;

mod asm;
mod bcn;
mod dsm;
mod qcn;
mod shared;
mod smcc;
mod validator;
