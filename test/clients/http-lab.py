"""What Python's clients make of redirects and cookies; prints JSON for the test that starts it."""

import json
import sys

import requests

base = sys.argv[1]


def redirects(session):
    found = {}
    for status in (301, 302, 303, 307, 308):
        for method in ("POST", "PUT", "HEAD"):
            response = session.request(
                method,
                f"{base}/api/http/redirect/2",
                params={"status": status, "form": "relative"},
                data=None if method == "HEAD" else "hello",
            )
            end = response.json() if response.content else {"method": response.request.method}
            found[f"{status} {method}"] = [end["method"], end.get("body"), len(response.history)]
    return found


def loop(session):
    try:
        session.get(f"{base}/api/http/redirect/loop")
    except requests.TooManyRedirects:
        return "TooManyRedirects"


def jar(get, post):
    started = post(f"{base}/api/http/cookies/jar")
    for step in started["steps"]:
        get(step)
    verdict = get(started["verdict"])
    return {each["name"]: each["isRight"] for each in verdict["cookies"]}


session = requests.Session()
print(
    json.dumps(
        {
            "redirects": redirects(session),
            "loop": loop(session),
            "missing": session.get(f"{base}/api/http/redirect/missing-location").status_code,
            "jar": jar(
                lambda url: session.get(url).json(), lambda url: session.post(url).json()
            ),
        }
    )
)
