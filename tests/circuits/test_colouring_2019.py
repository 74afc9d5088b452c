"""The literal colouring oracle computes each edge by itself; test_open_table.py has the entries judged."""

from pathlib import Path

import pytest
from judges import colouring_2019
from judges.base import RefusedError
from literal import STEPS, TWO, literal_oracle, literal_space
from scripts import load_script

from gatesolve.circuit import And, AndNot, strict_qasm2
from gatesolve.model import Model
from gatesolve.pipelines import phase_check
from gatesolve.simulate import CertificateError, certify

FOLDER = Path(__file__).parents[2] / "circuits" / "colouring-2019"
MAKE = load_script(FOLDER / "make.py")
EDGES = ["".join(sorted(edge)) for edge in f"{TWO} {STEPS}".split()]


@pytest.mark.sampled(0.3)
def test_the_whole_searches_are_remade_and_a_narrower_one_is_not_whole():
    assert strict_qasm2(MAKE.whole("literal").circuit) == (FOLDER / "whole.qasm").read_text()
    assert strict_qasm2(MAKE.whole("minimised").circuit) == (FOLDER / "whole-minimised.qasm").read_text()
    with pytest.raises(RefusedError, match="1,458 outcomes occur; class whole wants all 16,384"):
        colouring_2019.judge("map", "whole", [FOLDER / "literal.qasm"])


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
