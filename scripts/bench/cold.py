"""Cold starts of the functions that are deployed, against what a developer would write instead: with Node, and with nothing but the SDK."""

import json
import os
import socket
import statistics
import subprocess
import time
import zlib
from dataclasses import dataclass
from urllib.parse import urlsplit

from bench import peers, seed
from bench.row import Row, at_least, at_most
from bench.runtime_api import Function
from stack import ROOT, Stack

TARGET = ROOT / os.environ.get("CARGO_TARGET_DIR", "target")
RELEASE = TARGET / "release"
STARTS = 20
WARM = 200
# The smallest of them, and those that bring most along: photos, passwords, mails. Those for Lambda's processors are weighed where they were built.
WEIGHED = ("account_info", "job_list", "auth_token", "result_create")
DEPLOYED = ROOT / "target/lambda"
# In the head of a program: for which processor it is (ELF's `e_machine`).
MACHINE, ARM64 = slice(18, 20), b"\xb7\x00"


def run() -> list[Row]:
    build()
    with Stack() as stack:
        seed.accounts(stack, {"reader": 1})
        commands = variants(stack)
        event = request_event("/api/pro/account/info", {"authorization": f"Bearer {seed.login(stack, 'reader', 'reader-secret')}"})
        # One after the other in each round, so that other work of the machine hits all of them.
        starts: dict[str, list[Start]] = {name: [] for name in commands}
        for _ in range(STARTS):
            for name, (command, variables) in commands.items():
                starts[name].append(start(command, variables, event))
        floor = statistics.median(asked_directly(stack))
    return [*rows(starts), Row("the emulated table alone, asked for one item by the bench itself: p50", f"{floor:.2f} ms"), *weights()]


# As for the deployment (D-PLATFORM-11).
UNLINTED = {**os.environ, "RUSTC_WORKSPACE_WRAPPER": ""}


def build() -> None:
    """By the words of the deployment, so that cargo chooses the same features; and the Node handler in one file."""
    packages = ("lambdas", "bench")
    arguments = [argument for package in packages for argument in ("--package", package)]
    binaries = [argument for name in ("minimal", "passwords", *WEIGHED) for argument in ("--bin", name)]
    subprocess.run(["cargo", "build", "--release", "--locked", "--features", "lambdas/deployed", *arguments, *binaries], cwd=ROOT, check=True, env=UNLINTED)
    peers.install()
    subprocess.run(["npm", "run", "--silent", "build", "--", f"--outfile={TARGET}/bench/index.cjs", "--log-level=warning"], cwd=peers.NODE, check=True)


def environment(stack: Stack) -> dict[str, str]:
    """What a function that reads the table needs and no more, because a long environment takes time too."""
    names = ("AWS_REGION", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_ENDPOINT_URL_DYNAMODB", "TABLE_NAME", "PORTAL_HOST", "JWT_PUBLIC_KEYS")
    return {name: stack.ready["environment"][name] for name in names}


def variants(stack: Stack) -> dict[str, tuple[list[str], dict[str, str]]]:
    """Command and environment by name."""
    item = {"ITEM_PK": f"T#{seed.TENANT}#A#reader", "ITEM_SK": "ACCOUNT"}
    node = subprocess.run(["node", "-p", "process.execPath"], check=True, capture_output=True, text=True).stdout.strip()
    return {
        "account_info": ([str(RELEASE / "account_info")], environment(stack)),
        "minimal": ([str(RELEASE / "minimal")], environment(stack) | item),
        "Node": ([node, str(TARGET / "bench/index.cjs")], environment(stack)),
    }


def asked_directly(stack: Stack) -> list[float]:
    """How long the table takes for what the functions ask it, in ms: no answer can be faster."""
    address = urlsplit(stack.ready["environment"]["AWS_ENDPOINT_URL_DYNAMODB"])
    key = {"pk": {"S": f"T#{seed.TENANT}#A#reader"}, "sk": {"S": "ACCOUNT"}}
    body = json.dumps({"TableName": stack.ready["environment"]["TABLE_NAME"], "Key": key})
    head = (
        f"POST / HTTP/1.1\r\nHost: {address.netloc}\r\nContent-Type: application/x-amz-json-1.0\r\n"
        f"X-Amz-Target: DynamoDB_20120810.GetItem\r\nX-Amz-Date: 20260101T000000Z\r\nContent-Length: {len(body)}\r\n"
        "Authorization: AWS4-HMAC-SHA256 Credential=bench/20260101/eu-central-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0\r\n\r\n"
    )
    times = []
    with socket.create_connection((address.hostname, address.port)) as table:
        table.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for _ in range(STARTS * WARM):
            begin = time.perf_counter()
            table.sendall((head + body).encode())
            answer = table.recv(65536)
            times.append(1000 * (time.perf_counter() - begin))
    if b'"Item"' not in answer:
        raise SystemExit(f"The table answered {answer!r}")
    return times


def request_event(path: str, headers: dict[str, str], query: str = "") -> bytes:
    """A GET as API Gateway hands it over, payload format 2.0."""
    http = {"method": "GET", "path": path, "protocol": "HTTP/1.1", "sourceIp": "127.0.0.1", "userAgent": "bench"}
    event = {
        "version": "2.0",
        "routeKey": f"GET {path}",
        "rawPath": path,
        "rawQueryString": query,
        "headers": {"host": "localhost", **headers},
        "requestContext": {"accountId": "0", "apiId": "bench", "domainName": "localhost", "stage": "$default", "http": http},
        "isBase64Encoded": False,
    }
    return json.dumps(event).encode()


@dataclass
class Start:
    """One process. Times in milliseconds, memory in MB; `processor` is what a later answer takes of it, without other work of the machine."""

    init: float
    total: float
    warm: list[float]
    processor: float
    memory: float


def start(command: list[str], variables: dict[str, str], event: bytes) -> Start:
    """Until it asks, until its first answer, and what later answers take."""
    with Function(command, variables) as function:
        answer, first = function.invoke(event)
        if answer.get("statusCode") != 200:
            raise SystemExit(f"{command}: {answer}")
        before = function.processor_time()
        warm = [function.invoke(event)[1] for _ in range(WARM)]
        processor = (function.processor_time() - before) / WARM
        return Start(function.init, function.init + first, warm, processor, function.peak_memory())


def rows(starts: dict[str, list[Start]]) -> list[Row]:
    """Absolute figures first, then what is promised: ratios of the same run."""

    def middle(name: str, of) -> float:
        return statistics.median(of(start) for start in starts[name])

    def warm(name: str) -> list[float]:
        return sorted(time for start in starts[name] for time in start.warm)

    absolute = [
        Row(
            f"{name}: until it asks / answers first; later p50 / p99",
            f"{middle(name, lambda start: start.init):.1f} / {middle(name, lambda start: start.total):.1f} ms;"
            f" {statistics.median(warm(name)):.2f} / {warm(name)[len(warm(name)) * 99 // 100]:.2f} ms",
        )
        for name in starts
    ]
    processor = {name: middle(name, lambda start: start.processor) for name in starts}
    absolute += [Row(f"{name}: processor time of a later answer", f"{processor[name]:.2f} ms") for name in starts]
    cold = {name: middle(name, lambda start: start.total) for name in starts}
    later = {name: statistics.median(warm(name)) for name in starts}
    memory = {name: middle(name, lambda start: start.memory) for name in starts}
    return [
        *absolute,
        at_least("start to first answer, faster than Node by", cold["Node"] / cold["account_info"], 22, "times"),
        at_most("start to first answer, of the minimal function's time", cold["account_info"] / cold["minimal"], 0.75, "times", 2),
        at_least("later answers, processor time of Node's, of account_info's", processor["Node"] / processor["account_info"], 9, "times"),
        Row("the same by the clock", f"{later['Node'] / later['account_info']:.1f} times"),
        at_most("account_info, most memory at once", memory["account_info"], 16, "MB"),
        *[Row(f"{name}, most memory at once", f"{memory[name]:.1f} MB") for name in ("minimal", "Node")],
    ]


def weights() -> list[Row]:
    rows = [Row(f"{name}, zipped", f"{megabytes((RELEASE / name).read_bytes()):.2f} MB") for name in WEIGHED]
    programs = {path.parent.name: path.read_bytes() for path in DEPLOYED.glob("*/bootstrap")}
    deployed = {name: megabytes(program) for name, program in programs.items() if program[MACHINE] == ARM64}
    paths: dict[str, list[str]] = {}
    for route in json.loads((ROOT / "infra/routes.json").read_text()):
        paths.setdefault(route["function"], []).append(route["path"] or "")
    staff = {name for name, served in paths.items() if all(path.startswith(("/api/desk", "/desk/")) for path in served)}
    workers = {worker["name"] for worker in json.loads((ROOT / "infra/workers.json").read_text())}
    for who, names in (("customers wait for", paths.keys() - staff), ("the staff waits for", staff)):
        what, built = heaviest(f"for arm64, the largest that {who}", names, deployed)
        rows.append(at_most(what, built, 3, "MB", 2) if built else Row(what, NOT_BUILT, "at most 3", False))
    what, built = heaviest("for arm64, the largest that nobody waits for", workers, deployed)
    return [*rows, Row(what, f"{built:.2f} MB" if built else NOT_BUILT)]


NOT_BUILT = "not built (`make arm64`)"


def heaviest(what: str, names: set[str], deployed: dict[str, float]) -> tuple[str, float | None]:
    """What the row is called, and the weight; none where one of them was not built."""
    if names - deployed.keys():
        return f"{what}, zipped", None
    largest = max(names, key=deployed.__getitem__)
    return f"{what}: {largest}, zipped", deployed[largest]


def megabytes(program: bytes) -> float:
    """What Lambda fetches before a cold start."""
    return len(zlib.compress(program, 9)) / 1e6
