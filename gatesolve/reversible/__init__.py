"""The operation list oracles are written in, its bit-parallel simulation, certificates."""

from gatesolve.reversible.ops import And, Gate, Mcx, Op, Ops, Parity, PhaseFlip, Xor, inverse
from gatesolve.reversible.simulate import Planes, run

__all__ = ["And", "Gate", "Mcx", "Op", "Ops", "Parity", "PhaseFlip", "Planes", "Xor", "inverse", "run"]
