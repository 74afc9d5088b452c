"""Boolean functions, and reversible operations that put -1 where one is true."""

from gatesolve.oracle.boolean.function import MOST_VARIABLES, Function, bits_of, read_function
from gatesolve.oracle.boolean.methods import PhaseCandidate, make_candidates

__all__ = ["MOST_VARIABLES", "Function", "PhaseCandidate", "bits_of", "make_candidates", "read_function"]
