"""Builds what the tests need with clippy in the compiler's place, and fails when it or the compiler has something to say.

`cargo clippy` would read all that we stand on once more; cargo says again what it said of a crate that is built already.
"""

import json
import subprocess
import sys

from stack import ROOT

BUILD = ("cargo", "test", "--workspace", "--no-run", "--message-format", "json")


def main() -> int:
    count = 0
    with subprocess.Popen(BUILD, cwd=ROOT, stdout=subprocess.PIPE, text=True) as build:
        assert build.stdout
        for line in build.stdout:
            if line.startswith("{") and (message := json.loads(line)).get("reason") == "compiler-message":
                count += 1
                print(message["message"]["rendered"], end="")
    return build.returncode or (1 if count else 0)


if __name__ == "__main__":
    sys.exit(main())
