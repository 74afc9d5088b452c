"""Jobs of the stub service: what was posted, the state a poll sees, and results that really come from running it."""

from __future__ import annotations

import json
import os
import time
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

FINISHED = ("Completed", "Failed", "Cancelled")


@dataclass
class Job:
    """One posted job; ``number`` counts from 1 in the order of posting."""

    id: str
    number: int
    posted: float  # time.time()
    instance: str
    payload: dict[str, Any]
    polls: int = 0
    cancelled: bool = False
    deleted: bool = False
    end: str = "Completed"
    reason: str = ""
    reason_code: int | None = None
    queued_polls: int = 0
    running_polls: int = 0
    results: str | None = field(default=None, repr=False)

    @property
    def status(self) -> str:
        """The state a poll sees now, in the service's words."""
        if self.cancelled:
            return "Cancelled"
        if self.polls <= self.queued_polls:
            return "Queued"
        return "Running" if self.polls <= self.queued_polls + self.running_polls else self.end

    def as_answer(self, with_params: bool) -> dict[str, Any]:
        """What ``GET /jobs/ID`` answers."""
        state: dict[str, Any] = {"status": self.status}
        if self.status in ("Failed", "Cancelled") and self.reason and not self.cancelled:
            state |= {"reason": self.reason, "reason_code": self.reason_code}
        answer = {
            "id": self.id,
            "backend": self.payload.get("backend"),
            "state": state,
            "status": self.status,
            "program": {"id": self.payload["program_id"]},
            "created": datetime.fromtimestamp(self.posted, UTC).isoformat().replace("+00:00", "Z"),
            "tags": self.payload.get("tags", []),
            "cost": self.payload.get("cost", 10000),
            "user_id": "IBMid-000000TEST",
        }
        return answer | {"params": self.payload["params"]} if with_params else answer


class JobStore:
    """All jobs of a stub, in memory and, where a folder is given, in one file each: a restarted stub has them again."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        self.jobs: dict[str, Job] = {}
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
            for path in sorted(folder.glob("job-*.json")):
                job = Job(**json.loads(path.read_text(encoding="utf-8")))
                self.jobs[job.id] = job

    def save(self, job: Job) -> None:
        self.jobs[job.id] = job
        if self.folder is not None:
            path = self.folder / f"job-{job.id}.json"
            draft = path.with_suffix(".draft")
            draft.write_text(json.dumps(asdict(job)), encoding="utf-8")
            os.replace(draft, path)

    def add(self, payload: dict[str, Any], instance: str, behaviour: dict[str, Any]) -> Job:
        number = len(self.jobs) + 1
        job = Job(f"d0stub{number:014d}", number, time.time(), instance, payload, **behaviour)
        self.save(job)
        return job

    def find(self, job_id: str, instance: str) -> Job | None:
        job = self.jobs.get(job_id)
        return job if job is not None and job.instance == instance and not job.deleted else None

    def listed(self, instance: str, query: dict[str, list[str]], lag: float) -> dict[str, Any]:
        """What ``GET /jobs`` answers: filters, sorting and pages as documented."""
        now = time.time()
        jobs = [job for job in self.jobs.values() if job.instance == instance and not job.deleted]
        jobs = [job for job in jobs if now - job.posted >= lag and set(query.get("tags", [])) <= set(job_tags(job))]
        for key, value in (("backend", "backend"), ("program", "program_id")):
            if key in query:
                jobs = [job for job in jobs if job.payload.get(value) == query[key][0]]
        if "pending" in query:
            wanted = query["pending"][0] == "true"
            jobs = [job for job in jobs if (job.status not in FINISHED) == wanted]
        jobs.sort(key=lambda job: job.number, reverse=query.get("sort") != ["ASC"])
        offset, limit = int(query.get("offset", ["0"])[0]), int(query.get("limit", ["10"])[0])
        page = [job.as_answer(False) for job in jobs[offset : offset + limit]]
        return {"jobs": page, "count": len(jobs), "limit": limit, "offset": offset}


def job_tags(job: Job) -> list[str]:
    tags: list[str] = job.payload.get("tags", [])
    return tags


@cache
def fake(name: str) -> Any:
    """The fake backend behind a stub backend of this short name, such as ``torino``."""
    from qiskit_ibm_runtime import fake_provider

    return getattr(fake_provider, f"Fake{name.capitalize()}" + ("V2" if name == "manila" else ""))()


def run(job: Job, noisy: bool, seed: int) -> str:
    """Run the posted executor program and encode its result in the SDK's own schema."""
    from ibm_quantum_schemas.common import CompressedTensorModel
    from ibm_quantum_schemas.executor.version_2_0 import QuantumProgramResultModel
    from qiskit_aer import AerSimulator
    from qiskit_ibm_runtime.fake_provider.executor.run_quantum_program import run_quantum_program
    from qiskit_ibm_runtime.options_models.simulator import SimulatorOptions
    from qiskit_ibm_runtime.quantum_program.params_converters import QUANTUM_PROGRAM_PARAMS_CONVERTERS

    converter = QUANTUM_PROGRAM_PARAMS_CONVERTERS[job.payload["params"]["schema_version"]]
    posted = converter.model.model_validate(job.payload["params"])
    program, _ = converter.decoder(posted)
    for item in program.items:
        if hasattr(item, "samplex"):  # as read from the schema it is not ready to be sampled
            item.samplex.finalize()
    device = fake(job.payload["backend"].removeprefix("ibm_")) if noisy else AerSimulator(max_parallel_threads=1)
    outcome = run_quantum_program(device, program, SimulatorOptions(seed_simulator=seed + job.number))
    items = [
        {
            "results": {name: CompressedTensorModel.from_numpy(values) for name, values in item.items()},
            "metadata": {"scheduler_timing": None, "stretch_values": None},
        }
        for item in outcome
    ]
    return QuantumProgramResultModel(
        data=items,
        metadata={"chunk_timing": []},
        passthrough_data=posted.quantum_program.passthrough_data,
        semantic_role=posted.quantum_program.semantic_role,
    ).model_dump_json()


def circuit(backend: Any, text: str = "011", entangled: bool = False) -> Any:
    """Compiled; gives the text, or (entangled) the text and the text with its last two letters flipped."""
    from qiskit import ClassicalRegister, QuantumCircuit, transpile

    width = len(text)
    made = QuantumCircuit(width)
    made.add_register(ClassicalRegister(width, "measured"))
    for bit, letter in enumerate(reversed(text)):
        if letter == "1":
            made.x(bit)
    if entangled:
        made.h(0)
        made.cx(0, 1)
    made.measure(range(width), range(width))
    return transpile(made, backend, seed_transpiler=1, optimization_level=1)
