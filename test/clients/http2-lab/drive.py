"""Meets each case of the file with a new client of httpx, and prints what came of it."""

import json
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import httpx


def send(client, step):
    method = step.get("method", "GET")
    body = b"a" * step.get("bodyBytes", 1) if method == "POST" else None
    try:
        client.request(method, step["url"], content=body)
        return ""
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def send_later(client, step):
    time.sleep(0.4)
    return send(client, step)


def meet(step):
    with httpx.Client(http2=True, http1=False, verify=False, timeout=6) as client:
        with ThreadPoolExecutor(4) as pool:
            first = pool.submit(send, client, step)
            for _ in range(1, step.get("requests", 1)):
                pool.submit(send_later, client, step)
        time.sleep(0.1)
        return [step["case"], first.result()]


with open(sys.argv[1]) as file:
    steps = json.load(file)
with ThreadPoolExecutor(8) as pool:
    for line in pool.map(meet, steps):
        print(json.dumps(line), flush=True)
