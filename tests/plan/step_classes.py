"""Every concrete step and operator class, and where source code asks for one by its class."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import whence
from whence.plan import steps
from whence.plan.step import Operator, Step

SOURCE = Path(whence.__file__).parent
PACKAGE = "whence.plan.steps"
ALLOWED = frozenset({"plan/steps/registry.py", "engine/read_plan.py", "engine/write_plan.py"})
"""The registry lists all operators; the plan reader and the plan writer stand at the edge to Spark's own classes."""


def operator_classes() -> list[type[Operator]]:
    """Every class of `plan/steps` that stands for an operator."""
    for module in iter_modules(steps.__path__):
        import_module(f"{PACKAGE}.{module.name}")
    return sorted(set(_below(Operator)) - {Step}, key=lambda each: each.__name__)


def step_classes() -> list[type[Step]]:
    """Every concrete step."""
    return [each for each in operator_classes() if issubclass(each, Step)]


def _below(cls: type[Operator]) -> Iterator[type[Operator]]:
    for each in cls.__subclasses__():
        if each.__module__.startswith(("whence.plan.steps.", "whence.plan.step")):
            yield each
        yield from _below(each)


def questions_of_class(text: str) -> list[str]:
    """The lines that ask whether a step is of an imported concrete class, or collect such classes."""
    tree = ast.parse(text)
    names = _imported(tree)
    names |= _aliases(tree, names)
    typed = _inside_brackets(tree)
    nodes = (node for node in ast.walk(tree) if node not in typed)
    asked = {node.lineno for node in nodes for each in _asked(node) if _mentions(each, names)}
    return [text.splitlines()[number - 1].strip() for number in sorted(asked)]


def _imported(tree: ast.AST) -> frozenset[str]:
    """The names under which a file knows concrete steps; a module of steps counts as its steps."""
    classes = {(each.__module__, each.__name__) for each in operator_classes()}
    found = set[str]()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            for each in node.names:
                if (node.module, each.name) in classes or node.module == PACKAGE:
                    found.add(each.asname or each.name)
        elif isinstance(node, ast.Import):
            found |= {each.asname or each.name.split(".")[0] for each in node.names if each.name.startswith(PACKAGE)}
    return frozenset(found)


def _inside_brackets(tree: ast.AST) -> frozenset[ast.AST]:
    """Everything in `tuple[...]`, `Callable[...]`: types that are named, and not asked for."""
    slices = (node.slice for node in ast.walk(tree) if isinstance(node, ast.Subscript))
    return frozenset(inner for each in slices for inner in ast.walk(each))


def _aliases(tree: ast.AST, names: frozenset[str]) -> frozenset[str]:
    """Names that are given to a step class itself."""
    assigned = (node for node in ast.walk(tree) if isinstance(node, ast.Assign) and _is_class(node.value, names))
    return frozenset(each.id for node in assigned for each in node.targets if isinstance(each, ast.Name))


def _asked(node: ast.AST) -> Iterator[ast.AST]:
    """What is asked for, or collected, at a node."""
    match node:
        case ast.Call(func=ast.Name(id="isinstance" | "issubclass"), args=[_, kinds]):
            yield kinds
        case ast.MatchClass(cls=kind):
            yield kind
        case ast.Compare(left=left, comparators=others):
            yield from (each for each in (left, *others) if not _is_made(each))
        case ast.Tuple(elts=elements) | ast.List(elts=elements) | ast.Set(elts=elements):
            yield from (each for each in elements if not isinstance(getattr(node, "ctx", None), ast.Store))
        case ast.Dict(keys=keys, values=values):
            yield from (each for each in (*keys, *values) if each is not None)
        case ast.Assign(value=ast.BinOp(op=ast.BitOr()) as union):
            yield union
        case ast.Attribute(attr="__class__" | "__name__", value=value):
            yield value


def _mentions(asked: ast.AST, names: frozenset[str]) -> bool:
    """A class is named: alone, in a union, or in a collection."""
    if isinstance(asked, ast.BinOp):
        return _mentions(asked.left, names) or _mentions(asked.right, names)
    if isinstance(asked, ast.Tuple | ast.List | ast.Set):
        return any(_mentions(each, names) for each in asked.elts)
    return _is_class(asked, names)


def _is_class(node: ast.AST, names: frozenset[str]) -> bool:
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name) and node.id in names


def _is_made(node: ast.AST) -> bool:
    return isinstance(node, ast.Call)


def violations() -> dict[str, list[str]]:
    """By file, every question of class outside the places that may ask; a step's own file does not import it."""
    files = {path.relative_to(SOURCE).as_posix(): path for path in sorted(SOURCE.rglob("*.py"))}
    found = {name: questions_of_class(path.read_text()) for name, path in files.items() if name not in ALLOWED}
    return {name: lines for name, lines in found.items() if lines}
