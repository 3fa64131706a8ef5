"""Loses table and bucket of the local product and restores them as docs/operations.md, "Restore", says, by its own commands.

Readings are sent before and after the moment of the backup. Each thing that is lost, and should not be, is told and fails the rehearsal.
"""

import base64
import datetime
import gzip
import importlib.resources
import io
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import urllib.request
import zipfile

import restore
from smoke import PHOTO, Answer, fetch, raised, today
from stack import BINARIES, ROOT, Stack, read_lines

TENANT, READER = "birkenfurt", "anna.sommer"
# What AWS Backup restores the bucket into, and a table beside the one that is wrong.
RESTORED, BESIDE = "zaehlwerk-photos-restored", "zaehlwerk-beside"
STAGE = "rehearsal"
# `orphan_photos` leaves alone what is younger than a day.
LATER = "+25h"
MONTHS_LATER = "+200d"
# A reading bears the time at which its request began, and may be stored later.
ON_ITS_WAY = datetime.timedelta(minutes=2)


class Rehearsal:
    """The running product, and what was found of it."""

    def __init__(self, stack: Stack, folder: pathlib.Path):
        self.stack, self.folder = stack, folder
        self.table, self.bucket = stack.ready["environment"]["TABLE_NAME"], stack.ready["environment"]["PHOTO_BUCKET"]
        here = {"AWS_ENDPOINT_URL_LAMBDA": stack.ready["s3Url"], "ZAEHLWERK_BY": STAGE}
        self.environment = {**os.environ, **stack.ready["environment"], **here}
        os.environ.update(self.environment)
        self.dynamodb, self.s3, self.lambdas = (restore.client(service) for service in ("dynamodb", "s3", "lambda"))
        self.token: str | None = None
        self.passed, self.failed = 0, 0

    def check(self, what: str, fine: bool, found: object = "") -> None:
        self.passed += bool(fine)
        self.failed += not fine
        print(f"{'ok    ' if fine else 'FAILED'} {what}{'' if fine else f': {str(found)[:600]}'}", flush=True)

    def run(self, *command, code: int = 0, **more) -> str:
        """Runs a command of the manual; one that ends with another code ends the rehearsal."""
        words = [str(word) for word in command]
        print(f"$ {' '.join(word.rsplit('/', 1)[-1] for word in words)}", flush=True)
        done = subprocess.run(words, env={**self.environment, **more}, stdout=subprocess.PIPE, text=True, check=False)
        if done.returncode != code:
            print(done.stdout)
            raise SystemExit(f"rehearsal: exit code {done.returncode}")
        return done.stdout

    def restore(self, *words) -> str:
        said = self.run(sys.executable, ROOT / "scripts/restore.py", *words)
        print(said, end="", flush=True)
        return said

    def zaehlwerk(self, *words, code: int = 0, **more) -> str:
        return self.run(BINARIES / "zaehlwerk", *words, code=code, **more)

    def rows(self, *kind: str) -> list[dict]:
        """Every reading, as the utility exports them."""
        exported = self.zaehlwerk("readings", "export", "--tenant", TENANT, "--since", "2020-01-01", "--format", "jsonl", *kind)
        return sorted((json.loads(line) for line in exported.splitlines()), key=json.dumps)

    def send(self, method: str, path: str, body=None) -> Answer:
        request = urllib.request.Request(f"{self.stack.ready['apiUrl']}{path}", method=method)
        if self.token:
            request.add_header("Authorization", f"Bearer {self.token}")
        if body is not None:
            request.add_header("Content-Type", "application/json")
            request.data = json.dumps(body).encode()
        return fetch(request)

    def log_in(self) -> Answer:
        letters = {letter["username"]: letter for letter in read_lines(self.stack.tenant(TENANT) / "letters.jsonl")}
        login = {"applicationId": TENANT, "username": READER, "password": letters[READER]["password"]}
        answer = self.send("POST", "/auth/token", login)
        self.token = answer.json()["token"] if answer.status == 200 else None
        return answer

    def jobs(self) -> dict[str, dict]:
        return {job["id"]: job for job in self.send("GET", "/api/pro/job").json()["jobs"]}

    def read(self, job: dict) -> str:
        """Sends a reading of all counters of a job, with a photo; returns the photo's key."""
        photo = PHOTO.read_bytes()
        target = self.send("POST", "/api/pro/upload", {"contentType": "image/jpeg", "contentLength": len(photo)}).json()
        put = fetch(urllib.request.Request(target["url"], data=photo, method=target["method"], headers=target["headers"]))
        self.check("a photo is taken", put.status == 200, put.body)
        first, *others = job["meter"]["meterRateTasks"]
        results = [{"taskId": task["taskId"], "readingValue": raised(task)} for task in [first, *others]]
        results[0]["readingImages"] = [{"uploadId": target["uploadId"]}]
        reading = {"readingDate": today(), "confirmed": True, "results": results}
        answer = self.send("POST", f"/api/pro/job/{job['id']}/meterRateTask/result", reading)
        self.check(f"a reading of {job['id']} is accepted", answer.status == 200 and answer.json()["done"], answer.body)
        image = answer.json()["meter"]["meterRateTasks"][0]["readingResults"][-1]["readingResultImages"][0]["imageId"]
        return f"photos/{TENANT}/{job['id']}/{image}"

    def photo(self, key: str) -> Answer:
        """A photo as its reader sees it."""
        _, _, job, image = key.split("/")
        task = self.jobs()[job]["meter"]["meterRateTasks"][0]["taskId"]
        return self.send("GET", f"/api/pro/job/{job}/meter-rate-tasks/{task}/result-images/{image}")

    def is_there(self, key: str) -> bool:
        return key in restore.keys_of(self.s3, self.bucket)

    def back_up_table(self) -> pathlib.Path:
        """As DynamoDB exports a table."""
        file = self.folder / "export.json.gz"
        with gzip.open(file, "wt", encoding="utf-8", compresslevel=1) as lines:
            for item in restore.items_of(self.dynamodb, self.table):
                # Bytes are base64 in an export; boto3 has decoded them.
                lines.write(json.dumps({"Item": item}, default=lambda value: base64.b64encode(value).decode()) + "\n")
        return file

    def back_up_photos(self) -> None:
        """As AWS Backup has them: in a bucket of its own."""
        here = {"LocationConstraint": self.environment["AWS_REGION"]}
        self.s3.create_bucket(Bucket=RESTORED, CreateBucketConfiguration=here)
        restore.photos(self.bucket, RESTORED)

    def lose(self) -> None:
        """Table and bucket as after a fault of the account's own."""
        self.dynamodb.delete_table(TableName=self.table)
        pages = self.s3.get_paginator("list_object_versions").paginate(Bucket=self.bucket)
        for page in pages:
            for version in [*page.get("Versions", []), *page.get("DeleteMarkers", [])]:
                self.s3.delete_object(Bucket=self.bucket, Key=version["Key"], VersionId=version["VersionId"])

    def deploy_workers(self) -> None:
        """Functions with the names that the deployment gives them; they are held and started, not called."""
        package = io.BytesIO()
        with zipfile.ZipFile(package, "w") as archive:
            archive.writestr("bootstrap", "")
        for worker in restore.WORKERS:
            self.lambdas.create_function(
                FunctionName=f"zaehlwerk-{STAGE}-{restore.function_of(worker)}-abcdefgh",
                Runtime="provided.al2023",
                Handler="bootstrap",
                Role="arn:aws:iam::000000000000:role/rehearsal",
                Code={"ZipFile": package.getvalue()},
            )

    def work(self, worker: str, **more) -> None:
        ports = {"--dynamodb-port": self.stack.ready["dynamodbUrl"], "--s3-port": self.stack.ready["s3Url"]}
        words = [word for name, url in ports.items() for word in (name, url.rsplit(":", 1)[1])]
        line = json.loads(self.run(BINARIES / "local", "worker", *words, worker, **more))
        self.check(f"{worker} runs to its end", line.get("finished") is True and line["level"] == "info", line)


def at(moment: str) -> dict[str, str]:
    """What has a program take another time for this one."""
    clock = importlib.resources.files("libfaketime") / "vendor/libfaketime/src/libfaketime.so.1"
    return {"LD_PRELOAD": str(clock), "FAKETIME": moment}


def wrong(rehearsal: Rehearsal, export: pathlib.Path, restored: datetime.datetime, jobs: list[str]) -> None:
    """The table is wrong and still there: who was erased since the restored moment is erased again, and what was read is taken over from it."""
    letters = read_lines(rehearsal.stack.tenant(TENANT) / "letters.jsonl")
    erased = next(letter["id"] for letter in letters if letter["username"] != READER)
    person = ("--tenant", TENANT, "--account", erased)
    rehearsal.zaehlwerk("subject", "erase", *person, "--yes")
    rehearsal.restore("table", BESIDE, "--export", export)
    rehearsal.check("who was erased since is back with the restored table", rehearsal.zaehlwerk("subject", "show", *person, TABLE_NAME=BESIDE))
    erasures, holds = rehearsal.folder / "erasures.jsonl", rehearsal.folder / "holds.jsonl"
    erasures.write_text(rehearsal.zaehlwerk("subject", "erasures", "--tenant", TENANT))
    holds.write_text(rehearsal.zaehlwerk("subject", "holds", "--tenant", TENANT))
    rehearsal.zaehlwerk("subject", "replay", erasures, "--holds", holds, "--tenant", TENANT, TABLE_NAME=BESIDE)
    shown = rehearsal.zaehlwerk("subject", "show", *person, code=1, TABLE_NAME=BESIDE)
    rehearsal.check("and is erased again by the list of before", not shown, shown)

    rows, lines = rehearsal.folder / "since.jsonl", rehearsal.folder / "entered.jsonl"
    since = (restored - ON_ITS_WAY).isoformat().replace("+00:00", "Z")
    rehearsal.zaehlwerk("readings", "export", "--tenant", TENANT, "--since", since, "--format", "jsonl", "--out", rows)
    lines.write_text(rehearsal.restore("readings", rows))
    # Found out long after: by then no job's days to send are left.
    beside = {"TABLE_NAME": BESIDE, **at(MONTHS_LATER)}
    rehearsal.zaehlwerk("readings", "import", lines, "--tenant", TENANT, "--late", "übernommen bei der Wiederherstellung", **beside)
    there = rehearsal.folder / "there.jsonl"
    rehearsal.zaehlwerk("readings", "export", "--tenant", TENANT, "--since", since, "--format", "jsonl", "--out", there, **beside)
    missing = set(lines.read_text().splitlines()) - set(rehearsal.restore("readings", there).splitlines())
    rehearsal.check("by the exports of both tables nothing is missing", not missing, missing)

    def values(table: str, job: str) -> list[tuple[str, str]]:
        shown = json.loads(rehearsal.zaehlwerk("jobs", "show", job, "--tenant", TENANT, "--json", TABLE_NAME=table))
        return sorted((reading["obis"], reading["value"]) for reading in shown["readings"])

    for job in jobs:
        there, entered = values(rehearsal.table, job), values(BESIDE, job)
        rehearsal.check("what was read around the restored moment is there once, digit for digit", there and entered == there, (there, entered))


def worker_runs(rehearsal: Rehearsal) -> None:
    """The workers in the order of the manual; the last one a day later, when it would take photos out of sight."""
    queued = {row["name"] for row in json.loads((ROOT / "infra/workers.json").read_text()) if "queue" in row["trigger"]}
    for worker in restore.WORKERS:
        rehearsal.restore("start", STAGE, worker)
        if worker == "orphan_photos":
            rehearsal.work(worker, **at(LATER))
        elif worker not in queued:
            rehearsal.work(worker)


def rehearse(rehearsal: Rehearsal) -> None:
    rehearsal.check("the reader logs in", rehearsal.log_in().status == 200)
    before, after = [job for job in rehearsal.jobs().values() if not job["done"]][:2]
    kept = rehearsal.read(before)
    shown = rehearsal.photo(kept).body
    accepted = {kind: rehearsal.rows(*kind) for kind in ((), ("--unknown",))}
    export = rehearsal.back_up_table()
    late = rehearsal.read(after)
    # As if it had been on its way: it bears an earlier time, and is not in the restored table.
    restored = datetime.datetime.now(datetime.UTC)
    # Photos are backed up continuously: their backup has more than the table's.
    rehearsal.back_up_photos()
    wrong(rehearsal, export, restored, [before["id"], after["id"]])

    rehearsal.deploy_workers()
    rehearsal.lose()
    rehearsal.check("all is lost", rehearsal.log_in().status >= 500 and not restore.keys_of(rehearsal.s3, rehearsal.bucket))
    rehearsal.restore("hold", STAGE)
    rehearsal.restore("photos", RESTORED, rehearsal.bucket)
    # DynamoDB tells a table's beginning in whole seconds, and on AWS a table takes minutes.
    begun = int(time.time())
    while int(time.time()) == begun:
        time.sleep(0.01)
    rehearsal.restore("table", rehearsal.table, "--export", export)
    rehearsal.restore("check", rehearsal.table, rehearsal.bucket)
    # A photo of no reading, put there since: shows that the last worker does its work.
    orphan = kept[:-1] + ("2" if kept[-1] == "1" else "1")
    rehearsal.s3.put_object(Bucket=rehearsal.bucket, Key=orphan, Body=PHOTO.read_bytes(), ContentType="image/jpeg")
    worker_runs(rehearsal)

    for kind, rows in accepted.items():
        found = rehearsal.rows(*kind)
        lost = [row for row in rows if row not in found]
        what = f"all {len(rows)} readings{' without a job' if kind else ''} are there, and no others"
        rehearsal.check(what, rows and not lost and len(found) == len(rows), lost)
    rehearsal.restore("check", rehearsal.table, rehearsal.bucket)
    rehearsal.check("the reader logs in with the letter", rehearsal.log_in().status == 200)
    rehearsal.check("the reading is the reader's", rehearsal.jobs()[before["id"]]["done"])
    rehearsal.check("its photo is shown", shown.startswith(b"\xff\xd8") and rehearsal.photo(kept).body == shown)
    rehearsal.check("a photo that no reading names is out of sight", not rehearsal.is_there(orphan))
    rehearsal.check("the photo of a reading that the table does not know stays", rehearsal.is_there(late))
    rehearsal.check("what was read after the backup is open again", not rehearsal.jobs()[after["id"]]["done"])
    again = rehearsal.read(after)
    rehearsal.check("and its photo is shown once it was sent again", rehearsal.photo(again).status == 200)


def main() -> int:
    with Stack() as stack, tempfile.TemporaryDirectory(prefix="zaehlwerk-") as folder:
        rehearsal = Rehearsal(stack, pathlib.Path(folder))
        rehearse(rehearsal)
    print(f"rehearsal: {rehearsal.passed} checks passed, {rehearsal.failed} failed")
    return 1 if rehearsal.failed else 0


if __name__ == "__main__":
    sys.exit(main())
