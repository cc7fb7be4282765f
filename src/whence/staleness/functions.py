"""The analysis of notebook functions. Each code object carries its own among its constants, so both live as long."""

from __future__ import annotations

import ast
from functools import cached_property, lru_cache, partial
from types import CodeType, FunctionType, MethodType

from whence.staleness.effects import Definition, read_effects
from whence.staleness.flow import Flow, analyse
from whence.staleness.objects import is_a
from whence.staleness.paths import Path
from whence.staleness.scopes import Function, local_names

_CATCHING = (ast.Try, ast.TryStar, ast.With, ast.AsyncWith)


class FunctionInfo:
    """The analysis of one `def` or lambda. Each property is computed once, on first use."""

    def __init__(self, node: Function, enclosing: frozenset[str] = frozenset()) -> None:
        self.node = node
        self.enclosing = enclosing

    @cached_property
    def local(self) -> frozenset[str]:
        """The names that inside the function do not refer to variables of the notebook."""
        return local_names(self.node, self.enclosing)

    @cached_property
    def body(self) -> list[ast.stmt]:
        """The statements that run when the function is called."""
        if isinstance(self.node, ast.Lambda):
            return [ast.copy_location(ast.Return(self.node.body), self.node.body)]
        return self.node.body

    @cached_property
    def flow(self) -> Flow:
        """The live reads and dead symbols of the body."""
        return analyse(self.body, self.local)

    @cached_property
    def touched(self) -> list[Path]:
        """The symbols of the notebook that the function passes to library code."""
        statements = [node for statement in self.body for node in ast.walk(statement) if isinstance(node, ast.stmt)]
        paths = {path for node in statements for path in read_effects(node, self.local).touched}
        return [path for path in paths if path.name not in self.local]

    @cached_property
    def catches(self) -> bool:
        """Whether the function may catch an exception."""
        return catches(self.node)

    @property
    def first_parameter(self) -> str | None:
        """The name of the first parameter, which is `self` for a method."""
        arguments = [*self.node.args.posonlyargs, *self.node.args.args]
        return arguments[0].arg if arguments else None

    def __reduce__(self) -> tuple[type[bool], tuple[()]]:
        """Pickle as False: libraries send functions to worker processes by value, and those need no analysis."""
        return bool, ()


def catches(node: ast.AST) -> bool:
    """Return whether code may go on after an exception: it has a `try`, or a `with`, which may suppress one."""
    return any(isinstance(inner, _CATCHING) for inner in ast.walk(node))


def info_of_code(code: CodeType) -> FunctionInfo | None:
    """Return the analysis that a code object carries; None for code that is not from the notebook."""
    last = code.co_consts[-1] if code.co_consts else None
    return last if isinstance(last, FunctionInfo) else None


def info_of_value(value: object) -> FunctionInfo | None:
    """Return the notebook function behind a callable: a method, partial, wrapper, class or callable object."""
    for _ in range(8):  # bounded, as the `__call__` of a built-in callable leads to another one for ever
        if is_a(value, FunctionType):
            info = info_of_code(value.__code__)
            wrapped = getattr(value, "__wrapped__", None)
            if info is not None and wrapped is None:
                return info
            value = wrapped
        elif is_a(value, MethodType):
            value = value.__func__
        elif is_a(value, partial):
            value = value.func
        elif is_a(value, type):
            value = class_member(value, "__init__")
        elif value is None:
            return None
        else:
            value = class_member(type(value), "__call__")
    return None


def class_member(owner: type, name: str) -> object:
    """Return a class attribute as written in the class body, without running descriptors."""
    found = next((vars(base)[name] for base in owner.__mro__ if name in vars(base)), None)
    if isinstance(found, staticmethod | classmethod):
        return found.__func__
    return found.fget if isinstance(found, property) else found


@lru_cache(maxsize=4096)
def info_of_definition(node: Definition) -> FunctionInfo | None:
    """Return the function of a definition in a cell that has not run yet; for a class, its `__init__`."""
    if isinstance(node, ast.ClassDef):
        methods = [item for item in node.body if isinstance(item, ast.FunctionDef) and item.name == "__init__"]
        return FunctionInfo(methods[0]) if methods else None
    return FunctionInfo(node)
