"""Carries out the calls that come as JSON on standard input by suds, and prints what became of each."""

import json
import sys

import suds
import suds.client
import suds.sudsobject

job = json.load(sys.stdin)
client = suds.client.Client(job["wsdl"], cache=None)
port = client.service[job["port"]]


def plain(value):
    if isinstance(value, suds.sudsobject.Object):
        return {name: plain(each) for name, each in suds.sudsobject.asdict(value).items()}
    if isinstance(value, list):
        return [plain(each) for each in value]
    return value if isinstance(value, int) else str(value)


def call(operation, parameters):
    try:
        return {"value": plain(getattr(port, operation)(**parameters))}
    except suds.WebFault as error:
        (detail,) = plain(error.fault.detail).values()
        return {
            "fault": {
                "code": error.fault.faultcode.split(":")[-1],
                "subcode": None,
                "reason": str(error.fault.faultstring),
                "detail": detail,
            }
        }


outcomes = [call(*each) for each in job["calls"]]
# The request declares two prefixes for envelopes; the response has the version that was used.
namespace = client.last_received().getChild("Envelope").namespace()[1]
json.dump({"outcomes": outcomes, "namespace": namespace}, sys.stdout)
