//! Parts with the ports of a card's bus: part, what connects it, and its register file in one module; and register files
//! on a bus of registers.

pub mod axis64_rp;
mod join;
pub mod netfpga1g;
pub mod netfpga1g_rp;
pub mod register_bus;
pub mod rp;
