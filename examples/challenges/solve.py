"""Solutions of challenges with Python's standard library: python3 solve.py http-head

PRACTICE_API is the URL of the sandbox in which the challenge was started.
"""

import base64
import hashlib
import hmac
import http.client
import json
import os
import re
import sys
import time
from urllib.parse import parse_qs, urlencode, urljoin, urlsplit

API = os.environ.get('PRACTICE_API', 'http://localhost:3000/s/mary')
CALLBACK = 'http://localhost:4711/callback'
VERIFIER = 'a-code-verifier-of-forty-three-characters-or-more'
BOOK = {
    'title': 'Emma',
    'author': 'Jane Austen',
    'isbn': '9780306406157',
    'publishedYear': 1815,
    'pages': 474,
}


class Response:
    def __init__(self, received):
        self.status = received.status
        self.headers = received.headers
        self.body = received.read()

    def json(self):
        return json.loads(self.body)


def call(method, target, headers=None, body=None):
    """Sends a request, and follows no redirect. `body` is bytes, or a value that is sent as JSON."""
    headers = dict(headers or {})
    if body is not None and not isinstance(body, bytes) and not hasattr(body, '__next__'):
        headers.setdefault('Content-Type', 'application/json')
        body = json.dumps(body).encode()
    url = urlsplit(target if '://' in target else API + target)
    connection = http.client.HTTPConnection(url.netloc)
    path = url.path + (f'?{url.query}' if url.query else '')
    connection.request(method, path, body, headers)
    try:
        return Response(connection.getresponse())
    finally:
        connection.close()


def post_form(target, fields, headers=None):
    form = {'Content-Type': 'application/x-www-form-urlencoded', **(headers or {})}
    return call('POST', target, form, urlencode(fields).encode())


def bearer(token):
    return {'Authorization': f'Bearer {token}'}


def soap(operation, a, b):
    body = (
        '<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body>'
        f'<{operation} xmlns="http://tempuri.org/"><intA>{a}</intA><intB>{b}</intB></{operation}>'
        '</e:Body></e:Envelope>'
    )
    headers = {
        'Content-Type': 'text/xml; charset=utf-8',
        'SOAPAction': f'"http://tempuri.org/{operation}"',
    }
    return call('POST', '/api/soap/calculator', headers, body.encode())


def log_in(scope):
    """Logs in by OpenID Connect with PKCE, and returns the tokens."""
    digest = hashlib.sha256(VERIFIER.encode()).digest()
    query = {
        'client_id': 'demo-spa',
        'redirect_uri': CALLBACK,
        'response_type': 'code',
        'scope': scope,
        'state': 'a-random-state',
        'code_challenge': base64.urlsafe_b64encode(digest).rstrip(b'=').decode(),
        'code_challenge_method': 'S256',
        'auto': 'ada',
    }
    location = call('GET', f'/oidc/authorize?{urlencode(query)}').headers['Location']
    fields = {
        'grant_type': 'authorization_code',
        'client_id': 'demo-spa',
        'redirect_uri': CALLBACK,
        'code_verifier': VERIFIER,
        'code': parse_qs(urlsplit(location).query)['code'][0],
    }
    return post_form('/oidc/token', fields).json()


def http_head():
    call('HEAD', '/api/Books/1')


def http_not_modified():
    tag = call('GET', '/api/Books/1').headers['ETag']
    call('GET', '/api/Books/1', {'If-None-Match': tag})


def http_redirects():
    url = f'{API}/api/http/redirect/3'
    while url:
        location = call('GET', url).headers['Location']
        url = location and urljoin(url, location)


def http_cookie():
    cookie = call('GET', '/api/http/cookies/set?flavour=oat').headers['Set-Cookie']
    call('GET', '/api/http/cookies', {'Cookie': cookie.split(';')[0]})


def rest_pages():
    url = f'{API}/api/Books?limit=10'
    while url:
        links = call('GET', url).headers['Link']
        following = re.search(r'<([^>]*)>; rel="next"', links)
        url = following and following[1]


def rest_if_match():
    tag = call('GET', '/api/Events/1').headers['ETag']
    call('PATCH', '/api/Events/1', {'If-Match': tag}, {'ticketsSold': 1})


def rest_idempotency():
    for _attempt in range(2):
        try:
            call('POST', '/api/Books', {'Idempotency-Key': '"order-1"'}, BOOK)
        except (http.client.HTTPException, OSError):
            pass


def rest_json_patch():
    operations = [
        {'op': 'test', 'path': '/price', 'value': 12.99},
        {'op': 'replace', 'path': '/price', 'value': 9.5},
    ]
    call('PATCH', '/api/Books/1', {'Content-Type': 'application/json-patch+json'}, operations)


def auth_jwt():
    user = {'username': 'user', 'password': 'user-secret'}
    token = call('POST', '/api/auth/jwt/login', body=user).json()['accessToken']
    call('GET', '/api/auth/jwt/me', bearer(token))


def auth_client_credentials():
    client = base64.b64encode(b'demo-client:demo-client-secret').decode()
    fields = {'grant_type': 'client_credentials', 'scope': 'read'}
    granted = post_form('/api/auth/oauth/token', fields, {'Authorization': f'Basic {client}'})
    call('GET', '/api/auth/oauth/protected', bearer(granted.json()['access_token']))


def auth_hmac():
    seconds = str(int(time.time()))
    signed = f'{seconds}.{{}}'.encode()
    signature = hmac.new(b'demo-hmac-secret', signed, hashlib.sha256).hexdigest()
    call('POST', '/api/auth/hmac', {'X-Timestamp': seconds, 'X-Signature': signature}, b'{}')


def oidc_code():
    log_in('openid')


def oidc_refresh():
    fields = {
        'grant_type': 'refresh_token',
        'client_id': 'demo-spa',
        'refresh_token': log_in('openid offline_access')['refresh_token'],
    }
    post_form('/oidc/token', fields)


def graphql_variables():
    query = 'query ($id: Int!) { book(id: $id) { title } }'
    call('POST', '/graphql', body={'query': query, 'variables': {'id': 1}})


def graphql_persisted():
    query = '{ book(id: 1) { title } }'
    digest = hashlib.sha256(query.encode()).hexdigest()
    extensions = {'persistedQuery': {'version': 1, 'sha256Hash': digest}}
    call('POST', '/graphql', body={'query': query, 'extensions': extensions})
    call('POST', '/graphql', body={'extensions': extensions})


def soap_add():
    soap('Add', 12, 4)


def soap_fault():
    soap('Divide', 12, 0)
    soap('Divide', 12, 4)


def grpc_hello():
    call('POST', '/hello.HelloService/SayHello', body={'greeting': 'Ada'})


def grpc_metadata():
    call('POST', '/practice.v1.Echo/Unary', {'X-Color': 'green'}, {})


def pay(headers=None):
    """Creates a payment of 20.00 USD."""
    form = {
        'amount': 2000,
        'currency': 'usd',
        'payment_method_types[]': 'card',
        'payment_method': 'pm_card_visa',
        'confirm': 'true',
    }
    post_form('/v1/payment_intents', form, {**bearer('sk_test_practice'), **(headers or {})})


payments_first = pay


def payments_key():
    for _ in range(2):
        pay({'Idempotency-Key': 'order-7'})


def webhooks_verify():
    sample = call('GET', '/api/webhooks/samples/github')
    headers = {
        'Content-Type': 'application/json',
        'X-Hub-Signature-256': sample.headers['X-Hub-Signature-256'],
    }
    call('POST', '/api/webhooks/verify/github', headers, sample.body)


def webhooks_retry():
    path = f"/api/webhooks/{call('POST', '/api/webhooks/bins').json()['id']}"
    for target in (f'{path}?status=503', path):
        call('POST', target, {'Webhook-Id': 'msg_1'}, {'event': 'paid'})


def streams_events():
    call('GET', '/api/sse/clock?count=3&interval=0', {'Accept': 'text/event-stream'})


def streams_chunked():
    # A body whose length is unknown is sent in chunks.
    call('POST', '/api/methods/post', body=iter([b'of unknown ', b'length']))


def resilience_retry_after():
    wait = call('GET', '/api/Books/2').headers['Retry-After']
    time.sleep(float(wait))
    call('GET', '/api/Books/2')


resilience_safe_post = rest_idempotency

if __name__ == '__main__':
    solution = globals().get(sys.argv[1].replace('-', '_'))
    if solution is None:
        sys.exit(f'There is no solution of {sys.argv[1]}.')
    solution()
