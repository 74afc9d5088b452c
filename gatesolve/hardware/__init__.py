"""Searches on devices: submit, survive, fetch.

`submit` compiles a problem for a device and sends it; `fetch` asks how it stands and judges what came back; `jobs`
lists what there is. All of it is kept in the user's data folder (or ``GATESOLVE_HOME``) before anything is sent.
"""

from gatesolve.hardware.public import fetch, jobs, preview, submit
from gatesolve.hardware.tracked import Tracked
from gatesolve.jobs.record import Damaged

__all__ = ["Damaged", "Tracked", "fetch", "jobs", "preview", "submit"]
