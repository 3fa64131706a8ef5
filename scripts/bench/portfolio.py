"""The list of jobs of small and large accounts, by the function that is deployed."""

import base64
import gzip
import json
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
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
# Into so many lanes the server divides a long list.
AT_ONCE = 4


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
        with ExitStack() as running:
            functions = [running.enter_context(Function([str(RELEASE / "job_list")], environment(stack))) for _ in range(AT_ONCE)]
            for size in SIZES:
                token = seed.login(stack, f"jobs-{size}", f"jobs-{size}-secret")
                walks[size] = min((walk(functions, token) for _ in range(REPEAT)), key=lambda walk: walk.processor)
                answer = page(functions[0], token, {}, {"if-none-match": walks[size].etag})
                if answer["statusCode"] != 304:
                    raise SystemExit(f"An unchanged list is answered {answer['statusCode']}.")
                unchanged = max(unchanged, functions[0].log()[-1]["readUnits"])
            # Of the largest: one of its jobs is read meanwhile.
            read_one(stack, token)
            changed = walk(functions, token, walks[size].etag)
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


def walk(functions: list[Function], token: str, held: str | None = None) -> Walk:
    """Fetches the pages of a list's lanes as the portal does, each lane's by a function of its own; of a list that is held by this tag those of what changed."""
    query, headers = ({"slots": ""}, {"if-none-match": held}) if held else ({}, {})
    lanes = cursors(functions[0], token, query, headers)
    known = [(len(function.log()), function.processor_time()) for function in functions]
    begin = time.perf_counter()
    first = page(functions[0], token, query, headers)
    with ThreadPoolExecutor(len(functions)) as pool:
        rest = pool.map(lambda function, lane: [page(function, token, {"cursor": cursor}, {}) for cursor in lane], functions, lanes)
        answers = [first, *(answer for lane in rest for answer in lane)]
    wall = (time.perf_counter() - begin) * 1000
    lines = [line for function, (count, _) in zip(functions, known, strict=True) for line in function.log()[count:]]
    processor = sum(function.processor_time() - before for function, (_, before) in zip(functions, known, strict=True))
    length = sum(len(body_of(answer)) for answer in answers)
    return Walk(len(lines), sum(line["readUnits"] for line in lines), processor, wall, length, first["headers"]["etag"])


def cursors(function: Function, token: str, query: dict[str, str], headers: dict[str, str]) -> list[list[str]]:
    """Those of each lane, one after the other: what a client takes for reading them is not the list's time."""
    first = document(page(function, token, query, headers))
    lanes = [[cursor] for cursor in first.get("lanes", [first.get("nextCursor")]) if cursor]
    for lane in lanes:
        while cursor := document(page(function, token, {"cursor": lane[-1]}, {})).get("nextCursor"):
            lane.append(cursor)
    return lanes


def page(function: Function, token: str, query: dict[str, str], headers: dict[str, str]) -> dict:
    headers = {"authorization": f"Bearer {token}", "accept-encoding": "gzip", **headers}
    answer, _ = function.invoke(request_event("/api/pro/job", headers, urlencode(query)))
    return answer


def body_of(answer: dict) -> bytes:
    """As it is sent; a short one is not compressed."""
    return base64.b64decode(answer["body"]) if answer["isBase64Encoded"] else answer["body"].encode()


def document(answer: dict) -> dict:
    body = body_of(answer)
    return json.loads((gzip.decompress(body) if answer["isBase64Encoded"] else body) or b"{}")
