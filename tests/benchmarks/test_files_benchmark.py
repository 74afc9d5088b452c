"""The comparison of files sees a solution that only our own reader would take."""

from benchmarks.suites import files

OPB = "* #variable= 2 #constraint= 1\n+1 x1 +1 x2 >= 2 ;\n"


def test_a_right_answer_is_right(tmp_path):
    (tmp_path / "a.opb").write_text(OPB)
    assert files.verdict(tmp_path / "a.opb", 60) == ("right", "")


def test_a_solution_that_breaks_a_constraint_is_seen(tmp_path, monkeypatch):
    (tmp_path / "a.opb").write_text(OPB)
    monkeypatch.setattr(files, "ours", lambda path: (True, {"x1": 1, "x2": 0}))
    word, reason = files.verdict(tmp_path / "a.opb", 60)
    assert (word, "the other does not take" in reason) == ("WRONG", True)


def test_places_in_printed_arrays():
    text = "array [1..4] of var 0..1: q :: output_array([0..1,1..2]) = [a,b,c,X_1];\n"
    assert files.printed_entries(text) == {"q[0,1]": "a", "q[0,2]": "b", "q[1,1]": "c", "q[1,2]": "X_1"}
