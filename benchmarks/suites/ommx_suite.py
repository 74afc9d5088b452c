"""The tests of OMMX's own sampler adapter, run on ours: ``python -m benchmarks ommx-suite CHECKOUT``.

CHECKOUT is a checkout of github.com/Jij-Inc/ommx at a tag of the installed version's series, such as python-2.6.2. Its
adapter for OpenJij is tested by ``python/ommx-openjij-adapter/tests/test_sample.py``; ours stands in for it there. Its
weight of penalties means nothing to a search that keeps constraints, and is dropped.
"""

import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from benchmarks.core.suite import make_parser

TESTS = "python/ommx-openjij-adapter/tests/test_sample.py"


def stand_in() -> type:
    """Our adapter with the arguments of the other one."""
    from gatesolve.adapters.ommx_adapter import OMMXGatesolveAdapter  # only here: the help text needs no OMMX

    class StandIn(OMMXGatesolveAdapter):
        @classmethod
        def sample(cls, ommx_instance: Any, *, uniform_penalty_weight: float, **options: Any) -> Any:
            return super().sample(ommx_instance, **options)

        @classmethod
        def solve(cls, ommx_instance: Any, *, uniform_penalty_weight: float, num_reads: int, **options: Any) -> Any:
            return super().solve(ommx_instance, **options)

    return StandIn


def main(arguments: Sequence[str]) -> int:
    """Run the suite; the exit status is pytest's."""
    parser = make_parser(__doc__)
    parser.add_argument("checkout", type=Path)
    asked = parser.parse_args(arguments)
    module = ModuleType("ommx_openjij_adapter")
    module.OMMXOpenJijSAAdapter = stand_in()  # type: ignore[attr-defined]
    sys.modules[module.__name__] = module
    return int(pytest.main(["-q", "-n0", "-p", "no:cacheprovider", "-c", "/dev/null", str(asked.checkout / TESTS)]))
