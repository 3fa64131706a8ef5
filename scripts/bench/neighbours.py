"""A flood at one tenant, and what readers of another one notice of it, on the local product with the bounds of a deployment and without."""

import datetime
import json
import subprocess
import time
from dataclasses import dataclass
from itertools import count

import requests

from bench import peak, peers, seed
from bench.row import Row, at_most
from stack import ROOT, Stack, read_lines

# Of what is deployed, because two processors do what a fleet of functions does.
SHARE = 50
READERS = 20
SECONDS = 30
# Until the flood's addresses have used up what the firewall lets through at first.
FIRST = 20
# A second, so that its own client leaves something of the processors to the product.
FLOOD = 300
ADDRESSES = 30
# So many that none of them meets its limit.
MANY = 10_000
FLOODED = "nachbar"


@dataclass
class Step:
    """What became of the readers' requests; times in ms."""

    accepted: list[str]
    refused: list[str]
    waiting: list[dict]
    times: list[float]
    errors: int

    def percentile(self, share: float) -> float:
        return sorted(self.times)[int(len(self.times) * share)]

    def row(self, what: str) -> Row:
        return Row(f"readers, {what}: p50 / p99", f"{self.percentile(0.5):.0f} / {self.percentile(0.99):.0f} ms")

    @property
    def share_refused(self) -> float:
        return 100 * len(self.refused) / len(self.times)


def run() -> list[Row]:
    peers.install()
    deployed = bounds()
    limits = {"address": deployed["address"]["calls"] // SHARE, "gateway": deployed["gateway"] // SHARE, "login": deployed["sessions"] // SHARE}
    with Play(*(word for name, limit in limits.items() for word in (f"--{name}-limit", str(limit))), logins=limits["login"]) as bounded:
        # The first seconds after a start are like no others, and what they took would be the measure of a flood.
        bounded.read(FIRST)
        alone = bounded.read(SECONDS)
        with bounded.flood(ADDRESSES) as flood:
            first, under = bounded.read(FIRST), bounded.read(SECONDS)
        with bounded.flood(MANY):
            many = bounded.read(FIRST)
        lost = bounded.lost()
    with Play() as free:
        with free.flood(ADDRESSES) as unbounded:
            free.read(FIRST)
            without = free.read(SECONDS)
        lost |= free.lost()
    return [
        alone.row("alone"),
        under.row("a flood at another tenant, within bounds"),
        without.row("the same flood without bounds"),
        at_most("p99 beside the flood, of that alone", under.percentile(0.99) / alone.percentile(0.99), 2, "times"),
        Row("the same without bounds", f"{without.percentile(0.99) / alone.percentile(0.99):.1f} times"),
        flood.row("within bounds"),
        unbounded.row("without bounds"),
        at_most(f"of {len(under.times)} requests of the readers beside the flood, refused or unanswered", len(under.refused) + under.errors, 0, "", 0),
        Row("refused until the firewall has counted the flood's addresses", f"{first.share_refused:.0f} %"),
        Row("refused while the flood has so many addresses that the firewall refuses none", f"{many.share_refused:.0f} %"),
        at_most("readings lost, those that were refused and sent again among them", len(lost), 0, "", 0),
    ]


def bounds() -> dict:
    """What is deployed, as `infra/capacity.ts` reckons with it."""
    command = ["node", "--input-type=module", "--eval", "import { bounds } from './infra/capacity.ts'; console.log(JSON.stringify(bounds))"]
    return json.loads(subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout)


class Play(Stack):
    """The local product with readers at one tenant, who are logged in."""

    def __init__(self, *options: str, logins: int = 0) -> None:
        super().__init__(*options, local=peak.local())
        self._pause = 1 / logins if logins else 0
        self._addresses = count(256)
        self._accepted: list[str] = []
        self._waiting: list[dict] = []

    def __enter__(self) -> "Play":
        super().__enter__()
        self._begin = datetime.datetime.now(datetime.UTC)
        self._people = peak.readers(self, READERS, self._log_in)
        letter = read_lines(self.tenant(FLOODED) / "letters.jsonl")[0]
        self._customer = self._log_in(letter["username"], letter["password"], FLOODED)
        return self

    def _address(self) -> str:
        return "198.18.{}.{}".format(*divmod(next(self._addresses), 256))

    def _log_in(self, username: str, password: str, tenant: str = seed.TENANT) -> str:
        time.sleep(self._pause)
        host = {seed.TENANT: "localhost", FLOODED: f"{FLOODED}.localhost"}[tenant]
        return seed.login(self, username, password, tenant, {"Host": host, "X-Viewer-Address": self._address()})

    def read(self, seconds: int) -> Step:
        """The readers, each from an address that is new."""
        people = [person | {"address": self._address()} for person in self._people]
        load = peak.load(self) | {"people": people, "seconds": seconds}
        step = Step(**peak.script("readers.js", load))
        self._accepted += step.accepted
        self._waiting += step.waiting
        return step

    def flood(self, addresses: int) -> "Flood":
        target = {"url": self.ready["apiUrl"], "host": f"{FLOODED}.localhost", "tenant": FLOODED, "token": self._customer}
        return Flood(target | {"rate": FLOOD, "addresses": addresses})

    def lost(self) -> set[str]:
        """Readings that are not in the export, once what was refused was sent again."""
        for reading in self._waiting:
            time.sleep(self._pause)
            headers = reading["headers"] | {"x-viewer-address": self._address()}
            answer = requests.post(f"{self.ready['apiUrl']}{reading['path']}", reading["body"].encode(), headers=headers)
            if answer.status_code != 200:
                print(f"A reading that waited is answered {answer.status_code}: {answer.text}")
        wanted = {*self._accepted, *(reading["headers"]["idempotency-key"] for reading in self._waiting)}
        return wanted - set(peak.exported(self, self._begin))


class Flood:
    """A flood while it goes on; afterwards who answered how many of its calls."""

    def __init__(self, load: dict) -> None:
        self._load = load

    def __enter__(self) -> "Flood":
        command = ["node", "flood.js"]
        self._process = subprocess.Popen(command, cwd=peers.NODE, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._process.stdin.write(json.dumps(self._load) + "\n")
        self._process.stdin.flush()
        return self

    def __exit__(self, *_) -> None:
        # It ends when its standard input closes.
        self.answered = json.loads(self._process.communicate()[0])

    def row(self, what: str) -> Row:
        by = self.answered
        figure = f"{sum(by.values())}: {by['functions']} / {by['firewall']} / {by['gateway']} / {by['nobody']}"
        return Row(f"calls of the flood, {what}: reached a function / refused by firewall / by gateway / unanswered", figure)
