"""Errors of IBM's service or SDK as one line with a remedy; the SDK's own text is always scrubbed.

The SDK (0.51) suggests "check that you are using a valid API token" even for a broken network. The cause of an error is
therefore searched along ``__cause__`` and ``__context__``, not in its message.
"""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Iterator

from gatesolve.errors import BackendError, GatesolveError, InputError, MissingExtraError

ACCOUNT_PAGE = "https://quantum.cloud.ibm.com"
ACCOUNT_FILE = "~/.qiskit/qiskit-ibm.json"
TOKEN_VARIABLE = "QISKIT_IBM_TOKEN"
_NO_WAY = (errno.ENETUNREACH, errno.EHOSTUNREACH, errno.ECONNREFUSED)
_HIDDEN = "[hidden]"
# Headers and fields that carry a secret; JWTs; and any run of 32 or more letters and digits mixed, as keys are.
_SECRETS = (
    re.compile(r"(?i)\b(bearer|basic)\s+\S+"),
    re.compile(
        r"(?i)\b(api[_-]?key|token|authorization|secret|password)\b(\w*[\"']?\s*[:=]\s*|\s+)[\"']?[^\s\"',;}&]+"
    ),
    re.compile(r"\beyJ[\w-]+(\.[\w-]*)*"),
    re.compile(r"(?<![\w-])(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{32,}"),
)


class UnconfirmedError(BackendError):
    """The connection broke while a job was being sent: the service may have it or not; look it up by its tag."""


def scrub(text: str, limit: int = 200) -> str:
    """Return text from outside on one line, without control characters and anything that looks like a secret."""
    line = " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())
    if token := os.environ.get(TOKEN_VARIABLE):
        line = line.replace(token, _HIDDEN)
    for pattern in _SECRETS:
        line = pattern.sub(_HIDDEN, line)
    return line if len(line) <= limit else line[: limit - 3].rstrip() + "..."


def list_causes(error: BaseException) -> Iterator[BaseException]:
    """Yield the error, then all its causes and contexts, also those that ``from None`` hides."""
    waiting, seen = [error], set[int]()
    while waiting:
        current = waiting.pop(0)
        if id(current) in seen:
            continue
        seen.add(id(current))
        yield current
        inner = [current.__cause__, current.__context__, *(each for each in current.args if each is not current)]
        waiting += [each for each in inner if isinstance(each, BaseException)]


def explain_error(error: BaseException, *, backend: str = "", job: str = "") -> GatesolveError:
    """Return one line for any error of IBM's SDK or service, whose own text is used only after :func:`scrub`.

    Raise it ``from None``, best outside the ``except`` block: then not even its context contains the SDK's error.
    """
    errors = tuple(list_causes(error))
    for each in errors:
        if isinstance(each, GatesolveError):
            return each
    names = _class_names(errors)
    if any(isinstance(each, ModuleNotFoundError) for each in errors):
        return MissingExtraError("backend ibm needs IBM's SDK", "ibm")
    # The order matters: a network failure may also carry a status, and both may be wrapped in an SDK class.
    known = (
        _explain_network(names, errors)
        or _explain_status(errors, backend, job)
        or _explain_class(names, errors, backend, job)
    )
    return known or BackendError(f"IBM's SDK failed: {type(error).__name__}: {scrub(str(error))}")


def find_http_status(errors: tuple[BaseException, ...]) -> int:
    """Return the status of the service's answer, 0 if there was none."""
    for each in errors:
        status = getattr(each, "status_code", None) or getattr(getattr(each, "response", None), "status_code", None)
        if isinstance(status, int) and status > 0:
            return status
        # After its retries the HTTP library states the status only in its message.
        if too_many := re.search(r"too many (\d{3}) error responses", str(each)):
            return int(too_many[1])
    return 0


def find_service_code(errors: tuple[BaseException, ...]) -> int:
    """Return IBM's own four- or five-digit error code in the body of an answer, 0 if there is none."""
    for each in errors:
        text = getattr(getattr(each, "response", None), "text", "")
        if found := re.search(r'"code":\s*(\d{4,5})\b', text if isinstance(text, str) else ""):
            return int(found[1])
    return 0


def never_connected(errors: tuple[BaseException, ...]) -> bool:
    """Return whether the request cannot have reached the service, as no connection was ever made."""
    if _class_names(errors) & {"NewConnectionError", "ConnectTimeoutError", "ConnectTimeout", "gaierror"}:
        return True
    return any(getattr(each, "errno", None) in _NO_WAY for each in errors if isinstance(each, OSError))


def _class_names(errors: tuple[BaseException, ...]) -> set[str]:
    """Return the names of the errors' classes and of their bases; the SDK need not be imported."""
    return {kind.__name__ for each in errors for kind in type(each).__mro__}


def explain_no_account() -> InputError:
    """Explain that there is neither a saved account nor one in the environment."""
    return InputError(
        f"no IBM account: save one with QiskitRuntimeService.save_account (it writes {ACCOUNT_FILE}), or set "
        f"{TOKEN_VARIABLE}; gatesolve itself takes no token"
    )


def explain_account_file(error: Exception) -> InputError:
    """Explain that the SDK's file of saved accounts cannot be read."""
    if isinstance(error, OSError):
        return InputError(f"the account file {ACCOUNT_FILE} cannot be read: check its owner and mode (0600)")
    return InputError(
        f"the account file {ACCOUNT_FILE} is not as the SDK writes it: delete it and save the account again"
    )


def _explain_network(names: set[str], errors: tuple[BaseException, ...]) -> GatesolveError | None:
    """Explain a request without any answer."""
    texts = " ".join(str(each) for each in errors)
    if "SSLError" in names or "SSLCertVerificationError" in names:
        return BackendError(
            "IBM's service could not be reached securely (TLS): check the clock of this machine, its certificates "
            "and a proxy that may answer in IBM's place"
        )
    timeouts = {"ConnectTimeout", "ReadTimeout", "ReadTimeoutError"}
    # urllib3 derives a refused connection from its timeout class, but it is not a timeout.
    if "NewConnectionError" not in names:
        timeouts |= {"ConnectTimeoutError", "TimeoutError"}
    if names & timeouts:
        return BackendError("IBM's service did not answer in time: check the network, then try again")
    if "gaierror" in names or "NameResolutionError" in names or "Name or service not known" in texts:
        return BackendError("the network cannot be reached: the name of IBM's service does not resolve; check DNS, VPN")
    if "ProxyError" in names and never_connected(errors):
        return BackendError("the proxy cannot be reached: check HTTPS_PROXY and the proxies of the saved account")
    if never_connected(errors):
        return BackendError("IBM's service cannot be reached: check the network, VPN and firewall, then try again")
    broken = {"ProtocolError", "ProxyError", "ConnectionError", "ChunkedEncodingError"}
    if names & broken and find_http_status(errors) == 0:
        return BackendError("the connection to IBM's service broke: try again")
    return None


def _explain_status(errors: tuple[BaseException, ...], backend: str, job: str) -> GatesolveError | None:
    """Explain a refusal by the service."""
    status, code = find_http_status(errors), find_service_code(errors)
    noted = f" (IBM error {code}: {ACCOUNT_PAGE}/docs/errors)" if code else ""
    # The key is exchanged for an access token first, and that request may be refused.
    answers = (getattr(each, "http_response", None) for each in errors)
    signs_in = any("/identity/token" in str(getattr(answer, "url", "")) for answer in answers)
    unknown = "BXNIM" in " ".join(map(str, errors))
    # BXNIM starts the error codes of IBM's identity service.
    if unknown or status == 401 or (status in (400, 403) and signs_in):
        return InputError(
            "IBM does not know the account's API key: make a new one at https://cloud.ibm.com/iam/apikeys and save "
            f"the account again, or correct {TOKEN_VARIABLE}"
        )
    if code in (3211, 4317) or status == 402:
        return explain_usage()
    if status == 403:
        return InputError(
            "the account may not use this instance: check the instance of the saved account (or QISKIT_IBM_INSTANCE) "
            f"against the list at {ACCOUNT_PAGE}/instances{noted}"
        )
    if status == 404:
        return explain_no_job(job) if job else explain_no_backend(backend) if backend else None
    refusals = {
        413: "the job is larger than IBM's service takes: send fewer or smaller circuits at a time",
        429: f"IBM's service refuses more requests or jobs for now: wait, then try again{noted}",
        503: "IBM's service is down, as in a planned maintenance (503): try again later",
    }
    if status >= 500:
        return BackendError(refusals.get(status, f"IBM's service failed ({status}): try again later{noted}"))
    if status >= 400:
        usual = f"IBM's service refused the request ({status}){noted or ': update qiskit-ibm-runtime'}"
        return BackendError(refusals.get(status, usual))
    return None


def _explain_class(names: set[str], errors: tuple[BaseException, ...], backend: str, job: str) -> GatesolveError | None:
    """Explain a refusal by the SDK itself, before or after a request."""
    # Most specific first. Some classes are shared by several faults, and only the message separates these.
    text = " ".join(str(each) for each in errors)
    if "usage limit" in text or "no more time available" in text:
        return explain_usage()
    if "AccountNotFoundError" in names:
        return explain_no_account()
    if "InvalidAccountError" in names:
        return InputError(
            "the IBM account is not valid: check QISKIT_IBM_CHANNEL, or save it again with "
            "QiskitRuntimeService.save_account"
        )
    if "IBMInputValueError" in names and re.search(r"\binstances?\b", text):
        return InputError(
            "the IBM account has no such instance: check the instance of the saved account (or QISKIT_IBM_INSTANCE), "
            f"its region, plan and tags against the list at {ACCOUNT_PAGE}/instances"
        )
    if "IBMInputValueError" in names and "ynamical decoupling" in text:
        return explain_decoupling()
    if "RuntimeJobNotFound" in names:
        return explain_no_job(job)
    # Raised for an unknown name; `ask_service` has already replaced it where the network was at fault.
    if "QiskitBackendNotFoundError" in names:
        return explain_no_backend(backend)
    if "RuntimeJobMaxTimeoutError" in names:
        return explain_long_run(job)
    if names & {"RuntimeJobTimeoutError", "JobTimeoutError"}:
        return BackendError(f"job {scrub(job)} is not done yet: fetch it later")
    if "RuntimeInvalidStateError" in names:
        return explain_cancelled(job)
    if "RuntimeJobFailureError" in names:
        return explain_failed(job, text.partition("Unable to retrieve job result.")[2])
    # The service's answer has another form than the SDK expects.
    if names & {"JSONDecodeError", "ValidationError", "KeyError", "TypeError", "UnicodeDecodeError"}:
        return BackendError("IBM's service gave an answer that cannot be read: try again, update qiskit-ibm-runtime")
    return None


def explain_usage() -> BackendError:
    """Explain that the plan's time is used up: a job would wait for ever."""
    return BackendError(
        "the instance has used up its time on the quantum computers, so the job would never start: wait for the next "
        f"period, raise the limit at {ACCOUNT_PAGE}/instances, or use another instance"
    )


def explain_no_backend(backend: str, others: tuple[str, ...] = ()) -> InputError:
    """Explain that the name is wrong, the backend retired, or it belongs to another instance."""
    there = f"; there are {', '.join(map(scrub, others))}" if others else f": see {ACCOUNT_PAGE}/computers"
    return InputError(f"no backend {scrub(backend)!r} in this account (misspelt, retired, another instance){there}")


def explain_no_job(job: str) -> InputError:
    """Explain that the service does not have the job."""
    return InputError(
        f"IBM's service has no job {scrub(job)!r}: it was deleted, or belongs to another account or instance; "
        "check QISKIT_IBM_INSTANCE or the saved account, or submit it with again=True"
    )


def explain_closed(backend: str, message: str, others: tuple[str, ...] = ()) -> BackendError:
    """Explain that the backend accepts no jobs, or does not run them."""
    instead = f", or use {', '.join(map(scrub, others))}" if others else ", or use another backend"
    state = scrub(message) or "not operational"
    return BackendError(
        f"{scrub(backend)} runs no jobs at the moment (its status: {state}): try again later{instead}, "
        "or wait in its queue with force=True"
    )


def explain_cancelled(job: str) -> BackendError:
    """Explain that the job was cancelled."""
    return BackendError(f"job {scrub(job)} was cancelled and has no results: submit it once more with again=True")


def explain_failed(job: str, reason: str) -> BackendError:
    """Explain that the job ended with an error, with the service's text, scrubbed."""
    if re.search(r"\b1305\b|ran (longer|too long)", reason, re.IGNORECASE):
        return explain_long_run(job)
    text = scrub(re.sub(r"^Job \S+ has failed:\s*", "", reason.strip())) or "no reason given"
    return BackendError(
        f"job {scrub(job)} failed on IBM's side: {text.rstrip('.')}; submit it with again=True, or with fewer shots"
    )


def explain_long_run(job: str) -> BackendError:
    """Explain error 1305: the job ran too long."""
    return BackendError(f"job {scrub(job)} ran longer than allowed and was stopped (IBM error 1305): use fewer shots")


def explain_unconfirmed(problem: GatesolveError) -> UnconfirmedError:
    """Explain that the answer to the sending of a job is missing because of this problem."""
    what = str(problem).partition(":")[0]
    return UnconfirmedError(
        f"it is not known whether the job was sent ({what}): repeat the command, which looks for the job's tag first"
    )


def explain_decoupling() -> InputError:
    """Explain that the executor Sampler has no decoupling for circuits that branch."""
    return InputError(
        "dynamical decoupling does not work with measurements in mid-circuit and branches: leave out "
        "decoupling or measured"
    )
