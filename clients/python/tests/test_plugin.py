import json
import os
import time
import urllib.error
import urllib.request

import pytest

from pytest_practice_api import Service


def get(url, method='GET', **headers):
    request = urllib.request.Request(url, headers=headers, method=method)
    with urllib.request.urlopen(request, timeout=10) as response:
        text = response.read()
    return json.loads(text) if text else None


def get_patiently(url):
    """The client under test: makes two attempts, and waits as long as Retry-After says."""
    try:
        return get(url)
    except urllib.error.HTTPError as error:
        time.sleep(int(error.headers['Retry-After']))
        return get(url)


@pytest.mark.parametrize('_', ['one', 'another'])
def test_each_test_has_a_sandbox(practice_sandbox, _):
    assert get(f'{practice_sandbox.url}/api/Books/1')['title'] == 'The Hobbit'
    get(f'{practice_sandbox.url}/api/Books/1', 'DELETE')
    with pytest.raises(urllib.error.HTTPError, match='404'):
        get(f'{practice_sandbox.url}/api/Books/1')


def test_headers_name_the_sandbox(practice_api, practice_sandbox):
    get(f'{practice_sandbox.url}/api/Books/1', 'DELETE')
    with pytest.raises(urllib.error.HTTPError, match='404'):
        get(f'{practice_api.url}/api/Books/1', **practice_sandbox.headers)


def test_a_plan_and_a_verdict(practice_sandbox):
    practice_sandbox.plan({'status': 503, 'retryAfter': 1})
    assert get_patiently(f'{practice_sandbox.url}/api/Books/1')['id'] == 1
    assert practice_sandbox.verdict()['honouredRetryAfter']['honoured']


def test_a_plan_for_a_path(practice_sandbox):
    practice_sandbox.plan({'status': 503, 'retryAfter': 0}, match={'path': '/api/Books/:id'})
    get(f'{practice_sandbox.url}/api/Users')
    get_patiently(f'{practice_sandbox.url}/api/Books/1')
    get(f'{practice_sandbox.url}/api/Books/2')
    with pytest.raises(AssertionError, match='GET /api/Books/1, GET /api/Books/2'):
        practice_sandbox.verdict()
    assert practice_sandbox.verdict('/api/Books/1')['retried']
    assert not practice_sandbox.verdict('/api/Books/2')['retried']
    with pytest.raises(AssertionError, match='none'):
        practice_sandbox.verdict('/api/Users')


def test_a_wrong_plan_is_reported(practice_sandbox):
    with pytest.raises(RuntimeError, match='400 .*status'):
        practice_sandbox.plan({'status': 200})


def test_the_clock(practice_sandbox):
    assert practice_sandbox.advance(86400)['offsetSeconds'] == 86400


def test_a_service_with_flags():
    service = Service('--accounts', 'required')
    try:
        with pytest.raises(urllib.error.HTTPError, match='401'):
            get(f'{service.url}/api/Books/1')
    finally:
        service.stop()
    with pytest.raises(urllib.error.URLError):
        get(f'{service.url}/health')


def test_a_running_service(practice_api, monkeypatch):
    monkeypatch.setenv('PRACTICE_API_URL', practice_api.url + '/')
    service = Service()
    assert (service.url, service.pid) == (practice_api.url, None)
    service.stop()
    assert Service.at(practice_api.url + '/').sandbox('a-name').url == f'{practice_api.url}/s/a-name'
    assert get(f'{practice_api.url}/health')['status']


def test_a_wrong_flag_is_reported():
    with pytest.raises(RuntimeError, match='--no-such-flag'):
        Service('--no-such-flag')


def test_a_missing_program_is_reported(monkeypatch):
    monkeypatch.setenv('PRACTICE_API_COMMAND', 'no-such-program --flag')
    with pytest.raises(RuntimeError, match='no program no-such-program.*PRACTICE_API_COMMAND'):
        Service()


@pytest.mark.skipif('HOLD_FILE' not in os.environ, reason='for a test that kills this process')
def test_hold(practice_api):
    with open(os.environ['HOLD_FILE'], 'w', encoding='utf-8') as file:
        file.write(str(practice_api.pid))
    time.sleep(600)
