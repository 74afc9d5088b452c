"""A program's operations, circuits, counts and decoding agree with one another."""

import io
import math
import pickle
from dataclasses import replace

import kept
import numpy as np
import pytest
from conformance.known import k4, k7
from contest_kakuro import K7
from qiskit import QuantumCircuit, qasm3, qpy
from qiskit.quantum_info import Statevector
from qiskit.result import QuasiDistribution
from qiskit_aer import AerSimulator

from gatesolve.api import write_circuit
from gatesolve.circuit import Gate, inverse, lower
from gatesolve.errors import InputError, UnsupportedError
from gatesolve.formats import Problem
from gatesolve.model import AllDifferent, Linear, Model, NotEqual, Variable, presolve
from gatesolve.pipelines import judge_candidates
from gatesolve.programs import LoweredParts, change_search, find_reflection, list_ops, lower_part, success_probability
from gatesolve.simulate import check_branches

ORDER = Model(
    tuple(Variable(name, (0, 1, 2)) for name in "abc"),
    (AllDifferent(("a", "b", "c")), Linear(((1, "a"), (-1, "b")), "<=", -1)),
)


def compiled(model=ORDER, **options):
    return kept.compiled(model, presolve="none", **options)


def distribution(circuit, num_data):
    """Probability of each data register state, and how much of it comes with every ancilla at zero."""
    weights = np.abs(Statevector(circuit.remove_final_measurements(inplace=False)).data) ** 2
    table = weights.reshape(-1, 1 << num_data)
    return table.sum(axis=0), table[0].sum()


@pytest.mark.sampled(3)
@pytest.mark.quick("*-cx+u", "table-*")
@pytest.mark.parametrize("gates", ["cx+u", "clifford+t"])
@pytest.mark.parametrize("oracle", ["constraints", "classical"])
@pytest.mark.parametrize("encoding", ["one-hot", "binary", "domain-wall", "table"])
def test_circuit_and_lowered_measure_the_same(encoding, oracle, gates):
    result = compiled(encoding=encoding, oracle=oracle, gates=gates, ancillas=4)
    program, space = result.program, result.program.space
    named, clean = distribution(program.circuit, space.num_qubits)
    low, low_clean = distribution(program.lowered, space.num_qubits)
    # Clifford+T approximates a rotation to 1e-10, and there are some hundred of them.
    assert np.abs(named - low).max() < 1e-7
    assert clean == pytest.approx(1, abs=1e-9)
    assert low_clean == pytest.approx(1, abs=1e-7)
    marked = [space.state(int(n)) for n in np.flatnonzero(result.marks)]
    chance = success_probability(space.size, len(marked), program.iterations)
    assert named[marked].sum() == pytest.approx(chance, abs=1e-9)
    assert len(marked) == 3


def test_operations_are_start_and_iterations():
    program = compiled(encoding="binary").program
    longer = program.with_iterations(3)
    start, reflection = program.section("preparation").ops, find_reflection(program)
    assert list_ops(longer) == start + 3 * (program.oracle.ops + reflection)
    assert list_ops(program.with_iterations(0)) == start == program.space.preparation
    assert reflection[: len(start)] == inverse(start)
    assert reflection[len(start) + 1 :] == start


def test_resources_are_those_of_the_lowered_circuit():
    program = compiled(encoding="one-hot").program.with_iterations(2)
    counted, ops = program.resources(), program.lowered.count_ops()
    assert counted.qubits == program.num_qubits == program.lowered.num_qubits == program.circuit.num_qubits
    assert counted.cx == ops["cx"]
    assert counted.total == ops["cx"] + ops["u"]
    assert counted.t is None
    oracle = lower(program.oracle.ops, program.oracle.num_qubits, "cx+u")
    assert program.resources("oracle").cx == oracle.count_ops()["cx"]


def test_registers_and_legend():
    program = replace(compiled(encoding="one-hot").program, num_ancillas=2)
    for circuit in (program.circuit, program.lowered):
        assert [register.name for register in circuit.qregs] == ["data", "ancilla"]
        assert [register.name for register in circuit.cregs] == ["measured"]
        measured = [i for i in circuit.data if i.operation.name == "measure"]
        pairs = [(circuit.find_bit(i.qubits[0]).index, circuit.find_bit(i.clbits[0]).index) for i in measured]
        assert pairs == [(q, q) for q in range(program.space.num_qubits)]
        legend = circuit.metadata["gatesolve"]["blocks"]
        assert len(legend) == 3
        for line, name, first in zip(legend, "abc", (0, 3, 6), strict=True):
            assert line.startswith(f"data[{first}")
            assert line.endswith(f"one-hot {name}: 001=0, 010=1, 100=2")


def test_decode_sorts_and_names_what_is_outside():
    program = compiled(encoding="one-hot").program
    found = program.decode({"001 100 010": 7, "000000000": 3, "010100001": 9, "100010001": 7})
    assert found == [
        ({"a": 0, "b": 2, "c": 1}, 9),
        ({"a": 1, "b": 2, "c": 0}, 7),
        ({"a": 0, "b": 1, "c": 2}, 7),
        (None, 3),
    ]
    assert program.decode({}) == []


@pytest.mark.parametrize(
    "key",
    ["010100001", "0xa1", "0X0A1", 161, np.int64(161), (1, 0, 0, 0, 0, 1, 0, 1, 0), (np.True_, *(0,) * 4, 1, 0, 1, 0)],
)
def test_every_form_of_a_state_is_read(key):
    program = compiled(encoding="one-hot").program
    assert program.decode({key: 4}) == [({"a": 0, "b": 2, "c": 1}, 4)]


def test_other_tools_results_are_read():
    program = compiled(encoding="one-hot").program
    circuit = QuantumCircuit(9)
    circuit.x([0, 5, 7])
    circuit.measure_all()
    result = AerSimulator().run(circuit, shots=8).result()
    wanted = [({"a": 0, "b": 2, "c": 1}, 8)]
    assert program.decode(result.get_counts()) == wanted
    assert program.decode(result.data()["counts"]) == wanted
    assert program.decode(result.get_counts().int_outcomes()) == wanted
    assert program.decode(result.get_counts().hex_outcomes()) == wanted
    assert program.decode(QuasiDistribution({161: 0.75, 0: 0.25})) == [(wanted[0][0], 0.75), (None, 0.25)]


def test_shares_of_unread_qubits_are_divided():
    program = compiled(K7, encoding="table", level="minimised").program
    shares = program.decode({0: 0.5, 1: 0.5})
    assert sum(share for _, share in shares) == pytest.approx(1)
    assert {share for _, share in shares} <= {0.5, 0.25}
    assert len(shares) > 2


@pytest.mark.parametrize(
    ("counts", "words"),
    [
        ({"+10100001": 1}, "cannot decode '\\+10100001': give counts by bit string"),
        ({"010100001\n": 1}, "cannot decode"),
        ({"0x200": 1}, "'0x200' is no state of the 9 bits that this circuit measures: see .circuit"),
        ({(0, 1): 1}, "has 2 bits, this circuit measures 9"),
        ({"010100001": -1}, "'010100001' has -1 shots: give a whole number or a share, from 0"),
        ({"010100001": math.nan}, "has nan shots"),
        ({"010100001": True}, "has True shots"),
    ],
)
def test_what_is_no_count_is_refused(counts, words):
    with pytest.raises(InputError, match=words):
        compiled(encoding="one-hot").program.decode(counts)


def test_qubits_that_no_constraint_reads_are_left_out_and_dealt_out():
    """K7 as tables: one qubit of four is never read; every measured state decodes, and the report says so."""
    found = compiled(K7, encoding="table", level="minimised")
    program = found.program
    (unread,) = [q for fill in program.search.fills for q in fill.unread]
    assert program.resources().cx <= 72
    assert not any(unread in op.qubits for op in program.section("preparation").ops if isinstance(op, Gate))
    (said,) = (note for note in found.notes if note.startswith("the rules can be checked without 1 qubit of "))
    assert said.endswith("qubits and states are counted with it")
    assert f"any codeword that fits: data[{unread}]" in program.qasm2()
    rng = np.random.default_rng(3)
    weights = np.abs(Statevector(program.circuit.remove_final_measurements(inplace=False)).data) ** 2
    shots = rng.multinomial(4096, weights / weights.sum())
    counts = {format(state, "b"): int(n) for state, n in enumerate(shots) if n}
    width = program.space.num_qubits
    narrow = {format(int(key, 2) & (1 << width) - 1, f"0{width}b"): n for key, n in counts.items()}
    decoded = program.decode(narrow, seed=5)
    assert all(values is not None for values, _ in decoded)
    assert sum(n for _, n in decoded) == 4096
    solved = sum(n for values, n in decoded if K7.holds(values))
    assert solved / 4096 == pytest.approx(success_probability(24, 1, program.iterations), abs=0.02)
    assert len(decoded) > len(narrow)


# --- Programs with measured erasure: the circuits, their counts, their files, and a run on Aer ---


def program_of(model, encoding, iterations=None, **changes):
    compiled = kept.compiled(
        model, presolve="none", encoding=encoding, level="minimised", gates="clifford+t", iterations=iterations
    )
    return compiled.program.with_lowering(measured=True, **changes), compiled.marks


#: The most T and CX of one oracle call, and the measurements, by problem and encoding.
MOST = {
    ("k7", "binary"): (50, 55),
    ("k7", "one-hot"): (48, 90),
    ("k7", "domain-wall"): (20, 32),
    ("k7", "table"): (6, 9),
    ("k4", "binary"): (20, 30),
    ("k4", "one-hot"): (23, 38),
}


@pytest.mark.sampled(4)
@pytest.mark.quick("*-k4-*", "*-k7-table")
@pytest.mark.parametrize(("name", "encoding"), MOST)
@pytest.mark.parametrize("metric", ["cx", "t", "depth"])
def test_every_codeword_on_every_or_many_outcomes(name, encoding, metric):
    program, marks = program_of({"k7": k7, "k4": k4}[name](), encoding, metric=metric)
    counted = program.resources("oracle")
    most = 2 if program.space.size > 1000 else 8
    bits, oracle = program.space.inputs(np.arange(len(marks)), program.num_qubits), lower_part(program, "oracle")
    assert check_branches(oracle, bits, marks, seed=5, most=most) >= 2
    assert counted.measurements == oracle.count_ops()["measure"]
    if metric != "depth":
        most_t, most_cx = MOST[name, encoding]
        assert counted.t <= most_t
        assert metric == "t" or counted.cx <= most_cx
    unitary = program.with_lowering(measured=False).resources("oracle")
    assert counted.t < unitary.t
    assert metric == "t" or counted.cx < unitary.cx
    assert counted.qubits == unitary.qubits


@pytest.mark.quick("0-*", "1-*")
@pytest.mark.parametrize("gates", ["cx+u", "clifford+t", "clifford+toffoli"])
@pytest.mark.parametrize("iterations", [0, 1, 2])
def test_the_whole_search_on_aer(gates, iterations):
    """All shots come with different outcomes in between; what is measured at the end is Grover's distribution."""
    program, marks = program_of(k4(), "binary", gates=gates, iterations=iterations)
    space = program.space
    circuit = program.lowered
    assert [r.name for r in circuit.cregs] == ["measured", *(["erased"] if iterations else [])]
    simulator = AerSimulator(method="statevector", seed_simulator=3, max_parallel_threads=1)
    shots = 60
    counts = simulator.run(circuit, shots=shots).result().get_counts()
    answers = {space.state(int(n)) for n in np.flatnonzero(marks)}
    # The register added last stands leftmost.
    hits = sum(n for key, n in counts.items() if int(key.split()[-1], 2) in answers)
    chance = success_probability(space.size, len(answers), iterations)
    assert abs(hits - shots * chance) <= 4 * np.sqrt(shots * chance * (1 - chance)) + 1


def test_openqasm_2_is_refused_and_the_others_read_back(tmp_path):
    program, _ = program_of(k4(), "binary", gates="cx+u", iterations=1)
    with pytest.raises(UnsupportedError, match=r"write a measured circuit as \.qasm3 or \.qpy"):
        program.qasm2()
    with pytest.raises(InputError, match="OpenQASM 2 has no gates that depend on one measured bit"):
        write_circuit(program, tmp_path / "circuit.qasm", "oracle")
    assert not list(tmp_path.iterdir())
    text = program.qasm3("oracle")
    assert "if (erased[0])" in text
    back = qasm3.loads(text)
    assert back.num_qubits == program.num_qubits
    assert back.count_ops()["measure"] == program.resources("oracle").measurements
    write_circuit(program, tmp_path / "circuit.qpy")
    (read,) = qpy.load(io.BytesIO((tmp_path / "circuit.qpy").read_bytes()))
    assert read == program.lowered


def test_a_program_that_erases_nothing_is_written_as_openqasm_2():
    program, _ = program_of(k4(), "table", gates="cx+u")
    assert program.resources("oracle").measurements == 0
    assert "creg erased" not in program.qasm2("oracle")


# --- The one judge: what presolve took out is put back, and the problem's own rules have the last word ---


BITS = tuple(Variable(name, (0, 1)) for name in "ab")
UNEQUAL = Model(BITS, (NotEqual("a", "b"),))
GOOD, BAD = {"a": 0, "b": 1}, {"a": 1, "b": 1}


class Strict(Problem):
    """Has a rule that its model does not know."""

    def complaints(self, assignment):
        return super().complaints(assignment) + (["a is 0"] if assignment["a"] == 0 else [])


def test_the_first_candidate_that_is_accepted_is_the_solution_and_all_shots_are_counted():
    accept = Problem(UNEQUAL).judge()
    found = judge_candidates(accept, [(None, 9), (BAD, 5), ({"a": 1, "b": 0}, 3), (GOOD, 2), (None, 1)])
    assert (found.solution, found.place, found.shots) == ({"a": 1, "b": 0}, 2, 5)


@pytest.mark.parametrize("values", [{"a": 0}, {"a": 5, "b": 0}])
def test_values_outside_the_model_are_not_accepted(values):
    if len(values) < len(BITS):
        values = {**values, "b": 7}
    assert Problem(UNEQUAL).judge()(values) is None


def test_the_problems_own_rules_have_the_last_word():
    accept = Strict(UNEQUAL).judge()
    assert accept(GOOD) is None
    assert accept({"a": 1, "b": 0}) == {"a": 1, "b": 0}


def test_variables_that_presolve_took_out_are_put_back():
    rule = Linear(((1, "a"), (1, "b"), (1, "c")), "==", 2)
    model = Model((*BITS, Variable("c", (0, 1))), (rule,))
    smaller, recovery = presolve(model, "affine")
    left = [variable.name for variable in smaller.variables]
    assert set(left) < {"a", "b", "c"}
    accept = Problem(model).judge(recovery.recover)
    found = accept(dict.fromkeys(left, 1))
    assert found == {**dict.fromkeys("abc", 0), **dict.fromkeys(left, 1)}
    assert model.check(found)
    # 0 + 0 leaves 2 for the variable that was taken out, which it cannot be.
    assert accept(dict.fromkeys(left, 0)) is None


def test_what_is_recovered_is_judged_by_the_model_before_any_rule_of_its_own():
    seen = []

    class Watching(Problem):
        def complaints(self, assignment):
            seen.append(assignment)
            return []

    accept = Watching(UNEQUAL).judge(lambda values: {**values, "b": values["a"]})
    assert accept({"a": 1}) is None
    assert seen == []
    assert Watching(UNEQUAL).judge(lambda values: {**values, "b": 1 - values["a"]})({"a": 1}) == {"a": 1, "b": 0}
    assert seen == [{"a": 1, "b": 0}]


def test_a_part_is_lowered_once_for_programs_that_differ_in_iterations(monkeypatch):
    program = compiled(encoding="one-hot").program
    first = program.resources("iteration")
    monkeypatch.setattr("gatesolve.programs.program.reduce_gates", lambda *_: pytest.fail("lowered again"))
    longer = change_search(program.with_iterations(program.iterations + 1), provenance=None)
    assert longer.resources("iteration") == first
    assert longer.resources("oracle") == program.resources("oracle")


def test_other_operations_of_the_same_identity_are_lowered_anew():
    parts, ops = LoweredParts(), (Gate("h", (0,)),)
    assert parts.get(ops, (), lambda: "one") == parts.get(ops, (), lambda: "two") == "one"
    parts.made[(id(ops),)] = (ops[:0], "stale")
    assert parts.get(ops, (), lambda: "anew") == "anew"
    assert pickle.loads(pickle.dumps(parts)).made == {}


@pytest.mark.slow
def test_what_goes_on_from_the_lowered_oracle_takes_no_more_gates(monkeypatch):
    program = compiled(encoding="one-hot").program
    whole = replace(program, _kept=LoweredParts()).resources("iteration")
    monkeypatch.setattr("gatesolve.programs.program.LARGE", 0)
    begun = replace(program, _kept=LoweredParts()).resources("iteration")
    assert (begun.cx, begun.qubits) <= (whole.cx, whole.qubits)


def test_a_program_shows_few_public_names():
    shown = [name for name in dir(compiled(encoding="one-hot").program) if not name.startswith("_")]
    assert len(shown) <= 20
