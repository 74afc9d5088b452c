"""A sample of the proofs' benchmarks: recorded rows are made again, no mutant is proved that is wrong."""

import pytest

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def proofs(benchmark_module):
    return benchmark_module("proofs")


@pytest.fixture(scope="module")
def proof_mutants(benchmark_module):
    return benchmark_module("proof_mutants")


def test_no_mutant_is_proved_that_is_wrong(proof_mutants):
    assert proof_mutants.main(["--texts", "60", "--certificates", "40", "--seed", "1"]) == 0


def test_every_recorded_row_is_proved(proofs):
    rows = proofs.read_rows(proofs.Row, proofs.FILE)
    assert {row.board for row in rows} == set(proofs.BOARDS)
    assert {row.status for row in rows} == {"proved"}


def test_a_recorded_row_is_made_again(proofs):
    kept = {(row.board, row.encoding, row.level): row for row in proofs.read_rows(proofs.Row, proofs.FILE)}
    key = ("queens/linkedin-8x8.txt", "binary", "literal")
    made = proofs.measure(*key)
    for name in ("status", "states", "iterations", "qubits", "cx", "depth", "open"):
        assert getattr(made, name) == getattr(kept[key], name)
