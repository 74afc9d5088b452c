"""The join agrees with its definition."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from gatesolve.model import Table
from gatesolve.model.presolve.join import join_tables

ROWS = st.sets(st.tuples(*(st.integers(-1, 2) for _ in range(3))), max_size=12)


@settings(deadline=None, derandomize=True, max_examples=100)
@given(ROWS, ROWS, st.sampled_from(("abc", "bcd", "cde", "def")))
def test_join_is_the_rows_both_tables_agree_on(left, right, columns: str) -> None:
    one, two = Table(tuple("abc"), tuple(sorted(left))), Table(tuple(columns), tuple(sorted(right)))
    names = tuple(dict.fromkeys("abc" + columns))
    whole = set()
    for a in left:
        for b in right:
            first, second = dict(zip("abc", a, strict=True)), dict(zip(columns, b, strict=True))
            if all(first[n] == second[n] for n in first.keys() & second.keys()):
                whole.add(tuple((first | second)[n] for n in names))
    assert join_tables(one, two, names, 1000) == tuple(sorted(whole))
    cut = tuple(reversed(names[1:]))
    assert join_tables(one, two, cut, 1000) == tuple(sorted({tuple(reversed(row[1:])) for row in whole}))
    if whole:
        assert join_tables(one, two, names, len(whole)) is not None
        assert join_tables(one, two, names, len(whole) - 1) is None
