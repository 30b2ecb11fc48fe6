"""Calls Add by zeep with a UsernameToken and a Timestamp, for each case on standard input, and prints the outcomes."""

import datetime
import json
import sys

import zeep
from zeep.wsse.username import UsernameToken
from zeep.wsse.utils import WSU

job = json.load(sys.stdin)


def timestamp(lifetime):
    now = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)
    end = now + datetime.timedelta(seconds=lifetime)
    return WSU.Timestamp(WSU.Created(now.isoformat()), WSU.Expires(end.isoformat()))


def call(case):
    lifetime = case.get("lifetime")
    token = UsernameToken(
        "ada",
        case["password"],
        use_digest=case["digest"],
        timestamp_token=timestamp(lifetime) if lifetime else None,
    )
    client = zeep.Client(job["wsdl"], wsse=token)
    try:
        return client.bind("SecureCalculator", case["port"]).Add(2, 3)
    except zeep.exceptions.Fault as fault:
        codes = [fault.code] + [name.localname for name in fault.subcodes or []]
        return f"{codes[-1].split(':')[-1]}: {fault.message}"


json.dump([call(case) for case in job["cases"]], sys.stdout)
