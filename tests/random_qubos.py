"""Random Qubos, and the energies of all of a Qubo's states, added up term by term."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from hypothesis import strategies as st

from gatesolve.qubo import Number, Qubo

#: Whole, halves, negative, tiny, huge, and decimals that no float equals.
WEIGHTS = st.one_of(
    st.integers(-9, 9),
    st.integers(-40, 40).map(lambda n: n / 2),
    st.sampled_from((1e-7, -1e-12, 5e-300, 1e15, 2**60, -(2**53) - 1, 0.1, -0.3, 1 / 3, 123456.789)),
)
MILD = st.one_of(st.integers(-9, 9), st.integers(-40, 40).map(lambda n: n / 4), st.sampled_from((0.1, -0.3, 1e-7)))
NAMES = ("x0", "a", "r1c1_7", "b c", "x[1,2]", "größe", "e5", "Binary")


@st.composite
def qubos(draw: st.DrawFn, most: int = 5, degree: int = 2, weights: st.SearchStrategy[Number] = WEIGHTS) -> Qubo:
    """Up to ``most`` variables, some of them perhaps in no term."""
    size = draw(st.integers(1, most))
    names = [f"x{k}" for k in range(size)] if draw(st.booleans()) else list(NAMES[:size])
    monomials = st.sets(st.integers(0, size - 1), max_size=degree).map(lambda m: tuple(sorted(m)))
    terms = draw(st.dictionaries(monomials, weights, max_size=10))
    meanings = [f"{name} is on" for name in names] if draw(st.booleans()) else []
    return Qubo.of(names, terms, meanings)


def energies(qubo: Qubo) -> dict[tuple[int, ...], Fraction]:
    """Energy of every state, exactly, coefficients counting as the floats or whole numbers they are."""
    found = {}
    for bits in product((0, 1), repeat=qubo.num_variables):
        on = [Fraction(c) for m, c in qubo.polynomial.items() if all(bits[k] for k in m)]
        found[bits] = sum(on, start=Fraction(0))
    return found


def same(first: Qubo, second: Qubo) -> bool:
    """Whether two Qubos have the same variables in the same order and the same energy in every state."""
    return first.names == second.names and energies(first) == energies(second)


def near(first: Qubo, second: Qubo, tolerance: float = 1e-9) -> bool:
    """The same up to rounding."""
    ours, theirs = energies(first), energies(second)
    return first.names == second.names and all(abs(ours[b] - theirs[b]) <= tolerance for b in ours)
