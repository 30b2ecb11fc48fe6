"""A receiver as many tutorials write it. practice-api listen --verify finds what is wrong."""

import hashlib
import hmac
import json
import os
import time
from base64 import b64decode, b64encode
from urllib.request import Request, urlopen

from flask import Flask, request
from werkzeug.serving import make_server

KEY = b64decode(os.environ['WEBHOOK_SECRET'].removeprefix('whsec_'))
API = os.environ.get('PRACTICE_API', '')

app = Flask(__name__)


@app.post('/hook')
def hook():
    event = request.get_json()
    # The body is written again, the time is not checked, and one signature is expected.
    again = json.dumps(event, separators=(',', ':'), ensure_ascii=False)
    signed = f"{request.headers['webhook-id']}.{request.headers['webhook-timestamp']}.{again}"
    expected = b64encode(hmac.new(KEY, signed.encode(), hashlib.sha256).digest()).decode()
    if request.headers['webhook-signature'] != f'v1,{expected}':
        return 'The signature is wrong.', 400
    data = event['data']
    if event['type'] != 'order.paid':
        raise ValueError('unknown type')
    time.sleep(data.get('workMs', 0) / 1000)  # works while the sender waits
    record = {'event': request.headers['webhook-id'], 'order': data['id'], 'version': data['version']}
    urlopen(Request(f'{API}/my/received', json.dumps(record).encode(), {'Content-Type': 'application/json'}))
    return {'received': True}


server = make_server('127.0.0.1', int(os.environ.get('PORT', '8000')), app, threaded=True)
print(f'Listening on {server.server_port}', flush=True)
server.serve_forever()
