"""What the utility's commands take with files as long as a town's, as they are deployed, against the whole local product."""

import datetime
import json
import os
import pathlib
import subprocess
import tempfile
import time
from dataclasses import dataclass

from bench import peers, seed
from bench.cold import TARGET, UNLINTED
from bench.peak import local
from bench.row import Row, at_most
from stack import ROOT, Stack

# So many are printed by another library, too.
PRINTED = 2000
LINES = tuple(int(lines) for lines in os.environ.get("LINES", "10000").split())
TODAY = datetime.date.today()
READ = str(TODAY - datetime.timedelta(days=2))
STREETS = ("Lindenweg", "Am Bürgermeister-Doktor-Platz", "Straße der Einheit", "Żółkiewskiego", "Hauptstraße")


@dataclass
class Cost:
    """Seconds by the clock and of a processor, and the most memory at once in MB."""

    clock: float
    processor: float
    memory: float

    def __str__(self) -> str:
        return f"{self.clock:.1f} s / {self.processor:.1f} s / {self.memory:.0f} MB"


def run() -> list[Row]:
    build = ["cargo", "build", "--profile", "command", "--locked", "--package", "operator", "--features", "released", "--bin", "zaehlwerk"]
    subprocess.run(build, cwd=ROOT, check=True, env=UNLINTED)
    peers.install()
    return [row for lines in LINES for row in season(lines)]


def season(lines: int) -> list[Row]:
    """A season's commands in its order, each on so many customers with a meter each."""
    with Stack(local=local()) as stack, tempfile.TemporaryDirectory(prefix="zaehlwerk-") as name:
        folder = pathlib.Path(name)
        write(folder / "accounts.jsonl", (account(n) for n in range(lines)))
        write(folder / "jobs.jsonl", (job(n) for n in range(lines)))
        write(folder / "cards.jsonl", ({"job": f"t-{n}", "readingDate": READ, "readings": [{"value": f"{n % 400 + 13050}.0"}]} for n in range(lines)))
        accounts = ("accounts", "import", folder / "accounts.jsonl", "--letters")
        jobs = ("jobs", "import", folder / "jobs.jsonl")
        steps = [
            ("accounts import, new", *accounts, folder / "letters.jsonl"),
            ("accounts import, unchanged", *accounts, folder / "none.jsonl"),
            ("jobs import --dry-run", *jobs, "--dry-run"),
            ("jobs import, new", *jobs),
            ("jobs import, unchanged", *jobs),
            ("jobs open --format csv", "jobs", "open", "--format", "csv", "--out", folder / "open.csv"),
            ("letters print --pdf --csv", "letters", "print", folder / "letters.jsonl", "--pdf", folder / "letters.pdf", "--csv", folder / "letters.csv"),
            ("invitations send --dry-run", "invitations", "send", "--dry-run"),
            ("reminders send --dry-run", "reminders", "send", "--dry-run"),
            ("accounts list --find, name and street", "accounts", "list", "--find", "familie17 lindenweg"),
            ("readings import, cards", "readings", "import", folder / "cards.jsonl", "--channel", "CARD"),
            ("season, the first time after them", "season"),
            ("season", "season"),
            ("season --recount", "season", "--recount"),
            ("clearing list --limit 100", "clearing", "list", "--limit", "100"),
            ("readings mscons", "readings", "mscons", "--out", folder / "market"),
            ("readings export --new --format csv", "readings", "export", "--new", "--format", "csv", "--dir", folder / "out"),
            ("readings export --since --preset plain", "readings", "export", "--since", READ, "--preset", "plain", "--out", folder / "all.csv"),
        ]
        costs = {what: measure(stack, *arguments) for what, *arguments in steps}
        letter = costs["letters print --pdf --csv"].processor / lines * 1000
        kept = peers.letters(folder / "letters.jsonl", folder / "jobs.jsonl", folder / "kept.pdf", min(lines, PRINTED))
        return [
            *(Row(f"{lines:,}: {what}", str(cost)) for what, cost in costs.items()),
            at_most(f"{lines:,}: a letter, of a processor", letter, 10, "ms"),
            Row(f"{lines:,}: its page alone, by PDFKit", f"{kept:.1f} ms"),
            at_most(f"{lines:,}: jobs import, new, of a processor, for 50,000", costs["jobs import, new"].processor / lines * 50_000, 10, "s"),
        ]


def write(path: pathlib.Path, values) -> None:
    with path.open("w", encoding="utf-8") as file:
        file.writelines(f"{json.dumps(value)}\n" for value in values)


def account(n: int) -> dict:
    return {"id": f"c-{n}", "name": f"Familie{n % 997} {n}", "language": "de-FORMAL", "email": f"c{n}@example.org"}


def job(n: int) -> dict:
    """Electricity of a household, with two years of readings."""
    street = {"street": STREETS[n % len(STREETS)], "houseNumber": str(n % 180 + 1), "zip": f"{10000 + n % 300:05}", "city": "Birkenfurt"}
    history = [(730, 7000), (365, 10000)]
    events = [
        {"readingDate": str(TODAY - datetime.timedelta(days=days)), "readingValue": f"{value + n % 400}.0", "reason": "ANNUAL_READING"}
        for days, value in history
    ]
    register = {"taskId": "et", "obis": "1-0:1.8.0", "preDecimals": 6, "postDecimals": 1, "readingEvents": events}
    return {
        "accountId": f"c-{n}",
        "id": f"t-{n}",
        "meter": {"meterNumber": f"1EBZ{n:010}", "meterAddress": street, "meterRateTasks": [register]},
        "jobConstraints": {"earliestExecution": str(TODAY - datetime.timedelta(days=14)), "latestExecution": str(TODAY + datetime.timedelta(days=3))},
        "customer": {"customerNumber": str(n), "lastname": f"Familie{n % 997}", "mailingAddress": street},
        "meLoId": f"DE{n:031}",
    }


def measure(stack: Stack, *arguments: str | pathlib.Path) -> Cost:
    """Code 1 says that there is something to look at, which is no failure here."""
    command = [str(part) for part in (TARGET / "command/zaehlwerk", *arguments, "--tenant", seed.TENANT)]
    with tempfile.TemporaryFile() as said:
        begin = time.monotonic()
        process = subprocess.Popen(command, env=os.environ | stack.ready["environment"], stdout=said, stderr=subprocess.STDOUT)
        memory, ended = 0, 0
        while not ended:
            memory = peak(process.pid) or memory
            time.sleep(0.02)
            ended, status, used = os.wait4(process.pid, os.WNOHANG)
        clock = time.monotonic() - begin
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode not in (0, 1):
            said.seek(0)
            raise SystemExit(f"{arguments}: {said.read().decode()[-2000:]}")
    return Cost(clock, used.ru_utime + used.ru_stime, memory / 1000)


def peak(process: int) -> int:
    """The most kilobytes that it had at once; none once it is over. What the kernel says at the end has this program's own, too."""
    status = pathlib.Path(f"/proc/{process}/status").read_text()
    return next((int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM:")), 0)
