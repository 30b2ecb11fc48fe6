"""Starts Practice API for a test session, with a sandbox for each test."""

import pytest

from .sandbox import Sandbox
from .service import Service

__all__ = ['Sandbox', 'Service']


@pytest.fixture(scope='session')
def practice_api():
    """The service: one for the session, on a free port."""
    service = Service()
    yield service
    service.stop()


@pytest.fixture
def practice_sandbox(practice_api):
    """A sandbox of this test: data, clock and faults that no other test sees."""
    sandbox = practice_api.sandbox()
    yield sandbox
    sandbox.delete()
