"""Who is let in, what a board's check says, and what the page is told of a search; without a browser."""

import asyncio
import json
from pathlib import Path

import httpx
import pytest

from gatesolve.puzzles import examples
from gatesolve.web.boards import BOARDS
from gatesolve.web.guard import HEADERS
from gatesolve.web.server import MOST_CHARACTERS, make_app
from gatesolve.web.worker import run_job

ROOT = Path(__file__).parents[2]
TOKEN = "secret-of-this-test"
QUEENS = "BAAA\nBBBC\nDDCC\nDDDD\n"


class Client:
    """Asks an application, one answer at a time."""

    def __init__(self):
        self.app = make_app(TOKEN)

    def request(self, method, path, **asked):
        async def ask():
            transport = httpx.ASGITransport(self.app)
            async with httpx.AsyncClient(transport=transport, base_url=f"http://127.0.0.1/{TOKEN}/") as client:
                return await client.request(method, path, **asked)

        return asyncio.run(ask())

    def get(self, path, **asked):
        return self.request("GET", path, **asked)

    def post(self, path, **asked):
        return self.request("POST", path, **asked)


@pytest.fixture
def client():
    return Client()


def check(client, family, text):
    answer = client.post("api/check", json={"family": family, "text": text})
    assert answer.status_code == 200
    return answer.json()


def events(action, family, text, **options):
    return {
        e["event"]: e for e in run_job({"action": action, "family": family, "text": text, "options": options}, print)
    }


def test_the_page_needs_the_secret_in_its_address(client):
    assert client.get("").status_code == 200
    for path in ("/", "/app.js", "/api/about", f"/{TOKEN}x/", f"/{TOKEN[:-1]}/", "/%2e%2e/"):
        answer = client.get(f"http://127.0.0.1{path}")
        assert (answer.status_code, "gatesolve web" in answer.text) == (404, True)


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "evil.example:127", ""])
def test_another_name_of_this_machine_is_refused(client, host):
    assert client.get("", headers={"Host": host}).status_code == 400


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.1:8080", "localhost:1"])
def test_names_of_this_machine_are_known(client, host):
    assert client.get("", headers={"Host": host}).status_code == 200


def test_every_answer_forbids_what_comes_from_elsewhere(client):
    for path in ("", "app.js", "api/about", "http://127.0.0.1/wrong"):
        sent = client.get(path).headers
        assert {name: sent[name] for name in HEADERS} == dict(HEADERS)
    assert "http" not in HEADERS["Content-Security-Policy"]


def test_no_file_of_the_page_names_another_place(client):
    from gatesolve.web.server import STATIC

    for file in STATIC.iterdir():
        text = file.read_text("utf-8").replace("http://www.w3.org/2000/svg", "")
        assert "http:" not in text
        assert "https:" not in text
        assert "innerHTML" not in text


def test_boards_that_are_too_long_are_refused(client):
    assert client.post("api/check", json={"family": "queens", "text": "A" * (MOST_CHARACTERS + 1)}).status_code == 422
    assert client.post("api/check", content=b" " * (1 << 21)).status_code == 413


def test_fields_that_are_none_are_refused(client):
    for options in ({"backend": "aer"}, {"resume": "/etc/passwd"}):
        job = {"action": "solve", "page": "p", "family": "queens", "text": QUEENS, "options": options}
        assert client.post("api/run", json=job).status_code == 422


@pytest.mark.slow
def test_every_family_has_boards_that_are_right(client):
    about = client.get("api/about").json()
    assert [one["name"] for one in about["families"]] == [name for name, _, _ in examples()]
    for family in about["families"]:
        assert len(family["boards"]) >= 2
        for board in family["boards"]:
            found = check(client, family["name"], board["text"])
            assert found["fault"] is None
            assert found["title"]
            assert found["svg"].startswith("<?xml")
        for board in family["blanks"]:
            assert check(client, family["name"], board["text"])["cells"]


def test_the_options_are_those_of_solve(client):
    from gatesolve.api.options import FIELDS
    from gatesolve.pipelines.options import choices

    for option in client.get("api/about").json()["options"]:
        values = [one["value"] for one in option["values"]]
        assert set(values) == set(choices(FIELDS[option["name"]])) - (
            {"auto"} if option["name"] == "pipeline" else set()
        )
        assert option["default"] in values


@pytest.mark.parametrize(
    ("family", "text", "row", "column"),
    [
        ("queens", "AAB\nAA?\nABB\n", 2, 3),
        ("sudoku", "box 2x2\n1...\n....\n.x..\n....\n", 4, 2),
        ("takuzu", "", None, None),
    ],
)
def test_a_wrong_board_says_where(client, family, text, row, column):
    found = check(client, family, text)
    assert (found["fault"]["row"], found["fault"]["column"]) == (row, column)
    assert found["fault"]["message"]
    assert found["svg"] is None


def test_cells_say_where_they_stand_in_the_text(client):
    text = "; a comment\nbox 2x2\n2. | 43\n.. | 2.\n---+---\n.. | ..\n.2 | 3.\n"
    found = check(client, "sudoku", text)
    lines = text.split("\n")
    assert [[lines[r][c] for r, c in row] for row in found["cells"]] == [
        list("2.43"),
        list("..2."),
        list("...."),
        list(".23."),
    ]
    assert found["symbols"] == ".1234"
    assert found["walls"]["right"][0] == [False, True, False, True]


def test_a_board_that_nothing_solves_can_still_be_drawn_on(client):
    found = check(client, "queens", "AAAA\n" * 4)
    assert found["note"] == "the 1 regions hold 1 queens but the 4 rows hold 4"
    assert len(found["cells"]) == 4


@pytest.mark.slow
def test_a_search_is_told_from_presolve_to_the_board():
    told = events("solve", "queens", QUEENS)
    assert list(told) == ["presolve", "space", "oracle", "search", "board", "certificate", "counts", "json"]
    assert (told["space"]["states"], told["board"]["status"]) == ("144", "solved")
    frames = told["search"]["frames"]
    size, marked = told["search"]["size"], told["search"]["marked"]
    for _, hit, rest, probability in frames:
        assert marked * hit**2 == pytest.approx(probability)
        assert marked * hit**2 + (size - marked) * rest**2 == pytest.approx(1)
    assert max(frames, key=lambda one: one[3] * (one[0] <= 9))[0] == told["search"]["best"] == 9
    assert frames[-1][0] > 2 * told["search"]["best"]
    assert told["json"]["json"]["success_probability"] == pytest.approx(frames[9][3])
    assert json.dumps(list(told.values()))


def test_presolve_says_what_it_struck_out():
    told = events("compile", "sudoku", "box 2x2\n123.\n....\n....\n....\n", presolve="propagate")
    by_name = {one["name"]: one["after"] for one in told["presolve"]["variables"]}
    assert by_name["r1c4"] == [4]
    assert by_name["r2c1"] == [3, 4]


@pytest.mark.parametrize(("pipeline", "event"), [("gas", "descent"), ("anneal", "energies")])
def test_each_pipeline_shows_what_is_its_own(pipeline, event):
    told = events("solve", "sudoku", "box 2x2\n2.43\n..2.\n....\n.23.\n", pipeline=pipeline)
    assert told["board"]["status"] == "solved"
    assert event in told


@pytest.mark.slow
def test_levels_are_probabilities():
    told = events("solve", "kakuro", "values 0..3\n#   3\\  4\\\n\\3  .   .\n\\4  .   .\n", pipeline="qaoa")
    chances = [(p, uniform) for _, p, uniform in told["levels"]["levels"]]
    assert [sum(column) for column in zip(*chances, strict=True)] == pytest.approx([1, 1])


@pytest.mark.slow
def test_a_circuit_comes_with_its_proof():
    told = events("circuit", "queens", QUEENS)["circuit"]
    assert told["qasm"].startswith("OPENQASM 3.0;")
    assert {status for _, status, _ in told["claims"]} == {"proved"}


def test_what_has_no_solution_is_told(client):
    told = events("solve", "sudoku", "box 2x2\n12..\n..3.\n...3\n....\n")
    assert told["board"]["status"] == "infeasible"
    assert "search" not in told


def test_a_space_of_two_to_the_24_is_told_in_little():
    import numpy as np

    from gatesolve.simulate.space import Marked, run_grover
    from gatesolve.web import story

    class Compiled:
        marked_codewords = Marked(1 << 24, np.array([5]))
        level = "merged"

        class program:
            num_qubits, iterations = 24, 3216

    told = story.tell_search(Compiled)
    assert len(json.dumps(told)) < 60_000
    assert told["best"] == 3216
    k, hit, _, _ = told["frames"][-1]
    assert hit == run_grover(Compiled.marked_codewords, k).marked


def test_boards_are_those_of_the_examples():
    files = sorted(BOARDS.glob("*.txt"))
    assert files
    for file in files:
        family, name = file.name.split("-", 1)
        assert file.read_text("utf-8") == (ROOT / "examples" / family / name).read_text("utf-8")
