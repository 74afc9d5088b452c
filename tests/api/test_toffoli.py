"""Searches and oracles in Clifford and Toffoli gates: what they save, what they prove, and what is refused."""

from pathlib import Path

import cpmpy as cp
import kept
import pytest

import gatesolve
from gatesolve.circuit import And, Gate, Mcx, Parity, PhaseFlip
from gatesolve.circuit.lowering.measured.plan import settle_phases
from gatesolve.cli.report import compiled_report, result_report
from gatesolve.errors import DoesNotFitError
from gatesolve.proof.rules import has_phases_of

SETS = ("clifford+t", "clifford+toffoli")
SMALL = Path(__file__).parents[2] / "examples" / "kakuro" / "small.txt"


def thirds():
    """Three values a variable: no encoding prepares them without rotations."""
    x, y = cp.intvar(0, 2, shape=2, name="x")
    return cp.Model(x != y)


@pytest.mark.parametrize("pipeline", ["grover", "gas"])
def test_auto_takes_an_encoding_without_rotations(pipeline):
    result = gatesolve.solve(SMALL, gates="clifford+toffoli", pipeline=pipeline)
    assert result.status == "solved"
    assert result.resources.toffoli is not None
    assert result_report(result) is not None


@pytest.mark.parametrize("encoding", ["auto", "binary", "one-hot"])
def test_a_search_with_rotations_is_refused_before_it_runs(encoding):
    with pytest.raises(DoesNotFitError, match="no exact circuit of Clifford and Toffoli gates"):
        gatesolve.solve(thirds(), presolve="none", encoding=encoding, gates="clifford+toffoli")


def test_an_exact_search_says_to_leave_out_exact():
    one_of_eight = cp.Model(cp.all(cp.boolvar(shape=3, name="b")))
    chosen = {"presolve": "none", "encoding": "binary", "gates": "clifford+toffoli"}
    assert gatesolve.compile(one_of_eight, **chosen).program.resources().toffoli
    with pytest.raises(DoesNotFitError, match="leave out exact"):
        gatesolve.compile(one_of_eight, exact=True, **chosen)


def test_the_oracle_of_such_a_search_is_compiled_and_written_alone(tmp_path):
    made = gatesolve.compile(thirds(), presolve="none", encoding="binary", gates="clifford+toffoli")
    assert made.program.resources("oracle").toffoli == 0
    assert made.as_dict()["resources"] is None
    assert made.as_dict()["oracle_resources"]["toffoli"] == 0
    assert sum("only the oracle is counted" in note for note in made.notes) == 1
    assert compiled_report(made) is not None
    written = gatesolve.export(made, tmp_path / "oracle.qasm", "oracle")
    assert {claim.layer: claim.status for claim in written.claims}["text"] == "proved"
    with pytest.raises(DoesNotFitError, match="rotation"):
        gatesolve.export(made, tmp_path / "whole.qasm")


@pytest.mark.parametrize("measured", [False, True])
def test_a_toffoli_gate_stands_for_four_t_or_seven(measured):
    programs = [
        kept.compiled(str(SMALL), presolve="none", encoding="binary", gates=gates, optimize="t").program
        for gates in SETS
    ]
    t, toffoli = (one.with_lowering(measured=measured).resources("oracle") for one in programs)
    assert toffoli.t is t.toffoli is None
    # A gadget of six T takes two Toffoli gates, and phases folded into others take none.
    assert 2.5 * toffoli.toffoli <= t.t <= 7 * toffoli.toffoli


@pytest.mark.quick(1)
@pytest.mark.parametrize("ancillas", [1, 2, None])
def test_phase_oracles_take_the_fewest_toffoli_gates_of_their_candidates(ancillas):
    table = [number % 3 == 0 for number in range(64)]
    found = {
        metric: gatesolve.phase_oracle(table, gates="clifford+toffoli", optimize=metric, ancillas=ancillas)
        for metric in ("cx", "t", "depth")
    }
    assert all(one.certificate.marked == 22 for one in found.values())
    assert found["t"].resources.toffoli == min(one.resources.toffoli for one in found.values())


OPS = {
    "undone": [And(Parity((0,), True), Parity((1, 2)), 3), Gate("h", (4,)), And(Parity((0,), True), Parity((1, 2)), 3)],
    "controls changed and changed back": [
        And(Parity((0,)), Parity((1,)), 3), Mcx(((4, True), (2, False)), 0), Mcx(((4, True), (2, False)), 0),
        PhaseFlip((Parity((3,)), Parity((4,)))), And(Parity((0,)), Parity((1,)), 3, True),
    ],
    "never undone": [And(Parity((0,)), Parity((1,)), 3)],
    "a control mixed": [And(Parity((0,)), Parity((1,)), 3), Gate("h", (0,)), And(Parity((0,)), Parity((1,)), 3)],
}  # fmt: skip


@pytest.mark.parametrize("name", OPS)
def test_relative_phases_are_left_out_only_where_they_are_proved_to_cancel(name):
    ops = tuple(OPS[name])
    cancels = name in {"undone", "controls changed and changed back"}
    assert (settle_phases(ops, 5, ()) == ops) == cancels
    assert has_phases_of(ops, ops, 5) == cancels
    assert not has_phases_of((*ops, Gate("h", (1,))), ops, 5)
    assert not has_phases_of((*ops, Gate("s", (1,))), ops, 5)
