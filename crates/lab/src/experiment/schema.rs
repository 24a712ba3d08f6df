// SPDX-License-Identifier: MIT OR Apache-2.0
//! The JSON schema of scenario files, with which an editor completes and checks them: made from the types that read them.

use super::calculation::Calculation;
use super::scenario::{Names, Plain, Scenario, Stated};
use crate::network::infiniband::topology;
use anyhow::{Context, Result};
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value, json};
use std::borrow::Cow;
use tidegate_schemes::registry::SCHEMES;

/// Stands for [`super::scenario::Settings`]: the keys are those of all schemes.
pub(super) struct Parameters;

/// Stands for the name of a scheme.
pub(super) struct SchemeName;

macro_rules! schema {
    ($($type:ident($generator:ident): $schema:expr;)*) => {
        $(impl JsonSchema for $type {
            fn schema_name() -> Cow<'static, str> {
                stringify!($type).into()
            }

            fn json_schema($generator: &mut SchemaGenerator) -> Schema {
                $schema
            }
        })*
    };
}

schema! {
    Parameters(generator): parameters(generator);
    SchemeName(_generator): json_schema!({ "enum": SCHEMES.iter().map(|scheme| scheme.name).collect::<Vec<_>>() });
    Plain(_generator): json_schema!({ "type": ["number", "string", "boolean"] });
    Names(_generator): json_schema!({
        "anyOf": [{ "type": "string" }, { "type": "array", "items": { "type": "string" }, "minItems": 1 }],
    });
    Stated(generator): stated(&generator.subschema_for::<Plain>());
}

/// A value, or a value and where it comes from.
fn stated(plain: &Schema) -> Schema {
    json_schema!({
        "anyOf": [plain, {
            "type": "object",
            "properties": {
                "value": plain,
                "from": { "type": "string", "description": "Where it comes from" },
            },
            "required": ["value", "from"],
            "additionalProperties": false,
        }],
    })
}

/// All keys, each with what it means in the first scheme that has it.
fn parameters(generator: &mut SchemaGenerator) -> Schema {
    let stated = generator.subschema_for::<Stated>();
    let mut keys = Map::new();
    let network = topology::KEYS.iter().copied();
    for known in SCHEMES.iter().flat_map(|scheme| scheme.specifications()).chain(network) {
        let key = || json!({ "allOf": [stated], "description": known.meaning });
        keys.entry(known.key).or_insert_with(key);
    }
    json_schema!({ "type": "object", "properties": keys, "additionalProperties": false })
}

/// The schema of both kinds of scenario files, with a network and without one: draft 7, which all editors know.
///
/// # Errors
/// None.
pub fn schema() -> Result<Value> {
    let mut generator = SchemaSettings::draft07().into_generator();
    let [network, calculation] =
        [Scenario::json_schema(&mut generator), Calculation::json_schema(&mut generator)].map(Value::from);
    let definitions = generator.take_definitions(true);
    let (of_network, of_calculation) = (fields(&network)?, fields(&calculation)?);
    let mut properties = of_calculation.clone();
    properties.extend(of_network.clone());
    let without = |other: &Map<String, Value>, own: &Map<String, Value>| -> Value {
        other.keys().filter(|key| !own.contains_key(*key)).map(|key| (key.clone(), Value::Bool(false))).collect()
    };
    let mut schema = json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "A scenario of tidegate",
        "description": "What `tidegate run` takes; docs/scenarios.md explains it",
        "type": "object",
        "properties": properties,
        "additionalProperties": false,
        "if": { "required": ["calculates"] },
        "then": { "required": calculation["required"], "properties": without(&of_network, &of_calculation) },
        "else": { "required": network["required"], "properties": without(&of_calculation, &of_network) },
        "definitions": definitions,
    });
    fit_toml(&mut schema);
    Ok(schema)
}

fn fields(schema: &Value) -> Result<Map<String, Value>> {
    schema["properties"].as_object().cloned().context("a scenario has fields")
}

/// TOML has no `null`: what is absent is left out. But it has infinity, which becomes `null` in an editor that checks a
/// file as JSON: bounds of claims have it. Formats of Rust's numbers say nothing to an editor.
fn fit_toml(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            fields.remove("format");
            if fields.get("default").is_some_and(Value::is_null) {
                fields.remove("default");
            }
            if let Some(Value::Array(types)) = fields.get_mut("type") {
                types.retain(|name| name != "null");
                if let [one] = &types[..] {
                    fields["type"] = one.clone();
                }
            }
            if let Some(Value::Array(choices)) = fields.get_mut("anyOf") {
                choices.retain(|choice| choice != &json!({ "type": "null" }));
                if let [Value::Object(one)] = &choices[..] {
                    let one = one.clone();
                    fields.remove("anyOf");
                    fields.extend(one);
                }
            }
            // Draft 7 reads nothing beside `$ref`.
            let beside = fields.len() > 1;
            if let Some(reference) = beside.then(|| fields.remove("$ref")).flatten() {
                fields.insert("allOf".into(), json!([{ "$ref": reference }]));
            }
            fields.values_mut().for_each(fit_toml);
            if fields.get("maxItems") == Some(&json!(2)) && fields["items"]["type"] == "number" {
                fields["items"]["type"] = json!(["number", "null"]);
            }
        }
        Value::Array(list) => list.iter_mut().for_each(fit_toml),
        _ => {}
    }
}
