"""How IBM's SDK speaks HTTP: waits that end, and a job that is never posted twice.

The SDK (0.51) has no public setting for either, so this file alone reads two of its private attributes; a test says for
which version. It keeps a ``requests.Session`` for each instance of the account, and what is done here is public in that
class: an adapter is mounted for an address. An SDK that keeps its sessions elsewhere is left as it is.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from qiskit_ibm_runtime import QiskitRuntimeService

CONNECT_SECONDS = 5.0
READ_SECONDS = 60.0  # between two pieces of an answer; the SDK would wait for ever
_AGAIN = (500, 502, 503, 504, 520, 521, 522, 524)  # as in the SDK


def knock(account: Mapping[str, Any]) -> None:
    """Fail soon if IBM's sign-in service cannot be reached: a firewall that is silent costs the SDK a minute.

    Nobody is asked where the saved account (it may be empty) has a proxy or private addresses.
    """
    from requests.utils import get_environ_proxies

    address = os.environ.get("IAM_URL") or "https://iam.cloud.ibm.com"
    parts = urlsplit(address)
    elsewhere = account.get("proxies") or account.get("private_endpoint") or get_environ_proxies(address)
    if elsewhere or not parts.hostname:
        return
    port = parts.port or (80 if parts.scheme == "http" else 443)
    socket.create_connection((parts.hostname, port), CONNECT_SECONDS).close()


def _sessions(service: Any) -> list[tuple[Any, str]]:
    """The sessions of a service, each with the address its requests start with."""
    clients = getattr(service, "_api_clients", None)
    if not isinstance(clients, dict):
        return []
    found: list[Any] = [getattr(client, "_session", None) for client in clients.values()]
    return [(session, session.base_url) for session in found if hasattr(session, "base_url")]


def end_waits(service: QiskitRuntimeService) -> None:
    """Requests of the service fail within a minute or two, and within 4 seconds where no connection can be made."""
    from requests.adapters import HTTPAdapter
    from urllib3.util.retry import Retry

    class Bounded(HTTPAdapter):
        def send(self, request: Any, stream: bool = False, timeout: Any = None, *rest: Any, **settings: Any) -> Any:
            if timeout is None or (isinstance(timeout, tuple) and None in timeout):
                timeout = (CONNECT_SECONDS, READ_SECONDS)
            return super().send(request, stream, timeout, *rest, **settings)

    again = Retry(total=3, connect=2, read=1, other=1, backoff_factor=0.5, status_forcelist=_AGAIN)
    for session, address in _sessions(service):
        session.mount(address, Bounded(max_retries=again))


@contextmanager
def post_once(service: QiskitRuntimeService) -> Iterator[list[bool]]:
    """While it lasts a broken POST of a job is not repeated; the list gets an entry when one begins.

    The SDK's retries repeat a POST after a TLS error or an answer 5xx, and behind a proxy after any broken connection,
    without knowing whether the service has taken the job: it would run, and cost, twice. If no session is found every
    POST counts as begun.
    """
    from requests.adapters import HTTPAdapter
    from urllib3.util.retry import Retry

    begun: list[bool] = []

    class Once(HTTPAdapter):
        def send(self, *arguments: Any, **settings: Any) -> Any:
            begun.append(True)
            return super().send(*arguments, **settings)

    mounted = [(session, f"{address}/jobs") for session, address in _sessions(service)]
    if not mounted:
        begun.append(True)
    # Only what failed before there was a connection is tried again.
    once = Retry(total=2, connect=2, read=0, redirect=0, status=0, other=0, backoff_factor=0.5)
    try:
        for session, address in mounted:
            session.mount(address, Once(max_retries=once))
        yield begun
    finally:
        for session, address in mounted:
            session.adapters.pop(address, None)
