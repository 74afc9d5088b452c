"""Shared products and CX conjugation give the phases of a table."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from gatesolve.functions import bits_of
from gatesolve.functions.methods import affine_cube_ops, cubes, flips_of
from gatesolve.simulate import PhaseCheck, certify


@settings(max_examples=25, deadline=None)
@given(st.lists(st.booleans(), min_size=64, max_size=64), st.integers(0, 4), st.integers(0, 9))
def test_flips_equal_the_table_whatever_is_lent(values, lent, seed):
    table = np.array(values)
    clean = tuple(range(6, 6 + lent))
    bits = bits_of(6)
    for ops in (flips_of(cubes(table), clean, range(6)), affine_cube_ops(table, clean, 6, seed)):
        check = PhaseCheck(ops, 6, 6 + lent, 64, lambda numbers: bits[:, numbers], lambda numbers: table[numbers])
        certificate, _ = certify(check, 64, 0)
        assert certificate.marked == table.sum()
