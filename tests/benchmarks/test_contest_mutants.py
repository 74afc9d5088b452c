"""Gates left out of contest entries: the short way says what the judge says, and the table is that of today's files."""

import re

import pytest

from benchmarks.faults import contest_mutants as module

SAMPLE = 6
DEAR = {f"colouring-2019/{name}.qasm" for name in ("whole", "whole-minimised", "literal", "districts")}
"""A judge takes some ten seconds for each."""


ENTRIES = {(module._name(entry), entry.class_): entry for entry in module.our_entries()}


@pytest.fixture(scope="module")
def rows():
    return {(row.circuit, row.class_): row for row in module.TABLE.read()}


def test_the_table_is_that_of_todays_entries(rows):
    """A circuit that was remade otherwise has no row: python -m benchmarks contest-mutants --write --circuit NAME."""
    assert list(rows) == list(ENTRIES)
    for name, entry in ENTRIES.items():
        row = rows[name]
        assert row.sha256 == module.digest(entry), name
        every = len(module.places_of(entry))
        assert row.gates == row.refused + row.accepted == every, name


# An X that puts a wire back to zero after it was measured, which no class asks, or a CZ whose phase all inputs share.
FREE = re.compile(r" (x|cz|z) ")


@pytest.mark.sampled(16)
@pytest.mark.parametrize("name", ENTRIES, ids="-".join)
def test_a_sample_of_an_entry_goes_as_the_table_says(name, rows):
    entry = ENTRIES[name]
    places = module.places_of(entry, 1 if name[0] in DEAR else SAMPLE, 7)
    refused, _, accepted = module.run_share(entry, places, None)
    assert refused + len(accepted) == len(places)
    assert rows[name].accepted or not accepted
    assert entry.contest != "toffoli-measured" or all(map(FREE.search, accepted)), accepted
