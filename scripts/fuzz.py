"""Made-up requests of every operation in the OpenAPI document, against the product, by everybody: schemathesis with all its checks.

Takes the number of examples an operation; `make test` takes few, `make fuzz` many.
"""

import argparse
import concurrent.futures
import json
import pathlib
import subprocess
import sys
import tempfile
import time
import urllib.request

from stack import ROOT, Stack, read_lines

SCHEMATHESIS = pathlib.Path(sys.executable).parent / "schemathesis"
DOCUMENT = ROOT / "functions/api/openapi.json"
CONFIG = ROOT / "scripts/schemathesis.toml"
TENANT = "birkenfurt"
# Who calls: nobody who is logged in, somebody with a few jobs, somebody with many.
CALLERS = {"nobody": None, "resident": "anna.sommer", "manager": "bergmann"}


def access_token(url: str, letter: dict) -> str:
    login = {"applicationId": TENANT, "username": letter["username"], "password": letter["password"]}
    request = urllib.request.Request(f"{url}/auth/token", json.dumps(login).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)["token"]


def fuzz(url: str, token: str | None, examples: int, seed: int | None) -> subprocess.CompletedProcess:
    command = [SCHEMATHESIS, "--config-file", CONFIG, "run", DOCUMENT, "--url", url, "--checks", "all", "--max-examples", str(examples)]
    if token:
        command += ["--header", f"Authorization: Bearer {token}"]
    if seed is not None:
        command += ["--seed", str(seed)]
    # What it notes down about failures is in its output too.
    with tempfile.TemporaryDirectory(prefix="zaehlwerk-") as folder:
        return subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--examples", type=int, default=100, help="made-up requests an operation")
    parser.add_argument("--seed", type=int, help="the same requests each time; without it others each time")
    arguments = parser.parse_args()

    def call(caller: str) -> bool:
        # Each on its own data: who comes first would use up the logins and fill the jobs of the others.
        with Stack() as stack:
            url, username = stack.ready["apiUrl"], CALLERS[caller]
            letters = {letter["username"]: letter for letter in read_lines(stack.tenant(TENANT) / "letters.jsonl")}
            token = access_token(url, letters[username]) if username else None
            started = time.monotonic()
            done = fuzz(url, token, arguments.examples, arguments.seed)
            print(f"{done.stdout}\nfuzz as {caller}: {time.monotonic() - started:.0f} s", flush=True)
            return done.returncode == 0

    with concurrent.futures.ThreadPoolExecutor() as pool:
        failed = [caller for caller, fine in zip(CALLERS, pool.map(call, CALLERS), strict=True) if not fine]
    print(f"fuzz: {'all is well' if not failed else 'failures as ' + ', '.join(failed)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
