"""Boolean functions as circuits, without a model: phases, XORs of outputs, table lookups.

``function.py`` reads a function, and ``methods.py`` makes the candidates for its phase. ``phase_oracle.py``,
``xor_oracle.py`` and ``table_lookup.py`` contain the public functions. May import simulate, oracle, formats
and circuit. A new method is a module here and a line in ``methods.py``.
"""

from gatesolve.functions.function import MOST_VARIABLES, Function, bits_of, read_function
from gatesolve.functions.methods import PhaseCandidate, make_candidates

__all__ = ["MOST_VARIABLES", "Function", "PhaseCandidate", "bits_of", "make_candidates", "read_function"]
