"""A user's script that calls every public name: ``mypy --strict`` finds a type everywhere, and editors every option."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import gatesolve

ROOT = Path(__file__).parents[2]
SCRIPT = """
import numpy as np

import gatesolve
from gatesolve import Model, Options, Puzzle, Qubo, Variable

puzzle: Puzzle = gatesolve.load("board.txt")
options: Options = Options(pipeline="gas", seed=1)
model: Model = Model((Variable("x", (0, 1)),), ())
qubo: Qubo = gatesolve.formulate(puzzle)
compiled: gatesolve.Compiled = gatesolve.compile(puzzle, encoding="one-hot", level="literal", ancillas=3)
program: gatesolve.Program = compiled.program
try:
    result: gatesolve.Result = gatesolve.solve(model, pipeline="qaoa", layers=2, shots=10, seed=4)
except (gatesolve.InfeasibleError, gatesolve.DoesNotFitError, gatesolve.UnsupportedError) as error:
    raise SystemExit(str(error))
except (gatesolve.InputError, gatesolve.BackendError, gatesolve.GatesolveError):
    raise
reveal_type(result.status)
reveal_type(result.solution)
reveal_type(result.board)
reveal_type(result.resources)
reveal_type(result.certificate)
reveal_type(result.plot())
reveal_type(result.plot_amplitudes(3))
reveal_type(result.plot_landscape())
reveal_type(program.draw())
reveal_type(program.circuit)
reveal_type(program.qasm2())
reveal_type(program.qasm3("oracle"))
reveal_type(program.qpy())
reveal_type(program.decode({"01": 3}))
reveal_type(program.decode({1: 0.5}))
reveal_type(program.resources())
resources: gatesolve.Resources = program.resources()
reveal_type(resources.cx)
reveal_type(puzzle.check({}))
reveal_type(puzzle.image("png"))
reveal_type(gatesolve.pareto(puzzle, sweep=["encoding=binary"]))
reveal_type(gatesolve.pareto(puzzle).plot())
reveal_type(gatesolve.estimate(puzzle, progress=True))
landscape: gatesolve.Landscape = gatesolve.landscape(puzzle, gamma=[0.1, 0.2])
reveal_type(landscape.best)
reveal_type(landscape.plot())
reveal_type(gatesolve.solve(puzzle, pipeline="qaoa", angles=landscape.best))
counted: gatesolve.CountEstimate = gatesolve.count(puzzle, accuracy=0.2)
reveal_type(counted.runs)
reveal_type(counted.oracle_calls)
reveal_type(gatesolve.card(puzzle, level="literal").draw("card.png"))
reveal_type(gatesolve.export(compiled, "a.qasm"))
reveal_type(gatesolve.verify("a.qasm"))
reveal_type(gatesolve.judge("a.qasm", puzzle))
reveal_type(gatesolve.mcx(5))
reveal_type(gatesolve.phase_oracle("a & b"))
reveal_type(gatesolve.xor_oracle("a & b"))
reveal_type(gatesolve.table_lookup([1, 2, 3]))
reveal_type(gatesolve.GroverAdaptiveSampler().parameters)
reveal_type(gatesolve.QAOASampler().properties)
reveal_type(gatesolve.solve({("a", "b"): 2.0, (3, 3): -1}, seed=1).solution)
reveal_type(gatesolve.compile(np.eye(2), pipeline="gas").program)
reveal_type(gatesolve.submit(puzzle, "fake_torino"))
reveal_type(gatesolve.jobs())
tracked: gatesolve.TrackedSearch = gatesolve.fetch("key")
reveal_type(tracked)
gatesolve.register_cpmpy()
gatesolve.register_pennylane()
"""
TABLE = "gatesolve.table_lookup([1, 2, 3])"
WRONG = """
import gatesolve

gatesolve.solve("board.txt", encodng="one-hot")
gatesolve.solve("board.txt", shots="many")
gatesolve.compile("board.txt", level="best")
gatesolve.solve("board.txt", angles="best")
gatesolve.solve("board.txt", encoding="onehot")
gatesolve.compile("board.txt", encoding="bianry")
gatesolve.solve("board.txt", pipeline="grovr")
gatesolve.solve("board.txt", backend="air")
gatesolve.solve("board.txt", presolve="all")
gatesolve.solve("board.txt", optimize="gates")
gatesolve.Options(encoding="onehot")
gatesolve.Options(pipeline="grovr")
gatesolve.judge("a.qasm", "board.txt", encoding="table")
gatesolve.estimate("board.txt", machines=["qubit_gate_ns"])
gatesolve.load("board.txt").image("gif")
gatesolve.card("board.txt").image("gif")
"""
OWN = """
import gatesolve
from gatesolve.extensions import Registered


class Sampler:
    def run(self, pubs: list[object], *, shots: int | None = None) -> object:
        return None


gatesolve.solve("board.txt", encoding=Registered("gray"), pipeline=Registered("guess"), backend=Sampler())
gatesolve.judge("a.qasm", "board.txt", encoding=Registered("gray"))
"""


def check(tmp_path, *texts):
    """The lines that mypy prints of each script."""
    scripts = [tmp_path / f"script{number}.py" for number in range(len(texts))]
    for script, text in zip(scripts, texts, strict=True):
        script.write_text(text)
    command = [
        sys.executable,
        "-m",
        "mypy",
        "--strict",
        "--config-file=",
        "--follow-imports=silent",
        *map(str, scripts),
    ]
    lines = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False).stdout.splitlines()
    return [[line.split(f"{one.name}:")[1] for line in lines if f"{one.name}:" in line] for one in scripts]


def test_the_script_has_every_public_name():
    assert {name for name in dir(gatesolve) if not re.search(rf"\b{name}\b", SCRIPT)} == set()


@pytest.mark.sampled(0.3)
def test_a_script_is_checked_as_it_should_be(tmp_path):
    """Every public name has a type, each wrong line is found, and what other packages and users add is taken."""
    lines, wrong, own = check(tmp_path, SCRIPT, WRONG, OWN)
    assert [int(line.split(":")[0]) for line in wrong if " error: " in line] == [*range(4, len(WRONG.splitlines()) + 1)]
    assert [line for line in own if " error: " in line] == []
    assert [line for line in lines if " error: " in line] == []
    revealed = [line.split(":") for line in lines if "Revealed type" in line]
    assert len(revealed) == SCRIPT.count("reveal_type")
    unknown = [SCRIPT.splitlines()[int(number) - 1] for number, *_, found in revealed if '"Any"' in found]
    # Those are Qiskit's circuits, and Qiskit says nothing of its types.
    assert unknown == [f"reveal_type({call})" for call in ("program.circuit", "gatesolve.mcx(5)", TABLE)]


def test_editors_are_offered_every_option():
    jedi = pytest.importorskip("jedi")
    text = "gatesolve.solve('board.txt', "
    found = jedi.Interpreter(text, [{"gatesolve": gatesolve}]).complete(1, len(text))
    offered = {one.name.removesuffix("=") for one in found if one.name.endswith("=")}
    options = set(gatesolve.Options.__dataclass_fields__)
    assert options <= offered


@pytest.mark.sampled(0.3)
def test_editors_know_the_circuit_that_qiskit_says_no_type_of():
    jedi = pytest.importorskip("jedi")
    text = "import gatesolve\nprogram = gatesolve.compile('board.txt').program\n"
    for name in ("circuit", "lowered"):
        script = jedi.Script(f"{text}program.{name}.")
        assert {"depth", "count_ops", "num_qubits"} <= {one.name for one in script.complete()}
