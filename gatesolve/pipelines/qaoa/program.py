"""QAOA in a space: start, then in turn a phase by the cost and a mixer that never leaves the codewords.

Source: Farhi, Goldstone, Gutmann, arXiv:1411.4028; mixers on codewords, Hadfield et al., arXiv:1709.03489;
Grover's mixer, Baertschi and Eidenbenz, arXiv:2006.00354.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from numpy.typing import ArrayLike

from gatesolve.circuit import Ops
from gatesolve.circuit.cost import count_cx
from gatesolve.circuit.lowering import GateSet
from gatesolve.circuit.ops import rename_wires
from gatesolve.circuit.pennylane import apply_ops
from gatesolve.circuit.pennylane_gates import require_pennylane
from gatesolve.encodings.mixer import Mixer, is_unary, mixers_for
from gatesolve.encodings.space import Space
from gatesolve.errors import AncillaBudgetError, InputError
from gatesolve.gate_sets import Metric
from gatesolve.pipelines.qaoa.mixers import mixer_ops
from gatesolve.pipelines.qaoa.phase import PhaseLayer, Report, make_phase_layer
from gatesolve.pipelines.qaoa.working import WorkingForm, keep_blocks, number_blocks, warm_start
from gatesolve.programs.program import Program
from gatesolve.programs.reflection import find_mirror
from gatesolve.programs.section import Section
from gatesolve.qubo.cost import Cost
from gatesolve.simulate.qaoa import read_angles

BlockCoding = Literal["auto", "encoded", "numbers"]
MOST_LAYERS = 10_000
"""Most layers of one circuit."""


@dataclass(frozen=True)
class QaoaTemplate:
    """All of a QAOA circuit but its angles: made once, for many angles.

    Attributes:
        space: the search space.
        mixers: one a block, or the global one alone.
        working: the form in which the layers hold the blocks.
        phase: the phase layer in that form.
        num_ancillas: after the space's qubits.
    """

    space: Space
    mixers: tuple[Mixer, ...]
    working: WorkingForm
    phase: PhaseLayer
    num_ancillas: int

    @property
    def start(self) -> Ops:
        """Preparation of the uniform superposition, in the working form."""
        return rename_wires(self.working.space.preparation, self._wires)

    def layer(self, gamma: float, betas: Sequence[float], gates: GateSet = "cx+u") -> Ops:
        """One phase and one mixer layer.

        ``gates`` says what a phase on several qubits is to save.
        """
        inner, wires = self.working.space, self._wires
        clean = range(inner.num_qubits, len(wires))
        return rename_wires((*self.phase.ops(gamma), *mixer_ops(inner, self.mixers, betas, clean, gates)), wires)

    def cx(self, layers: int) -> int:
        """CX of so many layers, before the passes of lowering."""
        one = count_cx(self.layer(1.0, [1.0] * len(self.mixers)))
        return count_cx(self.start) + layers * one + count_cx(self.working.finish)

    def program(
        self,
        gammas: ArrayLike,
        betas: ArrayLike,
        *,
        warm: Sequence[Sequence[float] | None] | None = None,
        gates: GateSet = "cx+u",
        metric: Metric = "cx",
    ) -> Program:
        """The circuit at given angles.

        Args:
            gammas: shape (p,).
            betas: shape (p,), or (p, number of mixers) for an angle of each block's own.
            warm: for each block the probabilities of its codewords at the start, or None; None for all uniform.
            gates: gate set for lowering.
            metric: what lowering chooses rules by.

        Raises:
            InputError: angles that are no finite numbers or do not fit together, more than 10,000 layers, or
                probabilities that do not fit the blocks.
            UnsupportedError: probabilities for a block of too many qubits.
        """
        turns, mixing = read_angles(gammas, betas, len(self.mixers))
        if len(turns) > MOST_LAYERS:
            raise InputError(f"{len(turns)} layers are more than {MOST_LAYERS}: choose fewer")
        layers = (self.layer(gamma, row, gates) for gamma, row in zip(turns.tolist(), mixing.tolist(), strict=True))
        start = self.start if warm is None else rename_wires(warm_start(self.working.space, warm), self._wires)
        sections = [Section("preparation", start), *(Section("layer", ops) for ops in layers)]
        if self.working.finish:
            sections.append(Section("decoding", self.working.finish))
        return Program(self.space, tuple(sections), self.num_ancillas, gates, metric=metric)

    def to_pennylane(self) -> Callable[[Any, Any], None]:
        """A quantum function of PennyLane that takes gammas and betas, which may be its trainable tensors.

        Wires are those of `Program.to_pennylane`; shapes of the angles those of `program`.

        Raises:
            UnsupportedError: PennyLane is not installed.
        """
        math = require_pennylane().math

        def ansatz(gammas: Any, betas: Any) -> None:
            apply_ops(self.start)
            for gamma, row in zip(gammas, betas, strict=True):
                apply_ops(self.layer(gamma, [row] * len(self.mixers) if math.ndim(betas) == 1 else row))
            apply_ops(self.working.finish)

        return ansatz

    @property
    def _wires(self) -> tuple[int, ...]:
        """Where the working space's qubits are, and ancillas for it: idle data qubits first."""
        own = range(self.space.num_qubits, self.space.num_qubits + self.num_ancillas)
        return (*self.working.wires, *self.working.idle, *own)


def qaoa_template(
    space: Space,
    cost: Cost,
    mixers: Sequence[Mixer] | None = None,
    *,
    block_coding: BlockCoding = "auto",
    layers: int = 8,
    ancillas: int | None = None,
    report: Report = lambda *_: None,
) -> QaoaTemplate:
    """Choose the circuits of phase and mixers.

    Args:
        space: the search space.
        cost: what the phases sum up.
        mixers: one a block, or the global one alone; each block's default where None.
        block_coding: ``encoded`` for layers on the space's own codewords, ``numbers`` for layers that hold blocks of
            one qubit a value as numbers and decode them at the end, ``auto`` for the one of fewer CX.
        layers: how many are to be cheap, for ``auto``.
        ancillas: most of them; None for as many as save CX.
        report: called with (done, total) as parts of the phase are written.

    Raises:
        AncillaBudgetError: the budget is too small.
        DoesNotFitError: a constraint has no circuit.
        InputError: mixers that do not fit the blocks.
        UnsupportedError: a mixer has no circuit.

    Cost: of the phase see `make_phase_layer`; a hop of one-hot 2 CX; a Grover mixer two preparations and one phase.
    """
    chosen = tuple(mixers_for(space) if mixers is None else mixers)
    forms: list[WorkingForm] = [] if block_coding == "numbers" else [keep_blocks(space)]
    if block_coding == "numbers" or (block_coding == "auto" and any(is_unary(b) and b.size > 1 for b in space.blocks)):
        forms.append(number_blocks(space))
    templates = []
    for number, working in enumerate(forms):
        spare = len(working.idle)

        def tell(done: int, total: int, before: int = number) -> None:
            report(before * total + done, len(forms) * total)

        phase = make_phase_layer(cost, working.space, None if ancillas is None else ancillas + spare, tell)
        needed = max(phase.num_ancillas, _mixer_ancillas(working.space, chosen)) - spare
        if ancillas is not None and needed > ancillas:
            raise AncillaBudgetError(f"a mixer needs {needed} ancilla, {ancillas} are allowed", least=needed)
        templates.append(QaoaTemplate(space, chosen, working, phase, max(0, needed)))
    return min(templates, key=lambda template: template.cx(layers))


def _mixer_ancillas(space: Space, mixers: Sequence[Mixer]) -> int:
    """One where a phase on more than three roots has no idle qubit."""
    chosen: list[Sequence[int] | None] = [[k] for k, mixer in enumerate(mixers) if mixer.kind == "grover"]
    if any(mixer.kind == "grover-global" for mixer in mixers):
        chosen = [None]
    found = (find_mirror(space, "cx", numbers, needs_idle=True) for numbers in chosen)
    return int(any(len(mirror.roots) > 3 and not mirror.idle for mirror in found))
