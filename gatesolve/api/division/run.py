"""Dividing a problem and searching its leaves one by one, by the same pipeline as a whole one."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from gatesolve.api.division.account import Division, LeafRecord, Undivided
from gatesolve.api.division.leaves import Growth, Leaf, grow_leaves
from gatesolve.api.ladder import encode_all, space_limit
from gatesolve.api.options import Options
from gatesolve.api.problem import Problem
from gatesolve.api.registry import find_pipeline, options_taken
from gatesolve.errors import InfeasibleError, SpaceLimitError
from gatesolve.model import Model
from gatesolve.model.presolve import presolve
from gatesolve.model.presolve.branch import backtrack
from gatesolve.pipelines.clock import Clock
from gatesolve.pipelines.options import refuse_idle
from gatesolve.pipelines.task import Answer, round_down

IDLE = ("exact", "iterations", "shots", "solutions", "count_solutions", "schedule")
"""Options that a search in parts has no use for."""
MOST_PARTS = 2_000
"""Parts after which a problem is left unfinished."""
BACKTRACKING_SECONDS = 20.0
"""How long plain backtracking may take for comparison."""
Solve = Callable[[Problem, Options], Answer]


def solve_divided(problem: Problem, options: Options, clock: Clock, solve: Solve) -> Answer:
    """Search the leaves in turn until one has an accepted solution.

    ``solve`` runs the pipeline on a leaf, whose model is the problem's on narrower domains. Of no leaf is it used
    whether it has a solution before its search has ended: runs draw their iterations as where that is unknown.
    """
    if "schedule" in options_taken(options.pipeline).__dataclass_fields__:
        refuse_idle(options, "the problem is searched in parts, the number of solutions of each unknown", *IDLE)
    limit, growth, records = space_limit(options), Growth(MOST_PARTS), list[LeafRecord]()
    answer: Answer | None = None
    leaves = grow_leaves(problem.model, lambda part: _least_space(part, options).space_size <= limit, growth)
    while answer is None or answer.status != "solved":
        with clock.stage("divide"):
            leaf = next(leaves, None)
        if leaf is None:
            break
        start = time.perf_counter()
        drawn = int(np.random.SeedSequence((options.seed, len(records))).generate_state(1)[0] % 2**31)
        chosen = replace(options, seed=drawn, schedule="unknown")
        try:
            answer = solve(replace(problem, model=leaf.model), chosen)
        except SpaceLimitError:  # its space fits, no oracle of it does
            if all(len(values) == 1 for values in leaf.model.domains.values()):
                raise
            growth.is_refused = True
            continue
        records.append(_record(leaf, answer, chosen, time.perf_counter() - start))
    with clock.stage("compare"):
        plain = backtrack(problem.model, BACKTRACKING_SECONDS)
        division = Division(
            growth.nodes,
            growth.cut,
            growth.looks,
            growth.depth,
            tuple(records),
            _least_space(_propagated(problem.model), options),
            plain,
        )
    return _conclude(answer, division, growth.is_cut_short)


def _conclude(last: Answer | None, division: Division, is_cut_short: bool) -> Answer:
    """The answer for the whole problem, from that of the last leaf; ``is_cut_short`` if more parts were left."""
    searched, cut = len(division.leaves), division.cut
    calls = sum(leaf.oracle_calls for leaf in division.leaves)
    if is_cut_short and (last is None or last.status != "solved"):
        said = (
            f"unfinished after {division.nodes} parts, {cut} refuted and {searched} searched: a larger max_space "
            "makes fewer"
        )
        bare = Answer(status="unsolved", message=said, solution=None, presolve="propagate")
        return replace(last or bare, status="unsolved", message=said, oracle_calls=calls, division=division)
    if last is None:
        said = f"propagation refuted every part of the divided problem ({cut}): no search was made"
        return Answer(status="infeasible", message=said, solution=None, presolve="propagate", division=division)
    if last.status == "solved":
        said = f"{last.message}; found in leaf {searched} of a divided search"
        return replace(last, message=said, oracle_calls=calls, counted=None, division=division)
    if all(leaf.status == "infeasible" for leaf in division.leaves):
        said = (
            f"propagation refuted {cut} parts, nothing was found in {searched} leaves in {calls} oracle calls, and "
            "their certificates, which list every codeword, prove that nothing is there"
        )
        return replace(last, status="infeasible", message=said, oracle_calls=calls, division=division)
    said = (
        f"nothing found in {searched} leaves in {calls} oracle calls; a solution would have been with probability "
        f"{round_down(division.missed)}"
    )
    return replace(last, status="unsolved", message=said, oracle_calls=calls, division=division)


def _record(leaf: Leaf, answer: Answer, options: Options, seconds: float) -> LeafRecord:
    """What a leaf took."""
    compiled = answer.compiled
    account = find_pipeline(options.pipeline).account
    assert account is not None
    spent = account(options, answer)
    return LeafRecord(
        path=leaf.path,
        status=answer.status,
        presolve=answer.presolve,
        space_size=0 if compiled is None else compiled.program.space.size,
        oracle_calls=answer.oracle_calls,
        cx=spent.cx,
        t=spent.t,
        qubits=0 if compiled is None else compiled.program.num_qubits,
        missed=spent.missed,
        seconds=seconds,
    )


def _least_space(model: Model, options: Options) -> Undivided:
    """The smallest space of a model."""
    space = min(encode_all(model, options, None), key=lambda one: one.size)
    return Undivided(space.size, space.num_qubits)


def _propagated(model: Model) -> Model:
    try:
        return presolve(model, "propagate")[0]
    except InfeasibleError:
        return model
