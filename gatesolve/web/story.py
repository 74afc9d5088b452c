"""What the page is told of a search, as small plain data: of a space of 2^24 states a few hundred numbers."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from gatesolve.api.result import Result
from gatesolve.circuit.ops import And, Mcx, Op, PhaseFlip, Xor
from gatesolve.pipelines import best_iterations
from gatesolve.pipelines.protocol import describe_certificate
from gatesolve.pipelines.task import Compiled, as_number
from gatesolve.simulate.space import run_grover

MOST_SHOWN = 240
"""Variables, blocks and conditions that are listed one by one."""
MOST_OPS = 1200
"""Operations of the oracle that are drawn."""
MOST_FRAMES = 400
"""Numbers of iterations whose amplitudes are sent."""
MOST_BARS = 64
"""Marked states that are named."""

Event = dict[str, Any]


def tell_compiled(compiled: Compiled) -> Iterator[Event]:
    """Presolve, the space and the oracle."""
    yield _tell_presolve(compiled)
    space = compiled.program.space
    yield {
        "event": "space",
        "states": str(space.size),
        "log2": math.log2(space.size),
        "encoding": compiled.encoding,
        "qubits": space.num_qubits,
        "ancillas": compiled.program.num_ancillas,
        "more": max(0, len(space.blocks) - MOST_SHOWN),
        "blocks": [
            {"kind": block.kind, "variables": list(block.variables), "states": block.size, "qubits": block.num_qubits}
            for block in space.blocks[:MOST_SHOWN]
        ],
    }
    oracle = compiled.program.search_oracle
    if oracle is not None and space.num_qubits:
        yield {
            "event": "oracle",
            "style": oracle.style,
            "level": compiled.level,
            "data": oracle.num_data,
            "qubits": oracle.num_qubits,
            "more": max(0, len(oracle.conditions) - MOST_SHOWN),
            "conditions": [
                {"label": c.label, "cx": c.cost, "qubits": len(c.qubits), "method": c.method}
                for c in oracle.conditions[:MOST_SHOWN]
            ],
            "ops": [_tell_op(op) for op in oracle.ops[:MOST_OPS]],
            "of": len(oracle.ops),
        }


def _tell_presolve(compiled: Compiled) -> Event:
    """The values of each variable before and after; a variable that follows from others has none of its own."""
    before, after = compiled.problem.model.domains, compiled.model.domains
    fixed = {
        step.name: getattr(step, "constant", None) for step in compiled.recovery.steps if not hasattr(step, "terms")
    }
    rows = []
    for name, values in before.items():
        if len(values) > 1:
            left = list(after[name]) if name in after else [] if fixed.get(name) is None else [fixed[name]]
            rows.append({"name": name, "before": list(values)[:20], "after": left})
    return {
        "event": "presolve",
        "setting": compiled.presolve,
        "notes": list(compiled.encoded.notes),
        "deductions": None if compiled.encoded.deductions is None else compiled.encoded.deductions.describe(),
        "more": max(0, len(rows) - MOST_SHOWN),
        "variables": rows[:MOST_SHOWN],
    }


def _tell_op(op: Op) -> list[Any]:
    """Name, wires read, wire changed; -1 where only a phase changes."""
    match op:
        case And():
            return ["AND†" if op.undo else "AND", [*op.left.wires, *op.right.wires], op.target]
        case Xor():
            return ["XOR", list(op.source.wires), op.target]
        case Mcx():
            return ["MCX", [wire for wire, _ in op.controls], op.target]
        case PhaseFlip():
            return ["PHASE", sorted({wire for factor in op.factors for wire in factor.wires}), -1]
        case _:
            return [type(op).__name__.upper(), [], getattr(op, "target", 0)]


def tell_search(compiled: Compiled) -> Event | None:
    """The amplitudes of marked and other states by iterations, well past the best number; None where they are unknown.

    Exact: the state stays in the space, and all marked states have one amplitude, all others another.
    """
    codewords = compiled.marked_codewords
    if codewords is None or compiled.level is None or not len(codewords.numbers) or not compiled.program.num_qubits:
        return None
    best = best_iterations(codewords.size, len(codewords.numbers))
    last = 3 * best + 3
    step = -(-last // MOST_FRAMES)
    frames = []
    for k in sorted({*range(0, last + 1, step), best, compiled.program.iterations}):
        state = run_grover(codewords, k)
        frames.append([k, state.marked, state.unmarked, state.success_probability])
    return {
        "event": "search",
        "size": codewords.size,
        "marked": len(codewords.numbers),
        "numbers": codewords.numbers[:MOST_BARS].tolist(),
        "best": best,
        "taken": compiled.program.iterations,
        "frames": frames,
    }


def tell_result(result: Result) -> Iterator[Event]:
    """What only the pipeline of a run has to show."""
    details = result.details
    if result.options.pipeline == "gas" and details is not None:
        steps = zip(details.improvements, details.energies, strict=True)  # type: ignore[attr-defined]
        yield {
            "event": "descent",
            "steps": [[s.oracle_calls, None if e is None else as_number(e), s.iterations] for s, e in steps],
            "calls": result.oracle_calls,
        }
    if result.options.pipeline == "qaoa" and result.compiled is not None:
        yield _tell_levels(result.compiled)
    if result.options.pipeline == "anneal" and details is not None:
        found = details.outcome  # type: ignore[attr-defined]
        yield {
            "event": "energies",
            "sampler": found.sampler,
            "reads": found.reads,
            "hits": found.hits,
            "energy": float(found.energy),
            "best": float(found.best),
            "variables": details.variables,  # type: ignore[attr-defined]
        }
    if result.division is not None:
        lines = result.division.lines()  # type: ignore[attr-defined]
        yield {"event": "division", "lines": [[str(what), str(number)] for what, number in lines]}


def _tell_levels(compiled: Compiled) -> Event:
    """The probability of each cost in the final state, beside that of a uniform draw; and the angles."""
    import numpy as np

    ansatz = compiled.details
    costs = ansatz.ranked.costs
    levels, place = np.unique(costs, return_inverse=True)
    chance = np.bincount(place, weights=np.abs(ansatz.state) ** 2)
    uniform = np.bincount(place) / len(costs)
    return {
        "event": "levels",
        "levels": [[int(c), float(p), float(u)] for c, p, u in zip(levels, chance, uniform, strict=True)][:40],
        "gammas": list(ansatz.outcome.angles.gammas),
        "betas": [list(layer) for layer in ansatz.outcome.angles.betas],
        "success": ansatz.success_probability,
    }


def tell_certificate(compiled: Compiled) -> Event:
    """What was checked, in words."""
    checked = compiled.certificate
    words = describe_certificate(checked).replace("\n", " ")
    if compiled.level is None:
        words = (
            f"checked: the {checked.method} of the circuit equals the costs on {checked.checked} of {checked.of} states"
        )
    return {"event": "certificate", "words": words, "marked": checked.marked}


def tell_counts(compiled: Compiled) -> Event:
    """The circuit's counts, measured on the lowered circuit: that can take a while."""
    program = compiled.program
    counted = {"whole circuit": program.resources().as_dict()}
    if compiled.level is not None and program.num_qubits:
        counted = {"one oracle call": program.oracle_resources().as_dict(), **counted}
    return {"event": "counts", "iterations": compiled.oracle_calls, "counts": counted}
