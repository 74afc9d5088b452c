"""Grover Adaptive Search and annealing from the command line: every family, Qubo files, interruptions."""

import json

import pytest
from cli_runs import EXAMPLES

from gatesolve.model import content_key

ROOT = EXAMPLES.parent


def test_a_board_is_annealed_by_its_published_formula(gatesolve):
    asked = ("--pipeline", "anneal", "--formulation", "published", "--json")
    data = gatesolve("solve", ROOT / "queens" / "linkedin-6x6.txt", *asked).json
    assert data["status"] == "solved"
    assert data["anneal"]["variables"] > 0


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("field", "value", "sealed"),
    [("energy", "4", False), ("key", 57, True), ("key", 5200, True), ("threshold", 10**30, True)],
)
def test_a_changed_file_is_no_search(gatesolve, tmp_path, field, value, sealed):
    """What was measured is looked up again, so that no hash that somebody made again helps."""
    file, model = tmp_path / "kept.json", "x, y, z in 0..3; x + y + z >= 4; x != y; minimize 3 * x + 2 * y + z"
    asked = ("solve", "--model", model, "--pipeline", "gas", "--resume", file)
    assert "objective 5" in gatesolve(*asked).out
    data = json.loads(file.read_text())
    for place in (data, data["best"], data["improvements"][-1]["found"]):
        place.update({field: value} if field in place else {})
    if sealed:
        del data["seal"]
        file.write_text(json.dumps({**data, "seal": content_key(data)}))
    else:
        file.write_text(json.dumps(data))
    assert "search" in gatesolve(*asked).refusal()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--pipeline", "qaoa", "--layers", "100000"], "--layers 1000 or fewer"),
        (["--pipeline", "qaoa", "--encoding", "one-hot", "--mixer", "x"], "use auto"),
        (["--pipeline", "gas", "--confidence", "1"], "--confidence is 1.0"),
        (
            ["--pipeline", "gas", "--iterations", "7"],
            "solve chooses the iterations of --pipeline gas itself: leave out --iterations",
        ),
        (
            ["--pipeline", "anneal", "--formulation", "published", "--encoding", "binary"],
            "a published formula is as it is printed: leave out --encoding",
        ),
        (["--resume", "x.json"], "--pipeline gas"),
        (["--pipeline", "gas", "--exact"], "--exact belongs to --pipeline grover: leave out --exact"),
    ],
)
def test_wrong_choices_are_one_line(gatesolve, arguments, said):
    assert said in gatesolve("solve", EXAMPLES / "small.txt", *arguments).refusal()


def test_a_qubo_is_not_searched_plainly_nor_presolved_nor_too_large(gatesolve, tmp_path):
    file = ROOT / "qubo" / "independent-12.qubo"
    assert "--pipeline gas" in gatesolve("solve", file, "--pipeline", "grover").refusal()
    assert "leave out --presolve" in gatesolve("solve", file, "--presolve", "propagate").refusal()
    large = tmp_path / "large.qubo"
    large.write_text("\n".join(f"{k} {k + 1} 1" for k in range(29)))
    assert "--pipeline gas" in gatesolve("solve", large, "--pipeline", "qaoa").refusal()


def test_qaoa_of_a_board_its_report_counts_and_circuit(gatesolve, tmp_path):
    board, chosen = EXAMPLES / "small.txt", ("--pipeline", "qaoa", "--layers", "2", "--evaluations", "60")
    done = gatesolve("solve", board, *chosen)
    assert done.status == 0
    assert "qaoa, layers: 2" in done.out
    assert "the phase of a layer is proportional to the cost on 8 codewords" in done.out
    counted = gatesolve("resources", board, *chosen, "--json").json
    assert counted["layers"] == 2
    assert counted["layer_resources"]["cx"] > 0
    target = tmp_path / "q.qasm"
    assert gatesolve("compile", board, *chosen, "-o", target).status == 0
    assert "OPENQASM 2.0" in target.read_text()
