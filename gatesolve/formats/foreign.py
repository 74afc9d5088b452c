"""Problems of other solvers from text to CPMpy: CNF, WCNF, OPB, FlatZinc, and by CPMpy's own reader XCSP3."""

from __future__ import annotations

from importlib.util import find_spec

from gatesolve.errors import MissingExtraError
from gatesolve.formats.declared import Declared
from gatesolve.formats.dimacs import read_dimacs
from gatesolve.formats.opb import read_opb

NEEDS = {"xcsp3": "pycsp3"}
"""Packages that readers need besides CPMpy; in the extra ``files``."""


def read_foreign(text: str, kind: str, source: str) -> Declared:
    r"""The problem in a text.

    Args:
        text: with ``\\n`` for line ends.
        kind: ``cnf``, ``wcnf``, ``opb``, ``xcsp3`` or ``fzn``.
        source: what to call it in messages.

    Raises:
        InputError: it is malformed: names the row and the mend.
        UnsupportedError: a part that is not read.
        MissingExtraError: the reader needs a package that is not installed.
    """
    if kind in {"cnf", "wcnf"}:
        return read_dimacs(text, source, kind == "wcnf")
    if kind == "opb":
        return read_opb(text, source)
    if kind == "fzn":
        from gatesolve.formats.flatzinc import read_flatzinc

        return read_flatzinc(text, source)
    if find_spec(NEEDS[kind]) is None:
        raise MissingExtraError(f"{source}: {kind} is read with {NEEDS[kind]}, which is not installed", "files")
    from gatesolve.formats.xcsp3 import read_xcsp3

    return read_xcsp3(text, source)
