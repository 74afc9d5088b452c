"""What is taken of the IBM SDK that is not public: in one file, and as it was in the version named here."""

import ast
from importlib.metadata import version
from pathlib import Path

import gatesolve
from gatesolve.devices.ibm import http

LOOKED_AT = "0.51.0"
"""The SDK's version for which ``ibm/http.py`` was written; it has no public setting for what is done there."""
ROOM = Path(gatesolve.__file__).parent / "devices" / "ibm"


def private_names(text: str) -> list[str]:
    """Attributes of others that begin with an underscore, also those asked for by ``getattr``."""
    found = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Attribute) and not (isinstance(node.value, ast.Name) and node.value.id == "self"):
            found.append(node.attr)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "getattr":
            found += [one.value for one in node.args[1:2] if isinstance(one, ast.Constant)]
    return [name for name in found if name.startswith("_") and not name.startswith("__")]


def test_private_attributes_are_seen():
    assert private_names('service._clients; getattr(client, "_session"); self._own; error.__cause__') == [
        "_clients",
        "_session",
    ]


def test_one_file_alone_reaches_into_the_sdk():
    reaching = {path.name: private_names(path.read_text()) for path in sorted(ROOM.glob("*.py"))}
    assert {name: found for name, found in reaching.items() if found} == {"http.py": ["_api_clients", "_session"]}


def test_the_sdk_keeps_its_sessions_where_they_are_looked_for(world):
    _, service, manila, _ = world
    said = f"ibm/http.py was written for qiskit-ibm-runtime {LOOKED_AT}, here is {version('qiskit-ibm-runtime')}"
    sessions = http._sessions(service)
    assert len(sessions) == len(service.instances()), said
    for session, address in sessions:
        adapter = session.get_adapter(f"{address}/backends")
        assert type(adapter).__name__ == "Bounded", said
        assert adapter.max_retries.total == 3
        with http.post_once(manila.service) as begun:
            assert begun == [], said
            assert session.get_adapter(f"{address}/jobs").max_retries.read == 0
        assert session.get_adapter(f"{address}/jobs") is adapter


def test_an_sdk_that_keeps_them_elsewhere_is_left_as_it_is():
    http.end_waits(object())
    with http.post_once(object()) as begun:
        assert begun == [True]
