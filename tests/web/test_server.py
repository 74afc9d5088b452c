"""Who is let in, what a board's check says, and what the page is told of a search; without a browser."""

import asyncio
import json
import re
from itertools import product
from pathlib import Path

import cpmpy as cp
import httpx
import pytest
from qiskit import qasm2

from gatesolve.puzzles import examples, parse
from gatesolve.web.boards import BOARDS, list_families
from gatesolve.web.pool import Pool
from gatesolve.web.server import HEADERS, MOST_CHARACTERS, OPEN, make_app
from gatesolve.web.worker import run_job

ROOT = Path(__file__).parents[2]
TOKEN = "secret-of-this-test"
QUEENS = "BAAA\nBBBC\nDDCC\nDDDD\n"
SUDOKU = "box 2x2\n2.43\n..2.\n....\n.23.\n"
KAKURO = "values 0..3\n#   3\\  4\\\n\\3  .   .\n\\4  .   .\n"


class Client:
    """Asks an application, one answer at a time."""

    def __init__(self):
        self.app = make_app(TOKEN, Pool())

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


def all_events(action, family, text, **options):
    """All that a page is told, in order, without the stages."""
    told = []
    job = {"action": action, "family": family, "text": text, "options": options}
    for event in run_job(job, told.append):
        told.append(event)  # what is said meanwhile stands between
    return [event for event in told if event["event"] != "stage"]


def events(action, family, text, **options):
    return {event["event"]: event for event in all_events(action, family, text, **options)}


def test_the_page_needs_the_secret_in_its_address(client):
    assert client.get("").status_code == 200
    for path in (
        "/app.js",
        "/link.html",
        "/index.html",
        "/api/about",
        "//",
        f"/{TOKEN}x/",
        f"/{TOKEN[:-1]}/",
        "/%2e%2e/",
    ):
        answer = client.get(f"http://127.0.0.1{path}")
        assert (answer.status_code, "gatesolve web" in answer.text) == (404, True)


def test_without_the_secret_only_files_that_show_a_link_are_sent(client):
    address = "http://127.0.0.1/"
    page = client.get(address)
    assert page.status_code == 200
    assert "gatesolve web LINK" in page.text
    for name in OPEN:
        answer = client.get(address + name)
        assert answer.status_code == 200
        assert TOKEN not in answer.text
        assert {one: answer.headers[one] for one in HEADERS} == dict(HEADERS)
        assert "api/" not in answer.text
        assert client.post(address + name, json={}).status_code == 404
        assert client.get(address + name, headers={"Host": "evil.example"}).status_code == 400
        # Nothing that it loads is missing.
        assert set(re.findall(r'(?:src|href|from)="?\s*"?(?:\./)?([\w.]+)"', answer.text)) <= set(OPEN)


@pytest.mark.parametrize(("site", "status"), [(None, 404), ("cross-site", 404), ("same-origin", 200)])
def test_without_the_secret_boards_are_drawn_for_pages_of_this_server_alone(client, site, status):
    headers = {} if site is None else {"Sec-Fetch-Site": site}
    asked = {"family": "queens", "text": "BAAA\nBBBC\nDDCC\nDDDD"}
    answer = client.post("http://127.0.0.1/board", json=asked, headers=headers)
    assert answer.status_code == status
    assert status == 404 or "<svg" in answer.json()["svg"]
    assert client.post("http://127.0.0.1/play", json=asked, headers=headers).status_code == 404


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "evil.example:127", ""])
def test_another_name_of_this_machine_is_refused(client, host):
    assert client.get("", headers={"Host": host}).status_code == 400


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

    async def send_without_a_length():
        for _ in range(1 << 5):
            yield b" " * (1 << 16)

    assert client.post("api/check", content=send_without_a_length()).status_code == 413


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


def test_cells_say_where_they_stand_in_the_text(client):
    text = "; a comment\nbox 2x2\n2. | 43\n.. | 2.\n---+---\n.. | ..\n.2 | 3.\n"
    found = check(client, "sudoku", text)
    lines = text.split("\n")
    assert [[lines[r][c : c + n] for r, c, n in row] for row in found["cells"]] == [
        list("2.43"),
        list("..2."),
        list("...."),
        list(".23."),
    ]
    assert found["symbols"] == ".1234"
    assert found["walls"]["right"][0] == [False, True, False, True]


@pytest.mark.parametrize(
    ("family", "text", "rows", "symbols"),
    [
        ("kakuro", "values 0..3\n#  12\\3  \\4\n12 2 . ; ", None, None),
        ("kakuro", "12 2\n# .\n", ["12|2", "#|."], ".#"),
        ("kakuro", "values 0..3\n#   12\\3  4\\\n\\3  .   2\n", ["#|12\\3|4\\", "\\3|.|2"], ".#"),
        ("tents", "   2 10\n?  .  T\n12 ^  .\n", ["-|2|10", "?|.|T", "12|^|."], ".T^"),
        ("galaxies", "o|.\n-*-\n.|#\n", ["o|||.", "-|*|-", ".|||#"], ".o*#"),
        ("chess", "chess max\npieces K Z\npiece Z leap 1,3\nboard\nK.\n#Z\n", ["K|.", "#|Z"], ".KQRBNP#@Z"),
        ("chess", "chess coloured\npieces K\nregions\nAB\nAB\n", ["A|B", "A|B"], "AB."),
        ("sudoku", "box 2x2\n1 4 4 .\n" + ". . . .\n" * 3, ["1|4|4|.", *[".|.|.|."] * 3], ".1234"),
    ],
)
def test_what_can_be_drawn_on(client, family, text, rows, symbols):
    found, lines = check(client, family, text), text.split("\n")
    shown = found["cells"] and [
        "|".join(lines[at[0]][at[1] : at[1] + at[2]] if at else "-" for at in row) for row in found["cells"]
    ]
    assert (shown, found["symbols"]) == (rows, symbols)


@pytest.mark.parametrize(
    ("family", "text", "cell"),
    [
        ("kakuro", "#  3\\  #\n\\3  .  .\n\\4  .  .\n", [1, 2]),
        ("galaxies", "#o.\n-+-\n.|.\n", [0, 1]),
        ("tents", "  ? ?\n? . .\n", [1, 1]),
    ],
)
def test_a_fault_is_told_by_its_cell(client, family, text, cell):
    found = check(client, family, text)
    assert found["fault"]["cell"] == cell
    assert found["cells"]


@pytest.mark.slow
def test_a_search_is_told_from_presolve_to_the_board():
    told = events("solve", "queens", QUEENS)
    assert list(told) == [
        "presolve",
        "space",
        "search",
        "oracle",
        "iteration",
        "certificate",
        "board",
        "counts",
        "json",
    ]
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
    assert told["presolve"]["assignments"] == str(4**13)  # as many as the clues leave
    by_name = {one["name"]: one["after"] for one in told["presolve"]["variables"]}
    assert by_name["r1c4"] == [4]
    assert by_name["r2c1"] == [3, 4]


@pytest.mark.parametrize(("pipeline", "event"), [("gas", "descent"), ("anneal", "energies")])
def test_each_pipeline_shows_what_is_its_own(pipeline, event):
    told = events("solve", "sudoku", SUDOKU, pipeline=pipeline)
    assert told["board"]["status"] == "solved"
    assert event in told


@pytest.mark.slow
def test_layers_are_probabilities():
    told = events("solve", "kakuro", KAKURO, pipeline="qaoa")
    layers = told["layers"]
    assert [sum(chances) for chances in layers["layers"]] == pytest.approx([1] * len(layers["layers"]))
    assert len(layers["layers"]) == len(layers["gammas"]) + 1 == len(layers["success"])
    assert layers["costs"][0] == 0
    assert layers["success"] == pytest.approx([chances[0] for chances in layers["layers"]])
    assert layers["success"][-1] == pytest.approx(told["board"]["probability"])
    assert layers["means"][-1] < layers["means"][0]
    land, middle = told["landscape"], len(told["landscape"]["factors"]) // 2
    assert land["factors"][middle] == 1
    assert land["means"][middle][middle] == pytest.approx(layers["means"][-1])


@pytest.mark.slow
def test_a_circuit_comes_with_its_proof():
    told = events("circuit", "queens", QUEENS)["circuit"]
    names, texts = zip(*told["files"], strict=True)
    assert names == ("board.qasm3", "board.qasm")
    assert [text.split("\n")[0] for text in texts] == ["OPENQASM 3.0;", "OPENQASM 2.0;"]
    assert qasm2.loads(texts[1]).num_clbits > 0
    assert {status for _, status, _ in told["claims"]} == {"proved"}
    assert told["share"] == ""


def test_what_has_no_solution_is_told(client):
    told = events("solve", "sudoku", "box 2x2\n12..\n..3.\n...3\n....\n")
    assert told["board"]["status"] == "infeasible"
    assert "search" not in told


def test_a_space_of_two_to_the_24_is_told_in_little():
    import numpy as np

    from gatesolve.simulate import Marked, run_grover
    from gatesolve.web import story

    codewords = Marked(1 << 24, np.array([5]))
    told = story.tell_search(codewords, 3216)
    assert len(json.dumps(told)) < 60_000
    assert told["best"] == 3216
    k, hit, _, _ = told["frames"][-1]
    assert hit == run_grover(codewords, k).marked


def test_a_descent_is_told_step_by_step():
    told = all_events("solve", "sudoku", SUDOKU, pipeline="gas")
    steps = [event for event in told if event["event"] == "descent"]
    lengths = [len(event["steps"]) for event in steps]
    assert lengths == [*range(1, lengths[-1] + 1), lengths[-1]]
    assert [event["calls"] is None for event in steps] == [True] * (len(steps) - 1) + [False]
    assert steps[-1]["steps"][-1][1] == 0


def test_angles_are_told_as_they_are_tried():
    told = all_events("solve", "kakuro", KAKURO, pipeline="qaoa")
    tried = [one for event in told if event["event"] == "angles" for one in event["tried"]]
    assert [number for number, _, _ in tried] == list(range(1, len(tried) + 1))
    assert [min(value for _, value, _ in tried[: k + 1]) for k in range(5)] == [best for _, _, best in tried[:5]]
    names = [event["event"] for event in told]
    assert names.index("angles") < names.index("layers")


@pytest.mark.slow
def test_a_divided_board_is_told_as_a_tree():
    import gatesolve
    from gatesolve.web.story import Watcher

    said = []
    path = ROOT / "examples" / "sudoku" / "inkala-2010.txt"
    found = gatesolve.solve(path, max_space=2**16, on_event=Watcher("grover", True, said.append))
    tree = {}
    for event in said:
        if event["event"] == "tree":
            tree |= {tuple(number): (state, label) for number, label, state in event["parts"]}
    states = [state for state, _ in tree.values()]
    assert states.count("solved") == len(found.division.leaves) == 1
    assert 0 < states.count("cut") <= found.division.cut  # a part whose parts are all cut counts once
    assert states.count("open") > 1
    assert all(tree[number[:-1]][0] == "inner" for number in tree if number)
    assert any(label.startswith("r") and "oracle calls" in label for _, label in tree.values())


def test_the_boards_to_open_have_one_solution_each():
    boards = [(one["name"], board["text"]) for one in list_families() for board in one["boards"]]
    for family, text in boards:
        model = parse(text, family).to_cpmpy()
        if model.has_objective():
            assert model.solve()
            model = cp.Model(model.constraints, model.objective_ == model.objective_value())
        assert model.solveAll(solution_limit=2) == 1, text


def test_a_text_of_another_family_names_it(client):
    for family, (name, _, text) in product(["queens", "sudoku", "kakuro"], examples()):
        found = check(client, family, text)
        assert found["family"] == (None if found["fault"] is None else name)
    assert check(client, "queens", "no board")["family"] is None


def test_boards_are_those_of_the_examples():
    files = sorted(BOARDS.glob("*.txt"))
    assert files
    for file in files:
        family, name = file.name.split("-", 1)
        assert file.read_text("utf-8") == (ROOT / "examples" / family / name).read_text("utf-8")
