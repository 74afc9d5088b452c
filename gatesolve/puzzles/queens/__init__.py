"""Queens: N-queens, LinkedIn Queens, and the general form with counts, regions, reaches and wrapped boards."""

from gatesolve.puzzles.queens.puzzle import ALIASES, FAMILY, Queens

__all__ = ["ALIASES", "FAMILY", "Queens"]
