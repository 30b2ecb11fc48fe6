"""How a client retries, told by the log of a fault plan; run against a service that is started already."""

import os
import unittest
import uuid

import requests
from requests.adapters import HTTPAdapter
from urllib3 import Retry

BASE = os.environ.get('PRACTICE_API', 'http://localhost:3000')


class Retries(unittest.TestCase):
    def setUp(self):
        self.api = requests.Session()
        self.addCleanup(self.api.close)
        self.api.headers['X-Sandbox'] = f'test-{uuid.uuid4()}'

    def plan(self, *sequence, **rule):
        """Plans a fault for each request in turn; later requests pass."""
        plan = {'rules': [{'sequence': sequence, **rule}]}
        self.api.put(f'{BASE}/api/sandbox/faults', json=plan).raise_for_status()

    def verdict(self):
        """Returns the verdict on the only series of attempts."""
        log = self.api.get(f'{BASE}/api/sandbox/faults/log').json()
        return log['series'][0]['verdict']

    def retry(self, **options):
        retries = Retry(total=3, status_forcelist=[503], raise_on_status=False, **options)
        self.api.mount(BASE, HTTPAdapter(max_retries=retries))

    def test_honours_retry_after(self):
        self.plan({'status': 503, 'retryAfter': 1})
        self.retry()
        self.assertEqual(self.api.get(f'{BASE}/api/Books/1').status_code, 200)
        self.assertTrue(self.verdict()['honouredRetryAfter']['honoured'])

    def test_backs_off_without_retry_after(self):
        self.plan({'status': 503}, {'status': 503})
        self.retry(backoff_factor=0.5)
        self.assertEqual(self.api.get(f'{BASE}/api/Books/1').status_code, 200)
        self.assertTrue(self.verdict()['backedOff'])

    def test_gives_up_on_a_service_that_stays_away(self):
        self.plan({'status': 503}, then='last')
        self.retry()
        self.assertEqual(self.api.get(f'{BASE}/api/Books/1').status_code, 503)
        self.assertEqual(self.verdict()['gaveUpAfter'], 4)

    def test_does_not_repeat_a_post(self):
        self.plan({'status': 503, 'after': True})
        self.retry()
        self.assertEqual(self.api.post(f'{BASE}/api/methods/post', json={}).status_code, 503)
        verdict = self.verdict()
        self.assertFalse(verdict['repeatedUnsafely'])
        self.assertEqual(verdict['gaveUpAfter'], 1)


if __name__ == '__main__':
    unittest.main()
