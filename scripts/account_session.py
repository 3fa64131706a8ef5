"""A customer's session at a running stack, in a file by which one program goes on where another one was."""

import json
import pathlib

import requests


def _ask(url: str, tenant: str, credentials: dict[str, str], file: pathlib.Path) -> None:
    answer = requests.post(f"{url}/auth/token", json={"applicationId": tenant, **credentials})
    answer.raise_for_status()
    file.write_text(json.dumps({"url": url, "tenant": tenant, **answer.json()}))


def log_in(url: str, tenant: str, letter: dict[str, str], file: pathlib.Path) -> None:
    """Begins the session with what the letter says."""
    _ask(url, tenant, {name: letter[name] for name in ("username", "password")}, file)


def renew(file: pathlib.Path) -> None:
    """Gets the next access token as the portal does: no failed login of anybody else stands in its way."""
    session = json.loads(file.read_text())
    _ask(session["url"], session["tenant"], {"refreshToken": session["refreshToken"]}, file)


def account_headers(file: pathlib.Path) -> dict[str, str]:
    """The header with the session's access token."""
    return {"Authorization": f"Bearer {json.loads(file.read_text())['token']}"}
