"""IBM's quantum computers: send circuits as a job, look jobs up, read their counts.

The account is the SDK's own (its saved file, or QISKIT_IBM_TOKEN, QISKIT_IBM_INSTANCE, QISKIT_IBM_CHANNEL and
QISKIT_IBM_URL in the environment); no function here accepts a token. Jobs go through the executor Sampler in job mode:
no session is ever opened. Every error is one line (see :mod:`gatesolve.devices.ibm_errors`).

Waits end, and a job is never posted twice. The SDK (0.51) has no public setting for either, so this module reads two of
its private attributes; a test names the version. The SDK has a ``requests.Session`` for each instance of the account,
and mounting an adapter for an address is public there. If an SDK keeps its sessions elsewhere, nothing is changed.
"""

from __future__ import annotations

import logging
import os
import socket
import sys
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from qiskit import QuantumCircuit

from gatesolve.devices import ibm_errors
from gatesolve.devices.ibm_errors import explain_error, find_http_status, list_causes
from gatesolve.devices.job_request import JobRequest
from gatesolve.errors import BackendError, InputError
from gatesolve.programs.measured import REGISTER

if TYPE_CHECKING:
    from qiskit.providers import BackendV2
    from qiskit_ibm_runtime import QiskitRuntimeService

CONNECT_SECONDS = 5.0
# Between two pieces of an answer; the SDK would wait for ever.
READ_SECONDS = 60.0
# Statuses that are retried, as in the SDK.
_AGAIN = (500, 502, 503, 504, 520, 521, 522, 524)
_LOGGERS = ("qiskit_ibm_runtime", "urllib3", "ibm-cloud-sdk-core", "ibm_cloud_sdk_core", "requests")
# Warnings that are the only sign of an error. Without the first the SDK goes on with a header of its own making and
# blocks for a minute at the next request; without the others a job is taken that would never run.
_ERRORS = (
    "Unable to retrieve IBM Cloud access token",
    "This instance has met its usage limit",
    "There is currently no more time available",
)
# Jobs requested at a time.
PAGE = 100
_STATUS = {"RUNNING": "running", "DONE": "done", "ERROR": "failed"}


def knock(account: Mapping[str, Any]) -> None:
    """Fail soon if IBM's sign-in service cannot be reached: a firewall that drops packets costs the SDK a minute.

    The saved account may be empty.
    """
    from requests.utils import get_environ_proxies

    address = os.environ.get("IAM_URL") or "https://iam.cloud.ibm.com"
    parts = urlsplit(address)
    elsewhere = account.get("proxies") or account.get("private_endpoint") or get_environ_proxies(address)
    # With a proxy or private addresses a direct connection says nothing, so none is tried.
    if elsewhere or not parts.hostname:
        return
    port = parts.port or (80 if parts.scheme == "http" else 443)
    socket.create_connection((parts.hostname, port), CONNECT_SECONDS).close()


def _sessions(service: Any) -> list[tuple[Any, str]]:
    """Return the sessions of a service, each with the base address of its requests."""
    clients = getattr(service, "_api_clients", None)
    if not isinstance(clients, dict):
        return []
    found: list[Any] = [getattr(client, "_session", None) for client in clients.values()]
    return [(session, session.base_url) for session in found if hasattr(session, "base_url")]


def end_waits(service: QiskitRuntimeService) -> QiskitRuntimeService:
    """Limit requests of the service to a minute or two, and to 4 seconds where no connection can be made; return it."""
    from requests.adapters import HTTPAdapter
    from urllib3.util.retry import Retry

    class Bounded(HTTPAdapter):
        def send(self, request: Any, stream: bool = False, timeout: Any = None, *rest: Any, **settings: Any) -> Any:
            # The SDK sets no limit for most requests, which would then wait for ever.
            if timeout is None or (isinstance(timeout, tuple) and None in timeout):
                timeout = (CONNECT_SECONDS, READ_SECONDS)
            return super().send(request, stream, timeout, *rest, **settings)

    again = Retry(total=3, connect=2, read=1, other=1, backoff_factor=0.5, status_forcelist=_AGAIN)
    for session, address in _sessions(service):
        session.mount(address, Bounded(max_retries=again))
    return service


@contextmanager
def post_once(service: QiskitRuntimeService) -> Iterator[list[bool]]:
    """Prevent the repetition of a broken POST of a job; the list gets an entry when a POST begins."""
    from requests.adapters import HTTPAdapter
    from urllib3.util.retry import Retry

    begun: list[bool] = []

    class Once(HTTPAdapter):
        def send(self, *arguments: Any, **settings: Any) -> Any:
            begun.append(True)
            return super().send(*arguments, **settings)

    # requests takes the adapter with the longest matching address: all other requests keep theirs.
    mounted = [(session, f"{address}/jobs") for session, address in _sessions(service)]
    # Without a known session a POST cannot be observed, so every one counts as begun.
    if not mounted:
        begun.append(True)
    # The SDK repeats a POST after a TLS error or an answer 5xx, and behind a proxy after any broken connection. The
    # service may have accepted the job already: it would run, and cost, twice. So only failures before a connection
    # was made are retried.
    once = Retry(total=2, connect=2, read=0, redirect=0, status=0, other=0, backoff_factor=0.5)
    try:
        for session, address in mounted:
            session.mount(address, Once(max_retries=once))
        yield begun
    finally:
        for session, address in mounted:
            session.adapters.pop(address, None)


@dataclass
class Heard:
    """Errors that the SDK swallowed, in order, and the text of its log."""

    swallowed: list[BaseException] = field(default_factory=list, repr=False)
    lines: list[str] = field(default_factory=list)

    def trouble(self) -> BaseException | None:
        """Return a swallowed failure of the network or the service, the real reason why something "was not found"."""
        for error in self.swallowed:
            errors = tuple(list_causes(error))
            status = find_http_status(errors)
            # 404 is the honest answer for something that does not exist; 0 means that there was no answer.
            if status not in (0, 404) or (status == 0 and any(isinstance(each, OSError) for each in errors)):
                return error
        return None


class _Ear(logging.Handler):
    def __init__(self, heard: Heard) -> None:
        super().__init__(logging.WARNING)
        self.heard = heard

    def emit(self, record: logging.LogRecord) -> None:
        self.heard.lines.append(str(record.msg))
        # The SDK logs from inside its except clauses, so the error it is about to swallow is still the current one.
        current = sys.exc_info()[1]
        if current is not None and all(current is not each for each in self.heard.swallowed):
            self.heard.swallowed.append(current)


@contextmanager
def _hear_loggers(heard: Heard) -> Iterator[None]:
    """Redirect loggers of the SDK to ``heard``; their handlers are restored at the end."""
    ear = _Ear(heard)
    loggers = [logging.getLogger(name) for name in _LOGGERS]
    before = [(logger, logger.handlers, logger.propagate) for logger in loggers]
    try:
        for logger in loggers:
            logger.handlers, logger.propagate = [ear], False
        yield
    finally:
        for logger, handlers, propagate in before:
            logger.handlers, logger.propagate = handlers, propagate


@contextmanager
def ask_service(*, backend: str = "", job: str = "") -> Iterator[Heard]:
    """Run SDK calls; their errors become a :class:`GatesolveError` without the SDK's error in its context."""
    heard, problem = Heard(), None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        # Some failures of the SDK are only warnings, and are turned into errors here.
        for text in _ERRORS:
            warnings.filterwarnings("error", message=text)
        # The first import of the SDK sets its log handler, so it must precede the exchange of handlers.
        try:
            import qiskit_ibm_runtime  # noqa: F401
        except ImportError as error:
            problem = explain_error(error)
        if problem is None:
            with _hear_loggers(heard):
                try:
                    yield heard
                except Exception as error:
                    # The SDK reports an unreachable network as a missing backend.
                    lost = type(error).__name__ == "QiskitBackendNotFoundError" and heard.trouble()
                    problem = explain_error(lost or error, backend=backend, job=job)
    if problem is not None:
        # Without cause or context: frames of the SDK's error contain the token, and some reports print variables.
        try:
            raise problem.with_traceback(None)
        finally:
            problem.__cause__ = problem.__context__ = None


def connect() -> QiskitRuntimeService:
    """Return the service, with the account of the SDK's file or environment."""
    with ask_service() as heard:
        from qiskit_ibm_runtime import QiskitRuntimeService

        knock(_saved_account(QiskitRuntimeService))
        service = QiskitRuntimeService()
        # The SDK only logs that an instance cannot be used; if none can, nothing would work, with odd messages.
        refused = sum(line.startswith("Invalid instance") for line in heard.lines)
        instances = 1 if _own_instance(service) else len(service.instances())
        if refused >= instances and heard.swallowed:
            raise ibm_errors.explain_error(heard.swallowed[-1])
        return end_waits(service)


def _saved_account(service: type[QiskitRuntimeService]) -> Mapping[str, Any]:
    """Return the network settings of a saved account, if the account comes from the file; the token is left out."""
    if os.environ.get(ibm_errors.TOKEN_VARIABLE):
        return {}
    try:
        accounts = service.saved_accounts()
    # The SDK raises many kinds of errors for a file that it cannot read.
    except Exception as error:
        raise ibm_errors.explain_account_file(error) from None
    if not accounts:
        raise ibm_errors.explain_no_account()
    keys = ("proxies", "private_endpoint")
    return {key: value for account in accounts.values() for key in keys if (value := account.get(key))}


def find(name: str, service: QiskitRuntimeService, *, any_status: bool = False) -> BackendV2:
    """Return a backend that accepts jobs now; with ``any_status`` also one whose queue they wait in."""
    with ask_service(backend=name) as heard:
        from qiskit.providers.exceptions import QiskitBackendNotFoundError

        try:
            backend = service.backend(name)
        except QiskitBackendNotFoundError:
            if heard.trouble():
                raise
            raise ibm_errors.explain_no_backend(name, _other_names(service, name)) from None
        status = backend.status()
        if not any_status and not (status.operational and status.status_msg == "active"):
            raise ibm_errors.explain_closed(name, status.status_msg, _other_names(service, name))
    return backend


def _other_names(service: QiskitRuntimeService, name: str) -> tuple[str, ...]:
    """Return the account's other usable backends; called only for a missing one, as it costs a request for each."""
    return tuple(sorted(backend.name for backend in service.backends() if backend.name != name))


def send(
    backend: BackendV2, circuits: Sequence[QuantumCircuit], shots: int, tags: Sequence[str], request: JobRequest
) -> str:
    """Send one job and return its id at once.

    Each circuit must be compiled for the backend and measure into `REGISTER`. With twirling the service rounds the
    shots up to equal shares of the randomisations.

    Raises:
        UnconfirmedError: the connection broke: the job may have arrived; :func:`look_up` finds out.
        GatesolveError: nothing was sent; one line gives the reason.
    """
    check_compiled(backend, circuits)
    with ask_service(backend=backend.name):
        sampler = _sampler(backend, circuits, request)
        sampler.options.environment.job_tags = list(tags)
        with post_once(backend.service) as begun:
            try:
                job_id: str = sampler.run(list(circuits), shots=shots).job_id()
            except Exception as error:
                # Nothing was posted, or it was refused: the ordinary error is right, and sending again is safe.
                if not (begun and _may_have_arrived(error)):
                    raise
                raise ibm_errors.explain_unconfirmed(ibm_errors.explain_error(error, backend=backend.name)) from None
    return job_id


def _may_have_arrived(error: Exception) -> bool:
    """Return whether the service could have accepted a job whose POST ended with this error."""
    errors = tuple(list_causes(error))
    return not 400 <= find_http_status(errors) < 500 and not ibm_errors.never_connected(errors)


def look_up(service: QiskitRuntimeService, tag: str) -> tuple[str, ...]:
    """Return the ids of the jobs that have a tag, oldest first.

    The account's own instance is searched, or all its instances if it names none. The service may list a new job late:
    a caller that must be certain asks again.
    """
    with ask_service():
        own = _own_instance(service)
        instances = [own] if own else [instance["crn"] for instance in service.instances()]
        found: list[str] = []
        for instance in instances:
            skip, full = 0, True
            while full:
                # Without a limit the SDK asks for ever if a job is deleted while it reads the pages.
                jobs = service.jobs(limit=PAGE, skip=skip, job_tags=[tag], instance=instance, descending=False)
                # The tags are compared again, should a service ignore the filter.
                found += [job.job_id() for job in jobs if tag in (job.tags or ())]
                skip, full = skip + PAGE, len(jobs) >= PAGE
    return tuple(dict.fromkeys(found))


def _own_instance(service: QiskitRuntimeService) -> str | None:
    # The account also contains the token, so nothing else is read from it.
    instance = (service.active_account() or {}).get("instance")
    return instance if isinstance(instance, str) and instance.startswith("crn:") else None


def state(service: QiskitRuntimeService, job_id: str) -> tuple[str, str]:
    """Return the state of a job as `Device.state` does, and one scrubbed line on why it was cancelled or failed."""
    with ask_service(job=job_id):
        return _state(service.job(job_id))


def _state(job: Any) -> tuple[str, str]:
    status = str(job.status())
    # The SDK returns states that it does not know unchanged.
    known = _STATUS.get(status, "cancelled" if status.upper().startswith("CANCELLED") else "queued")
    if known == "failed":
        return "failed", str(ibm_errors.explain_failed(job.job_id(), job.error_message() or ""))
    return known, str(ibm_errors.explain_cancelled(job.job_id())) if known == "cancelled" else ""


def results(service: QiskitRuntimeService, job_id: str) -> list[dict[str, int]]:
    """Return counts of the register ``measured``, one dictionary a circuit; bit 0 is rightmost, twirling is undone."""
    with ask_service(job=job_id):
        job = service.job(job_id)
        status, reason = _state(job)
        if status in {"queued", "running"}:
            raise BackendError(f"job {ibm_errors.scrub(job_id)} is still {status}: fetch it later")
        if status != "done":
            raise BackendError(reason)
        return _counts(job.result(), f"job {ibm_errors.scrub(job_id)}")


def run_local(
    backend: BackendV2, circuits: Sequence[QuantumCircuit], shots: int, seed: int, request: JobRequest
) -> list[dict[str, int]]:
    """Run on a fake backend with the noise of its snapshot, by the same Sampler as :func:`send`.

    Decoupling only adds noise here: the noise model has no slow noise that it could cancel.
    """
    check_compiled(backend, circuits)
    with ask_service(backend=backend.name):
        sampler = _sampler(backend, circuits, request)
        sampler.options.simulator.seed_simulator = seed
        return _counts(sampler.run(list(circuits), shots=shots).result(), backend.name)


def _sampler(backend: BackendV2, circuits: Sequence[QuantumCircuit], request: JobRequest) -> Any:
    from qiskit_ibm_runtime.executor_sampler import Sampler

    sampler = Sampler(mode=backend)
    if request.decoupling is not None:
        sampler.options.dynamical_decoupling.enable = True
        sampler.options.dynamical_decoupling.sequence_type = request.decoupling
    # Without a two-qubit gate there is nothing to vary, and the SDK's simulator (0.51) returns the counts of the first
    # randomisation only, zeros for the others.
    something = request.twirl_measure or all(circuit.num_nonlocal_gates() for circuit in circuits)
    sampler.options.twirling.enable_gates = request.twirl_gates and something
    sampler.options.twirling.enable_measure = request.twirl_measure
    return sampler


def _counts(outcome: Any, source: str) -> list[dict[str, int]]:
    counts = []
    for number, circuit in enumerate(outcome):
        data: Mapping[str, Any] = circuit.data
        if REGISTER not in data:
            raise BackendError(f"{source}: circuit {number} has no register {REGISTER!r}; gatesolve did not send it")
        counts.append(dict(data[REGISTER].get_counts()))
    return counts


def check_compiled(backend: BackendV2, circuits: Sequence[QuantumCircuit]) -> None:
    """Refuse circuits in other gates or on other couplings than the backend has now, before anything is sent."""
    with ask_service(backend=backend.name):
        from qiskit_ibm_runtime.utils.utils import is_isa_circuit

        for circuit in circuits:
            if message := is_isa_circuit(circuit, backend.target):
                raise InputError(
                    f"the circuit is not compiled for {backend.name}: {ibm_errors.scrub(str(message), 120)}; compile "
                    "it again (the backend's calibration may have changed)"
                )
