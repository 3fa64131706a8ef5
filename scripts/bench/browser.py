"""The portal in Chromium on a slow phone, beside its first page made with Amplify UI as it comes."""

import json
import os
import pathlib
import subprocess
import tempfile

from bench import peers
from bench.row import Row, at_most
from stack import ROOT

WEB = ROOT / "web"

# The build that the way from a letter's link is compared with, as it was before that way was looked at.
BEFORE = "3e79482"


def run() -> list[Row]:
    subprocess.run(["npm", "run", "--silent", "build"], cwd=WEB, check=True, stdout=subprocess.DEVNULL)
    before = older_build()
    with tempfile.TemporaryDirectory(prefix="zaehlwerk-") as folder:
        file = pathlib.Path(folder) / "figures.jsonl"
        # A budget that is not kept fails it, and is a line of the table.
        subprocess.run(["npm", "run", "--silent", "bench"], cwd=WEB, check=False, stdout=subprocess.DEVNULL, env=os.environ | {"ZW_BENCH": str(file), "ZW_BEFORE": str(before or "")})
        return [*rows({line["what"]: line for line in map(json.loads, file.read_text().splitlines())}), workbook()]


def workbook() -> Row:
    """The portal's writer of workbooks beside a kept library, in Node, because the browser's share of it is the same."""
    peers.install()
    sheets = peers.sheets()
    (ours, size), (library, larger) = sheets["ours"], sheets["library"]
    what = f"the workbook alone, of the time of write-excel-file ({ours:.0f} of {library:.0f} ms; {size:.0f} and {larger:.0f} kB)"
    return at_most(what, ours / library, 1, "times", 2)


def older_build() -> pathlib.Path | None:
    """Its files; none where the history ends before it."""
    folder = ROOT / "target/bench" / BEFORE
    dist = folder / "web/dist"
    if dist.exists():
        return dist
    if subprocess.run(["git", "cat-file", "-e", BEFORE], cwd=ROOT, check=False, stderr=subprocess.DEVNULL).returncode:
        return None
    folder.mkdir(parents=True, exist_ok=True)
    files = subprocess.run(["git", "archive", BEFORE], cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout
    subprocess.run(["tar", "-x"], cwd=folder, check=True, input=files)
    subprocess.run(["npm", "ci", "--silent", "--no-audit", "--no-fund"], cwd=folder, check=True)
    subprocess.run(["npm", "run", "--silent", "build"], cwd=folder / "web", check=True, stdout=subprocess.DEVNULL)
    return dist


def way(figures: dict[str, float]) -> list[Row]:
    """From a letter's link to the first field, of this build and of the older one."""
    builds = [name for name in ("now", "before") if f"link {name} field" in figures]
    absolute = [
        Row(
            f"link to introduction / to the first field / files / sent, {name}",
            f"{figures[f'link {name} introduction']:.0f} ms / {figures[f'link {name} field']:.0f} ms / "
            f"{figures[f'link {name} requests']:.0f} / {figures[f'link {name} kilobytes']:.0f} kB",
        )
        for name in builds
    ]
    if "before" not in builds:
        return absolute
    ratio = {step: figures[f"link now {step}"] / figures[f"link before {step}"] for step in ("introduction", "field")}
    return [*absolute, *(at_most(f"link to {step}, of the older build's time", share, 0.5, "times", 2) for step, share in ratio.items())]


def rows(lines: dict[str, dict]) -> list[Row]:
    figures = {what: line["value"] for what, line in lines.items()}
    first = [
        Row(
            f"first route, {name}: largest paint / time blocked / sent",
            f"{figures[f'{name} largest']:.0f} ms / {figures[f'{name} blocked']:.0f} ms / {figures[f'{name} kilobytes']:.0f} kB",
        )
        for name in ("portal", "amplify")
    ]
    return [
        *(at_most(what, line["value"], line["most"], line["unit"]) for what, line in lines.items() if "most" in line),
        *first,
        at_most("largest paint, of the time with Amplify UI alone", figures["portal largest"] / figures["amplify largest"], 1, "times", 2),
        *way(figures),
        at_most("typing a reading: key to paint, the slowest", figures["typing interaction"], 200, "ms", 0),
        at_most("typing a search over 10,000 jobs: key to paint, the slowest", figures["search interaction"], 200, "ms", 0),
        Row("the same: longest task", f"{figures['search longest task']:.0f} ms"),
        # The browser draws at the screen's beats: what takes as long as on an empty page cannot be quicker.
        at_most(
            "scrolling 10,000 jobs, 4,000 pixels a second: frame, 95 of 100; the goal is that of an empty page",
            round(figures["scroll frame p95"]),
            round(figures["empty scroll frame p95"]),
            "ms",
            0,
        ),
        Row("the same, 500 pixels in each frame / an empty page", f"{figures['drag frame p95']:.0f} ms / {figures['empty drag frame p95']:.0f} ms"),
        at_most("Excel file of 10,000 × 26: until saved", figures["xlsx"], 1000, "ms", 0),
        at_most("the same: longest task of the page", figures["xlsx longest task"], 100, "ms", 0),
        *(
            at_most(f"installed portal without a network: start until {name} are there", figures[what], 1500, "ms", 0)
            for name, what in (("the jobs", "offline start"), ("the first of 10,000 jobs", "offline start with 10,000 jobs"))
        ),
    ]
