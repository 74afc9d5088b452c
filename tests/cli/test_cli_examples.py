"""Without a command, three examples that work."""

import shlex

from cli_runs import CONTEST


def test_three_examples_without_a_command(gatesolve, tmp_path, monkeypatch):
    run = gatesolve()
    assert (run.status, run.out) == (2, "")
    examples = [line for line in run.err.splitlines() if line.startswith("  gatesolve ")]
    assert len(examples) == 3
    monkeypatch.chdir(tmp_path)
    (tmp_path / "examples").symlink_to(CONTEST.parents[1])
    for example in examples:
        _, *words = shlex.split(example)
        assert gatesolve(*words).status == 0
    assert (tmp_path / "contest.qasm3").exists()
