// SPDX-License-Identifier: MIT OR Apache-2.0
use super::*;
use tidegate_schemes::registry::{self, Family, SCHEMES, Scheme};

/// The registers of a part with these settings.
fn registers(scheme: &'static Scheme, part: Part, settings: &[(&str, &str)]) -> Registers {
    let settings: Vec<_> = settings.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
    Registers::of(scheme, part, &scheme.parameters(&settings).unwrap(), &settings)
}

/// All kinds of parts.
fn all() -> Vec<Registers> {
    let mut all = Vec::new();
    for scheme in SCHEMES {
        for part in [Part::CongestionPoint, Part::ReactionPoint] {
            all.push(registers(scheme, part, &[]));
            if matches!(scheme.family, Family::Ethernet(_)) {
                all.push(registers(scheme, part, &[("cp_queues", "64")]));
                all.push(registers(scheme, part, &[("rp_flows", "4096")]));
            }
        }
    }
    all
}

#[test]
fn addresses_and_names_are_unique_and_values_fit() {
    for registers in all() {
        let list = &registers.list;
        assert!(list.is_sorted_by(|one, next| one.address < next.address), "{}", registers.module);
        let mut names: Vec<String> = list.iter().map(Register::constant).collect();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), list.len(), "{}", registers.module);
        for register in list {
            assert!(register.address % 4 == 0 && register.address < 1 << ADDRESS_BITS);
            assert!(u64::from(register.reset) >> register.bits == 0, "{}: {}", registers.module, register.name);
            assert!(!register.meaning.is_empty(), "{}: {}", registers.module, register.name);
        }
    }
}

#[test]
fn every_parameter_has_a_register_and_takes_its_value_after_reset() {
    for registers in all() {
        for parameter in &registers.parameters {
            let Some(bounds) = parameter.bounds else { continue };
            let bits = parameter.high.as_ref().map_or(parameter.bits, |(_, high)| 32 + high);
            assert!(bounds.most <= u64::MAX >> (64 - bits), "{}: {}", registers.module, parameter.name);
            assert!(bounds.take(parameter.reset), "{}: {} = {}", registers.module, parameter.name, parameter.reset);
            assert!(registers.list.iter().any(|register| register.port.as_ref() == Some(&parameter.port)));
        }
    }
}

#[test]
fn names_of_802_1q_become_constants() {
    let registers = registers(registry::find("qcn").unwrap(), Part::ReactionPoint, &[]);
    let rate = registers.list.iter().find(|register| register.port.as_deref() == Some("ai_rate")).unwrap();
    assert_eq!((rate.name.as_str(), rate.constant().as_str()), ("rpgAiRate", "RPG_AI_RATE"));
}

#[test]
fn a_key_is_refused_where_its_register_refuses_it() {
    // Ports that are a key as it is: the neighbours of the bounds, as settings.
    for (scheme, part, key, port) in [
        ("qcn", Part::CongestionPoint, "q0_bytes", "q0_bytes"),
        ("smcc", Part::CongestionPoint, "seed", "seed"),
        ("qcn", Part::CongestionPoint, "w", "weight"),
        ("qcn", Part::ReactionPoint, "bucket_bytes", "bucket_bytes"),
        ("qcn", Part::ReactionPoint, "gd_shift", "gd_shift"),
        ("bcn", Part::ReactionPoint, "gd_shift", "gd_shift"),
        ("dsm", Part::CongestionPoint, "m", "loop_delay"),
        ("dsm", Part::CongestionPoint, "omega", "omega"),
        ("infiniband", Part::CongestionPoint, "buffer_packets", "buffer_packets"),
    ] {
        let scheme = registry::find(scheme).unwrap();
        let registers = registers(scheme, part, &[]);
        let parameter = registers.parameters.iter().find(|parameter| parameter.port == port).unwrap();
        let bounds = parameter.bounds.unwrap();
        for outside in [bounds.least.checked_sub(1), Some(bounds.most + 1)].into_iter().flatten() {
            assert!(!bounds.take(outside));
            let error = scheme.parameters(&[(key.to_string(), outside.to_string())]).unwrap_err();
            assert!(error.key == key && error.reason.contains("out of range"), "{error}");
        }
    }
}
