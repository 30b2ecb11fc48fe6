"""Carries out the calls that come as JSON on standard input by zeep, and prints what became of each."""

import json
import sys

import zeep
from zeep.helpers import serialize_object
from zeep.plugins import HistoryPlugin

job = json.load(sys.stdin)
history = HistoryPlugin()
client = zeep.Client(job["wsdl"], plugins=[history])
port = client.bind(job["service"], job["port"])


def local_names(subcodes):
    return [str(name.localname) for name in subcodes or []]


def call(operation, parameters):
    try:
        return {"value": serialize_object(getattr(port, operation)(**parameters), dict)}
    except zeep.exceptions.Fault as fault:
        # Only a detail whose type the WSDL declares can be parsed like this.
        detail = client.wsdl.types.deserialize(fault.detail[0])
        return {
            "fault": {
                "code": fault.code.split(":")[-1],
                "subcode": (local_names(fault.subcodes) or [None])[0],
                "reason": fault.message,
                "detail": serialize_object(detail, dict),
            }
        }


outcomes = [call(*each) for each in job["calls"]]
namespace = history.last_sent["envelope"].tag[1:].split("}")[0]
json.dump({"outcomes": outcomes, "namespace": namespace}, sys.stdout)
