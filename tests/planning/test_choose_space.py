"""Choosing the space: limits are refused with a number that will do, hopeless spaces are left out."""

from __future__ import annotations

import re
from typing import ClassVar

import cpmpy as cp
import pytest

import gatesolve
from gatesolve.circuit import And, Parity, lower
from gatesolve.errors import DoesNotFitError
from gatesolve.formats import from_cpmpy
from gatesolve.oracle import Oracle, PhaseRecipe
from gatesolve.planning import SearchPrice, SpaceLimits, find_cheapest
from gatesolve.programs import lower_part


def starts() -> cp.Model:
    """Four starts and a pump: a model for which an oracle takes as many ancillas as data qubits."""
    s, pump = cp.intvar(0, 4, shape=4, name="s"), cp.intvar(1, 3, name="pump")
    return cp.Model(cp.AllDifferent(s), s[0] + 1 < s[1], s[2] > s[3], cp.sum(s) + pump <= 8, pump != s[0])


@pytest.mark.slow
def test_the_limit_on_qubits_that_is_named_will_do():
    with pytest.raises(DoesNotFitError, match=r"takes \d+ qubits and at least \d+ ancillas") as refused:
        gatesolve.compile(starts(), max_qubits=17)
    needed = int(re.search(r"use max_qubits=(\d+) or more", str(refused.value))[1])
    assert needed > 17
    assert gatesolve.compile(starts(), max_qubits=needed).program.num_qubits <= needed


def test_fewer_ancillas_than_any_oracle_takes_are_said_to_be_too_few():
    with pytest.raises(DoesNotFitError, match=r"use ancillas=\d+ or more"):
        gatesolve.compile(starts(), max_qubits=30, ancillas=0, encoding="one-hot")


class Counted(PhaseRecipe):
    """Notes the spaces that an oracle is built on."""

    built: ClassVar[list] = []

    def build(self, model, space, ancillas):
        self.built.append(space)
        return super().build(model, space, ancillas)


class Free(SearchPrice):
    """Lets no space be left out for its price."""

    def bound(self, space):
        return (0.0,)


@pytest.mark.sampled(1)
@pytest.mark.parametrize(("most_rows", "made"), [(0, 1), (1 << 30, 2)])
def test_a_further_space_with_many_rows_is_left_out(most_rows, made):
    model = from_cpmpy(starts())
    spaces = [gatesolve.compile(starts(), encoding=name).program.space for name in ("one-hot", "binary")]
    recipe = Counted()
    recipe.built.clear()
    find_cheapest(model, spaces, recipe, SpaceLimits(), Free("cx"), lambda *_: None, most_rows)
    assert len(recipe.built) == made


@pytest.mark.slow
def test_what_was_lowered_to_choose_it_is_the_lowered_oracle():
    program = gatesolve.compile(starts(), presolve="none").program
    oracle = program.oracle
    assert oracle.lowered is not None
    again = lower(oracle.ops, oracle.num_qubits)
    assert oracle.lowered == again
    assert program.resources("oracle").cx == again.count_ops()["cx"]
    measured = gatesolve.compile(starts(), presolve="none", measured=True).program
    assert "if_else" in lower_part(measured, "oracle").count_ops()


def test_a_space_of_far_fewer_t_is_remarked_on():
    space = gatesolve.compile("a, b, c, d in 0..3; a != b", encoding="binary", presolve="none").program.space
    plain, dear = (Oracle((And(Parity((0,)), Parity((1,)), 8),) * times, 8, 1) for times in (2, 20000))
    tried = [(space, dear), (space, plain)]
    (remark,) = SearchPrice("cx").compare(tried[0], tried)
    assert re.fullmatch(r"the search takes about \d+ times the T of encoding binary: optimize='t' saves T", remark)
    assert SearchPrice("cx").compare(tried[1], tried) == ()
    assert "CX of encoding binary: optimize='cx' saves CX" in SearchPrice("t").compare(tried[0], tried)[0]
