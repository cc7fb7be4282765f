"""Runs the Python code of a cell in the variables of a notebook, and returns the value of its last expression."""

from __future__ import annotations

import ast
import inspect

from IPython.core.interactiveshell import InteractiveShell

from whence.model.errors import NotSupported


class CellCode:
    """The code of one cell. Its file name is that of Jupyter, so that tracebacks show its lines."""

    def __init__(self, shell: InteractiveShell, text: str) -> None:
        code = shell.transform_cell(text)
        self.file = shell.compile.cache(code, shell.execution_count, raw_code=text)
        self._names = shell.user_ns
        self._body = ast.parse(code, self.file).body

    @property
    def last_variable(self) -> str | None:
        """The variable that the last line names, if it does nothing else."""
        last = self._last
        return last.id if isinstance(last, ast.Name) else None

    @property
    def last_line(self) -> int:
        """The line on which the last statement begins."""
        return self._body[-1].lineno if self._body else 0

    def run(self) -> object:
        """Run the code, and return the value of its last expression; None if it ends with a statement."""
        __tracebackhide__ = "__ipython_bottom__"  # a traceback begins in the cell
        self._refuse_await()
        last = self._last
        statements = self._body if last is None else self._body[:-1]
        exec(compile(ast.Module(statements, []), self.file, "exec"), self._names)
        return None if last is None else eval(compile(ast.Expression(last), self.file, "eval"), self._names)

    def _refuse_await(self) -> None:
        module = ast.Module(self._body, [])
        code = compile(module, self.file, "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
        if code.co_flags & inspect.CO_COROUTINE:
            raise NotSupported(
                "A cell with %%whence cannot use await outside a function.",
                "Await in a cell without the magic, and use the value here.",
            )

    @property
    def _last(self) -> ast.expr | None:
        last = self._body[-1] if self._body else None
        return last.value if isinstance(last, ast.Expr) else None
