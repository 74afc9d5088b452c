"""The published colouring entries: the nine likeliest outcomes are the nine proper colourings, at the stated score."""

import csv
from pathlib import Path

import numpy as np
import pytest
from judges import colouring_2019
from judges.base import RefusedError
from literal import STEPS, TWO, literal_oracle, literal_space, lower_apart
from qiskit import qasm2
from scripts import load_script

from gatesolve.circuit import And, AndNot, CertificateError, certify
from gatesolve.circuit.lowering import lower
from gatesolve.circuit.qasm import strict_qasm2
from gatesolve.encodings import Space
from gatesolve.encodings.shapes import make_coded
from gatesolve.model import Model, NotEqual, Variable
from gatesolve.oracle import assemble, literal_conditions
from gatesolve.pipelines.amplification import grover_program
from gatesolve.pipelines.certify import phase_check
from gatesolve.simulate.sparse import probabilities

FOLDER = Path(__file__).parents[2] / "circuits" / "colouring-2019"
MAKE = load_script(FOLDER / "make.py")
EDGES = ["".join(sorted(edge)) for edge in f"{TWO} {STEPS}".split()]


@pytest.mark.quick("entry-4316")
@pytest.mark.parametrize(
    ("name", "most"),
    [("entry", 4_316), ("districts", 8_621), ("literal", 12_061), ("whole-minimised", 12_116), ("whole", 20_412)],
)
def test_the_top_nine_are_the_colourings(name, most):
    assert len(colouring_2019.proper_colourings()) == 9
    verdict = colouring_2019.judge("map", "whole" if "whole" in name else "exact", [FOLDER / f"{name}.qasm"])
    counts = qasm2.load(FOLDER / f"{name}.qasm").count_ops()
    assert set(counts) == {"cx", "u3", "measure"}
    assert verdict.score == (10 * counts["cx"] + counts["u3"],)
    assert verdict.score[0] <= most
    states = "288" if name == "entry" else "16,384" if "whole" in name else "1,458"
    assert verdict.text == f"{verdict.score[0]:,} on {states} states"
    with (FOLDER / "results.csv").open() as file:
        places = ["whole", "whole-minimised", "literal", "districts", "entry"]
        own = list(csv.DictReader(file))[places.index(name)]
    assert (int(own["u"]), int(own["cx"])) == (counts["u3"], counts["cx"])


@pytest.mark.slow
def test_the_whole_searches_are_remade_and_a_narrower_one_is_not_whole():
    assert strict_qasm2(MAKE.whole("literal").circuit) == (FOLDER / "whole.qasm").read_text()
    assert strict_qasm2(MAKE.whole("minimised").circuit) == (FOLDER / "whole-minimised.qasm").read_text()
    with pytest.raises(RefusedError, match="1,458 outcomes occur; class whole wants all 16,384"):
        colouring_2019.judge("map", "whole", [FOLDER / "literal.qasm"])


def test_the_literal_file_is_remade():
    assert strict_qasm2(MAKE.literal().circuit) == (FOLDER / "literal.qasm").read_text()


def edge_of(rule):
    return "".join(sorted(rule.scope))


def test_the_literal_oracle_has_an_operation_for_every_edge():
    whole = MAKE.model()
    # A rule of one district is left where its other end is coloured beforehand: its domain has it already.
    inner = [edge_of(r) for r in whole.constraints if len(r.scope) == 2 and set(r.scope) <= set(MAKE.DISTRICTS)]
    assert sorted(inner) == sorted(EDGES)
    assert len(EDGES) == 13
    space = literal_space(whole, MAKE.DISTRICTS)
    assert space.size == 1458
    assert sum(isinstance(op, And | AndNot) for op in literal_oracle(space).ops) == 26


@pytest.mark.parametrize("left_out", EDGES)
def test_without_an_edge_the_literal_oracle_marks_what_the_others_allow(left_out):
    """So no edge is compiled with the help of another one."""
    whole = MAKE.model()
    space = literal_space(whole, MAKE.DISTRICTS)
    fewer = Model(whole.variables, tuple(rule for rule in whole.constraints if edge_of(rule) != left_out))
    oracle = literal_oracle(space, without=left_out)
    certificate, _ = certify(phase_check(fewer, space, oracle), space.size, 0)
    assert certificate.checked == 1458
    assert certificate.marked > 9
    with pytest.raises(CertificateError):
        certify(phase_check(whole, space, oracle), space.size, 0)


@pytest.mark.parametrize("merged", [0, 1])
def test_a_search_whose_ancillas_are_lowered_apart_is_the_same(merged):
    names = ("a", "b", "c")
    model = Model(
        tuple(Variable(name, (0, 1, 2, 3)) for name in names), tuple(NotEqual(*pair) for pair in ("ab", "bc", "ac"))
    )
    space = Space(tuple(make_coded((name,), [(k,) for k in range(4)], range(4), kind="binary") for name in names))
    oracle = assemble(literal_conditions(model, space), space.num_qubits, 4, alone=True)
    program = grover_program(space, oracle, 2, ancillas=4)
    apart, plain = lower_apart(program, (), merged=merged), lower(program.ops, program.num_qubits)
    assert apart.count_ops()["u"] > plain.count_ops()["u"]
    found, wanted = probabilities(apart), probabilities(plain)
    states = sorted(found.keys() | wanted.keys())
    assert np.allclose([found.get(k, 0) for k in states], [wanted.get(k, 0) for k in states])
