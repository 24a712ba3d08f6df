// SPDX-License-Identifier: MIT OR Apache-2.0
//! A device between AXI4-Streams at native speed, and its registers on AXI4-Lite.

use std::collections::BTreeMap;
use tidegate_hdl::engine::{Input, Output, Program, Simulation};
use tidegate_package::registers::Registers;

/// The inputs of each cycle, and the outputs before and after its edge.
pub type Record = (Vec<Vec<u64>>, Vec<Vec<u64>>);

/// The ports of a device in lanes of 64 bits: the inputs of this cycle, the outputs of the one before.
pub struct Device {
    simulation: Simulation,
    inputs: BTreeMap<String, (Input, usize)>,
    outputs: BTreeMap<String, (Output, usize)>,
    /// Outputs without those that are only watched.
    recorded: usize,
    row: Vec<u64>,
    out: Vec<u64>,
    /// Places of the lanes of wide ports.
    lanes: BTreeMap<String, Vec<usize>>,
    pub cycle: u64,
    pub record: Option<Record>,
}

impl Device {
    /// At power-up. `probes`: how many of the outputs are not of the device, but inside.
    pub fn new(program: &Program, probes: usize) -> Device {
        let names = |input| {
            let ports = program.ports().iter().filter(move |port| port.input == input);
            ports.map(|port| port.name.clone()).enumerate()
        };
        let input = |(place, name): (usize, String)| (name.clone(), (program.input(&name).unwrap(), place));
        let output = |(place, name): (usize, String)| (name.clone(), (program.output(&name).unwrap(), place));
        let inputs: BTreeMap<_, _> = names(true).map(input).collect();
        let outputs: BTreeMap<_, _> = names(false).map(output).collect();
        Device {
            simulation: program.start(1),
            row: vec![0; inputs.len()],
            out: vec![0; outputs.len()],
            recorded: outputs.len() - probes,
            inputs,
            outputs,
            lanes: BTreeMap::new(),
            cycle: 0,
            record: None,
        }
    }

    /// Drives an input from this cycle on.
    pub fn set(&mut self, name: &str, value: u64) {
        let place = self.inputs.get(name).unwrap_or_else(|| panic!("no input {name}")).1;
        self.row[place] = value;
    }

    /// The value of an output before the last edge.
    pub fn get(&self, name: &str) -> u64 {
        self.out[self.outputs.get(name).unwrap_or_else(|| panic!("no output {name}")).1]
    }

    /// The place of an input in the rows that are recorded.
    pub fn input_place(&self, name: &str) -> Option<usize> {
        self.inputs.get(name).map(|&(_, place)| place)
    }

    /// Drives a port with octets, the first one in the low bits.
    pub fn set_wide(&mut self, name: &str, octets: &[u8]) {
        let lanes =
            lanes(self.inputs.iter().map(|(name, &(_, place))| (name, place)), name, octets.len(), &mut self.lanes);
        for (&place, chunk) in lanes.iter().zip(octets.chunks(8)) {
            self.row[place] = u64::from_le_bytes(chunk.try_into().unwrap());
        }
    }

    /// So many octets of a port.
    pub fn get_wide(&mut self, name: &str, octets: usize) -> Vec<u8> {
        let outputs = self.outputs.iter().map(|(name, &(_, place))| (name, place));
        let lanes = lanes(outputs, name, octets, &mut self.lanes);
        lanes.iter().flat_map(|&place| self.out[place].to_le_bytes()).collect()
    }

    /// A clock edge.
    pub fn step(&mut self) {
        for &(input, place) in self.inputs.values() {
            self.simulation.set(input, self.row[place]);
        }
        self.simulation.step();
        self.out = self.values();
        if let Some((mut rows, mut expected)) = self.record.take() {
            self.simulation.settle();
            rows.push(self.row.clone());
            let after = self.values();
            expected.extend([&self.out, &after].map(|values| values[..self.recorded].to_vec()));
            self.record = Some((rows, expected));
        }
        self.cycle += 1;
    }

    fn values(&self) -> Vec<u64> {
        let mut values = vec![0; self.outputs.len()];
        for &(output, place) in self.outputs.values() {
            values[place] = self.simulation.get(output);
        }
        values
    }
}

/// The places of the lanes of a port of so many octets. They are looked up once.
fn lanes<'a, 'b>(
    mut ports: impl Iterator<Item = (&'b String, usize)>,
    name: &str,
    octets: usize,
    known: &'a mut BTreeMap<String, Vec<usize>>,
) -> &'a [usize] {
    if !known.contains_key(name) {
        let ports: BTreeMap<&String, usize> = ports.by_ref().collect();
        let lane = |lane| if octets == 8 { name.to_string() } else { format!("{name}_{lane}") };
        known.insert(name.to_string(), (0..octets / 8).map(|place| ports[&lane(place)]).collect());
    }
    &known[name]
}

/// A bench around a device with registers.
pub trait Registered {
    fn device(&mut self) -> &mut Device;

    fn registers(&self) -> &Registers;

    /// A cycle in which the bench goes on, and the inputs of the registers stay.
    fn idle(&mut self);

    fn address(&self, name: &str) -> u64 {
        let found = self.registers().list.iter().find(|register| register.name == name);
        found.unwrap_or_else(|| panic!("there is no register {name}")).address.into()
    }

    /// Holds inputs until an output was high.
    fn until(&mut self, output: &str) {
        for _ in 0..40 {
            self.idle();
            if self.device().get(output) == 1 {
                return;
            }
        }
        panic!("{output} does not rise");
    }

    /// Writes a register; returns the response.
    fn write(&mut self, name: &str, value: u64) -> u64 {
        let address = self.address(name);
        let device = self.device();
        for (name, value) in
            [("s_axi_awaddr", address), ("s_axi_wdata", value), ("s_axi_wstrb", 15), ("s_axi_bready", 1)]
        {
            device.set(name, value);
        }
        for (valid, ready) in [("s_axi_awvalid", "s_axi_awready"), ("s_axi_wvalid", "s_axi_wready")] {
            self.device().set(valid, 1);
            self.until(ready);
            self.device().set(valid, 0);
        }
        self.until("s_axi_bvalid");
        self.device().get("s_axi_bresp")
    }

    fn read(&mut self, name: &str) -> u64 {
        let address = self.address(name);
        self.device().set("s_axi_araddr", address);
        self.device().set("s_axi_arvalid", 1);
        self.until("s_axi_arready");
        self.device().set("s_axi_arvalid", 0);
        self.device().set("s_axi_rready", 1);
        self.until("s_axi_rvalid");
        self.device().set("s_axi_rready", 0);
        self.device().get("s_axi_rdata")
    }

    fn counter(&mut self, name: &str) -> u64 {
        self.read(&format!("{name}_low")) | self.read(&format!("{name}_high")) << 32
    }
}
