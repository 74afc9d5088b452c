"""A divided search: every leaf is searched without asking whether it has a solution, and all of it is accounted."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import pytest
from divided_boards import doomed, hard, infeasible
from hypothesis import given, settings
from strategies import models

import gatesolve
from gatesolve.api import find_pipeline
from gatesolve.division import PartTree
from gatesolve.model import Model, Variable, find_solutions, narrow_model
from gatesolve.pipelines import Pipeline, match_phases
from gatesolve.planning import TooLarge

INKALA = "examples/sudoku/inkala-2010.txt"


def test_the_last_part_that_is_allowed_is_not_divided() -> None:
    tree = PartTree(Model(tuple(Variable(name, (0, 1)) for name in "abc")), lambda part: False, 1)
    leaf, frontier = tree.advance(tree.start())
    assert leaf is None
    assert (frontier.growth.nodes, frontier.growth.looks, frontier.growth.is_cut_short) == (1, 0, True)


@settings(max_examples=25)
@given(models(max_variables=4, max_constraints=3))
def test_leaves_hold_every_solution_once(model: Model) -> None:
    tree = PartTree(model, lambda part: part.num_assignments <= 2, 1000)
    frontier, inside, shares = tree.start(), [], []
    while True:
        leaf, frontier = tree.advance(frontier)
        shares.append(frontier.share)
        if leaf is None:
            break
        inside += [tuple(one.values()) for one in find_solutions(narrow_model(model, leaf.given))]
    assert sorted(inside) == sorted(tuple(one.values()) for one in find_solutions(model))
    assert frontier.growth.nodes >= frontier.growth.cut + len(shares) - 1
    assert shares == sorted(shares, reverse=True)
    assert shares[-1] == 0


def test_refuted_values_leave_few_parts() -> None:
    """Of each three variables one value is refuted: they are dropped together, not one in each part of a tree."""
    tree = PartTree(doomed(12), lambda part: part.num_assignments <= 2**24, 1000)
    leaf, frontier = tree.advance(tree.start())
    assert leaf is not None
    assert (frontier.growth.nodes, frontier.waiting) == (2, ())
    assert frontier.growth.dropped == 12
    leaf, frontier = (kept := replace(tree, searches_refuted=True)).advance(kept.start())
    assert leaf is not None
    assert (frontier.growth.dropped, frontier.growth.probes) == (0, 0)
    assert frontier.growth.nodes > 2
    assert frontier.waiting


@pytest.mark.sampled(0.5)
def test_after_the_first_leaf_only_what_probing_leaves_open_is_searched() -> None:
    found, kept = (
        gatesolve.solve(infeasible(5), max_space=16, encoding="binary", search_refuted=k) for k in (False, True)
    )
    assert found.status == kept.status == "infeasible"
    assert found.division is not None
    assert kept.division is not None
    assert len(found.division.leaves) == 1
    assert found.division.leaves[0].oracle_calls > 0
    assert len(kept.division.leaves) == found.division.cut + 1 == 12
    assert found.division.probes == found.division.totals["probes"] > kept.division.probes


def test_a_comparison_that_takes_too_long_is_cut_off_and_says_so(monkeypatch) -> None:
    whole = gatesolve.solve(infeasible(5), max_space=16, encoding="binary").division
    assert whole is not None
    assert (whole.backtracking.finished, whole.backtracking.found) == (True, False)
    assert dict(whole.lines())["plain classical backtracking here"].startswith("41 nodes, ")
    monkeypatch.setattr("gatesolve.division.run.BACKTRACKING_NODES", 40)
    short = gatesolve.solve(infeasible(5), max_space=16, encoding="binary").division
    assert short is not None
    assert dict(short.lines())["plain classical backtracking here"].startswith("more than 40 nodes, more than ")
    said = json.loads(json.dumps(short.as_dict()))["backtracking"]
    assert (said["nodes"], said["finished"], said["found"]) == (40, False, None)


@pytest.mark.slow
def test_the_account_is_the_sum_of_the_leaves() -> None:
    found = gatesolve.solve(INKALA, max_space=2**12)
    division = found.division
    assert found.status == "solved"
    assert division is not None
    leaves = division.leaves
    assert leaves[-1].status == "solved"
    assert all(leaf.status == "infeasible" for leaf in leaves[:-1])
    assert all(leaf.space_size <= 2**12 for leaf in leaves)
    said = json.loads(json.dumps(found.as_dict()))["division"]
    summed = ("deductions", "marked", "oracle_calls", "cx", "t", "rotations")
    recomputed = {name: sum(leaf[name] for leaf in said["leaves"]) for name in summed}
    recomputed["states"] = sum(leaf["space_size"] for leaf in said["leaves"])
    recomputed["probes"] = said["probes"] + sum(leaf["probes"] for leaf in said["leaves"])
    recomputed["qubits"] = max(leaf["qubits"] for leaf in said["leaves"])
    recomputed["square_roots"] = pytest.approx(sum(math.sqrt(leaf["space_size"]) for leaf in said["leaves"]))
    assert said["totals"] == recomputed
    assert (found.space_size, found.marked) == (recomputed["states"], recomputed["marked"])
    assert recomputed["marked"] == 1
    assert division.nodes > division.cut + len(leaves)
    assert found.compiled is not None
    once = found.compiled.program.resources("iteration").cx
    assert leaves[-1].cx == leaves[-1].oracle_calls * once
    assert said["totals"]["oracle_calls"] == found.oracle_calls
    assert said["bounds"]["nested"] == pytest.approx(math.pi / 4 * math.sqrt(recomputed["states"]))
    assert said["bounds"]["undivided"] == pytest.approx(math.pi / 4 * math.sqrt(division.undivided.space_size))
    assert said["bounds"]["backtracking"] == pytest.approx(math.sqrt(division.nodes * division.depth))


def test_a_leaf_without_a_solution_is_searched_as_if_it_had_one() -> None:
    found = gatesolve.solve(infeasible(), max_space=16, encoding="binary")
    assert found.division is not None
    searched = [leaf for leaf in found.division.leaves if leaf.space_size > 1]
    assert searched
    for leaf in searched:
        assert leaf.oracle_calls >= 90 * math.floor(math.sqrt(leaf.space_size))
        assert leaf.miss_probability == 2**-10
        assert leaf.status == "infeasible"
    assert found.oracle_calls == sum(leaf.oracle_calls for leaf in found.division.leaves)


def test_a_board_is_infeasible_only_by_proof() -> None:
    found = gatesolve.solve(infeasible(), max_space=16, encoding="binary")
    assert found.status == "infeasible"
    assert "their certificates, which list every codeword, prove" in found.message
    assert found.solution is None
    assert found.division is not None
    assert not find_solutions(infeasible())


def test_a_model_is_divided_and_the_answer_is_the_models_own() -> None:
    model = hard()
    found = gatesolve.solve(model, max_space=64, encoding="one-hot")
    assert found.status == "solved"
    assert found.solution is not None
    assert model.check(found.solution)
    assert "found in leaf" in found.message
    assert found.solutions is None


def test_a_problem_of_too_many_parts_is_left_unfinished(monkeypatch) -> None:
    monkeypatch.setattr("gatesolve.division.run.MOST_PARTS", 2)
    found = gatesolve.solve(hard(), max_space=2, encoding="one-hot")
    assert found.status == "unsolved"
    assert found.message.startswith("unfinished after ")
    assert "a larger max_space makes fewer" in found.message
    assert found.division is not None


def test_a_leaf_that_has_no_oracle_is_divided_further(monkeypatch) -> None:
    refused = []

    class NoOracleAtFirst(Pipeline):
        """Has no oracle for two parts."""

        def plan(self, problem, options, clock, **how):
            if len(refused) < 2 and problem.model.num_assignments < hard().num_assignments:
                refused.append(problem.model)
                return TooLarge("no oracle", "oracle", divides=True)
            return super().plan(problem, options, clock, **how)

    pipeline = NoOracleAtFirst(**vars(find_pipeline("grover")))
    monkeypatch.setattr("gatesolve.api.calls.find_pipeline", lambda name: pipeline)
    found = gatesolve.solve(hard(), max_space=64, encoding="one-hot")
    assert len(refused) == 2
    assert found.status == "solved"
    assert found.division is not None
    assert all(len(leaf.path) > 1 for leaf in found.division.leaves)


def test_solutions_are_an_assumption_that_is_tried_first() -> None:
    plain = gatesolve.solve(infeasible(), max_space=16, encoding="binary")
    assumed = gatesolve.solve(infeasible(), max_space=16, encoding="binary", solutions=1)
    assert plain.division is not None
    assert assumed.division is not None
    for leaf, again in zip(plain.division.leaves, assumed.division.leaves, strict=True):
        if leaf.space_size > 1:
            first = match_phases(again.space_size, 1).iterations
            assert again.oracle_calls - first >= 90 * math.floor(math.sqrt(again.space_size))
        assert again.status == "infeasible"
    found = gatesolve.solve(hard(), max_space=64, encoding="one-hot", solutions=2)
    assert found.status == "solved"
    assert "2 of whose codewords were taken for solutions at first" in found.message


def test_parts_that_propagation_refutes_are_searched_where_that_is_asked_for() -> None:
    cut, kept = (gatesolve.solve(infeasible(), max_space=2, encoding="binary", search_refuted=k) for k in (False, True))
    assert cut.status == kept.status == "infeasible"
    assert cut.division is not None
    assert kept.division is not None
    assert (cut.division.cut, len(cut.division.leaves)) == (6, 0)
    assert (kept.division.cut, len(kept.division.leaves)) == (0, 6)
    assert all(leaf.space_size == 2 and leaf.presolve == "partial" for leaf in kept.division.leaves)


def test_no_part_takes_more_qubits_than_are_allowed() -> None:
    wide = gatesolve.solve(hard(), max_space=2**12, encoding="one-hot")
    assert wide.program is not None
    most = wide.program.num_qubits - 6
    narrow = gatesolve.solve(hard(), max_space=2**12, encoding="one-hot", max_qubits=most)
    assert narrow.status == "solved"
    assert narrow.division is not None
    assert all(leaf.qubits <= most for leaf in narrow.division.leaves)


@pytest.mark.sampled(0.5)
def test_whoever_watches_is_told_of_every_leaf() -> None:
    events = []
    found = gatesolve.solve(infeasible(5), max_space=128, encoding="binary", on_leaf=events.append)
    assert found.division is not None
    assert tuple(event.record for event in events) == found.division.leaves
    assert [event.searched for event in events] == list(range(1, len(events) + 1))
    shares = [event.share_left for event in events]
    assert shares == sorted(shares, reverse=True)
    assert shares[-1] == 0
    assert events[-1].cut <= found.division.cut
    with pytest.raises(gatesolve.InputError, match="on_leaf is 'print': give a function"):
        gatesolve.solve(infeasible(), on_leaf="print")
