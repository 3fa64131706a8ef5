"""A season's busiest minute on the whole local product, and the table alone in the same run."""

import base64
import datetime
import json
import pathlib
import subprocess
from collections.abc import Callable

from bench import peers, seed
from bench.cold import TARGET, UNLINTED
from bench.row import Row, at_least, at_most
from stack import ROOT, Stack

# Requests by how many people send them at once. Each step has people of its own, so that no one of them reads a job more often in a day, nor all
# of them in an hour, than they may (D-READING-16).
STEPS = {1: 300, 4: 1200, 16: 3000, 64: 4000}
ALONE = 3000
JOBS = 20
PHOTO = ROOT / "demo/birkenfurt/photos/wasser.jpg"


def run() -> list[Row]:
    peers.install()
    with Stack(local=local()) as stack:
        begin = datetime.datetime.now(datetime.UTC)
        people = readers(stack, sum(STEPS))
        rows, accepted, failed, most = [], [], 0, 0.0
        for connections, amount in STEPS.items():
            step = {"people": [people.pop() for _ in range(connections)], "connections": connections, "amount": amount}
            result = send(load(stack) | step)
            accepted += result["accepted"]
            failed += len(result["refused"]) + result["errors"] + result["timeouts"]
            most = max(most, result["sent"] / result["duration"])
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
        at_least("season's mix, the most", most, 400, "a second"),
        at_most("requests that failed", failed, 0, "", 0),
        at_most(f"of {len(accepted)} accepted readings, lost", len(lost), 0, "", 0),
        at_most("readings stored twice", twice, 0, "", 0),
        Row("readings stored without an answer", str(len(unanswered))),
    ]


def local() -> pathlib.Path:
    """The local product as its functions are deployed, but linked by parts (`profile.played` in Cargo.toml)."""
    build = ["cargo", "build", "--profile", "played", "--locked", "--package", "local", "--bin", "local"]
    subprocess.run(build, cwd=ROOT, check=True, env=UNLINTED)
    return TARGET / "played/local"


def readers(stack: Stack, count: int, log_in: Callable[[str, str], str] | None = None) -> list[dict]:
    """People with open jobs, logged in."""
    log_in = log_in or (lambda name, password: seed.login(stack, name, password))
    names = [f"reader-{n}" for n in range(count)]
    seed.accounts(stack, dict.fromkeys(names, JOBS))
    return [
        {
            "username": name,
            "password": f"{name}-secret",
            "address": f"198.51.100.{n}",
            "token": log_in(name, f"{name}-secret"),
            "jobs": [f"{name}-{job}" for job in range(JOBS)],
        }
        for n, name in enumerate(names)
    ]


def load(stack: Stack) -> dict:
    """Where to, and what every reading has."""
    photo = base64.b64encode(PHOTO.read_bytes()).decode()
    return {"url": stack.ready["apiUrl"], "photo": photo, "day": datetime.date.today().isoformat()}


def send(load: dict) -> dict:
    """What came of a step."""
    return script("peak.js", load)


def script(name: str, load: dict) -> dict:
    """What a script of the load prints; of refusals three are told."""
    done = subprocess.run(["node", name], cwd=peers.NODE, input=json.dumps(load), check=True, stdout=subprocess.PIPE, text=True)
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
