"""The process of the service."""

import json
import os
import re
import shutil
import subprocess
import tempfile
import time
import uuid

from .sandbox import Sandbox

START_SECONDS = 60
STOP_SECONDS = 10


class Service:
    """Starts the service on a free port. Without flags, uses the service at PRACTICE_API_URL, if that is set.

    The program is `practice-api` from PATH, or the command in PRACTICE_API_COMMAND. It ends with this process, even if
    this process is killed: the system then closes its standard input.
    """

    def __init__(self, *flags):
        self._process = None
        self.url = '' if flags else os.environ.get('PRACTICE_API_URL', '').rstrip('/')
        self.tls_url = None
        self.pid = None
        if not self.url:
            self._start(flags)

    @classmethod
    def at(cls, url):
        """Returns a running service, for example in a container."""
        service = cls.__new__(cls)
        service._process = service.tls_url = service.pid = None
        service.url = url.rstrip('/')
        return service

    def _start(self, flags):
        with tempfile.TemporaryDirectory(prefix='practice-api-') as folder:
            ready_file = os.path.join(folder, 'ready.json')
            error_file = os.path.join(folder, 'errors.txt')
            own_flags = ['--port', '0', '--ready-file', ready_file, '--exit-with-stdin']
            with open(error_file, 'wb') as errors:
                self._process = subprocess.Popen(
                    [*_command(), *own_flags, *flags],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.DEVNULL,
                    stderr=errors,
                )
            try:
                ready = self._wait_until_ready(ready_file, error_file)
            except BaseException:
                self.stop()
                raise
        self.url, self.tls_url, self.pid = ready['url'], ready['tlsUrl'], ready['pid']

    def _wait_until_ready(self, ready_file, error_file):
        deadline = time.monotonic() + START_SECONDS
        while not os.path.exists(ready_file):
            has_ended = self._process.poll() is not None
            if has_ended or time.monotonic() > deadline:
                with open(error_file, encoding='utf-8', errors='replace') as errors:
                    reason = 'ended' if has_ended else f'was not ready after {START_SECONDS} s'
                    raise RuntimeError(f'Practice API {reason}: {errors.read().strip()}')
            time.sleep(0.02)
        with open(ready_file, encoding='utf-8') as ready:
            return json.load(ready)

    def sandbox(self, name=None):
        """Returns a sandbox, by default with a new name."""
        return Sandbox(self.url, name or f'test-{uuid.uuid4().hex}')

    def stop(self):
        """Stops the process. A service that it did not start keeps running."""
        if self._process is None:
            return
        self._process.stdin.close()
        try:
            self._process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def _command():
    """Splits PRACTICE_API_COMMAND at spaces outside of quotes."""
    command = os.environ.get('PRACTICE_API_COMMAND', '').strip() or 'practice-api'
    parts = re.findall(r'"([^"]*)"|\'([^\']*)\'|(\S+)', command)
    program, *arguments = [''.join(part) for part in parts]
    found = shutil.which(program)
    if found is None:
        raise RuntimeError(
            f'There is no program {program}. Put practice-api on PATH, or set PRACTICE_API_COMMAND, '
            'for example to "node practice-api.mjs".'
        )
    return [found, *arguments]
