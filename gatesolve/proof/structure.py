"""Proof that a phase oracle's operations mark the conjunction of its conditions, for any number of states.

The operations have to be computations, phase flips, and the inverses of the computations in mirrored order. Then all
but the flips cancels: data comes back as it was, ancillas come back as zero, and relative phases of ANDs are gone. What
remains is the sign where the flips' factors are 1, as values of the data. Those are compared with the conditions'.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from gatesolve.circuit import Ops, PhaseFlip, inverse
from gatesolve.errors import UnsupportedError
from gatesolve.oracle.condition import Condition
from gatesolve.proof.claim import Claim, prove, refuse
from gatesolve.proof.values import ONE, Conjunction, Factors, Value, Values, read_parity

METHOD = "value numbering"


def prove_structure(ops: Ops, num_data: int, num_qubits: int, conditions: Sequence[Condition]) -> Claim:
    """Judge whether an oracle's operations flip the sign where all conditions hold, and leave every qubit as it was.

    Data qubits come first, the others are zero.

    Cost: one lookup an operation; a number of a bit for each AND and each qubit is XORed for every wire read.
    """
    number = count_mirrored(ops)
    compute, middle = ops[:number], ops[number : len(ops) - number]
    wrong = next((k for k, op in enumerate(middle) if not isinstance(op, PhaseFlip)), None)
    if wrong is not None:
        return refuse("structure", f"operation {number + wrong} is not undone in mirrored order")
    values = Values(num_data)
    held = [values.input(qubit) if qubit < num_data else 0 for qubit in range(num_qubits)]
    try:
        values.run(compute, held)
        marked = join_flips(values.run(middle, held))
    except (UnsupportedError, IndexError) as error:
        return refuse("structure", f"the operations are not those of an oracle: {error}")
    if marked is None:
        return refuse("structure", "the phase is no single AND")
    items = [read_condition(condition, values) for condition in conditions]
    factors = list(chain.from_iterable(items))
    # A sign of all states is a global phase: to flip it on all other states is the same circuit.
    others = [values.conjoin_all(factors) ^ ONE]
    if not _is_same(values, marked, factors) and not _is_same(values, marked, others):
        found = Conjunction(values, marked)
        missing = (one for one, item in zip(conditions, items, strict=True) if not all(map(found.holds, item)))
        label = next((f"the phase does not need condition '{one.label}'" for one in missing), None)
        return refuse("structure", label or "the phase needs more than the conditions")
    return prove("structure", METHOD, f"{len(ops)} operations flip the sign where {len(items)} conditions hold")


def _is_same(values: Values, left: Sequence[Value], right: Sequence[Value]) -> bool:
    """Return whether the ANDs of some values and of others are seen to be one function."""
    found, asked = Conjunction(values, left), Conjunction(values, right)
    return found.implies(asked, values) and asked.implies(found, values)


def lends_zeros(ops: Ops, num_data: int, num_qubits: int) -> bool:
    """Return whether all qubits that operations borrow as zeros are seen to be zero there."""
    values = Values(num_data)
    try:
        values.run(ops, [values.input(qubit) if qubit < num_data else 0 for qubit in range(num_qubits)])
    except UnsupportedError:
        return False
    return True


def count_mirrored(ops: Ops) -> int:
    """Count the operations at the start whose inverses end the list, in mirrored order."""
    number = 0
    while 2 * number + 1 < len(ops) and ops[-1 - number] == inverse(ops[number : number + 1])[0]:
        number += 1
    return number


def join_flips(flips: Sequence[Factors]) -> Factors | None:
    """Join phase flips, up to a global sign: one of several factors, or any number of one factor each."""
    wide = [factors for factors in flips if len(factors) > 1]
    if not wide:
        value = 0
        for factors in flips:
            value ^= factors[0] if factors else ONE
        return (value,)
    # A flip of a constant is a global sign.
    rest = [factors for factors in flips if len(factors) == 1 and factors[0] > ONE]
    return wide[0] if len(wide) == 1 and not rest else None


def read_condition(condition: Condition, values: Values) -> Factors:
    """Return the values of a condition's factors."""
    held = {qubit: values.input(qubit) for qubit in condition.qubits}
    for number, flag in enumerate(condition.flags):
        value = read_parity(flag.parity, held)
        for left, right in flag.products:
            value ^= values.conjoin(read_parity(left, held), read_parity(right, held))
        held[-1 - number] = value
    return tuple(read_parity(factor, held) for factor in condition.factors)
