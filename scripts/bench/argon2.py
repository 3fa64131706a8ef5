"""What a password costs us, and an attacker who guesses it: Argon2id with the parameters that OWASP calls equal, and harder ones."""

import json
import re
import subprocess

from bench.cold import RELEASE, build
from bench.row import Row
from stack import ROOT

# What a password of a letter has: twelve of 32 characters.
PASSWORD_BITS = 60
# Megabytes at which Lambda gives a function one whole processor.
WHOLE_PROCESSOR = 1769
SECONDS_A_YEAR = 365.25 * 24 * 3600


def run() -> list[Row]:
    build()
    chosen, memory = parameters()
    rows = []
    for line in subprocess.run([RELEASE / "passwords"], check=True, capture_output=True, text=True).stdout.splitlines():
        choice = json.loads(line)
        is_chosen = (choice["mebibytes"], choice["passes"]) == chosen
        mark = " (the product's)" if is_chosen else ""
        time = choice["milliseconds"]
        share = min(1, memory / WHOLE_PROCESSOR)
        rows.append(Row(f"{choice['mebibytes']} MiB, passes: {choice['passes']}{mark}; with {memory} MB of Lambda", f"{time:.1f} ms; {time / share:.1f} ms"))
        if is_chosen:
            years = 2 ** (PASSWORD_BITS - 1) * time / 1000 / SECONDS_A_YEAR
            rows.append(Row(f"guesses a second and processor; years of one processor for half of 2^{PASSWORD_BITS}", f"{1000 / time:.0f}; {years:.1e}"))
            rows.append(Row("logins a second in 100 functions at once", f"{100 * 1000 * share / time:.0f}"))
    return rows


def parameters() -> tuple[tuple[int, int], int]:
    """The product's MiB and passes, and the megabytes of the login function."""
    code = (ROOT / "functions/domain/src/login.rs").read_text()
    mebibytes, passes = re.search(r"Params::new\((\d+) \* 1024, (\d+),", code).groups()
    routes = json.loads((ROOT / "infra/routes.json").read_text())
    memory = next(route["memory"] for route in routes if route["function"] == "auth_token")
    return (int(mebibytes), int(passes)), memory
