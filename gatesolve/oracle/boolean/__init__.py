"""Boolean functions, and reversible operations that put -1 where one is true."""

from gatesolve.oracle.boolean.function import MOST_VARIABLES, Function, bits_of, read
from gatesolve.oracle.boolean.methods import Candidate, candidates

__all__ = ["MOST_VARIABLES", "Candidate", "Function", "bits_of", "candidates", "read"]
