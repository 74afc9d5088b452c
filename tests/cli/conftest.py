"""The ``gatesolve`` fixture."""

import pytest
from cli_runs import Terminal


@pytest.fixture
def gatesolve(monkeypatch, capsys):
    """Call it with the words of a command line."""
    return Terminal(monkeypatch, capsys)
