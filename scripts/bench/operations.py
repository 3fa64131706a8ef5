"""What each operation costs: round trips to DynamoDB and capacity units, which are exact, and the time on this machine.

The times are those of the unoptimised build over loopback, with the emulator in the same process: good for comparing, not for promising.
"""

import datetime
import json
import statistics
import urllib.error
import urllib.request
from collections import defaultdict

from bench.row import Row
from stack import ROOT, Stack, read_lines

PHOTO = ROOT / "demo/birkenfurt/photos/wasser.jpg"
REPEAT = 50


class Client:
    """A person's browser."""

    def __init__(self, url: str):
        self.url = url
        self.token = ""

    def send(self, method: str, path: str, body=None, headers=None):
        """The status, the headers and the body; 304 is an answer like others."""
        request = urllib.request.Request(f"{self.url}{path}", method=method, headers=headers or {})
        if self.token:
            request.add_header("Authorization", f"Bearer {self.token}")
        if body is not None:
            request.add_header("Content-Type", "application/json")
            request.data = json.dumps(body).encode()
        try:
            with urllib.request.urlopen(request) as answer:
                return answer.headers, answer.read()
        except urllib.error.HTTPError as error:
            if error.code == 304:
                return error.headers, b""
            raise SystemExit(f"{method} {path}: {error.code} {error.read()!r}") from error


def drive(url: str, letter: dict) -> None:
    """A housing manager's visit with many repetitions: 250 jobs, most of them not read yet."""
    client = Client(url)
    for path in ("", "/logo.png", "/manifest/manifest.json"):
        for _ in range(REPEAT):
            client.send("GET", f"/api/public/application{path}")
    login = {"applicationId": "birkenfurt", "username": letter["username"], "password": letter["password"]}
    for _ in range(REPEAT // 5):
        session = json.loads(client.send("POST", "/auth/token", login)[1])
    refresh = {"applicationId": "birkenfurt", "refreshToken": session["refreshToken"]}
    session = json.loads(client.send("POST", "/auth/token", refresh)[1])
    client.token = session["token"]
    for _ in range(REPEAT):
        client.send("GET", "/api/pro/account/info")
    for _ in range(REPEAT // 5):
        headers, page = client.send("GET", "/api/pro/job")
    for _ in range(REPEAT):
        client.send("GET", "/api/pro/job", headers={"If-None-Match": headers["ETag"]})

    photo = PHOTO.read_bytes()
    today = datetime.date.today()
    open_jobs = [job for job in json.loads(page)["jobs"] if not job["done"] and may_be_read(job, today)]
    for job in open_jobs[:REPEAT]:
        upload = json.loads(client.send("POST", "/api/pro/upload", {"contentType": "image/jpeg", "contentLength": len(photo)})[1])
        request = urllib.request.Request(upload["url"], data=photo, method=upload["method"], headers=upload["headers"])
        urllib.request.urlopen(request).close()
        results = [
            {"taskId": task["taskId"], "readingValue": task["readingEvents"][-1]["readingValue"], "readingImages": images}
            for task, images in zip(job["meter"]["meterRateTasks"], [[{"uploadId": upload["uploadId"]}], []], strict=False)
        ]
        body = {"readingDate": today.isoformat(), "confirmed": True, "results": results}
        updated = json.loads(client.send("POST", f"/api/pro/job/{job['id']}/meterRateTask/result", body)[1])
        task = updated["meter"]["meterRateTasks"][0]
        image = task["readingResults"][-1]["readingResultImages"][0]["imageId"]
        client.send("GET", f"/api/pro/job/{job['id']}/meter-rate-tasks/{task['taskId']}/result-images/{image}")
    client.token = ""
    client.send("POST", "/auth/logout", {"applicationId": "birkenfurt", "refreshToken": session["refreshToken"]})


def may_be_read(job: dict, today: datetime.date) -> bool:
    constraints = job["jobConstraints"]
    return constraints["earliestExecution"] <= today.isoformat() <= constraints["latestExecution"]


def rows(lines: list[dict]) -> list[Row]:
    """A row for each operation and status: medians, and the slowest hundredth of the times."""
    groups = defaultdict(list)
    for line in lines:
        groups[line["operation"], line["status"]].append(line)
    found = []
    for (operation, status), group in sorted(groups.items()):
        times = sorted(line["durationMs"] for line in group)
        trips, read, write = (statistics.median(line[name] for line in group) for name in ("roundTrips", "readUnits", "writeUnits"))
        slowest = times[min(len(times) - 1, len(times) * 99 // 100)]
        figure = f"{trips:.0f} / {read:.1f} / {write:.1f}; {statistics.median(times):.1f} / {slowest:.1f} ms"
        found.append(Row(f"{operation} {status}: trips / read / write units; p50 / p99", figure))
    return found


def run() -> list[Row]:
    with Stack() as stack:
        log = stack.ready["log"]
        with open(log, encoding="utf-8") as before:
            imported = len(before.readlines())
        letters = {letter["username"]: letter for letter in read_lines(stack.tenant("birkenfurt") / "letters.jsonl")}
        drive(stack.ready["apiUrl"], letters["bergmann"])
        with open(log, encoding="utf-8") as file:
            return rows([json.loads(line) for line in file.readlines()[imported:]])
