// SPDX-License-Identifier: MIT OR Apache-2.0
//! Names in Verilog: those of the netlist, unless a tool would refuse them. In a module, signals, memories, instances and
//! named values share one space of names; an instance must also not be called like a signal inside it, which a lint tool
//! reports as hidden.

use super::expression::enumerator_names;
use crate::netlist::{Module, Netlist};
use std::collections::HashSet;

/// Keywords of Verilog, of SystemVerilog, because a tool may read the file as SystemVerilog, those that Icarus adds, and those
/// of C++, because Verilator makes C++ of it and refuses ports with such a name.
const RESERVED: &str = "
    accept_on alias alignas alignof always always_comb always_ff always_latch and and_eq asm assert assign assume auto
    automatic before begin bind bins binsof bit bitand bitor bool break buf bufif0 bufif1 byte case casex casez catch
    cell chandle char char16_t char32_t char8_t checker class clocking cmos co_await co_return co_yield compl concept
    config const const_cast consteval constexpr constinit constraint context continue cover covergroup coverpoint cross
    deassign decltype default defparam delete design disable dist do double dynamic_cast edge else end endcase
    endchecker endclass endclocking endconfig endfunction endgenerate endgroup endinterface endmodule endpackage
    endprimitive endprogram endproperty endsequence endspecify endtable endtask enum event eventually expect explicit
    export extends extern false final first_match float for force foreach forever fork forkjoin friend function generate
    genvar global goto highz0 highz1 if iff ifnone ignore_bins illegal_bins implements implies import incdir include
    initial inline inout input inside instance int integer interconnect interface intersect join join_any join_none
    large let liblist library local localparam logic long longint macromodule matches medium modport module mutable
    namespace nand negedge nettype new nexttime nmos noexcept nor noshowcancelled not not_eq notif0 notif1 null nullptr
    operator or or_eq output package packed parameter pmos posedge primitive priority private program property protected
    public pull0 pull1 pulldown pullup pulsestyle_ondetect pulsestyle_onevent pure rand randc randcase randsequence
    rcmos real realtime ref reg register reinterpret_cast reject_on release repeat requires restrict return rnmos rpmos
    rtran rtranif0 rtranif1 s_always s_eventually s_nexttime s_until s_until_with scalared sequence short shortint
    shortreal showcancelled signed sizeof small soft solve specify specparam static static_assert static_cast string
    strong strong0 strong1 struct super supply0 supply1 switch sync_accept_on sync_reject_on table tagged task template
    this thread_local throughout throw time timeprecision timeunit tran tranif0 tranif1 tri tri0 tri1 triand trior
    trireg true try type typedef typeid typename union unique unique0 unsigned until until_with untyped use using uwire
    var vectored virtual void volatile wait wait_order wand wchar_t weak weak0 weak1 while wildcard wire with within wor
    wreal xnor xor xor_eq";

/// The names of a module.
pub(super) struct Names {
    pub signals: Vec<String>,
    /// Of the values of each enumeration.
    pub enumerators: Vec<Vec<String>>,
    pub memories: Vec<String>,
    pub roms: Vec<String>,
    pub instances: Vec<String>,
    taken: HashSet<String>,
}

impl Names {
    /// Those of a module of a netlist.
    pub fn of(module: &Module, netlist: &Netlist) -> Self {
        let signals = signals(module);
        let mut taken: HashSet<String> = signals.iter().cloned().collect();
        let claim = |name: &str, taken: &mut HashSet<String>| free(name, taken, &[]);
        let enumerators = enumerator_names(&module.enumerations, &signals).into_iter();
        let enumerators = enumerators.map(|values| values.iter().map(|name| claim(name, &mut taken)).collect());
        let enumerators = enumerators.collect();
        let memories = module.memories.iter().map(|memory| claim(&memory.name, &mut taken)).collect();
        let roms = module.roms.iter().map(|rom| claim(&rom.name, &mut taken)).collect();
        let instances = module.instances.iter().map(|instance| {
            let inside = &netlist.modules[instance.module];
            let memories = inside.memories.iter().map(|memory| memory.name.clone());
            let roms = inside.roms.iter().map(|rom| rom.name.clone());
            let hidden: Vec<String> = self::signals(inside).into_iter().chain(memories).chain(roms).collect();
            free(&instance.name, &mut taken, &hidden)
        });
        let instances = instances.collect();
        Names { signals, enumerators, memories, roms, instances, taken }
    }

    /// A name for something that the netlist does not have.
    pub fn further(&mut self, name: &str) -> String {
        free(name, &mut self.taken, &[])
    }
}

/// The names of the signals of a module.
pub fn signals(module: &Module) -> Vec<String> {
    let plain = |name: &str| !is_reserved(name) && name != module.name;
    let kept = module.signals.iter().filter(|signal| plain(&signal.name));
    let mut taken: HashSet<String> = kept.map(|signal| signal.name.clone()).collect();
    let not = [module.name.clone()];
    let name = |name: &String| if plain(name) { name.clone() } else { free(name, &mut taken, &not) };
    module.signals.iter().map(|signal| &signal.name).map(name).collect()
}

/// The name of a module, without what may stand before it, among those of a netlist.
pub fn module(name: &str, all: &[Module]) -> String {
    if !is_reserved(name) {
        return name.to_string();
    }
    free(name, &mut all.iter().map(|module| module.name.clone()).collect(), &[])
}

/// Takes the first name that is free: this one, or with underscores at its end. A name is not free if it is a keyword.
fn free(name: &str, taken: &mut HashSet<String>, hidden: &[String]) -> String {
    let mut name = name.to_string();
    while is_reserved(&name) || taken.contains(&name) || hidden.contains(&name) {
        name.push('_');
    }
    taken.insert(name.clone());
    name
}

fn is_reserved(name: &str) -> bool {
    RESERVED.split_ascii_whitespace().any(|word| word == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reserved_words_are_found() {
        assert!(
            ["accept_on", "reg", "tagged", "priority", "uwire", "bool", "xor_eq"].iter().all(|word| is_reserved(word))
        );
        assert!(!is_reserved("regs") && !is_reserved(""));
    }

    #[test]
    fn a_name_that_is_taken_or_a_keyword_gets_underscores() {
        let mut taken = HashSet::from(["a".to_string(), "reg_".to_string()]);
        let names = ["a", "a", "reg", "b"].map(|name| free(name, &mut taken, &[]));
        assert_eq!(names, ["a_", "a__", "reg__", "b"]);
        let all = ["case", "case_"].map(|name| Module::empty(name, ""));
        assert_eq!(all.each_ref().map(|one| module(&one.name, &all)), ["case__", "case_"]);
    }
}
