"""A sandbox for one test."""

import json
import urllib.error
import urllib.request

REQUEST_SECONDS = 30


class Sandbox:
    """A private copy of the data, with its own clock and fault plans.

    `url` is its base URL. `headers` name it in requests to the URL of the service.
    """

    def __init__(self, service_url, name):
        self.name = name
        self.url = f'{service_url}/s/{name}'
        self.headers = {'X-Sandbox': name}

    def plan(self, *faults, **rule):
        """Sets one fault for each request in turn; later requests pass.

        Arguments by name are members of the rule: `plan({'status': 503}, match={'path': '/api/Books/:id'})`.
        """
        return self.plan_rules({**rule, 'sequence': list(faults)})

    def plan_rules(self, *rules, **plan):
        """Sets a plan of several rules."""
        return self._call('PUT', '/api/sandbox/faults', {**plan, 'rules': list(rules)})

    def log(self):
        """Returns the requests since the plan was set: `attempts`, and `series` with their verdicts."""
        return self._call('GET', '/api/sandbox/faults/log')

    def verdict(self, path=None):
        """Returns how well the client retried. Pass a path if the log has requests to several."""
        series = [each for each in self.log()['series'] if path in (None, each['path'])]
        if len(series) != 1:
            seen = ', '.join(f'{each["method"]} {each["path"]}' for each in series) or 'none'
            raise AssertionError(f'A verdict is about one series of requests; got: {seen}.')
        return series[0]['verdict']

    def advance(self, seconds):
        """Sets the clock of the sandbox to this many seconds after the real time."""
        return self._call('PUT', '/api/sandbox/clock', {'offsetSeconds': seconds})

    def delete(self):
        """Deletes everything in the sandbox."""
        self._call('DELETE', '/api/sandbox')

    def _call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        headers = {} if body is None else {'Content-Type': 'application/json'}
        request = urllib.request.Request(self.url + path, data, headers, method=method)
        try:
            # Ignores the proxies of environment variables.
            with _direct.open(request, timeout=REQUEST_SECONDS) as response:
                text = response.read()
        except urllib.error.HTTPError as error:
            reason = error.read().decode(errors='replace')
            raise RuntimeError(f'{method} {path}: {error.code} {reason}') from None
        return json.loads(text) if text else None


_direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
