"""Oracles: each constraint becomes a condition (flags and factors), and all of them one phase.

``synthesise.py`` turns a constraint into a condition: the all-different of a Sudoku row in ``all_different.py``, a
Kakuro's sum in ``sums.py``, a table from its diagram. ``levels.py`` makes the conditions of each level, and finds the
level of a finished oracle. ``assemble.py`` makes operations of conditions, in an order by ``schedules.py`` and with the
ANDs of ``builder.py``. ``fourier_oracle.py`` turns an objective into phases.
``recipe.py`` has the values by which a pipeline names the oracle that it needs.

May import qubo, model, encodings and circuit. A new way to compute a constraint kind is a module here that
``synthesise.py`` tries; the cheapest condition wins.
"""

from gatesolve.oracle.assemble import Oracle, OraclePrice, assemble, choose_lowered
from gatesolve.oracle.classical import classical_oracle
from gatesolve.oracle.condition import Condition, Flag
from gatesolve.oracle.levels import (
    conditions_at,
    literal_conditions,
    merged_conditions,
    minimised_conditions,
    share_out,
)
from gatesolve.oracle.recipe import CostRecipe, PhaseRecipe, Recipe, ValueRecipe
from gatesolve.oracle.synthesise import synthesise
from gatesolve.oracle.threshold import ValueChoice, counter_oracle
from gatesolve.oracle.tree import compile_tree
from gatesolve.oracle.window import choose_projections

__all__ = [
    "Condition", "CostRecipe", "Flag", "Oracle", "OraclePrice", "PhaseRecipe", "Recipe", "ValueChoice", "ValueRecipe",
    "assemble", "choose_lowered", "choose_projections", "classical_oracle", "compile_tree", "conditions_at",
    "counter_oracle", "literal_conditions", "merged_conditions", "minimised_conditions", "share_out", "synthesise",
]  # fmt: skip
