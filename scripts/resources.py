"""The table and the bucket of a running stack against those that would be deployed: one definition, proved by asking both."""

import json
import os
import subprocess

import boto3

from stack import ROOT, Stack


def deployed(key: str, stage: str = "pr-7", settings: dict[str, str] | None = None) -> dict[str, dict]:
    """The inputs of what a stage with these settings would be made of, by type and name."""
    # The program is evaluated outside of the checkout, where git says no version.
    secrets = {"SST_SECRET_JwtKeys": key, "ZW_VERSION": "smoke"}
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("ZAEHLWERK_")}
    command = [ROOT / "node_modules/.bin/node", ROOT / "infra/test/program.ts", stage]
    evaluated = subprocess.run(command, env={**inherited, **secrets, **(settings or {})}, stdout=subprocess.PIPE, check=True).stdout
    return {f"{resource['type']} {resource['name']}": resource["inputs"] for resource in json.loads(evaluated)["resources"]}


def wanted(resources: dict[str, dict]) -> dict:
    """What the infrastructure says, as far as an emulator can have it."""
    table = resources["aws:dynamodb/table:Table TableTable"]
    cors = resources["aws:s3/bucketCorsConfiguration:BucketCorsConfiguration PhotosCors"]["corsRules"]
    versioning = resources["aws:s3/bucketVersioning:BucketVersioning PhotosVersioning"]["versioningConfiguration"]
    return {
        "keys": [table["hashKey"], table["rangeKey"]],
        "attributes": sorted((attribute["name"], attribute["type"]) for attribute in table["attributes"]),
        "indexes": [(index["name"], index["hashKey"], index["rangeKey"], index["projectionType"]) for index in table["globalSecondaryIndexes"]],
        "billing": table["billingMode"],
        "expiry": table["ttl"]["attributeName"] if table["ttl"]["enabled"] else None,
        "versions": versioning["status"],
        "cors": [(rule["allowedMethods"], rule["allowedHeaders"]) for rule in cors],
    }


def local(stack: Stack) -> dict:
    """What the emulators have."""
    given = stack.ready["environment"]
    session = boto3.Session(given["AWS_ACCESS_KEY_ID"], given["AWS_SECRET_ACCESS_KEY"], region_name=given["AWS_REGION"])
    dynamodb = session.client("dynamodb", endpoint_url=stack.ready["dynamodbUrl"])
    s3 = session.client("s3", endpoint_url=stack.ready["s3Url"])
    name, bucket = given["TABLE_NAME"], given["PHOTO_BUCKET"]
    table = dynamodb.describe_table(TableName=name)["Table"]
    expiry = dynamodb.describe_time_to_live(TableName=name)["TimeToLiveDescription"]

    def keys(schema: list[dict]) -> list[str]:
        by_kind = {key["KeyType"]: key["AttributeName"] for key in schema}
        return [by_kind["HASH"], by_kind["RANGE"]]

    indexes = table["GlobalSecondaryIndexes"]
    return {
        "keys": keys(table["KeySchema"]),
        "attributes": sorted((attribute["AttributeName"], attribute["AttributeType"]) for attribute in table["AttributeDefinitions"]),
        "indexes": [(index["IndexName"], *keys(index["KeySchema"]), index["Projection"]["ProjectionType"]) for index in indexes],
        "billing": table["BillingModeSummary"]["BillingMode"],
        "expiry": expiry["AttributeName"] if expiry["TimeToLiveStatus"] == "ENABLED" else None,
        "versions": s3.get_bucket_versioning(Bucket=bucket)["Status"],
        "cors": [(rule["AllowedMethods"], rule["AllowedHeaders"]) for rule in s3.get_bucket_cors(Bucket=bucket)["CORSRules"]],
    }
