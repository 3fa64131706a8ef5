//! The OpenAPI document: the handlers describe what they take and answer, the route table says who may call and what can go wrong.

use std::collections::{BTreeMap, BTreeSet};

use edge::{Code, FieldError, ProblemBody};
use http::Method;
use serde_json::{Map, Value, json};
use utoipa::OpenApi;

use crate::route::{Caller, Route};
use crate::routes::{COUNTED, Operations, ROUTES};
use crate::staff::SESSION_COOKIE;

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Zählwerk",
        description = "Self-reading portal for utility meters. Every error is `application/problem+json` (RFC 9457) with a stable `code`.",
        license(name = "Apache-2.0", identifier = "Apache-2.0"),
    ),
    servers((url = "/", description = "The portal's own address: the host name says which tenant it is")),
    tags(
        (name = "application", description = "The portal: public"),
        (name = "auth", description = "Login and logout"),
        (name = "account", description = "The logged-in account"),
        (name = "job", description = "Reading jobs, readings and photos"),
        (name = "own-reading", description = "An account's readings of meters that have no job"),
        (name = "visitor-reading", description = "Readings without a login"),
        (name = "communication", description = "E-mail: accesses, registration, receipts"),
        (name = "share", description = "Sub-accounts with jobs that were shared"),
        (name = "desk", description = "The desk of the utility's staff, at an address of its own"),
    ),
    components(schemas(ProblemBody, Code, FieldError)),
)]
struct Frame;

/// The document as it is committed.
///
/// # Errors
/// When it cannot be JSON.
///
/// # Panics
/// When an operation of the handlers is not in the route table; the test of the document shows it.
pub fn document() -> Result<Value, serde_json::Error> {
    let mut document = serde_json::to_value(Frame::openapi().merge_from(Operations::openapi()))?;
    document["components"]["securitySchemes"] = json!({
        "accessToken": {"type": "http", "scheme": "bearer", "bearerFormat": "JWT", "description": "Access token of `POST /auth/token`"},
        "deskSession": {"type": "apiKey", "in": "cookie", "name": SESSION_COOKIE, "description": "Session of a member of the staff"},
        "deskPage": {
            "type": "apiKey", "in": "header", "name": "X-Desk",
            "description": "`1`: the desk's own page calls. What is no GET also has the desk's `Origin`. `X-Desk-Active: 1` says that a person caused the call, which renews the session. `X-Desk-Member` says whom the page shows: the session of another has ended for it."
        },
    });
    for route in ROUTES {
        let operation = &mut document["paths"][route.path()][route.method().as_str().to_ascii_lowercase()];
        if operation["operationId"] == route.operation {
            add_table_facts(operation, route);
            describe_idempotency_key(operation);
        }
    }
    require_answered_fields(&mut document);
    Ok(document)
}

/// Who may call the operation, and every error it can answer.
fn add_table_facts(operation: &mut Value, route: &Route) {
    match route.caller {
        Caller::Public | Caller::Desk => {}
        Caller::Bearer { role } => {
            operation["security"] = json!([{"accessToken": []}]);
            operation["x-role"] = json!(role);
        }
        Caller::Member | Caller::Platform | Caller::Staff(_) => operation["security"] = json!([{"deskSession": [], "deskPage": []}]),
    }
    if let Caller::Staff(role) = route.caller {
        operation["x-role"] = json!(role);
    }
    let mut by_status: BTreeMap<u16, Vec<Code>> = BTreeMap::new();
    for code in route.problem_codes() {
        by_status.entry(code.status().as_u16()).or_default().push(code);
    }
    for (status, codes) in by_status {
        operation["responses"][status.to_string()] = problem_response(&codes, route.method() == Method::HEAD);
    }
}

/// The form of the header, which is that of [`edge::Request::idempotency_key`] wherever it is taken.
fn describe_idempotency_key(operation: &mut Value) {
    let parameters = operation.get_mut("parameters").and_then(Value::as_array_mut).into_iter().flatten();
    for parameter in parameters.filter(|parameter| parameter["name"] == "Idempotency-Key") {
        parameter["schema"] = json!({"type": "string", "minLength": 1, "maxLength": 64, "pattern": "^[!-~]+$"});
    }
}

fn problem_response(codes: &[Code], is_head: bool) -> Value {
    let names: Vec<_> = codes.iter().map(|code| code.as_str()).collect();
    let mut response = json!({"description": codes.iter().map(|code| code.title()).collect::<Vec<_>>().join("; ")});
    if !is_head {
        response["content"] = json!({
            "application/problem+json": {
                "schema": {
                    "allOf": [
                        {"$ref": "#/components/schemas/Problem"},
                        {"type": "object", "required": ["code"], "properties": {"code": {"type": "string", "enum": names}}},
                    ]
                }
            }
        });
    }
    if codes
        .iter()
        .any(|code| matches!(code, Code::TooManyAttempts | Code::TooManyRecipients | Code::CrmUnavailable | Code::TemporarilyUnavailable))
    {
        response["headers"] = json!({
            "Retry-After": {"description": "Seconds until another try makes sense", "schema": {"type": "integer", "minimum": 1}}
        });
    }
    response
}

/// What the server answers always has every field that cannot be null. The schemas of the config do not say so, because they
/// also describe files, where a field with a default may be left out.
fn require_answered_fields(document: &mut Value) {
    let answered = reachable(document, |operation| &operation["responses"]);
    let asked = reachable(document, |operation| &operation["requestBody"]);
    let Some(schemas) = document["components"]["schemas"].as_object_mut() else { return };
    for name in answered.difference(&asked) {
        if let Some(schema) = schemas.get_mut(name) {
            require_fields(schema);
        }
    }
}

fn require_fields(schema: &mut Value) {
    let Some(properties) = schema["properties"].as_object() else { return };
    let required = |name: &str| schema["required"].as_array().is_some_and(|names| names.iter().any(|known| known == name));
    let names: Vec<_> = properties
        .iter()
        .filter(|(name, property)| required(name) || !can_be_absent(name, property))
        .map(|(name, _)| name.clone())
        .collect();
    schema["required"] = json!(names);
}

fn can_be_absent(name: &str, property: &Value) -> bool {
    let is_null = |schema: &Value| schema["type"] == "null";
    let nullable = property["type"].as_array().is_some_and(|types| types.iter().any(|kind| kind == "null"))
        || property["oneOf"].as_array().is_some_and(|variants| variants.iter().any(is_null));
    nullable || matches!(name, "fieldErrors" | "exchanged" | "defaultSelectedMeterRatesByOBIS")
}

/// Names of the schemas that some part of the operations leads to.
fn reachable(document: &Value, part: impl Fn(&Value) -> &Value) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let operations = document["paths"].as_object().into_iter().flat_map(Map::values).filter_map(Value::as_object).flat_map(Map::values);
    for operation in operations {
        follow(document, part(operation), &mut found);
    }
    found
}

fn follow(document: &Value, value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| follow(document, item, found)),
        Value::Object(fields) => {
            if let Some(name) = value["$ref"].as_str().and_then(|path| path.strip_prefix("#/components/schemas/"))
                && found.insert(name.to_owned())
            {
                follow(document, &document["components"]["schemas"][name], found);
            }
            fields.values().for_each(|field| follow(document, field, found));
        }
        _ => {}
    }
}

/// What CloudWatch takes out of the functions' log lines, `infra/metrics.json`: the metrics with what tells them apart, and the operations that
/// are counted for each tenant.
pub fn metrics() -> Value {
    let metrics: Vec<_> = runtime::metrics::ALL
        .iter()
        .map(|(metric, apart)| json!({"name": metric.name, "unit": metric.unit, "dimensions": apart}))
        .collect();
    json!({"metrics": metrics, "counted": COUNTED})
}

/// The list of functions for the deployment, `infra/routes.json`.
pub fn infrastructure() -> Value {
    let row = |operation: &str,
               function: &str,
               method: Option<&Method>,
               path: Option<&str>,
               memory: u32,
               grants: &[&crate::grants::Grant],
               bearer: bool| {
        let mut environment: BTreeSet<&str> = grants.iter().flat_map(|grant| grant.environment).copied().collect();
        if bearer {
            environment.insert("JWT_PUBLIC_KEYS");
        }
        let route_key = match (method, path) {
            (Some(method), Some(path)) => format!("{method} {path}"),
            _ => "$default".into(),
        };
        json!({
            "operation": operation,
            "function": function,
            "routeKey": route_key,
            "method": method.map(Method::as_str),
            "path": path,
            "memory": memory,
            "timeout": Route::TIMEOUT,
            "grants": grants.iter().map(|grant| json!({"actions": grant.actions, "resource": grant.resource})).collect::<Vec<_>>(),
            "environment": environment,
        })
    };
    let mut rows: Vec<_> = ROUTES
        .iter()
        .map(|route| {
            let bearer = matches!(route.caller, Caller::Bearer { .. });
            let grants: Vec<_> = route.all_grants().collect();
            row(route.operation, route.function, Some(route.method()), Some(route.path()), route.memory, &grants, bearer)
        })
        .collect();
    rows.push(row("fallback", "fallback", None, None, 128, &[], false));
    Value::Array(rows)
}
