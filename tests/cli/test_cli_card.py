"""The command ``card``: a picture is written, or one line says why not before any work is done."""

from importlib.util import find_spec

import pytest
from cli_runs import CONTEST, SMALL

pytestmark = pytest.mark.skipif(find_spec("qdk") is None, reason="qdk is not installed")


@pytest.mark.sampled(0.5)
def test_a_card_is_written_and_told(gatesolve, tmp_path):
    output = tmp_path / "card.png"
    run = gatesolve("card", SMALL, "--backend", "fake_manila", "-o", output)
    assert (run.status, run.err) == (0, "")
    assert output.read_bytes().startswith(b"\x89PNG")
    for told in (
        "A classical solver: ",
        "measured here",
        "Today's quantum computer: fake_manila",
        "8 states, 2 marked",
        "estimated for one run",
    ):
        assert told in run.out


def test_its_numbers_as_json(gatesolve, tmp_path):
    options = ("--backend", "fake_manila", "--machine", "qubit_gate_us_e4", "--presolve", "none", "--json")
    data = gatesolve("card", SMALL, "-o", tmp_path / "card.svg", *options).json
    assert data["classical"]["found"]
    assert [machine["model"] for machine in data["machines"]] == ["qubit_gate_us_e4"]
    assert data["search"]["presolve"] == data["device"]["circuit"]["presolve"] == "none"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("card.gif", "name a .png or .svg file"),
        ("none/card.png", "no folder"),
        ("folder.png", "name a file in a folder"),
    ],
)
def test_a_place_that_cannot_be_written_to(gatesolve, tmp_path, name, said):
    (tmp_path / "folder.png").mkdir()
    assert said in gatesolve("card", CONTEST, "-o", tmp_path / name).refusal()
