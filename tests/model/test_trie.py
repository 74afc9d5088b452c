"""Looking tuples up by column, however many columns there are."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from gatesolve.model.trie import Trie

ROWS = st.sets(st.tuples(*(st.integers(-2, 2) for _ in range(3))), min_size=1, max_size=10)


@settings(deadline=None, derandomize=True, max_examples=80)
@given(ROWS, st.lists(st.tuples(*(st.integers(-4, 4) for _ in range(3))), min_size=1))
def test_rows_and_their_beginnings_are_found(rows, asked) -> None:
    trie = Trie.of(np.array(sorted(rows)))
    questions = np.array(asked)
    for count in (1, 2, 3):
        beginnings = {row[:count] for row in rows}
        found = trie.begins([questions[:, k] for k in range(count)])
        assert found.tolist() == [row[:count] in beginnings for row in asked]
