"""Calls into IBM's SDK: nothing of what it says reaches the terminal, everything it raises becomes one clear line.

The SDK logs to standard error, warns with the text of exceptions, and swallows errors while it looks around; urllib3
logs its retries. All of that is caught here, for the time of a call; the swallowed errors are kept, for they explain
what goes wrong later.
"""

from __future__ import annotations

import logging
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import NoReturn

from gatesolve.devices.ibm.errors import explain_error, find_http_status, list_causes
from gatesolve.errors import GatesolveError

_LOGGERS = ("qiskit_ibm_runtime", "urllib3", "ibm-cloud-sdk-core", "ibm_cloud_sdk_core", "requests")
# Warnings that are the only sign of an error. Without the first the SDK goes on with a header of its own making and
# blocks for a minute at the next request; without the others a job is taken that would never run.
_ERRORS = (
    "Unable to retrieve IBM Cloud access token",
    "This instance has met its usage limit",
    "There is currently no more time available",
)


@dataclass
class Heard:
    """Errors that the SDK swallowed, in order, and the text of its log."""

    swallowed: list[BaseException] = field(default_factory=list, repr=False)
    lines: list[str] = field(default_factory=list)

    def trouble(self) -> BaseException | None:
        """A swallowed failure of the network or the service: the reason why something "was not found"."""
        for error in self.swallowed:
            errors = tuple(list_causes(error))
            status = find_http_status(errors)
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
    """Loggers of the SDK speak to ``heard`` alone; their handlers are put back at the end."""
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
    """Run SDK calls; whatever they raise leaves as a :class:`GatesolveError` without the SDK's error in its context."""
    heard, problem = Heard(), None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for text in _ERRORS:
            warnings.filterwarnings("error", message=text)
        # The first import of the SDK sets its handler, so it must have happened before they are exchanged.
        try:
            import qiskit_ibm_runtime  # noqa: F401
        except ImportError as error:
            problem = explain_error(error)
        if problem is None:
            with _hear_loggers(heard):
                try:
                    yield heard
                except Exception as error:
                    lost = type(error).__name__ == "QiskitBackendNotFoundError" and heard.trouble()
                    problem = explain_error(lost or error, backend=backend, job=job)
    if problem is not None:
        _raise_alone(problem)


def _raise_alone(problem: GatesolveError) -> NoReturn:
    """Raise without cause or context: frames of the SDK's error hold the token, and some reports print variables."""
    try:
        raise problem.with_traceback(None)
    finally:
        problem.__cause__ = problem.__context__ = None
