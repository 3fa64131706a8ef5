//! The files that are generated from the route table say what the table says.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use api::openapi;
use api::routes::ROUTES;
use edge::Code;
use serde_json::Value;

fn file(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

fn assert_same(path: &str, generated: &Value) {
    let generated = serde_json::to_string_pretty(generated).unwrap() + "\n";
    assert!(file(path) == generated, "{path} is not what the code says: run `make contract`");
}

#[test]
fn the_committed_documents_are_the_generated_ones() {
    assert_same("openapi.json", &openapi::document().unwrap());
    assert_same("../../infra/routes.json", &openapi::infrastructure());
    assert_same("../../infra/metrics.json", &openapi::metrics());
}

#[test]
fn the_document_has_the_operations_of_the_table() {
    let document = openapi::document().unwrap();
    let mut documented = BTreeSet::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            documented.insert((method.to_uppercase(), path.clone(), operation["operationId"].as_str().unwrap().to_owned()));
        }
    }
    let listed: BTreeSet<_> =
        ROUTES.iter().map(|route| (route.method().to_string(), route.path().to_owned(), route.operation.to_owned())).collect();
    assert_eq!(documented, listed);
    assert_eq!(listed.len(), ROUTES.len(), "an endpoint is in the table twice");
}

#[test]
fn every_operation_lists_every_problem_by_status_and_code() {
    let document = openapi::document().unwrap();
    for route in ROUTES {
        let operation = &document["paths"][route.path()][route.method().as_str().to_lowercase()];
        let mut listed = BTreeSet::new();
        for (status, response) in operation["responses"].as_object().unwrap() {
            let schema = &response["content"]["application/problem+json"]["schema"];
            for code in schema["allOf"][1]["properties"]["code"]["enum"].as_array().into_iter().flatten() {
                listed.insert((status.clone(), code.as_str().unwrap().to_owned()));
            }
        }
        let codes = route.problem_codes();
        let expected: BTreeSet<_> = codes.iter().map(|code| (code.status().as_u16().to_string(), code.as_str().to_owned())).collect();
        match route.method().as_str() {
            "HEAD" => assert_eq!(listed, BTreeSet::new(), "a HEAD has no body"),
            _ => assert_eq!(listed, expected, "{}", route.operation),
        }
        assert_eq!(operation["security"].is_array(), route.caller.is_logged_in(), "{}", route.operation);
    }
}

#[test]
fn every_code_is_some_answer_of_some_endpoint() {
    let mut answered: Vec<_> = ROUTES.iter().flat_map(|route| route.problem_codes()).collect();
    // What the function for everything else answers.
    answered.extend([Code::NotFound, Code::MethodNotAllowed]);
    for code in Code::ALL {
        assert!(answered.contains(code), "{} is nobody's answer", code.as_str());
    }
}

#[test]
fn every_reference_leads_somewhere() {
    fn check(document: &Value, value: &Value) {
        match value {
            Value::Array(items) => items.iter().for_each(|item| check(document, item)),
            Value::Object(fields) => {
                if let Some(reference) = value["$ref"].as_str() {
                    assert!(document.pointer(reference.strip_prefix('#').unwrap()).is_some(), "{reference}");
                }
                fields.values().for_each(|field| check(document, field));
            }
            _ => {}
        }
    }
    let document = openapi::document().unwrap();
    check(&document, &document);
}

#[test]
fn every_function_has_its_main() {
    let mains: BTreeSet<_> = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../lambdas/src/api"))
        .unwrap()
        .map(|entry| entry.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    let infrastructure = openapi::infrastructure();
    let functions: BTreeSet<_> =
        infrastructure.as_array().unwrap().iter().map(|row| row["function"].as_str().unwrap().to_owned()).collect();
    assert_eq!(mains, functions);
    let manifest = file("../lambdas/Cargo.toml");
    for function in &functions {
        let listed =
            format!("{{ name = \"{function}\", path = \"src/api/{function}.rs\", test = false, required-features = [\"deployed\"] }},");
        assert!(manifest.contains(&listed), "functions/lambdas/Cargo.toml has no {listed}");
    }
    for route in ROUTES {
        let main = file(&format!("../lambdas/src/api/{}.rs", route.function));
        assert!(main.contains(&route.operation.to_uppercase()), "{} is not served by its main", route.operation);
        assert!(Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("src/handlers/{}.rs", route.operation)).exists());
    }
}

#[test]
fn what_the_server_answers_is_never_left_open() {
    let document = openapi::document().unwrap();
    let required = |schema: &str| {
        let names = document["components"]["schemas"][schema]["required"].as_array().cloned().unwrap_or_default();
        names.into_iter().map(|name| name.as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    // With defaults in the tenant's file, present in every answer.
    assert_eq!(required("LegalLink"), ["enabled", "url"]);
    assert_eq!(required("ReadingResult"), ["created", "readingDate", "readingResultImages", "readingValue"]);
    // May be left out of a request.
    assert_eq!(required("ResultSubmission"), ["readingDate", "results"]);
    assert_eq!(required("TokenRequest"), ["applicationId"]);
}
