// SPDX-License-Identifier: MIT OR Apache-2.0
//! A component in IP-XACT (IEEE 1685-2014): ports, bus interfaces, clock, reset, registers, files.

use super::axi::{self, Interface, Kind};
use super::ports::{Port, clock, ports, reset};
use super::{Device, Package};
use crate::emit::VERSION;
use crate::registers::{Access, Content, Registers};
use tidegate_hdl::verilog::ascii;

/// Name of the memory map.
const MAP: &str = "registers";

/// The component of a device.
pub(super) fn component(package: &Package, device: &Device) -> String {
    let (top, module) = (package.top(device), device.netlist.top());
    let mut xml = Xml { text: String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"), depth: 0 };
    xml.open("component xmlns:ipxact=\"http://www.accellera.org/XMLSchema/IPXACT/1685-2014\"");
    let identity = [("vendor", "tidegate"), ("library", package.scheme.name), ("name", &top), ("version", VERSION)];
    identity.into_iter().for_each(|(element, text)| xml.element(element, text));
    xml.open("busInterfaces");
    let interfaces = axi::interfaces(device);
    let (clock, (reset, low)) = (clock(module), reset(module));
    for interface in &interfaces {
        bus_interface(&mut xml, interface, device.registers.is_some(), &clock, low.then_some(&reset));
    }
    let names: Vec<&str> = interfaces.iter().map(|interface| interface.prefix.as_str()).collect();
    signal(&mut xml, "clock", "CLK", &clock, &[("ASSOCIATED_BUSIF", &names.join(":")), ("ASSOCIATED_RESET", &reset)]);
    signal(&mut xml, "reset", "RST", &reset, &[("POLARITY", if low { "ACTIVE_LOW" } else { "ACTIVE_HIGH" })]);
    xml.close("busInterfaces");
    if let Some(registers) = &device.registers {
        memory_map(&mut xml, registers);
    }
    model(&mut xml, &top, &ports(module));
    xml.open("fileSets");
    xml.open("fileSet");
    xml.element("name", "rtl");
    for file in package.verilog(device) {
        xml.open("file");
        xml.element("name", &file);
        xml.element("fileType", "verilogSource-2001");
        xml.close("file");
    }
    xml.close("fileSet");
    xml.close("fileSets");
    let about = module.meaning.split("\n\n").next().unwrap_or_default();
    xml.element("description", &format!("{about} {}", package.made()));
    xml.close("component");
    xml.text
}

/// An AXI interface, with the names that Arm gives its buses.
fn bus_interface(xml: &mut Xml, interface: &Interface, mapped: bool, clock: &str, reset: Option<&String>) {
    let (bus, version) = match interface.kind {
        Kind::Lite => ("AXI4-Lite", "r0p0_0"),
        Kind::Receives | Kind::Sends => ("AXI4Stream", "r0p0_1"),
    };
    xml.open("busInterface");
    xml.element("name", &interface.prefix);
    let identity = |name: &str| format!("vendor=\"amba.com\" library=\"AMBA4\" name=\"{name}\" version=\"{version}\"");
    let physical = |name: &String| (name.clone(), format!("{}_{}", interface.prefix, name.to_lowercase()));
    let mut logical: Vec<(String, String)> = interface.logical.iter().map(physical).collect();
    logical.push(("ACLK".to_string(), clock.to_string()));
    logical.extend(reset.map(|reset| ("ARESETn".to_string(), reset.clone())));
    xml.typed(&identity(bus), &identity(&format!("{bus}_rtl")), &logical);
    match interface.kind {
        Kind::Lite if mapped => {
            xml.open("slave");
            xml.empty(&format!("memoryMapRef memoryMapRef=\"{MAP}\""));
            xml.close("slave");
        }
        Kind::Lite | Kind::Receives => xml.empty("slave"),
        Kind::Sends => xml.empty("master"),
    }
    xml.close("busInterface");
}

/// A clock or a reset, as Vivado knows it: IP-XACT itself has no name for it.
fn signal(xml: &mut Xml, name: &str, logical: &str, port: &str, parameters: &[(&str, &str)]) {
    xml.open("busInterface");
    xml.element("name", port);
    let identity = |name: &str| format!("vendor=\"xilinx.com\" library=\"signal\" name=\"{name}\" version=\"1.0\"");
    let ports = [(logical.to_string(), port.to_string())];
    xml.typed(&identity(name), &identity(&format!("{name}_rtl")), &ports);
    xml.empty("slave");
    xml.open("parameters");
    for (name, value) in parameters {
        xml.open(&format!("parameter parameterId=\"{port}_{name}\""));
        xml.element("name", name);
        xml.element("value", value);
        xml.close("parameter");
    }
    xml.close("parameters");
    xml.close("busInterface");
}

fn memory_map(xml: &mut Xml, registers: &Registers) {
    xml.open("memoryMaps");
    xml.open("memoryMap");
    xml.element("name", MAP);
    xml.open("addressBlock");
    xml.element("name", &registers.prefix());
    xml.element("baseAddress", "0");
    xml.element("range", &format!("{}", 1 << crate::registers::ADDRESS_BITS));
    xml.element("width", "32");
    for register in &registers.list {
        let access = match register.access {
            Access::ReadOnly => "read-only",
            Access::ReadWrite => "read-write",
        };
        let changes = match register.content {
            Content::Constant => false,
            Content::Reset | Content::Flip => true,
            _ => register.access == Access::ReadOnly,
        };
        let unit = if register.unit.is_empty() { String::new() } else { format!(" Unit: {}.", register.unit) };
        let meaning = format!("{}.{unit}", register.meaning.trim_end_matches('.'));
        xml.open("register");
        xml.element("name", &register.name);
        xml.element("description", &meaning);
        xml.element("addressOffset", &format!("'h{:x}", register.address));
        xml.element("size", "32");
        xml.element("volatile", &changes.to_string());
        xml.element("access", access);
        xml.open("field");
        xml.element("name", "word");
        xml.element("bitOffset", "0");
        xml.open("resets");
        xml.open("reset");
        xml.element("value", &format!("'h{:x}", register.reset));
        xml.close("reset");
        xml.close("resets");
        xml.element("bitWidth", &register.bits.to_string());
        xml.element("volatile", &changes.to_string());
        xml.element("access", access);
        xml.close("field");
        xml.close("register");
    }
    xml.close("addressBlock");
    xml.element("addressUnitBits", "8");
    xml.close("memoryMap");
    xml.close("memoryMaps");
}

fn model(xml: &mut Xml, top: &str, ports: &[Port]) {
    xml.open("model");
    xml.open("views");
    xml.open("view");
    xml.element("name", "rtl");
    xml.element("envIdentifier", "verilogSource::");
    xml.element("componentInstantiationRef", "rtl");
    xml.close("view");
    xml.close("views");
    xml.open("instantiations");
    xml.open("componentInstantiation");
    xml.element("name", "rtl");
    xml.element("language", "verilog");
    xml.element("moduleName", top);
    xml.open("fileSetRef");
    xml.element("localName", "rtl");
    xml.close("fileSetRef");
    xml.close("componentInstantiation");
    xml.close("instantiations");
    xml.open("ports");
    for port in ports {
        xml.open("port");
        xml.element("name", &port.name);
        if !port.meaning.is_empty() {
            xml.element("description", port.meaning);
        }
        xml.open("wire");
        xml.element("direction", if port.is_input() { "in" } else { "out" });
        if port.bits > 1 {
            xml.open("vectors");
            xml.open("vector");
            xml.element("left", &(port.bits - 1).to_string());
            xml.element("right", "0");
            xml.close("vector");
            xml.close("vectors");
        }
        xml.close("wire");
        xml.close("port");
    }
    xml.close("ports");
    xml.close("model");
}

/// Elements of the namespace, one a line.
struct Xml {
    text: String,
    depth: usize,
}

impl Xml {
    fn line(&mut self, text: &str) {
        self.text += &format!("{}{text}\n", "  ".repeat(self.depth));
    }

    /// Begins an element; its attributes come behind its name.
    fn open(&mut self, element: &str) {
        self.line(&format!("<ipxact:{element}>"));
        self.depth += 1;
    }

    fn close(&mut self, element: &str) {
        self.depth -= 1;
        self.line(&format!("</ipxact:{element}>"));
    }

    /// An element with nothing inside.
    fn empty(&mut self, element: &str) {
        self.line(&format!("<ipxact:{element}/>"));
    }

    /// An element with a text inside.
    fn element(&mut self, element: &str, text: &str) {
        let text = ascii(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        self.line(&format!("<ipxact:{element}>{text}</ipxact:{element}>"));
    }

    /// The type of a bus interface: attributes of the bus and of its signals, and the ports with their names in it.
    fn typed(&mut self, bus: &str, signals: &str, ports: &[(String, String)]) {
        self.empty(&format!("busType {bus}"));
        self.open("abstractionTypes");
        self.open("abstractionType");
        self.empty(&format!("abstractionRef {signals}"));
        self.open("portMaps");
        for (logical, physical) in ports {
            self.open("portMap");
            self.open("logicalPort");
            self.element("name", logical);
            self.close("logicalPort");
            self.open("physicalPort");
            self.element("name", physical);
            self.close("physicalPort");
            self.close("portMap");
        }
        self.close("portMaps");
        self.close("abstractionType");
        self.close("abstractionTypes");
    }
}
