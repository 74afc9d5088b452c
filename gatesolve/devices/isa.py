"""Compile circuits to a device's gates and couplings, on its best qubits, and record how their counts are decoded.

Of several equivalent circuits the one with the highest estimated fidelity is kept. The estimate uses the device's own
error rates, before anything is sent.
"""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice
from typing import TYPE_CHECKING, Any

from qiskit import QuantumCircuit
from qiskit.circuit import AncillaRegister, CircuitInstruction, Clbit, Qubit

from gatesolve.devices.job_request import JobRequest
from gatesolve.devices.mitigation import find_measured_qubits, read_reported_errors, require_mthree
from gatesolve.devices.providers import Device
from gatesolve.errors import BackendError, DoesNotFitError
from gatesolve.pipelines.device import (
    CircuitRecord,
    DeviceCircuit,
    DeviceEstimate,
    IsaCircuit,
    NothingToSearchError,
    OnDevice,
    accepted_share,
    signal_z,
)
from gatesolve.planning import Clock, Layout
from gatesolve.programs.postprocess import Postprocessing, ShortProgram, shorten_program
from gatesolve.programs.program import Program, list_ops

if TYPE_CHECKING:
    from qiskit.providers import BackendV2
    from qiskit.transpiler import StagedPassManager, Target

SILENT = frozenset({"barrier", "delay", "snapshot"})
"""Instructions without an error of their own; a delay is time spent idle."""
_UNITS = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9, "ps": 1e-12}
SPARES = (0, 1, 2)
"""Numbers of idle qubits that are offered to gates that can use ancillas."""
HOPELESS = 1e-4
"""Estimated success below which no further compilations are tried: a better one would drown in noise too."""
FINALISTS = 4
"""Circuits that are compiled with all seeds."""
SYNTHESISED = frozenset({"mcx", "c3x", "c4x", "c3sx"})
"""Names of gates that Qiskit's high-level synthesis builds with the available ancillas."""
BROKEN = 0.5
"""Error from which a two-qubit gate is useless; devices report 1 for pairs that were not calibrated."""
TIMING = ("dt", "granularity", "min_length", "pulse_alignment", "acquire_alignment")
GATELESS = ("num_qubits", *TIMING, "qubit_properties", "concurrent_measurements")
"""Attributes of a target that do not depend on its gates."""
MOST_PLACES = 20_000
"""Most placements that are scored."""
MOST_LOOKS = 1_000_000
"""Most gates that are looked up in all placements together."""
MOST_STEPS = 200_000
"""Most steps of the search for placements."""
FINAL_ROUND = 5
"""Number of best placements by gate counts, which are then estimated exactly."""
Use = tuple[str, tuple[int, ...]]


class TooWideError(DoesNotFitError):
    """Every circuit has more qubits than the device."""


@dataclass(frozen=True)
class FidelityEstimate:
    """The probability that no error happens, by its factors: no gate fails, no measurement, no waiting qubit decays.

    The duration in seconds is None where the device reports no gate durations.
    """

    gates: float
    readout: float
    idle: float
    duration: float | None

    @property
    def fidelity(self) -> float:
        """Return the product of all factors."""
        return self.gates * self.readout * self.idle


def estimate(circuit: QuantumCircuit, target: Target) -> FidelityEstimate | None:
    """Estimate the success of a circuit in a device's own gates and on its own qubits.

    ``F = prod_g (1 - e_g) * prod_m (1 - r_m) * prod_q D_q``. Every gate g and measurement m has the error that the
    target reports for its qubits. A qubit q that waits a time t after its first instruction has the process fidelity of
    relaxation, ``D_q = (1 + exp(-t/T1) + 2 exp(-t/T2)) / 4``. A branch that depends on a measurement counts at its
    worst case, and takes no time.

    Returns:
        The estimate; None where the target has no error rates for two-qubit gates or measurements.

    Cost: linear in the circuit's instructions.
    Source: the product of gate reliabilities, Murali et al., arXiv:1901.11054; "estimated success probability", Nishio
    et al., arXiv:1903.10963, section 3.
    """
    survival = _find_survival(circuit, target, list(range(circuit.num_qubits)))
    if survival is None:
        return None
    gates, readout = survival
    waiting, duration = time_waits(circuit, target)
    idle = math.prod(decay(target, qubit, wait) for qubit, wait in waiting.items())
    return FidelityEstimate(gates, readout, idle, duration)


def _find_survival(circuit: QuantumCircuit, target: Target, places: list[int]) -> tuple[float, float] | None:
    """Return the probabilities that all gates succeed and that all measurements do.

    None if a two-qubit gate or a measurement has no error rate.
    """
    gates, readout = 1.0, 1.0
    for instruction in circuit.data:
        name = instruction.operation.name
        qubits = tuple(places[circuit.find_bit(q).index] for q in instruction.qubits)
        if blocks := list_branches(instruction):
            found = [_find_survival(block, target, list(qubits)) for block in blocks]
            known = [one for one in found if one is not None]
            if len(known) < len(found):
                return None
            worst = min(known, key=math.prod)
            gates, readout = gates * worst[0], readout * worst[1]
        elif name not in SILENT:
            properties = target[name].get(qubits)
            error = None if properties is None else properties.error
            if error is None and (len(qubits) == 2 or name == "measure"):
                return None
            works = max(0.0, 1 - (error or 0.0))
            if name == "measure":
                readout *= works
            else:
                gates *= works
    return gates, readout


def time_waits(circuit: QuantumCircuit, target: Target) -> tuple[dict[int, float], float | None]:
    """Return for each qubit the seconds that it waits after its first instruction, and the circuit's duration."""
    clock: dict[int, float] = {}
    told: dict[int, float] = {}
    found: dict[int, float] = {}
    timed = False
    # Reading backwards gives the schedule that is as late as possible, as IBM's is. Before its first instruction a
    # qubit rests in its ground state, so that time does not count.
    for instruction in reversed(circuit.data):
        name = instruction.operation.name
        qubits = [circuit.find_bit(q).index for q in instruction.qubits]
        # A branch comes after the measurement that it depends on.
        bits = [circuit.find_bit(c).index for c in instruction.clbits]
        start = max((*(clock.get(q, 0.0) for q in qubits), *(told.get(c, 0.0) for c in bits)), default=0.0)
        if name == "barrier":
            for q in qubits:
                if q in clock:
                    found[q] = found.get(q, 0.0) + start - clock[q]
                    clock[q] = start
            continue
        length = _seconds(instruction, target, tuple(qubits))
        timed = timed or length > 0
        for q in qubits:
            if q in clock:
                found[q] = found.get(q, 0.0) + start - clock[q] + (length if name == "delay" else 0.0)
            # A trailing delay keeps nothing waiting: no later instruction uses the qubit.
            if q in clock or name != "delay":
                clock[q] = start + length
        told.update(dict.fromkeys(bits, start + length))
    return found, max(clock.values(), default=0.0) if timed else None


def _seconds(instruction: CircuitInstruction, target: Target, qubits: tuple[int, ...]) -> float:
    operation = instruction.operation
    if operation.name == "delay":
        length = float(operation.duration)
        return length * (target.dt or 0.0) if operation.unit == "dt" else length * _UNITS[operation.unit]
    if list_branches(instruction):
        return 0.0
    properties = target[operation.name].get(qubits)
    return float(properties.duration or 0.0) if properties is not None else 0.0


def decay(target: Target, qubit: int, wait: float) -> float:
    """Return the process fidelity of a qubit that waits ``wait`` seconds; 1 where its T1 and T2 are unknown."""
    known = target.qubit_properties[qubit] if target.qubit_properties else None
    if known is None or not wait:
        return 1.0
    t1, t2 = known.t1 or math.inf, known.t2 or math.inf
    # A reported T2 above 2 T1 is a calibration error: no channel has it.
    return (1 + math.exp(-wait / t1) + 2 * math.exp(-wait / min(t2, 2 * t1))) / 4


def list_branches(instruction: CircuitInstruction) -> tuple[QuantumCircuit, ...]:
    """Return the circuits of which an instruction runs one, depending on a measurement; none for an ordinary gate."""
    return tuple(getattr(instruction.operation, "blocks", ()))


def compile_isa(circuits: Mapping[str, QuantumCircuit], backend: BackendV2, *, seeds: Sequence[int]) -> IsaCircuit:
    """Compile equivalent circuits with each of ``seeds``, and keep the best.

    Qiskit's preset pass manager runs at optimization level 3, with gatesolve's rules for multi-controlled X. Circuits
    with such gates are also tried with idle qubits as ancillas. The best few are moved to the qubits of highest
    estimated success. Without reported error rates the circuit of fewest two-qubit gates is best.

    Cost: a compilation by Qiskit for each circuit and number of spares, and for each finalist and seed.

    Raises:
        TooWideError: no circuit fits the device.
        BackendError: only dynamic circuits, and the device cannot branch; or Qiskit fails.
    """
    if not circuits or not seeds:
        raise ValueError("at least one circuit and one seed are needed")
    fitting = {name: circuit for name, circuit in circuits.items() if circuit.num_qubits <= backend.num_qubits}
    if not fitting:
        least = min(circuit.num_qubits for circuit in circuits.values())
        raise TooWideError(f"{least} qubits do not fit {backend.name}, {backend.num_qubits} would: use a larger device")
    can_branch = "if_else" in backend.target.operation_names
    running = {name: one for name, one in fitting.items() if can_branch or "if_else" not in one.count_ops()}
    if not running:
        raise BackendError(f"{backend.name} runs no gates that depend on a measured bit: leave out measured")
    device = _DeviceTarget(backend, drop_broken_pairs(backend.target), median_error(backend.target))
    first = list(_first_round(running, device, seeds[0]))
    # Every circuit with one seed first, then the best few with all seeds.
    best = sorted(first, key=lambda found: found.rank)[:FINALISTS]
    if not device.hopes(best[0], HOPELESS):
        return best[0]
    more = [_compile(running[one.source], device, one.source, one.spares, seed) for one in best for seed in seeds[1:]]
    ranked = sorted((*best, *more), key=lambda found: found.rank)
    # Qiskit's layout ignores most error rates, so the finalists are placed again by the estimate.
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
        """Return whether so many gates can succeed with probability ``least``, here or on qubits of median error."""
        return found.fidelity is None or found.fidelity >= least or (1 - self.error) ** found.two_qubit >= least


def _first_round(circuits: Mapping[str, QuantumCircuit], device: _DeviceTarget, seed: int) -> Iterator[IsaCircuit]:
    """Yield every circuit with one seed; stop once one shows that there is no hope."""
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
    """Return the circuit with ``spares`` idle qubits after its own, as ancillas for the synthesis of its gates."""
    if not spares:
        return circuit
    wider = circuit.copy()
    wider.add_register(AncillaRegister(spares, "spare"))
    return wider


def measure_isa(circuit: QuantumCircuit, backend: BackendV2, source: str, spares: int, seed: int) -> IsaCircuit:
    """Return counts and estimates of a circuit in the device's gates."""
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
    # Qiskit's own count takes a whole branch for one gate.
    return sum(
        max(map(_count_pairs, blocks)) if (blocks := list_branches(instruction)) else _is_pair(instruction)
        for instruction in circuit.data
    )


def _count_layers(circuit: QuantumCircuit, counts: Callable[[CircuitInstruction], bool]) -> int:
    """Return the number of layers of the instructions that count, including those in branches, as in `_count_pairs`."""
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
            # The working part is too small or not connected: compile over broken pairs then.
            return _transpile(circuit, replace(device, target=device.backend.target), seed)
        said = " ".join(str(error).split())
        raise BackendError(f"Qiskit cannot compile for {device.backend.name}: {said}") from error


def _make_passes(backend: BackendV2, target: Target, seed: int) -> StagedPassManager:
    """Return Qiskit's preset passes of level 3, with the backend's own translation and our multi-controlled X."""
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
    # A copied target lacks the bounds of angles, which cannot be read, so the original is used here.
    passes.post_optimization = PassManager([WrapAngles(backend.target)])
    return passes


def drop_broken_pairs(target: Target) -> Target:
    """Return the target without pairs of qubits whose gates are broken; itself where none is."""
    from qiskit.transpiler import Target as NewTarget

    if not any(error >= BROKEN for error in _errors(target)):
        return target
    # A router counts gates and ignores errors, so it would lead a circuit across a broken pair.
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
    """Return the median error of a two-qubit gate; 0 where none is reported."""
    return float(statistics.median(_errors(target) or [0.0]))


def _errors(target: Target) -> list[float]:
    return [
        properties.error
        for name in target.operation_names
        for qubits, properties in target[name].items()
        if qubits is not None and len(qubits) == 2 and properties is not None and properties.error is not None
    ]


def place_circuit(circuit: QuantumCircuit, target: Target) -> QuantumCircuit:
    """Move the circuit to the qubits of highest estimated success, gates unchanged.

    It stays where no place is better or the target reports no errors.

    Cost: at most `MOST_PLACES` places and `MOST_LOOKS` pairs and qubits in them.
    """
    now = estimate(circuit, target)
    if now is None or any(hasattr(i.operation, "blocks") for i in circuit.data):
        return circuit
    uses: Counter[Use] = Counter()
    for instruction in circuit.data:
        if instruction.operation.name not in SILENT:
            qubits = tuple(circuit.find_bit(q).index for q in instruction.qubits)
            uses[instruction.operation.name, qubits] += 1
    idle, _ = time_waits(circuit, target)
    known: dict[Use, float] = {}
    scored: list[tuple[float, int, dict[int, int]]] = []
    most = min(MOST_PLACES, MOST_LOOKS // max(1, len(uses)))
    for number, place in enumerate(islice(_find_places(uses, target), most)):
        score = _score_place(uses, place, target, known) + sum(
            math.log(max(decay(target, place[q], wait), 1e-300)) for q, wait in idle.items()
        )
        scored.append((-score, number, place))
    # The score adds logarithms per use and is quick; only the exact estimate decides.
    best, value = circuit, now.fidelity
    for _, _, place in sorted(scored)[:FINAL_ROUND]:
        moved = _move_circuit(circuit, place)
        found = estimate(moved, target)
        if found is not None and found.fidelity > value:
            best, value = moved, found.fidelity
    return best


def _find_places(uses: Counter[Use], target: Target) -> Iterator[dict[int, int]]:
    import rustworkx as rx

    names = {name for name, qubits in uses if len(qubits) == 2}
    device = rx.PyDiGraph(multigraph=False)
    device.add_nodes_from(range(target.num_qubits))
    for name in names:
        for pair in target[name]:
            _join(device, pair[0], pair[1], name)
    used = sorted({q for _, qubits in uses for q in qubits})
    node = {q: k for k, q in enumerate(used)}
    pattern = rx.PyDiGraph(multigraph=False)
    pattern.add_nodes_from(used)
    for name, qubits in uses:
        if len(qubits) == 2:
            _join(pattern, node[qubits[0]], node[qubits[1]], name)
    # A device edge must offer every gate that the circuit applies in that direction.
    fits = frozenset.issuperset
    found = rx.vf2_mapping(
        device, pattern, edge_matcher=fits, subgraph=True, induced=False, id_order=False, call_limit=MOST_STEPS
    )
    for mapping in found:
        yield {used[small]: big for big, small in mapping.items()}


def _join(graph, first: int, second: int, name: str) -> None:  # type: ignore[no-untyped-def]
    """Add a gate to the edge that lists the gates in its direction."""
    held = graph.get_edge_data(first, second) if graph.has_edge(first, second) else frozenset()
    graph.add_edge(first, second, held | {name})


def _score_place(uses: Counter[Use], place: dict[int, int], target: Target, known: dict[Use, float]) -> float:
    """Return the logarithm of the probability that no gate or measurement fails there."""
    total = 0.0
    for (name, qubits), times in uses.items():
        use = (name, tuple(place[q] for q in qubits))
        if use not in known:
            held = target[name]
            error = getattr(held[use[1]], "error", None) or 0.0 if use[1] in held else 1.0
            known[use] = math.log(max(1 - error, 1e-300))
        total += times * known[use]
    return total


def _move_circuit(circuit: QuantumCircuit, place: dict[int, int]) -> QuantumCircuit:
    moved = circuit.copy_empty_like()
    moved._layout = None
    for instruction in circuit.data:
        qubits = [circuit.find_bit(q).index for q in instruction.qubits]
        # Barriers and delays on unused qubits are dropped.
        if all(q in place for q in qubits):
            moved.append(instruction.operation, [place[q] for q in qubits], instruction.clbits)
    return moved


@dataclass(frozen=True)
class DeviceBench:
    """The `gatesolve.pipelines.device.Bench` of one device."""

    request: JobRequest
    device: Device
    seed: int
    clock: Clock

    @property
    def backend(self) -> Any:
        # The device is opened only where circuits are made.
        return self.device.backend

    def prepare(self, program: Program) -> OnDevice:
        short = shorten_program(program)
        if not short.reads:
            raise NothingToSearchError(
                "the oracle marks every codeword of the space or none, so there is nothing to search: gatesolve solve "
                "gives the answer, or choose another encoding"
            )
        reads = (parity for op in short.postprocessing.ops for parity in op.reads)
        if self.request.projection == "nearest" and any(parity.wires for parity in reads):
            # The space's own bits are measured: operations after the measurement would spread one flipped bit over
            # several.
            data = tuple(range(program.space.num_qubits))
            read, how = Postprocessing(program.num_qubits, data, (), len(data)), program.lowering
            short = ShortProgram(list_ops(program), program.num_qubits, data, read, how.metric, how.measured)
        with self.clock.stage("device"):
            tried = [self.seed + k for k in range(self.request.seeds)]
            return OnDevice(compile_isa(short.circuits, self.backend, seeds=tried), short.postprocessing, program)

    def record(
        self,
        made: OnDevice,
        layout: Layout,
        *,
        what: dict[str, Any],
        ideal: float,
        chance: float,
        marked: int | None,
        ranking: Iterable[tuple[Fraction, int]] = (),
    ) -> DeviceCircuit:
        isa, space = made.isa, made.program.space
        expected = None if isa.fidelity is None else accepted_share(isa.fidelity, ideal, chance)
        z = None if isa.fidelity is None else signal_z(isa.fidelity, ideal, chance, self.request.shots)
        estimate = DeviceEstimate(
            qubits=len({q for one in isa.circuit.data if one.operation.name != "barrier" for q in one.qubits}),
            ideal=ideal,
            chance=chance,
            expected=expected,
            z=None if z is None or math.isinf(z) else z,  # JSON has no infinity
            **{name: value for name, value in vars(isa).items() if name != "circuit"},
        )
        errors = None
        if self.request.mitigate:
            require_mthree()
            # The errors of this time: they may have changed when the counts are read.
            errors = read_reported_errors(self.backend, find_measured_qubits(isa.circuit))
        record = CircuitRecord(
            **what,
            **{name: getattr(layout.provenance, name) for name in ("presolve", "encoding", "level", "notes")},
            space=space,
            recovery=layout.recovery,
            postprocessing=made.postprocessing,
            size=space.size,
            marked=marked,
            energy_ranking=tuple(ranking),
            readout_errors=errors.twirl() if errors and self.request.twirl_measure else errors,
            estimate=estimate,
        )
        return DeviceCircuit(isa.circuit, record)

    def require_signal(self, circuits: tuple[DeviceCircuit, ...]) -> tuple[DeviceCircuit, ...]:
        kept = tuple(one for one in circuits if one.has_signal)
        if kept or self.request.force:
            return kept or circuits
        record = max((one.record for one in circuits), key=lambda one: one.estimate.z or 0.0)
        found = record.estimate
        assert found.fidelity is not None
        assert found.expected is not None
        # Where no plain iteration helps, one with matched phases does; not in a search for better energies.
        idle = record.iterations == 0 and not record.energy_ranking and found.ideal < 1
        mend = "exact=True" if idle else "fewer iterations"
        # A product of thousands of factors underflows.
        works = f"{found.fidelity:.2g}" if found.fidelity > 1e-300 else "below 1e-300"
        raise DoesNotFitError(
            f"no signal on {self.backend.name}: {found.two_qubit} two-qubit gates run without an error with "
            f"probability {works}, so {self.request.shots} shots give "
            f"{found.expected * 100:.3g} % solutions, and noise alone {found.chance * 100:.3g} %: "
            "use a smaller problem, encoding='table', presolve='propagate', "
            f"{mend} or more shots, or force=True to send it anyway"
        )
