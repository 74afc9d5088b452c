"""Searching one leaf, here or on another machine: what a task holds is data, what comes back is a record."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np

from gatesolve.circuit.collection import collect_rarely
from gatesolve.costs.physical_counts import count_section
from gatesolve.division.account import LeafRecord
from gatesolve.division.tree import Part
from gatesolve.errors import InputError, UnsupportedError
from gatesolve.formats.problem import Problem
from gatesolve.formats.problem_record import record_problem, restore_problem
from gatesolve.model.content import content_key
from gatesolve.model.presolve.branch import narrow_model
from gatesolve.pipelines.answer import Answer
from gatesolve.pipelines.protocol import Pipeline, Spent
from gatesolve.pipelines.registry import find_pipeline
from gatesolve.planning import Clock, TooLarge


@dataclass(frozen=True)
class Searched:
    """The outcome of a leaf's search.

    Attributes:
        record: what it took; None where it was too large after all.
        solution: if one was found, over the problem's variables.
        answer: with the circuit; None where an earlier run found it.
        seconds: by stage, where it was not in this process.
    """

    record: LeafRecord | None
    solution: dict[str, int] | None = None
    answer: Answer | None = None
    seconds: dict[str, float] | None = None

    def as_dict(self) -> dict[str, Any]:
        """For a file: all but the circuit."""
        return {"record": None if self.record is None else asdict(self.record), "solution": self.solution}


def restore_searched(data: dict[str, Any]) -> Searched | None:
    """Restore what `Searched.as_dict` wrote; None for anything else."""
    try:
        record = data["record"]
        if record is None:
            return Searched(None)
        path = tuple((str(name), int(value)) for name, value in record["path"])
        return Searched(LeafRecord(**{**record, "path": path}), data["solution"])
    except (KeyError, TypeError, ValueError):
        return None


@collect_rarely()  # in a process of its own, too
def search_leaf(problem: Problem, part: Part, pipeline: Pipeline[Any], options: Any, clock: Clock) -> Searched:
    """Search a part as if nobody knew whether it has a solution, and account for it.

    The search is that for an unknown number of solutions, or where ``solutions`` assumes one, first one run with
    phases matched to that. Of the part's number in the tree and the seed everything random is drawn.
    """
    start = time.perf_counter()
    chosen = options.for_part(draw_seed(options.seed, part))
    leaf = replace(problem, model=narrow_model(problem.model, part.given))
    answer = pipeline.plan_and_search(leaf, chosen, clock)
    if isinstance(answer, TooLarge):  # its space fits, no oracle of it does
        if not answer.divides or all(len(values) == 1 for values in leaf.model.domains.values()):
            raise answer.error()
        return Searched(None)
    assert pipeline.account is not None
    record = _record(part, answer, pipeline.account(chosen, answer), time.perf_counter() - start)
    return Searched(record, answer.solution, answer)


def draw_seed(seed: int, part: Part) -> int:
    """The seed of a leaf, which depends on nothing but the run's and where the leaf is in the tree."""
    return int(np.random.SeedSequence(seed, spawn_key=part.number).generate_state(1)[0] % 2**31)


def _record(part: Part, answer: Answer, spent: Spent, seconds: float) -> LeafRecord:
    """Return the record of a leaf's effort."""
    compiled = answer.compiled
    counted = [] if compiled is None else [(n, count_section(compiled.program, s)) for s, n in spent.sections.items()]
    deduced = None if compiled is None else compiled.provenance.deductions
    return LeafRecord(
        path=part.path,
        status=answer.status,
        presolve=answer.presolve,
        deductions=0 if deduced is None else deduced.number,
        probes=0 if deduced is None else deduced.probes,
        space_size=0 if compiled is None else compiled.program.space.size,
        marked=0 if compiled is None else compiled.certificate.marked or 0,
        oracle_calls=answer.oracle_calls or 0,
        cx=spent.cx,
        t=sum(times * counts.t for times, counts in counted),
        rotations=sum(times * counts.rotations for times, counts in counted),
        qubits=0 if compiled is None else compiled.program.num_qubits,
        miss_probability=spent.miss_probability,
        seconds=seconds,
    )


def make_task(problem: Problem, pipeline: Pipeline[Any], options: Any) -> Callable[[Part], str]:
    """How to write the task of a part, as data that any machine with gatesolve can search.

    Raises:
        UnsupportedError: a constraint of the user's own, which is not data.
    """
    try:
        whole, key = record_problem(problem), content_key(problem.model)
    except UnsupportedError as error:
        raise UnsupportedError(f"{error}, or leave out jobs and dask") from error
    declared, settled = problem.model.domains, vars(options)

    def write(part: Part) -> str:
        given = {name: list(values) for name, values in part.given.items() if values != declared[name]}
        path = [list(step) for step in part.path]
        told = {"pipeline": pipeline.name, "options": settled, "path": path, "number": part.number, "given": given}
        return json.dumps({"problem": whole, "key": key, **told})

    return write


def run_task(task: str) -> Searched:
    """Search the leaf that a task describes."""
    data = json.loads(task)
    problem = _restore(json.dumps(data["problem"]), data["key"])
    given = {**problem.model.domains, **{name: tuple(values) for name, values in data["given"].items()}}
    path = tuple((name, value) for name, value in data["path"])
    part = Part(path, tuple(data["number"]), given, None, Fraction())
    pipeline, clock = find_pipeline(data["pipeline"]), Clock()
    found = search_leaf(problem, part, pipeline, pipeline.options(**data["options"]), clock)
    return replace(found, seconds=clock.seconds)


@lru_cache(maxsize=1)
def _restore(record: str, key: str) -> Problem:
    """The problem of a run, read once a process."""
    problem = restore_problem(json.loads(record))
    if content_key(problem.model) != key:
        raise InputError("another version of gatesolve reads this problem differently: install the same everywhere")
    return problem
