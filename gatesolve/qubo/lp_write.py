"""Writing LP files that dimod, and whatever reads CPLEX's format, read back with the same energies."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from gatesolve.qubo.numerals import decimal
from gatesolve.qubo.parts import Parts

_WIDTH = 100
_NAME = re.compile(r"(?![eE][0-9.]*$)[A-Za-z_][A-Za-z0-9_.]{0,59}")
_RESERVED = re.compile(
    r"min\w*|max\w*|subject|such|s\.?t\.?|bounds?|bin\w*|gen\w*|int\w*|end|free|inf\w*|nan|semi\w*|sos\w*|sec|sin|obj|lazy|user",
    re.IGNORECASE,
)


def lp_names(names: Sequence[str]) -> list[str]:
    """The names if an LP file can hold them all, else ``x0, x1, ...``."""
    if all(_NAME.fullmatch(name) and not _RESERVED.fullmatch(name) for name in names):
        return list(names)
    return [f"x{k}" for k in range(len(names))]


def lp_text(parts: Parts) -> str:
    """The text of an LP file; variables under names that `lp_names` makes of theirs."""
    called = dict(zip(parts.domains, lp_names(list(parts.domains)), strict=True))
    lines = ["Minimize" if parts.sense == "min" else "Maximize"]
    lines += _wrapped(" obj:", _objective(parts, called))
    lines.append("Subject To")
    for k, row in enumerate(parts.rows):
        words = [_signed(c, called[name]) for name, c in row.terms.items()]
        relation = "=" if row.relation == "==" else row.relation
        lines += _wrapped(f" c{k}:", [*words, f"{relation} {decimal(row.bound)}"])
    binary = [called[name] for name, domain in parts.domains.items() if domain == (0, 1)]
    others = {called[name]: domain for name, domain in parts.domains.items() if domain != (0, 1)}
    if others:
        lines += ["Bounds", *(f" {low} <= {name} <= {high}" for name, (low, high) in others.items())]
    if binary:
        lines += ["Binary", *_wrapped("", binary)]
    if others:
        lines += ["General", *_wrapped("", list(others))]
    return "\n".join([*lines, "End", ""])


def _objective(parts: Parts, called: Mapping[str, str]) -> Iterable[str]:
    linear = [(called[key[0]], c) for key, c in parts.objective.items() if len(key) == 1]
    products = [(key, c) for key, c in parts.objective.items() if len(key) == 2]
    yield from (_signed(c, name) for name, c in linear)
    if products:
        yield "+ ["
        yield from (_signed(2 * c, f"{called[u]} * {called[v]}") for (u, v), c in products)
        yield "]/2"
    constant = parts.objective.get((), Fraction(0))
    if constant:
        yield f"{'-' if constant < 0 else '+'} {decimal(abs(constant))}"


def _signed(coefficient: Fraction, what: str) -> str:
    return f"{'-' if coefficient < 0 else '+'} {decimal(abs(coefficient))} {what}"


def _wrapped(start: str, words: Iterable[str]) -> list[str]:
    """Lines of at most about `_WIDTH` characters."""
    lines, line = [], start
    for word in words:
        if len(line) + len(word) >= _WIDTH:
            lines.append(line)
            line = " "
        line += f" {word}"
    return [*lines, line]
