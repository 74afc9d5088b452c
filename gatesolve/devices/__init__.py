"""Devices and their jobs: compile for a device, place, submit, survive, fetch, mitigate, read out.

A search is stored on disk before anything is sent (``store.py``), so a process may be killed between any two steps.
``advance.py`` sends its jobs, by the ``send`` of a device in ``providers.py``, and fetches them. ``readout.py`` reads
the counts and tests them against chance. This room depends on no puzzle: callers pass the judge of answers.

May import formats, pipelines, planning, programs, simulate, encodings, circuit and model. A new provider is one class
and its line in ``providers.py``.
"""

from gatesolve.extensions import load_late

_PUBLIC = {
    "Counted": "gatesolve.devices.readout",
    "Damaged": "gatesolve.devices.record",
    "DamagedError": "gatesolve.devices.record",
    "Device": "gatesolve.devices.providers",
    "IbmDevice": "gatesolve.devices.providers",
    "Job": "gatesolve.devices.record",
    "JobRequest": "gatesolve.devices.job_request",
    "LocalDevice": "gatesolve.devices.providers",
    "OwnDevice": "gatesolve.devices.own_device",
    "Pace": "gatesolve.devices.advance",
    "Provider": "gatesolve.devices.providers",
    "ReadoutErrors": "gatesolve.devices.mitigation",
    "SearchRecord": "gatesolve.devices.record",
    "Sought": "gatesolve.devices.readout",
    "Store": "gatesolve.devices.store",
    "UnconfirmedError": "gatesolve.devices.ibm_errors",
    "compile_isa": "gatesolve.devices.isa",
    "decoding_key": "gatesolve.devices.record",
    "fake_backend": "gatesolve.devices.providers",
    "find_measured_qubits": "gatesolve.devices.mitigation",
    "lock_search": "gatesolve.devices.advance",
    "measure_isa": "gatesolve.devices.isa",
    "mitigate": "gatesolve.devices.mitigation",
    "open_device": "gatesolve.devices.providers",
    "open_own_device": "gatesolve.devices.own_device",
    "read_out": "gatesolve.devices.readout",
    "read_reported_errors": "gatesolve.devices.mitigation",
    "unpack_circuits": "gatesolve.devices.providers",
}
"""Names that are loaded when first asked for, and the modules that have them."""
__getattr__ = load_late(__name__, _PUBLIC)
