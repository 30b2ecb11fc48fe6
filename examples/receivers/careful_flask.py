"""A receiver of Standard Webhooks: it verifies, stores, responds, and only then works.

PORT=8000 WEBHOOK_SECRET=whsec_… PRACTICE_API=http://localhost:3000/s/mine python3 careful_flask.py
"""

import base64
import hashlib
import hmac
import json
import os
import threading
import time
from urllib.request import Request, urlopen

from flask import Flask, abort, request
from werkzeug.serving import make_server

KEY = base64.b64decode(os.environ['WEBHOOK_SECRET'].removeprefix('whsec_'))
API = os.environ.get('PRACTICE_API', '')
TOLERANCE = 300

app = Flask(__name__)
app.config['MAX_CONTENT_LENGTH'] = 1024 * 1024
lock = threading.Lock()
seen = set()  # a table with a unique key, in production
versions = {}


def verified(body):
    """Whether the bytes as they arrived have a right and recent signature."""
    message, sent_at = request.headers.get('webhook-id', ''), request.headers.get('webhook-timestamp', '')
    if not sent_at.isdigit() or abs(time.time() - int(sent_at)) > TOLERANCE:
        return False
    signed = f'{message}.{sent_at}.'.encode() + body
    expected = 'v1,' + base64.b64encode(hmac.new(KEY, signed, hashlib.sha256).digest()).decode()
    signatures = request.headers.get('webhook-signature', '').split()
    return any(hmac.compare_digest(each.encode(), expected.encode()) for each in signatures)


def work(message, event):
    if event.get('type') != 'order.paid':
        return  # ignored: more types may come
    order, version = event['data']['id'], event['data']['version']
    with lock:
        if versions.get(order, 0) > version:
            return  # older than what is known
        versions[order] = version
    body = json.dumps({'event': message, 'order': order, 'version': version}).encode()
    urlopen(Request(f'{API}/my/received', body, {'Content-Type': 'application/json'}))


@app.post('/hook')
def hook():
    body = request.get_data()
    if not verified(body):
        abort(400, 'The signature is wrong, or too old.')
    if request.headers.get('Content-Encoding'):
        abort(415, 'Bodies must not be compressed.')
    try:
        event = json.loads(body)
    except ValueError:
        abort(400, 'The body is not JSON in UTF-8.')
    message = request.headers['webhook-id']
    with lock:
        is_new = message not in seen
        seen.add(message)
    if is_new:
        threading.Thread(target=work, args=(message, event)).start()
    return '', 204


server = make_server('127.0.0.1', int(os.environ.get('PORT', '8000')), app, threaded=True)
print(f'Listening on {server.server_port}', flush=True)
server.serve_forever()
