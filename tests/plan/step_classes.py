"""Every concrete step and operator class, and where source code asks for one by its class."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import TypeGuard

import whence
from whence.plan import steps
from whence.plan.step import Operator, Step

SOURCE = Path(whence.__file__).parent
PACKAGE = "whence.plan.steps"
ALLOWED = frozenset({"plan/steps/registry.py", "engine/parse_plan.py", "engine/write_plan.py"})
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
    """The lines that use an imported concrete class for more than making a step of it, naming a type or inheriting.

    A class that is handed on, collected, compared or matched is a question of class, whatever form it takes; so is the
    name of a class as text.
    """
    tree = ast.parse(text)
    names = _imported(tree)
    used = (node for node in ast.walk(tree) if _is_class(node, names)) if names else ()
    asked = {node.lineno for node in (*_left_over(used, tree), *_names_as_text(tree))}
    return [text.splitlines()[number - 1].strip() for number in sorted(asked)]


def _left_over(used: Iterable[ast.Name], tree: ast.AST) -> list[ast.Name]:
    """Without the classes that are made or named."""
    found = list(used)
    allowed = _instantiated_classes(tree) | _annotated_classes(tree) if found else frozenset()
    return [node for node in found if node not in allowed]


def _imported(tree: ast.AST) -> frozenset[str]:
    """The names under which a file knows concrete steps; a module of steps counts as its steps."""
    found = set[str]()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            found |= {each.asname or each.name for each in node.names if _gives_steps(node.module, each.name)}
        elif isinstance(node, ast.Import):
            found |= {each.asname or each.name.split(".")[0] for each in node.names if each.name.startswith(PACKAGE)}
    return frozenset(found)


@cache
def _gives_steps(module: str, name: str) -> bool:
    """A name of a module is a concrete step, a module of steps, or the package of all; also by way of other modules."""
    if module == PACKAGE or f"{module}.{name}" == PACKAGE or (module, name) in _defined():
        return True
    origin = _imports(module).get(name) if module.startswith("whence.") else None
    return origin is not None and _gives_steps(*origin)


@cache
def _defined() -> frozenset[tuple[str, str]]:
    return frozenset((each.__module__, each.__name__) for each in operator_classes())


@cache
def _imports(module: str) -> dict[str, tuple[str, str]]:
    """For each name that a module imports from another one, that module and the name there."""
    path = SOURCE.joinpath(*module.split(".")[1:]).with_suffix(".py")
    nodes = ast.parse(path.read_text()).body if path.exists() else []
    imports = ((str(node.module), each) for node in nodes if isinstance(node, ast.ImportFrom) for each in node.names)
    return {each.asname or each.name: (origin, each.name) for origin, each in imports}


def _instantiated_classes(tree: ast.AST) -> frozenset[ast.AST]:
    """Classes of which an instance is made, or a constructor of their own is called."""
    called = (node.func for node in ast.walk(tree) if isinstance(node, ast.Call))
    return frozenset(inner for each in called for inner in ast.walk(each) if _is_reference(each))


def _annotated_classes(tree: ast.AST) -> frozenset[ast.AST]:
    """Everything in annotations, bases of classes and the brackets of generic types: classes that are only named."""
    named: list[ast.AST | None] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.arg | ast.AnnAssign):
            named.append(node.annotation)
        elif isinstance(node, ast.FunctionDef):
            named.append(node.returns)
        elif isinstance(node, ast.ClassDef):
            named += node.bases
        elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load) and _names_type(node):
            named.append(node.slice)
    return frozenset(inner for each in named if each is not None for inner in ast.walk(each))


def _names_type(node: ast.Subscript) -> bool:
    """Brackets of a generic type; those of a union stand for the classes in them."""
    return isinstance(node.value, ast.Name) and node.value.id in (
        "list",
        "tuple",
        "dict",
        "set",
        "frozenset",
        "Callable",
    )


def _names_as_text(tree: ast.AST) -> Iterator[ast.expr]:
    """Comparisons of the name of a class, as in `type(step).__name__ == "Sort"`."""
    classes = {name for _, name in _defined()}
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare) and any(_is_name_of_class(each) for each in (node.left, *node.comparators)):
            texts = (each.value for each in ast.walk(node) if isinstance(each, ast.Constant))
            if classes & {each for each in texts if isinstance(each, str)}:
                yield node


def _is_name_of_class(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and node.attr in ("__name__", "__qualname__")


def _is_class(node: ast.AST, names: frozenset[str]) -> TypeGuard[ast.Name]:
    """A reference to a concrete step, alone or through its module."""
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in names


def _is_reference(node: ast.AST) -> bool:
    """A name, or a name with attributes, which are not those by which a class is asked for."""
    while isinstance(node, ast.Attribute) and node.attr not in ("__class__", "__name__", "__subclasscheck__"):
        node = node.value
    return isinstance(node, ast.Name)


def violations() -> dict[str, list[str]]:
    """By file, every question of class outside the places that may ask; a step's own file does not import it."""
    files = {path.relative_to(SOURCE).as_posix(): path for path in sorted(SOURCE.rglob("*.py"))}
    # Reading a file takes longer than all else: one that names no step and no module of steps cannot ask.
    names = re.compile(rf"plan\.steps|plan import|\b({'|'.join(name for _, name in _defined())})\b")
    texts = {name: path.read_text() for name, path in files.items() if name not in ALLOWED}
    found = {name: questions_of_class(text) for name, text in texts.items() if names.search(text)}
    return {name: lines for name, lines in found.items() if lines}
