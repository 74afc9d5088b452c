"""Who may import whom inside gatesolve, read from the source of every file."""

import ast
import re
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest
from syntax import list_nodes, read_tree

ROOT = Path(__file__).parents[2]
PACKAGE = "gatesolve"

# What every room may import: how a fault is said, what other packages add, the one way to read and write files.
SHARED = {"errors", "extensions", "files", "gate_sets"}
ROOMS = {path.parent.name for path in (ROOT / PACKAGE).glob("*/__init__.py")}


def rooms_told(text: str) -> set[str]:
    """The rooms that a sentence about imports names."""
    return set(re.findall(r"\w+", text)) & ROOMS


def read_table() -> dict[str, set[str]]:
    """Read CONTRIBUTING.md's table of what each room may import, the highest room first."""
    lines = re.findall(r"^\| (`.*) \| .* \| (.*) \|$", (ROOT / "CONTRIBUTING.md").read_text(), re.MULTILINE)
    told = {room: words for rooms, words in lines for room in re.findall(r"`(\w+)`", rooms) if room in ROOMS}
    names = list(told)
    return {
        room: {*names[names.index(room) + 1 :]} if words == "everything below" else rooms_told(words)
        for room, words in told.items()
    }


# Every room may also import itself and what is shared. The package and ``python -m gatesolve`` only open the door.
MAY_IMPORT: dict[str, set[str]] = {
    "errors": set(),
    "extensions": {"errors"},
    "files": {"errors"},
    "gate_sets": set(),
    "__init__": {"api", "adapters"},
    "__main__": {"cli"},
} | read_table()


# A module as text, for ``import_module``: of a registry, of an ``__init__`` that loads names when asked for them. Of a
# text that is put together, as an f-string, its constant start.
NAMED = re.compile(rf"{PACKAGE}\.\S*")
GROUP = re.compile(rf"{PACKAGE}\.(\w+)")


def is_module_named(text: str, module: tuple[str, ...]) -> bool:
    """Whether a text names a module. A group of entry points is called as no room is, or as the room that reads it."""
    if group := GROUP.fullmatch(text):
        return group[1] in MAY_IMPORT and group[1] not in module[1:2]
    return bool(NAMED.fullmatch(text))


def modules_named(tree: ast.AST, module: tuple[str, ...], is_package: bool) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Line and dotted name of everything a file imports or names as text, at any depth: in functions too."""
    for node in list_nodes(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, tuple(alias.name.split("."))) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base: tuple[str, ...] = ()
            if node.level:
                parents = node.level - 1 if is_package else node.level
                base = module[: len(module) - parents]
            base += tuple(node.module.split(".")) if node.module else ()
            yield from ((node.lineno, (*base, alias.name)) for alias in node.names)
        elif isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
            function, text = getattr(node.func, "attr", getattr(node.func, "id", "")), str(node.args[0].value)
            if function in {"import_module", "__import__"} and not is_module_named(text, module):
                first, *others = text.split(".")
                yield node.lineno, (first or PACKAGE, *others)
        elif isinstance(node, ast.JoinedStr) and node.values:
            text = str(getattr(node.values[0], "value", ""))
            if (text == PACKAGE or GROUP.fullmatch(text)) and not is_module_named(text, module):
                yield node.lineno, tuple(text.split("."))
        elif isinstance(node, ast.Constant) and is_module_named(str(node.value), module):
            yield node.lineno, tuple(re.split("[.:]", node.value))


def forbidden_imports(root: Path) -> list[str]:
    """Imports below ``root/gatesolve`` that the table does not allow, one line each."""
    found = []
    for path in sorted((root / PACKAGE).rglob("*.py")):
        place = path.relative_to(root).with_suffix("").parts
        is_package = place[-1] == "__init__"
        module = place[:-1] if is_package else place
        here = place[1]
        if here not in MAY_IMPORT:
            found.append(f"{path.relative_to(root)}: room {here} is not in the import table")
            continue
        for line, name in modules_named(read_tree(path), module, is_package):
            if name[0] == PACKAGE and (
                len(name) == 1 or name[1] not in MAY_IMPORT[here] | {here} | (set() if here in SHARED else SHARED)
            ):
                found.append(f"{path.relative_to(root)}:{line}: {here} may not import {'.'.join(name)}")
    return found


def circles(root: Path) -> list[str]:
    """A circle of modules below ``root/gatesolve`` that import each other, late imports counted, if there is one."""
    paths = {}
    for path in (root / PACKAGE).rglob("*.py"):
        place = path.relative_to(root).with_suffix("").parts
        paths[place[:-1] if place[-1] == "__init__" else place] = path
    graph = {}
    for module, path in paths.items():
        tree = read_tree(path)
        names = [name for _, name in modules_named(tree, module, path.name == "__init__.py")]
        # An import runs the packages around what it names too, but for those that the module itself is in.
        run = {name[:k] for name in names for k in range(len(name) + 1)} - {module[:k] for k in range(len(module))}
        graph[module] = run & set(paths) - {module}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return [" -> ".join(".".join(module) for module in error.args[1])]
    return []


def names_behind_the_door(path: Path) -> dict[str, tuple[str, ...]]:
    """What a room's ``__init__`` offers as ``_PUBLIC``, and the modules that have it."""
    assigned = [node for node in read_tree(path).body if isinstance(node, ast.Assign)]
    (offered,) = (node.value for node in assigned if getattr(node.targets[0], "id", "") == "_PUBLIC")
    return {name: tuple(module.split(".")) for module, names in ast.literal_eval(offered).items() for name in names}


def knowing_pipelines(root: Path) -> set[str]:
    """Modules below ``root/gatesolve`` that import from a pipeline's package, or what the room's door has from one."""
    room = root / PACKAGE / "pipelines"
    packages = {path.name for path in room.iterdir() if (path / "__init__.py").exists()}
    offered = names_behind_the_door(room / "__init__.py")
    found = set()
    for path in sorted((root / PACKAGE).rglob("*.py")):
        place = path.relative_to(root).with_suffix("").parts
        named = modules_named(read_tree(path), place, False)
        inside = [name for _, name in named if name[:2] == (PACKAGE, "pipelines") and len(name) > 2]
        reached = {offered.get(name[2], name)[2] for name in inside}
        own = {place[2]} if place[1] == "pipelines" else set()
        if reached & ((packages | {""}) - own):  # "" of a package whose name is put together
            found.add("/".join(place[1:]))
    return found


def test_every_import_goes_the_way_of_the_design():
    assert list((ROOT / PACKAGE).rglob("*.py"))
    assert forbidden_imports(ROOT) == []


def test_pipelines_are_known_only_through_the_registry():
    """And never by one another; type checkers need the options by name, and the room's door names what is public."""
    assert knowing_pipelines(ROOT) == {"pipelines/registry", "api/options", "pipelines/__init__"}


@pytest.mark.parametrize(
    ("file", "source"),
    [
        ("api/a.py", "from gatesolve.pipelines import search"),
        ("api/a.py", "def f():\n    import gatesolve.pipelines.one.run"),
        ("pipelines/a.py", "from . import search"),
        ("pipelines/two/a.py", "from gatesolve.pipelines import search"),
        ("api/a.py", "def f(name):\n    import_module(f'gatesolve.pipelines.{name}.run')"),
    ],
)
def test_a_pipeline_known_elsewhere_is_caught(tmp_path, file, source):
    offered = {"gatesolve.pipelines.plan": ("plan",), "gatesolve.pipelines.one.run": ("search",)}
    files = {
        "pipelines/__init__.py": f"_PUBLIC = {offered}",
        "pipelines/one/__init__.py": "from gatesolve.pipelines import search",
        "pipelines/two/__init__.py": "",
        "cli/a.py": "from gatesolve.pipelines import plan",
        file: source,
    }
    for name, text in files.items():
        path = tmp_path / PACKAGE / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    assert knowing_pipelines(tmp_path) == {"pipelines/__init__", file.removesuffix(".py")}


def test_no_modules_import_each_other():
    assert circles(ROOT) == []


def test_a_planted_circle_is_caught(tmp_path):
    folder = tmp_path / PACKAGE / "model"
    folder.mkdir(parents=True)
    (folder / "a.py").write_text("from gatesolve.model.b import x")
    (folder / "b.py").write_text("def f():\n    from gatesolve.model import a")
    (folder / "c.py").write_text("from gatesolve.model import a")
    (circle,) = circles(tmp_path)
    assert set(circle.split(" -> ")) == {"gatesolve.model.a", "gatesolve.model.b"}


def test_a_circle_through_a_package_is_caught(tmp_path):
    folder = tmp_path / PACKAGE / "api"
    (folder / "deep").mkdir(parents=True)
    (folder / "deep" / "__init__.py").write_text("from gatesolve.api.deep.run import f")
    (folder / "deep" / "run.py").write_text("from gatesolve.api.result import g")
    (folder / "deep" / "data.py").write_text("")
    (folder / "result.py").write_text("from gatesolve.api.deep.data import h")
    (circle,) = circles(tmp_path)
    assert "gatesolve.api.result" in circle


def test_the_table_has_every_room_and_goes_down_only():
    table = read_table()
    assert set(table) == ROOMS
    assert all(needs <= {*list(table)[place + 1 :]} for place, needs in enumerate(table.values()))


@pytest.mark.parametrize("room", sorted(ROOMS - {"api"}))
def test_each_room_says_what_it_may_import(room):
    text = ast.get_docstring(read_tree(ROOT / PACKAGE / room / "__init__.py")) or ""
    (said,) = re.findall(r"May\simport\s([^.;]*)[.;]|Imports\sno\sother\sroom\.", text)
    assert rooms_told(said) == MAY_IMPORT[room]


@pytest.mark.parametrize(
    ("file", "source"),
    [
        ("model/a.py", "import gatesolve.encodings"),
        ("model/a.py", "from gatesolve.puzzles import load"),
        ("model/a.py", "from gatesolve import encodings"),
        ("model/a.py", "import gatesolve"),
        ("model/a.py", "from .. import solve"),
        ("model/a.py", "from ..puzzles.kakuro import Kakuro"),
        ("model/__init__.py", "from ..oracle import x"),
        ("model/deep/a.py", "from ...encodings import x"),
        ("errors.py", "from gatesolve.model import Model"),
        ("pipelines/gas/a.py", "def f():\n    from gatesolve.api import solve"),
        ("devices/a.py", "if TYPE_CHECKING:\n    from gatesolve.puzzles import Puzzle"),
        ("circuit/a.py", "import importlib\nimportlib.import_module('gatesolve.model')"),
        ("circuit/__init__.py", "_PUBLIC = {'gatesolve.model.model': ('Model',)}"),
        ("pipelines/a.py", "RULES = ['gatesolve.puzzles.base:Puzzle']"),
        ("circuit/a.py", "A = {'Model': 'gatesolve.model'}\nimport_module(A['Model'])"),
        ("circuit/a.py", "def f(room):\n    import_module(f'gatesolve.{room}.calls')"),
        ("circuit/a.py", "def f(name):\n    import_module(f'gatesolve.model.{name}')"),
        ("circuit/a.py", "def f(dotted):\n    import_module(f'gatesolve{dotted}')"),
        ("circuit/a.py", "def f(rest):\n    import_module(f'gatesolve.mo{rest}')"),
        ("circuit/a.py", "def f(room):\n    import_module('gatesolve.' + room)"),
        ("circuit/a.py", "def f(room):\n    import_module('gatesolve.{}.calls'.format(room))"),
        ("circuit/a.py", "import_module('.model', 'gatesolve')"),
        ("api/a.py", "def f(room):\n    import_module(f'gatesolve.{room}.calls')"),
        ("cli/a.py", "from gatesolve.circuit import ops"),
        ("api/a.py", "from gatesolve.cli import app"),
        ("newcomer/a.py", "x = 1"),
        ("newcomer.py", "x = 1"),
    ],
)
def test_a_planted_bad_import_is_caught(tmp_path, file, source):
    path = tmp_path / PACKAGE / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(source)
    (fault,) = forbidden_imports(tmp_path)
    assert fault.startswith(f"{PACKAGE}/{file}:")


@pytest.mark.parametrize(
    ("file", "source"),
    [
        (
            "model/a.py",
            "from . import b\nfrom .b import c\nfrom gatesolve.model.b import d\nfrom gatesolve.errors import E",
        ),
        ("model/__init__.py", "from .a import x\nfrom ..errors import E"),
        ("oracle/a.py", "from gatesolve import encodings\nimport gatesolve.circuit.ops\nimport gatesolvents"),
        ("api/a.py", "import gatesolve.devices\nimport gatesolve.puzzles"),
        ("__init__.py", "from gatesolve.api.calls import solve"),
        ("__init__.py", "import_module(f'{__name__}.api.about')"),
        ("api/a.py", "def f(name):\n    import_module(f'gatesolve.pipelines.{name}.pipeline')"),
        ("encodings/a.py", "GROUP = 'gatesolve.encodings'"),
        ("circuit/a.py", "GROUP = 'gatesolve.rules'"),
        ("circuit/a.py", "def f(x):\n    return f'gatesolve {x}', f'gatesolve: {x}', f'gatesolve-{x}', 'gatesolve'"),
    ],
)
def test_good_imports_pass(tmp_path, file, source):
    path = tmp_path / PACKAGE / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(source)
    assert forbidden_imports(tmp_path) == []
