"""What other packages register as entry points: found by name, loaded when asked for, refused in one line."""

import pytest
from packages import install

from gatesolve.errors import InputError
from gatesolve.extensions import broken_extensions, extension_names, load_extension, load_extensions

GROUP = "gatesolve.encodings"
POINTS = "good = MODULE:good\nodd = MODULE:odd\nmissing = MODULE:missing\nbroken = no_such_module_anywhere:x"


@pytest.fixture
def module(monkeypatch, tmp_path):
    return install(monkeypatch, tmp_path, "good, odd = len, 3\n", encodings=POINTS)


def fault(found):
    return None if callable(found) else "it is no function"


@pytest.mark.usefixtures("module")
def test_names_are_known_without_loading():
    assert {"good", "odd", "missing", "broken"} <= set(extension_names(GROUP))
    assert not {"good", "odd"} & set(extension_names("gatesolve.rules"))


@pytest.mark.usefixtures("module")
def test_what_cannot_be_loaded_is_left_out():
    assert load_extension(GROUP, "good", fault) is len
    found = load_extensions(GROUP, fault)
    assert found["good"] is len
    assert not {"odd", "missing", "broken"} & set(found)
    said = [line for line in broken_extensions(GROUP, fault) if "another_package" in line or "no_such_module" in line]
    assert sorted(line.split("'")[1] for line in said) == ["broken", "missing", "odd"]


def test_a_family_is_called_so(monkeypatch, tmp_path):
    install(monkeypatch, tmp_path, "", families="odd = MODULE:x")
    with pytest.raises(InputError, match=r"^the family 'odd' \("):
        load_extension("gatesolve.families", "odd", fault)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("odd", "it is no function"),
        ("missing", "AttributeError: module 'MODULE' has no attribute 'missing'"),
        ("broken", "ModuleNotFoundError: No module named 'no_such_module_anywhere'"),
    ],
)
def test_asked_for_by_name_it_is_refused_in_one_line(module, name, reason):
    with pytest.raises(InputError) as caught:
        load_extension(GROUP, name, fault)
    said = str(caught.value)
    assert said.startswith(f"the encoding '{name}' (")
    assert said.endswith(f" cannot be used: {reason.replace('MODULE', module)}: correct its package, or uninstall it")
    assert "\n" not in said


def test_of_two_packages_the_first_on_the_path_has_the_name(monkeypatch, tmp_path):
    install(monkeypatch, tmp_path, "x = min\n", encodings="twice = MODULE:x")
    assert load_extension(GROUP, "twice", fault) is min
    install(monkeypatch, tmp_path, "x = max\n", encodings="twice = MODULE:x")
    assert load_extension(GROUP, "twice", fault) is max


def test_what_is_uninstalled_is_gone(monkeypatch, tmp_path):
    with monkeypatch.context() as patch:
        install(patch, tmp_path, "x = min\n", encodings="brief = MODULE:x")
        assert "brief" in extension_names(GROUP)
    assert "brief" not in extension_names(GROUP)
