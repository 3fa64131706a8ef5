"""Accounts with many jobs, brought into a running stack by the operator's own commands."""

import json
import os
import pathlib
import subprocess
import tempfile
import urllib.request

from stack import BINARIES, Stack, read_lines

TENANT = "birkenfurt"


def accounts(stack: Stack, jobs: dict[str, int]) -> None:
    """An account by each of these names, which is its user name too, with so many jobs; its password is its name with `-secret`."""
    model = next(job for job in read_lines(stack.tenant(TENANT) / "jobs.jsonl") if job["accountId"] == "k-10417")
    people = [{"id": name, "name": name, "username": name, "password": f"{name}-secret", "language": "de-FORMAL"} for name in jobs]
    owners = [(name, f"{name}-{n}") for name, count in jobs.items() for n in range(count)]
    tasks = [
        {"accountId": name, "id": job, "meter": model["meter"] | {"meterNumber": f"1EBZ{serial:010}"}} for serial, (name, job) in enumerate(owners)
    ]
    with tempfile.TemporaryDirectory(prefix="zaehlwerk-") as folder:
        lines = {"accounts": people, "jobs": [model | task for task in tasks]}
        for kind, values in lines.items():
            file = pathlib.Path(folder) / f"{kind}.jsonl"
            file.write_text("".join(f"{json.dumps(value)}\n" for value in values))
            letters = ["--letters", f"{folder}/letters.jsonl"] if kind == "accounts" else []
            operator(stack, kind, "import", str(file), *letters)


STREETS = ("Ahorn", "Birken", "Dorf", "Eichen", "Feld", "Garten", "Hafen", "Kirch", "Linden", "Mühlen", "Nord", "Rosen", "Schiller", "Tannen", "Wiesen", "Ziegel")
KINDS = ("straße", "weg", "allee", "platz", "gasse", "ring")
NAMES = ("Albrecht", "Böhm", "Çelik", "Dietrich", "Engel", "Fuchs", "Günther", "Hoffmann", "Jansen", "Krüger", "Lorenz", "Maier", "Nowak", "Otto", "Peters", "Richter")


def town(stack: Stack, size: int) -> list[dict]:
    """So many customers with a meter each, all at addresses of their own; gives what staff hear of each on the telephone."""
    model = next(job for job in read_lines(stack.tenant(TENANT) / "jobs.jsonl") if job["accountId"] == "k-10417")
    people, jobs, heard = [], [], []
    for serial in range(size):
        street = STREETS[serial % len(STREETS)] + KINDS[serial // len(STREETS) % len(KINDS)]
        name, house = NAMES[serial * 7 % len(NAMES)], str(serial // (len(STREETS) * len(KINDS)) + 1)
        account, number = f"town-{serial}", f"1EBZ{7_000_000_000 + serial:010}"
        people.append({"id": account, "name": f"{name} {serial}", "language": "de-FORMAL"})
        address = model["meter"]["meterAddress"] | {"street": street, "houseNumber": house}
        jobs.append(model | {"accountId": account, "id": account, "meter": model["meter"] | {"meterNumber": number, "meterAddress": address}})
        heard.append({"name": name, "street": street, "house": house, "number": number})
    with tempfile.TemporaryDirectory(prefix="zaehlwerk-") as folder:
        for kind, values in {"accounts": people, "jobs": jobs}.items():
            file = pathlib.Path(folder) / f"{kind}.jsonl"
            file.write_text("".join(f"{json.dumps(value)}\n" for value in values))
            operator(stack, kind, "import", str(file))
    return heard


def operator(stack: Stack, *arguments: str) -> str:
    """What a command of `zaehlwerk` prints."""
    command = [BINARIES / "zaehlwerk", *arguments, "--tenant", TENANT]
    environment = os.environ | stack.ready["environment"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{arguments}: {done.stdout}{done.stderr}")
    return done.stdout


def login(stack: Stack, username: str, password: str, tenant: str = TENANT, headers: dict[str, str] | None = None) -> str:
    """An access token."""
    body = {"applicationId": tenant, "username": username, "password": password}
    headers = {"Content-Type": "application/json", **(headers or {})}
    request = urllib.request.Request(f"{stack.ready['apiUrl']}/auth/token", json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)["token"]
