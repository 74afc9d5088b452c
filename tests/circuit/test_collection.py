"""Python's search for cycles is set back to what it was, however calls are nested."""

import gc

import pytest

from gatesolve.circuit.collection import RARELY, collect_rarely


def test_it_is_rare_within_and_as_before_afterwards():
    before = gc.get_threshold()
    with collect_rarely():
        assert gc.get_threshold() == RARELY
        with collect_rarely():
            assert gc.get_threshold() == RARELY
        assert gc.get_threshold() == RARELY
    assert gc.get_threshold() == before


def test_it_is_set_back_after_an_error():
    before = gc.get_threshold()
    with pytest.raises(KeyError), collect_rarely():
        raise KeyError
    assert gc.get_threshold() == before


def test_who_switched_it_off_keeps_it_off():
    gc.disable()
    try:
        with collect_rarely():
            assert not gc.isenabled()
        assert not gc.isenabled()
    finally:
        gc.enable()
