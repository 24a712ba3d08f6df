//! Parts with the ports of a card's bus: part, what connects it, and its register file in one module; and register files
//! on a bus of registers.

mod join;
pub mod netfpga1g;
pub mod register_bus;
pub mod with_registers;
