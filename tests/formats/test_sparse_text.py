"""Graphs and matrices as sparse text, and dimod's JSON: energies are the files' own."""

import json
import random

import dimod
import numpy as np
import pytest
from foreign_files import bits

from gatesolve.api import as_problem, is_qubo_path, parse_problem
from gatesolve.errors import InputError

# the two samples of MQLib's own guide: a cut of 3, and a largest x'Qx of 6 at 1 0 1
CUT = "3 2\n1 2 3\n2 3 -2\n"
MATRIX = "3 5\n1 1 2\n1 2 -1\n2 2 -4\n2 3 3\n3 3 4\n"


def energies(text, **options):
    """Of all assignments, by the problem's own account."""
    own = parse_problem(text, options.pop("source", "f.txt"), **options)
    columns = bits(len(own.model.variables)).T.astype(int)
    return own, [float(own.energy({f"x{k + 1}": int(v) for k, v in enumerate(row)})) for row in columns]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("kind", ["maxcut", "bqp", "bq"])
def test_every_assignment_has_the_files_own_value(seed, kind):
    rng = random.Random(seed)
    size, matrix = 6, np.zeros((6, 6), int)
    pairs = [(i, j) for i in range(size) for j in range(i + (kind == "maxcut"), size) if rng.random() < 0.6]
    for i, j in pairs:
        matrix[i, j] = matrix[j, i] = rng.randint(-9, 9)
    lines = [f" {j + 1} {i + 1} {matrix[i, j]} " for i, j in pairs]
    problem, found = energies("\n".join(["# made", f" {size} {len(pairs)} ", *lines, ""]), kind=kind)
    states = bits(size).T.astype(int)
    if kind == "maxcut":
        true = [sum(matrix[i, j] * (x[i] != x[j]) for i, j in pairs) for x in states]
    else:
        true = [x @ matrix @ x for x in states]
    assert found == true
    assert problem.goal == ("min" if kind == "bq" else "max")


def test_the_kind_is_told_by_name_and_text_or_asked_for():
    assert max(energies(CUT, source="some/G9")[1]) == 3
    assert max(energies(CUT, source="g.mc", suffix=".mc")[1]) == 3
    problem, found = energies(MATRIX)
    assert problem.title == "f.txt: the largest x'Qx, 3 variables, 5 terms"
    assert max(found) == found[0b101] == 6
    assert max(energies("1\n" + CUT)[1]) == 6, "a matrix, as there is a number of problems on top"
    assert min(energies(MATRIX, suffix=".sparse")[1]) == min(energies(MATRIX, kind="bqp")[1])
    assert energies(CUT, source="G9", kind="bqp")[0].title.startswith("G9: the largest x'Qx")
    with pytest.raises(
        InputError, match=r"f.txt: a graph or a matrix: give family=maxcut for its largest cut, bqp for"
    ):
        parse_problem(CUT, "f.txt")


def test_boards_do_not_look_like_sparse_text(tmp_path):
    def is_sparse(text):
        (tmp_path / "f.txt").write_text(text)
        return is_qubo_path(tmp_path / "f.txt")

    assert is_sparse(CUT)
    assert is_sparse("# a\n\n1\n" + CUT)
    assert not any(map(is_sparse, ("3 3\n1 0 1\n1 1 0\nx - -\n", "0 1 2\n1 1 3\n", "3 2\n")))


@pytest.mark.parametrize("vartype", ["SPIN", "BINARY"])
def test_dimods_json_keeps_every_energy(tmp_path, vartype):
    bqm = dimod.BinaryQuadraticModel({"a": 0.1, "b": -1, "c": 0}, {("a", "b"): 2.5, ("b", "c"): -1}, 0.25, vartype)
    path = tmp_path / "b.json"
    path.write_text(json.dumps(bqm.to_serializable()))
    problem = as_problem(str(path))
    low = -1 if vartype == "SPIN" else 0
    for row in bits(3).T.astype(int):
        sample = {name: int(v) for name, v in zip("abc", row, strict=True)}
        theirs = bqm.energy({name: v if v else low for name, v in sample.items()})
        assert float(problem.energy(sample)) == pytest.approx(theirs, abs=1e-12)


def test_damaged_json_of_dimods(tmp_path):
    data = dimod.BinaryQuadraticModel({"a": 1}, {}, 0, "BINARY").to_serializable()
    for key in ("linear_biases", "variable_type", "variable_labels"):
        damaged = {name: value for name, value in data.items() if name != key}
        with pytest.raises(InputError, match=r"b.json: not a dimod binary quadratic model \(.*: write bqm.to_serial"):
            parse_problem(json.dumps(damaged), "b.json")
