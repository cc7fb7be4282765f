"""Runs the text of one cell after its prelude and exported functions, shows its last value and reports errors."""

from __future__ import annotations

import ast
import asyncio
import inspect
import os
import sys
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

import numpy  # noqa: F401 - warm before the first cell needs it
import pandas  # noqa: F401

from whence.model.parse_cell import parse_cell
from whence.notebook.workers.channel import Channel, Message
from whence.notebook.workers.inside.requests import Refused, Requests
from whence.notebook.workers.inside.show import AfterImport, Display
from whence.notebook.workers.inside.spark_session import MODULE as SPARK
from whence.notebook.workers.inside.spark_session import share_session
from whence.notebook.workers.inside.streams import CapturedStream, Output
from whence.notebook.workers.inside.trouble import remember_source, trouble
from whence.notebook.workers.inside.ws import CELL, Ws


def run(channel: Channel, task: Message, output_bytes: int) -> None:
    """Run the task, tell the server how it ended, and end the process."""
    given: Any = task
    output = Output(channel, output_bytes)
    sys.stdout, sys.stderr = CapturedStream(output, "stdout", 1), CapturedStream(output, "stderr", 2)
    display = Display(output)
    requests = Requests(channel, output, Path.cwd(), given.get("connect"))
    sys.meta_path.insert(0, AfterImport(display, {SPARK: share_session(lambda: requests.session)}))
    # As in a script, the code runs as `__main__`, and libraries that look that module up find its names.
    module = ModuleType("__main__")
    sys.modules["__main__"] = module
    module.__dict__.update(ws=Ws(given["datasets"], given["parameters"], requests), display=display)
    own = frozenset(name for name, _ in given["before"]) | {CELL}
    try:
        for name, source in given["before"]:
            _execute(source, name, module.__dict__)
        shown = _execute(given["source"], CELL, module.__dict__)
        if shown is not None:
            display(shown)
        display.figures()
        end: Message = {"t": "done"}
    except SystemExit as stop:
        end = {"t": "done"} if not stop.code else trouble(stop, own)
    except Refused as refused:
        end = {**trouble(refused, own), "kind": "Refused"}
    except BaseException as error:  # KeyboardInterrupt, too: the server sends it to stop the cell
        end = trouble(error, own)
    output.message(end)
    # At once, so that neither threads nor at-exit hooks of user code go on.
    os._exit(0)


def _execute(source: str, filename: str, namespace: dict[str, Any]) -> object:
    """Run a text and return the value of its last expression; None if a semicolon follows it."""
    remember_source(filename, source)
    tree = parse_cell(source, filename)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    _evaluate(_compiled(tree, filename, "exec"), namespace)
    if not isinstance(last, ast.Expr):
        return None
    value = _evaluate(_compiled(ast.Expression(last.value), filename, "eval"), namespace)
    return None if source.rstrip().endswith(";") else value


def _compiled(tree: ast.Module | ast.Expression, filename: str, mode: str) -> CodeType:
    # As in Jupyter, a cell may use `await` outside functions.
    code: CodeType = compile(tree, filename, mode, flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
    return code


def _evaluate(code: CodeType, namespace: dict[str, Any]) -> object:
    result = eval(code, namespace)
    return asyncio.run(result) if code.co_flags & inspect.CO_COROUTINE else result
