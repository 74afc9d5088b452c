"""A stub of IBM's quantum service: a local HTTP server that the real SDK talks to as if it were IBM's.

The SDK is pointed at it by its environment alone, nothing of it is patched. By default every address (IAM, Global
Search, Global Catalog, Quantum) is a name under ``stub.test`` and the usual proxy variables bring the requests here.
With ``direct=True`` the SDK connects without a proxy, in the mode it has for experimental servers (no Global Search).
Paths and fields follow IBM's REST reference and the SDK's own readers of them.

In a test::

    with Stub() as stub:
        for name, value in stub.environment().items():
            monkeypatch.setenv(name, value)
        service = ibm.connect()

As a process: ``python tests/ibm_stub.py --port 0 --state FOLDER`` prints ``{"port": ..., "environment": {...}}`` and
serves until it is killed; started again on the folder it has the jobs again. ``Admin(port)`` sets its faults.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import threading
import time
from dataclasses import asdict, fields
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Any
from urllib.parse import parse_qs, urlsplit

from ibm_stub_answers import ACCESS_SECRET, TOKEN, Answers, Request, failure
from ibm_stub_faults import INSTANCE, INSTANCE_NAME, OTHER_INSTANCE, Admin, Faults, Rule
from ibm_stub_jobs import Job

__all__ = [
    "ACCESS_SECRET",
    "INSTANCE",
    "INSTANCE_NAME",
    "OTHER_INSTANCE",
    "TOKEN",
    "Admin",
    "Faults",
    "Rule",
    "Stub",
    "network",
    "save_account",
]
URL = "http://stub.test"


class Drop(Exception):
    """Close the connection without an answer."""


class Stub(Answers):
    """The service: state, faults and the server; a context manager."""

    def __init__(self, folder: Path | None = None, port: int = 0, backends: tuple[str, ...] = ("manila", "torino")):
        super().__init__(folder, backends)
        self.log_path = folder / "requests.jsonl" if folder else None
        self.rules: list[Rule] = []
        self.requests: list[dict[str, Any]] = []
        self.lock = threading.RLock()
        self.server = ThreadingHTTPServer(("127.0.0.1", port), type("Bound", (Handler,), {"stub": self}))
        self.server.daemon_threads = True
        self.port: int = self.server.server_address[1]
        # Qiskit's compiled part crashes at times where a thread other than the main one loads it: it is loaded here.
        import qiskit  # noqa: F401

    def __enter__(self) -> Stub:
        threading.Thread(target=lambda: self.server.serve_forever(poll_interval=0.02), daemon=True).start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.server.shutdown()
        self.server.server_close()

    @property
    def jobs(self) -> list[Job]:
        """Posted jobs, oldest first: their number is how often a job was really sent."""
        return sorted(self.store.jobs.values(), key=lambda job: job.number)

    def environment(self, token: str = TOKEN, instance: str = INSTANCE, direct: bool = False) -> dict[str, str]:
        """Environment under which the SDK talks to this stub, account included; an empty token leaves none."""
        account = {"QISKIT_IBM_TOKEN": token, "QISKIT_IBM_INSTANCE": instance, "QISKIT_IBM_CHANNEL": ""}
        here = f"http://127.0.0.1:{self.port}"
        if direct:
            experimental = {"QISKIT_FUNCTIONS_EXPERIMENTAL": "1", "IAM_URL": here}
            return account | network("") | {"QISKIT_IBM_URL": f"{here}/experimental"} | experimental
        return account | network(here) | {"QISKIT_IBM_URL": URL}

    def rule(self, action: str, **settings: Any) -> Rule:
        """Arm one :class:`Rule`; it stays in ``rules`` until they are cleared."""
        with self.lock:
            self.rules.append(Rule(action, **settings))
            return self.rules[-1]

    def log(self, entry: dict[str, Any]) -> None:
        self.requests.append(entry)
        if self.log_path is not None:
            with self.log_path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(entry) + "\n")

    def administer(self, method: str, path: str, body: bytes) -> Any:
        """``/stub/...``: read and set the state of the stub itself."""
        with self.lock:
            if path == "/stub/requests":
                return self.requests
            if path == "/stub/jobs":
                return [asdict(job) | {"status": job.status} for job in self.jobs]
            if path.startswith("/stub/jobs/"):
                job = self.jobs[int(path.rpartition("/")[2]) - 1]
                vars(job).update(json.loads(body))
                self.store.save(job)
            if path == "/stub/faults" and method == "PUT":
                given = json.loads(body)
                assert given.keys() <= {each.name for each in fields(Faults)}, given
                vars(self.faults).update(given)
            if path == "/stub/rules" and method == "POST":
                self.rules.append(Rule(**json.loads(body)))
            if path == "/stub/rules" and method == "DELETE":
                self.rules.clear()
            if path == "/stub/reset":
                self.faults, self.rules = Faults(), []
            return {"posted": len(self.jobs), "requests": len(self.requests), "faults": asdict(self.faults)}


def network(proxy: str) -> dict[str, str]:
    """Environment that sends the SDK's requests through ``proxy`` and lets it add no caller names (quicker)."""
    # Both spellings: lower case wins where both are set, and a NO_PROXY from outside must not interfere.
    names = dict.fromkeys(("http_proxy", "HTTP_PROXY"), proxy)
    names |= dict.fromkeys(("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY"), "")
    # Without IAM_URL the SDK asks https://iam.cloud.ibm.com whatever the account's address is.
    return names | {"IAM_URL": "http://iam.stub.test", "USAGE_DATA_OPT_OUT": "True"}


def save_account(home: Path, token: str = TOKEN, instance: str | None = INSTANCE, **more: Any) -> Path:
    """Write the account file that the SDK reads when HOME is this folder (it computes the path when imported)."""
    account = {"channel": "ibm_quantum_platform", "token": token, "url": URL, "verify": True, **more}
    if instance:
        account["instance"] = instance
    path = home / ".qiskit" / "qiskit-ibm.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"default-ibm-quantum-platform": account}), encoding="utf-8")
    path.chmod(0o600)
    return path


class Handler(BaseHTTPRequestHandler):
    """One connection."""

    stub: Stub
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, *_: object) -> None:
        """Nothing on the terminal: requests are kept in the stub."""

    def do_GET(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        parts = urlsplit(self.path)
        if parts.path.startswith("/stub/"):
            self.send(200, self.stub.administer(self.command, parts.path, body))
            return
        path = parts.path.removeprefix("/experimental").removeprefix("/api/v1")
        request = Request(self.command, parts.hostname or "", path, parse_qs(parts.query), self.headers, body)
        with self.stub.lock:
            entry = {"number": len(self.stub.requests) + 1, "method": self.command, "host": request.host, "path": path}
            self.stub.log(entry | {"query": parts.query, "headers": dict(self.headers), "bytes": len(body)})
            armed = [rule for rule in self.stub.rules if rule.hits(self.command, path)]
        try:
            self.before(armed) or self.after(armed, request)
        except Drop:
            self.close_connection = True

    do_POST = do_PUT = do_DELETE = do_PATCH = do_GET

    def before(self, armed: list[Rule]) -> bool:
        """Faults that come before the request takes effect; true if one of them has answered it."""
        for rule in armed:
            if rule.action in ("slow", "stop"):
                time.sleep(rule.value)
            if rule.action == "kill_before":
                os.kill(int(rule.value), signal.SIGKILL)
            if rule.action in ("drop_before", "kill_before", "stop"):
                raise Drop
            if rule.action == "status_before":
                self.send(int(rule.value), rule.body or failure(int(rule.value), "injected"))
                return True
            if rule.action == "garbage":
                self.send(200, "<html>not what you expect</html>")
                return True
        return False

    def after(self, armed: list[Rule], request: Request) -> None:
        """The request takes effect; then the faults that follow."""
        with self.stub.lock:
            status, answer = self.stub.respond(request)
        for rule in armed:
            if rule.action == "kill_after":
                os.kill(int(rule.value), signal.SIGKILL)
            if rule.action in ("drop_after", "kill_after"):
                raise Drop
            if rule.action == "status_after":
                status, answer = int(rule.value), rule.body or failure(int(rule.value), "injected")
            if rule.action == "garbage_after":
                answer = "<html>not what you expect</html>"
        self.send(status, answer)
        for rule in armed:
            if rule.action == "kill_sent":
                os.kill(int(rule.value), signal.SIGKILL)

    def send(self, status: int, answer: Any) -> None:
        data = (answer if isinstance(answer, str) else json.dumps(answer)).encode()
        try:
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            if status != 204:
                self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data if status != 204 else b"")
        except (BrokenPipeError, ConnectionResetError):  # the client is gone
            self.close_connection = True


def main() -> None:
    """Serve until killed; one JSON line says where."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--state", type=Path)
    chosen = parser.parse_args()
    stub = Stub(chosen.state, chosen.port)
    print(json.dumps({"port": stub.port, "environment": stub.environment()}), flush=True)
    stub.server.serve_forever(poll_interval=0.02)


if __name__ == "__main__":
    main()
