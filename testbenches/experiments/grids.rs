// SPDX-License-Identifier: MIT OR Apache-2.0
//! Sets of parameters, grids of variants, and claims over all variants.

use super::text;
use tidegate::experiment::claims::{Judged, Verdict};
use tidegate::experiment::kind::AnyFile;
use tidegate::experiment::scenario::File;
use tidegate::experiment::{Experiment, catalogue};

const GRID: &str = "[[grid]]\nof = \"ASM\"\nparameter = \"approach\"\n\
    values = [[\"1/16\", \"1/8\"], [\"1/64\"], [\"1/32\", \"1/16\", \"1/4\"], [\"1/2\"]]\nfrom = \"choice\"\n\
    [[variant]]\nname = \"ASM\"\nscheme = \"asm\"\nparameters = { w = 16, approach = \"1/2,1/2,1/2,1/2\" }\n\
    [[variant]]\nname = \"last\"\nscheme = \"dsm\"\n";

/// A claim about the mean queue.
fn claim(id: &str, measure: &str, more: &str) -> String {
    format!(
        "[[claim]]\nid = \"{id}\"\nclaim = \"c\"\nmeasure = {{ metric = \"queue_mean_kb\"{measure} }}\nbound = \"b\"\n{more}\n"
    )
}

fn judged(more: &str, check: impl Fn(&[Judged])) {
    let file = File::parse("t", "t", &text(more)).unwrap();
    let experiment = Experiment::new(&file).unwrap_or_else(|error| panic!("{error:#}"));
    check(&experiment.run(&|_, _| ()).unwrap().judged);
}

#[test]
fn parameters_of_sets_count_over_those_of_all_variants_and_under_its_own() {
    let text = text(
        "[set.one]\nw = { value = 7, from = \"one\" }\ngd_shift = { value = 3, from = \"one\" }\n\
         min_rate_mbps = { value = 20, from = \"one\" }\n\
         [set.two]\nw = { value = 8, from = \"two\" }\nq0_bytes = { value = 40000, from = \"two\" }\n\
         [[variant]]\nname = \"both\"\nscheme = \"qcn\"\nsets = [\"one\", \"two\"]\nparameters = { gd_shift = 5 }\n\
         [[variant]]\nname = \"the other way round\"\nscheme = \"qcn\"\nsets = [\"two\", \"one\"]\n",
    );
    let file = File::parse("t", "t", &text).unwrap();
    let experiment = Experiment::new(&file).unwrap_or_else(|error| panic!("{error:#}"));
    let of = |name: &str, key: &str| {
        let case = experiment.cases.iter().find(|case| case.name == name).unwrap();
        let row = case.stated().unwrap().into_iter().find(|(known, ..)| known == key).unwrap();
        (row.1, row.2)
    };
    let stated = |value: &str, from: &str| (value.to_string(), from.to_string());
    assert_eq!(of("both", "w"), stated("8", "two"));
    assert_eq!(of("both", "gd_shift"), stated("5", ""));
    assert_eq!(of("both", "q0_bytes"), stated("40000", "two"));
    assert_eq!(of("both", "min_rate_mbps"), stated("20", "one"));
    assert_eq!(of("the other way round", "w"), stated("7", "one"));
    assert_eq!(of("QCN", "w").1, "default of the scheme");
}

#[test]
fn a_grid_takes_the_place_of_its_variant() {
    let file = File::parse("t", "t", &text(GRID)).unwrap();
    let experiment = Experiment::new(&file).unwrap_or_else(|error| panic!("{error:#}"));
    let values =
        ["1/16,1/64,1/32", "1/16,1/64,1/16", "1/16,1/64,1/4", "1/8,1/64,1/32", "1/8,1/64,1/16", "1/8,1/64,1/4"];
    let values = values.map(|first| format!("{first},1/2"));
    let names: Vec<_> = experiment.cases.iter().map(|case| case.name.clone()).collect();
    let of_grid = values.iter().map(|value| format!("ASM {value}"));
    let wanted: Vec<_> = ["QCN".into(), "SMCC".into()].into_iter().chain(of_grid).chain(["last".into()]).collect();
    assert_eq!(names, wanted);
    for (case, value) in experiment.cases[2..].iter().zip(&values) {
        let stated = case.stated().unwrap();
        assert!(stated.contains(&("approach".into(), value.clone(), "choice".into())), "{stated:?}");
        assert!(stated.contains(&("w".into(), "16".into(), String::new())), "{stated:?}");
    }
}

#[test]
fn the_grid_of_the_paper_has_81_variants() {
    let AnyFile::Network(file) = catalogue::find("asm-fig8").unwrap() else { panic!("it has a network") };
    let names: Vec<_> = file.scenario.variant.iter().map(|variant| variant.name.get_ref().as_str()).collect();
    assert_eq!(names.len(), 81);
    assert_eq!(names[0], "ASM 1/16,1/128,1/32,1/4");
    assert_eq!(names[40], "ASM 1/8,1/64,1/16,1/2");
    assert_eq!(names[80], "ASM 1/4,1/32,1/8,1/1");
}

#[test]
fn the_notes_of_asm_fig8_name_the_combinations_that_break_inequality_15() {
    let AnyFile::Network(file) = catalogue::find("asm-fig8").unwrap() else { panic!("it has a network") };
    let experiment = Experiment::new(&file).unwrap_or_else(|error| panic!("{error:#}"));
    let mut broken = 0;
    for case in &experiment.cases {
        let analysis = (case.scheme.analyze)(&case.world(1).unwrap().parameters);
        let line = analysis.lines.iter().find(|line| line.quantity == "approach: sliding mode").unwrap();
        let holds = line.verdict.as_ref().unwrap().starts_with("it slides");
        let parts: Vec<_> = case.name.trim_start_matches("ASM ").split(',').collect();
        let named = matches!((parts[1], parts[3]), ("1/128", "1/2" | "1/1") | ("1/64", "1/1"));
        assert_eq!(holds, named, "{}", case.name);
        broken += usize::from(!holds);
    }
    assert_eq!(broken, 54);
    assert!(file.scenario.notes.iter().any(|note| note.contains("54 of the 81 combinations break it")));
}

#[test]
fn a_claim_over_variants_is_that_of_one_of_them() {
    let alone = ["QCN", "SMCC", "small"].map(|name| {
        claim(name, &format!(", variant = \"{name}\""), "ratio_to = { variant = \"QCN\" }\nexpect = [0.99, 1.01]")
    });
    let over = ["greatest", "least"].map(|over| {
        claim(over, "", &format!("over = \"{over}\"\nratio_to = {{ variant = \"QCN\" }}\nexpect = [0.99, 1.01]"))
    });
    // The ratio of each variant to itself.
    let same = claim("same", "", "over = \"greatest\"\nratio_to = {}\nexpect = [1, 1]");
    let small =
        "[[variant]]\nname = \"small\"\nscheme = \"smcc\"\nparameters = { buffer_bytes = 9000, q0_bytes = 3008 }\n";
    judged(&format!("{small}{}{}{same}", alone.concat(), over.concat()), |judged| {
        let [qcn, smcc, small, greatest, least, same] = judged else { panic!("six claims") };
        assert!(smcc.measured.value() != 1.0 && small.measured.value() < smcc.measured.value().min(0.9));
        let top = if smcc.measured.value() > 1.0 { smcc } else { qcn };
        assert_eq!((&greatest.measured, &greatest.variant), (&top.measured, &top.variant));
        assert_eq!((&least.measured, &least.variant), (&small.measured, &small.variant));
        let beyond = |over: &Judged, is_beyond: &dyn Fn(f64) -> bool| {
            let all = [qcn, smcc, small];
            let count = all.iter().filter(|one| is_beyond(one.measured.value())).count();
            assert!(
                count == 0 || over.cause.starts_with(&format!("{count} of 3 are beyond the bound: ")),
                "{}",
                over.cause
            );
            for one in all {
                let named = over.cause.contains(&format!("{} ({:.4})", one.variant, one.measured.value()));
                assert_eq!(named, is_beyond(one.measured.value()), "{}: {}", one.variant, over.cause);
            }
        };
        beyond(greatest, &|mean| mean > 1.01);
        beyond(least, &|mean| mean < 0.99);
        assert!(least.cause.contains("small ("), "{}", least.cause);
        assert_eq!((same.measured.value(), same.cause.as_str()), (1.0, ""));
    });
}

#[test]
fn a_variant_that_has_no_number_is_the_one_that_is_judged() {
    let late = "[[variant]]\nname = \"late\"\nscheme = \"qcn\"\n[variant.flow.S]\nstart_s = 0.015\n";
    let claims = ["greatest", "least"].map(|over| {
        claim(over, ", window_s = [0, 0.01]", &format!("over = \"{over}\"\nexpect = [0, 1]"))
            .replace("queue_mean_kb", "jain_index")
    });
    judged(&format!("{late}{}", claims.concat()), |judged| {
        for judged in judged {
            assert_eq!((judged.variant.as_str(), judged.verdict), ("late", Verdict::NotReproduced));
            assert!(judged.cause.starts_with("1 of 3 are beyond the bound: late (NaN)."), "{}", judged.cause);
        }
        assert_eq!(judged.len(), 2);
    });
}

#[test]
fn an_ablation_of_several_variants_changes_all_of_them() {
    let ablation = |of: &str| {
        let parameters = "{ q0_bytes = 3008, buffer_bytes = 9000 }";
        format!("[[ablation]]\nname = \"small, {}\"\nof = {of}\nparameters = {parameters}\n", of.replace('"', "'"))
    };
    let all = ["[\"QCN\", \"SMCC\"]", "[\"SMCC\", \"QCN\"]", "\"QCN\"", "[\"SMCC\"]"].map(ablation).concat();
    let claim = claim("c", ", variant = \"SMCC\"", "ratio_to = { variant = \"QCN\" }\nexpect = [1000, 2000]");
    judged(&format!("{all}{claim}"), |judged| {
        let [judged] = judged else { panic!("one claim") };
        let value = |of: &str| -> f64 {
            let (_, rest) =
                judged.cause.split_once(&format!("small, {of} (")).unwrap_or_else(|| panic!("{}", judged.cause));
            rest.split_once(')').unwrap().0.parse().unwrap()
        };
        let (both, qcn, smcc) = (value("['QCN', 'SMCC']"), value("'QCN'"), value("['SMCC']"));
        // The order in the list says nothing; each variant is changed, and the other one only if it is named.
        assert_eq!(both, value("['SMCC', 'QCN']"));
        let product = qcn * smcc / judged.measured.value();
        assert!((both / product - 1.0).abs() < 0.01, "{both}, but {qcn} and {smcc} alone");
        assert!(qcn > 1.5 * judged.measured.value() && smcc < judged.measured.value() / 1.5, "{}", judged.cause);
    });
}

#[test]
fn an_ablation_of_the_second_variant_of_a_claim_explains_it() {
    let ablation =
        "[[ablation]]\nname = \"as SMCC\"\nof = \"QCN\"\nparameters = { q0_bytes = 3008, buffer_bytes = 9000 }\n";
    let claim = claim("c", ", variant = \"SMCC\"", "ratio_to = { variant = \"QCN\" }\nexpect = [1000, 2000]");
    judged(&format!("{ablation}{claim}"), |judged| {
        let [judged] = judged else { panic!("one claim") };
        let value = judged.cause.strip_prefix("Not with: as SMCC (").and_then(|rest| rest.strip_suffix(")."));
        let value: f64 = value.unwrap_or_else(|| panic!("{}", judged.cause)).trim().parse().unwrap();
        // The divisor is that of the ablation.
        assert!(value > 1.5 * judged.measured.value(), "{value} after {}", judged.measured.value());
    });
}
