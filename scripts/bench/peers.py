"""What is written for Node beside the product: the load's senders, and the same work by libraries that others keep."""

import json
import os
import pathlib
import statistics
import subprocess

from stack import ROOT

NODE = ROOT / "scripts/bench/node"


def install() -> None:
    """Its packages."""
    subprocess.run(["npm", "ci", "--silent", "--no-audit", "--no-fund"], cwd=NODE, check=True)


def sheets() -> dict[str, tuple[float, float]]:
    """Milliseconds (the median) and kB of a workbook of 10,000 × 26, by who writes it: `ours` and `library`."""
    done = subprocess.run(["node", "sheet.js"], cwd=NODE, check=True, stdout=subprocess.PIPE, text=True)
    rounds = [json.loads(line) for line in done.stdout.splitlines()]
    return {
        what: (statistics.median(one["milliseconds"] for one in rounds if one["what"] == what), rounds[place]["bytes"] / 1000)
        for place, what in enumerate(("ours", "library"))
    }


def letters(letters: pathlib.Path, jobs: pathlib.Path, out: pathlib.Path, most: int) -> float:
    """Milliseconds of a processor that a letter's page takes a kept library, of the first `most` of the file."""
    process = subprocess.Popen(["node", "letters.js", letters, jobs, out, str(most)], cwd=NODE)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit("letters.js failed")
    return (used.ru_utime + used.ru_stime) / most * 1000
