"""A sample of the campaign against both checkers: no mutant is proved that is wrong."""

import pytest

from benchmarks.faults import proof_files, proof_mutants, proof_truth

pytestmark = pytest.mark.slow


def test_nothing_wrong_is_proved_and_nothing_right_refused(capsys, sample_seed):
    seed = sample_seed if sample_seed.isdecimal() else "1"
    sample = ["--files", "2", "--texts", "20", "--certificates", "30", "--right", "5", "--seed", seed]
    assert proof_mutants.main(sample) == 0, capsys.readouterr().out


def test_files_cover_every_choice():
    rows = proof_files.list_rows()
    assert len(rows) == len(set(map(str, rows))) == 60
    for name in ("encoding", "gates", "level", "optimize", "pipeline", "oracle"):
        found = {row.options.get(name) for row in rows}
        assert len(found - {None}) >= {"pipeline": 2, "oracle": 1, "gates": 3, "level": 3}.get(name, 4), name
    assert {row.suffix for row in rows} == {".qasm", ".qasm3"}
    assert {row.part for row in rows} == {"whole", "oracle"}


def test_truth_knows_wrong_from_right():
    truth = proof_truth
    head = 'OPENQASM 2.0;\ninclude "qelib1.inc";\nqreg q[2];\n'
    text = f"{head}h q[0];\ncx q[0],q[1];"
    assert truth.is_same_text(text, text.replace("cx", "x q[0];\nx q[0];\ncx"))
    for line in ("u3(6283185307179636.0,0,0) q[0];", "x q[\u0661];", "t q[1];", "reset q[0];"):
        assert not truth.is_same_text(text, f"{text}\n{line}")
    model = {"variables": [{"name": "x", "domain": [0, 1]}], "constraints": []}
    ghost = {"kind": "linear", "terms": [[1, "ghost"]], "relation": "==", "bound": 1}
    assert truth.solve_model(model)[1].tolist() == [[0], [1]]
    with pytest.raises(truth.Meaningless):
        truth.solve_model(model | {"constraints": [ghost]})
