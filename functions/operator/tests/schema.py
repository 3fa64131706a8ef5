"""Checks documents against a JSON Schema with a validator that is not ours: prints each document's faults, as places with reasons."""

import json
import sys

import jsonschema_rs

with open(sys.argv[1], encoding="utf-8") as file:
    given = json.load(file)
jsonschema_rs.meta.validate(given["schema"])
validator = jsonschema_rs.Draft202012Validator(given["schema"])
faults = [
    sorted("/".join(map(str, error.instance_path)) for error in validator.iter_errors(document)) for document in given["documents"]
]
print(json.dumps(faults))
