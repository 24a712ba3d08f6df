//! The integer models, compared with plain formulas and with properties from the papers, for all parameters that the
//! validator accepts.

#[path = "../common/settings.rs"]
mod settings;

mod asm;
mod bcn;
mod dsm;
mod qcn;
mod shared;
mod smcc;
mod validator;
