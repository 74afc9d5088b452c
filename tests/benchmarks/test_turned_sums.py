"""Sums by turned wires: right on every input, and as the page shows them."""

import re
from pathlib import Path

import pytest

from benchmarks.suites import turned_sums

PAGE = Path(__file__).parents[2] / "docs" / "contributors" / "mcx.md"


@pytest.mark.parametrize(("bits", "ones"), [(1, 0), (2, 1), (3, 0), (3, 3), (5, 1), (6, 5), (7, 3)])
def test_any_sum_is_marked(bits, ones):
    circuit, ancillas = turned_sums.turned(bits, ones)
    assert circuit.num_qubits == bits + ancillas
    assert turned_sums.is_right(circuit, bits, ones)
    assert not turned_sums.is_right(circuit, bits, (ones + 1) % (bits + 1)) or bits == 1


@pytest.mark.slow
def test_the_page_shows_all_rows():
    shown = [line for line in PAGE.read_text().splitlines() if re.match(r"\| \d+ of \d+ bits \|", line)]
    assert shown == [turned_sums.row(bits) for bits in turned_sums.BITS]
