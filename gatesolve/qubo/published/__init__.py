"""The QUBOs that papers and blogs print for our puzzles, term by term, to be compared with ours."""

from gatesolve.qubo.published.formula import Published
from gatesolve.qubo.published.numbers import pick_smallest
from gatesolve.qubo.published.table import published_families, published_qubo

__all__ = ["Published", "pick_smallest", "published_families", "published_qubo"]
