"""Compiling circuits to a device's own gates, couplings and qubits, keeping the one likeliest to run without error."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from qiskit import QuantumCircuit
from qiskit.circuit import AncillaRegister, CircuitInstruction, Clbit, Qubit

from gatesolve.devices.fidelity import estimate, list_branches
from gatesolve.devices.isa_place import place_circuit
from gatesolve.errors import BackendError, DoesNotFitError
from gatesolve.pipelines.device import IsaCircuit

if TYPE_CHECKING:
    from qiskit.providers import BackendV2
    from qiskit.transpiler import StagedPassManager, Target

SPARES = (0, 1, 2)
"""Idle qubits offered to gates that can use ancillas."""
HOPELESS = 1e-4
"""Estimated success below which no further compilations are tried: a better one would drown in noise too."""
FINALISTS = 4
"""Circuits that are compiled with all seeds."""
SYNTHESISED = frozenset({"mcx", "c3x", "c4x", "c3sx"})
"""Names of gates that Qiskit's high-level synthesis makes with whatever ancillas there are."""
BROKEN = 0.5
"""Error from which a two-qubit gate is of no use; devices report 1 for pairs that were not calibrated."""
TIMING = ("dt", "granularity", "min_length", "pulse_alignment", "acquire_alignment")
GATELESS = ("num_qubits", *TIMING, "qubit_properties", "concurrent_measurements")
"""What of a target does not depend on its gates."""


def compile_isa(circuits: Mapping[str, QuantumCircuit], backend: BackendV2, *, seeds: Sequence[int]) -> IsaCircuit:
    """Compile circuits that do the same, and keep the best.

    Each is compiled by Qiskit's preset pass manager at optimization level 3, multi-controlled X by gatesolve's rules;
    those that have such gates also with idle qubits beside their own. The best few are compiled with every seed, and
    moved to the qubits on which they are likeliest to succeed. Dynamic circuits are left out where the device cannot
    branch. Where it reports no error rates, the one of the fewest two-qubit gates is best.

    Cost: a compilation by Qiskit for each circuit and number of spares, and for each finalist and seed.
    """
    if not circuits or not seeds:
        raise ValueError("at least one circuit and one seed are needed")
    fitting = {name: circuit for name, circuit in circuits.items() if circuit.num_qubits <= backend.num_qubits}
    if not fitting:
        least = min(circuit.num_qubits for circuit in circuits.values())
        raise DoesNotFitError(
            f"{least} qubits do not fit {backend.name}, {backend.num_qubits} would: "
            "use a larger backend, fewer ancillas, or encoding='table'"
        )
    can_branch = "if_else" in backend.target.operation_names
    running = {name: one for name, one in fitting.items() if can_branch or "if_else" not in one.count_ops()}
    if not running:
        raise BackendError(f"{backend.name} runs no gates that depend on a measured bit: leave out measured")
    device = _DeviceTarget(backend, drop_broken_pairs(backend.target), median_error(backend.target))
    first = list(_first_round(running, device, seeds[0]))
    # Every circuit with one seed, then the best few with all.
    best = sorted(first, key=lambda found: found.rank)[:FINALISTS]
    if not device.hopes(best[0], HOPELESS):
        return best[0]
    more = [_compile(running[one.source], device, one.source, one.spares, seed) for one in best for seed in seeds[1:]]
    ranked = sorted((*best, *more), key=lambda found: found.rank)
    moved = (
        measure_isa(place_circuit(one.circuit, backend.target), backend, one.source, one.spares, one.seed)
        for one in ranked[:FINALISTS]
    )
    return min(moved, key=lambda found: found.rank)


@dataclass(frozen=True)
class _DeviceTarget:
    """The target of a compilation: a device, its working part and the typical error of its two-qubit gates."""

    backend: BackendV2
    target: Target
    error: float

    def hopes(self, found: IsaCircuit, least: float) -> bool:
        """Whether so many gates can succeed with probability ``least``, here or on qubits of the usual error."""
        return found.fidelity is None or found.fidelity >= least or (1 - self.error) ** found.two_qubit >= least


def _first_round(circuits: Mapping[str, QuantumCircuit], device: _DeviceTarget, seed: int) -> Iterator[IsaCircuit]:
    """Every circuit with one seed; no more of them once one shows that there is nothing to hope for."""
    for name, circuit in circuits.items():
        wide = [k for k in SPARES if circuit.num_qubits + k <= device.backend.num_qubits]
        for spare in [0] if SYNTHESISED.isdisjoint(circuit.count_ops()) else wide:
            found = _compile(circuit, device, name, spare, seed)
            yield found
            if not device.hopes(found, HOPELESS**2):
                return


def _compile(circuit: QuantumCircuit, device: _DeviceTarget, name: str, spares: int, seed: int) -> IsaCircuit:
    return measure_isa(_transpile(add_spares(circuit, spares), device, seed), device.backend, name, spares, seed)


def add_spares(circuit: QuantumCircuit, spares: int) -> QuantumCircuit:
    """The circuit with so many idle qubits after its own, as ancillas for the synthesis of its gates."""
    if not spares:
        return circuit
    wider = circuit.copy()
    wider.add_register(AncillaRegister(spares, "spare"))
    return wider


def measure_isa(circuit: QuantumCircuit, backend: BackendV2, source: str, spares: int, seed: int) -> IsaCircuit:
    """Counts and estimates of a circuit in the device's gates."""
    found = estimate(circuit, backend.target)
    return IsaCircuit(
        circuit=circuit,
        two_qubit=_count_pairs(circuit),
        two_qubit_depth=_count_layers(circuit, _is_pair),
        depth=_count_layers(circuit, lambda i: not _is_directive(i)),
        fidelity=None if found is None else found.fidelity,
        duration=None if found is None else found.duration,
        source=source,
        spares=spares,
        seed=seed,
    )


def _is_directive(instruction: CircuitInstruction) -> bool:
    return bool(getattr(instruction.operation, "_directive", False))


def _is_pair(instruction: CircuitInstruction) -> bool:
    return len(instruction.qubits) == 2 and not _is_directive(instruction)


def _count_pairs(circuit: QuantumCircuit) -> int:
    """Gates on two qubits; Qiskit's own count takes a branch for one gate, whatever is in it."""
    return sum(
        max(map(_count_pairs, blocks)) if (blocks := list_branches(instruction)) else _is_pair(instruction)
        for instruction in circuit.data
    )


def _count_layers(circuit: QuantumCircuit, counts: Callable[[CircuitInstruction], bool]) -> int:
    """Layers of the instructions that count, branches looked into as in `_count_pairs`."""
    reached: dict[Qubit | Clbit, int] = {}
    for instruction in circuit.data:
        bits = (*instruction.qubits, *instruction.clbits)
        blocks = list_branches(instruction)
        own = max(_count_layers(block, counts) for block in blocks) if blocks else int(counts(instruction))
        reached |= dict.fromkeys(bits, max((reached.get(bit, 0) for bit in bits), default=0) + own)
    return max(reached.values(), default=0)


def _transpile(circuit: QuantumCircuit, device: _DeviceTarget, seed: int) -> QuantumCircuit:
    from qiskit.transpiler import TranspilerError

    try:
        return _make_passes(device.backend, device.target, seed).run(circuit)
    except TranspilerError as error:
        if device.target is not device.backend.target:
            # Too wide for what works, or in parts that are not joined: over broken pairs then.
            return _transpile(circuit, replace(device, target=device.backend.target), seed)
        said = " ".join(str(error).split())
        raise BackendError(f"Qiskit cannot compile for {device.backend.name}: {said}") from error


def _make_passes(backend: BackendV2, target: Target, seed: int) -> StagedPassManager:
    """Qiskit's preset passes of optimization level 3, with the backend's own translation and our multi-controlled X."""
    from qiskit.transpiler import PassManager, generate_preset_pass_manager
    from qiskit.transpiler.passes import WrapAngles
    from qiskit.transpiler.passes.synthesis.high_level_synthesis import HLSConfig

    own = {
        f"{stage}_method": getattr(backend, f"get_{stage}_stage_plugin")()
        for stage in ("translation", "scheduling")
        if hasattr(backend, f"get_{stage}_stage_plugin")
    }
    chosen = HLSConfig(mcx=["gatesolve", "default"])
    passes = generate_preset_pass_manager(3, target=target, seed_transpiler=seed, hls_config=chosen, **own)
    # A copy of a target has no bounds of angles, because they cannot be read.
    passes.post_optimization = PassManager([WrapAngles(backend.target)])
    return passes


def drop_broken_pairs(target: Target) -> Target:
    """The target without pairs of qubits whose gates are broken; itself where none is.

    A router counts gates and does not look at errors, so it would lead a circuit over a broken pair.
    """
    from qiskit.transpiler import Target as NewTarget

    if not any(error >= BROKEN for error in _errors(target)):
        return target
    kept = NewTarget(**{name: getattr(target, name) for name in GATELESS})
    for name in target.operation_names:
        held = target[name]
        operation = target.operation_from_name(name)
        if isinstance(operation, type) or None in held:
            kept.add_instruction(operation, name=name)
            continue
        fit = {
            qubits: properties
            for qubits, properties in held.items()
            if len(qubits) < 2 or properties is None or (properties.error or 0.0) < BROKEN
        }
        kept.add_instruction(operation, fit, name=name)
    return kept


def median_error(target: Target) -> float:
    """The median error of a two-qubit gate; 0 where none is reported."""
    return float(statistics.median(_errors(target) or [0.0]))


def _errors(target: Target) -> list[float]:
    return [
        properties.error
        for name in target.operation_names
        for qubits, properties in target[name].items()
        if qubits is not None and len(qubits) == 2 and properties is not None and properties.error is not None
    ]
