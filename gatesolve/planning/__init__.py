"""Planning: from a model, a recipe and limits to a `Layout`, or to `TooLarge`; both are values.

``ladder.py`` goes through the settings of presolve, ``choose.py`` takes the first that fits and the space on which the
recipe's oracle is cheapest, ``layout.py`` has the types. ``clock.py`` times stages and passes on progress and events.
May import programs, simulate, oracle, encodings, circuit and model. Another measure of what is cheap is a `Price`.
"""

from gatesolve.planning.choose import Price, SearchPrice, choose, find_cheapest
from gatesolve.planning.clock import Clock, Progress, Watch
from gatesolve.planning.ladder import SETTINGS, Rung, climb_ladder, climb_settings, explain_empty_circuit
from gatesolve.planning.layout import Layout, Presolved, SpaceLimits, TooLarge

__all__ = [
    "SETTINGS",
    "Clock",
    "Layout",
    "Presolved",
    "Price",
    "Progress",
    "Rung",
    "SearchPrice",
    "SpaceLimits",
    "TooLarge",
    "Watch",
    "choose",
    "climb_ladder",
    "climb_settings",
    "explain_empty_circuit",
    "find_cheapest",
]
