"""The pipeline ``qaoa``, and what people are told of its runs."""

from __future__ import annotations

from gatesolve.errors import UnsupportedError
from gatesolve.gate_sets import GATE_SETS
from gatesolve.pipelines.protocol import Pipeline, Report, Spent
from gatesolve.pipelines.qaoa.compile import compile_ansatz
from gatesolve.pipelines.qaoa.device import next_circuits
from gatesolve.pipelines.qaoa.options import QaoaOptions
from gatesolve.pipelines.qaoa.run import QaoaReport, solve_ansatz
from gatesolve.pipelines.ranking import check_energy
from gatesolve.pipelines.task import Answer, Task


def check_ansatz(task: Task, options: QaoaOptions) -> None:
    """Refuse a gate set without rotations; raises as `check_energy`."""
    if GATE_SETS[options.gates].has_toffoli:
        raise UnsupportedError(f"qaoa turns by angles that {options.gates} has not: use gates='cx+u' or 'clifford+t'")
    check_energy(task, options)


def report_ansatz(options: QaoaOptions, answer: Answer) -> Report:
    """The ansatz, how likely it is to give a solution, what it costs, what was checked."""
    compiled, found = answer.compiled, answer.details
    if compiled is None or not isinstance(found, QaoaReport):
        return Report(())
    whole = compiled.program.resources()
    chance = "" if (likely := answer.success_probability) is None else f", probability {likely:.6f} (exact)"
    t = "" if whole.t is None else f", {whole.t} T"
    chosen = "angles as given"
    if isinstance(options.angles, str):
        made = f"{found.evaluations} simulations, from {found.start}"
        chosen = f"angles {options.angles} ({made}), loss {options.angle_loss}"
    return Report(
        (
            f"qaoa, {found.layers} layers, mixers {' and '.join(found.mixers)}, {chosen}",
            f"presolve {compiled.presolve}, encoding {compiled.encoding}, backend {options.backend}: "
            f"{compiled.certificate.marked} of {compiled.program.space.size} states are best{chance}; "
            f"{found.accepted:.4f} of {options.shots} shots accepted",
            f"circuit: {whole.qubits} qubits, {whole.cx} CX{t}, depth {whole.depth} in {whole.gates}; one layer "
            f"{found.layer.cx} CX, on blocks {'held as numbers' if found.block_coding == 'numbers' else 'as encoded'}",
            f"checked: the phase layer turns by the cost on {found.checked} codewords",
        )
    )


def account_ansatz(options: QaoaOptions, answer: Answer) -> Spent:
    """Every shot as all layers; nothing bounds what samples of one circuit miss."""
    if answer.compiled is None or not answer.compiled.program.num_qubits:
        return Spent(0, {}, 0.0)
    layer, times = answer.compiled.program.section_resources("layer"), options.shots * options.layers
    return Spent(times * (layer.cx or 0), {"layer": times}, 1.0)


PIPELINE = Pipeline(
    "qaoa",
    QaoaOptions,
    report=report_ansatz,
    run=solve_ansatz,
    check=check_ansatz,
    compile=compile_ansatz,
    send=next_circuits,
    account=account_ansatz,
)
