"""The contest Kakuro (7 cells, values 0..3), nothing solved beforehand: every encoding, both oracle styles."""

import math

import pytest

import gatesolve
from gatesolve.programs import program as program_module
from gatesolve.simulate import list_marked, run_grover

CONTEST = "examples/kakuro/contest.txt"
BOARD = [["#", "#", "#", "#"], ["#", "2", "1", "#"], ["#", "3", "2", "0"], ["#", "#", "0", "1"]]
SPACES = {"one-hot": 4**7, "binary": 4**7, "domain-wall": 4**7, "table": 24}
STYLES = ("constraints", "classical")


@pytest.fixture(scope="module")
def path(pytestconfig):
    return pytestconfig.rootpath / CONTEST


@pytest.fixture
def pieced(monkeypatch):
    """Count long runs by their iteration: lowering a hundred of them is not what is tested here."""
    monkeypatch.setattr(program_module, "LONG_RUN", 1000)


@pytest.mark.quick("binary-*", "*-classical", "table-*")
@pytest.mark.parametrize("oracle", STYLES)
@pytest.mark.parametrize(("encoding", "size"), SPACES.items())
def test_solved(path, pieced, encoding, size, oracle):
    result = gatesolve.solve(path, presolve="none", encoding=encoding, oracle=oracle)
    assert result.status == "solved"
    assert result.board == BOARD
    assert result.problem.puzzle.check(result.solution) == []
    assert (result.presolve, result.encoding, result.space_size, result.marked) == ("none", encoding, size, 1)
    certificate = result.certificate
    assert (certificate.checked, certificate.of, certificate.method) == (size, size, "every codeword")
    assert certificate.ancillas_clean
    assert certificate.lowered >= 12
    angle = math.asin(math.sqrt(1 / size))
    chance = math.sin((2 * result.iterations + 1) * angle) ** 2
    assert result.success_probability == pytest.approx(chance, abs=1e-9)
    state = run_grover(list_marked(result.compiled.marks), result.iterations)
    assert state.success_probability == pytest.approx(chance, abs=1e-9)
    assert chance > 0.98
    assert result.resources.qubits >= result.compiled.program.space.num_qubits


@pytest.mark.parametrize("oracle", STYLES)
def test_the_table_circuit_beats_the_published_one(path, oracle):
    """That one: 371 CX and a multi-controlled gate not taken apart, success probability 0.60, solved beforehand."""
    result = gatesolve.solve(path, presolve="none", encoding="table", oracle=oracle)
    assert result.space_size <= 48
    assert result.iterations <= 4
    assert result.success_probability >= 0.98
    assert result.resources.method == "whole circuit"
    assert result.resources.cx == result.compiled.program.lowered.count_ops()["cx"] <= 250


def test_no_ancilla_for_a_classical_oracle_works(path):
    compiled = gatesolve.compile(path, presolve="none", encoding="binary", oracle="classical", ancillas=0)
    assert compiled.program.num_ancillas == 0
    assert compiled.program.resources("oracle").qubits == 14
    assert compiled.certificate.marked == 1
