"""Star Battle (Two Not Touch): stars in every row, column and region, none touching another."""

from gatesolve.puzzles.starbattle.puzzle import FAMILY, StarBattle

__all__ = ["FAMILY", "StarBattle"]
