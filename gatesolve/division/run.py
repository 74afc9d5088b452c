"""Dividing a problem and searching its leaves by the same pipeline as a whole one."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from gatesolve.division.account import Division, LeafRecord, Undivided
from gatesolve.division.executors import open_workers
from gatesolve.division.leaf import Searched, make_task, restore_searched, run_task, search_leaf
from gatesolve.division.sealed_log import SealedLog
from gatesolve.division.search import Keep, Start, search_leaves
from gatesolve.division.tree import Frontier, Growth, Part, PartTree
from gatesolve.errors import InfeasibleError, InputError
from gatesolve.formats.problem import Problem
from gatesolve.model import Model
from gatesolve.model.content import content_key
from gatesolve.model.presolve import presolve
from gatesolve.model.presolve.branch import backtrack
from gatesolve.pipelines.answer import Answer, round_down
from gatesolve.pipelines.protocol import Pipeline
from gatesolve.planning import Clock, SpaceLimits
from gatesolve.planning.ladder import encode_all, list_fitting, make_all

MOST_PARTS = 2_000
"""Parts after which a problem is left unfinished."""
BACKTRACKING_NODES = 300
"""Most nodes of plain backtracking for comparison. Each propagates, as each value tried to choose parts does: to choose
those of a board of 12x12 cells takes more, so that the comparison after the answer never takes most of the time."""
AHEAD = 2
"""Leaves begun for each process: one to search, one to be there when that is done."""


@dataclass(frozen=True)
class Machines:
    """Where leaves are searched, and where what came of them is kept.

    Attributes:
        jobs: processes.
        dask: address of a Dask scheduler, or ``local``; None for none.
        resume: a file that grows with every leaf, and whose leaves are not searched again; None for none.
        versions: of what shapes a search; leaves kept by others are not taken.
    """

    jobs: int = 1
    dask: str | None = None
    resume: Path | None = None
    versions: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class LeafEvent:
    """A leaf of a divided search has been searched.

    Attributes:
        record: what it took and what became of it.
        searched: leaves so far, this one too.
        parts: come to so far.
        cut: of these, refuted by propagation.
        share_left: of the tree, by its branches, from 0 to 1.
        seconds_left: at most, if what is left is like the rest; None as long as too little is known.
    """

    record: LeafRecord
    searched: int
    parts: int
    cut: int
    share_left: float
    seconds_left: int | None


WatchLeaves = Callable[[LeafEvent], None]


def solve_divided(
    problem: Problem,
    pipeline: Pipeline[Any],
    options: Any,
    clock: Clock,
    machines: Machines,
    probes: int,
    watch: WatchLeaves | None = None,
) -> Answer:
    """Search the leaves in the tree's order until one has an accepted solution; ``watch`` is told of each.

    ``probes`` says how many values were tried before it was found that the whole problem is too large.
    Of no leaf is it used whether it has a solution before its search has ended. The answer and the account are the same
    wherever the leaves are searched: what was begun ahead of its turn, and not needed, is left out of both.
    """
    options.check_divided()
    limits = options.limits()
    tree = PartTree(
        problem.model, lambda part: bool(list_fitting(make_all(part, limits, None), part, limits)), MOST_PARTS,
        options.search_refuted,
        drops=options.max_qubits is None,  # else whether a part fits is known only once it has an oracle
    )  # fmt: skip
    records, last, growth = list[LeafRecord](), Searched(None), Growth()
    with ExitStack() as stack:
        start, keep, width = _open(stack, problem, pipeline, options, clock, machines)
        began = time.monotonic()
        for found, frontier in search_leaves(tree, start, keep, width, clock):
            growth = frontier.growth
            if found is None or found.record is None:
                break
            records.append(found.record)
            last = found
            event = _tell_leaf(records, frontier, time.monotonic() - began)
            _report(clock, event)
            clock.tell(event)
            if watch is not None:
                watch(event)
            for stage, seconds in (found.seconds or {}).items():
                clock.seconds[stage] = clock.seconds.get(stage, 0.0) + seconds
            if found.solution is not None:
                break
    with clock.stage("compare"):
        plain = backtrack(problem.model, most_nodes=BACKTRACKING_NODES)
        whole = _measure_whole(problem.model, limits)
    grown = (probes + growth.probes, growth.nodes, growth.cut, growth.looks, growth.dropped, growth.depth)
    return _conclude(_answer(last, problem), Division(*grown, tuple(records), whole, plain), growth, options)


def _open(
    stack: ExitStack, problem: Problem, pipeline: Pipeline[Any], options: Any, clock: Clock, machines: Machines
) -> tuple[Start, Keep, int]:
    """How leaves are begun and kept, and how many are begun at most before the first is done."""
    log = SealedLog(machines.resume, "no kept search: name another file, or delete this one")
    key = _key(problem, pipeline, options, machines) if machines.resume is not None else lambda part: ""
    # Before workers are started, so that what cannot be sent is refused at once.
    write = None if machines.jobs == 1 and machines.dask is None else make_task(problem, pipeline, options)
    workers = stack.enter_context(open_workers(machines.jobs, machines.dask))

    def start(part: Part) -> Future[Searched]:
        known = None if (data := log.get(key(part))) is None else restore_searched(data)
        if known is not None:
            done: Future[Searched] = Future()
            done.set_result(known)
            return done
        if write is None:
            return workers.executor.submit(search_leaf, problem, part, pipeline, options, clock)
        return workers.executor.submit(run_task, write(part))

    def keep(part: Part, found: Searched) -> None:
        if machines.resume is not None and log.get(key(part)) is None:
            log.put(key(part), found.as_dict())

    return start, keep, 1 if workers.is_here else AHEAD * workers.number


def _key(problem: Problem, pipeline: Pipeline[Any], options: Any, machines: Machines) -> Callable[[Part], str]:
    """Return names of this search's leaves for a file that may keep other searches too."""
    try:
        search = content_key(problem.model, pipeline.name, vars(options), machines.versions)
    except TypeError as error:
        raise InputError(f"the search cannot be kept ({error}): leave out resume") from error
    return lambda part: content_key(search, part.path)


def _tell_leaf(records: Sequence[LeafRecord], frontier: Frontier, spent: float) -> LeafEvent:
    """The last leaf, and how long the others take if their part of the tree is like the rest."""
    left, growth = frontier.share, frontier.growth
    done = 1 - left
    seconds = math.ceil(spent * left / done) if done > Fraction(1, 1000) else None
    return LeafEvent(records[-1], len(records), growth.nodes, growth.cut, float(left), seconds)


def _report(clock: Clock, event: LeafEvent) -> None:
    """Tell people how far it is."""
    if clock.progress is not None:
        said = f", at most about {event.seconds_left} s left" if event.seconds_left else ""
        clock.progress(f"leaves searched: {event.searched}{said}", int(100 * (1 - event.share_left)), 100)


def _answer(last: Searched, problem: Problem) -> Answer | None:
    """The answer of the last leaf; of one that an earlier run searched there is no circuit any more."""
    record = last.record
    if record is None:
        return None
    answer = last.answer
    if answer is None:
        said = "nothing found in the last leaf" if last.solution is None else problem.accepted
        answer = Answer(
            status=record.status,
            message=f"{said}, by an earlier run, whose circuit is not kept",
            solution=last.solution,
            presolve=record.presolve,
        )
    if answer.solution is not None and problem.complaints(answer.solution):
        raise InputError("a kept solution breaks the rules of this problem: delete the file that resume names")
    return answer


def _conclude(last: Answer | None, division: Division, growth: Growth, options: Any) -> Answer:
    """The answer for the whole problem, from that of the last leaf."""
    searched, cut = len(division.leaves), division.cut
    calls = sum(leaf.oracle_calls for leaf in division.leaves)
    taken = getattr(options, "solutions", None)
    assumed = f", {taken} of whose codewords were taken for solutions at first" if taken else ""
    if growth.is_cut_short and (last is None or last.status != "solved"):
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
        said = f"{last.message}; found in leaf {searched} of a divided search{assumed}"
        return replace(last, message=said, oracle_calls=calls, solution_count=None, division=division)
    if all(leaf.status == "infeasible" for leaf in division.leaves):
        said = (
            f"propagation refuted {cut} parts, nothing was found in {searched} leaves in {calls} oracle calls, and "
            "their certificates, which list every codeword, prove that nothing is there"
        )
        return replace(last, status="infeasible", message=said, oracle_calls=calls, division=division)
    said = (
        f"nothing found in {searched} leaves in {calls} oracle calls; a solution would have been with probability "
        f"{round_down(division.miss_probability)}"
    )
    return replace(last, status="unsolved", message=said, oracle_calls=calls, division=division)


def _measure_whole(model: Model, limits: SpaceLimits) -> Undivided:
    """The smallest space of the whole problem after propagation."""
    with suppress(InfeasibleError):
        model = presolve(model, "propagate")[0]
    space = min(encode_all(model, limits, None), key=lambda one: one.size)
    return Undivided(space.size, space.num_qubits)
