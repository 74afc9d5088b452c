"""Operations to gates, with multi-controlled ones by the best rule."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gatesolve.circuit.lowering.gates import LowGate, emit_gates
from gatesolve.circuit.lowering.rules.mcz import expand_mcz
from gatesolve.circuit.lowering.target import PLAIN, LoweringTarget
from gatesolve.circuit.ops import Op


def emit(ops: Iterable[Op], aim: LoweringTarget = PLAIN) -> Iterator[LowGate]:
    """Gates for ``ops``, as `emit_gates`, multi-controlled ones by the rule that is best for ``aim``."""
    return emit_gates(ops, aim, expand_mcz)
