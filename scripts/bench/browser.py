"""The portal in Chromium on a slow phone, beside its first page made with Amplify UI as it comes."""

import json
import os
import pathlib
import subprocess
import tempfile

from bench.row import Row, at_most
from stack import ROOT

WEB = ROOT / "web"


def run() -> list[Row]:
    subprocess.run(["npm", "run", "--silent", "build"], cwd=WEB, check=True, stdout=subprocess.DEVNULL)
    with tempfile.TemporaryDirectory(prefix="zaehlwerk-") as folder:
        file = pathlib.Path(folder) / "figures.jsonl"
        # A budget that is not kept fails it, and is a line of the table.
        subprocess.run(["npm", "run", "--silent", "bench"], cwd=WEB, check=False, stdout=subprocess.DEVNULL, env=os.environ | {"ZW_BENCH": str(file)})
        return rows({line["what"]: line for line in map(json.loads, file.read_text().splitlines())})


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
        Row("largest paint, of the time with Amplify UI alone", f"{figures['portal largest'] / figures['amplify largest']:.2f} times"),
        at_most("typing a reading: key to paint, the slowest", figures["typing interaction"], 200, "ms", 0),
        at_most("typing a search over 10,000 jobs: key to paint, the slowest", figures["search interaction"], 200, "ms", 0),
        Row("the same: longest task", f"{figures['search longest task']:.0f} ms"),
        at_most("scrolling 10,000 jobs: frame, 95 of 100", figures["scroll frame p95"], 50, "ms", 0),
        at_most("Excel file of 10,000 × 26: until saved", figures["xlsx"], 2000, "ms", 0),
        at_most("the same: longest task of the page", figures["xlsx longest task"], 100, "ms", 0),
        Row("installed portal without a network: start until the jobs are there", f"{figures['offline start']:.0f} ms"),
    ]
