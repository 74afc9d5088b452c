"""Published formulas for one board: a Qubo, the energy of its solutions, and the mapping to the puzzle."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import combinations

from gatesolve.errors import UnsupportedError
from gatesolve.qubo.numerals import as_written, nearest_number
from gatesolve.qubo.penalty import Polynomial, either, exactly, simplify
from gatesolve.qubo.polynomial import Monomial, Number, Terms, add, constant, multiply, scale, variable
from gatesolve.qubo.qubo import Qubo

Named = Mapping[str, int]
"""Values by name: of the formula's variables, or of the puzzle's."""
Literal = tuple[str, int]
"""A variable of the puzzle and a value; true where the variable has it."""


@dataclass(frozen=True)
class Published:
    """A formula of the literature, written out for one board.

    Attributes:
        qubo: the energy, with its offset; the variables are those of the source.
        ground: the energy of every solution of the puzzle, offset included; None where the source states none.
        source: where the formula is printed.
        caveat: which rules of the puzzle the formula leaves out; empty where its ground states are the solutions.
        fixed: the formula's variables that the clues determine. ``qubo`` lacks them unless it was asked to keep them;
            its energies then apply to states with these values.
        stands_for: for each variable of the formula the ``puzzle variable == value`` of which one holds where the
            variable is 1; empty where it can only be 0.
    """

    qubo: Qubo
    ground: Number | None
    source: str
    caveat: str
    fixed: Named
    stands_for: Mapping[str, tuple[Literal, ...]] = field(repr=False)
    _read: Callable[[Named], dict[str, int]] = field(repr=False)

    def decode(self, bits: Sequence[int]) -> dict[str, int]:
        """Return the puzzle's variables at a state of ``qubo``, qubit 0 first; `Puzzle.check` judges them."""
        return self._read({**self.fixed, **dict(zip(self.qubo.names, map(int, bits), strict=True))})

    def narrow(self, domains: Mapping[str, Sequence[int]]) -> Published:
        """Return the formula without the variables whose value follows from smaller domains.

        ``domains`` has the values left for every variable of the puzzle's model; a missing one is 0 throughout.
        """
        decided: dict[int, int] = {}
        for k, own in enumerate(self.qubo.names):
            literals = self.stands_for[own]
            if not any(value in domains[name] for name, value in literals if name in domains):
                decided[k] = 0
            elif any(tuple(domains.get(name, ())) == (value,) for name, value in literals):
                decided[k] = 1
        fixed = {**self.fixed, **{self.qubo.names[k]: value for k, value in decided.items()}}
        number = {k: new for new, k in enumerate(k for k in range(self.qubo.num_variables) if k not in decided)}
        terms: dict[Monomial, Number] = {}
        for monomial, coefficient in self.qubo.polynomial.items():
            if all(decided.get(k, 1) for k in monomial):
                rest = tuple(number[k] for k in monomial if k in number)
                terms[rest] = terms.get(rest, 0) + coefficient
        names, meanings = [self.qubo.names[k] for k in number], [self.qubo.meaning(k) for k in number]
        return replace(self, qubo=Qubo.of(names, simplify(terms), meanings), fixed=fixed)

    def without_offset(self, energy: Number) -> Number:
        """Return an energy without the constant, as some sources print it."""
        return nearest_number(as_written(energy) - as_written(self.qubo.offset))


class FormulaTerms:
    """The terms of one formula over named variables.

    A variable of known value is replaced by that value unless ``keep`` is set.
    """

    def __init__(self, meanings: Mapping[str, str], known: Named, keep: bool) -> None:
        self.known = {name: known[name] for name in meanings if name in known}
        self.names = [name for name in meanings if keep or name not in self.known]
        self.meanings = [meanings[name] for name in self.names]
        self._literals: dict[str, Polynomial] = {name: variable(k) for k, name in enumerate(self.names)}
        for name, value in self.known.items():
            self._literals.setdefault(name, constant(value))
        self._parts: list[Terms] = []
        self.ground: Number = 0

    def literal(self, name: str) -> Polynomial:
        """Return a variable, or its known value."""
        return self._literals[name]

    def literals(self, names: Iterable[str]) -> list[Polynomial]:
        """Return several variables or known values."""
        return [self._literals[name] for name in names]

    def add(self, terms: Terms, weight: Number = 1) -> None:
        """Add ``weight`` times a polynomial."""
        self._parts.append(scale(terms, weight))

    def exactly(self, names: Iterable[str], count: int, weight: Number = 1) -> None:
        """Add ``weight * (count - sum)**2``."""
        self.add(exactly(self.literals(names), count), weight)

    def either(self, parts: Sequence[Terms], low: int) -> None:
        """Add ``(low + 1/2 - sum)**2``, which is 1/4 at ``low`` and ``low + 1``, and raise the ground by that."""
        self.add(either(add(parts), low))
        self.ground += Fraction(1, 4)

    def between(self, parts: Sequence[Terms], low: int, high: int, what: str) -> None:
        """Require ``low`` to ``high`` of some literals: a square, or one about the middle of two consecutive numbers.

        Raises:
            UnsupportedError: three or more numbers are possible, but not all; ``what`` names what is counted.
        """
        high = min(high, len(parts))
        if low <= 0 and high >= len(parts):
            return
        if low == high:
            self.add(exactly(parts, low))
        elif high == low + 1:
            self.either(parts, low)
        else:
            known = "the published formula covers one number or two consecutive ones"
            raise UnsupportedError(f"{low} to {high} {what}; {known}: use formulation='model'")

    def together(self, pairs: Iterable[tuple[str, str]], weight: Number = 1) -> None:
        """Add ``weight`` for each pair of variables that are both 1."""
        for a, b in pairs:
            self.add(multiply(self._literals[a], self._literals[b]), weight)

    def finish(
        self,
        source: str,
        read: Callable[[Named], dict[str, int]],
        stands_for: Mapping[str, Sequence[Literal]],
        caveat: str = "",
        grounded: bool = True,
    ) -> Published:
        """Return the finished formula."""
        qubo = Qubo.of(self.names, simplify(add(self._parts)), self.meanings)
        ground = simplify({(): self.ground}).get((), 0) if grounded else None
        literals = {name: tuple(several) for name, several in stands_for.items()}
        return Published(qubo, ground, source, caveat, self.known, literals, read)


def all_pairs(groups: Iterable[Iterable[str]]) -> list[tuple[str, str]]:
    """Return every pair of names that some group contains, once, in order of appearance."""
    found: dict[frozenset[str], tuple[str, str]] = {}
    for group in groups:
        for a, b in combinations(group, 2):
            found.setdefault(frozenset((a, b)), (a, b))
    return list(found.values())


def clear_beside(given: Named, pairs: Iterable[tuple[str, str]]) -> dict[str, int]:
    """Return the variables given as 1, and 0 for all that are in a pair with one of them."""
    beside = {b if a in given else a: 0 for a, b in pairs if a in given or b in given}
    return {**beside, **given}


def ones(names: Iterable[str]) -> dict[str, tuple[Literal, ...]]:
    """Return the literals of variables that are the puzzle's own 0/1 variables."""
    return {name: ((name, 1),) for name in names}
