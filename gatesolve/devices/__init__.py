"""Devices and their jobs: compile for a device, place, submit, survive, fetch, mitigate, read out.

A search is kept on disk before anything is sent (``jobs/``), so a process may be killed between any two steps; what
came back is read out and tested against chance (``readout/``). Knows no puzzles: what judges an answer is handed in.
May import pipelines, simulate, encodings, circuit and model. A new provider is one class and its line in
``providers.py``.
"""

from gatesolve.devices.providers import Device, LocalDevice, Provider

__all__ = ["Device", "LocalDevice", "Provider"]
