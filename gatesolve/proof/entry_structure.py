"""Anyone's oracle on too many codewords to run: value numbering of its qubits, compared with the constraints.

A circuit of X gates with any number of controls, swaps and sign flips computes XORs of ANDs. Suppose that every qubit
comes back to its value, and that one AND flips the sign. Then the sides of that AND are conditions on the data. They
are compared with the constraints, as the conditions of our own oracles are.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from gatesolve.circuit import Parity
from gatesolve.circuit.gf2 import list_bits
from gatesolve.encodings import Space
from gatesolve.errors import UnsupportedError
from gatesolve.model import Model
from gatesolve.oracle.condition import Condition, Flag
from gatesolve.proof.claim import Claim, prove, refuse
from gatesolve.proof.entry_words import QubitLayout
from gatesolve.proof.meaning import prove_conditions
from gatesolve.proof.structure import join_flips
from gatesolve.proof.values import ONE, Factors, Value, Values
from gatesolve.simulate.steps import Step


def prove_by_structure(
    model: Model,
    space: Space,
    steps: Iterable[Step],
    width: int,
    layout: QubitLayout,
    first: tuple[Sequence[bool], bool],
) -> Claim:
    """Judge whether a circuit marks what a model accepts, for any number of codewords.

    ``first`` is a codeword and whether the model holds there: signs count from its sign.

    Returns:
        A claim: ``proved``, or ``refused`` where a condition is none of the model's.

    Raises:
        UnsupportedError: what it computes is not followed, or not compared.
    """
    # The last input is the value with which the output enters.
    values = Values(space.num_qubits + 1)
    marked = follow_steps(values, steps, width, layout)
    bits, holds = first
    # A sign of all codewords is a global phase, so the first codeword decides which sign is the mark.
    if layout.output is None and values.evaluate(marked, bits) != holds:
        marked = (values.conjoin_all(marked) ^ ONE,)
    conditions = _group_literals(values, list_literals(values, marked), model, space)
    claims = prove_conditions(model, space, conditions)
    wrong = next((claim for claim in claims if claim.status == "refused"), None)
    if wrong is not None:
        return refuse("oracle", f"not the model's conditions: {wrong.detail}")
    if any(claim.status != "proved" for claim in claims):
        raise UnsupportedError(claims[0].detail)
    told = "1 condition is" if len(conditions) == 1 else f"{len(conditions)} conditions are"
    return prove("oracle", "structure", f"every qubit comes back, and {told} the model's")


def follow_steps(values: Values, steps: Iterable[Step], width: int, layout: QubitLayout) -> Factors:
    """Return the factors of the AND by which the sign, or the output, is flipped.

    Between two H gates an X flips a sign instead of a qubit.

    Raises:
        UnsupportedError: another step, or a qubit that does not come back.
    """
    held: list[Value] = [0] * width
    for number, qubit in enumerate(layout.data):
        held[qubit] = values.input(number)
    if layout.output is not None:
        held[layout.output] = values.input(values.num_inputs - 1)
    start, turned, flips = tuple(held), set[int](), Counter[frozenset[Value]]()
    for step in steps:
        *controls, target = step.qubits
        # A qubit between two H gates may only be the target of an X.
        inside = turned & set(controls) or (target in turned and step.kind not in {"x", "h"})
        if inside or (step.kind == "swap" and turned & set(step.qubits)):
            raise UnsupportedError("a qubit in superposition is read")
        match step.kind:
            case "h":
                turned ^= {target}
            case "x" if target not in turned:
                held[target] ^= values.conjoin_all(held[qubit] for qubit in controls)
            case "swap":
                held[controls[0]], held[target] = held[target], held[controls[0]]
            case "x" | "phase" if step.kind == "x" or abs(step.turn) == 0.5:
                flips[frozenset(held[qubit] for qubit in step.qubits)] += 1
            case _:
                raise UnsupportedError(f"a phase of {step.turn:g} of a turn is not followed")
    # A flip that is done twice cancels, and one with a factor 0 does nothing.
    signs = [tuple(sorted(factors)) for factors, times in flips.items() if times % 2 and 0 not in factors]
    return _find_mark(values, signs, start, tuple(held), turned, layout)


def _find_mark(
    values: Values,
    signs: Sequence[Factors],
    start: tuple[Value, ...],
    held: tuple[Value, ...],
    turned: set[int],
    layout: QubitLayout,
) -> Factors:
    kept = [k for k in range(len(start)) if k != layout.output]
    if turned or any(start[k] != held[k] for k in kept):
        raise UnsupportedError("a qubit is not seen to come back")
    marked = join_flips(signs)
    if layout.output is not None:
        if marked not in {(0,), (1,)}:
            raise UnsupportedError("signs are left")
        marked = (start[layout.output] ^ held[layout.output],)
    # The mark must not depend on what the output held.
    if marked is None or any(value & values.input(values.num_inputs - 1) for value in marked):
        raise UnsupportedError("the sign is flipped by no single AND of the data")
    return marked


def list_literals(values: Values, factors: Factors) -> list[Value]:
    """List the values that an AND needs; a value that is an AND itself is replaced by its sides."""
    todo, found = list(factors), dict[Value, None]()
    while todo:
        value = todo.pop()
        sides = values.open(value)
        if sides is not None:
            todo += sides
        elif value != ONE:
            found[value] = None
    return list(found)


def _group_literals(values: Values, literals: Sequence[Value], model: Model, space: Space) -> list[Condition]:
    home = {qubit: number for number in range(len(space.blocks)) for qubit in space.block_qubits(number)}
    names = defaultdict[frozenset[int], list[str]](list)
    for constraint in dict.fromkeys(model.constraints):
        names[frozenset(space.home[name][0] for name in constraint.scope)].append(str(constraint))
    # One condition for all literals on the same blocks, named after a constraint on these if there is only one.
    groups = defaultdict[frozenset[int], list[Value]](list)
    for literal in literals:
        condition = _make_condition(values, [literal], "")
        groups[frozenset(home[qubit] for qubit in condition.qubits)].append(literal)
    return [
        _make_condition(values, group, names[blocks][0] if len(names[blocks]) == 1 else "")
        for blocks, group in groups.items()
    ]


def _make_condition(values: Values, literals: Sequence[Value], label: str) -> Condition:
    """Return the AND of some values as a condition, with a flag for each AND below them."""
    used, todo = set[int](), list(literals)
    while todo:
        for atom in list_bits(todo.pop() >> 1):
            if atom >= values.num_inputs and atom not in used:
                used.add(atom)
                todo += values.sides[atom - values.num_inputs]
    flags = {atom: -1 - place for place, atom in enumerate(sorted(used))}

    def read(value: Value) -> Parity:
        return Parity(tuple(flags.get(atom, atom) for atom in list_bits(value >> 1)), bool(value & 1))

    sides = (map(read, values.sides[atom - values.num_inputs]) for atom in flags)
    return Condition(tuple(Flag(((left, right),)) for left, right in sides), tuple(map(read, literals)), label)
