"""Made-up requests of every operation in the OpenAPI document, against the product: schemathesis with all its checks.

Takes the number of examples an operation, and whose operations; `make test` takes few and those that are meant for a caller, `make fuzz` many
and all by everybody (D-PLATFORM-27).
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import requests

from account_session import account_headers, log_in
from desk_session import desk_headers
from stack import ROOT, Stack, read_lines

SCHEMATHESIS = pathlib.Path(sys.executable).parent / "schemathesis"
DOCUMENT = ROOT / "functions/api/openapi.json"
CONFIG = ROOT / "scripts/schemathesis.toml"
TENANT = "birkenfurt"
# The callers: a visitor, a resident with a few jobs, a manager with many, a member of the utility's staff.
CALLERS = {"nobody": None, "resident": "anna.sommer", "manager": "bergmann", "staff": None}
# Operations for the utility's staff; to all other callers they answer that these are not logged in, as to a visitor.
DESK = "^/(api/)?desk/"
MEANT_FOR = {"resident": ["--exclude-path-regex", DESK], "manager": ["--exclude-path-regex", DESK], "staff": ["--include-path-regex", DESK]}
# Calls that are answered to a caller who is logged in.
OWN = {"resident": "/api/pro/account/info", "manager": "/api/pro/account/info", "staff": "/api/desk/me"}

# Operations that end the caller's own session come last: to all after them the answer would be that the caller is not logged in.
LAST = ["auth_logout", "session_delete", "session_delete_all", "desk_logout", "desk_session_delete", "desk_session_delete_all"]

# Operations that want a login: to any request of a visitor the answer is that they are not logged in.
CLOSED = [operation["operationId"] for path in json.loads(DOCUMENT.read_text())["paths"].values() for operation in path.values() if operation.get("security")]


def named(choice: str, operations: list[str]) -> list[str]:
    """The options by which these operations are left out, or nothing else is taken."""
    return [option for operation in operations for option in (f"--{choice}-operation-id", operation)]


def turns(caller: str, is_meant: bool) -> list[list[str]]:
    """The options of a caller's runs, one after the other."""
    if caller == "nobody":
        return [named("exclude", CLOSED), [*named("include", CLOSED), "--phases", "fuzzing"]] if is_meant else [[]]
    if not is_meant:
        return [named("exclude", LAST), named("include", LAST)]
    # Beside an operation's name a path's beginning would take in all that begins so.
    own = [operation for operation in LAST if operation.startswith("desk_") == (caller == "staff")]
    return [[*MEANT_FOR[caller], *named("exclude", LAST)], named("include", own)]


def fuzz(url: str, folder: str, headers: dict[str, str], examples: int, seed: int | None, operations: list[str]) -> subprocess.CompletedProcess:
    """One run in this folder, in which its hooks look for a session."""
    command = [SCHEMATHESIS, "--config-file", CONFIG, "run", DOCUMENT, "--url", url, "--checks", "all", "--max-examples", str(examples)]
    command += operations
    for name, value in headers.items():
        command += ["--header", f"{name}: {value}"]
    if seed is not None:
        command += ["--seed", str(seed)]
    # What it notes down about failures is in its output too.
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "scripts")}
    return subprocess.run(command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--examples", type=int, default=100, help="made-up requests an operation")
    parser.add_argument("--seed", type=int, help="the same requests each time; without it others each time")
    parser.add_argument("--meant", action="store_true", help="only the operations that are meant for a caller, and by nobody few requests of those that want a login")
    arguments = parser.parse_args()

    def call(caller: str) -> bool:
        # Each on its own data: who comes first would use up the logins and fill the jobs of the others.
        with Stack() as stack, tempfile.TemporaryDirectory(prefix="zaehlwerk-") as folder:
            url, username, session = stack.ready["apiUrl"], CALLERS[caller], pathlib.Path(folder) / "session.json"
            letters = {letter["username"]: letter for letter in read_lines(stack.tenant(TENANT) / "letters.jsonl")}
            if username:
                log_in(url, TENANT, letters[username], session)
            # As if a person caused each call: without, the session ends after half an hour.
            headers = desk_headers(url, stack.ready["desk"], TENANT) | {"X-Desk-Active": "1"} if caller == "staff" else {}

            def is_fine(turn: list[str]) -> bool:
                run = fuzz(url, folder, headers, arguments.examples, arguments.seed, turn)
                print(run.stdout, flush=True)
                own = account_headers(session) if username else headers
                # That the caller is not logged in is a fine answer: to a login that had ended it would have been all of them.
                if own and requests.get(f"{url}{OWN[caller]}", headers=own).status_code != 200:
                    print(f"fuzz as {caller}: the login had ended before the last request")
                    return False
                return run.returncode == 0

            started = time.monotonic()
            fine = [is_fine(turn) for turn in turns(caller, arguments.meant)]
            print(f"fuzz as {caller}: {time.monotonic() - started:.0f} s", flush=True)
            return all(fine)

    with concurrent.futures.ThreadPoolExecutor() as pool:
        failed = [caller for caller, fine in zip(CALLERS, pool.map(call, CALLERS), strict=True) if not fine]
    print(f"fuzz: {'all is well' if not failed else 'failures as ' + ', '.join(failed)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
