"""What Python's clients do with httpbin's paths; prints a line for each thing that is as it should be."""

import random
import sys

import requests
from requests.auth import HTTPDigestAuth

base = sys.argv[1]
session = requests.Session()

for algorithm in ('MD5', 'SHA-256', 'SHA-512'):
    for path in (f'auth/ada/secret/{algorithm}', f'auth/ada/secret/{algorithm}/1?a=b%20c'):
        auth = HTTPDigestAuth('ada', 'secret')
        for _ in range(3):
            response = session.get(f'{base}/digest-auth/{path}', auth=auth)
            assert response.json() == {'authenticated': True, 'user': 'ada'}, response.text
    wrong = session.get(f'{base}/digest-auth/{path}', auth=HTTPDigestAuth('ada', 'wrong'))
    assert wrong.status_code == 401
print('digest')

assert requests.get(f'{base}/basic-auth/žofie/x%2Fy', auth=('žofie'.encode(), 'x/y')).json()['user'] == 'žofie'
assert requests.get(f'{base}/hidden-basic-auth/u/p', auth=('u', 'p')).ok
print('basic')

assert session.get(f'{base}/redirect/20').url == f'{base}/get'
assert len(session.get(f'{base}/absolute-redirect/5').history) == 5
moved = session.post(f'{base}/redirect-to', params={'url': f'{base}/post', 'status_code': 307}, data=b'x')
assert moved.json()['data'] == 'x'
try:
    session.get(f'{base}/relative-redirect/50')
    raise AssertionError('there is an end')
except requests.TooManyRedirects:
    print('redirects')

session = requests.Session()
assert session.get(f'{base}/cookies/set?a=b&quoted=x y;ž').json()['cookies'] == {'a': 'b', 'quoted': 'x y;ž'}
assert session.get(f'{base}/cookies/set/c/d').json()['cookies']['c'] == 'd'
assert 'a' not in session.get(f'{base}/cookies/delete?a').json()['cookies']
print('cookies')

for seed in (0, 1, -7, 2**70):
    random.seed(seed)
    expected = bytes(random.randint(0, 255) for _ in range(2000))
    for path in ('bytes', 'stream-bytes'):
        assert requests.get(f'{base}/{path}/2000', params={'seed': seed, 'chunk_size': 7}).content == expected
print('bytes')

for path, mark in (('gzip', 'gzipped'), ('deflate', 'deflated')):
    assert requests.get(f'{base}/{path}').json()[mark] is True
assert [line for line in requests.get(f'{base}/stream/3', stream=True).iter_lines()][2].endswith(b'"id": 2}')
sent = requests.post(f'{base}/post', files={'f': ('a.txt', b'Hello')}, data={'a': ['1', '2']}).json()
assert sent['files'] == {'f': 'Hello'} and sent['form'] == {'a': ['1', '2']}
assert requests.post(f'{base}/post', data=iter([b'a', b'b'])).json()['data'] == 'ab'
assert requests.get(f'{base}/range/26', headers={'Range': 'bytes=-5'}).text == 'vwxyz'
print('bodies')
