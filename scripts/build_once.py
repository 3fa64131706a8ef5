"""Fails when cargo would build for `make dev` or `make smoke` anew what it has built for the tests, and names the features that differ."""

import json
import os
import pathlib
import subprocess
import sys
from collections.abc import Iterator

ROOT = pathlib.Path(__file__).parent.parent
TESTS = ("test", "--workspace")
BUILDS = (("build", "--workspace", "--bins", "--example", "functions"), ("build", "--workspace", "--example", "answers"), ("build", "--package", "local"))


def units(*command: str) -> Iterator[tuple[tuple[str, ...], set[str], int]]:
    """What a command builds, the features that it has, and a hash of all that it is built with and stands on."""
    arguments = ["cargo", *command, "--locked", "--unit-graph", "-Z", "unstable-options"]
    # The variable lets stable cargo print the graph, in place of building anything.
    printed = subprocess.run(arguments, cwd=ROOT, env={**os.environ, "RUSTC_BOOTSTRAP": "1"}, stdout=subprocess.PIPE, check=True)
    graph = json.loads(printed.stdout)["units"]
    hashes: dict[int, int] = {}

    def whole(index: int) -> int:
        if index not in hashes:
            used = sorted((one["extern_crate_name"], whole(one["index"])) for one in graph[index]["dependencies"])
            # The profile of tests has another name and says the same.
            own = {**graph[index], "profile": {**graph[index]["profile"], "name": None}, "dependencies": None}
            hashes[index] = hash((json.dumps(own), tuple(used)))
        return hashes[index]

    for index, unit in enumerate(graph):
        package = unit["pkg_id"].rsplit("/", 1)[-1]
        yield (package, unit["target"]["name"], unit["mode"], str(unit["platform"])), set(unit["features"]), whole(index)


def main() -> int:
    tested = list(units(*TESTS))
    known, hashes = {name for name, _, _ in tested}, {whole for _, _, whole in tested}
    count = 0
    for build in BUILDS:
        again = [(name, features) for name, features, whole in units(*build) if name in known and whole not in hashes]
        count += len(again)
        for name, features in again:
            differing = min((features ^ other for other_name, other, _ in tested if other_name == name), key=len)
            because = f"differs in {', '.join(sorted(differing))}" if differing else "stands on one that differs"
            print(f"{' '.join(build)}: {name[0]} is built again: {because}")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
