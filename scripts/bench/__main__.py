"""Measures the product and prints one table; `--write` puts it into docs/benchmarks.md, with the machine and the day."""

import argparse
import datetime
import os
import platform
import subprocess
import sys

from bench import argon2, browser, cold, commands, desk, neighbours, operations, peak, portfolio
from bench.row import markdown
from stack import ROOT

SECTIONS = {
    "cold": ("Cold start", cold.run),
    "operations": ("Round trips and units", operations.run),
    "portfolio": ("Portfolio", portfolio.run),
    "peak": ("Peak", peak.run),
    "neighbours": ("A flood at one tenant", neighbours.run),
    "browser": ("Browser", browser.run),
    "desk": ("Desk", desk.run),
    "argon2": ("Passwords", argon2.run),
    "commands": ("Commands", commands.run),
}
PAGE = ROOT / "docs/benchmarks.md"


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("sections", nargs="*", metavar="SECTION", choices=[[], *SECTIONS], help=f"some of: {', '.join(SECTIONS)}")
    options.add_argument("--write", action="store_true", help="renew these sections of the page")
    chosen = options.parse_args()
    missed = 0
    for name in chosen.sections or SECTIONS:
        title, run = SECTIONS[name]
        rows = run()
        missed += sum(row.met is False for row in rows)
        print(f"\n## {title}\n\n{markdown(rows)}", flush=True)
        if chosen.write:
            write(name, f"{machine()}\n\n{markdown(rows)}")
    return 1 if missed else 0


def machine() -> str:
    """On what the figures were taken."""
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        processor = next((line.split(":")[1].strip() for line in file if line.startswith("model name")), platform.machine())
    versions = [subprocess.run(command, check=True, capture_output=True, text=True).stdout.split("(")[0].strip() for command in
                (["rustc", "--version"], ["node", "--version"])]
    load = f"load {os.getloadavg()[0]:.1f}"
    return f"{datetime.date.today()}, {os.cpu_count()} × {processor}, {load}, {versions[0]}, Node {versions[1]}"


def write(section: str, text: str) -> None:
    """Replaces a section's figures."""
    begin, end = f"<!-- {section} -->\n", f"<!-- end of {section} -->"
    head, _, rest = PAGE.read_text().partition(begin)
    _, found, tail = rest.partition(end)
    if not found:
        raise SystemExit(f"{PAGE} has no place for {section}.")
    PAGE.write_text(f"{head}{begin}{text}\n{end}{tail}")


if __name__ == "__main__":
    sys.exit(main())
