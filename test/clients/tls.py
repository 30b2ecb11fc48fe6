"""What requests says of each server: a line for each, of its name and what it was refused by."""

import json
import socket
import sys

import requests
import urllib3

folder, sites = sys.argv[1], json.loads(sys.argv[2])
look_up = socket.getaddrinfo
socket.getaddrinfo = lambda host, *rest, **more: look_up(
    "127.0.0.1" if host.endswith(".localhost") else host, *rest, **more
)
urllib3.disable_warnings()
session = requests.Session()
session.trust_env = False
session.verify = f"{folder}/ca.pem"
for site in sites:
    try:
        session.get(site["url"] + "/health", timeout=20)
        print(json.dumps([site["name"], None]))
    except requests.exceptions.RequestException as error:
        reason = getattr(error.args[0], "reason", error)
        print(json.dumps([site["name"], str(reason.args[-1] if reason.args else reason)]))
