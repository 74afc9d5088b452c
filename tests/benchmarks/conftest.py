import importlib
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

FOLDER = Path(__file__).parents[2] / "benchmarks"


@pytest.fixture(scope="session")
def benchmark_module() -> Callable[[str], ModuleType]:
    """Imports a file of benchmarks/, which is a folder of scripts and no package."""

    def load(name: str) -> ModuleType:
        sys.path.insert(0, str(FOLDER))
        try:
            return importlib.import_module(name)
        finally:
            sys.path.remove(str(FOLDER))

    return load
