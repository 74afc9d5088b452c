"""Certificates: verified as written, refused once anything in them or in the text is changed, hashes set right."""

import hashlib
import json
import random
import re

import both_checkers
import pytest

import gatesolve
from gatesolve.errors import InputError
from gatesolve.model import Linear, Model, Variable

SMALL = "examples/kakuro/small.txt"


def write(tmp_path, path=SMALL, name="board.qasm", **options):
    made = gatesolve.compile(path, **{"presolve": "none", "encoding": "binary", **options})
    return gatesolve.export(made, tmp_path / name)


def change(written, edit_text=None, edit_data=None):
    """Edit a text or a certificate, and set the hash of the text right."""
    data = json.loads(written.certificate.read_text())
    if edit_text is not None:
        written.circuit.write_text(edit_text(written.circuit.read_text()))
    data["text_sha256"] = hashlib.sha256(written.circuit.read_bytes()).hexdigest()
    if edit_data is not None:
        edit_data(data)
    written.certificate.write_text(json.dumps(data))
    return gatesolve.verify(written.circuit)


@pytest.mark.sampled(5)
@pytest.mark.quick("binary-merged")
@pytest.mark.parametrize("level", ["literal", "merged", "minimised"])
@pytest.mark.parametrize("encoding", ["binary", "one-hot", "domain-wall", "table"])
def test_what_is_written_is_verified(tmp_path, encoding, level):
    for name in ("board.qasm", "board.qasm3"):
        written = write(tmp_path, SMALL, name, encoding=encoding, level=level)
        found = gatesolve.verify(written.circuit)
        assert (written.is_proved, found.status) == (True, "proved"), list(map(str, found.claims))
        assert found.claims == written.claims


def test_of_a_qpy_file_the_text_is_left_open_and_its_hash_compared(tmp_path):
    written = write(tmp_path, name="board.qpy")
    found = gatesolve.verify(written.circuit)
    assert (found.claims, found.status) == (written.claims, "sampled")
    written.circuit.write_bytes(written.circuit.read_bytes() + b"x")
    assert gatesolve.verify(written.circuit).status == "refused"


@pytest.mark.slow
def test_no_certificate_is_lost_among_names_that_extend_each_other(tmp_path):
    names = ("b.qasm", "b.qasm.qasm3", "b.qasm3", "b.qasm")
    written = [write(tmp_path, name=name) for name in names]
    assert [one.certificate.name for one in written] == [
        "b.cert.json", "b.qasm.cert.json", "b.qasm3.cert.json", "b.cert.json"
    ]  # fmt: skip
    for one in written:
        assert gatesolve.verify(one.circuit).status == "proved"
        assert both_checkers.recheck(one.circuit) == both_checkers.PROVED
    (tmp_path / "b.qpy.cert.json").write_text("mine")
    with pytest.raises(InputError, match="choose another name"):
        write(tmp_path, name="b.qpy")


def test_renamed_circuits_keep_their_certificates(tmp_path):
    contest, board = write(tmp_path, name="contest.qasm3"), tmp_path / "board.qasm3"
    contest.circuit.rename(board)
    contest.certificate.rename(tmp_path / "board.cert.json")
    written = write(tmp_path, name="board.qasm")
    assert written.certificate.name == "board.qasm.cert.json"
    for circuit in (board, written.circuit):
        assert gatesolve.verify(circuit).status == "proved"
        assert both_checkers.recheck(circuit) == both_checkers.PROVED


@pytest.mark.sampled(0.5)
def test_an_old_certificate_does_not_hide_the_one_of_a_text(tmp_path):
    for name in ("board.qasm3", "board.qasm"):
        old = write(tmp_path, name=name)
    assert old.certificate.name == "board.qasm.cert.json"
    (tmp_path / "new").mkdir()
    new = write(tmp_path / "new", name="board.qasm", encoding="one-hot")
    new.circuit.replace(old.circuit)
    new.certificate.replace(tmp_path / "board.cert.json")
    assert gatesolve.verify(old.circuit).status == "proved"
    assert both_checkers.recheck(old.circuit) == both_checkers.PROVED


def test_a_file_that_is_no_certificate_is_not_overwritten(tmp_path):
    kept = tmp_path / "board.cert.json"
    kept.write_text("mine")
    assert write(tmp_path).certificate.name == "board.qasm.cert.json"
    assert kept.read_text() == "mine"


@pytest.mark.slow
def test_a_long_search_is_written_as_one_iteration(tmp_path):
    written = write(tmp_path, "examples/queens/linkedin-6x6.txt")
    assert written.extent.startswith("this circuit is the preparation and 1 iteration of ")
    assert written.extent in written.circuit.read_text()
    assert written.extent.startswith(f"{gatesolve.verify(written.circuit).extent} of ")


@pytest.mark.parametrize("name", ["oracle.qasm", "oracle.qasm3", "oracle.kmx"])
def test_the_oracle_alone_is_verified_and_told_of_no_iterations(tmp_path, name):
    made = gatesolve.compile(SMALL, presolve="none")
    made = gatesolve.compile(SMALL, presolve="none", iterations=made.program.iterations + 1)
    assert made.program.search.needed_iterations != made.program.iterations
    written = gatesolve.export(made, tmp_path / name, "oracle")
    assert "iteration" not in written.circuit.read_text()
    if name.endswith("kmx"):
        return
    assert gatesolve.verify(written.circuit).status == "proved"
    assert written.extent == "this circuit is one oracle call"


@pytest.mark.quick("options0")
@pytest.mark.parametrize("options", [{"presolve": "propagate"}, {"measured": True}, {"pipeline": "qaoa", "layers": 1}])
def test_what_is_not_proved_is_not_called_so(tmp_path, options):
    written = write(tmp_path, name="board.qasm3", **options)
    found = gatesolve.verify(written.circuit)
    assert (written.is_proved, found.status) == (False, "sampled")
    assert any(claim.status == "unchecked" for claim in found.claims)


def edit_gate(draw):
    def edit(text):
        lines = text.split("\n")
        gates = [k for k, line in enumerate(lines) if re.match(r"(cx|u3|[hxzst])\b", line)]
        place = draw.choice(gates)
        if draw.random() < 0.5:
            del lines[place]
        else:
            lines.insert(draw.choice(gates), lines[place])
        return "\n".join(lines)

    return edit


@pytest.mark.parametrize("part", ["oracle", "whole"])
@pytest.mark.parametrize(("path", "value"), [("examples/qubo/triangle.qubo", "counter"), (SMALL, "fourier")])
def test_an_oracle_that_marks_by_energy_is_not_called_proved(tmp_path, path, value, part):
    made = gatesolve.compile(path, pipeline="gas", value_oracle=value, presolve="none", encoding="binary", iterations=1)
    written = gatesolve.export(made, tmp_path / "board.qasm", part)
    found = gatesolve.verify(written.circuit)
    assert (written.is_proved, found.status) == (False, "sampled")
    assert not any("no part of the search" in one.detail for one in (*written.claims, *found.claims))


@pytest.mark.sampled(0.3)
def test_changed_texts_are_refused(tmp_path):
    draw, refused, written = random.Random(5), 0, write(tmp_path)
    whole = written.circuit.read_text()
    for _ in range(25):
        edit = edit_gate(draw)
        found = change(written, lambda _, edit=edit: edit(whole))
        refused += found.status == "refused"
        # What takes too long to compare is left open.
        assert found.status != "proved" or found.claims[-1].status == "proved"
    assert refused > 20
    for old, new in (("// data[0]", "// data[1]"), ("measure data[0] ->", "measure data[1] ->"), ("data[", "date[")):
        assert change(written, lambda _, a=old, b=new: whole.replace(a, b)).status == "refused"
    written.circuit.write_text(whole + "\n")
    assert "not the text" in gatesolve.verify(written.circuit).claims[-1].detail


def edit_field(edit):
    return lambda data: edit(data["program"], data)


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    ("edit", "layer"),
    [
        (lambda program, data: program["model"]["constraints"].pop(), "model"),
        (lambda program, data: program["model"]["variables"][0]["domain"].pop(), "model"),
        (lambda program, data: program["space"]["blocks"][0]["codewords"].reverse(), "space"),
        (lambda program, data: program["sections"][1]["oracle"]["conditions"].clear(), "structure"),
        (lambda program, data: program["sections"][1]["oracle"]["conditions"][0]["factors"].append("0"), "conditions"),
        (lambda program, data: program["sections"][1]["ops"].pop(0), "oracle"),
        (lambda program, data: program["sections"][1]["ops"].pop(), "blocks"),
        (lambda program, data: program["sections"][0]["ops"].pop(), "blocks"),
        (lambda program, data: program.update(level="merged"), "text"),
        (lambda program, data: program.update(needed_iterations="7"), "text"),
        (
            lambda program, data: data["problem"].update(
                text=data["problem"]["text"].replace("values 0..3", "values 0..4")
            ),
            "model",
        ),
    ],
)
def test_changed_certificates_are_refused(tmp_path, edit, layer):
    found = change(write(tmp_path, level="literal"), edit_data=edit_field(edit))
    assert found.status == "refused"
    assert layer in {claim.layer for claim in found.claims if claim.status == "refused"}, list(map(str, found.claims))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "not a certificate: it is not JSON"),
        ("[]", "not a certificate of version 1"),
        ('{"gatesolve_certificate": 1}', "text_sha256 is missing"),
    ],
)
def test_damaged_certificates_are_named(tmp_path, content, message):
    written = write(tmp_path)
    written.certificate.write_text(content)
    with pytest.raises(InputError, match=message):
        gatesolve.verify(written.circuit)


@pytest.mark.slow
def test_other_rules_than_those_compared_by_are_refused(tmp_path):
    written = write(tmp_path, "examples/queens/tiny-4x4.txt", level="literal", iterations=1)
    assert json.loads(written.certificate.read_text())["rules"], "a flip over more than three factors"
    verdict = change(written, edit_data=lambda data: data["rules"].clear())
    assert [claim.layer for claim in verdict.claims if claim.status == "refused"] == ["rules"]


@pytest.mark.slow
def test_texts_of_one_circuit_have_one_fingerprint(tmp_path):
    claims = [write(tmp_path, name=f"board{suffix}").claims[-1].detail for suffix in (".qasm", ".qasm3")]
    assert claims[0] == claims[1]
    assert "fingerprint" in claims[0]
    assert write(tmp_path, level="literal").claims[-1].detail != claims[0]


def test_a_qubit_is_filled_in_once(tmp_path):
    variables = tuple(Variable(name, (0, 1)) for name in "xy")
    model = Model(variables, (Linear(((1, "x"),), "==", 1),))
    written = write(tmp_path, model, presolve="none", encoding="binary")
    data = json.loads(written.certificate.read_text())
    assert data["program"]["fills"]
    data["program"]["fills"] *= 2
    written.certificate.write_text(json.dumps(data))
    with pytest.raises(InputError, match="does not fit the space"):
        gatesolve.verify(written.circuit)


@pytest.mark.slow
def test_fields_damaged_inside_are_named(tmp_path):
    draw, written = random.Random(2), write(tmp_path)
    whole = written.certificate.read_text()
    for _ in range(80):
        data = json.loads(whole)
        place = data
        for _ in range(draw.randint(1, 8)):
            if not isinstance(place, dict | list) or not place:
                break
            key = draw.choice(list(place)) if isinstance(place, dict) else draw.randrange(len(place))
            if draw.random() < 0.4 or not isinstance(place[key], dict | list):
                if isinstance(place, list) and draw.random() < 0.5:
                    place.insert(key, place[draw.randrange(len(place))])
                else:
                    place[key] = draw.choice([None, -1, "x", [], {}, 10**30, True])
                break
            place = place[key]
        written.certificate.write_text(json.dumps(data))
        message = ""
        try:
            status = gatesolve.verify(written.circuit).status
        except InputError as error:
            status, message = "bad input", str(error)
        assert status in {"proved", "refused", "sampled", "bad input"}
        assert len(message.splitlines()) <= 1
