"""A rule of another package: it competes by its declared cost, and is given the ancillas that it declares."""

import pytest
from basis_states import assert_multi_controlled_z
from packages import install
from test_mcz_rules import wires_of

from gatesolve import mcx
from gatesolve.circuit import choose_rule
from gatesolve.circuit.lowering.rules.mcz import CLEAN_RULES, LoweringTarget, added_rules, count_lowered, expand_mcz

RULES = """
from gatesolve.circuit.lowering.rules.clean import v_chain
from gatesolve.circuit.lowering.rules.mcz import Rule

SEEN = []

def build(qubits, clean, borrowed):
    SEEN.append((len(qubits), len(clean), len(borrowed)))
    return v_chain(qubits, clean)

def rule(name, cx):
    return Rule(name, lambda n: n - 3, lambda n: 0, build, lambda n, c, b: cx(n), lambda n, c, b: 8 * n - 17, "here")

cheaper = rule("cheaper", lambda n: 6 * n - 13)
honest = rule("honest", lambda n: 6 * n - 12)
greedy = Rule("greedy", lambda n: 1, lambda n: 1, lambda q, c, b: SEEN.append((len(c), len(b))) or v_chain(q[:4], c),
              lambda n, c, b: 1, lambda n, c, b: 1, "here", takes_more=True)
"""


@pytest.fixture
def register(monkeypatch, tmp_path):
    def made(*names):
        module = install(monkeypatch, tmp_path, RULES, rules="\n".join(f"{name} = MODULE:{name}" for name in names))
        by_name = {rule.name: rule for rule in added_rules()}
        return __import__(module).SEEN, by_name

    return made


def test_the_declared_cost_decides(register):
    before = choose_rule(7, 4)
    seen, rules = register("cheaper")
    assert before in CLEAN_RULES
    assert choose_rule(7, 4) is rules["cheaper"]
    assert choose_rule(7, 3) in CLEAN_RULES  # it wants four
    seen.clear()
    assert mcx(6, clean=4).num_qubits == 11
    assert (7, 4, 0) in seen


def test_it_is_given_what_it_declares(register):
    seen, _ = register("cheaper")
    ops = expand_mcz(range(7), range(7, 13), range(13, 16), LoweringTarget())
    assert seen[-1] == (7, 4, 0)
    assert_multi_controlled_z(ops, range(7), range(7, 11))
    assert wires_of(ops) <= set(range(11))


@pytest.mark.parametrize("n", range(4, 9))
def test_a_false_declaration_is_caught(register, n):
    """What the suite of our rules asks, asked of these."""
    _, rules = register("cheaper", "honest")
    built = {name: count_lowered(rule.build(range(n), range(n, 2 * n - 3), ())).cx for name, rule in rules.items()}
    assert built["honest"] == rules["honest"].cx(n, n - 3, 0)
    assert built["cheaper"] != rules["cheaper"].cx(n, n - 3, 0)
