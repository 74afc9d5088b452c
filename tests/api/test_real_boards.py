"""Every example board, solved through the quantum pipeline after propagation; boards that fit nowhere."""

import pytest

import gatesolve

EXAMPLES = "examples/kakuro"
LEFT_OPEN = {"minizinc-6x6-super": 2016, "minizinc-8x8-super": 11520}
"""Boards that propagation leaves open, and the states a table of theirs has: the circuit decides these."""


@pytest.fixture(scope="module")
def boards(pytestconfig):
    found = {path.stem: path for path in sorted((pytestconfig.rootpath / EXAMPLES).glob("*.txt"))}
    assert {"contest", "small", *LEFT_OPEN} <= set(found)
    assert len(found) >= 6
    return found


def test_every_board_is_solved(boards):
    for name, path in boards.items():
        if name in LEFT_OPEN:
            continue
        result = gatesolve.solve(path, presolve="propagate")
        assert result.status == "solved", name
        assert result.problem.puzzle.check(result.solution) == []
        if name == "small":
            assert (result.space_size, result.marked) == (4, 2)
        else:
            assert result.compiled.program.num_qubits == 0
            assert "nothing was left to search" in result.message


@pytest.mark.sampled(1)
@pytest.mark.parametrize("oracle", ["constraints", "classical"])
@pytest.mark.parametrize("name", LEFT_OPEN)
def test_the_boards_propagation_leaves_open(boards, name, oracle):
    result = gatesolve.solve(boards[name], presolve="propagate", encoding="table", oracle=oracle)
    assert result.status == "solved"
    assert result.problem.puzzle.check(result.solution) == []
    assert result.space_size == LEFT_OPEN[name]
    assert result.marked == 1
    assert result.certificate.checked == result.certificate.of == result.space_size
    assert result.success_probability > 0.999
    assert result.iterations > 30
    assert result.resources.qubits <= 40


def open_board(side, high):
    """A square of white cells, every run of which has the sum in the middle of its range."""
    total = side * (high + 1) // 2
    rows = ["\t".join(["#", *[f"{total}\\"] * side]), *["\t".join([f"\\{total}", *"." * side])] * side]
    return gatesolve.puzzles.parse(f"values 1..{high}\n" + "\n".join(rows), "kakuro")


@pytest.mark.sampled(1)
@pytest.mark.quick("6-9-none")
@pytest.mark.parametrize(
    ("side", "high", "presolve"),
    [(6, 9, "none"), (6, 9, "propagate"), (9, 9, "none"), (9, 9, "propagate"), (9, 10, "auto")],
)
def test_what_does_not_fit_says_how_large_it_is(side, high, presolve):
    with pytest.raises(gatesolve.DoesNotFitError) as caught:
        gatesolve.solve(open_board(side, high), presolve=presolve)
    text = str(caught.value)
    assert "\n" not in text
    assert "does not fit: after presolve" in text
    states, qubits = text.split("about 2^")[1].split(" states on ")
    assert 60 < int(states) <= side * side * 3.4
    assert int(qubits.split(" qubits")[0]) >= int(states) - 1
    assert ("presolve='auto'" in text) == (presolve != "auto")


def test_the_advice_names_the_encoding_that_helps(boards):
    with pytest.raises(gatesolve.DoesNotFitError, match="try presolve='auto' and encoding='table'"):
        gatesolve.solve(boards["minizinc-6x6-super"], presolve="none", encoding="binary")
