"""The judges of single contests, on small circuits of their own: right ones, and ones with a fault."""

import json
import math
import os
import random
from pathlib import Path

import numpy as np
import pytest
from judges import CONTESTS, RefusedError, icpc_2021, iquhack_2023, toffoli_measured
from judges.base import read_circuit
from judges.basis import unmeasured
from judges.paths import GATES as PATH_GATES
from judges.paths import Paths, without_h
from qiskit import QuantumCircuit, qasm2, transpile
from qiskit.circuit.library import get_standard_gate_name_mapping
from qiskit.quantum_info import Operator
from record_table import read_published

ROOT = Path(__file__).parents[2]
CIRCUITS = ROOT / "circuits"
OUTSIDE = Path(os.environ.get("GATESOLVE_CONTESTS", ROOT.parent / "shared" / "contests"))


def started(bits, numbers):
    """The starting circuit of iQuHACK 2023: X under all bits for each number, an AND chain on work wires."""
    circuit = QuantumCircuit(2 * bits - 1)
    work = range(bits + 1, 2 * bits - 1)
    chain = [(0, 1, work[0]), *((k + 2, work[k], work[k + 1]) for k in range(bits - 3))]
    for number in numbers:
        flips = [wire for wire in range(bits) if not number >> wire & 1]
        for wire in flips:
            circuit.x(wire)
        for gates in (chain, [(bits - 1, work[-1], bits)], chain[::-1]):
            for wires in gates:
                circuit.ccx(*wires)
        for wire in flips:
            circuit.x(wire)
    return circuit


def first_start():
    """That of task 1: two differences on work wires, and one Toffoli gate."""
    circuit = QuantumCircuit(6)
    differences = [(0, 4), (1, 4), (1, 5), (2, 5)]
    for wires in (*differences, (4, 5, 3), *differences):
        circuit.ccx(*wires) if len(wires) == 3 else circuit.cx(*wires)
    return circuit


def answer(wires, ones, tail=""):
    """X on some wires, which is no search at all."""
    flips = "".join(f"x q[{wire}];\n" for wire in ones)
    return f'OPENQASM 2.0;\ninclude "qelib1.inc";\nqreg q[{wires}];\n{flips}{tail}'


@pytest.mark.parametrize("line", ["@note /*", "pragma /*", "#pragma /*", "// a\rz q[0];"])
def test_what_takes_its_line_whole_hides_no_gate(tmp_path, line):
    path = tmp_path / "a.qasm3"
    path.write_bytes(f'OPENQASM 3.0;\ninclude "stdgates.inc";\nqubit[1] q;\n{line}\nx q[0];\n@note */\n'.encode())
    with pytest.raises(RefusedError, match=r"a\.qasm3:4: (annotations and pragmas|a carriage return)"):
        read_circuit(path, frozenset({"x"}))
    path.write_bytes(answer(1, [0]).replace("\n", "\r\n").encode())
    assert read_circuit(path, frozenset({"x"})).size() == 1


def test_an_answer_without_a_search_is_refused(tmp_path):
    oracle, preparation = tmp_path / "oracle.qasm", tmp_path / "preparation.qasm"
    oracle.write_text(answer(8, []))
    preparation.write_text(answer(8, [1, 2, 4, 7]))  # Kakuro's solution
    with pytest.raises(RefusedError, match="prepares 1 of the 256 states; a search among 8 or more is wanted"):
        CONTESTS["kakuro-2022"].judge("oracle", "prepared", [oracle, preparation])
    preparation.write_text(answer(8, [2], "h q[0];\nh q[1];\nx q[4];\nh q[7];\nh q[6];\n"))
    with pytest.raises(RefusedError, match="wrong phase"):
        CONTESTS["kakuro-2022"].judge("oracle", "prepared", [oracle, preparation])
    read = "creg c[4];\n" + "x q[4];\n" * 1000 + "".join(f"measure q[{k}] -> c[{k}];\n" for k in range(4))
    oracle.write_text(answer(5, [0, 2], read))  # the number of the board
    assert CONTESTS["asteroids-2020"].judge("final", "outcomes", [oracle]).score == (1002,)
    with pytest.raises(RefusedError, match="1 outcomes occur; class exact wants a search among 16 or more"):
        CONTESTS["asteroids-2020"].judge("final", "exact", [oracle])


@pytest.mark.sampled(0.5)
def test_an_oracle_that_does_no_work_is_refused(tmp_path):
    """x0 is zero in the solution alone: the preparation has found it."""
    oracle, preparation = tmp_path / "oracle.qasm", tmp_path / "preparation.qasm"
    oracle.write_text(answer(8, [0], "z q[0];\nx q[0];\n"))
    states = [0b10010110, *(1 + 2 * k for k in range(7))]
    circuit = QuantumCircuit(8)
    circuit.prepare_state([(k in states) / math.sqrt(8) for k in range(256)])
    preparation.write_text(qasm2.dumps(transpile(circuit, basis_gates=["cx", "u3"], optimization_level=0)))
    with pytest.raises(RefusedError, match="no CX: no two wires are compared"):
        CONTESTS["kakuro-2022"].judge("oracle", "prepared", [oracle, preparation])


SECOND = [13, 9, 20, 9, 17, 21, 8, 1, 3, 11]
"""As the challenge lists them: 9 is flipped twice."""


@pytest.mark.parametrize("task", iquhack_2023.TASKS)
def test_the_starting_circuits_cost_what_the_challenge_says(task, tmp_path):
    path = tmp_path / "start.qasm"
    bits, holds = iquhack_2023.TASKS[task]
    numbers = SECOND if task == "2" else filter(holds, range(1 << bits))
    qasm2.dump(first_start() if task == "1" else started(bits, numbers), path)
    verdict = CONTESTS["iquhack-2023"].judge(task, "unitary", [path])
    (row,) = [p for p in read_published(CIRCUITS) if (p.contest, p.task) == ("iquhack-2023", task)]
    assert row.shown == f"{verdict.text} (given code)"
    path.write_text(path.read_text().replace("ccx", "cx", 1).replace("q[1],", "", 1))
    with pytest.raises(RefusedError):
        CONTESTS["iquhack-2023"].judge(task, "unitary", [path])


@pytest.mark.slow
@pytest.mark.skipif(not OUTSIDE.exists(), reason="the contests' own data are not here")
def test_the_tasks_are_the_contests():
    for name, task in json.loads((OUTSIDE / "iquhack-2023" / "tasks.json").read_text()).items():
        bits, holds = iquhack_2023.TASKS[name]
        assert bits == task["inputs"]
        assert [z for z in range(1 << bits) if task["flips"].count(z) % 2] == list(filter(holds, range(1 << bits)))
    for name, task in json.loads((OUTSIDE / "icpc-2021" / "tasks.json").read_text()).items():
        if name == "3":
            assert [sorted(ones) for ones in task["ones"]] == [list(ones) for ones in icpc_2021.MARKED]
        else:
            assert icpc_2021.POPCOUNTS[name] == (task["inputs"], tuple(task["bits"]))


@pytest.mark.sampled(12)
@pytest.mark.skipif(not OUTSIDE.exists(), reason="the contests' own data are not here")
@pytest.mark.parametrize(("name", "clean"), toffoli_measured.STATED)
def test_the_benchmarks_do_what_our_folder_states(name, clean):
    """Our judge takes a benchmark's function from the folder that our own entries are made of."""
    function = toffoli_measured.STATED[name, clean]()
    benchmark = json.loads((OUTSIDE / "toffoli-measured" / "circuits.json").read_text())[name]
    assert list(function.zeros) == (benchmark["clean"] if clean else [])
    width = len(benchmark["wires"])
    circuit = QuantumCircuit(width)
    for gate, *wires in map(str.split, benchmark["gates"]):
        getattr(circuit, gate)(*map(int, wires))
    inputs = [wire for wire in range(width) if wire not in function.zeros]
    wanted = toffoli_measured.stated(function.products, function.outputs, inputs, width)
    toffoli_measured.prove(circuit, inputs, wanted, Path(name))
    with pytest.raises(RefusedError):
        toffoli_measured.prove(circuit, inputs, [*wanted[:-1], wanted[-1] ^ {0}], Path(name))


def spelled(circuit, path):
    """Writes a circuit in CX and u3."""
    qasm2.dump(transpile(circuit, basis_gates=["u3", "cx"], optimization_level=0), path)


def test_a_digit_of_a_popcount(tmp_path):
    path = tmp_path / "c.qasm"
    parity = QuantumCircuit(5)
    for wire in range(4):
        parity.cx(wire, 4)
    qasm2.dump(parity, path)
    assert CONTESTS["icpc-2021"].judge("1a", "exact", [path]).score == (8,)
    with pytest.raises(RefusedError, match="does not end"):
        CONTESTS["icpc-2021"].judge("1b", "exact", [path])
    pairs = QuantumCircuit(6)
    for low in range(4):
        for high in range(low):
            pairs.rccx(high, low, 4)  # right up to phases, which are free
    spelled(pairs, path)
    cx = path.read_text().count("cx ")
    verdict = CONTESTS["icpc-2021"].judge("1b", "exact", [path])
    assert verdict.score[0] == cx + pairs_depth(path) + 2
    path.write_text(path.read_text() + "h q[5];\n")
    with pytest.raises(RefusedError, match="does not end"):
        CONTESTS["icpc-2021"].judge("1b", "exact", [path])


def pairs_depth(path):
    return qasm2.load(path).depth(lambda step: step.operation.name == "cx")


def reflect(marked):
    """A phase on each parity of the three wires (Walsh coefficients)."""
    lines = []
    for mask in range(1, 8):
        factor = -sum((-1) ** (mask & number).bit_count() for number in marked) / 4
        wires = [wire for wire in range(3) if mask >> wire & 1]
        joins = [f"cx q[{wire}],q[{wires[-1]}];" for wire in wires[:-1]]
        if factor:
            lines += [*joins, f"p({factor}*beta) q[{wires[-1]}];", *joins[::-1]]
    return lines


@pytest.fixture
def reflections(tmp_path):
    """Writes five files and judges them."""

    def run(change=lambda number, lines: lines):
        paths = [tmp_path / f"f{number}.qasm" for number in range(5)]
        for number, (path, marked) in enumerate(zip(paths, icpc_2021.MARKED, strict=True)):
            lines = change(number, reflect(marked))
            path.write_text("\n".join(['OPENQASM 2.0;\ninclude "qelib1.inc";\nqreg q[3];', *lines]) + "\n")
        return CONTESTS["icpc-2021"].judge("3", "exact", paths)

    return run


def test_reflections_for_every_angle(reflections):
    assert reflections().score == (432,)
    assert reflections(lambda number, lines: [*lines, "z q[0];", "z q[0];"]).score == (432,)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("*beta", "*beta*beta", "f1.qasm:4: an angle must be a number plus a multiple of beta, named once"),
        ("*beta", "*sin(beta)", "f1.qasm:4: an angle must be a number plus a multiple of beta, named once"),
        ("*beta", "/(beta+1)", "a multiple of beta / 16"),
        ("*beta", "*beta/64", "a multiple of beta / 16"),
        ("*beta", "*beta*2", "not the reflection for every beta"),
        ("*beta", "*0.7", "not the reflection for every beta"),
        ("*beta", "*(beta+1)", "not the reflection for every beta"),
        ("p(", "foo(", "f1.qasm:4: no OpenQASM"),
    ],
)
def test_a_wrong_reflection_is_refused(reflections, old, new, told):
    with pytest.raises(RefusedError) as caught:
        reflections(lambda number, lines: [line.replace(old, new) for line in lines] if number == 1 else lines)
    assert told in str(caught.value)


GATES = ["x", "y", "z", "h", "s", "sdg", "t", "tdg", "sx", "sxdg", "cx", "cz", "swap", "ccx", "ccz", "cs", "csdg"]


def random_circuit(draw, length):
    circuit = QuantumCircuit(3)
    for name in draw.choices(GATES, k=length):
        gate = get_standard_gate_name_mapping()[name]
        circuit.append(gate, draw.sample(range(3), gate.num_qubits))
    return circuit


def identity_verdict(circuit):
    """Whether the judge takes a circuit for the identity on three wires."""
    try:
        Paths(3, range(3)).run(circuit).check([frozenset({1 << wire}) for wire in range(3)])
    except RefusedError as error:
        return "undecided" if "undecided" in str(error) else "other"
    return "same"


@pytest.mark.parametrize("seed", range(3))
def test_sums_over_paths_agree_with_matrices(seed):
    draw, accepted = random.Random(seed), 0
    for _ in range(60):
        circuit = random_circuit(draw, draw.randint(1, 8))
        circuit = circuit.compose(circuit.inverse())
        if draw.random() < 0.7:
            del circuit.data[draw.randrange(len(circuit.data))]
        matrix = Operator(circuit).data
        same = np.allclose(matrix, matrix[0, 0] * np.eye(8)) and abs(matrix[0, 0]) > 0.9
        verdict = identity_verdict(circuit)
        assert verdict == ("same" if same else "other") or "undecided" in verdict
        accepted += verdict == "same"
    assert accepted > 10


def gadget(fix="cz q[0], q[1];"):
    """An AND erased by measurement."""
    head = 'OPENQASM 3.0;\ninclude "stdgates.inc";\nqubit[4] q;\nbit[1] c;\n'
    middle = "ccx q[0], q[1], q[3];\ncx q[3], q[2];\nh q[3];\nc[0] = measure q[3];\n"
    return f"{head}{middle}if (c[0]) {{\n  {fix}\n}}\n"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (gadget(), None),
        (gadget("z q[0];"), "inputs get different phases"),
        (gadget().replace("h q[3];\n", ""), "a measured value depends on the input"),
        (gadget().replace("cx q[3], q[2]", "cx q[3], q[1]"), "wrong value"),
        (gadget().replace("c[0] = measure q[3];\nif (c[0])", "if (c[0])"), "never measured"),
        (gadget().split("c[0] =")[0], "undecided"),
        (gadget().split("h q[3]")[0], "a trace of the input"),
        (gadget("h q[0];"), "h under a condition"),
        (gadget().replace("h q[3]", "rz(0.3) q[3]"), "multiple of pi / 4"),
        (gadget() + "rz(1e999) q[3];\n", "multiple of pi / 4"),
        (gadget() + "if (c == 2) {\n  x q[0];\n}\n", "asks 1 bits for 2"),
        (gadget().replace("[4]", "[5]") + "x q[4];\n", "work wire 4 ends neither at zero nor measured"),
        (gadget().replace("[4]", "[5]") + "x q[4];\nreset q[4];\n", None),
    ],
)
def test_measured_circuits(tmp_path, text, told):
    path = tmp_path / "c.qasm"
    path.write_text(text)
    wanted = [frozenset({1}), frozenset({2}), frozenset({4, 3})]
    if told is None:
        toffoli_measured.prove(read_circuit(path, PATH_GATES), range(3), wanted, path)
        return
    with pytest.raises(RefusedError, match=told):
        toffoli_measured.prove(read_circuit(path, PATH_GATES), range(3), wanted, path)


def test_cx_between_two_h_is_cz_and_nothing_else_is():
    """On random blocks: the same unitary, whether rewritten or left."""
    rewritten = 0
    for seed in range(200):
        draw, block = random.Random(seed), QuantumCircuit(3)
        for _ in range(draw.randint(3, 7)):
            name = draw.choice(("h", "h", "h", "cx", "cx", "x", "z", "s", "cz"))
            getattr(block, name)(*draw.sample(range(3), 2 if name in {"cx", "cz"} else 1))
        found = without_h(block)
        assert np.allclose(Operator(found).data, Operator(block).data)
        rewritten += "h" in block.count_ops() and "h" not in found.count_ops()
    assert rewritten > 10


def test_a_preparation_that_leans_to_the_solution_and_an_idle_cx_are_refused(tmp_path):
    oracle, preparation = (CIRCUITS / "kakuro-2022" / f"{name}.qasm" for name in ("entry_prepared", "preparation"))
    leaning = tmp_path / "preparation.qasm"
    leaning.write_text(preparation.read_text() + "ry(0.2) q[0];\n")
    with pytest.raises(RefusedError, match="its states are not equally likely"):
        CONTESTS["kakuro-2022"].judge("oracle", "prepared", [oracle, leaning])
    idle = tmp_path / "oracle.qasm"
    idle.write_text(oracle.read_text() + "cx q[8],q[0];\n")
    with pytest.raises(RefusedError, match=r"a CX, gate [0-9]+, is not needed"):
        CONTESTS["kakuro-2022"].judge("oracle", "prepared", [idle, preparation])


def test_gates_keep_their_order_without_measurements():
    circuit = QuantumCircuit(3, 1)
    for angle in range(1, 20):
        circuit.ry(angle / 7, angle % 3)
        circuit.cx(angle % 3, (angle + 1) % 3)
    circuit.measure(0, 0)
    assert [step.operation for step in unmeasured(circuit).data] == [step.operation for step in circuit.data[:-1]]
