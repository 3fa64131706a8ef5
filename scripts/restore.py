"""The steps of docs/operations.md, "Restore": photos, table, readings since then, a check, and the workers in their order.

Region, credentials and addresses come from where the AWS command line has them (AWS_PROFILE, AWS_REGION, AWS_ENDPOINT_URL_DYNAMODB, AWS_ENDPOINT_URL_S3).
Exit codes: 0 all done; 1 something is missing, and was said; 2 it could not be carried out.
"""

import argparse
import base64
import concurrent.futures
import datetime
import gzip
import itertools
import json
import os
import pathlib
import sys
import time

import boto3
import botocore.exceptions

# What is kept of the bucket: what was sent ahead and files of runs are gone within days anyway, and can be made again.
PHOTOS = "photos/"
KEYS = {"pk": "HASH", "sk": "RANGE"}
INDEX, INDEX_KEYS = "gsi1", {"gsi1pk": "HASH", "gsi1sk": "RANGE"}
EXPIRES_AT = "expiresAt"
# What DynamoDB's new tables take, as infra/stage.ts says.
READS, WRITES = 12_000, 4_000
# Who was erased is erased again first, and nothing is told twice before that is known; what could lose something comes last.
WORKERS = [
    "erasure", "tallies", "run_clock", "runs", "export_clock", "mail_events",
    "retention", "account_expiry", "webhook_deliveries", "reminders", "orphan_photos",
]  # fmt: skip
AT_A_TIME = 16
# Items that DynamoDB takes in one call.
BATCH = 25


def client(service: str):
    # The command line of AWS knows this variable, and boto3 another.
    return boto3.client(service, region_name=os.environ.get("AWS_REGION"))


def each(work, items) -> list:
    """What a function returns for each of these, some at a time."""
    with concurrent.futures.ThreadPoolExecutor(AT_A_TIME) as pool:
        return list(pool.map(work, items))


def keys_of(s3, bucket: str) -> set[str]:
    """The keys of all photos of a bucket."""
    pages = s3.get_paginator("list_objects_v2").paginate(Bucket=bucket, Prefix=PHOTOS)
    return {found["Key"] for page in pages for found in page.get("Contents", [])}


def items_of(dynamodb, table: str):
    """All items of a table."""
    for page in dynamodb.get_paginator("scan").paginate(TableName=table, ConsistentRead=True):
        yield from page["Items"]


def photos(source: str, target: str) -> int:
    """Copies the photos that the target does not have; what is there stays."""
    s3 = client("s3")
    wanted = keys_of(s3, source)
    missing = sorted(wanted - keys_of(s3, target))
    each(lambda key: s3.copy_object(Bucket=target, Key=key, CopySource={"Bucket": source, "Key": key}), missing)
    lost = wanted - keys_of(s3, target)
    print(f"photos: {len(wanted)} in {source}, {len(missing)} copied to {target}, {len(lost)} missing there")
    return 1 if lost else 0


def from_time(dynamodb, name: str, source: str, moment: datetime.datetime) -> None:
    """The table as it was at a moment of the last 35 days."""
    dynamodb.restore_table_to_point_in_time(SourceTableName=source, TargetTableName=name, RestoreDateTime=moment)


def from_backup(dynamodb, name: str, backup: str) -> None:
    """The table as it was when it was deleted: DynamoDB keeps that for 35 days."""
    dynamodb.restore_table_from_backup(TargetTableName=name, BackupArn=backup)


def from_recovery_point(name: str, recovery_point: str, role: str, key: str | None) -> None:
    """The table out of a vault, encrypted with this key, or with DynamoDB's own."""
    backup = client("backup")
    encryption = {"encryptionType": "KMS", "kmsMasterKeyArn": key} if key else {"encryptionType": "Default"}
    job = backup.start_restore_job(
        RecoveryPointArn=recovery_point,
        IamRoleArn=role,
        ResourceType="DynamoDB",
        Metadata={"targetTableName": name, **encryption},
    )["RestoreJobId"]
    while (state := backup.describe_restore_job(RestoreJobId=job))["Status"] in ("PENDING", "RUNNING"):
        time.sleep(30)
    if state["Status"] != "COMPLETED":
        raise SystemExit(f"restore job {job}: {state['Status']}, {state.get('StatusMessage')}")


def from_export(dynamodb, name: str, files: list[pathlib.Path]) -> None:
    """A new table with what an export of DynamoDB holds (`{"Item": …}` a line, gzip)."""
    attributes = [{"AttributeName": key, "AttributeType": "S"} for key in [*KEYS, *INDEX_KEYS]]

    def schema(keys: dict[str, str]) -> list[dict]:
        return [{"AttributeName": key, "KeyType": kind} for key, kind in keys.items()]

    dynamodb.create_table(
        TableName=name,
        BillingMode="PAY_PER_REQUEST",
        AttributeDefinitions=attributes,
        KeySchema=schema(KEYS),
        GlobalSecondaryIndexes=[{"IndexName": INDEX, "KeySchema": schema(INDEX_KEYS), "Projection": {"ProjectionType": "ALL"}}],
    )
    dynamodb.get_waiter("table_exists").wait(TableName=name)

    def item(line: str) -> dict:
        """Bytes are base64 in an export, and boto3 wants them decoded."""
        values = json.loads(line)["Item"]
        return {name: {"B": base64.b64decode(value["B"])} if "B" in value else value for name, value in values.items()}

    def put(batch: list[str]) -> None:
        left = {name: [{"PutRequest": {"Item": item(line)}} for line in batch]}
        while left:
            left = dynamodb.batch_write_item(RequestItems=left)["UnprocessedItems"]

    lines = (line for file in files for line in gzip.open(file, "rt", encoding="utf-8"))
    while part := list(itertools.islice(lines, BATCH * AT_A_TIME)):
        each(put, [part[first : first + BATCH] for first in range(0, len(part), BATCH)])


def complete(dynamodb, name: str, reads: int | None, writes: int | None) -> None:
    """What a restored table comes without: expiry, recovery, protection, stream, its upper bound, and what it was warmed to."""
    settled = dynamodb.get_waiter("table_exists")
    settled.wait(TableName=name, WaiterConfig={"Delay": 20, "MaxAttempts": 1440})
    if dynamodb.describe_time_to_live(TableName=name)["TimeToLiveDescription"]["TimeToLiveStatus"] == "DISABLED":
        dynamodb.update_time_to_live(TableName=name, TimeToLiveSpecification={"Enabled": True, "AttributeName": EXPIRES_AT})
    recovery = {"PointInTimeRecoveryEnabled": True}
    known_to_aws(dynamodb, "recovery", lambda: dynamodb.update_continuous_backups(TableName=name, PointInTimeRecoverySpecification=recovery))
    table = dynamodb.describe_table(TableName=name)["Table"]
    if not table.get("StreamSpecification", {}).get("StreamEnabled"):
        stream = {"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"}
        dynamodb.update_table(TableName=name, StreamSpecification=stream)
        settled.wait(TableName=name)
    if not table.get("DeletionProtectionEnabled"):
        dynamodb.update_table(TableName=name, DeletionProtectionEnabled=True)
        settled.wait(TableName=name)
    most = {"MaxReadRequestUnits": reads or READS, "MaxWriteRequestUnits": writes or WRITES}
    bounds = {"OnDemandThroughput": most}
    of_index = {"IndexName": INDEX, "OnDemandThroughput": most}
    if reads or writes:
        warm = {"ReadUnitsPerSecond": reads or READS, "WriteUnitsPerSecond": writes or WRITES}
        bounds["WarmThroughput"] = warm
        of_index["WarmThroughput"] = {**warm, "ReadUnitsPerSecond": READS}
    dynamodb.update_table(TableName=name, **bounds)
    settled.wait(TableName=name)
    known_to_aws(dynamodb, "bound of its index", lambda: dynamodb.update_table(TableName=name, GlobalSecondaryIndexUpdates=[{"Update": of_index}]))
    settled.wait(TableName=name)


def known_to_aws(dynamodb, what: str, call) -> None:
    """Makes a call that an emulator need not know."""
    try:
        call()
    except botocore.exceptions.ClientError as error:
        if dynamodb.meta.endpoint_url.endswith(".amazonaws.com"):
            raise
        print(f"table: left out, this is no AWS: {what} ({error.response['Error']['Code']})", file=sys.stderr)


def table(arguments: argparse.Namespace) -> int:
    """Makes the table anew under a name of its own, with everything that the deployment gives it."""
    dynamodb, name = client("dynamodb"), arguments.name
    if arguments.export:
        from_export(dynamodb, name, arguments.export)
    elif arguments.backup:
        from_backup(dynamodb, name, arguments.backup)
    elif arguments.recovery_point:
        from_recovery_point(name, arguments.recovery_point, arguments.role, arguments.key)
    else:
        from_time(dynamodb, name, arguments.source, arguments.at)
    complete(dynamodb, name, arguments.reads, arguments.writes)
    print(f"table: {name} is there")
    return 0


def readings(export: pathlib.Path) -> int:
    """Rewrites rows of `zaehlwerk readings export` as lines of `zaehlwerk readings import`, on standard output."""
    rows = [json.loads(line) for line in export.read_text().splitlines()]
    by_hand = [row for row in rows if row["kind"] is not None or row["exchangedOn"] is not None]
    plain = [row for row in rows if row not in by_hand]

    def reading(row: dict) -> tuple[str, str, str]:
        return row["created"], row["jobId"], row["readingDate"]

    # By register, so that the lines of two exports can be compared.
    plain.sort(key=lambda row: (*reading(row), row["obis"]))
    for (_, job, date), parts in itertools.groupby(plain, reading):
        counters = list(parts)
        line = {"job": job, "readingDate": date, "readings": [{"register": row["obis"], "value": row["readingValue"]} for row in counters]}
        said = {name: counters[0][name] for name in ("comment", "lowerReason") if counters[0][name]}
        print(json.dumps({**line, **said}, ensure_ascii=False))
    for row in by_hand:
        print(f"readings: enter by hand, it is no plain reading: job {row['jobId']}, {row['readingDate']}", file=sys.stderr)
    return 1 if by_hand else 0


def named(item: dict) -> list[str]:
    """The keys of the photos that an item of the table names as a reading's."""
    partition, sort = item["pk"]["S"], item["sk"]["S"]
    tenant, _, rest = partition.removeprefix("T#").partition("#")
    kind, _, job = rest.partition("#")
    is_reading = (kind == "J" and sort.startswith("RESULT#")) or (kind == "UNKNOWN" and sort == "UNKNOWN")
    entry = json.loads(item["entry"]["S"]) if is_reading else {}
    images = [*entry.get("imageIds", []), *itertools.chain(*(value.get("imageIds", []) for value in entry.get("values", [])))]
    return [f"{PHOTOS}{tenant}/{job}/{image}" for image in images]


def check(name: str, bucket: str, key: str | None) -> int:
    """Compares the table with the bucket, and the table with what it should be."""
    dynamodb, s3 = client("dynamodb"), client("s3")
    found = dynamodb.describe_table(TableName=name)["Table"]
    faults = []
    if {key["AttributeName"]: key["KeyType"] for key in found["KeySchema"]} != KEYS:
        faults.append("its keys are others")
    if [index["IndexName"] for index in found.get("GlobalSecondaryIndexes", []) if index["IndexStatus"] == "ACTIVE"] != [INDEX]:
        faults.append(f"its index {INDEX} is not there")
    if not found.get("DeletionProtectionEnabled"):
        faults.append("it is not protected")
    if (encrypted := found.get("SSEDescription", {}).get("KMSMasterKeyArn")) != key:
        faults.append(f"it is encrypted with {encrypted or 'the key of DynamoDB itself'}")
    if not found.get("StreamSpecification", {}).get("StreamEnabled"):
        faults.append("it has no stream")
    if dynamodb.describe_time_to_live(TableName=name)["TimeToLiveDescription"]["TimeToLiveStatus"] not in ("ENABLED", "ENABLING"):
        faults.append("nothing in it expires")
    # A photo whose reading the table does not know has to be older than the table, or `orphan_photos` takes it out of sight a day later.
    stored = {}
    for page in s3.get_paginator("list_objects_v2").paginate(Bucket=bucket, Prefix=PHOTOS):
        stored.update({photo["Key"]: photo["LastModified"] for photo in page.get("Contents", [])})
    wanted = {key for item in items_of(dynamodb, name) for key in named(item)}
    lost = sorted(wanted - stored.keys())
    exposed = sorted(key for key in stored.keys() - wanted if stored[key] >= found["CreationDateTime"])
    faults += [f"photo lost: {key}" for key in lost]
    faults += [f"photo of a reading that it does not know, younger than the table: {key}" for key in exposed]
    for fault in faults:
        print(f"check: {name}: {fault}", file=sys.stderr)
    print(f"check: {len(wanted)} photos of readings in {name}, {len(lost)} lost, {len(stored.keys() - wanted)} that no reading names")
    return 1 if faults else 0


def function_of(worker: str) -> str:
    """What a worker's function is called among the deployment's resources."""
    return f"{worker.title().replace('_', '')}Function"


def functions_of(lambdas, stage: str) -> dict[str, str]:
    """The functions of the workers, by worker."""
    pages = lambdas.get_paginator("list_functions").paginate()
    names = [function["FunctionName"] for page in pages for function in page["Functions"]]
    found = {}
    for worker in WORKERS:
        prefix = f"zaehlwerk-{stage}-{function_of(worker)}"
        match = [name for name in names if name.startswith(prefix)]
        if len(match) != 1:
            raise SystemExit(f"workers: {len(match)} functions are called {prefix}…")
        found[worker] = match[0]
    return found


def is_held(lambdas, function: str) -> bool:
    return lambdas.get_function_concurrency(FunctionName=function).get("ReservedConcurrentExecutions") == 0


def hold(stage: str) -> int:
    """Lets no worker start: what calls one is refused until it is started again."""
    lambdas = client("lambda")
    for function in functions_of(lambdas, stage).values():
        lambdas.put_function_concurrency(FunctionName=function, ReservedConcurrentExecutions=0)
    print(f"workers: {len(WORKERS)} are held")
    return 0


def start(stage: str, last: str) -> int:
    """Starts the workers again in their order, up to and with this one."""
    lambdas = client("lambda")
    functions = functions_of(lambdas, stage)
    for worker in WORKERS[: WORKERS.index(last) + 1]:
        if is_held(lambdas, functions[worker]):
            lambdas.delete_function_concurrency(FunctionName=functions[worker])
            print(f"workers: {worker} starts")
    held = [worker for worker in WORKERS if is_held(lambdas, functions[worker])]
    print(f"workers: held: {', '.join(held) or 'none'}")
    return 0


def arguments_of(words: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="scripts/restore.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    steps = parser.add_subparsers(required=True)

    step = steps.add_parser("hold", help="let no worker start")
    step.add_argument("stage")
    step.set_defaults(run=lambda given: hold(given.stage))

    step = steps.add_parser("photos", help="copy photos back, from the bucket that AWS Backup restored")
    step.add_argument("source")
    step.add_argument("target")
    step.set_defaults(run=lambda given: photos(given.source, given.target))

    step = steps.add_parser("table", help="make the table anew under another name, complete")
    step.add_argument("name")
    origin = step.add_mutually_exclusive_group(required=True)
    origin.add_argument("--at", type=datetime.datetime.fromisoformat, help="as --source was at this moment (2026-11-20T09:30:00Z)")
    origin.add_argument("--backup", help="the ARN of a backup of DynamoDB's own, as a deleted table leaves one")
    origin.add_argument("--recovery-point", help="the ARN in a vault")
    origin.add_argument("--export", type=pathlib.Path, nargs="+", help="files of an export of DynamoDB (DYNAMODB_JSON)")
    step.add_argument("--source", help="with --at: the table")
    step.add_argument("--role", help="with --recovery-point: the ARN of the role that restores")
    step.add_argument("--key", help="with --recovery-point: the ARN of the customer's key, if there is one")
    step.add_argument("--reads", type=int, help="what the table was warmed to, units a second")
    step.add_argument("--writes", type=int, help="what the table was warmed to, units a second")
    step.set_defaults(run=table)

    step = steps.add_parser("readings", help="make an export of readings one that can be imported")
    step.add_argument("export", type=pathlib.Path)
    step.set_defaults(run=lambda given: readings(given.export))

    step = steps.add_parser("check", help="compare table and bucket")
    step.add_argument("table")
    step.add_argument("photos")
    step.add_argument("--key", help="the ARN of the customer's key, if there is one")
    step.set_defaults(run=lambda given: check(given.table, given.photos, given.key))

    step = steps.add_parser("start", help="start workers again, in their order, up to and with this one")
    step.add_argument("stage")
    step.add_argument("last", choices=WORKERS)
    step.set_defaults(run=lambda given: start(given.stage, given.last))

    given = parser.parse_args(words)
    if getattr(given, "at", None) and not given.source:
        parser.error("--at needs --source")
    if getattr(given, "recovery_point", None) and not given.role:
        parser.error("--recovery-point needs --role")
    return given


if __name__ == "__main__":
    given = arguments_of(None)
    try:
        sys.exit(given.run(given))
    except botocore.exceptions.BotoCoreError as error:
        print(f"restore: {error}", file=sys.stderr)
    except botocore.exceptions.ClientError as error:
        print(f"restore: {error}", file=sys.stderr)
    sys.exit(2)
