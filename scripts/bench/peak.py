"""A season's busiest minute on the whole local product, and the table alone in the same run."""

import base64
import datetime
import json
import subprocess

from bench import seed
from bench.row import Row, at_most
from stack import ROOT, Stack

CONNECTIONS = (1, 4, 16, 64)
REQUESTS = 300
# autocannon counts in whole seconds, and the table answers hundreds of requests in one.
ALONE = 3000
# So many that nobody reads one more often in a day, nor all of them in an hour, than they may (D-READING-16).
JOBS = 20
PHOTO = ROOT / "demo/birkenfurt/photos/wasser.jpg"


def run() -> list[Row]:
    subprocess.run(["npm", "ci", "--silent", "--no-audit", "--no-fund"], cwd=ROOT / "scripts/bench/node", check=True)
    with Stack() as stack:
        begin = datetime.datetime.now(datetime.UTC)
        people = readers(stack, max(CONNECTIONS))
        load = {"url": stack.ready["apiUrl"], "people": people, "photo": base64.b64encode(PHOTO.read_bytes()).decode()}
        load["day"] = datetime.date.today().isoformat()
        rows, accepted, failed = [], [], 0
        for connections in CONNECTIONS:
            result = send(load | {"connections": connections, "amount": REQUESTS})
            accepted += result["accepted"]
            failed += len(result["refused"]) + result["errors"] + result["timeouts"]
            rows.append(row(f"season's mix, {connections} at once", result))
            table = {"url": stack.ready["dynamodbUrl"], "connections": connections, "amount": ALONE}
            alone = send(table | {"table": stack.ready["environment"]["TABLE_NAME"]})
            failed += len(alone["refused"]) + alone["errors"] + alone["timeouts"]
            rows.append(row(f"the emulated table alone, {connections} at once", alone))
        stored = exported(stack, begin)
    lost, twice = set(accepted) - set(stored), len(stored) - len(set(stored))
    # An answer may be lost after its reading was stored: the reader's device sends it again under the same key.
    unanswered = set(stored) - set(accepted)
    return [
        *rows,
        at_most("requests that failed", failed, 0, "", 0),
        at_most(f"of {len(accepted)} accepted readings, lost", len(lost), 0, "", 0),
        at_most("readings stored twice", twice, 0, "", 0),
        Row("readings stored without an answer", str(len(unanswered))),
    ]


def readers(stack: Stack, count: int) -> list[dict]:
    """People with open jobs, logged in."""
    names = [f"reader-{n}" for n in range(count)]
    seed.accounts(stack, dict.fromkeys(names, JOBS))
    return [
        {
            "username": name,
            "password": f"{name}-secret",
            "address": f"198.51.100.{n}",
            "token": seed.login(stack, name, f"{name}-secret"),
            "jobs": [f"{name}-{job}" for job in range(JOBS)],
        }
        for n, name in enumerate(names)
    ]


def send(load: dict) -> dict:
    """What came of a step."""
    command = ["node", "peak.js"]
    done = subprocess.run(command, cwd=ROOT / "scripts/bench/node", input=json.dumps(load), check=True, stdout=subprocess.PIPE, text=True)
    result = json.loads(done.stdout)
    for refusal in sorted(set(result["refused"]))[:3]:
        print(refusal)
    return result


def row(what: str, result: dict) -> Row:
    return Row(f"{what}: a second; p50 / p99", f"{result['sent'] / result['duration']:.0f}; {result['p50']:.0f} / {result['p99']:.0f} ms")


def exported(stack: Stack, since: datetime.datetime) -> list[str]:
    """The comments of the readings that the utility gets."""
    moment = since.isoformat().replace("+00:00", "Z")
    lines = seed.operator(stack, "readings", "export", "--since", moment, "--format", "jsonl").splitlines()
    return [line["comment"] for line in map(json.loads, lines) if line.get("comment")]
