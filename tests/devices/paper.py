"""A device on paper: counts are made up by the test, the service's failures too."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from qiskit.providers.fake_provider import GenericBackendV2

from gatesolve.api import Options
from gatesolve.api import jobs as calls
from gatesolve.devices import Job, JobRequest, Pace, unpack_circuits

FAST = Pace(settle=0.0, poll=0.0)


def suppress(decoupling: str | None = None, twirl_gates: bool = False, twirl_measure: bool = False) -> JobRequest:
    """A plan that asks for error suppression alone."""
    return JobRequest("paper", decoupling=decoupling, twirl_gates=twirl_gates, twirl_measure=twirl_measure)


class Paper:
    """Jobs in a list; ``answer`` makes the counts of one circuit."""

    def __init__(self, answer: Callable[[Job, Mapping[str, Any], Any], dict[str, int]]) -> None:
        self.backend = GenericBackendV2(6, coupling_map=[[k, k + 1] for k in range(5)], seed=3)
        self.answer, self.jobs, self.states, self.fails = answer, [], {}, []
        self.hidden = False

    def send(self, job, request):
        if self.fails:
            raise self.fails.pop(0)
        self.jobs.append(job)
        return f"paper-{len(self.jobs)}"

    def look_up(self, tag):
        return (
            ()
            if self.hidden
            else tuple(f"paper-{k + 1}" for k, job in enumerate(self.jobs) if tag in {job.tag, job.decoding_tag})
        )

    def state(self, remote):
        return self.states.get(remote, ("done", ""))

    def results(self, job, request):
        circuits = unpack_circuits(job.circuits)
        return tuple(self.answer(job, form, circuit) for form, circuit in zip(job.records, circuits, strict=True))


def submit_on_paper(desk, problem, chosen, *, again=False, pace=FAST, **options):
    """Submit a search of a table, with nothing deduced unless told."""
    options = {"encoding": "table", "presolve": "none", **options}
    asked = calls.DeviceSearch(problem, JobRequest("paper", **{"seeds": 1, **chosen}), Options(**options))
    return calls.submit_search(asked, calls.Desk(desk[1], pace=pace), again)


def fetch(desk, name, wait=False):
    """Fetch a search from the store, which is the second of a desk."""
    return calls.fetch_search(name, calls.Desk(desk[1], pace=FAST), wait)
