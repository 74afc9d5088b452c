"""Each plot by one call: what it shows, and that texts of a user are shown as they are."""

import sys

import cpmpy
import matplotlib
import pytest
from matplotlib.figure import Figure

import gatesolve
from gatesolve.circuit.figure import OTHER, SOLUTION
from gatesolve.errors import InputError, UnsupportedError
from gatesolve.pipelines.chart import Falling

HOSTILE = r"$\frac{<script>alert(1)</script>&"
KAKURO = "examples/kakuro/contest.txt"


def knapsack():
    taken = cpmpy.boolvar(shape=4, name="b")
    return cpmpy.Model(cpmpy.sum(taken * [5, 3, 4, 2]) <= 8, maximize=cpmpy.sum(taken * [6, 4, 5, 1]))


def texts(figure):
    return " ".join(t.get_text() for t in figure.findobj(matplotlib.text.Text))


def is_png(figure):
    return figure._repr_png_().startswith(b"\x89PNG")


@pytest.fixture(scope="module")
def kakuro():
    return gatesolve.solve(KAKURO, shots=200)


def test_every_measurement_is_in_the_plot_and_solutions_are_dark(kakuro):
    chart = kakuro.chart
    assert sum(one.shots for one in chart.measured) == 200
    assert sum(one.shots for one in chart.measured if one.accepted) > 150
    figure = kakuro.plot()
    assert isinstance(figure, Figure)
    assert is_png(figure)
    (axes,) = figure.axes
    colours = {matplotlib.colors.to_hex(bar.get_facecolor()): bar.get_width() for bar in axes.patches}
    assert colours[SOLUTION] == max(bar.get_width() for bar in axes.patches)
    assert OTHER in colours
    assert sum(bar.get_width() for bar in axes.patches) == 200


def test_nothing_global_is_touched(kakuro):
    def list_figures():
        return "matplotlib.pyplot" in sys.modules and sys.modules["matplotlib.pyplot"].get_fignums()

    before = dict(matplotlib.rcParams), list_figures()
    kakuro.plot()
    assert (dict(matplotlib.rcParams), list_figures()) == before


def test_amplitudes_are_exact_and_go_past_the_best(kakuro):
    figure = kakuro.plot_amplitudes(8)
    line = figure.axes[0].lines[0]
    iterations, chances = line.get_data()
    assert list(iterations) == list(range(9))
    assert chances[0] == pytest.approx(1 / 24)
    assert chances[kakuro.iterations] == pytest.approx(kakuro.success_probability)
    assert max(chances) == chances[kakuro.iterations]
    assert is_png(figure)


def test_a_long_search_is_drawn_at_some_iterations_the_used_one_among_them(kakuro):
    iterations, _ = kakuro.plot_amplitudes(100_003).axes[0].lines[0].get_data()
    assert len(iterations) < 500
    assert {0, kakuro.iterations, 100_003} <= set(iterations)


def test_a_descent_ends_at_the_answer():
    found = gatesolve.solve(knapsack(), pipeline="gas")
    assert isinstance(found.chart, Falling)
    assert found.chart.energies[-1] == found.energy
    assert found.chart.end == found.oracle_calls
    assert "the best found" in texts(found.plot())
    assert is_png(found.plot_amplitudes())


def test_levels_and_landscape_of_a_qaoa():
    found = gatesolve.solve(knapsack(), pipeline="qaoa", layers=1, evaluations=40)
    chart = found.chart
    assert sum(chart.shots) == 1024
    assert sum(chart.chances) == pytest.approx(1)
    assert sum(chart.guesses) == pytest.approx(1)
    assert [level for level, best in zip(chart.levels, chart.best, strict=True) if best] == [10]
    assert is_png(found.plot())
    factors, means, name = found.compiled.details.scan_angles()
    middle = factors.index(1)
    assert means[middle][middle] == pytest.approx(found.details.mean)
    assert name in texts(found.plot_landscape())


def test_names_of_a_model_are_shown_as_they_are():
    x = cpmpy.intvar(0, 2, shape=2, name=HOSTILE)
    found = gatesolve.solve(cpmpy.Model(x[0] + x[1] == 3), shots=50)
    assert is_png(found.plot())
    assert "<script>" in texts(found.plot())
    assert is_png(found.program.draw())


def test_what_cannot_be_plotted_is_said_in_a_line(kakuro):
    unknown = gatesolve.solve(KAKURO, schedule="unknown")
    for call, words in [
        (unknown.plot, "nothing to plot"),
        (kakuro.plot_landscape, "use pipeline='qaoa'"),
        (gatesolve.solve(KAKURO, pipeline="anneal").plot_amplitudes, "no amplitudes to plot"),
    ]:
        with pytest.raises(UnsupportedError, match=words):
            call()
    with pytest.raises(InputError, match="give 0 or more"):
        kakuro.plot_amplitudes(-1)


def test_a_program_is_drawn_without_latex(kakuro, monkeypatch):
    monkeypatch.setitem(sys.modules, "pylatexenc", None)  # its import fails
    assert is_png(kakuro.program.draw())
    assert "data_0" in str(kakuro.program.circuit.draw())


def test_the_picture_of_a_program_names_every_condition(kakuro):
    figure = kakuro.program.draw()
    said = texts(figure)
    for condition in kakuro.program.oracle.conditions:
        assert condition.label in said
    for word in ("preparation", "oracle: constraints", "undo", "reflection", "measure", "3 times", "ancillas"):
        assert word in said
    assert is_png(figure)


@pytest.mark.quick(1)
@pytest.mark.parametrize(
    ("file", "options"),
    [
        (KAKURO, {"pipeline": "gas"}),
        pytest.param(KAKURO, {"pipeline": "qaoa", "layers": 2, "evaluations": 20}, marks=pytest.mark.slow),
        (KAKURO, {"oracle": "classical"}),
        (KAKURO, {"exact": True}),
        ("examples/starbattle/tiny-4x4-1.txt", {"encoding": "one-hot"}),
    ],
)
def test_programs_of_all_kinds_are_drawn(file, options):
    assert is_png(gatesolve.compile(file, **options).program.draw())


@pytest.fixture
def japanese():
    model = gatesolve.Model((gatesolve.Variable("数独", (0, 1)), gatesolve.Variable("盤", (0, 1))))
    return gatesolve.solve(model, shots=20)


def test_signs_that_no_font_has_are_no_warning(japanese, tmp_path):
    figure = japanese.plot()
    assert "数独" in texts(figure)
    assert is_png(figure)
    figure.savefig(tmp_path / "a.svg")
    assert is_png(japanese.compiled.program.draw())


def test_a_font_that_has_them_is_taken(japanese, monkeypatch):
    monkeypatch.setattr("gatesolve.circuit.figure.WIDE_FONTS", ("STIXGeneral", "no such font"))
    figure = japanese.plot()
    assert is_png(figure)
    assert is_png(figure)
    families = {t.get_text(): t.get_fontfamily() for t in figure.findobj(matplotlib.text.Text)}
    assert {tuple(family) for text, family in families.items() if "数独" in text} == {("sans-serif", "STIXGeneral")}
    assert all("STIXGeneral" not in family for text, family in families.items() if text.isascii())
