"""Carries out the calls that come as lines on standard input by the client that each names, all at once.

A line has client, method, URL, sandbox, idempotency key and body, with tabs between them. Prints the
status of each in turn, or 0 where the client raised an exception.
"""

import email.utils
import sys
import time
import uuid
from concurrent.futures import ThreadPoolExecutor

import urllib3


def headers_of(sandbox, key, body):
    headers = {"X-Sandbox": sandbox}
    if key:
        headers["Idempotency-Key"] = key
    if body:
        headers["Content-Type"] = "application/json"
    return headers


def with_urllib3(retries):
    def call(method, url, sandbox, key, body):
        with urllib3.PoolManager() as pool:
            headers = headers_of(sandbox, key, body)
            return pool.request(method, url, headers=headers, body=body or None, retries=retries).status

    return call


class Unavailable(Exception):
    pass


def send_once(method, url, sandbox, key, body):
    with urllib3.PoolManager() as pool:
        headers = headers_of(sandbox, key, body)
        response = pool.request(method, url, headers=headers, body=body or None, retries=False)
    if response.status == 503:
        raise Unavailable(response.headers)
    return response.status


def send_stamped(method, url, sandbox, key, body):
    """A common mistake: what is made for each attempt is another request."""
    return send_once(method, url, sandbox, key, body and '{"id":"%s"}' % uuid.uuid4())


def for_what_is_safe(repeating):
    """Functions are repeated whatever they do, so the caller chooses."""

    def call(method, url, sandbox, key, body):
        is_safe = method in ("GET", "HEAD", "PUT", "DELETE") or key
        return (repeating if is_safe else send_once)(method, url, sandbox, key, body)

    return call


def asked_seconds(refusal):
    value = refusal.args[0]["Retry-After"]
    if value.isdigit():
        return int(value)
    return max(0, email.utils.mktime_tz(email.utils.parsedate_tz(value)) - time.time())


def urllib3_clients():
    return {
        "urllib3 Retry": with_urllib3(None),
        "urllib3 Retry(status_forcelist)": with_urllib3(
            urllib3.Retry(total=3, status_forcelist=[503], backoff_factor=0.5)
        ),
        "urllib3 Retry for what has a key": lambda *call: with_urllib3(
            urllib3.Retry(
                total=3,
                status_forcelist=[503],
                backoff_factor=0.3,
                allowed_methods=["GET", "HEAD", "PUT", "DELETE"] + (["POST"] if call[3] else []),
            )
        )(*call),
        "urllib3 Retry(allowed_methods)": with_urllib3(
            urllib3.Retry(total=3, allowed_methods=["POST"])
        ),
        "urllib3 Retry(respect_retry_after_header=False)": with_urllib3(
            urllib3.Retry(
                total=3, status_forcelist=[503], backoff_factor=0.5, respect_retry_after_header=False
            )
        ),
    }


def tenacity_clients():
    import tenacity

    def with_tenacity(wait, send=send_once, attempts=7):
        return tenacity.retry(
            retry=tenacity.retry_if_exception_type(Unavailable),
            wait=wait,
            stop=tenacity.stop_after_attempt(attempts),
        )(send)

    exponential = tenacity.wait_exponential(multiplier=0.25, exp_base=4)
    return {
        "tenacity wait_none": with_tenacity(tenacity.wait_none(), attempts=4),
        "tenacity wait_fixed": with_tenacity(tenacity.wait_fixed(0.1)),
        "tenacity wait_exponential": with_tenacity(exponential),
        "tenacity wait_exponential(max=2)": with_tenacity(
            tenacity.wait_exponential(multiplier=0.3, max=2), attempts=4
        ),
        "tenacity wait_random_exponential": with_tenacity(
            tenacity.wait_random_exponential(multiplier=0.5)
        ),
        "tenacity around what makes the body": with_tenacity(exponential, send_stamped),
        "tenacity for what is safe": for_what_is_safe(
            with_tenacity(tenacity.wait_random_exponential(multiplier=0.3), attempts=5)
        ),
    }


def backoff_clients():
    import backoff

    def with_backoff(wait, **options):
        return backoff.on_exception(wait, Unavailable, **{"max_tries": 7, **options})(send_once)

    return {
        "backoff constant": with_backoff(backoff.constant, interval=0.01, jitter=None, max_tries=4),
        "backoff expo(jitter=None)": with_backoff(backoff.expo, base=4, factor=0.25, jitter=None),
        "backoff expo": with_backoff(backoff.expo, factor=0.5),
        "backoff runtime(jitter=None)": with_backoff(
            backoff.runtime, value=asked_seconds, jitter=None
        ),
        "backoff runtime": with_backoff(backoff.runtime, value=asked_seconds),
    }


libraries = {"urllib3": urllib3_clients, "tenacity": tenacity_clients, "backoff": backoff_clients}
clients = libraries[sys.argv[1]]()


def carry_out(line):
    name, *call = line.rstrip("\n").split("\t")
    client = clients[name]
    try:
        return client(*call)
    except Exception:
        return 0


lines = sys.stdin.readlines()
with ThreadPoolExecutor(len(lines)) as threads:
    for status in threads.map(carry_out, lines):
        print(status)
