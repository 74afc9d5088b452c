"""A small language for phase circuits of CX and Toffoli gates, and its circuits in OpenQASM.

A plan is read from top to bottom. Values are parities such as ``x0+x3+1``; a wire's name is what it holds now.

* ``a = x0 & x1``: the AND of two parities on a wire that is zero; ``a = x0+x1``: a copy.
* ``x2 ^= x0 & x1``: in place, on a wire that neither parity reads; ``x2 ^= x0+1``.
* ``phase t & x0 & x1``: -1 where all of one, two or three parities are 1.

All but the phases is undone at the end, in reverse. Between two H on the target ``t`` a phase on ``t & f`` is
``t ^= f``.
"""

from __future__ import annotations

from dataclasses import dataclass

from gatesolve.circuit import Parity, independent_parities

Gate = tuple[str, tuple[int, ...]]
"""A gate's name and its wires; of a measurement, its wire and the classical bit."""


@dataclass(frozen=True)
class Step:
    """One line of a plan.

    Attributes:
        target: the wire that takes the product; None for a phase.
        factors: up to two parities, three of a phase.
        clean: the target is zero before.
    """

    target: int | None
    factors: tuple[Parity, ...]
    clean: bool = False


@dataclass(frozen=True)
class Plan:
    """A phase circuit: wires by name in their order, the inputs and the target ``t`` first, and its steps."""

    wires: tuple[str, ...]
    steps: tuple[Step, ...]


def read_plan(text: str, inputs: int) -> Plan:
    """The plan that a text says; wires named on the left of ``=`` are added after the target.

    Raises:
        ValueError: a line that is none of a plan, or an unknown wire.
    """
    wires = [*(f"x{k}" for k in range(inputs)), "t"]
    steps = []
    for line in filter(None, (part.strip() for part in text.splitlines())):
        left, sign, right = line.partition(" ^= ") if " ^= " in line else line.partition(" = ")
        if line.startswith("phase "):
            steps.append(Step(None, _factors(line.removeprefix("phase "), wires)))
            continue
        if not sign:
            raise ValueError(f"not a line of a plan: {line}")
        factors = _factors(right, wires)
        if sign == " = ":
            wires.append(left)
        steps.append(Step(wires.index(left), factors, sign == " = "))
    return Plan(tuple(wires), tuple(steps))


def _factors(text: str, wires: list[str]) -> tuple[Parity, ...]:
    """Parities joined by ``&``."""
    return tuple(
        Parity.xor_all(Parity((), True) if name == "1" else Parity((wires.index(name),)) for name in one.split("+"))
        for one in text.replace(" ", "").split("&")
    )


def write_qasm(plan: Plan, measured: bool) -> str:
    """The whole circuit in OpenQASM 3, or 2 without measurement.

    Args:
        plan: of the phase.
        measured: ANDs on zeroed wires are erased by measurement in the X basis and a CZ that waits for the outcome.
    """
    writer = _Writer()
    turn = plan.wires.index("t")
    writer.add("h", turn)
    for step in plan.steps:
        writer.do(step)
    for step in reversed(plan.steps):
        if step.target is None:
            continue
        if measured and step.clean and len(step.factors) == 2:
            writer.erase(step.target, step.factors)
        else:
            writer.do(step)
    writer.add("h", turn)
    return writer.text(len(plan.wires))


class _Writer:
    """Gates over X, H, Z, CX, CZ and CCX, in order."""

    def __init__(self) -> None:
        self._gates: list[Gate] = []
        self._bits = 0

    def add(self, name: str, *wires: int) -> None:
        self._gates.append((name, wires))

    def do(self, step: Step) -> None:
        """The step, which is its own inverse."""
        if step.target is None:
            self._joined(step.factors, ("z", "cz", "ccz")[len(step.factors) - 1])
        elif len(step.factors) == 2:
            self._joined(step.factors, "ccx", step.target)
        else:
            for wire in step.factors[0].wires:
                self.add("cx", wire, step.target)
            if step.factors[0].constant:
                self.add("x", step.target)

    def erase(self, target: int, factors: tuple[Parity, ...]) -> None:
        """The target, which holds the AND of two parities, is measured away; X just before is no more than a sign."""
        bit, self._bits = self._bits, self._bits + 1
        last = next(k for k in reversed(range(len(self._gates))) if target in self._gates[k][1])
        if self._gates[last] == ("x", (target,)):
            del self._gates[last]
        self.add("h", target)
        self.add("measure", target, bit)
        self._joined(factors, f"if (c[{bit}]) cz")

    def _joined(self, factors: tuple[Parity, ...], name: str, *target: int) -> None:
        """A gate whose controls are parities: each is made in place on one of its wires, and undone."""
        controls = independent_parities(factors)
        if controls is None or len(controls) < len(factors) or any(set(target) & set(one.wires) for one in controls):
            raise ValueError(f"parities that depend on each other, or on the target: {factors}")
        gather: list[Gate] = []
        for control in controls:
            gather += [("cx", (wire, control.wires[0])) for wire in control.wires[1:]]
            gather += [("x", control.wires[:1])] * control.constant
        wires = tuple(control.wires[0] for control in controls) + target
        gates: list[Gate] = [(name, wires)]
        if name == "ccz":
            turn = ("h", wires[:1])
            gates = [turn, ("ccx", (*wires[1:], wires[0])), turn]
        self._gates += [*gather, *gates, *reversed(gather)]

    def text(self, wires: int) -> str:
        """The lines as OpenQASM."""
        if not self._bits:
            head = ["OPENQASM 2.0;", 'include "qelib1.inc";', f"qreg q[{wires}];"]
        else:
            head = ["OPENQASM 3.0;", 'include "stdgates.inc";', f"qubit[{wires}] q;", f"bit[{self._bits}] c;"]
        return "\n".join([*head, *map(_line, _cancelled(self._gates))]) + "\n"


def _cancelled(gates: list[Gate]) -> list[Gate]:
    """Without pairs that undo each other, with nothing on their wires in between."""
    kept: list[Gate] = []
    for gate in gates:
        last = next((k for k in reversed(range(len(kept))) if set(kept[k][1]) & set(gate[1])), None)
        if last is not None and kept[last] == gate and gate[0] in {"cx", "x", "h"}:
            del kept[last]
        else:
            kept.append(gate)
    return kept


def _line(gate: Gate) -> str:
    name, wires = gate
    if name == "measure":
        return f"c[{wires[1]}] = measure q[{wires[0]}];"
    return f"{name} {','.join(f'q[{wire}]' for wire in wires)};"
