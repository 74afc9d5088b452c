"""A search as small plain data for the page while it runs: for 2^24 states a few hundred numbers."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from fractions import Fraction
from typing import Any

from gatesolve.api.result import Result
from gatesolve.circuit.ops import Op
from gatesolve.division.account import Division
from gatesolve.division.run import LeafEvent, PartReached
from gatesolve.pipelines.answer import Compiled, as_number
from gatesolve.pipelines.events import AnglesTried, Improved, LayersFollowed, ReadsMade
from gatesolve.pipelines.protocol import describe_certificate
from gatesolve.pipelines.registry import PIPELINES, find_pipeline
from gatesolve.planning import Layout, Presolved
from gatesolve.programs import best_iterations
from gatesolve.programs.amplification import count_whole
from gatesolve.programs.program import Program, find_oracle, find_reflection
from gatesolve.programs.section import describe_size
from gatesolve.simulate.space import Marked, run_grover

MOST_SHOWN = 240
"""Most variables, blocks and conditions that are listed."""
MOST_OPS = 1200
"""Most operations of the oracle that are drawn."""
MOST_FRAMES = 400
"""Most numbers of iterations whose amplitudes are sent."""
MOST_BARS = 64
"""Most marked states that are named, and most energies of reads."""
MOST_COSTS = 40
"""Most costs whose probabilities are shown."""
Event = dict[str, Any]
PAUSE = 0.05
"""Least seconds between two events of a frequent kind."""
Number = tuple[int, ...]


def tell_presolved(found: Presolved, is_searched: bool) -> Iterator[Event]:
    """Yield the events before there is an oracle: presolve, the space, the amplitudes if it ``is_searched``."""
    yield _tell_presolve(found.before.domains, found)
    yield {**_tell_space(found), "choices": len(found.spaces)}
    # The amplitudes of a search depend only on the numbers of states and of solutions, so no circuit is needed.
    if is_searched and found.spaces[0].num_qubits and (told := tell_search(found.mark_solutions(), None)) is not None:
        yield told


def tell_layout(found: Layout) -> Iterator[Event]:
    """Yield the chosen space, and the oracle."""
    yield {**_tell_space(found), "encoding": found.provenance.encoding}
    if found.space.num_qubits:
        yield _tell_oracle(found)


def tell_compiled(compiled: Compiled, is_new: bool, is_searched: bool) -> Iterator[Event]:
    """Yield all facts about a circuit; its oracle if that ``is_new``, its amplitudes if it ``is_searched``."""
    program = compiled.program
    yield _tell_presolve(compiled.problem.model.domains, compiled.layout)
    yield {**_tell_space(program), "encoding": compiled.encoding, "ancillas": program.num_ancillas}
    if find_oracle(program) is not None and program.space.num_qubits:
        if is_new:
            yield _tell_oracle(program)
        reflection = find_reflection(program) if program.section("iteration").oracle else ()
        parts = {"preparation": program.section("preparation").ops, "diffusion": reflection}
        told = {name: [_tell_op(op) for op in ops[:MOST_OPS]] for name, ops in parts.items()}
        yield {"event": "iteration", "qubits": program.num_qubits, **told}
    codewords = compiled.marked_codewords
    if is_searched and compiled.level is not None and codewords is not None and program.num_qubits:
        search = tell_search(codewords, program.iterations)
        if search is not None:
            yield search
    yield tell_certificate(compiled)


def _tell_space(found: Presolved | Layout | Program) -> Event:
    space = found.spaces[0] if isinstance(found, Presolved) else found.space
    return {
        "event": "space",
        "states": str(space.size),
        "log2": math.log2(space.size),
        "qubits": space.num_qubits,
        "more": max(0, len(space.blocks) - MOST_SHOWN),
        "blocks": [
            {"kind": block.kind, "variables": list(block.variables), "states": block.size, "qubits": block.num_qubits}
            for block in space.blocks[:MOST_SHOWN]
        ],
    }


def _tell_oracle(found: Layout | Program) -> Event:
    oracle, facts = (found.oracle, found) if isinstance(found, Layout) else (find_oracle(found), found.search)
    assert oracle is not None
    return {
        "event": "oracle",
        "style": oracle.style,
        "level": facts.provenance and facts.provenance.level,
        "data": oracle.num_data,
        "qubits": oracle.num_qubits,
        "more": max(0, len(oracle.conditions) - MOST_SHOWN),
        "conditions": [{"cx": c.cost, "reads": sorted(c.qubits), **asdict(c)} for c in oracle.conditions[:MOST_SHOWN]],
        "ops": [_tell_op(op) for op in oracle.ops[:MOST_OPS]],
        "of": len(oracle.ops),
    }


def _tell_presolve(before: Mapping[str, Sequence[int]], found: Presolved | Layout) -> Event:
    """Return the values of each variable before and after presolve; a variable that follows from others has none."""
    after, deductions = found.model.domains, found.provenance.deductions
    space = found.spaces[0] if isinstance(found, Presolved) else found.space
    fixed = {step.name: getattr(step, "constant", None) for step in found.recovery.steps if not hasattr(step, "terms")}
    rows = []
    for name, values in before.items():
        if len(values) > 1:
            # A variable that presolve removed has either a constant or a formula of others.
            left = list(after[name]) if name in after else [] if fixed.get(name) is None else [fixed[name]]
            rows.append({"name": name, "before": list(values)[:20], "after": left})
    return {
        "event": "presolve",
        "setting": found.provenance.presolve,
        "assignments": describe_size(math.prod(len(values) for values in before.values())),
        "states": describe_size(space.size),
        "notes": list(found.provenance.notes),
        "deductions": None if deductions is None else deductions.describe(),
        "more": max(0, len(rows) - MOST_SHOWN),
        "variables": rows[:MOST_SHOWN],
    }


def _tell_op(op: Op) -> list[Any]:
    """Return kind, sign, parities read, wire changed; -1 where only a phase changes."""
    drawn = op.glyph()
    inputs = [asdict(parity) for parity in drawn.inputs]
    return [drawn.kind, drawn.sign, inputs, -1 if drawn.target is None else drawn.target]


def tell_search(codewords: Marked, taken: int | None) -> Event | None:
    """Return the amplitudes of marked and other states by iterations, past the best number; None for none marked.

    ``taken`` is the iterations of the circuit, None as long as there is no circuit.
    """
    if not len(codewords.numbers):
        return None
    # Exact: the state stays in the space, where all marked states have one amplitude and all others another.
    best = best_iterations(codewords.size, len(codewords.numbers))
    # Past the best number the success falls and rises again, which the page shows.
    last = 3 * best + 3
    # Rounded up, so that there are at most this many frames.
    step = -(-last // MOST_FRAMES)
    frames = []
    for k in sorted({*range(0, last + 1, step), best, best if taken is None else taken}):
        state = run_grover(codewords, k)
        frames.append([k, state.marked, state.unmarked, state.success_probability])
    return {
        "event": "search",
        "size": codewords.size,
        "marked": len(codewords.numbers),
        "numbers": codewords.numbers[:MOST_BARS].tolist(),
        "best": best,
        "taken": taken,
        "frames": frames,
    }


def tell_result(result: Result) -> Iterator[Event]:
    """Yield the events that only the pipeline of a run has."""
    details: Any = result.details
    # Pipelines are loaded by name: the descent of an energy and the reads of a sampler are known by their fields.
    if hasattr(details, "improvements"):
        steps = zip(details.improvements, details.energies, strict=True)
        yield tell_descent([(s.oracle_calls, e, s.iterations) for s, e in steps], result.oracle_calls)
    if hasattr(details, "sampler"):
        energies = [(float(energy), times) for energy, times in details.energies]
        told = ReadsMade(details.sampler, details.reads, float(details.best), details.hits, tuple(energies))
        yield {**tell_energies(told), "energy": float(details.energy), "variables": details.variables}
    if isinstance(result.division, Division):
        yield {"event": "division", "lines": [[what, number] for what, number in result.division.lines()]}


def tell_descent(steps: Sequence[tuple[int, Fraction | None, int]], calls: int | None) -> Event:
    """Return oracle calls, energy and iterations of each improvement; ``calls`` in all, None while it runs."""
    shown = [[at, None if energy is None else as_number(energy), k] for at, energy, k in steps]
    return {"event": "descent", "steps": shown, "calls": calls}


def tell_energies(found: ReadsMade) -> Event:
    """Return the number of occurrences of each energy so far, the least first."""
    return {
        "event": "energies",
        "sampler": found.sampler,
        "reads": found.reads,
        "hits": found.hits,
        "best": found.best,
        "energies": [list(energy) for energy in found.energies[:MOST_BARS]],
    }


def tell_layers(found: LayersFollowed) -> Iterator[Event]:
    """Yield the probability of each cost before and after each layer of QAOA, and the landscape of its angles."""
    yield {
        "event": "layers",
        "costs": found.costs[:MOST_COSTS].tolist(),
        "layers": found.chances[:, :MOST_COSTS].tolist(),
        "success": found.success.tolist(),
        "means": found.means.tolist(),
        "gammas": found.gammas.tolist(),
        "betas": found.betas.tolist(),
    }
    if len(found.gammas):
        factors, means, name = found.scan()
        if float(means.max()) > float(means.min()):
            yield {"event": "landscape", "factors": factors, "means": means.tolist(), "name": name}


def tell_certificate(compiled: Compiled) -> Event:
    """Describe the checks of a circuit."""
    checked = compiled.certificate
    if compiled.level is not None:
        words = describe_certificate(checked).replace("\n", " ")
        return {"event": "certificate", "words": words, "marked": checked.marked}
    what, _, how = checked.method.partition(", ")
    words = f"checked: the {what} of the circuit equals the costs on {checked.checked} of {checked.of} states"
    return {"event": "certificate", "words": f"{words} ({how})" if how else words, "marked": None}


def tell_counts(compiled: Compiled) -> Iterator[Event]:
    """Yield counts of the lowered circuit, the oracle's first: those of the whole can take a while."""
    program, counted = compiled.program, dict[str, Any]()
    if compiled.level is not None and program.num_qubits:
        counted["one oracle call"] = program.resources("oracle").as_dict()
        yield {"event": "counts", "iterations": compiled.oracle_calls, "counts": counted}
    whole = count_whole(program)
    counted = counted if whole is None else {**counted, "whole circuit": whole.as_dict()}
    yield {"event": "counts", "iterations": compiled.oracle_calls, "counts": counted}


class Watcher:
    """Receives the events of a search, and sends them to the page.

    ``told`` is the circuit that was sent, by its space and oracle. ``marks`` is True if the search marks solutions and
    amplifies them.
    """

    def __init__(self, pipeline: str, is_searched: bool, say: Callable[[Event], None]) -> None:
        self.say = say
        self.marks = pipeline in PIPELINES and not find_pipeline(pipeline).minimises
        self.amplified = is_searched and self.marks
        self.told: Layout | None = None
        self._steps: list[tuple[int, Fraction | None, int]] = []
        self._angles: list[list[float]] = []
        self._tree: dict[Number, str] = {}
        self._leaf: Number = ()
        self._last = 0.0

    def __call__(self, event: object) -> None:
        """Send an event to the page."""
        for told in self._tell(event):
            self.say(told)

    def _tell(self, event: object) -> Iterator[Event]:
        match event:
            case Presolved():
                self._steps = []
                yield from tell_presolved(event, self.amplified)
            # Other pipelines have layouts too, but no oracle to show: they are described once they are compiled.
            case Layout() if self.marks:
                yield from tell_layout(event)
            case Compiled():
                yield from self.tell_circuit(event, is_new=not self.marks)
            case Improved():
                self._steps.append((event.oracle_calls, event.energy, event.iterations))
                yield tell_descent(self._steps, None)
            case AnglesTried():
                self._angles.append([event.evaluations, event.value, event.best])
                if self._is_time():
                    yield from self._take_angles()
            case LayersFollowed():
                yield from self._take_angles()
                yield from tell_layers(event)
            case ReadsMade() if self._is_time():
                yield tell_energies(event)
            case PartReached():
                yield self._reach(event)
            case LeafEvent():
                yield self._leave(event)

    def tell_circuit(self, compiled: Compiled, is_new: bool = True) -> Iterator[Event]:
        """Yield all facts about a circuit, once it is compiled."""
        self.told = compiled.layout
        yield from tell_compiled(compiled, is_new, self.amplified)

    def _is_time(self) -> bool:
        now = time.monotonic()
        # Thousands of events a second would keep the page from drawing; the next one sent includes those left out.
        if now - self._last < PAUSE:
            return False
        self._last = now
        return True

    def _take_angles(self) -> Iterator[Event]:
        """Yield the angles tried since the last event."""
        if self._angles:
            yield {"event": "angles", "tried": self._angles}
            self._angles = []

    def _reach(self, event: PartReached) -> Event:
        """Return the parts that are new in the tree, and the changes of others, since the leaf before."""
        growth, waiting = event.frontier.growth, {part.number: part for part in event.frontier.waiting}
        changed = {number: "open" for number in waiting if number not in self._tree}
        changed[event.part.number] = "searching"
        for number in list(changed):
            for depth, place in enumerate(number):
                if self._tree.get(number[:depth], "open") != "inner":
                    changed[number[:depth]] = "inner"
                # Parts are tried in order, the likeliest first: earlier ones that were never sent were cut.
                gone = ((*number[:depth], k) for k in range(place))
                changed |= {one: "cut" for one in gone if one not in self._tree and one not in changed}
        left = [number for number, state in self._tree.items() if state == "open"]
        changed |= {number: "cut" for number in left if number not in waiting and number not in changed}
        self._tree |= changed
        self._leaf = event.part.number
        paths = {part.number: part.path for part in (*waiting.values(), event.part)}
        return {
            "event": "tree",
            "parts": [[number, _name(paths.get(number, ())), state] for number, state in changed.items()],
            "nodes": growth.nodes,
            "cut": growth.cut,
        }

    def _leave(self, event: LeafEvent) -> Event:
        """Return the outcome of a leaf."""
        record = event.record
        self._tree[self._leaf] = record.status
        said = f"{_name(record.path)}: {record.space_size} states, {record.oracle_calls} oracle calls"
        return {
            "event": "tree",
            "parts": [[self._leaf, said, record.status]],
            "nodes": event.parts,
            "cut": event.cut,
            "searched": event.searched,
            "left": event.share_left,
        }


def _name(path: tuple[tuple[str, int], ...]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in path)
