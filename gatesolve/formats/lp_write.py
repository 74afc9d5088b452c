"""LP files from integer programmes, as dimod and whatever reads CPLEX's format read them back."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from gatesolve.formats.integer_program import IntegerProgram
from gatesolve.qubo.numerals import decimal

_WRITTEN_NAME = re.compile(r"(?![eE][0-9.]*$)[A-Za-z_][A-Za-z0-9_.]{0,59}")
_RESERVED = re.compile(
    r"min\w*|max\w*|subject|such|s\.?t\.?|bounds?|bin\w*|gen\w*|int\w*|end|free|inf\w*|nan|semi\w*|sos\w*|sec|sin|obj|lazy|user",
    re.IGNORECASE,
)


def lp_names(names: Sequence[str]) -> list[str]:
    """The names if an LP file can hold them all, else ``x0, x1, ...``."""
    if all(_WRITTEN_NAME.fullmatch(name) and not _RESERVED.fullmatch(name) for name in names):
        return list(names)
    return [f"x{k}" for k in range(len(names))]


def lp_text(program: IntegerProgram) -> str:
    """The text of an LP file that dimod, and whatever reads CPLEX's format, read back with the same energies.

    Variables have the names that `lp_names` makes of theirs.
    """
    called = dict(zip(program.domains, lp_names(list(program.domains)), strict=True))
    lines = ["Minimize" if program.sense == "min" else "Maximize"]
    lines += _wrap(" obj:", _objective_words(program.objective, called))
    lines.append("Subject To")
    for k, row in enumerate(program.rows):
        words = [_term_text(c, called[name]) for name, c in row.terms.items()]
        relation = "=" if row.relation == "==" else row.relation
        lines += _wrap(f" c{k}:", [*words, f"{relation} {decimal(row.bound)}"])
    binary = [called[name] for name, domain in program.domains.items() if domain == (0, 1)]
    others = {called[name]: domain for name, domain in program.domains.items() if domain != (0, 1)}
    if others:
        lines += ["Bounds", *(f" {low} <= {name} <= {high}" for name, (low, high) in others.items())]
    lines += ["Binary", *_wrap("", binary)] if binary else []
    lines += ["General", *_wrap("", others)] if others else []
    return "\n".join([*lines, "End", ""])


def _objective_words(objective: Mapping[tuple[str, ...], Fraction], called: Mapping[str, str]) -> Iterable[str]:
    products = [(key, c) for key, c in objective.items() if len(key) == 2]
    yield from (_term_text(c, called[key[0]]) for key, c in objective.items() if len(key) == 1)
    if products:
        yield "+ ["
        yield from (_term_text(2 * c, f"{called[u]} * {called[v]}") for (u, v), c in products)
        yield "]/2"
    if constant := objective.get(()):
        yield _term_text(constant, "").rstrip()


def _wrap(start: str, words: Iterable[str]) -> list[str]:
    wrapper = textwrap.TextWrapper(100, f"{start} ", "  ", break_on_hyphens=False, break_long_words=False)
    return wrapper.wrap(" ".join(words)) or [start]


def _term_text(coefficient: Fraction, what: str) -> str:
    return f"{'-' if coefficient < 0 else '+'} {decimal(abs(coefficient))} {what}"
