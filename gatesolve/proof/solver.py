"""Search by a solver for a codeword on which conditions and constraints differ."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gatesolve.circuit import Parity
from gatesolve.encodings import Space
from gatesolve.errors import DoesNotFitError
from gatesolve.model import Constraint, Model
from gatesolve.model.reference import refuse_large, refuse_numbers, run_solver, to_cpmpy
from gatesolve.model.trees import Not
from gatesolve.oracle.condition import Condition

WORK = 20.0
"""Most deterministic time of OR-Tools for each of the two questions."""


@refuse_numbers()
def find_difference(
    model: Model,
    space: Space,
    conditions: Sequence[Condition],
    checked: Sequence[Condition],
    rest: Sequence[Constraint],
) -> str | None:
    """Describe a difference between conditions and constraints on a codeword; None if there is none.

    ``checked`` are the conditions that have to hold where the constraints do, and ``rest`` the constraints that have to
    hold where the conditions do. All others are known to.

    Raises:
        DoesNotFitError: the solver did not finish, or does not take the model's numbers.
    """
    import cpmpy as cp

    problem, values = to_cpmpy(Model(model.variables, model.constraints))
    wires = _Wires(space, values)
    # First question: do all constraints hold where some condition does not?
    if checked:
        broken = [~wires.read_condition(condition) for condition in checked]
        if _is_possible(problem + wires.rules + [cp.any(broken)]):
            return "a condition does not hold on a codeword on which all constraints do"
    if not rest:
        return None
    # Second question: do all conditions hold where some constraint does not? The constraints that are known to follow
    # are stated to help the solver.
    known = tuple(c for c in model.constraints if c not in set(rest))
    problem, values = to_cpmpy(Model(model.variables, known))
    wires = _Wires(space, values)
    held = [wires.read_condition(condition) for condition in conditions]
    broken = [Not(constraint).to_cpmpy(values) for constraint in rest]
    if _is_possible(problem + wires.rules + [*held, cp.any(broken)]):
        return "all conditions hold on a codeword on which a constraint does not"
    return None


def _is_possible(problem: Any) -> bool:
    refuse_large(problem)
    # OR-Tools 9.15 loses solutions of some models where it presolves them.
    status = run_solver(problem, num_workers=1, max_deterministic_time=WORK, cp_model_presolve=False)
    if status == "UNKNOWN":
        raise DoesNotFitError(f"the solver did not finish within {WORK} of its units of work")
    return status != "UNSATISFIABLE"


class _Wires:
    """Qubits and flags as variables of the solver, with the rules that define them."""

    def __init__(self, space: Space, values: dict[str, Any]) -> None:
        import cpmpy as cp

        self.rules: list[Any] = []
        self._values = values
        self._qubits: dict[int, Any] = {}
        for number, block in enumerate(space.blocks):
            bits = [cp.boolvar() for _ in range(block.num_qubits)]
            self._qubits |= dict(zip(space.block_qubits(number), bits, strict=True))
            words = [[word >> place & 1 for place in range(block.num_qubits)] for word in block.codewords]
            rows = [[*row, *word] for row, word in zip(block.tuples, words, strict=True)]
            self.rules.append(cp.Table([*(values[name] for name in block.variables), *bits], rows))

    def read_condition(self, condition: Condition) -> Any:
        """Return a variable that is true where a condition holds."""
        import cpmpy as cp

        held = dict(self._qubits)
        for number, flag in enumerate(condition.flags):
            parts = [self._read(flag.parity, held)] if flag.parity != Parity(()) else []
            for left, right in flag.products:
                parts.append(self._define(self._read(left, held) & self._read(right, held)))
            held[-1 - number] = self._add_up(parts)
        return self._define(cp.all([self._read(factor, held) for factor in condition.factors]))

    def _read(self, parity: Parity, held: dict[int, Any]) -> Any:
        value = self._add_up([held[wire] for wire in parity.wires])
        return ~value if parity.constant else value

    def _add_up(self, parts: list[Any]) -> Any:
        """The XOR of some variables."""
        import cpmpy as cp

        if len(parts) == 1:
            return parts[0]
        total = cp.boolvar()
        self.rules.append(cp.Xor([*parts, ~total]) if parts else ~total)
        return total

    def _define(self, expression: Any) -> Any:
        import cpmpy as cp

        variable = cp.boolvar()
        self.rules.append(variable == expression)
        return variable
