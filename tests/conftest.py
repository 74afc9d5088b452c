"""The two tiers, and this folder on the import path, by pytest, for what tests share (``strategies``, ``kept``).

``pytest`` leaves out what is marked ``slow``; ``pytest -m slow`` runs nothing else. Other marks:

quick("id", "other-*")   the rows with these ids are quick; of the others, which are slow, half are drawn
quick(2)                 the same for the first two rows
more_examples(number)    the property is in both tiers: on so many examples in the slow one, on half of its own in the
                         quick one; every property of `MANY` examples or more is in both, on all and on a fifth.
                         As these are the same examples each time, the slow one draws `AGAIN` of these properties
sampled(number)          so many of the slow rows are drawn; where no row is marked as slow or quick, all rows are slow
sampled(0.5)             the same, but each row, or a test without rows, is drawn with this probability

``--sample SEED`` draws; ``--sample all`` runs all rows.
"""

import gc
import random
import sys
from collections import Counter, defaultdict
from fnmatch import fnmatchcase
from pathlib import Path

import pytest
from hypothesis import settings

sys.path.append(str(Path(__file__).parents[1]))  # for `benchmarks`, which is not installed

# The default thresholds scan the modules and rows of the whole suite so often that it takes a tenth of the time.
gc.set_threshold(10_000, 20, 50)

# How long an example takes depends on what else the machine does; that is no property of the code. A run says the same
# each time; `pytest --hypothesis-profile=explore` draws other examples.
settings.register_profile("explore", deadline=None)
settings.register_profile("same", deadline=None, derandomize=True)
settings.load_profile("same")


def pytest_addoption(parser):
    parser.addoption("--sample", default="0", metavar="SEED", help="seed of the rows that are drawn, or `all` rows")


@pytest.fixture(scope="session")
def sample_seed(request):
    """The seed of ``--sample``, for tests that draw their cases themselves."""
    return request.config.option.sample


MANY = 30
"""Examples from which a property is tried on a fifth of them in the quick tier, and on all in the slow one."""
AGAIN = 0.3
"""Probability with which a property of the quick tier is drawn in the slow one."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """Marks as slow what ``quick`` and ``more_examples`` say is."""
    rows, named, properties, numbers = set(), set(), {}, Counter()
    _mark_sampled(items)
    for item in items:
        for mark in item.iter_markers("quick"):
            if isinstance(mark.args[0], int):
                numbers[_name(item)] += 1
                if numbers[_name(item)] > mark.args[0]:
                    item.add_marker(pytest.mark.slow)
                    item.add_marker(pytest.mark.sampled(0.5))
                continue
            fitting = [name for name in mark.args if fnmatchcase(item.callspec.id, name)]
            named |= {(item.parent.nodeid, item.originalname, name) for name in mark.args}
            rows |= {(item.parent.nodeid, item.originalname, name) for name in fitting}
            if not fitting:
                item.add_marker(pytest.mark.slow)
                item.add_marker(pytest.mark.sampled(0.5))
        is_property = getattr(item.obj, "is_hypothesis_test", False) and not hasattr(item.obj, "__self__")
        if is_property and not item.get_closest_marker("slow"):  # a state machine's test is a method
            own = _settings_of(item.obj).max_examples
            more = [mark.args[0] for mark in item.iter_markers("more_examples")]
            if config.option.markexpr == "slow" and (more or own >= MANY):
                item.add_marker(pytest.mark.slow)
                item.add_marker(pytest.mark.sampled(AGAIN))
                properties[item.obj] = more[0] if more else own
            elif config.option.markexpr == "not slow" and (more or own >= MANY):
                properties[item.obj] = own // 5 if own >= MANY else max(1, own // 2)
    for test, number in properties.items():
        _try_on(test, number)
    if named - rows and not any("::" in argument for argument in config.args):
        raise pytest.UsageError(f"no row has the id that a quick mark names: {sorted(named - rows)}")
    if config.option.sample != "all" and not any("::" in argument for argument in config.args):
        left_out = {*_left_out(items, config.option.sample)}
        config.hook.pytest_deselected(items=[item for item in items if item in left_out])
        items[:] = [item for item in items if item not in left_out]


def pytest_collection_finish():
    gc.freeze()  # modules and rows stay until the end


def _name(item):
    """A test without the row."""
    return f"{item.parent.nodeid}::{item.originalname}"


def _mark_sampled(items):
    """Marks sampled tests as slow of which no row is marked as slow or quick."""
    apart = {_name(item) for item in items if item.get_closest_marker("slow") or item.get_closest_marker("quick")}
    for item in items:
        if item.get_closest_marker("sampled") and _name(item) not in apart:
            item.add_marker(pytest.mark.slow)


def _left_out(items, seed):
    """Slow rows of sampled tests that were not drawn; each test draws by itself."""
    rows = defaultdict(list)
    for item in items:
        if item.get_closest_marker("sampled") and item.get_closest_marker("slow"):
            rows[_name(item)].append(item)
    for name, slow in rows.items():
        number, draw = slow[0].get_closest_marker("sampled").args[0], random.Random(f"{seed} {name}")
        if number < 1:
            drawn = [place for place in range(len(slow)) if draw.random() < number]
        else:
            drawn = draw.sample(range(len(slow)), min(number, len(slow)))
        yield from (item for place, item in enumerate(slow) if place not in drawn)


def _settings_of(property_test):
    """The settings of a property, which are the profile's where it has none of its own."""
    return getattr(property_test, "_hypothesis_internal_use_settings", settings.default)


def _try_on(property_test, number):
    property_test._hypothesis_internal_use_settings = settings(_settings_of(property_test), max_examples=number)
