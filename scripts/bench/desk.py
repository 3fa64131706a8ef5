"""The desk: its search among many customers, the next decision with its photo, the season at a glance, and a clerk at the keyboard.

`DESK_ACCOUNTS` says among how many customers, who get login data with their first letter and so none here.
"""

import json
import os
import pathlib
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable

import requests

from bench import seed
from bench.row import Row, at_most
from desk_session import desk_headers
from stack import ROOT, Stack

WEB = ROOT / "web"
PHOTO = ROOT / "demo/birkenfurt/photos/wasser.jpg"
ACCOUNTS = int(os.environ.get("DESK_ACCOUNTS", "2000"))
REPEAT = 100
# A clerk holds no more at a time.
DECISIONS = 5


class Desk:
    """The desk of a stack, as a member who has logged in calls it."""

    def __init__(self, stack: Stack):
        self.log = stack.ready["log"]
        self.session = requests.Session()
        self.session.headers.update(desk_headers(stack.ready["apiUrl"], stack.ready["desk"], seed.TENANT))
        self.url = f"{stack.ready['apiUrl']}/api/desk/tenants/{seed.TENANT}"

    def call(self, method: str, path: str, body: dict | None = None) -> dict:
        """What is answered; anything but success ends the bench."""
        answer = self.session.request(method, f"{self.url}{path}", json=body)
        if not answer.ok:
            raise SystemExit(f"{method} {path}: {answer.status_code} {answer.text}")
        return answer.json()

    def trips(self, operation: str) -> int:
        """How many round trips to the table the dearest call of this operation took."""
        with open(self.log, encoding="utf-8") as file:
            lines = (json.loads(line) for line in file)
            return max(line["roundTrips"] for line in lines if line.get("operation") == operation)


def timed(work: Callable[[], object]) -> float:
    """Milliseconds."""
    begun = time.perf_counter()
    work()
    return (time.perf_counter() - begun) * 1000


def quantile(times: list[float], percent: int) -> float:
    return sorted(times)[min(len(times) - 1, len(times) * percent // 100)]


def searches(desk: Desk, heard: list[dict]) -> list[Row]:
    """What a clerk types while a customer speaks: half a street with the house, a name with the street, the end of a meter's number."""
    step = max(len(heard) // REPEAT, 1)
    words = [
        word
        for one in heard[::step]
        for word in (f"{one['street'][:7]} {one['house']}", f"{one['name']} {one['street'][:5]}", one["number"][-6:])
    ]
    times = []
    for word in words:
        times.append(timed(lambda word=word: desk.call("POST", "/search", {"words": word})))
    found = desk.call("POST", "/search", {"words": heard[-1]["number"][-6:]})["customers"]
    if not found:
        raise SystemExit("The last customer of the town is not found.")
    return [
        at_most(f"search among {len(heard):,} customers, 95 of 100", quantile(times, 95), 150, "ms"),
        Row(f"the same: median of {len(times)}", f"{statistics.median(times):.1f} ms"),
        # The session and the look in the audit trail are two of them.
        at_most("the same: round trips, with session and audit trail", desk.trips("desk_search"), 5, "", 0),
    ]


def doubtful_card(desk: Desk, job: str) -> None:
    """A card with its scan whose values are far too high, so that it waits for a clerk."""
    found = desk.call("GET", f"/jobs/{job}")
    photo = PHOTO.read_bytes()
    ticket = desk.call("POST", f"/jobs/{job}/upload", {"contentType": "image/jpeg", "contentLength": len(photo)})
    requests.request(ticket["method"], ticket["url"], data=photo, headers=ticket["headers"]).raise_for_status()
    tasks = found["file"]["job"]["meter"]["meterRateTasks"]
    values = [{"register": task["taskId"], "value": f"{'9' * task['preDecimals']}.{'0' * task['postDecimals']}"} for task in tasks]
    entry = {"job": job, "channel": "CARD", "readingDate": found["rules"]["today"], "values": values, "confirmed": "steht so auf der Karte"}
    desk.call("POST", "/readings", entry | {"images": [{"uploadId": ticket["uploadId"]}]})


def decisions(desk: Desk) -> list[Row]:
    """The next reading that waits, with its photos where it has some."""
    for serial in range(DECISIONS):
        doubtful_card(desk, f"town-{serial}")
    times, photos = [], 0

    def fetch(after: str | None) -> str | None:
        nonlocal photos
        found = desk.call("POST", "/waiting/next", {"reason": "OUTSIDE_RANGE"} | ({"after": after} if after else {}))
        job, reading = found.get("job"), found.get("reading")
        # Of a reading without a job everything is in the answer.
        its = [one for one in job["file"]["readings"] if one["id"] == reading] if job else []
        for image in (image for one in its for image in one["images"]):
            url = desk.call("GET", f"/jobs/{job['file']['job']['id']}/readings/{reading}/photos/{image}")["url"]
            requests.get(url).raise_for_status()
            photos += 1
        return found.get("place")

    after: str | None = None
    for _ in range(DECISIONS):
        begun = time.perf_counter()
        after = fetch(after)
        if after is None:
            break
        times.append((time.perf_counter() - begun) * 1000)
    if not photos:
        raise SystemExit("No reading with a photo waits.")
    return [at_most(f"the next decision with what it shows, the slowest of {len(times)} ({photos} photos)", max(times), 200, "ms")]


def season(desk: Desk, when: str) -> Row:
    times = [timed(lambda: desk.call("GET", "/season")) for _ in range(REPEAT // 5)]
    return at_most(f"the season at a glance, {when}: round trips with the session ({statistics.median(times):.1f} ms)", desk.trips("desk_season_get"), 4, "", 0)


def keyboard() -> list[Row]:
    """What a browser measures: cards by keyboard alone, and a clerk's walk."""
    subprocess.run(["npm", "run", "--silent", "build"], cwd=WEB, check=True, stdout=subprocess.DEVNULL)
    with tempfile.TemporaryDirectory(prefix="zaehlwerk-") as folder:
        file = pathlib.Path(folder) / "figures.jsonl"
        subprocess.run(["npm", "run", "--silent", "bench:desk"], cwd=WEB, check=True, stdout=subprocess.DEVNULL, env=os.environ | {"ZW_BENCH": str(file)})
        lines = [json.loads(line) for line in file.read_text().splitlines()]
    return [
        at_most(line["what"], line["value"], line["most"], line["unit"]) if "most" in line else Row(line["what"], f"{line['value']:.1f} {line['unit']}")
        for line in lines
    ]


def run() -> list[Row]:
    with Stack() as stack:
        desk = Desk(stack)
        small = season(desk, "the demo's jobs")
        heard = seed.town(stack, ACCOUNTS)
        return [*searches(desk, heard), *decisions(desk), small, season(desk, f"{ACCOUNTS:,} more"), *keyboard()]
