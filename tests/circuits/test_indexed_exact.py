"""The test that is exact for every board of six stones: run on all 8,008 boards, without any table."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from indexed_exact import ROW_FORM
from scripts import load_script

MAKE = load_script(Path(__file__).resolve().parents[2] / "circuits" / "asteroids-2020" / "make.py")


@pytest.mark.slow
def test_every_board_of_six_is_tested_right_in_every_form() -> None:
    form, rng = ROW_FORM, random.Random(1)
    for _ in range(3):
        MAKE.prove_test(form)
        form = form.moved(rng).moved(rng).moved(rng)


def test_stored_form_is_tested_right() -> None:
    form, _ = MAKE._stored("literal")
    MAKE.prove_test(form)
