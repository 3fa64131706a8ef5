"""The product as `make dev` starts it, built and started again after each change of the functions; the portal's pages change by themselves.

While there is nothing new that compiles, the product of before goes on.
"""

import pathlib
import signal
import subprocess
import sys
import time

import watchfiles

from stack import BINARIES, ROOT

# What the compiler reads; tests change nothing that runs.
SUFFIXES = {".rs", ".toml", ".lock", ".json", ".html", ".txt"}
FOLDERS = [ROOT / "functions", ROOT / "Cargo.toml", ROOT / "Cargo.lock"]


class Sources(watchfiles.DefaultFilter):
    def __call__(self, change: watchfiles.Change, path: str) -> bool:
        file = pathlib.Path(path)
        return super().__call__(change, path) and file.suffix in SUFFIXES and "tests" not in file.parts


def build() -> bool:
    return subprocess.run(["cargo", "build", "--package", "local"], cwd=ROOT, check=False).returncode == 0


def start() -> subprocess.Popen:
    # Ctrl-C is for this script, which then ends the product.
    return subprocess.Popen([BINARIES / "local", "dev"], process_group=0)


def stop(product: subprocess.Popen) -> None:
    product.send_signal(signal.SIGTERM)
    product.wait()


def main() -> int:
    # The product ends with the script.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    if not build():
        return 1
    product = start()
    try:
        for _ in watchfiles.watch(*FOLDERS, watch_filter=Sources(), raise_interrupt=False):
            changed = time.monotonic()
            if build():
                print(f"Built in {time.monotonic() - changed:.1f} s, starting …", flush=True)
                stop(product)
                product = start()
    except KeyboardInterrupt:
        return 130
    finally:
        stop(product)
    return 0


if __name__ == "__main__":
    sys.exit(main())
