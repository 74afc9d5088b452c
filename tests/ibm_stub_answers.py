"""What the stub service answers: IAM, Global Search, Global Catalog, and IBM Quantum's backends and jobs."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote

from ibm_stub_faults import Faults
from ibm_stub_jobs import FINISHED, Job, JobStore, fake, run

TOKEN = "PLANTEDapiKey_4f1b7a90c2de8842xQzW77aTnnRv01"  # the account's API key, as long as a real one
ACCESS_SECRET = "PLANTED-access-9e2d"  # is part of every access token

Answer = tuple[int, Any]


@dataclass
class Request:
    """What a client asked."""

    method: str
    host: str
    path: str
    query: dict[str, list[str]]
    headers: Mapping[str, str]
    body: bytes


def failure(status: int, message: str, code: int | None = None) -> dict[str, Any]:
    """An error body of the quantum service."""
    error = {"code": code or status, "message": message, "solution": "", "more_info": ""}
    return {"errors": [error], "trace": "0123456789abcdef"}


def access_token() -> str:
    """A token with the three parts of a JWT; only its times are ever read."""
    claims = {"iat": 1_700_000_000, "exp": 4_000_000_000, "jti": ACCESS_SECRET}
    parts = ({"alg": "RS256", "typ": "JWT"}, claims, {"signature": ACCESS_SECRET})
    return ".".join(base64.urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=") for part in parts)


def identity(body: bytes) -> Answer:
    """IAM: an API key for an access token."""
    if parse_qs(body.decode()).get("apikey") != [TOKEN]:
        return 400, {"errorCode": "BXNIM0415E", "errorMessage": "Provided API key could not be found."}
    life = {"expires_in": 3600, "expiration": 4_000_000_000, "token_type": "Bearer"}
    return 200, {"access_token": access_token(), "refresh_token": "not_supported"} | life


def snapshot(short: str, kind: str) -> dict[str, Any]:
    """The fake backend's own file."""
    backend = fake(short)
    file = backend.conf_filename if kind == "configuration" else backend.props_filename
    content: dict[str, Any] = json.loads((Path(backend.dirname) / file).read_text(encoding="utf-8"))
    return content


class Answers:
    """The services behind the addresses."""

    def __init__(self, folder: Path | None, backends: tuple[str, ...]) -> None:
        self.backends = {f"ibm_{name}": name for name in backends}
        self.store = JobStore(folder)
        self.faults = Faults()

    def respond(self, request: Request) -> Answer:
        """The answer of whichever service the host names."""
        if request.host.startswith("iam.") or request.path == "/identity/token":
            return identity(request.body)
        if request.headers.get("Authorization") != f"Bearer {access_token()}":
            return 401, failure(401, "Invalid credentials.", 1201)
        if request.host.startswith("api.global-search-tagging."):
            return 200, {"items": [self.found(name, crn) for name, crn in self.faults.instances.items()], "limit": 100}
        if request.host.startswith("globalcatalog."):
            pricing = {"pricing": {"type": "free"}}
            return 200, {"id": "stub-plan", "overview_ui": {"en": {"display_name": "Open"}}, "metadata": pricing}
        instance = request.headers.get("Service-CRN", "")
        if instance not in self.faults.instances.values() or instance in self.faults.forbidden:
            return 403, failure(403, "You are not authorized to perform this action.", 1200)
        if request.path == "/instances/usage":
            usage = {"instance_id": instance, "plan_id": "stub-plan", "usage_consumed_seconds": 1}
            return 200, usage | {"usage_limit_seconds": 600, "usage_limit_reached": False} | self.faults.usage
        if request.path.startswith("/backends"):
            return self.backend(request.path)
        return self.job(request, instance) if request.path.startswith("/jobs") else (404, failure(404, "Not found."))

    @staticmethod
    def found(name: str, crn: str) -> dict[str, Any]:
        """An instance as Global Search lists it."""
        backends = {"extensions": [{"name": "backends"}]}
        return {"crn": crn, "name": name, "service_plan_unique_id": "stub-plan", "tags": [], "doc": backends}

    def backend(self, path: str) -> Answer:
        """The list of backends, and one backend's configuration, properties and status."""
        here = {name: short for name, short in self.backends.items() if name not in self.faults.retired}
        if path == "/backends":
            online = {"status": {"name": "online", "reason": "available"}, "queue_length": 0}
            return 200, {"devices": [{"name": n, "qubits": fake(s).num_qubits} | online for n, s in here.items()]}
        _, _, name, *rest = path.split("/")
        if name in here and rest == ["status"]:
            accepts, message = self.faults.status.get(name, [True, "active"])
            return 200, {"state": accepts, "status": message, "length_queue": 3, "backend_version": "1.0.0"}
        if name in here and rest == ["configuration"] and name not in self.faults.no_configuration:
            limit = {"max_shots": self.faults.max_shots} if self.faults.max_shots else {}
            return 200, snapshot(here[name], "configuration") | {"backend_name": name} | limit
        if name in here and rest == ["properties"]:
            return 200, snapshot(here[name], "properties") | {"backend_name": name}
        return 404, failure(404, "Backend not found.", 1007)

    def job(self, request: Request, instance: str) -> Answer:
        """Posting, listing and everything about one job."""
        method = request.method
        if request.path == "/jobs":
            if method == "POST":
                return self.post(instance, request.body)
            return 200, self.store.listed(instance, request.query, self.faults.listing_lag)
        _, _, job_id, *rest = request.path.split("/")
        job = self.store.find(unquote(job_id), instance)
        if job is None:
            return 404, failure(404, f"Job not found. Job ID: {job_id}", 1291)
        if not rest:
            job.deleted, job.polls = method == "DELETE", job.polls + (method == "GET")
            self.store.save(job)
            return (204, "") if job.deleted else (200, job.as_answer("exclude_params" not in request.query))
        if rest == ["cancel"] and job.status in FINISHED:
            return 409, failure(409, "Job cannot be cancelled because it is in a terminal state.", 1220)
        if rest in (["cancel"], ["tags"]):
            if rest == ["cancel"]:
                job.cancelled = True
            else:
                job.payload["tags"] = json.loads(request.body)["tags"]
            self.store.save(job)
            return 204, ""
        if rest == ["metrics"]:
            return 200, {"usage": {"status": "COMPLETED", "qpu_charge_time_seconds": 2}, "timestamps": {}}
        if rest == ["results"]:
            return self.results(job)
        return (200, "log\n") if rest == ["logs"] else (404, failure(404, "Not found."))

    def post(self, instance: str, body: bytes) -> Answer:
        """Take a job, or refuse it as the service documents."""
        if self.faults.max_body and len(body) > self.faults.max_body:
            return 413, failure(413, "Request payload too large.", 1222)
        payload = json.loads(body)
        if payload.get("backend") not in self.backends or payload["backend"] in self.faults.retired:
            return 404, failure(404, "Backend not found.", 1007)
        job = self.store.add(payload, instance, self.faults.behaviour)
        return 200, {"id": job.id, "backend": payload["backend"]}

    def results(self, job: Job) -> Answer:
        """The result of a job that is done; the error text of one that failed."""
        if job.status == "Failed":
            return 200, job.reason or "Internal server error."
        if job.status != "Completed":
            return 204, ""
        if job.results is None:
            job.results = run(job, self.faults.noisy, self.faults.seed)
            self.store.save(job)
        return 200, job.results
