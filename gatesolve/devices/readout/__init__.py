"""From a device's counts to judged boards, and how likely chance alone would have done as well."""

from gatesolve.devices.job_request import Projection
from gatesolve.devices.readout.assess import read_out
from gatesolve.devices.readout.readout import AcceptedBoard, Readout

__all__ = ["AcceptedBoard", "Projection", "Readout", "read_out"]
