"""Runs the text of a cell in a namespace exactly as plain Python would, while the notebook follows the run."""

from __future__ import annotations

import ast
import asyncio
import inspect
import io
import linecache
import zlib
from collections.abc import Callable
from contextlib import redirect_stdout
from dataclasses import dataclass, replace
from types import CodeType, TracebackType

from whence.model.parse_cell import parse_cell
from whence.staleness.notebook import Notebook

MAX_SOURCES = 2000  # texts kept for tracebacks, so that memory stays bounded however long the session
_FLAGS = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT


@dataclass(frozen=True, slots=True)
class RunResult:
    """The result of a run: `output` is what it printed, then its last expression as Python shows it."""

    ok: bool
    error: BaseException | None = None
    output: str = ""
    notices: tuple[str, ...] = ()  # what the user should know about this run, each one sentence


def execute(notebook: Notebook, cell: str) -> RunResult:
    """Run a cell and capture its output. Errors of its code are in the result, not raised."""
    output = io.StringIO()
    with redirect_stdout(output):
        result = execute_showing(notebook, cell, lambda value: output.write(f"{value!r}\n"))
    notebook.cells[cell].output = output.getvalue() if result.ok else None
    return replace(result, output=output.getvalue())


def execute_showing(notebook: Notebook, cell: str, show: Callable[[object], object]) -> RunResult:
    """Run a cell and pass the value of its last expression to `show`, unless it is None. Printing is not captured."""
    text = notebook.cells[cell].text
    filename = register_source(cell, text)
    try:
        instrumented = notebook.prepare(parse_cell(text, filename), lambda: parse_cell(text), text)
        last = _take_last_expression(instrumented.tree)
        body, value = _compile(instrumented.tree, last, filename)
    except (SyntaxError, ValueError, RecursionError) as unreadable:
        return RunResult(ok=False, error=unreadable)
    again = notebook.repeats(cell)
    run, planted = notebook.begin(cell, instrumented)
    error: BaseException | None = None
    try:
        _evaluate(planted(body), notebook.namespace)
        if value is not None:
            shown = _evaluate(planted(value), notebook.namespace)
            if shown is not None:
                show(shown)
    except BaseException as raised:
        error = raised.with_traceback(_own_frames_dropped(raised.__traceback__))
        if not isinstance(raised, Exception | SystemExit):
            raise  # an interrupt is meant for whoever drives the session
    finally:
        notebook.finish(cell, run, error)
    return RunResult(error is None, error, notices=_notices(cell, again))


def _notices(cell: str, again: str) -> tuple[str, ...]:
    return (f"cell {cell} {again.replace('would start', 'started', 1).replace('has', 'had', 1)}",) if again else ()


def register_source(cell: str, text: str) -> str:
    """Register a cell's text under a file name for tracebacks and `inspect`, and return it. Equal texts share it."""
    filename = f"<cell {cell} {zlib.crc32(text.encode()):08x}>"
    linecache.cache.pop(filename, None)  # so that the order of the cache is that of use
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    if len(linecache.cache) > MAX_SOURCES:  # then half of ours go, so that few runs have to look through them
        ours = [known for known in linecache.cache if known.startswith("<cell ")]
        for old in ours[: -MAX_SOURCES // 2]:
            del linecache.cache[old]
    return filename


def _take_last_expression(tree: ast.Module) -> ast.Expression | None:
    if tree.body and isinstance(tree.body[-1], ast.Expr):
        last = tree.body.pop()
        return ast.Expression(last.value) if isinstance(last, ast.Expr) else None
    return None


def _compile(tree: ast.Module, last: ast.Expression | None, filename: str) -> tuple[CodeType, CodeType | None]:
    # `dont_inherit`: the `from __future__` import of this module must not apply to the user's code.
    body = compile(tree, filename, "exec", flags=_FLAGS, dont_inherit=True)
    return body, compile(last, filename, "eval", flags=_FLAGS, dont_inherit=True) if last is not None else None


def _evaluate(code: CodeType, namespace: dict[str, object]) -> object:
    result: object = eval(code, namespace)  # running the user's code is what a notebook is for
    if code.co_flags & inspect.CO_COROUTINE and inspect.iscoroutine(result):
        return asyncio.run(result)
    return result


def _own_frames_dropped(traceback: TracebackType | None) -> TracebackType | None:
    """Return the traceback from the first frame of the user's code on."""
    while traceback is not None and not traceback.tb_frame.f_code.co_filename.startswith("<cell "):
        traceback = traceback.tb_next
    return traceback
