"""Both checkers on an exported circuit and its certificate, as they were written or changed."""

import contextlib
import hashlib
import io
import json
from pathlib import Path

from kept import exported
from scripts import load_script

import gatesolve
from gatesolve.errors import InputError
from gatesolve.model import Linear, Model, Variable

RECHECK = load_script(Path(__file__).parents[1] / "circuits/recheck.py")
PAIR = Model(tuple(Variable(name, (0, 1)) for name in "xy"), (Linear(((1, "x"), (1, "y")), "==", 2),))
PROVED, REFUSED, UNREAD, OPEN = range(4)
"""Exit statuses of both."""


def export(folder, problem, part="whole", suffix=".qasm", **options):
    """A circuit's file and its certificate: literal, in binary, one iteration and nothing deduced unless told."""
    options = {"presolve": "none", "level": "literal", "encoding": "binary", "iterations": 1, **options}
    path = exported(folder, problem, part, suffix, **options)
    return path, json.loads(path.with_suffix(".cert.json").read_text())


def write(path, data, text=None):
    """A changed pair of files, with the hash of the text set right."""
    if text is not None:
        path.write_text(text)
    data["text_sha256"] = hashlib.sha256(path.read_bytes()).hexdigest()
    path.with_suffix(".cert.json").write_text(json.dumps(data))


def verify(path):
    """The status of `gatesolve verify`; a file that cannot be read gives one line."""
    try:
        return {"proved": PROVED, "refused": REFUSED}.get(gatesolve.verify(path).status, OPEN)
    except InputError as error:
        return UNREAD if len(str(error).splitlines()) == 1 else -1


def recheck(path):
    """The status of the standalone script, which prints what it says; a file that cannot be read gives one line."""
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()) as err:
        status = RECHECK.main([str(path)])
    assert err.getvalue().count("\n") == (status == UNREAD), err.getvalue()
    assert ("verdict: proved" in out.getvalue().split("\n")) == (status == PROVED), out.getvalue()
    return status


def judge(path, data, text=None):
    """The statuses of both on a changed pair of files."""
    write(path, data, text)
    return verify(path), recheck(path)
