"""A plain install does the main job, and names the extra that a feature needs; here its packages look uninstalled."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PLAIN = """
import sys
sys.modules.update(dict.fromkeys(("numba", "matplotlib", "dimod", "dwave", "qiskit_braket_provider", "qdk")))
import gatesolve, gatesolve.formats
qubo, board = gatesolve.Qubo(("a",), {(0,): 1}), gatesolve.load("examples/kakuro/small.txt")
"""
NEEDS = {
    "gatesolve.formats.to_bqm(qubo)": ("dimod is not installed", "anneal"),
    "gatesolve.submit(board, 'braket_sv')": ("braket_sv needs Braket's provider for Qiskit", "braket"),
    "gatesolve.estimate(board)": ("physical estimates need Microsoft's resource estimator", "estimate"),
    "gatesolve.QAOASampler": ("dimod is not installed", "anneal"),
    "gatesolve.solve(board, pipeline='anneal', sampler='sa')": ("samplers sa and tabu need dwave-samplers", "anneal"),
    "import gatesolve.cli.show, pathlib; gatesolve.cli.show.check_board_place(pathlib.Path('a.svg'))": (
        "pictures need matplotlib",
        "plots",
    ),
    "board.image('png')": ("pictures need matplotlib", "plots"),
    "gatesolve.solve(board).plot()": ("plots need matplotlib", "plots"),
}


def run(code):
    return subprocess.run([sys.executable, "-c", PLAIN + code], check=False, cwd=ROOT, capture_output=True, text=True)


@pytest.mark.slow
@pytest.mark.parametrize("statement", NEEDS)
def test_one_line_names_the_extra(statement):
    fault, extra = NEEDS[statement]
    line = f'MissingExtraError: {fault}: run pip install "gatesolve-circuits[{extra}]"'
    assert run(statement).stderr.endswith(f"{line}\n")


@pytest.mark.slow
def test_the_main_job_needs_no_extra():
    readme = "".join(re.findall(r"^```python\n(.*?)^```$", (ROOT / "README.md").read_text(), re.DOTALL | re.MULTILINE))
    shown = "assert board._repr_png_() is None and result._repr_html_()\nhelp(gatesolve)\n"
    qaoa = "assert gatesolve.solve(board, pipeline='qaoa', presolve='none').status == 'solved'\n"
    done = run(readme + shown + qaoa)
    assert (done.returncode, done.stderr) == (0, "")
