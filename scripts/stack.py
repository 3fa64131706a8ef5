"""The product with data that is gone afterwards, for scripts: `local ephemeral` as a context manager."""

import json
import os
import pathlib
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).parent.parent
BINARIES = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "debug"


class Stack:
    """Starts on free ports. `ready` is the line that the program prints: apiUrl, dynamodbUrl, s3Url, demo, environment.

    `options` are further ones of `local ephemeral`; `local` is another build of it.
    """

    def __init__(self, *options: str, local: pathlib.Path = BINARIES / "local") -> None:
        self._command = [local, "ephemeral", "--photo-reading", "--api-port", "0", "--s3-port", "0", *options]

    def __enter__(self) -> "Stack":
        # What the emulators unpack goes away with the folder.
        self._folder = tempfile.TemporaryDirectory(prefix="zaehlwerk-")
        environment = {**os.environ, "TMPDIR": self._folder.name}
        self._process = subprocess.Popen(self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment)
        line = self._process.stdout.readline()
        if not line:
            self.__exit__()
            raise SystemExit(f"{self._command[0]} did not start; `cargo build --package local` builds it")
        self.ready = json.loads(line)
        return self

    def __exit__(self, *_) -> None:
        # It ends when its standard input closes.
        self._process.communicate()
        self._folder.cleanup()

    def tenant(self, name: str) -> pathlib.Path:
        """The folder with a demo tenant's files as they were imported, letters included."""
        return pathlib.Path(self.ready["demo"]) / name


def read_lines(path: pathlib.Path) -> list[dict]:
    """A file of JSON lines."""
    return [json.loads(line) for line in path.read_text().splitlines()]
