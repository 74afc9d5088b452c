"""QAOA on a device: angles chosen by exact simulation, one job of one circuit."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gatesolve.formats.problem import Problem
from gatesolve.pipelines.device import Bench, End, NextCircuits, Round, describe_provenance, require_search
from gatesolve.pipelines.qaoa.compile import Ansatz, compile_ansatz
from gatesolve.pipelines.qaoa.options import QaoaOptions
from gatesolve.pipelines.ranking import rank_energies
from gatesolve.planning import Clock, Layout


def next_circuits(
    problem: Problem, layout: Layout, options: QaoaOptions, clock: Clock, bench: Bench, done: Sequence[Round]
) -> NextCircuits:
    """The circuit, or the end once it was measured; raises as `Bench` and `require_search`."""
    if done:
        return End()
    compiled = compile_ansatz(problem, layout, options, clock)
    ansatz: Ansatz = compiled.details
    ranked = ansatz.ranked
    require_search(ranked.space.num_qubits, layout.provenance.presolve)
    made, known = bench.prepare(compiled.program), rank_energies(ranked)
    found = bench.record(
        made,
        layout.recovery,
        what={"pipeline": "qaoa", "layers": options.layers, **describe_provenance(layout.provenance)},
        ideal=ansatz.success_probability,
        chance=made.noise_share(map(int, np.flatnonzero(ansatz.best))),
        marked=known.solutions,
        ranking=known.energies,
    )
    return bench.require_signal((found,))
