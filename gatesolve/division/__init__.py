"""Problems too large for one search: divided until each part fits, searched part by part, all of it accounted.

``tree.py`` divides, ``run.py`` searches the leaves and puts them together, ``account.py`` sums up. ``executors.py`` and
``sealed_log.py`` run and keep any work in pieces. May import costs, formats, pipelines, planning, circuit and model.
Another place to run pieces is one more in ``executors.py``.
"""

from gatesolve.division.account import Division, LeafRecord
from gatesolve.division.run import LeafEvent, Machines, PartReached, WatchLeaves, solve_divided
from gatesolve.division.tree import PartTree

__all__ = ["Division", "LeafEvent", "LeafRecord", "Machines", "PartReached", "PartTree", "WatchLeaves", "solve_divided"]
