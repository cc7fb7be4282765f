"""Probes: objects in compiled code that report once when control reaches them, and then cost next to nothing.

In the syntax tree a probe is a constant string that no program contains. After compilation, `plant` replaces the
string among the code's constants by the probe. So no name appears in the user's namespace or in builtins.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Mapping
from types import CodeType, FrameType, SimpleNamespace
from typing import Generic, TypeVar

from whence.staleness.functions import FunctionInfo

_PREFIX = "\0whence probe "
Site = TypeVar("Site")


class Probe(Generic[Site]):
    """Reports the first time that control reaches it. Setting `on` arms it again."""

    __slots__ = ("on", "report", "site")

    def __init__(self, site: Site, report: Callable[[Probe[Site], FrameType], None]) -> None:
        self.on = True
        self.site = site
        self.report = report

    def hit(self) -> None:
        """Report and switch off. The instrumented code calls this while the probe is on."""
        self.on = False  # first: the report must not start another one
        self.report(self, sys._getframe(1))  # noqa: SLF001  # the documented way to reach the caller

    def __reduce__(self) -> tuple[type[SimpleNamespace], tuple[()], dict[str, bool]]:
        """Pickle as an object that is off, so that functions run in processes without this package, too."""
        return SimpleNamespace, (), {"on": False}


def placeholder(number: int) -> str:
    """Return the constant that stands for a probe until the tree is compiled."""
    return f"{_PREFIX}{number}"


def check_statement(number: int, near: ast.stmt | ast.expr) -> ast.stmt:
    """Return the statement `if probe.on: probe.hit()`."""
    test, call = _test_and_call(number)
    node = ast.If(test=test, body=[ast.Expr(call)], orelse=[])
    return _locate(node, near)


def check_expression(number: int, value: ast.expr) -> ast.expr:
    """Return `(probe.on and probe.hit()) or value`, which is always the value, as `hit` returns None."""
    test, call = _test_and_call(number)
    guard = ast.BoolOp(ast.And(), [test, call])
    return _locate(ast.BoolOp(ast.Or(), [guard, value]), value)


def call_statement(number: int, method: str, argument: int, near: ast.stmt) -> ast.stmt:
    """Return the statement `planted.method(argument)`."""
    function = ast.Attribute(ast.Constant(placeholder(number)), method, ast.Load())
    return _locate(ast.Expr(ast.Call(function, [ast.Constant(argument)], [])), near)


def _test_and_call(number: int) -> tuple[ast.expr, ast.expr]:
    test = ast.Attribute(ast.Constant(placeholder(number)), "on", ast.Load())
    function = ast.Attribute(ast.Constant(placeholder(number)), "hit", ast.Load())
    return test, ast.Call(function, [], [])


Node = TypeVar("Node", bound=ast.stmt | ast.expr)


def _locate(node: Node, near: ast.stmt | ast.expr) -> Node:
    """Give new nodes the line numbers of old ones, so that tracebacks read as before."""
    for child in ast.walk(node):
        if isinstance(child, ast.stmt | ast.expr) and not hasattr(child, "lineno"):
            ast.copy_location(child, near)
    return node


def plant(code: CodeType, planted: Mapping[int, object], functions: list[FunctionInfo], owner: object) -> CodeType:
    """Return compiled code with the probes among its constants, and each function's analysis as its last constant.

    The last constant of the cell's own code is `owner`, by which the tracer recognises its frames.
    """
    by_text = {placeholder(number): probe for number, probe in planted.items()}
    pending: dict[tuple[int, str], list[FunctionInfo]] = {}
    for info in functions:
        pending.setdefault(_place(info), []).append(info)
    ready = _plant(code, by_text, pending)
    return ready.replace(co_consts=(*ready.co_consts, owner))


def _plant(
    code: CodeType, by_text: Mapping[str, object], pending: dict[tuple[int, str], list[FunctionInfo]]
) -> CodeType:
    constants: list[object] = []
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            constants.append(_plant(constant, by_text, pending))
        elif isinstance(constant, str):
            constants.append(by_text.get(constant, constant))
        else:
            constants.append(constant)
    infos = pending.get((code.co_firstlineno, code.co_name))
    if infos:
        constants.append(infos.pop(0) if len(infos) > 1 else infos[0])
    return code.replace(co_consts=tuple(constants))


def _place(info: FunctionInfo) -> tuple[int, str]:
    node = info.node
    if isinstance(node, ast.Lambda):
        return node.lineno, "<lambda>"
    first = node.decorator_list[0] if node.decorator_list else node
    return first.lineno, node.name
