"""Devices and their jobs: compile for a device, place, submit, survive, fetch, mitigate, read out.

A search is kept on disk before anything is sent (``jobs/``), so a process may be killed between any two steps; what
came back is read out and tested against chance (``readout/``). Knows no puzzles: what judges an answer is handed in.
May import pipelines, programs, simulate, encodings, circuit and model. A new provider is one class and its line in
``providers.py``.
"""

from gatesolve.devices.advance import Pace
from gatesolve.devices.ibm.errors import UnconfirmedError
from gatesolve.devices.job_request import JobRequest
from gatesolve.devices.jobs.record import DamagedError, decoding_key
from gatesolve.devices.jobs.store import Store
from gatesolve.devices.own_device import OwnDevice, open_own_device
from gatesolve.devices.providers import Device, IbmDevice, LocalDevice, Provider, fake_backend

__all__ = [
    "DamagedError",
    "Device",
    "IbmDevice",
    "JobRequest",
    "LocalDevice",
    "OwnDevice",
    "Pace",
    "Provider",
    "Store",
    "UnconfirmedError",
    "decoding_key",
    "fake_backend",
    "open_own_device",
]
