"""No two test files share a name: pytest collects one of them and refuses the other."""

from collections import Counter
from pathlib import Path

TESTS = Path(__file__).parents[1]


def test_each_name_is_given_once():
    names = Counter(path.name for path in TESTS.rglob("test_*.py"))
    assert [name for name, times in names.items() if times > 1] == []
