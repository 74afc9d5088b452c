"""What CPMpy's tests need of pytest to run with gatesolve as their solver; ``cpmpy_suite.py`` passes it with ``-p``.

It stands for CPMpy's ``tests/conftest.py`` and ``tests/utils.py``, which its source distribution lacks: the fixtures
``solver`` and ``constraint``, and three helpers. Tests that do not ask for a solver, and those of one solver, are left
out: nothing of gatesolve runs in them.
"""

from __future__ import annotations

import csv
import re
import sys
import types
from collections.abc import Callable
from typing import Any

import cpmpy as cp
import numpy as np
import pytest

import gatesolve
from benchmarks.core.places import RESULTS

EXCLUDED = RESULTS / "cpmpy_excluded.csv"
SOLVER = "gatesolve"
SMALLER: dict[tuple[int, int, str | None], tuple[int, int]] = {
    (-3, 5, "x"): (-1, 2),
    (-3, 5, "y"): (-1, 2),
    (-3, 5, "z"): (-1, 2),
    (-3, 5, "MD"): (-1, 0),
    (0, 10, "n_neg"): (0, 3),
    (1, 10, "s_pos"): (1, 2),
    (0, 10, "l"): (0, 3),
    (0, 5, "x"): (0, 3),
    (-3, 3, "demand"): (-1, 1),
    (-3, 3, None): (-1, 1),
    (0, 3, None): (0, 1),
}
"""By bounds and name: the bounds tried instead. Start and end times and counts: see `make_smaller`."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--solver", default=SOLVER, help="the only one offered here")
    parser.addoption("--share", type=float, default=1.0, help="how many of the generated expressions are tried")
    parser.addoption("--seed", type=int, default=0, help="of the expressions drawn")


def pytest_configure(config: pytest.Config) -> None:
    gatesolve.register_cpmpy()
    sys.modules["utils"] = make_helpers()
    for name in ("requires_solver", "requires_dependency", "generate_constraints", "depends_on_solver", "flaky"):
        config.addinivalue_line("markers", f"{name}: of CPMpy's tests")


def make_helpers() -> types.ModuleType:
    """What the tests import from ``utils``; what they skip without pblib is no concern of ours."""
    helpers = types.ModuleType("utils")
    helpers.skip_on_missing_pblib = lambda **_: lambda test: test  # type: ignore[attr-defined]
    helpers.inclusive_range = lambda low, high: range(low, high + 1)  # type: ignore[attr-defined]
    helpers.lambda_assert = make_assertion  # type: ignore[attr-defined]
    return helpers


def make_assertion(holds: Callable[[], bool]) -> Callable[[], None]:
    def check() -> None:
        assert holds()

    return check


@pytest.fixture
def solver(request: pytest.FixtureRequest) -> Any:
    if request.instance is not None:
        request.instance.solver = SOLVER
    return SOLVER


@pytest.fixture
def constraint(request: pytest.FixtureRequest) -> Any:
    return request.param


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    marker = metafunc.definition.get_closest_marker("generate_constraints")
    if marker is None:
        return
    expressions = list(marker.args[0](SOLVER))
    share, seed = metafunc.config.getoption("--share"), metafunc.config.getoption("--seed")
    drawn = np.random.default_rng(seed).permutation(len(expressions))[: max(1, round(share * len(expressions)))]
    chosen = {f"{place}: {expressions[place]}": expressions[place] for place in sorted(drawn.tolist())}
    metafunc.parametrize("constraint", list(chosen.values()), ids=list(chosen), indirect=True)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    ours = [one for one in items if "solver" in getattr(one, "fixturenames", ()) and is_for_all(one)]
    config.hook.pytest_deselected(items=[one for one in items if one not in ours])
    items[:] = ours
    with EXCLUDED.open(newline="") as file:
        reasons = [(re.compile(row["test"]), row["reason"]) for row in csv.DictReader(file)]
    for item in items:
        for pattern, reason in reasons:
            if pattern.search(item.nodeid):
                item.add_marker(pytest.mark.skip(reason=f"excluded: {reason}"))


def is_for_all(item: pytest.Item) -> bool:
    """Whether a test is not for some solvers alone."""
    return all(SOLVER in marker.args for marker in item.iter_markers("requires_solver"))


def make_smaller(lb: int, ub: int, shape: Any = 1, name: str | None = None) -> Any:
    """``cp.intvar``, by whose names its arguments are given, with the domains of this benchmark."""
    low, high = lb, ub
    if (low, high) == (0, 10) and name in ("start", "end", None):
        if shape == 4:
            low, high = (0, 1) if name == "start" else (1, 2)
        elif shape == 3:
            low, high = 0, 3 if name == "end" else 2
        else:
            low, high = 0, 1
    low, high = SMALLER.get((low, high, name), (low, high))
    return cp.intvar(low, high, shape=(2, 2) if name == "MD" else shape, name=name)
