"""XCSP3 to CPMpy, by CPMpy's reader with a few constraints written otherwise."""

from __future__ import annotations

import atexit
import collections
import math
import os
import re
import sys
import traceback
import warnings
from collections.abc import Collection, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from xml.etree import ElementTree

from gatesolve.errors import GatesolveError, InputError, UnsupportedError, one_line
from gatesolve.formats.declared import MOST_DECLARED, Declared, check_declared
from gatesolve.formats.from_cpmpy import DOMAIN_LIMIT
from gatesolve.formats.xcsp3_elements import check_elements, element_rows

_OF_VARIABLES = {"intension", "list", "args", "allDifferent"}
"""Elements of XCSP3 in which a name is a variable's."""


def _parse_xml(text: str, source: str) -> ElementTree.Element:
    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        row, column = error.position
        fault = f"not well-formed XML ({str(error).partition(':')[0]}): the file is cut short, or mend it"
        raise InputError(fault, source=source, row=row, column=column + 1) from error
    if root.tag != "instance":
        raise InputError(f"XML of '{root.tag[:20]}', not of XCSP3: give a file with <instance ...>", source=source)
    return root


def read_xcsp3(text: str, source: str) -> Declared:
    """The constraints and the objective of a file.

    Raises:
        InputError: it is malformed, or declares too many variables or values.
        UnsupportedError: a part that CPMpy's reader does not take, or would read otherwise.
    """
    root = _parse_xml(text, source)
    declared = collections.Counter(one.get("id", "") for one in root.iter() if one.tag in {"var", "array"})
    if twice := next((name for name, times in declared.items() if times > 1), None):
        fault = f"variable {twice[:20]} is declared twice: take one out, or rename it"
        raise InputError(fault, source=source, row=_row_of(rf'id\s*=\s*"{re.escape(twice)}"', text, last=True))
    _check_sizes(root, text, source)
    rows = element_rows(text)
    check_elements(root, rows, source)
    for one, row in zip(root.iter(), rows, strict=True):
        one.set("row", str(row))
    reached: list[int] = []
    try:
        with _quietly(), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of escapes in PyCSP3; that there are other variables, of other models
            import pycsp3

            atexit.unregister(pycsp3.end)  # it compiles the whole program at its end
            from gatesolve.formats.xcsp3_parser import load

            model, variables = load(root, reached)
    except (Exception, SystemExit) as error:  # PyCSP3 fails in every way there is
        if unknown := _undeclared(root, declared):
            fault = f"no variable is called {unknown[:20]}: mend it, or declare it with <var> or <array>"
            raise InputError(fault, source=source, row=_row_of(rf"\b{unknown}\b", text)) from error
        fault = f"CPMpy's reader of xcsp3 does not take it ({one_line(_reason(error))[:120]})"
        fault += ": mend the file, or write the model in CPMpy"
        raise UnsupportedError(fault, source=source, row=reached[-1] if reached else None) from error
    return Declared(model, variables)


def _check_sizes(root: ElementTree.Element, text: str, source: str) -> None:
    """Refuse arrays and lists of values that are too large to be made."""
    total = 0
    for one in (one for part in root.iter("variables") for one in part.iter() if one.tag in {"var", "array", "domain"}):
        row = _row_of(rf'id\s*=\s*"{re.escape(one.get("id", ""))}"', text)
        sizes = [
            int(size[-10:]) if len(size) < 10 else MOST_DECLARED + 1 for size in re.findall(r"\d+", one.get("size", ""))
        ]
        total += math.prod(sizes) if one.tag == "array" else one.tag == "var"
        check_declared(total, source, row)
        spans = [(int(low), int(high)) for low, high in re.findall(r"(-?\d{1,18})\.\.(-?\d{1,18})", one.text or "")]
        if (values := sum(high - low + 1 for low, high in spans)) > DOMAIN_LIMIT:
            fault = f"a variable of {values} values: tighten its domain to at most {DOMAIN_LIMIT}"
            raise UnsupportedError(fault, source=source, row=row)


def _undeclared(root: ElementTree.Element, declared: Collection[str]) -> str | None:
    """A name in a place of variables that is none's, where no variable is symbolic."""
    if any(one.get("type") == "symbolic" for one in root.iter()):
        return None
    texts = (one.text or "" for part in root.iter("constraints") for one in part.iter() if one.tag in _OF_VARIABLES)
    names = (name for text in texts for name in re.findall(r"(?<![\w%.])[A-Za-z_]\w*(?![\w(])", text))
    return next((name for name in names if name not in declared), None)


def _row_of(pattern: str, text: str, last: bool = False) -> int | None:
    found = list(re.finditer(pattern, text))
    return text.count("\n", 0, found[-1 if last else 0].start()) + 1 if found else None


def _reason(error: BaseException) -> str:
    """Return the fault that a reader met, the code that it failed at, or the function that it does not have."""
    frames = traceback.extract_tb(error.__traceback__)
    met = [frame.name for frame in frames]
    if "_unimplemented" in met:
        return f"it has no {met[met.index('_unimplemented') - 1]}"
    if isinstance(error, GatesolveError):
        return str(error)
    return f"{type(error).__name__}: {str(error) or frames[-1].line}"


@contextmanager
def _quietly() -> Iterator[None]:
    """Nothing is printed, and the program seems to have been called to compile nothing: PyCSP3 reads its arguments."""
    given, sys.argv = sys.argv, ["read.py", "-nocompile"]
    streams = [os.dup(1), os.dup(2)]  # some parts write to them, not to Python's
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
