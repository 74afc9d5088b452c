"""Simulation: exact in the space, sparse, and by the samplers of Qiskit Aer and PennyLane.

The state never leaves the space, so Grover and QAOA are simulated on as many amplitudes as there are codewords, however
many qubits the circuit has. ``sparse.py``, ``branches.py`` and ``product.py`` follow lowered circuits gate by gate, to
check them. May import encodings and circuit. A new simulator is a module here; ``pipelines/sampling.py`` names it.
"""

from gatesolve.simulate.branches import check_branches
from gatesolve.simulate.sparse import probabilities

__all__ = ["check_branches", "probabilities"]
