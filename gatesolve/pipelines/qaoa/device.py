"""QAOA on a device: angles chosen by exact simulation, one job of one circuit."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gatesolve.pipelines.device import Bench, End, NextCircuits, Round, describe_encoded, require_search
from gatesolve.pipelines.qaoa.compile import Ansatz, compile_ansatz
from gatesolve.pipelines.qaoa.options import QaoaOptions
from gatesolve.pipelines.ranking import rank_energies
from gatesolve.pipelines.task import Request


def next_circuits(request: Request[QaoaOptions], bench: Bench, done: Sequence[Round]) -> NextCircuits:
    """The circuit, or the end once it was measured; raises as `Bench` and `require_search`."""
    if done:
        return End()
    compiled = compile_ansatz(request)
    ansatz: Ansatz = compiled.details
    ranked = ansatz.ranked
    require_search(ranked.space.num_qubits, ranked.found.presolve)
    made, known = bench.prepare(compiled.program), rank_energies(ranked)
    found = bench.record(
        made,
        ranked.found.recovery,
        what={"pipeline": "qaoa", "layers": request.options.layers, **describe_encoded(ranked.found)},
        ideal=ansatz.success_probability,
        chance=made.noise_share(map(int, np.flatnonzero(ansatz.best))),
        marked=known.solutions,
        ranking=known.energies,
    )
    return bench.require_signal((found,))
