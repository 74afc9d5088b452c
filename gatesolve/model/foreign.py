"""Problems of other solvers from text to CPMpy: CNF, WCNF and OPB, and by CPMpy's own readers XCSP3 and FlatZinc."""

from __future__ import annotations

import atexit
import io
import os
import re
import subprocess
import sys
import traceback
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from importlib.util import find_spec
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from gatesolve.errors import InputError, MissingExtraError, UnsupportedError, one_line
from gatesolve.model.dimacs import read_dimacs
from gatesolve.model.opb import read_opb

if TYPE_CHECKING:
    import cpmpy

NEEDS = {"xcsp3": "pycsp3", "fzn": "pyscipopt"}
"""Packages that readers need besides CPMpy; both are in the extra ``files``."""
_FRACTION = re.compile(r"(?<![\w.])\d+\.\d*[1-9]")


def read_foreign(text: str, kind: str, source: str) -> cpmpy.Model:
    r"""The problem in a text.

    Args:
        text: with ``\\n`` for line ends.
        kind: ``cnf``, ``wcnf``, ``opb``, ``xcsp3`` or ``fzn``.
        source: what to call it in messages.

    Raises:
        InputError: it is malformed: names the row and the mend.
        UnsupportedError: a part that CPMpy's reader does not take.
        MissingExtraError: the reader needs a package that is not installed.
    """
    if kind in {"cnf", "wcnf"}:
        return read_dimacs(text, source, kind == "wcnf")
    if kind == "opb":
        return read_opb(text, source)
    if kind == "xcsp3":
        _check_xml(text, source)
    else:
        text = re.sub("%.*", "", text)  # SCIP takes no comment behind a statement
        _check_whole(text, source)
        _check_apart(text, kind, source)
    return _by_reader(text, kind, source)


def _check_xml(text: str, source: str) -> None:
    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        row, column = error.position
        fault = f"not well-formed XML ({str(error).partition(':')[0]}): the file is cut short, or mend it"
        raise InputError(fault, source=source, row=row, column=column + 1) from error
    if root.tag != "instance":
        raise InputError(f"XML of '{root.tag[:20]}', not of XCSP3: give a file with <instance ...>", source=source)


def _check_whole(text: str, source: str) -> None:
    """CPMpy cuts decimals off an objective."""
    for row, line in enumerate(text.split("\n"), start=1):
        if found := _FRACTION.search(line):
            fault = f"{found[0]} is no whole number: CPMpy reads FlatZinc of whole numbers; multiply it out"
            raise UnsupportedError(fault, source=source, row=row)


def _check_apart(text: str, kind: str, source: str) -> None:
    """Read it once in a process of its own: SCIP 10 ends the process at a constraint that it does not know."""
    _require_package(kind, source)
    code = f"import io, sys; from cpmpy.tools.io import load; load(io.StringIO(sys.stdin.read()), {kind!r})"
    run = subprocess.run([sys.executable, "-P", "-c", code], input=text, text=True, capture_output=True, check=False)
    if run.returncode:
        said = next((line for line in run.stderr.split("\n") if "ERROR" in line), "it breaks down").strip()
        raise _refuse(kind, said.partition("ERROR: ")[2] or said, source)


def _require_package(kind: str, source: str) -> None:
    if find_spec(NEEDS[kind]) is None:
        raise MissingExtraError(f"{source}: CPMpy reads {kind} with {NEEDS[kind]}, which is not installed", "files")


def _refuse(kind: str, reason: str, source: str) -> UnsupportedError:
    fault = f"CPMpy's reader of {kind} does not take it ({one_line(reason)[:120]})"
    return UnsupportedError(f"{fault}: mend the file, or write the model in CPMpy", source=source)


def _by_reader(text: str, kind: str, source: str) -> cpmpy.Model:
    """By CPMpy's reader."""
    _require_package(kind, source)
    try:
        with _quietly(), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of escapes in PyCSP3; that there are other variables, of other models
            if kind == "xcsp3":
                import pycsp3

                atexit.unregister(pycsp3.end)  # it compiles the whole program at its end
            from cpmpy.tools.io import load

            model: cpmpy.Model = load(io.StringIO(text), kind)
    except (Exception, SystemExit) as error:  # PyCSP3 fails in every way there is
        raise _refuse(kind, _reason(error), source) from error
    return model


def _reason(error: BaseException) -> str:
    """In a word what a reader met; of what it has not, the name of the function that would read it."""
    met = [frame.name for frame in traceback.extract_tb(error.__traceback__)]
    if "_unimplemented" in met:
        return f"it has no {met[met.index('_unimplemented') - 1]}"
    return f"{type(error).__name__}: {error}".removesuffix(": ")


@contextmanager
def _quietly() -> Iterator[None]:
    """Nothing is printed, and the program seems to have been called to compile nothing: PyCSP3 reads its arguments."""
    given, sys.argv = sys.argv, ["read.py", "-nocompile"]
    streams = [os.dup(1), os.dup(2)]  # SCIP writes to them, not to Python's
    try:
        with open(os.devnull, "w") as nothing, redirect_stdout(nothing), redirect_stderr(nothing):
            for number in (1, 2):
                os.dup2(nothing.fileno(), number)
            yield
    finally:
        sys.argv = given
        for number, stream in enumerate(streams, start=1):
            os.dup2(stream, number)
            os.close(stream)
