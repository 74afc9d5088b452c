"""Devices and their jobs: compile for a device, place, submit, survive, fetch, mitigate, read out.

A search is kept on disk before anything is sent (``jobs/``), so a process may be killed between any two steps; what
came back is read out and tested against chance (``readout.py``). Knows no puzzles: what judges an answer is handed in.
May import formats, pipelines, planning, programs, simulate, encodings, circuit and model. A new provider is
one class and its line in ``providers.py``.
"""

from importlib import import_module
from typing import Any

_PUBLIC = {
    "DamagedError": "gatesolve.devices.jobs.record",
    "Device": "gatesolve.devices.providers",
    "IbmDevice": "gatesolve.devices.providers",
    "JobRequest": "gatesolve.devices.job_request",
    "LocalDevice": "gatesolve.devices.providers",
    "OwnDevice": "gatesolve.devices.own_device",
    "Pace": "gatesolve.devices.advance",
    "Provider": "gatesolve.devices.providers",
    "Store": "gatesolve.devices.jobs.store",
    "UnconfirmedError": "gatesolve.devices.ibm.errors",
    "decoding_key": "gatesolve.devices.jobs.record",
    "fake_backend": "gatesolve.devices.providers",
    "open_own_device": "gatesolve.devices.own_device",
}
"""Names that are loaded when first asked for, and the modules that have them."""


def __getattr__(name: str) -> Any:
    if name in _PUBLIC:
        return getattr(import_module(_PUBLIC[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
