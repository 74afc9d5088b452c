"""A refusal names what works on the very problem that was refused, and nothing that does not."""

import pytest

import gatesolve
from gatesolve import DoesNotFitError, InputError, Model, UnsupportedError, Variable
from gatesolve.model import NotEqual

WORKS = "; pipeline='anneal' can solve it, without a circuit"
NAMES = tuple(f"x{k}" for k in range(30))
WIDE = Model(tuple(Variable(n, (0, 1)) for n in NAMES), tuple(map(NotEqual, NAMES, NAMES[1:])))


@pytest.mark.parametrize("pipeline", ["grover", "gas", "qaoa"])
def test_what_is_named_works(pipeline):
    with pytest.raises(DoesNotFitError, match=r"^does not fit: ") as caught:
        gatesolve.solve(WIDE, pipeline=pipeline, presolve="none", encoding="binary")
    assert str(caught.value).endswith(WORKS)
    assert gatesolve.solve(WIDE, pipeline="anneal").status == "solved"


def test_what_does_not_work_is_not_named(monkeypatch):
    monkeypatch.setattr("gatesolve.pipelines.anneal.pipeline.formulate_model", _refused)
    with pytest.raises(DoesNotFitError, match=r"^does not fit: ") as caught:
        gatesolve.solve(WIDE, presolve="none", encoding="binary")
    assert "anneal" not in str(caught.value)


def _refused(*_, **__):
    raise DoesNotFitError("a constraint has too many tuples for a penalty")


BARE = Model((Variable("a", (0, 1)), Variable("b", (0, 1))), (NotEqual("a", "b"),))
QUBO = gatesolve.Qubo(("x", "y"), {(0,): 1, (0, 1): -2})


def test_a_plain_search_of_a_qubo_names_those_that_take_one():
    with pytest.raises(UnsupportedError, match=r": use pipeline='gas', 'qaoa' or 'anneal'$"):
        gatesolve.solve(QUBO, pipeline="grover")
    for pipeline in ("gas", "qaoa", "anneal"):
        assert gatesolve.solve(QUBO, pipeline=pipeline).energy == -1


def test_only_what_is_kept_is_resumed(tmp_path):
    with pytest.raises(
        InputError, match=r"^pipeline='qaoa' keeps nothing of a single search: use pipeline='gas', or leave out resume$"
    ):
        gatesolve.solve(BARE, pipeline="qaoa", resume=tmp_path / "kept")


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda **named: gatesolve.solve(BARE, pipeline="gas", **named), "resume"),
        (lambda **named: gatesolve.pareto(BARE, **named), "store"),
        (gatesolve.jobs, "folder"),
        (gatesolve.fetch, "folder"),
    ],
)
def test_a_place_to_keep_things_is_a_path(call, name):
    with pytest.raises(InputError, match=rf"^{name} is 3: give a path$"):
        call(**{name: 3})


def test_jobs_are_found_in_a_folder_named_by_its_text(tmp_path):
    folder = str(tmp_path / "jobs")
    assert gatesolve.jobs(folder=folder) == ()
    assert (tmp_path / "jobs").is_dir()
    with pytest.raises(InputError, match="there are no jobs"):
        gatesolve.fetch(folder=folder)
    with pytest.raises(InputError, match=r"^3 is not the key of a job: give a text, as gatesolve jobs lists them$"):
        gatesolve.fetch(3, folder=folder)


def test_a_device_as_backend_is_led_to_submit():
    with pytest.raises(
        InputError,
        match=r"^unknown backend 'fake_torino': choose one of space, aer, pennylane; "
        r"if it is a device, use submit with device='fake_torino'$",
    ):
        gatesolve.solve(BARE, backend="fake_torino")
    with pytest.raises(InputError, match=r"choose one of space, aer, pennylane$"):
        gatesolve.solve(BARE, backend=3)
