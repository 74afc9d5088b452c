"""The referee: right oracles of any maker are proved, wrong ones refused with the first wrong codeword."""

import pytest
from qiskit import QuantumCircuit, qasm2, qasm3
from qiskit.circuit.library import XGate
from referee import BITS, circuit_of, judge_text

import gatesolve
from gatesolve.errors import GatesolveError, InputError
from gatesolve.model import Linear, Model, NotEqual, Variable

SMALL = "examples/kakuro/small.txt"
PAIR = Model((Variable("x", (0, 1, 2, 3)), Variable("y", (0, 1, 2, 3))), (NotEqual("x", "y"),))


def differ(by_sign=True, *more) -> QuantumCircuit:
    """Marks x != y of two qubits each, x first, with two ancillas; qubit 5 is the output where not by sign."""
    compute = circuit_of(6, ("cx", [0, 1], [2, 3]), ("x", [2, 3, 4]), ("rccx", 2, 3, 4))
    mark = ("z", 4) if by_sign else ("cx", 4, 5)
    return circuit_of(6, (compute, range(6)), mark, (compute.inverse(), range(6)), *more).decompose()


def write(tmp_path, circuit, name="entry.qasm"):
    path = tmp_path / name
    path.write_text(qasm3.dumps(circuit) if name.endswith("3") else qasm2.dumps(circuit))
    return path


@pytest.mark.parametrize("name", ["entry.qasm", "entry.qasm3"])
def test_an_oracle_by_sign_and_by_output_is_proved(tmp_path, name):
    path = write(tmp_path, differ(), name)
    found = gatesolve.judge(path, PAIR)
    assert (found.status, found.codewords, found.qubits, found.data) == ("proved", 16, 6, 4), str(found.claim)
    assert found.seen == "1 of 1 constraints were seen alone on a qubit"
    found = gatesolve.judge(write(tmp_path, differ(False), name), PAIR, layout={"data": [0, 1, 2, 3], "output": 5})
    assert found.status == "proved"


def test_a_constraint_that_is_computed_for_show_makes_no_level(tmp_path):
    """The circuit computes x != y, undoes it, and marks the values that it lists."""
    unequal = [(XGate().control(4, ctrl_state=k), range(5)) for k in range(16) if k // 4 != k % 4]
    circuit = circuit_of(5, *unequal, *unequal, ("x", 4), ("h", 4), *unequal, ("h", 4), ("x", 4))
    found = gatesolve.judge(circuit, PAIR)
    assert (found.status, found.alone) == ("proved", 1)
    assert "level" not in found.seen


def test_constraints_on_qubits_that_enter_with_them_or_in_superposition_are_seen():
    """An input can be a constraint; and a qubit can hold one while others are entangled in superposition."""
    alone = Linear(((-1, "x"),), "<=", -1), Linear(((1, "y"),), "<=", 0), NotEqual("x", "y")
    assert gatesolve.judge(circuit_of(1, ("z", 0)), Model(BITS[:1], alone[:1]), layout={"data": [0]}).alone == 1
    there = [("h", 2), ("cx", 2, 3), ("cx", 0, 1)]
    assert gatesolve.judge(circuit_of(4, *there, *there[::-1]), Model(BITS, alone)).alone == 3


def test_every_gate_that_is_dropped_is_noticed(tmp_path):
    whole = differ()
    for place in range(len(whole.data)):
        mutant = whole.copy()
        gate = mutant.data[place].operation.name
        del mutant.data[place]
        found = gatesolve.judge(write(tmp_path, mutant), PAIR)
        assert found.status == "refused", (place, gate)
        assert "wrong first at codeword" in found.claim.detail


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (
            [(QuantumCircuit(6, global_phase=1), range(6)), ("ccz", 0, 1, 3)],
            "wrong first at codeword 11 (x=3, y=2): it is not marked, although it is a solution",
        ),
        ([("cx", 3, 5)], "ancilla qubit 5 is left as 1, not 0"),
        ([("t", 0)], "its phase is off by 0.125 of a turn"),
    ],
)
def test_the_first_fault_is_named(tmp_path, more, said):
    assert said in gatesolve.judge(write(tmp_path, differ(True, *more)), PAIR).claim.detail


def test_gates_of_the_text_are_not_known_by_their_names(tmp_path):
    """A text may call anything ``rccx``; what counts is its definition."""
    text = 'OPENQASM 2.0; include "qelib1.inc"; gate {} a,b,c {{ {} }} qreg q[2]; qreg a[1]; {} q[0],q[1],a[0];'
    for name in ("mine", "rccx", "ccz"):
        assert judge_text(tmp_path, text.format(name, "cz a,b;", name)).status == "proved", name
        assert judge_text(tmp_path, text.format(name, "cx a,b;", name)).status == "refused", name


def test_circuits_that_entangle_are_followed_by_state_vectors(tmp_path):
    """Half turns about an axis between X and Z, and undone: no planes can hold that."""
    circuit = circuit_of(6, ("ry", 0.3, 5), ("ch", 0, 5), (differ(), range(6)), ("ch", 0, 5), ("ry", -0.3, 5))
    circuit = circuit.decompose("circuit*")
    found = gatesolve.judge(write(tmp_path, circuit), PAIR)
    assert (found.status, found.claim.method) == ("proved", "state vectors of every codeword")
    circuit.s(1)
    found = gatesolve.judge(write(tmp_path, circuit), PAIR)
    assert "wrong first at codeword 2 (x=2, y=0): its phase is off by 0.25 of a turn" in found.claim.detail


@pytest.mark.sampled(0.5)
def test_a_whole_search_is_no_oracle(tmp_path):
    made = gatesolve.compile(SMALL, presolve="none", encoding="binary")
    gatesolve.export(made, tmp_path / "whole.qasm")
    gatesolve.export(made, tmp_path / "oracle.qasm", "oracle")
    assert gatesolve.judge(tmp_path / "oracle.qasm", SMALL).status == "proved"
    assert gatesolve.judge(tmp_path / "whole.qasm", SMALL).status == "refused"


@pytest.mark.quick(4)
@pytest.mark.parametrize("encoding", ["one-hot", "binary", "domain-wall"])
@pytest.mark.parametrize("gates", ["cx+u", "cz+u", "clifford+t", "clifford+toffoli"])
def test_our_own_oracles_of_models_with_awkward_domains_are_proved(tmp_path, encoding, gates):
    domains = {"a": (-3,), "b": (-1, 0, 4), "c": (2, 3, 4, 5, 6)}
    model = Model(
        tuple(Variable(name, domain) for name, domain in domains.items()),
        (NotEqual("b", "c"), Linear(((1, "a"), (2, "b"), (1, "c")), "<=", 7)),
    )
    made = gatesolve.compile(model, presolve="none", encoding=encoding, gates=gates)
    gatesolve.export(made, tmp_path / "oracle.qasm", "oracle")
    found = gatesolve.judge(tmp_path / "oracle.qasm", tmp_path / "oracle.cert.json", encoding=encoding)
    assert (found.status, found.codewords) == ("proved", 15), str(found.claim)


@pytest.mark.sampled(0.5)
def test_too_many_codewords_are_drawn(tmp_path):
    path = "examples/queens/linkedin-6x6.txt"
    made = gatesolve.compile(path, presolve="none", encoding="one-hot", level="literal")
    gatesolve.export(made, tmp_path / "oracle.qasm", "oracle")
    found = gatesolve.judge(tmp_path / "oracle.qasm", path, encoding="one-hot")
    assert (found.status, found.claim.method) == ("sampled", "codewords drawn with seed 0")


@pytest.mark.parametrize(
    ("layout", "message"),
    [
        ({"data": [0, 1, 2]}, "2 variables take 4 data qubits in this encoding, and 3 are there: map the data qubits"),
        ({"data": [0, 1, 2, 9]}, "the circuit has no qubit 9"),
        ({"data": [0, 1, 2, "q[7]"]}, "the circuit has no qubit 'q\\[7\\]'"),
        ({"data": [0, 1, 2, 2]}, "a qubit is named twice in the layout"),
        ({"data": [0, 1, 2, 3], "output": 3}, "a qubit is named twice in the layout"),
        ({"data": {"x": [0, 1]}}, "variable y takes a list of 2 qubits in this encoding"),
        ({"data": {"x": [0, 1], "y": [2, 3], "z": [4]}}, "the problem has no variable z"),
        ({"qubits": [0]}, "not a layout"),
        ([0, 1, 2, 3], "not a layout"),
    ],
)
def test_layouts_that_do_not_fit_are_told(tmp_path, layout, message):
    with pytest.raises(InputError, match=message):
        gatesolve.judge(write(tmp_path, differ()), PAIR, layout=layout)


def test_kickmix_is_not_judged(tmp_path):
    (tmp_path / "a.kmx").write_text("# kickmix, one oracle call\nX q0\n")
    with pytest.raises(InputError, match=r"a\.kmx: kickmix is not judged: write the oracle as \.qasm3 too"):
        gatesolve.judge(tmp_path / "a.kmx", "examples/kakuro/contest.txt")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.qasm", "OPENQASM 2.0; qreg q[4]; creg c[9000]; " + "if(c==1) U(pi,0,pi) q[0]; " * 20),
        ("a.qasm3", "OPENQASM 3.0; qubit[9000] q; for int i in [1:130000] { barrier q; }"),
        ("a.qasm3", "OPENQASM 3.0; qubit[9000] q; for int i in [1:130000] { let a = q[0:8999]; }"),
    ],
    ids=["tests", "barriers", "aliases"],
)
def test_statements_that_take_long_for_wide_registers_are_bounded(tmp_path, name, text):
    (tmp_path / name).write_text(text)
    with pytest.raises(GatesolveError, match=r"judge smaller circuits|test smaller registers"):
        gatesolve.judge(tmp_path / name, PAIR)
