"""A session at the desk of a running stack, opened as people open one: by the identity provider's page."""

import html
import re
import urllib.parse

import requests


def desk_headers(url: str, desk: dict, tenant: str) -> dict[str, str]:
    """The headers of the desk's page in a browser in which the member of the tenant who may most has logged in."""
    member = max(desk["members"], key=lambda member: len(member["memberships"].get(tenant, [])))
    begun = requests.get(f"{url}/desk/login", allow_redirects=False)
    page = requests.get(begun.headers["location"])
    form = {name: html.unescape(value) for name, value in re.findall(r'name="([^"]+)"[^>]*value="([^"]*)"', page.text)}
    form |= {"username": member["email"], "password": member["password"]}
    sent = requests.post(urllib.parse.urljoin(begun.headers["location"], "/login"), data=form, allow_redirects=False)
    back = urllib.parse.urlsplit(sent.headers["location"])
    cookie = {"Cookie": begun.headers["set-cookie"].split(";")[0]}
    opened = requests.get(f"{url}{back.path}?{back.query}", headers=cookie, allow_redirects=False)
    session = re.search(r"__Host-desk=[^;]+", opened.headers["set-cookie"])[0]
    return {"Cookie": session, "X-Desk": "1", "Origin": desk["origin"]}
