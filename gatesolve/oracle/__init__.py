"""Oracles: each constraint to flags and factors, joined into one phase."""

from gatesolve.oracle.assemble import Oracle, assemble
from gatesolve.oracle.classical import classical_oracle
from gatesolve.oracle.condition import Condition
from gatesolve.oracle.levels import literal_conditions, minimised_conditions
from gatesolve.oracle.partition import share_out
from gatesolve.oracle.synthesise import synthesise

__all__ = [
    "Condition",
    "Oracle",
    "assemble",
    "classical_oracle",
    "literal_conditions",
    "minimised_conditions",
    "share_out",
    "synthesise",
]
