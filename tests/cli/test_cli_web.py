"""What `gatesolve web` says where it cannot open a page."""

import socket
import sys


def test_a_missing_package_is_named_with_the_mend(gatesolve, monkeypatch):
    monkeypatch.setitem(sys.modules, "fastapi", None)
    for name in [one for one in sys.modules if one.startswith("gatesolve.web.server")]:
        monkeypatch.delitem(sys.modules, name)
    line = gatesolve("web", "--no-browser").refusal()
    assert line == 'gatesolve web needs fastapi: run pip install ".[web]" in gatesolve\'s checkout'


def test_a_port_that_is_taken_is_named(gatesolve):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        line = gatesolve("web", "--no-browser", "--port", str(port)).refusal()
    assert line.startswith(f"port {port} cannot be used")
