"""Signs requests by botocore in several ways, sends them, and prints the status of each response."""

import json
import sys
import urllib.error
import urllib.request

from botocore.auth import S3SigV4Auth, S3SigV4QueryAuth, SigV4Auth, SigV4QueryAuth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

url, key_id, secret = sys.argv[1:]


def send(kind, service, token, method, path, data=None, headers=None):
    request = AWSRequest(method=method, url=url + path, data=data, headers=headers or {})
    kind(Credentials(key_id, secret, token), service, "eu-west-1").add_auth(request)
    sent = request.prepare()
    plain = urllib.request.Request(
        sent.url, data=sent.body, method=method, headers=dict(sent.headers)
    )
    try:
        with urllib.request.urlopen(plain) as response:
            return response.status
    except urllib.error.HTTPError as error:
        return error.read().decode()


outcomes = {}
for token in (None, "to/ken=="):
    for name, kind, service, *rest in [
        ("plain", SigV4Auth, "execute-api", "GET", ""),
        ("query", SigV4Auth, "execute-api", "GET", "/x?b=2&a=1&c=x%20y&d=%2F"),
        ("path", SigV4Auth, "execute-api", "GET", "/x%20y/%C3%A9//z"),
        ("body", SigV4Auth, "lambda", "POST", "/x", b'{"a":1}', {"Content-Type": "application/json"}),
        ("S3", S3SigV4Auth, "s3", "PUT", "/bucket/a%20b/%28c%29", b"abc"),
        ("URL", SigV4QueryAuth, "execute-api", "GET", "/x?b=2&a=1"),
        ("URL of S3", S3SigV4QueryAuth, "s3", "GET", "/bucket/a%20b?response-content-type=text%2Fplain"),
    ]:
        outcomes[f"{name} {token}"] = send(kind, service, token, *rest)
json.dump(outcomes, sys.stdout)
