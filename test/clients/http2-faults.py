"""What httpx makes of faults of HTTP/2: a line for each request."""

import sys

import httpx

base, *sandboxes = sys.argv[1:]
for sandbox in sandboxes:
    with httpx.Client(http2=True, verify=False, timeout=20) as client:
        for method in ["POST", "GET"]:
            headers = {"X-Sandbox": sandbox}
            url = f"{base}/api/methods/{method.lower()}"
            try:
                response = client.request(method, url, headers=headers, content=b"hello")
                print(method, response.status_code, response.http_version, "hello" in response.text)
            except httpx.HTTPError as error:
                print(method, "error", type(error).__name__, error)
