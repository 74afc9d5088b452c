"""A pipeline of another package, and one of ours that is a package and one line: chosen, checked, run, reported."""

import subprocess
import sys
from pathlib import Path

import pytest
from packages import install

from gatesolve import Model, Variable, solve
from gatesolve.errors import InputError
from gatesolve.model import AllDifferent, Linear
from gatesolve.pipelines import own_entries
from gatesolve.pipelines.registry import PIPELINES

ROOT = Path(__file__).parents[2]
GUESS = '''
from dataclasses import dataclass
import random

from gatesolve.pipelines import judge_candidates
from gatesolve.pipelines import ShotOptions, SpaceOptions
from gatesolve.pipelines import Pipeline, Report
from gatesolve.pipelines import Answer

@dataclass(frozen=True, kw_only=True)
class GuessOptions(SpaceOptions, ShotOptions):
    """What guessing takes."""

@dataclass(frozen=True)
class Guesses:
    tried: int
    right: int

    def as_dict(self):
        return {"guess": {"tried": self.tried, "right": self.right}}

def run(problem, options, clock):
    draw = random.Random(options.seed)
    domains, shots = problem.model.domains, options.shots
    guesses = [({name: draw.choice(values) for name, values in domains.items()}, 1) for _ in range(shots)]
    found = judge_candidates(problem.judge(), guesses)
    status = "unsolved" if found.solution is None else "solved"
    message = f"{found.shots} of {shots} guesses were accepted"
    return Answer(status=status, message=message, solution=found.solution, presolve="none",
                  details=Guesses(shots, found.shots))

def report(options, answer):
    return Report((f"guess, seed {options.seed}", answer.message))

PIPELINE = Pipeline("guess", GuessOptions, run=run, report=report)
ODD = 3
@dataclass(frozen=True, kw_only=True)
class More(SpaceOptions):
    patience: int = 3
MORE = Pipeline("more", More, run=run, report=report)
'''
POINTS = "guess = MODULE:PIPELINE\nodd = MODULE:ODD\nmore = MODULE:MORE"
MODEL = Model(
    tuple(Variable(name, (0, 1, 2)) for name in "abc"),
    (AllDifferent(("a", "b", "c")), Linear(((1, "a"), (-1, "b")), "<=", 0)),
)


@pytest.fixture(autouse=True)
def package(monkeypatch, tmp_path):
    install(monkeypatch, tmp_path, GUESS, pipelines=POINTS)


def test_it_is_run_and_judged():
    result = solve(MODEL, pipeline="guess", shots=500, seed=3)
    assert result.status == "solved"
    assert MODEL.check(result.solution)
    assert result.message.endswith("of 500 guesses were accepted")
    assert result.as_dict()["guess"]["tried"] == 500
    assert result.report().lines[0] == "guess, seed 3"
    assert result.program is result.resources is result.level is None


@pytest.mark.parametrize(
    ("name", "reason"),
    [("odd", "it is no Pipeline"), ("more", "it takes the option patience, which gatesolve has not")],
)
def test_a_faulty_one_is_refused_by_name(name, reason):
    with pytest.raises(InputError, match=f"the pipeline '{name}' .* cannot be used: {reason}: correct its package"):
        solve(MODEL, pipeline=name)


OURS = """
import dataclasses, sys, types
from gatesolve.pipelines import registry
from gatesolve.pipelines import option
import MODULE as guess

@dataclasses.dataclass(frozen=True, kw_only=True)
class GuessOptions(guess.GuessOptions):
    entry = "guess"
    guesses: int = option(7, "how often to guess", least=1)

sys.modules["gatesolve.pipelines.luck.pipeline"] = types.SimpleNamespace(
    PIPELINE=guess.Pipeline("luck", GuessOptions, run=guess.run, report=guess.report)
)
registry.PIPELINES["luck"] = GuessOptions  # the one line

import gatesolve
import typer
from gatesolve.cli import app
model = gatesolve.Model((gatesolve.Variable("a", (1, 2)),))
assert gatesolve.solve(model, pipeline="luck", guesses=3).status == "solved"
assert "guesses" in {one.name for one in typer.main.get_command(app.app).commands["solve"].params}
assert gatesolve.solve(model, pipeline="anneal").as_dict()["guess"] is None
for wrong in ({"pipeline": "grover", "guesses": 3}, {"guesses": 0}):
    try:
        gatesolve.solve(gatesolve.Model(()), **wrong)
    except gatesolve.InputError as error:
        print(error)
"""


@pytest.mark.slow
def test_one_of_ours_is_a_package_and_one_line(monkeypatch, tmp_path):
    module = install(monkeypatch, tmp_path, GUESS)
    path = ":".join([str(ROOT), str(tmp_path / module)])
    run = subprocess.run(
        [sys.executable, "-c", OURS.replace("MODULE", module)],
        env={"PYTHONPATH": path, "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.stderr == ""
    assert run.stdout.splitlines() == [
        "guesses=3 belongs to pipeline='luck': leave out guesses, or use that pipeline",
        "guesses is 0: give 1 or more",
    ]


ONE = Model((Variable("a", (0, 1)), Variable("b", (0, 1))), (Linear(((1, "a"), (1, "b")), "==", 1),))


@pytest.mark.parametrize("name", PIPELINES)
def test_a_pipeline_fills_the_entry_that_it_declares_and_no_other(name):
    data = solve(ONE, pipeline=name, presolve="none").as_dict()
    assert "".join(entry for entry in own_entries() if data[entry] is not None) == PIPELINES[name].entry
    assert list(data) == list(solve(ONE, pipeline="grover", presolve="none").as_dict())
