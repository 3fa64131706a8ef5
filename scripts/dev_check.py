"""`make dev` itself: starts, serves, keeps its data, is ready again within seconds, stays small, and leaves nothing behind."""

import json
import os
import pathlib
import random
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

from stack import BINARIES

# Seconds of a processor: how long it takes besides depends on what else the machine is doing. It needs one.
READY_AGAIN_WITHIN = 5
# Two development servers, which prepare their packages at the first start, take half of it.
MEMORY_LIMIT = 3 << 29
# Only what hangs takes longer (seconds), however busy the machine is.
READY_WITHIN = 900
ENDS_WITHIN = 300
PORTS = ("--web-port", "--desk-port", "--api-port", "--s3-port", "--dynamodb-port", "--mail-port")


class Dev:
    """A run of `local dev`; `text` is what it printed until it was ready."""

    def __init__(self, data: pathlib.Path, ports: dict[str, int]):
        arguments = [str(word) for name, port in ports.items() for word in (name, port)]
        started = time.monotonic()
        self.process = subprocess.Popen([BINARIES / "local", "dev", "--data", data, *arguments], stdout=subprocess.PIPE, text=True)
        # Should it never be ready, its end is the end of its output.
        timer = threading.Timer(READY_WITHIN, self.process.kill)
        timer.start()
        lines = []
        for line in self.process.stdout:
            lines.append(line)
            if "Ctrl-C" in line:
                break
        timer.cancel()
        self.text, self.seconds = "".join(lines), time.monotonic() - started

    def memory(self) -> int:
        """Bytes in the memory of it and all its children."""
        return 1024 * sum(int(rss) for rss, _ in self._family())

    def processor_seconds(self) -> float:
        """How long it and all its children have computed so far."""
        # After the name: the state is field 3 of proc(5), user and system time are fields 14 and 15.
        times = [pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13] for _, pid in self._family()]
        return sum(int(ticks) for user_and_system in times for ticks in user_and_system) / os.sysconf("SC_CLK_TCK")

    def _family(self) -> list[tuple[str, str]]:
        """Memory (KiB) and id of it and all its children."""
        processes = [line.split() for line in subprocess.check_output(["ps", "-eo", "pid,ppid,rss"], text=True).splitlines()[1:]]
        family = {str(self.process.pid)}
        while True:
            more = {pid for pid, parent, _ in processes if parent in family} - family
            if not more:
                return [(rss, pid) for pid, _, rss in processes if pid in family]
            family |= more

    def stop(self, how: signal.Signals) -> int:
        self.process.send_signal(how)
        return self.process.wait(timeout=ENDS_WITHIN)


def free_ports() -> dict[str, int]:
    """Ports that the system gives to no program that asks for any, so that they are still free when they are bound, and bound again."""
    ports: list[int] = []
    while len(ports) < len(PORTS):
        port = random.randrange(20_000, 30_000)
        if port not in ports and not in_use({"": port}):
            ports.append(port)
    return dict(zip(PORTS, ports, strict=True))


def in_use(ports: dict[str, int]) -> list[int]:
    def answers(port: int) -> bool:
        with socket.socket() as client:
            return client.connect_ex(("127.0.0.1", port)) == 0

    return [port for port in ports.values() if answers(port)]


def fetch(url: str, body: dict | None = None) -> bytes:
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(url, data=data, headers={"Content-Type": "application/json"})) as answer:
        return answer.read()


def main() -> int:
    failed = 0

    def check(what: str, fine: bool) -> None:
        nonlocal failed
        failed += not fine
        print(f"{'ok    ' if fine else 'FAILED'}  {what}")

    ports = free_ports()
    portal = f"http://localhost:{ports['--web-port']}"
    with tempfile.TemporaryDirectory(prefix="zaehlwerk-") as folder:
        data = pathlib.Path(folder) / "data"
        dev = Dev(data, ports)
        letter = re.search(r"anna\.sommer +(\S+) +(\S+)", dev.text)
        check(f"first start with the demo's import: {dev.seconds:.1f} s, and it prints a letter", bool(letter))
        if not letter:
            print(dev.text)
            return 1
        check("the page of the sent mails is there", b"No mail was sent yet" in fetch(f"http://localhost:{ports['--mail-port']}"))
        check("the portal's page is there", b'<div id="root"' in fetch(portal))
        login = {"applicationId": "birkenfurt", "username": "anna.sommer", "password": letter[1]}
        session = json.loads(fetch(f"{portal}/auth/token", login))
        check("the letter logs in through the portal's address", "token" in session)
        twice = subprocess.run([BINARIES / "local", "dev", "--data", data, "--web-port", str(ports["--web-port"])], capture_output=True, text=True)
        check("a second start names the port that is taken", twice.returncode == 1 and str(ports["--web-port"]) in twice.stderr)
        check(f"memory in use: {dev.memory() >> 20} MiB", dev.memory() < MEMORY_LIMIT)
        check("SIGTERM ends it well", dev.stop(signal.SIGTERM) == 0)
        check("nothing is left", in_use(ports) == [])

        dev = Dev(data, ports)
        computed = dev.processor_seconds()
        check(f"second start: {dev.seconds:.1f} s, {computed:.1f} s of a processor", computed < READY_AGAIN_WITHIN)
        renewed = fetch(f"{portal}/auth/token", {"applicationId": "birkenfurt", "refreshToken": session["refreshToken"]})
        check("a session outlives the restart", "token" in json.loads(renewed))
        dev.stop(signal.SIGKILL)
        end = time.monotonic() + ENDS_WITHIN
        while in_use(ports) and time.monotonic() < end:
            time.sleep(0.1)
        check("nothing is left when it is killed", in_use(ports) == [])
    print(f"make dev: {'all is well' if failed == 0 else f'{failed} failed'}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
