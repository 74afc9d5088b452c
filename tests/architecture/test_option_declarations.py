"""Each option is declared once, and everything else that lists options agrees with that."""

import ast
import inspect
from dataclasses import MISSING, fields, replace
from functools import partial
from pathlib import Path
from typing import get_args, get_type_hints

import pytest
import typer

import gatesolve
from gatesolve.api import Options, find_pipeline, preview
from gatesolve.api.judge_file import CircuitEncoding
from gatesolve.api.options import (
    CIRCUIT_FIELDS,
    DEVICE_FIELDS,
    FIELDS,
    OptionFields,
    SweepFields,
    check_pipeline,
    given_options,
    pipelines_of,
)
from gatesolve.api.pareto import SHOWN as SHARED
from gatesolve.cli.app import app
from gatesolve.costs import MODELS
from gatesolve.costs.physical import MachineName
from gatesolve.devices.job_request import JOB_FIELDS as PLANNED
from gatesolve.devices.job_request import JobFields
from gatesolve.encodings import encodings
from gatesolve.encodings.mixer import MixerChoice
from gatesolve.errors import InputError
from gatesolve.extensions import extension_names
from gatesolve.gate_sets import GATE_SETS
from gatesolve.oracle.levels import LEVELS
from gatesolve.pipelines.anneal.pipeline import SAMPLERS
from gatesolve.pipelines.options import PipelineName, choices, spec
from gatesolve.pipelines.registry import PIPELINES
from gatesolve.planning import SETTINGS
from gatesolve.puzzles.picture import SUFFIXES, ImageKind
from gatesolve.simulate.qaoa_loss import LossName

CALLS = {"solve": gatesolve.solve, "compile": gatesolve.compile}
SHOWN = {
    **{call: (getattr(gatesolve, call), FIELDS) for call in ("solve", "compile", "estimate")},
    **{call.__name__: (call, {**PLANNED, **DEVICE_FIELDS}) for call in (gatesolve.submit, preview)},
    "pareto": (gatesolve.pareto, {name: FIELDS[name] for name in ("pipeline", "presolve", "seed", "window")}),
}
"""What takes options, and those that its signature shows at least."""
FOREIGN = [(name, pipeline) for name in FIELDS for pipeline in PIPELINES if pipeline not in pipelines_of(name)]

NEEDED = {"rotation_error": {"gates": "clifford+t"}}
"""Values of other options without which an option has no effect."""


def changed(name):
    """A value of an option that is allowed and not its default."""
    one = FIELDS[name]
    offered = choices(one)
    if offered:
        return next(word for word in offered if word != one.default)
    if one.type is bool:
        return not one.default
    return 0.5 if one.type in {float, float | None} else 7


def test_keyword_arguments_are_the_fields_of_options_with_their_types():
    declared = {one.name: one.type for one in fields(Options)}
    assert get_type_hints(OptionFields) == declared
    assert list(FIELDS) == list(OptionFields.__annotations__)
    assert OptionFields.__required_keys__ == frozenset()


@pytest.mark.parametrize(("taken", "shown"), [(JobFields, {**DEVICE_FIELDS, **PLANNED}), (SweepFields, SHARED)])
def test_keyword_arguments_of_other_calls_are_what_they_show(taken, shown):
    assert get_type_hints(taken) == {name: one.type for name, one in shown.items()}
    assert taken.__required_keys__ == frozenset()


def test_options_of_pipelines_without_a_circuit_are_none_of_a_circuit():
    alone = {name for name in FIELDS if all(find_pipeline(one).compile is None for one in pipelines_of(name))}
    assert "reads" in alone
    assert not alone & set(CIRCUIT_FIELDS)


@pytest.mark.parametrize(("call", "fields"), SHOWN.values(), ids=SHOWN)
def test_a_signature_shows_every_option_with_its_default_and_type(call, fields):
    shown = inspect.signature(call).parameters
    assert not any(parameter.kind is inspect.Parameter.VAR_KEYWORD for parameter in shown.values())
    for name, one in fields.items():
        parameter = shown[name]
        assert parameter.kind is inspect.Parameter.KEYWORD_ONLY
        assert (parameter.default, parameter.annotation) == (one.default, one.type)
        assert f"    {name}: {spec(one).help}." in inspect.getdoc(call).replace("\n", "\n    ")


OURS = set(encodings()) - set(extension_names("gatesolve.encodings"))
DUPLICATES = {
    "encodings": (set(choices(FIELDS["encoding"])), OURS | {"auto"}),
    "encodings that judge takes": (set(get_args(get_args(CircuitEncoding)[0])), OURS - {"table", "permutation"}),
    "machines": (set(get_args(MachineName)), set(MODELS)),
    "pictures": (get_args(ImageKind), tuple(SUFFIXES.values())),
    "presolve": (choices(FIELDS["presolve"])[1:], SETTINGS),
    "levels": (choices(FIELDS["level"]), LEVELS[:-1]),
    "gate sets": (choices(FIELDS["gates"]), tuple(GATE_SETS)),
    "samplers": (choices(FIELDS["sampler"]), SAMPLERS),
    "mixers": (choices(FIELDS["mixer"]), get_args(MixerChoice)),
    "losses": (choices(FIELDS["angle_loss"]), get_args(LossName)),
}
"""Words that type checkers are told, and those that are looked up at run time."""


@pytest.mark.parametrize(("told", "known"), DUPLICATES.values(), ids=DUPLICATES)
def test_type_checkers_are_told_the_words_that_there_are(told, known):
    assert told == known


def test_type_checkers_are_told_the_pipelines_that_there_are():
    assert get_args(get_args(PipelineName)[0]) == ("auto", *PIPELINES)
    tree = ast.parse(Path(inspect.getfile(Options)).read_text())
    told = next(one for one in tree.body if isinstance(one, ast.If))
    (joined,) = (one for one in told.body if isinstance(one, ast.ClassDef))
    assert [base.id for base in joined.bases] == [taken.__name__ for taken in PIPELINES.values()]


def test_the_command_line_takes_the_same():
    command = typer.main.get_command(app).commands["solve"]
    assert {one.name: one.default for one in command.params if one.name in FIELDS} == {
        name: one.default for name, one in FIELDS.items()
    }


def test_every_option_has_a_default_that_is_allowed_and_a_phrase_of_help():
    assert given_options(Options()) == []
    for one in FIELDS.values():
        assert one.default is not MISSING
        assert spec(one).help.strip()
        assert not spec(one).help.endswith(".")


@pytest.mark.parametrize("name", PIPELINES)
def test_a_pipeline_takes_the_options_that_are_said_to_be_its_own(name):
    pipeline = find_pipeline(name)
    assert pipeline.name == name
    assert pipeline.options is PIPELINES[name]
    own = {one.name for one in fields(pipeline.options)}
    assert own == {option for option in FIELDS if name in pipelines_of(option)} - {"pipeline"}


def test_every_option_belongs_to_a_pipeline():
    assert [name for name in FIELDS if not pipelines_of(name)] == []
    assert pipelines_of("pipeline") == tuple(PIPELINES)
    assert ("reads", "grover") in FOREIGN
    assert ("seed", "grover") not in FOREIGN


@pytest.mark.parametrize(("name", "pipeline"), FOREIGN)
def test_an_option_of_another_pipeline_is_refused(name, pipeline):
    value = changed(name)
    options = Options(**{"pipeline": pipeline, name: value})
    wanted = " or ".join(f"'{known}'" for known in pipelines_of(name))
    with pytest.raises(InputError) as caught:
        check_pipeline(options)
    assert str(caught.value).startswith(f"{name}={value!r} belongs to pipeline={wanted}: leave out {name}, or ")
    check_pipeline(replace(options, **{name: FIELDS[name].default}))
    for known in pipelines_of(name):
        check_pipeline(replace(options, pipeline=known, **NEEDED.get(name, {})))


@pytest.mark.parametrize(
    "call",
    [*CALLS.values(), gatesolve.pareto, gatesolve.estimate, partial(preview, device="fake_manila")],
    ids=[*CALLS, "pareto", "estimate", "preview"],
)
def test_every_call_knows_what_was_named(call):
    board = gatesolve.Model((gatesolve.Variable("a", (0, 1)),))
    with pytest.raises(InputError, match=r"^layers=8 belongs to pipeline='qaoa': leave out layers"):
        call(board, layers=8)
