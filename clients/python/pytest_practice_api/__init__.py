"""Starts Practice API for a test session, with a sandbox for each test."""

import pytest

from .sandbox import Sandbox
from .service import Service

__all__ = ['Sandbox', 'Service']


@pytest.fixture(scope='session')
def practice_api():
    """The service of the session, on a free port."""
    service = Service()
    yield service
    service.stop()


@pytest.fixture
def practice_sandbox(practice_api):
    """A sandbox for this test, with its own data, clock and faults."""
    sandbox = practice_api.sandbox()
    yield sandbox
    sandbox.delete()
