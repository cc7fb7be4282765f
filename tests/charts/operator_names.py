"""Every operator of the grammar, and where source code asks for one by its name or class."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import whence
from whence.charts.geoms.registry import GEOMS
from whence.charts.operator import Operator
from whence.charts.positions.registry import POSITIONS
from whence.charts.scales.registry import SCALES
from whence.charts.stats.registry import STATS

SOURCE = Path(whence.__file__).parent
REGISTRIES: Mapping[str, Mapping[str, Operator]] = {
    "geoms": GEOMS,
    "stats": STATS,
    "positions": POSITIONS,
    "scales": SCALES,
}
OPERATORS = [operator for registry in REGISTRIES.values() for operator in registry.values()]
NAMES = frozenset(operator.name for operator in OPERATORS)
CLASSES = frozenset((type(operator).__module__, type(operator).__name__) for operator in OPERATORS)

OTHER_WORDS = frozenset({"text", "time", "count", "quantile", "log", "pow", "linear", "density"})
"""Names that are also kinds of columns, functions, methods of a curve, or columns of marks."""
HOLDERS = frozenset({"geom", "stat", "pos", "position", "scale", "operator"})
"""What a variable is called that holds the name of an operator."""
TRANSLATORS = frozenset({"charts/vegalite.py", "charts/as_vegalite.py", "charts/plain.py"})
"""They read and write other languages, which have names of their own: the marks of Vega-Lite, the choices of a form."""


PAGE = Path(__file__).parents[2] / "web/src/charts"
SCENE_READERS = frozenset({"boxes.ts", "drawMarks.ts"})
"""They read what Vega has drawn, whose marks have types of their own."""


def questions(text: str) -> list[str]:
    """The lines that compare something with the name or class of an operator, or look it up by such a name."""
    tree = ast.parse(text)
    tables = _tables(tree)
    classes = _imported_classes(tree)
    asked = {
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.expr | ast.pattern) and (_names_one(node, tables) or _asks_class(node, classes))
    }
    return [text.splitlines()[number - 1].strip() for number in sorted(asked)]


def _tables(tree: ast.Module) -> Mapping[str, frozenset[str]]:
    """The texts in each collection that a module gives a name to."""
    found = {}
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                found[name] = frozenset(_texts(value, {}))
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                found[name] = frozenset(_texts(value, {}))
    return found


def _names_one(node: ast.AST, tables: Mapping[str, frozenset[str]]) -> bool:
    """Whether a name of an operator is compared with, matched, or used as the key of a table."""
    match node:
        case ast.Compare(left=left, comparators=others):
            sides = (left, *others)
            is_vega = any(_is_vega_type(side) for side in sides)
            holds = any(_holds_name(side) for side in sides)
            return not is_vega and any(_is_name(each, holds) for side in sides for each in _texts(side, tables))
        case ast.MatchValue(value=ast.Constant(value=str(text))):
            return _is_name(text, is_held=False)
        case ast.Subscript(value=ast.Name(id=table), slice=key) if _holds_name(key):
            return bool(tables.get(table, frozenset()) & NAMES)
        case ast.Call(func=ast.Attribute(value=ast.Name(id=table), attr="get"), args=[key, *_]) if _holds_name(key):
            return bool(tables.get(table, frozenset()) & NAMES)
    return False


def _texts(node: ast.AST, tables: Mapping[str, frozenset[str]]) -> Iterator[str]:
    match node:
        case ast.Constant(value=str(text)):
            yield text
        case ast.Tuple(elts=elements) | ast.List(elts=elements) | ast.Set(elts=elements):
            for each in elements:
                yield from _texts(each, tables)
        case ast.Dict(keys=keys):
            for key in keys:
                yield from () if key is None else _texts(key, tables)
        case ast.Call(func=ast.Name(id="frozenset" | "set" | "tuple" | "list"), args=[inner]):
            yield from _texts(inner, tables)
        case ast.Name(id=name):
            yield from tables.get(name, ())


def _is_name(text: str, is_held: bool) -> bool:
    return text in NAMES and (is_held or text not in OTHER_WORDS)


def _holds_name(node: ast.AST) -> bool:
    """Whether this is the name of an operator: `call.name`, or a variable that is called after one."""
    match node:
        case ast.Attribute(attr=attribute):
            return attribute == "name" or attribute in HOLDERS
        case ast.Name(id=name):
            return name in HOLDERS
    return False


def _is_vega_type(node: ast.AST) -> bool:
    """`mark["type"]` is the mark of Vega-Lite that a drawing consists of, not a geom."""
    return isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant) and node.slice.value == "type"


def _imported_classes(tree: ast.Module) -> frozenset[str]:
    return frozenset(
        each.asname or each.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for each in node.names
        if (node.module, each.name) in CLASSES
    )


def _asks_class(node: ast.AST, classes: frozenset[str]) -> bool:
    """Whether the class of an operator is used other than by making one."""
    match node:
        case ast.Call(func=ast.Name(id="isinstance" | "issubclass"), args=[_, kinds]):
            return any(isinstance(each, ast.Name) and each.id in classes for each in ast.walk(kinds))
        case ast.Compare(left=left, comparators=others):
            return any(isinstance(each, ast.Name) and each.id in classes for each in (left, *others))
        case ast.MatchClass(cls=ast.Name(id=name)):
            return name in classes
    return False


def importers() -> dict[str, list[str]]:
    """By file, the operator classes it imports, outside the package that defines them."""
    found = {}
    for name, text in _files().items():
        package = name.rpartition("/")[0].replace("/", ".")
        modules = {
            f"{node.module}.{each.name}"
            for node in ast.walk(ast.parse(text))
            if isinstance(node, ast.ImportFrom)
            for each in node.names
            if (node.module, each.name) in CLASSES and not str(node.module).startswith(f"whence.{package}.")
        }
        if modules:
            found[name] = sorted(modules)
    return found


def violations() -> dict[str, list[str]]:
    """By file, every question outside the places that may ask."""
    found = {name: questions(text) for name, text in _files().items() if not _may_ask(name)}
    return {name: lines for name, lines in found.items() if lines}


def _may_ask(name: str) -> bool:
    is_registry = name.startswith("charts/") and name.endswith("/registry.py")
    return is_registry or name in TRANSLATORS


def _files() -> dict[str, str]:
    """The files of the charts package, and every other that knows it."""
    texts = {path.relative_to(SOURCE).as_posix(): path.read_text() for path in sorted(SOURCE.rglob("*.py"))}
    return {name: text for name, text in texts.items() if name.startswith("charts/") or "whence.charts" in text}


def named_by_the_page() -> dict[str, list[str]]:
    """By file of the page, the operators that its code names; the server tells it which there are."""
    files = [path for path in sorted(PAGE.glob("*.ts*")) if ".test." not in path.name]
    found = {path.name: _quoted(path.read_text()) for path in files if path.name not in SCENE_READERS}
    return {name: words for name, words in found.items() if words}


def _quoted(text: str) -> list[str]:
    code = re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.DOTALL)
    return [word for word in re.findall(r'"(\w+)"', code) if _is_name(word, is_held=False)]
