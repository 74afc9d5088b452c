"""Each layer's proof: it holds for what is compiled, and not once a thing in it is changed."""

import random
from dataclasses import replace

import cpmpy as cp
import numpy as np
import pytest

import gatesolve
from gatesolve.circuit import Gate, Mcx, Parity, PhaseFlip
from gatesolve.encodings import Block, Space
from gatesolve.model import Linear, Model, Variable
from gatesolve.pipelines import phase_check
from gatesolve.programs import replace_section
from gatesolve.proof import is_proved, prove_program
from gatesolve.proof.blocks import prove_blocks
from gatesolve.proof.claim import prove
from gatesolve.proof.meaning import prove_conditions
from gatesolve.proof.pauli import pauli_of
from gatesolve.proof.prove import tell_absent
from gatesolve.proof.space import prove_space
from gatesolve.proof.structure import prove_structure
from gatesolve.proof.text import MatrixBuilder

EQUAL = Linear(((1, "x0"), (-1, "x1")), "==", 0)
SMALL = "examples/kakuro/small.txt"
BOARDS = [SMALL, "examples/sudoku/small.txt", "examples/takuzu/small.txt", "examples/queens/tiny-4x4.txt"]


def compile_board(path=SMALL, **options):
    return gatesolve.compile(path, **{"presolve": "none", "encoding": "binary", "level": "literal", **options})


def check(oracle, ops=None, conditions=None):
    kept = oracle.conditions if conditions is None else conditions
    return prove_structure(oracle.ops if ops is None else ops, oracle.num_data, oracle.num_qubits, kept)


@pytest.mark.sampled(4)
@pytest.mark.quick("merged-table")
@pytest.mark.parametrize("encoding", ["binary", "one-hot", "domain-wall", "table"])
@pytest.mark.parametrize("level", ["literal", "merged", "minimised"])
def test_every_layer_is_proved(level, encoding):
    for path in BOARDS[:3]:
        made = compile_board(path, encoding=encoding, level=level)
        claims = prove_program(made.model, made.program)
        assert [claim.status for claim in claims] == ["proved"] * len(claims), (path, list(map(str, claims)))
        assert is_proved(claims)


@pytest.mark.quick(1)
@pytest.mark.parametrize("ancillas", [None, 8, 12])
def test_structure_at_any_budget(ancillas):
    made = compile_board(BOARDS[1], encoding="one-hot", ancillas=ancillas)
    assert check(made.program.oracle).status == "proved"


def test_a_condition_more_or_less_is_seen():
    made = compile_board(BOARDS[1])
    oracle, said = made.program.oracle, []
    for number, one in enumerate(oracle.conditions):
        fewer = oracle.conditions[:number] + oracle.conditions[number + 1 :]
        claim = check(oracle, conditions=fewer)
        said.append(claim.status)
        # A condition that follows from the others may be left out.
        same = prove_conditions(made.model, made.program.space, fewer)[-1].status == "proved"
        assert "more than the conditions" in claim.detail or same
        turned = replace(one, factors=(one.factors[0].negated(), *one.factors[1:]))
        others = (*fewer, turned)
        assert f"does not need condition '{one.label}'" in check(oracle, conditions=others).detail
    assert said.count("refused") > len(said) / 2


@pytest.mark.quick(1)
@pytest.mark.parametrize("path", BOARDS[:3])
def test_operations_changed_anywhere_are_refused_or_mark_the_same(path):
    made = compile_board(path)
    oracle, draw = made.program.oracle, random.Random(3)
    right = made.marks
    for _ in range(60):
        ops = list(oracle.ops)
        place = draw.randrange(len(ops))
        kind = draw.randrange(3)
        if kind == 0:
            del ops[place]
        elif kind == 1:
            ops.insert(place, ops[draw.randrange(len(ops))])
        else:
            other = draw.randrange(len(ops))
            ops[place], ops[other] = ops[other], ops[place]
        if check(oracle, tuple(ops)).status == "proved":
            changed = replace(oracle, ops=tuple(ops))
            checked = phase_check(made.model, made.program.space, changed)
            assert (checked.marks(np.arange(len(right))) == right).all()


def test_a_lent_qubit_has_to_be_zero():
    oracle = compile_board(BOARDS[1]).program.oracle
    ops = list(oracle.ops)
    place = next(k for k, op in enumerate(ops) if isinstance(op, PhaseFlip))
    ops[place] = replace(ops[place], clean=(0,))
    assert "lent as a zero" in check(oracle, tuple(ops)).detail


def test_what_is_not_undone_is_named():
    oracle = compile_board(BOARDS[1]).program.oracle
    assert "is not undone" in check(oracle, oracle.ops[:-1]).detail
    assert check(oracle, (*oracle.ops, Mcx(((0, True),), 1))).status == "refused"


@pytest.mark.parametrize("level", ["literal", "minimised"])
def test_conditions_that_mean_something_else_are_refused(level):
    for path in BOARDS[:2]:
        made = compile_board(path, level=level)
        kept = made.program.oracle.conditions
        for number, one in enumerate(kept[:6]):
            turned = replace(one, factors=(one.factors[0].negated(), *one.factors[1:]))
            others = (*kept[:number], turned, *kept[number + 1 :])
            assert prove_conditions(made.model, made.program.space, others)[-1].status == "refused"


def test_conditions_left_out_are_refused_where_they_matter():
    made = compile_board()
    claims = prove_conditions(made.model, made.program.space, made.program.oracle.conditions[:1])
    assert claims[-1].status == "refused"
    assert "a constraint does not" in claims[-1].detail


def test_spaces_that_miss_something_are_refused():
    made = compile_board(BOARDS[1])
    blocks = made.program.space.blocks
    place = next(k for k, block in enumerate(blocks) if block.size > 1)
    cut = replace(blocks[place], tuples=blocks[place].tuples[:-1], codewords=blocks[place].codewords[:-1])
    for changed, said in (
        ((*blocks[:place], cut, *blocks[place + 1 :]), "has no codeword"),
        (blocks[1:], "each variable once"),
        ((*blocks[:place], replace(cut, tuples=blocks[place].tuples), *blocks[place + 1 :]), "do not fit"),
        ((replace(blocks[place], codewords=(0,) * blocks[place].size), *blocks[1:]), "each variable once"),
    ):
        assert said in prove_space(made.model, Space(changed)).detail


@pytest.mark.parametrize(
    ("sizes", "constraints", "is_listed"),
    [
        pytest.param((1 << 20,), (), True, marks=pytest.mark.slow),
        pytest.param((1 + (1 << 20),), (), False, marks=pytest.mark.slow),
        ((1 << 11, 1 << 11), (EQUAL,), False),
        ((1 << 11, (1 << 11) - 1), (EQUAL,), True),
    ],
)
def test_blocks_are_listed_up_to_limits(sizes, constraints, is_listed):
    """2^20 tuples, and 2^22 partial ones tried."""
    names = tuple(f"x{k}" for k in range(len(sizes)))
    model = Model(
        tuple(Variable(name, tuple(range(size))) for name, size in zip(names, sizes, strict=True)), constraints
    )
    block = Block("table", names, ((0,) * len(sizes),), (0,), 1, (), ())
    detail = prove_space(model, Space((block,))).detail
    assert ("too many tuples to see whether one is missing" not in detail) == is_listed, detail


@pytest.mark.parametrize("encoding", ["binary", "one-hot", "domain-wall", "table"])
def test_preparations_and_reflections_changed_anywhere_are_refused(encoding):
    program = compile_board(encoding=encoding).program
    assert prove_blocks(program).status == "proved"
    start, draw = program.section("preparation"), random.Random(1)
    places = [k for k, op in enumerate(start.ops) if not (isinstance(op, Gate) and op.name in {"z", "cz"})]
    for place in draw.sample(places, min(8, len(places))):
        cut = replace(start, ops=start.ops[:place] + start.ops[place + 1 :])
        assert prove_blocks(replace_section(program, cut)).status == "refused"
    once, first = program.section("iteration"), len(program.oracle.ops)
    for place in draw.sample(range(first, len(once.ops)), 8):
        cut = replace(once, ops=once.ops[:place] + once.ops[place + 1 :])
        assert prove_blocks(replace_section(program, cut)).status == "refused"


def test_rotations_too_small_to_be_kept_add_up():
    program = compile_board(encoding="one-hot").program
    start = program.section("preparation")
    turned = start.ops + (Gate("ry", (start.ops[0].qubits[0],), (2.6e-12,)),) * 4000
    assert prove_blocks(replace_section(program, replace(start, ops=turned))).status != "proved"


def compile_bit():
    model = Model((Variable("x", (0, 1)),), (Linear(((1, "x"),), "==", 1),))
    return gatesolve.compile(model, presolve="none", encoding="binary", iterations=1).program


def reflect_by(program, angle, times):
    """The same search, its reflection about what one rotation makes of zero."""
    once, kept = program.section("iteration"), len(program.oracle.ops)
    there, back = Gate("ry", (0,), (angle,)), Gate("ry", (0,), (-angle,))
    ops = (*once.ops[:kept], back, PhaseFlip((Parity((0,), True),)), there)
    return replace_section(program, replace(once, ops=ops, times=times))


def test_reflections_that_are_off_add_up():
    turned = np.pi / 2 + 1e-9
    assert prove_blocks(reflect_by(compile_bit(), np.pi / 2, 200_000)).status == "proved"
    assert prove_blocks(reflect_by(compile_bit(), turned, 10)).status == "proved"
    assert prove_blocks(reflect_by(compile_bit(), turned, 200_000)).status != "proved"


def test_a_reflection_leaks_nothing():
    """Of a block of one codeword, a rotation by 1e-5 keeps the length of what it leaves to 1e-11."""
    program = compile_bit()
    one = replace(program.space.blocks[0], tuples=((1,),), codewords=(1,))
    program = replace(program, space=Space((one,)))
    program = replace_section(program, replace(program.section("preparation"), ops=(Gate("x", (0,)),)))
    assert prove_blocks(reflect_by(program, np.pi, 1)).status == "proved"
    assert prove_blocks(reflect_by(program, np.pi + 1e-5, 1)).status == "refused"


def test_a_search_of_no_iterations_reflects_nothing():
    program = compile_bit().with_iterations(0)
    start, once = program.section("preparation"), program.section("iteration")
    flips = replace(start, ops=(*once.oracle.ops, *start.ops), oracle=once.oracle)
    for first, layers in ((start, {"blocks", "oracle"}), (flips, {"blocks"})):
        changed = replace_section(program, first)
        found = tell_absent([prove("oracle", "", ""), prove("blocks", "", "")], changed, "whole")
        assert {claim.layer for claim in found if "has no iteration" in claim.detail} == layers


def test_matrices_differ_by_their_norm():
    """An angle of 15e-9 changes no entry of ten qubits in superposition by 1e-9."""
    first, other = MatrixBuilder(10), MatrixBuilder(10)
    for one in (first, other):
        for qubit in range(10):
            one.add_h(qubit)
    assert first.is_same(other)
    other.add_rotation(pauli_of([0]), 15e-9)
    assert not first.is_same(other)


def test_the_preparation_uses_no_qubit_that_is_left_out_of_the_search():
    variables = tuple(Variable(name, (0, 1)) for name in "xy")
    made = gatesolve.compile(Model(variables, (Linear(((1, "x"),), "==", 1),)), presolve="none", encoding="binary")
    (left,) = made.program.search.fills[0].unread
    start = made.program.section("preparation")
    assert prove_blocks(made.program).status == "proved"
    for gates in ((Gate("z", (left,)),), (Gate("x", (left,)),) * 2):
        used = replace_section(made.program, replace(start, ops=start.ops + gates))
        assert prove_blocks(used).status == "refused"


@pytest.mark.slow
def test_other_searches_say_which_layer_is_not_checked():
    made = gatesolve.compile(SMALL, presolve="none", encoding="one-hot", pipeline="qaoa", layers=1)
    claims = prove_program(made.model, made.program, made.certificate)
    assert not is_proved(claims)
    assert "no oracle of constraints" in claims[-1].detail
    made = gatesolve.compile(SMALL, presolve="none", encoding="one-hot", pipeline="gas", threshold=3)
    assert not is_proved(prove_program(made.model, made.program))


@pytest.mark.sampled(1)
@pytest.mark.parametrize("board", ["sudoku/sgt-6jkde1.txt", "kakuro/wikipedia-8x8.txt"])
def test_tables_that_were_joined_may_leave_out_what_one_constraint_excludes(board):
    made = gatesolve.compile(f"examples/{board}", presolve="none", encoding="table", iterations=1)
    assert prove_space(made.model, made.program.space).status == "proved"


def compile_unequal(**options):
    x, y = cp.intvar(0, 1, name="x"), cp.intvar(-1, 2, name="y")
    return gatesolve.compile(cp.Model([y != x]), **{"presolve": "none", **options})


@pytest.mark.parametrize("encoding", ["binary", "domain-wall", "one-hot"])
@pytest.mark.parametrize("level", ["literal", "merged", "minimised"])
def test_a_sign_of_all_states_is_a_global_phase(level, encoding):
    made = compile_unequal(level=level, encoding=encoding)
    assert is_proved(prove_program(made.model, made.program))


def test_beside_a_sign_of_all_states_a_flip_of_other_states_is_refused():
    oracle = compile_unequal(level="literal", encoding="binary").program.oracle
    wide = next(k for k, op in enumerate(oracle.ops) if isinstance(op, PhaseFlip) and op.factors)
    first, *others = oracle.ops[wide].factors
    for factors in ((first.negated(), *others), tuple(others), (first,)):
        flip = replace(oracle.ops[wide], factors=factors)
        assert check(oracle, (*oracle.ops[:wide], flip, *oracle.ops[wide + 1 :])).status == "refused"


@pytest.mark.quick(1)
@pytest.mark.parametrize("gates", ["cx+u", "clifford+t"])
def test_matched_phases_are_left_unchecked_and_not_refused(gates):
    made = compile_board(exact=True, gates=gates)
    claims = prove_program(made.model, made.program, made.certificate)
    assert {claim.layer: claim.status for claim in claims if claim.status != "proved"} == {"blocks": "unchecked"}
    assert not is_proved(claims)
