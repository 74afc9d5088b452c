"""Chess piece puzzles: pieces that do not threaten each other, one a region or worth as much as can be."""

from gatesolve.puzzles.chess.puzzle import FAMILY, Chess

__all__ = ["FAMILY", "Chess"]
