"""What a notebook shows of each value: short, and no text of a user as code."""

from io import BytesIO

import cpmpy
import pytest
from PIL import Image
from qiskit import ClassicalRegister, QuantumCircuit, QuantumRegister
from qiskit.primitives import StatevectorSampler

import gatesolve
from gatesolve.errors import InputError

KAKURO = "examples/kakuro/contest.txt"
HOSTILE = "<script>alert('x')</script>&\n\x1b[31m"


@pytest.fixture(scope="module")
def kakuro():
    return gatesolve.solve(KAKURO)


def test_a_board_is_shown_as_a_picture():
    puzzle = gatesolve.load(KAKURO)
    drawn, size = puzzle._repr_png_()
    assert drawn == puzzle.image("png")
    assert repr(puzzle) == "<Kakuro: Kakuro 4x4: 7 cells, 6 runs, values 0..3>"

    width, height = Image.open(BytesIO(drawn)).size
    assert size == {"width": width // 2, "height": height // 2}


def test_a_result_is_shown_with_board_status_and_counts(kakuro):
    shown = kakuro._repr_html_()
    assert 'src="data:image/png;base64,' in shown
    assert "solved" in shown
    assert f"<td>{kakuro.resources.cx}</td>" in shown
    assert "<th>oracle</th>" in shown
    assert "\\n" not in shown


def test_nothing_of_a_user_is_code():
    x = cpmpy.intvar(0, 2, shape=2, name=HOSTILE)
    found = gatesolve.solve(cpmpy.Model(x[0] + x[1] == 3))
    for value in (found, found.program, found.compiled, found.certificate):
        assert "<script" not in value._repr_html_()
        assert "\x1b" not in value._repr_html_()
        assert "\n" not in value._repr_html_()
    assert "&lt;script&gt;" in found._repr_html_()
    assert "\n" not in repr(found)


@pytest.fixture(scope="module")
def sampled(kakuro):
    return StatevectorSampler(seed=1).run([kakuro.program.circuit], shots=300).result()


def test_what_a_sampler_returns_is_decoded_like_its_counts(kakuro, sampled):
    program = kakuro.program
    expected = program.decode(sampled[0].data.measured.get_counts())
    assert sum(shots for _, shots in expected) == 300
    assert expected[0][1] > 250
    for taken in (sampled, sampled[0], sampled[0].data, sampled[0].data.measured):
        assert program.decode(taken) == expected


@pytest.mark.parametrize("given", [7, None, ["0101"], {"01x": 3}, {"5": 3}, {True: 3}, {1.0: 3}, {(0, 2): 3}, b"01"])
def test_what_is_no_measurement_is_refused_in_a_line(kakuro, given):
    with pytest.raises(InputError, match="give counts by bit string") as caught:
        kakuro.program.decode(given)
    assert "\n" not in str(caught.value)


def test_measurements_of_other_circuits_are_refused(kakuro, sampled):

    program = kakuro.program
    two = StatevectorSampler(seed=1).run([program.circuit] * 2, shots=5).result()
    with pytest.raises(InputError, match="of 2 circuits"):
        program.decode(two)
    wide = QuantumCircuit(2)
    wide.measure_all()
    with pytest.raises(InputError, match="2 bits were measured"):
        program.decode(StatevectorSampler().run([wide], shots=5).result())
    strange = QuantumCircuit(QuantumRegister(1), ClassicalRegister(1, "a"), ClassicalRegister(1, "b"))
    strange.measure([0, 0], [0, 1])
    with pytest.raises(InputError, match="no register 'measured' among a, b"):
        program.decode(StatevectorSampler().run([strange], shots=5).result())


TYPED = """
values 0..3
#   3\\  4\\
\\3  .   .
\\4  .   .
"""


def test_a_text_of_several_lines_is_the_puzzle_itself(tmp_path, monkeypatch):
    puzzle = gatesolve.load(TYPED)
    assert repr(puzzle) == "<Kakuro: Kakuro 3x3: 4 cells, 4 runs, values 0..3>"
    assert gatesolve.solve(TYPED.replace("\n", "\r\n"), seed=1).solution == gatesolve.solve(puzzle, seed=1).solution
    assert gatesolve.load(TYPED, family="kakuro").text() == puzzle.text()
    with pytest.raises(InputError, match="<text>, row 4, column 2: unknown token x"):
        gatesolve.solve(TYPED.replace("\\3  .", "\\3  x"))
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match="no such file"):
        gatesolve.load("board.txt\n")
    (tmp_path / "two\nlines").write_text(puzzle.text())
    assert gatesolve.load("two\nlines").text() == puzzle.text()
