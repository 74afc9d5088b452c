"""The operation list oracles are written in, its bit-parallel simulation, certificates."""

from gatesolve.circuit.certificate import Certificate, CertificateError, PhaseCheck, certify
from gatesolve.circuit.ops import And, Gate, Mcx, Op, Ops, Parity, PhaseFlip, Xor, inverse
from gatesolve.circuit.parities import independent
from gatesolve.circuit.simulate import Planes, run

__all__ = [
    "And",
    "Certificate",
    "CertificateError",
    "Gate",
    "Mcx",
    "Op",
    "Ops",
    "Parity",
    "PhaseCheck",
    "PhaseFlip",
    "Planes",
    "Xor",
    "certify",
    "independent",
    "inverse",
    "run",
]
