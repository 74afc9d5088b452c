"""What can go wrong at the stub service, and how a test in another process arms it."""

from __future__ import annotations

import http.client
import json
import re
from dataclasses import dataclass, field
from typing import Any

INSTANCE = "crn:v1:bluemix:public:quantum-computing:us-east:a/0123456789abcdef:11111111-2222-3333-4444-555555555555::"
OTHER_INSTANCE = INSTANCE.replace("1111", "9999")
INSTANCE_NAME = "stub-instance"


@dataclass
class Rule:
    """One fault on requests that match: from the ``at``-th match on, ``times`` of them.

    ``action`` is one of: ``drop_before``, ``drop_after`` (the connection breaks before, or after, the request took
    effect); ``kill_before``, ``kill_after``, ``kill_sent`` (SIGKILL to process ``value`` before the request took
    effect, after it, or after the answer went out); ``status_before``, ``status_after`` (answer status ``value``);
    ``slow`` (wait ``value`` seconds, then as usual); ``stop`` (hold for ``value`` seconds, then drop before);
    ``garbage``, ``garbage_after`` (answer 200 with text that is no JSON, before or after the request took effect).
    """

    action: str
    method: str = "*"
    path: str = ".*"  # regular expression from the start of the path: "/jobs$", "/identity/token"
    value: float = 0
    at: int = 1
    times: int = 1
    body: dict[str, Any] = field(default_factory=dict)  # of a status; IBM's error format if empty
    seen: int = 0

    def hits(self, method: str, path: str) -> bool:
        if self.method not in ("*", method) or re.match(self.path, path) is None:
            return False
        self.seen += 1
        return self.at <= self.seen < self.at + self.times


@dataclass
class Faults:
    """Lasting states of the service; every field can be set from a test or by :meth:`Admin.set`."""

    status: dict[str, list[Any]] = field(default_factory=dict)  # backend -> [accepts jobs, message]
    retired: list[str] = field(default_factory=list)  # gone from the list, everything about it answers 404
    no_configuration: list[str] = field(default_factory=list)  # in the list, but its configuration answers 404
    behaviour: dict[str, Any] = field(default_factory=dict)  # of jobs posted from now on: fields of Job
    listing_lag: float = 0.0  # seconds until a posted job is in GET /jobs
    instances: dict[str, str] = field(default_factory=lambda: {INSTANCE_NAME: INSTANCE})  # of the account: name -> CRN
    forbidden: list[str] = field(default_factory=list)  # instances (CRN) whose requests answer 403
    usage: dict[str, Any] = field(default_factory=dict)  # fields of GET /instances/usage
    max_shots: int = 0  # of every backend's configuration; 0: as in the snapshot
    max_body: int = 0  # bytes of a posted job; 0: no limit
    noisy: bool = False  # results from the fake backend's noise model, not from the exact circuit
    seed: int = 0


class Admin:
    """Sets faults of a stub in another process and reads its log."""

    def __init__(self, port: int) -> None:
        self.port = port

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.request(method, path, json.dumps(body) if body is not None else None)
            return json.loads(connection.getresponse().read())
        finally:
            connection.close()

    def set(self, **faults: Any) -> None:
        self.ask("PUT", "/stub/faults", faults)

    def rule(self, action: str, **settings: Any) -> None:
        self.ask("POST", "/stub/rules", {"action": action, **settings})

    def clear_rules(self) -> None:
        self.ask("DELETE", "/stub/rules")

    def reset(self) -> None:
        """No faults, no rules; jobs and the log of requests stay."""
        self.ask("POST", "/stub/reset")

    def change(self, number: int, **settings: Any) -> None:
        """Set fields of the job of this number (from 1), such as ``cancelled`` or ``queued_polls``."""
        self.ask("PUT", f"/stub/jobs/{number}", settings)

    def jobs(self) -> list[dict[str, Any]]:
        answer: list[dict[str, Any]] = self.ask("GET", "/stub/jobs")
        return answer

    def requests(self) -> list[dict[str, Any]]:
        answer: list[dict[str, Any]] = self.ask("GET", "/stub/requests")
        return answer
