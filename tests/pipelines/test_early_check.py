"""A search with an early check: its circuit makes the amplitudes that are sampled, and its proof sees every change."""

from dataclasses import replace

import numpy as np
import pytest
from aer_state import amplitudes_on_aer
from conformance.known import k4
from hypothesis import given, settings
from strategies import models

import gatesolve
from gatesolve.circuit import CertificateError
from gatesolve.errors import DoesNotFitError, InfeasibleError, InputError
from gatesolve.pipelines.amplification import ideal_success
from gatesolve.pipelines.grover.nest import certify_early
from gatesolve.proof import is_proved, prove_program
from gatesolve.proof.blocks import prove_blocks

WIDE = {"presolve": "none", "encoding": "binary", "level": "literal", "early_check": True}
NARROW = {**WIDE, "ancillas": 4}
CONTEST = "examples/kakuro/contest.txt"


def price(program):
    """CX of a whole run."""
    return sum(one.times * program.section_resources(one.name).cx for one in program.sections)


def expected(compiled):
    """Probability of each codeword: three amplitudes, for marked ones, others that pass, and those that do not."""
    program, marks = compiled.program, compiled.marks
    early, size = program.early, program.space.size
    passes = np.isin(early.locate(program.space, np.arange(size)), early.passing)
    assert passes[marks].all()
    start = np.where(passes, early.chance / max(passes.sum(), 1), (1 - early.chance) / max((~passes).sum(), 1))
    success = ideal_success(program, int(marks.sum()))
    return np.where(marks, success / marks.sum(), start * (1 - success) / start[~marks].sum())


@pytest.mark.quick("k4-*")
@pytest.mark.parametrize("iterations", [1, 2, None])
@pytest.mark.parametrize(("problem", "ancillas"), [(k4(), 4), ("examples/tents/weak-3x5.txt", 9)], ids=["k4", "tents"])
def test_the_circuit_makes_three_amplitudes(problem, ancillas, iterations):
    compiled = gatesolve.compile(problem, **WIDE, ancillas=ancillas, iterations=iterations)
    assert compiled.program.early is not None
    assert np.abs(np.abs(amplitudes_on_aer(compiled.program)) ** 2 - expected(compiled)).max() < 1e-9


@settings(max_examples=30)
@given(models())
@pytest.mark.more_examples(300)
def test_drawn_models(model):
    """Where an early check is made, it is proved, cheaper, and its circuit makes what is sampled."""
    try:
        compiled = gatesolve.compile(model, **NARROW)
    except (DoesNotFitError, InfeasibleError):
        return
    if (program := compiled.program).early is None:
        return
    assert is_proved(prove_program(compiled.model, program))
    if program.num_qubits <= 14:
        assert np.abs(np.abs(amplitudes_on_aer(program)) ** 2 - expected(compiled)).max() < 1e-9
    plain = gatesolve.compile(model, **{**NARROW, "early_check": False}).program
    marked = int(compiled.marks.sum())
    assert price(program) / ideal_success(program, marked) < price(plain) / ideal_success(plain, marked)


@pytest.mark.quick("small-cx")
@pytest.mark.parametrize("objective", ["cx", "t", "depth", "t_depth", "qubits"])
@pytest.mark.parametrize(
    "board",
    ["kakuro/contest", "takuzu/small", "queens/tiny-4x4", "kakuro/small"],
    ids=["contest", "takuzu", "queens", "small"],
)
def test_an_early_check_is_no_worse_by_what_is_asked_for(board, objective):
    path = f"examples/{board}.txt"
    nested = gatesolve.compile(path, **WIDE, objective=objective)
    plain = gatesolve.compile(path, **{**WIDE, "early_check": False}, objective=objective).program
    if objective == "qubits":
        assert nested.program.num_qubits <= plain.num_qubits
    marked, measured = int(nested.marks.sum()), {"t_depth": "t_depth", "depth": "depth", "t": "t"}.get(objective, "cx")
    gates = "clifford+t" if measured.startswith("t") else "cx+u"
    spent = [
        sum(n.times * getattr(one.section_resources(n.name), measured) for n in one.sections)
        / ideal_success(one, marked)
        for one in (replace(nested.program, gates=gates), replace(plain, gates=gates))
    ]
    assert spent[0] <= 1.05 * spent[1]  # chosen by the price of operations, not of what lowering leaves of them


def test_a_search_is_cheaper_and_solves():
    found = gatesolve.solve(CONTEST, **WIDE)
    plain = gatesolve.compile(CONTEST, **{**WIDE, "early_check": False}).program
    program = found.compiled.program
    assert found.status == "solved"
    assert found.success_probability == pytest.approx(ideal_success(program, 1))
    assert found.success_probability > 0.99
    assert 2 * price(program) < price(plain)
    assert any(note.startswith("early check: 4 constraints are amplified first") for note in found.notes)


@pytest.mark.slow
def test_a_search_too_large_to_list_is_nested_too():
    made = gatesolve.compile("examples/sudoku/inkala-2010.txt", early_check=True)
    plain = gatesolve.compile("examples/sudoku/inkala-2010.txt")
    assert made.program.early is not None
    assert price(made.program) < price(plain.program)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"exact": True}, "leave out exact"),
        ({"schedule": "unknown"}, "leave out schedule"),
        ({"oracle": "classical"}, "leave out oracle"),
        ({"pipeline": "gas"}, "leave out early_check"),
    ],
)
def test_what_an_early_check_does_not_go_with(options, said):
    with pytest.raises(InputError, match=said):
        gatesolve.solve("examples/kakuro/small.txt", **{**WIDE, **options})


def test_a_miscounted_early_check_is_seen():
    program = gatesolve.compile(CONTEST, **WIDE).program
    certify_early(program)
    fewer = replace(program, early=replace(program.early, passing=program.early.passing[:-1]))
    with pytest.raises(CertificateError):
        certify_early(fewer)


def test_every_operation_left_out_of_a_nested_search_is_seen():
    compiled = gatesolve.compile(CONTEST, **WIDE)
    program = compiled.program
    assert prove_blocks(program).status == "proved"
    early, iteration = program.section("early"), program.section("iteration")
    sections = [(replace(early, ops=early.ops[:k] + early.ops[k + 1 :]), iteration) for k in range(len(early.ops))]
    ops = iteration.ops
    sections += [(early, replace(iteration, ops=ops[:k] + ops[k + 1 :])) for k in range(0, len(ops), 7)]
    for inner, outer in sections:
        changed = replace(program, sections=(program.section("preparation"), inner, outer))
        assert not is_proved(prove_program(compiled.model, changed))


def test_an_early_check_needs_an_oracle_whose_conditions_are_proved():
    """Those of a classical oracle, or of one that was only run, are words."""
    compiled = gatesolve.compile(CONTEST, **WIDE)
    program = compiled.program
    whole = program.section("iteration").oracle
    early = program.section("early").oracle
    kept = [one for one in whole.conditions if one in early.conditions]
    other = next(one for one in whole.conditions if one not in early.conditions)
    false = replace(other, factors=(other.factors[0].negated(), *other.factors[1:]))
    for changed, status in (
        (replace(whole, style="classical"), "refused"),
        (replace(whole, conditions=(*kept, false)), "unchecked"),
    ):
        outer = replace(program.section("iteration"), oracle=changed)
        sections = (program.section("preparation"), program.section("early"), outer)
        claims = prove_program(compiled.model, replace(program, sections=sections))
        assert next(claim for claim in claims if claim.layer == "early check").status == status


def test_an_early_check_of_something_else_is_refused():
    compiled = gatesolve.compile(CONTEST, **WIDE)
    program = compiled.program
    early = program.section("early")
    first = early.oracle.conditions[0]
    turned = replace(first, factors=(first.factors[0].negated(), *first.factors[1:]))
    oracle = replace(early.oracle, conditions=(turned, *early.oracle.conditions[1:]))
    sections = (program.section("preparation"), replace(early, oracle=oracle), program.section("iteration"))
    claims = prove_program(compiled.model, replace(program, sections=sections))
    assert "refused" in {claim.status for claim in claims if claim.layer == "early check"}
