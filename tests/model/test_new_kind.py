"""Constraint kinds that the package does not know: scope, holds and str are enough for every layer."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pytest
from conformance.spaces import marks
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import models, solve_by_trying

from gatesolve import Model, Variable, solve
from gatesolve.encodings import encodings, make_spaces, unenforced_constraints
from gatesolve.errors import InfeasibleError
from gatesolve.model import Constraint, Linear, find_solutions, presolve
from gatesolve.oracle import assemble, synthesise
from gatesolve.qubo import formulate_model, qubo_space


@dataclass(frozen=True)
class Increasing(Constraint):
    """Each variable is greater than the one before: with nothing of its own."""

    variables: tuple[str, ...]

    @property
    def scope(self):
        return self.variables

    def holds(self, columns):
        rows = np.stack([columns[name] for name in self.variables])
        return np.asarray(np.all(rows[1:] > rows[:-1], axis=0))

    def __str__(self):
        return f"increasing({', '.join(self.variables)})"


@dataclass(frozen=True)
class Modular(Constraint):
    """The sum leaves a remainder: with an expression of CPMpy's and a reach of its own."""

    variables: tuple[str, ...]
    divisor: int
    remainder: int

    @property
    def scope(self):
        return self.variables

    def holds(self, columns):
        return np.asarray(sum(columns[name] for name in self.variables) % self.divisor == self.remainder)

    def reach(self, most: Mapping[str, int]):
        return sum(most[name] for name in self.variables) + self.divisor

    def to_cpmpy(self, variables):
        import cpmpy as cp

        multiple = cp.intvar(-100, 100)
        return cp.sum([variables[name] for name in self.variables]) == self.divisor * multiple + self.remainder

    def __str__(self):
        return f"{' + '.join(self.variables)} % {self.divisor} == {self.remainder}"


def toy(variables, data):
    names = data.draw(st.permutations([v.name for v in variables]))
    kept = tuple(names[: data.draw(st.integers(1, len(names)))])
    if data.draw(st.booleans()):
        return Increasing(kept)
    return Modular(kept, data.draw(st.integers(2, 3)), data.draw(st.integers(0, 1)))


AWKWARD = Model(
    (Variable("a", (-2, 0, 5)), Variable("b", (3,)), Variable("c", (-1, 0, 2, 4, 7)), Variable("d", (2, 3, 4, 5, 6))),
    (Increasing(("a", "b", "d")), Modular(("a", "c", "d"), 3, 1), Linear(((1, "a"), (-1, "c")), "<=", 0)),
)
"""Domains of one, three and five values, with gaps, an offset and negative numbers."""


@settings(derandomize=True, max_examples=60)
@given(st.data())
def test_the_reference_solver_and_presolve_keep_the_solutions(data):
    model = data.draw(models(max_constraints=2))
    model = Model(model.variables, (*model.constraints, toy(model.variables, data), toy(model.variables, data)))
    wanted = solve_by_trying(model)
    assert find_solutions(model) == wanted
    for setting in ("propagate", "affine"):
        try:
            smaller, recovery = presolve(model, setting)
        except InfeasibleError:
            assert wanted == []
            continue
        found = [recovery.recover(row) for row in solve_by_trying(smaller)]
        assert sorted(map(repr, found)) == sorted(map(repr, wanted))


@pytest.mark.parametrize("setting", ["none", "propagate"])
@pytest.mark.parametrize("encoding", [kind for kind in encodings() if kind != "permutation"])
def test_oracles_mark_the_solutions_in_every_encoding(encoding, setting):
    model, recovery = presolve(AWKWARD, setting)
    for space in make_spaces(model, encoding):
        oracle = assemble([synthesise(c, space) for c in unenforced_constraints(model, space)], space.num_qubits)
        found = [recovery.recover(space.assignment(n)) for n, mark in enumerate(marks(oracle, space)) if mark]
        assert sorted(found, key=repr) == sorted(solve_by_trying(AWKWARD), key=repr)


@pytest.mark.quick("grover", "anneal")
@pytest.mark.parametrize("pipeline", ["grover", "qaoa", "anneal"])
def test_it_is_solved(pipeline):
    result = solve(AWKWARD, pipeline=pipeline)
    assert result.status == "solved"
    assert result.solution in solve_by_trying(AWKWARD)


def test_its_penalty_is_least_at_the_solutions():
    model = Model((Variable("a", (-1, 0, 2)), Variable("b", (0, 1, 4))), (Increasing(("a", "b")),))
    qubo, space = formulate_model(model).qubo, qubo_space(model)
    states = [[state >> q & 1 for q in range(6)] for state in range(64)]
    least = min(map(qubo.exact_energy, states))
    found = [space.decode(k) for k, state in enumerate(states) if qubo.exact_energy(state) == least]
    assert sorted(map(repr, found)) == sorted(map(repr, solve_by_trying(model)))
