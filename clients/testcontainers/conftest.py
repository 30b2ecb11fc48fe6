"""Starts Practice API in a container for a pytest session; `practice_sandbox` is a sandbox in it."""

import pytest
from pytest_practice_api import Service
from testcontainers.core.container import DockerContainer
from testcontainers.core.wait_strategies import HttpWaitStrategy

PORT = 3000


@pytest.fixture(scope='session')
def practice_api():
    container = DockerContainer('practice-api').with_exposed_ports(PORT)
    with container.waiting_for(HttpWaitStrategy(PORT, '/health/ready')) as started:
        host, port = started.get_container_host_ip(), started.get_exposed_port(PORT)
        yield Service.at(f'http://{host}:{port}')
