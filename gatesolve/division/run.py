"""Division of a problem, and the search of its leaves by the same pipeline as a whole problem.

A leaf is searched here or on another machine: its task is data, and a record comes back. Leaves are searched in the
order of the tree, some of them ahead of their turn.
"""

from __future__ import annotations

import json
import math
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import ExitStack, suppress
from dataclasses import asdict, dataclass, field, replace
from fractions import Fraction
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from gatesolve.circuit.collection import collect_rarely
from gatesolve.costs.physical_counts import count_section
from gatesolve.division.account import Division, LeafRecord, Undivided
from gatesolve.division.executors import open_workers
from gatesolve.division.sealed_log import SealedLog
from gatesolve.division.tree import Frontier, Growth, Part, PartTree
from gatesolve.errors import InfeasibleError, InputError, UnsupportedError
from gatesolve.formats.problem import Problem
from gatesolve.formats.problem_record import record_problem, restore_problem
from gatesolve.model import Model
from gatesolve.model.content import content_key
from gatesolve.model.presolve import presolve
from gatesolve.model.presolve.branch import backtrack, narrow_model
from gatesolve.model.reference import seek_within
from gatesolve.pipelines.answer import Answer, Status, as_number, round_down
from gatesolve.pipelines.protocol import Pipeline, Spent
from gatesolve.pipelines.registry import find_pipeline
from gatesolve.pipelines.thresholds import worth
from gatesolve.planning import Clock, SpaceLimits, TooLarge
from gatesolve.planning.ladder import encode_all, list_fitting, make_all

Start = Callable[[Part], "Future[Searched]"]
MOST_PARTS = 2_000
"""Parts after which a problem is left unfinished."""
BACKTRACKING_NODES = 300
"""Most nodes of plain backtracking, which is run for comparison. Each node propagates, as does each value tried to
choose parts. The parts of a board of 12x12 cells take more, so that the comparison never takes most of the time."""
OBJECTIVE_SPACE = 1 << 16
"""Most states of a part of an objective, unless ``max_space`` says another number: each threshold has a new oracle."""
BOUND_WORK = 10.0
"""How long OR-Tools may work on a part of an objective: its deterministic time, some seconds."""
AHEAD = 2
"""Leaves begun for each process: one in work, and one that waits so that the process is never idle."""


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
    """Search a part without using whether it has a solution, and record the effort.

    The number of solutions is unknown to the search. Where ``solutions`` assumes one, a run with phases matched to it
    comes first.
    """
    start = time.perf_counter()
    # Random draws depend only on the run's seed and on the leaf's place in the tree, not on where it is searched.
    seed = np.random.SeedSequence(options.seed, spawn_key=part.number).generate_state(1)[0] % 2**31
    wanted = None if part.best is None else as_number(problem.restore_energy(Fraction(-part.best)))
    chosen = options.for_part(int(seed), wanted)
    leaf = problem.narrow(narrow_model(problem.model, part.given), "branched")
    answer = pipeline.plan_and_search(leaf, chosen, clock)
    # The space of a leaf fits, but there may be no oracle of it that does.
    if isinstance(answer, TooLarge):
        # A part with one value for each variable cannot be divided.
        if not answer.divides or all(len(values) == 1 for values in leaf.model.domains.values()):
            raise answer.error()
        return Searched(None)
    assert pipeline.account is not None
    spent = pipeline.account(chosen, answer)
    if problem.goal is not None:
        answer = keep_better(problem, part, answer, spent)
    record = _record(part, answer, spent, time.perf_counter() - start)
    return Searched(record, answer.solution, answer)


def keep_better(problem: Problem, part: Part, answer: Answer, spent: Spent) -> Answer:
    """Return the answer of a leaf for an objective; one that is no better than the best so far is none."""
    objective, found = problem.model.objective, answer.solution
    assert objective is not None
    if found is not None and (part.best is None or worth(objective, objective.value(found)) > part.best):
        return answer
    status: Status = "infeasible" if answer.status == "infeasible" or spent.proves else "unsolved"
    return replace(answer, status=status, solution=None, exact_energy=None, optimal=None)


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
        is_closed=answer.status == "infeasible" or (answer.status == "solved" and answer.optimal is not False),
    )


def make_task(problem: Problem, pipeline: Pipeline[Any], options: Any) -> Callable[[Part], str]:
    """Return a function that writes the task of a part as data, which any machine with gatesolve can search.

    Raises:
        UnsupportedError: a constraint of the user's own, which is not data.
    """
    try:
        whole, key = record_problem(problem), content_key(problem.model)
    except UnsupportedError as error:
        raise UnsupportedError(f"{error}, or leave out jobs and dask") from error
    declared, settled = problem.model.domains, vars(options)

    def write(part: Part) -> str:
        # Only narrowed domains are written: the problem has the others.
        given = {name: list(values) for name, values in part.given.items() if values != declared[name]}
        path = [list(step) for step in part.path]
        told = {"pipeline": pipeline.name, "options": settled, "path": path, "number": part.number}
        told |= {"given": given, "best": part.best}
        return json.dumps({"problem": whole, "key": key, **told})

    return write


def run_task(task: str) -> Searched:
    """Search the leaf that a task describes."""
    data = json.loads(task)
    problem = _restore(json.dumps(data["problem"]), data["key"])
    given = {**problem.model.domains, **{name: tuple(values) for name, values in data["given"].items()}}
    path = tuple((name, value) for name, value in data["path"])
    part = Part(path, tuple(data["number"]), given, None, Fraction(), data["best"])
    pipeline, clock = find_pipeline(data["pipeline"]), Clock()
    found = search_leaf(problem, part, pipeline, pipeline.options(**data["options"]), clock)
    return replace(found, seconds=clock.seconds)


@lru_cache(maxsize=1)
def _restore(record: str, key: str) -> Problem:
    """Restore the problem of a run, once per process."""
    problem = restore_problem(json.loads(record))
    if content_key(problem.model) != key:
        raise InputError("another version of gatesolve reads this problem differently: install the same everywhere")
    return problem


@dataclass(frozen=True)
class PartReached:
    """Event: a leaf is about to be searched; ``frontier`` is the walk after it."""

    part: Part
    frontier: Frontier


Keep = Callable[[Part, Searched], None]

Step = tuple[Searched | None, Frontier]
"""What came of the next leaf, and where the walk is then; None after the last leaf."""


def search_leaves(tree: PartTree, start: Start, keep: Keep, width: int, clock: Clock) -> Iterator[Step]:
    """Yield the leaves in the order of the tree, even if they end in another order; too large ones are divided.

    Args:
        tree: how the problem is divided.
        start: begins to search a leaf.
        keep: is called with each leaf and its outcome, as soon as that is known.
        width: most leaves that are begun before the first of them ends.
        clock: times the division.
    """
    with clock.stage("divide"):
        frontier = tree.start()
    # ``ahead`` holds leaves before their turn, each with the walk after it. ``begun`` also holds leaves that a division
    # moved further back, so that none of them is searched twice.
    ahead = deque[tuple[Part, Frontier]]()
    begun: dict[tuple[int, ...], Future[Searched]] = {}
    waiting: dict[Future[Searched], Part] = {}
    while True:
        last = ahead[-1][1] if ahead else frontier
        while len(ahead) < width:
            with clock.stage("divide"):
                part, last = tree.advance(last)
            if part is None:
                break
            clock.tell(PartReached(part, last))
            ahead.append((part, last))
            if part.number not in begun:
                begun[part.number] = start(part)
                waiting[begun[part.number]] = part
        if not ahead:
            yield None, last
            return
        part, after = ahead.popleft()
        first = begun[part.number]
        while first in waiting:
            _keep_done(waiting, keep)
        found = first.result()
        if found.record is None:
            # The new parts come before the leaves begun ahead; these are found in ``begun`` when their turn comes.
            with clock.stage("divide"):
                frontier = tree.divide(part, after)
            ahead.clear()
            continue
        frontier = tree.learn(after, found.solution)
        del begun[part.number]
        yield found, frontier


def _keep_done(waiting: dict[Future[Searched], Part], keep: Keep) -> None:
    for one in wait(waiting, return_when=FIRST_COMPLETED).done:
        part = waiting.pop(one)
        # A leaf that failed ahead of its turn may never have been reached.
        if one.exception() is None:
            keep(part, one.result())


@dataclass(frozen=True)
class Machines:
    """Where leaves are searched, and where what came of them is kept.

    Attributes:
        jobs: processes.
        dask: address of a Dask scheduler, or ``local``; None for none.
        resume: a file that grows with every leaf, and whose leaves are not searched again; None for none.
        versions: of the software that shapes a search; leaves kept by other versions are not reused.
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
    """Search the leaves in the tree's order until one has an accepted solution, or with an objective until all are.

    No search uses whether its leaf has a solution. The answer and the account are the same wherever the leaves are
    searched, without work that was begun ahead of its turn and not needed.

    Args:
        problem: the whole problem.
        pipeline: searches each leaf.
        options: those of the pipeline.
        clock: receives times, progress and events.
        machines: where leaves are searched, and where their outcomes are kept.
        probes: values tried before the whole problem was found to be too large.
        watch: is called with the event of each leaf.

    Raises:
        InputError: options that a divided search cannot have, or a kept solution that breaks the rules.
        UnsupportedError: a constraint of the user's own, which cannot be sent to workers.
    """
    options.check_divided()
    # A part of a Qubo is one of an objective.
    asked, problem = problem, problem.state_objective()
    most = options.max_space or (None if problem.goal is None else OBJECTIVE_SPACE)
    options = replace(options, presolve="auto", max_space=most)
    tree = make_tree(problem, options)
    records, last, growth = list[LeafRecord](), Searched(None), Growth()
    with ExitStack() as stack:
        start, keep, width = _open(stack, problem, pipeline, options, clock, machines)
        began = time.monotonic()
        for found, frontier in search_leaves(tree, start, keep, width, clock):
            growth = frontier.growth
            if found is None or found.record is None:
                break
            records.append(found.record)
            if found.solution is not None or last.solution is None:
                last = found
            event = _tell_leaf(records, frontier, time.monotonic() - began)
            _report(clock, event)
            clock.tell(event)
            if watch is not None:
                watch(event)
            for stage, seconds in (found.seconds or {}).items():
                clock.seconds[stage] = clock.seconds.get(stage, 0.0) + seconds
            if found.solution is not None and problem.goal is None:
                break
    with clock.stage("compare"):
        plain = None if problem.goal else backtrack(problem.model, most_nodes=BACKTRACKING_NODES)
        whole = _measure_whole(problem.model, options.limits())
    parts = (growth.nodes, growth.cut, growth.bounded, growth.branches, growth.looks, growth.dropped, growth.depth)
    division, answer = Division(probes + growth.probes, *parts, tuple(records), whole, plain), _answer(last, problem)
    conclude = _conclude if problem.goal is None else partial(_conclude_best, asked)
    return conclude(answer, division, growth, options)


def make_tree(problem: Problem, options: Any) -> PartTree:
    """Return how a problem is divided."""
    limits, objective, best = options.limits(), problem.model.objective, None
    if objective is not None and options.threshold is not None:
        # Only what is worth more than the threshold counts.
        best = math.floor(worth(objective, 1) * Fraction(str(options.threshold)) * problem.scale)
    return PartTree(
        problem.model,
        lambda part: bool(list_fitting(make_all(part, limits, None), part, limits)),
        MOST_PARTS,
        options.search_refuted,
        # With a limit of qubits, only its oracle shows whether a part fits, so values are not dropped until one does.
        drops=options.max_qubits is None,
        seek=None if objective is None else partial(seek_within, work=BOUND_WORK),
        best=best,
    )


def _open(
    stack: ExitStack, problem: Problem, pipeline: Pipeline[Any], options: Any, clock: Clock, machines: Machines
) -> tuple[Start, Keep, int]:
    """Return how leaves are begun and kept, and the most that are begun before the first ends."""
    log = SealedLog(machines.resume, "no kept search: name another file, or delete this one")
    key = _key(problem, pipeline, options, machines) if machines.resume is not None else lambda part: ""
    # Before workers are started, so that what cannot be sent is refused at once.
    write = None if machines.jobs == 1 and machines.dask is None else make_task(problem, pipeline, options)
    workers = stack.enter_context(open_workers(machines.jobs, machines.dask))

    def start(part: Part) -> Future[Searched]:
        # A record that cannot be read counts as missing: its leaf is searched again.
        known = None if (data := log.get(key(part))) is None else restore_searched(data)
        if known is not None:
            done: Future[Searched] = Future()
            done.set_result(known)
            return done
        if write is None:
            return workers.executor.submit(search_leaf, problem, part, pipeline, options, clock)
        return workers.executor.submit(run_task, write(part))

    def keep(part: Part, found: Searched) -> None:
        # A leaf that came from the file is not written again.
        if machines.resume is not None and log.get(key(part)) is None:
            log.put(key(part), found.as_dict())

    # With an objective the threshold of a leaf is known only after the leaf before.
    return start, keep, 1 if workers.is_here or problem.goal else AHEAD * workers.number


def _key(problem: Problem, pipeline: Pipeline[Any], options: Any, machines: Machines) -> Callable[[Part], str]:
    # The file may keep other searches too, so that a key names the search and the leaf.
    try:
        search = content_key(problem.model, pipeline.name, vars(options), machines.versions)
    except TypeError as error:
        raise InputError(f"the search cannot be kept ({error}): leave out resume") from error
    return lambda part: content_key(search, part.path, part.best)


def _tell_leaf(records: Sequence[LeafRecord], frontier: Frontier, spent: float) -> LeafEvent:
    """Return the event of the last leaf, with the time that the rest takes if it is like what is done."""
    left, growth = frontier.share, frontier.growth
    done = 1 - left
    # Below a thousandth of the tree an extrapolation means nothing.
    seconds = math.ceil(spent * left / done) if done > Fraction(1, 1000) else None
    return LeafEvent(records[-1], len(records), growth.nodes, growth.cut, float(left), seconds)


def _report(clock: Clock, event: LeafEvent) -> None:
    """Report progress, if there is a listener."""
    if clock.progress is not None:
        said = f", at most about {event.seconds_left} s left" if event.seconds_left else ""
        clock.progress(f"leaves searched: {event.searched}{said}", int(100 * (1 - event.share_left)), 100)


def _answer(last: Searched, problem: Problem) -> Answer | None:
    """Return the answer of the last leaf; without a circuit if an earlier run searched it."""
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
    # A kept file is input like any other: its solution is checked again.
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
        f"nothing found in {searched} leaves in {calls} oracle calls; an existing solution is found with probability "
        f"{round_down(division.miss_probability)}"
    )
    return replace(last, status="unsolved", message=said, oracle_calls=calls, division=division)


def _conclude_best(problem: Problem, last: Answer | None, division: Division, growth: Growth, options: Any) -> Answer:
    """Return the answer for the whole problem with an objective, from that of the leaf with the best solution."""
    is_closed = not growth.is_cut_short and all(leaf.is_closed for leaf in division.leaves)
    caught = round_down(division.miss_probability)
    leaves = len(division.leaves)
    why = f"parts refuted classically: {division.cut}, searched and certified on every codeword: {leaves}"
    if growth.is_cut_short:
        why = f"unfinished after {division.nodes} parts: a larger max_space makes fewer"
    bare = Answer(status="infeasible", message=why, solution=None, presolve="propagate")
    answer = replace(last or bare, division=division, oracle_calls=division.totals["oracle_calls"], solution_count=None)
    if answer.solution is not None:
        energy = problem.energy(answer.solution)
        assert energy is not None
        said = f"nothing better exists ({why})"
        if not is_closed:
            said = f"anything better would have been found with probability {caught}"
        if growth.is_cut_short:
            said = f"whether there is a better one is not known ({why})"
        message = f"{problem.goal_name} {as_number(energy)}: {said}"
        return replace(answer, message=message, exact_energy=energy, optimal=is_closed)
    sought = "nothing" if options.threshold is None else f"nothing better than threshold={options.threshold}"
    said = f"{sought} exists ({why})" if is_closed else f"{sought} was found ({why})"
    status: Status = "infeasible" if is_closed and options.threshold is None else "unsolved"
    return replace(answer, status=status, message=said)


def _measure_whole(model: Model, limits: SpaceLimits) -> Undivided:
    """Measure the smallest space of the whole problem after propagation."""
    # A problem that propagation refutes is measured as it was declared.
    with suppress(InfeasibleError):
        model = presolve(model, "propagate")[0]
    space = min(encode_all(model, limits, None), key=lambda one: one.size)
    return Undivided(space.size, space.num_qubits)
