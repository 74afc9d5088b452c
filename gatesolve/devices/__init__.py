"""Devices and their jobs: compile for a device, place, submit, survive, fetch, mitigate, read out.

A search is stored on disk before anything is sent (``store.py``), so a process may be killed between any two steps.
``advance.py`` sends its jobs, by the ``send`` of a device in ``providers.py``, and fetches them. ``readout.py`` reads
the counts and tests them against chance. This room depends on no puzzle: callers pass the judge of answers.

May import formats, pipelines, planning, programs, simulate, encodings, circuit and model. A new provider is one class
and its line in ``providers.py``.
"""

from gatesolve.extensions import load_late

_PUBLIC = {
    "gatesolve.devices.advance": ("Pace", "lock_search"),
    "gatesolve.devices.ibm_errors": ("UnconfirmedError",),
    "gatesolve.devices.isa": ("compile_isa", "measure_isa"),
    "gatesolve.devices.job_request": ("JobRequest",),
    "gatesolve.devices.mitigation": ("ReadoutErrors", "find_measured_qubits", "mitigate", "read_reported_errors"),
    "gatesolve.devices.own_device": ("OwnDevice", "open_own_device"),
    "gatesolve.devices.providers": (
        "Device",
        "IbmDevice",
        "LocalDevice",
        "Provider",
        "fake_backend",
        "open_device",
        "unpack_circuits",
    ),
    "gatesolve.devices.readout": ("Counted", "Sought", "read_out"),
    "gatesolve.devices.record": ("Damaged", "DamagedError", "Job", "SearchRecord", "decoding_key"),
    "gatesolve.devices.store": ("Store",),
}
"""Modules, and their names that are loaded when first asked for."""
__getattr__ = load_late(__name__, _PUBLIC)
