"""Qiskit's own objects as places to run circuits: any ``BackendV2``, and any V2 sampler."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

from qiskit import QuantumCircuit, transpile

from gatesolve.errors import BackendError, GatesolveError, one_line

WIDEST = 1_000
"""Qubits of a sampler that does not say how many it has: it is left to refuse what it cannot run."""


@dataclass(frozen=True, eq=False)
class OwnSampler:
    """The backend or sampler that a user has given; counts of either are read alike.

    Circuits are compiled to the backend. The name in reports stands for no other object.
    """

    given: Any
    backend: Any
    name: str

    def __str__(self) -> str:
        return self.name

    @property
    def is_backend(self) -> bool:
        """Whether the object is a backend, not a sampler."""
        return self.given is self.backend

    def run(self, circuit: QuantumCircuit, shots: int, seed: int) -> dict[str, int]:
        """Counts of the first classical register of a circuit in any gates."""
        with self.naming():
            ready = transpile(circuit, target=self.backend.target, optimization_level=1, seed_transpiler=seed)
        (counts,) = self.read(self.start([ready], shots, seed), [ready], ready.cregs[0].name)
        return counts

    def start(self, circuits: Sequence[QuantumCircuit], shots: int, seed: int) -> Any:
        """The job that runs circuits which are compiled for the backend.

        A backend gets the seed if it has such an option; a sampler keeps its own.
        """
        with self.naming():
            if not self.is_backend:
                return self.given.run(list(circuits), shots=shots)
            # Backends refuse options that they do not have.
            seeded = {"seed_simulator": seed} if "seed_simulator" in self.backend.options else {}
            return self.backend.run(list(circuits), shots=shots, **seeded)

    def read(self, job: Any, circuits: Sequence[QuantumCircuit], register: str) -> tuple[dict[str, int], ...]:
        """Counts of a register of each circuit of a job, bit 0 rightmost; waits until the job is done."""
        with self.naming():
            found = job.result()
            if reason := _find_reason(found):
                raise BackendError(f"{self.name} failed: {reason}")
            if not self.is_backend:
                return tuple(dict(one.data[register].get_counts()) for one in found)
            return tuple(_cut(found.get_counts(k), one, register) for k, one in enumerate(circuits))

    def explain_failure(self, job: Any) -> str:
        """Return a failed job's own words on one line, or nothing where it has none."""
        try:
            message = getattr(job, "error_message", None)  # a method of IBM's jobs
            said = message() if callable(message) else message
            return _shorten(str(said)) if said else _find_reason(job.result())
        except Exception as error:  # anybody's code may fail in any way
            return _shorten(str(getattr(error, "message", error)))

    @contextmanager
    def naming(self) -> Iterator[None]:
        """Whatever the object raises becomes one line that names it."""
        try:
            yield
        # An error of gatesolve already names its cause.
        except GatesolveError:
            raise
        except Exception as error:  # anybody's code may fail in any way
            raise BackendError(f"{self.name} failed: {_shorten(f'{type(error).__name__}: {error}')}") from error


def read_own_sampler(given: Any) -> OwnSampler | None:
    """A ``BackendV2`` or a V2 sampler; None for anything else."""
    from qiskit.primitives import BaseSamplerV2
    from qiskit.providers import BackendV2
    from qiskit.transpiler import Target

    if isinstance(given, OwnSampler):
        return given
    if isinstance(given, BackendV2):
        return OwnSampler(given, given, one_line(given.name or type(given).__name__))
    if not isinstance(given, BaseSamplerV2):
        return None
    kind = type(given).__name__
    # A property of Qiskit's, a method of IBM's; other samplers run what they are given.
    backend = getattr(given, "backend", None)
    backend = backend() if callable(backend) else backend
    if not isinstance(backend, BackendV2):
        # Any two qubits have ``cx``, any one has ``u``, and no errors are known.
        target = Target.from_configuration(["cx", "u", "measure"], num_qubits=WIDEST)
        return OwnSampler(given, SimpleNamespace(name=kind, num_qubits=WIDEST, target=target), kind)
    return OwnSampler(given, backend, one_line(f"{kind} on {backend.name}"))


def _shorten(said: str) -> str:
    return one_line(" ".join(said.split()))[:200]


def _find_reason(result: Any) -> str:
    """Return the words of a result of Qiskit's that failed, those of its experiments included; else nothing."""
    if getattr(result, "success", True):
        return ""
    failed = [one for one in getattr(result, "results", ()) if not getattr(one, "success", True)]
    words = [str(getattr(one, "status", "") or "") for one in (result, *failed)]
    return _shorten("; ".join(dict.fromkeys(word for word in words if word))) or "no reason given"


def _cut(counts: dict[str, int], circuit: QuantumCircuit, register: str) -> dict[str, int]:
    """Return one register's counts from those of all; some backends put spaces between registers or drop zeros."""
    sizes = {one.name: one.size for one in circuit.cregs}
    first = sum(size for name, size in list(sizes.items())[: list(sizes).index(register)])
    found: Counter[str] = Counter()
    for word, times in counts.items():
        # Reversed, bit k is at place k, and the first register comes first.
        bits = word.replace(" ", "").zfill(sum(sizes.values()))[::-1][first : first + sizes[register]]
        found[bits[::-1]] += int(times)
    return dict(found)
