"""The list of jobs of small and large accounts, by the function that is deployed."""

import base64
import gzip
import json
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from urllib.parse import urlencode

import requests

from bench import seed
from bench.cold import RELEASE, build, environment, request_event
from bench.peak import local
from bench.row import Row, at_most
from bench.runtime_api import Function
from stack import Stack

SIZES = (10, 1_000, 10_000)
REPEAT = 3


@dataclass
class Walk:
    """All pages of a list. Times in milliseconds; bytes as they are sent, compressed."""

    pages: int
    read_units: float
    processor: float
    wall: float
    length: int
    etag: str


def run() -> list[Row]:
    build()
    with Stack(local=local()) as stack:
        seed.accounts(stack, {f"jobs-{size}": size for size in SIZES})
        walks, unchanged = {}, 0.0
        changed: Walk | None = None
        with Function([str(RELEASE / "job_list")], environment(stack)) as function:
            for size in SIZES:
                token = seed.login(stack, f"jobs-{size}", f"jobs-{size}-secret")
                walks[size] = min((walk(function, token) for _ in range(REPEAT)), key=lambda walk: walk.processor)
                answer, _ = page(function, token, {}, {"if-none-match": walks[size].etag})
                if answer["statusCode"] != 304:
                    raise SystemExit(f"An unchanged list is answered {answer['statusCode']}.")
                unchanged = max(unchanged, function.log()[-1]["readUnits"])
            # Of the largest: one of its jobs is read meanwhile.
            read_one(stack, token)
            changed = walk(function, token, walks[size].etag)
    return [
        *(
            Row(
                f"{size:,} jobs: pages / read units / processor / wall / sent",
                f"{found.pages} / {found.read_units:.1f} / {found.processor:.1f} ms / {found.wall:.1f} ms / {found.length / 1000:.0f} kB",
            )
            for size, found in walks.items()
        ),
        at_most("processor time of a job, in 10,000 against in 1,000", walks[10_000].processor / walks[1_000].processor / 10, 1.3, "times", 2),
        at_most("read units of a job, in 10,000 against in 1,000", walks[10_000].read_units / walks[1_000].read_units / 10, 1.3, "times", 2),
        at_most("10,000 jobs, all pages, by the clock", walks[10_000].wall, 350, "ms", 0),
        at_most("read units of 10,000 jobs", walks[10_000].read_units, 2_300, "units"),
        at_most("sent of 10,000 jobs", walks[10_000].length / 1000, 450, "kB"),
        at_most("an unchanged list, of any size", unchanged, 1, "read units"),
        Row("10,000 jobs of which one changed: pages / processor / wall", f"{changed.pages} / {changed.processor:.1f} ms / {changed.wall:.1f} ms"),
        at_most("the same: read units, of those of all", changed.read_units / walks[10_000].read_units, 0.02, "times", 3),
        at_most("the same: sent, of what all jobs are", changed.length / walks[10_000].length, 0.02, "times", 3),
    ]


def read_one(stack: Stack, token: str) -> None:
    """Sends a reading of one of the account's meters, as its owner does."""
    url, headers = f"{stack.ready['apiUrl']}/api/pro/job", {"Authorization": f"Bearer {token}"}
    job = requests.get(f"{url}?limit=1", headers=headers).json()["jobs"][0]
    results = [
        {"taskId": task["taskId"], "readingValue": str(Decimal(task["readingEvents"][-1]["readingValue"]) + 1)} for task in job["meter"]["meterRateTasks"]
    ]
    sent = requests.post(f"{url}/{job['id']}/meterRateTask/result", headers=headers, json={"results": results, "readingDate": f"{date.today()}"})
    sent.raise_for_status()


def walk(function: Function, token: str, held: str | None = None) -> Walk:
    """Follows the pages to the last; of a list that is held by this tag those of what changed."""
    known, before = len(function.log()), function.processor_time()
    cursor, wall, length, etag = None, 0.0, 0, None
    query, headers = ({"slots": ""}, {"if-none-match": held}) if held else ({}, {})
    while etag is None or cursor:
        answer, time = page(function, token, {"cursor": cursor} if cursor else query, {} if cursor else headers)
        # A short answer is not compressed.
        is_short = not answer["isBase64Encoded"]
        body = answer["body"].encode() if is_short else base64.b64decode(answer["body"])
        cursor = json.loads(body if is_short else gzip.decompress(body)).get("nextCursor")
        etag = etag or answer["headers"]["etag"]
        wall, length = wall + time, length + len(body)
    lines = function.log()[known:]
    return Walk(len(lines), sum(line["readUnits"] for line in lines), function.processor_time() - before, wall, length, etag)


def page(function: Function, token: str, query: dict[str, str], headers: dict[str, str]) -> tuple[dict, float]:
    sent = {"authorization": f"Bearer {token}", "accept-encoding": "gzip", **headers}
    return function.invoke(request_event("/api/pro/job", sent, urlencode(query)))
