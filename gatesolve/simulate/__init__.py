"""Simulation: exact in the space, sparse, and by the samplers of Qiskit Aer and PennyLane.

The state never leaves the space, so Grover and QAOA are simulated on as many amplitudes as there are codewords, however
many qubits the circuit has. ``certificate.py`` runs an oracle on every codeword; ``sparse.py``, ``outcomes.py`` and
``product.py`` follow lowered circuits gate by gate, to check them. May import encodings and circuit. A new simulator is
a module here; ``pipelines/sampling.py`` names it.
"""

from gatesolve.simulate.certificate import Certificate, CertificateError, PhaseCheck, certify
from gatesolve.simulate.outcomes import check_branches, run_outcomes
from gatesolve.simulate.planes import find_precision, run_planes
from gatesolve.simulate.product import product_phases
from gatesolve.simulate.qaoa import make_qaoa
from gatesolve.simulate.qaoa_loss import cvar, expectation, gibbs
from gatesolve.simulate.qaoa_tables import make_diagonal
from gatesolve.simulate.space import Marked, NestedState, amplify, list_marked, run_grover
from gatesolve.simulate.sparse import basis_terms, diagonal_phases, probabilities, run_sparse
from gatesolve.simulate.steps import list_steps

__all__ = [
    "Certificate", "CertificateError", "Marked", "NestedState", "PhaseCheck", "amplify", "basis_terms", "certify",
    "check_branches", "cvar", "diagonal_phases", "expectation", "find_precision", "gibbs", "list_marked", "list_steps",
    "make_diagonal", "make_qaoa", "probabilities", "product_phases", "run_grover", "run_outcomes", "run_planes",
    "run_sparse",
]  # fmt: skip
