// SPDX-License-Identifier: MIT OR Apache-2.0
//! The JSON schema of scenario files that the program prints: all scenarios here fit it, and those with mistakes do not.

use crate::common::tidegate;
use serde_json::Value;
use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn schema() -> Value {
    let printed = tidegate(root(), &["experiments", "--schema"]).assert().success().get_output().stdout.clone();
    serde_json::from_slice(&printed).unwrap()
}

/// What an editor sees of a TOML file: a number that JSON does not have is `null`.
fn json(text: &str) -> Value {
    serde_json::to_value(toml::from_str::<toml::Table>(text).unwrap()).unwrap()
}

/// Why a value does not fit a schema: its place and the keyword. The keywords are those that the schema has, as draft 7 says.
fn misfit(all: &Value, schema: &Value, value: &Value, place: &str) -> Option<String> {
    let Value::Object(keywords) = schema else {
        return (schema == &Value::Bool(false)).then(|| format!("{place}: not here"));
    };
    let fits = |schema: &Value| misfit(all, schema, value, place).is_none();
    let size = value.as_array().map_or(0, Vec::len) as u64;
    let field = |name: &str| value.get(name).map(|field| (field, format!("{place}/{name}")));
    keywords.iter().find_map(|(keyword, says)| {
        let list = || says.as_array().unwrap();
        let wrong = |is_wrong: bool| is_wrong.then(|| format!("{place}: {keyword} {says}"));
        match keyword.as_str() {
            "$schema" | "title" | "description" | "default" | "definitions" | "then" | "else" => None,
            "$ref" => misfit(all, all.pointer(&says.as_str().unwrap()[1..]).unwrap(), value, place),
            "allOf" => list().iter().find_map(|one| misfit(all, one, value, place)),
            "anyOf" => wrong(!list().iter().any(fits)),
            "oneOf" => wrong(list().iter().filter(|one| fits(one)).count() != 1),
            "if" => misfit(all, &keywords[if fits(says) { "then" } else { "else" }], value, place),
            "const" => wrong(value != says),
            "enum" => wrong(!list().contains(value)),
            "minimum" => wrong(value.as_f64() < says.as_f64()),
            "minItems" => wrong(value.is_array() && size < says.as_u64().unwrap()),
            "maxItems" => wrong(value.is_array() && size > says.as_u64().unwrap()),
            "required" => wrong(list().iter().any(|name| value.get(name.as_str().unwrap()).is_none())),
            "items" => value
                .as_array()
                .into_iter()
                .flatten()
                .enumerate()
                .find_map(|(number, item)| misfit(all, says, item, &format!("{place}/{number}"))),
            "properties" => says
                .as_object()
                .unwrap()
                .iter()
                .find_map(|(name, says)| field(name).and_then(|(field, place)| misfit(all, says, field, &place))),
            "additionalProperties" => value.as_object().into_iter().flatten().find_map(|(name, field)| {
                let known = keywords.get("properties").is_some_and(|known| known.get(name).is_some());
                if known { None } else { misfit(all, says, field, &format!("{place}/{name}")) }
            }),
            "type" => {
                let is = |name: &Value| match name.as_str().unwrap() {
                    "object" => value.is_object(),
                    "array" => value.is_array(),
                    "string" => value.is_string(),
                    "boolean" => value.is_boolean(),
                    "number" => value.is_number(),
                    "integer" => value.is_i64(),
                    "null" => value.is_null(),
                    other => panic!("the type {other}: teach it to this test"),
                };
                wrong(!says.as_array().map_or_else(|| is(says), |names| names.iter().any(is)))
            }
            other => panic!("the keyword {other}: teach it to this test"),
        }
    })
}

#[test]
fn every_scenario_fits() {
    let schema = schema();
    let folder = std::fs::read_dir(root().join("testbenches/experiments")).unwrap();
    let mut files: Vec<PathBuf> = folder.map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|ending| ending == "toml"));
    files.push(root().join("examples/background.toml"));
    assert!(files.len() > 38);
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        assert_eq!(misfit(&schema, &schema, &json(&text), ""), None, "{}", file.display());
    }
}

#[test]
fn a_mistake_does_not_fit() {
    let schema = schema();
    let text = std::fs::read_to_string(root().join("examples/background.toml")).unwrap();
    for (right, wrong, place) in [
        ("start_s", "strat_s", "/flow/1/strat_s: not here"),
        ("scheme = \"qcn\"", "scheme = \"qnc\"", "/variant/1/scheme: enum"),
        ("buffer_bytes", "buffer_byts", "/parameters/buffer_byts: not here"),
        ("from = \"choice\"", "form = \"choice\"", "/parameters/packet_bytes: anyOf"),
        ("[[flow]]", "[[flwo]]", "/flwo: not here"),
        ("count = 3", "count = \"3\"", "/flow/0/count: type"),
        ("expect = [0, 0.75]", "expect = [0]", "/claim/0/expect: minItems"),
        ("expect = [0, 0.75]", "expect = [0, 0.75, 1]", "/claim/0/expect: maxItems"),
        ("queue_deviation_kb", "queue_devation_kb", "/claim/0/measure/metric: oneOf"),
        ("duration_s = 0.3", "", ": required"),
        ("duration_s = 0.3", "calculates = \"analysis\"", "/seeds: not here"),
        ("duration_s = 0.3", "duration_s = 0.3\nportraits = []", "/portraits: not here"),
    ] {
        assert!(text.contains(right), "{right}");
        let found = misfit(&schema, &schema, &json(&text.replace(right, wrong)), "").unwrap_or_default();
        assert!(found.starts_with(place), "{wrong}: {found}");
    }
}
