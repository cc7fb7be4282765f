"""Follows a running IPython shell: sees each cell before, while and after it runs."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable
from types import CodeType
from typing import Protocol

from IPython.core.compilerop import CachingCompiler
from IPython.core.interactiveshell import ExecutionInfo, ExecutionResult, InteractiveShell

from whence.staleness.notebook import Notebook
from whence.staleness.tracer import Run

Planter = Callable[[CodeType], CodeType]


class Listener(Protocol):
    """A function that is called whenever the highlights may have changed."""

    def __call__(self, notebook: Notebook) -> None: ...


class PlantingCompiler(CachingCompiler):
    """IPython's compiler, which passes its code through the planter of the current run."""

    planter: Planter | None = None
    number: int | None = None  # of the cell under way

    def cache(self, transformed_code: str, number: int = 0, raw_code: str | None = None) -> str:
        """Name the code of a cell, and note the number that the cell has in brackets.

        The shell's own counter may be one ahead by the time it calls a hook: newer versions of IPython count first.
        """
        self.number = number
        return super().cache(transformed_code, number, raw_code)

    def __call__(self, source: str, filename: str, symbol: str) -> CodeType:
        code: CodeType = super().__call__(source, filename, symbol)
        return code if self.planter is None else self.planter(code)


class _CellTransformer(ast.NodeTransformer):
    """The transformer that IPython calls with every tree that it is about to compile."""

    def __init__(self, follower: ShellFollower) -> None:
        self._follower = follower

    def visit(self, node: ast.AST) -> ast.AST:
        return self._follower.enter(node) if isinstance(node, ast.Module) else node


class ShellFollower:
    """Follows the cells an IPython shell runs."""

    def __init__(self, shell: InteractiveShell) -> None:
        self.shell = shell
        self.notebook = Notebook(shell.user_ns)
        self.listeners: list[Listener] = []
        self.is_watched = False  # whether a front end shows the highlights
        self.last: tuple[str | None, bool] = None, True  # the cell that ran last, and whether it succeeded
        self.prompts: dict[str, int] = {}  # the number in brackets that each cell got when it last ran
        self._pending: ExecutionInfo | None = None
        self._running: tuple[str, Run] | None = None
        self._compiler = type(shell.compile)
        self._transformer = _CellTransformer(self)

    def attach(self) -> None:
        """Start to follow the shell, by its events, an AST transformer and another compiler class."""
        # The shell offers no hook between compiling and running, and it looks up __call__ on the class.
        self.shell.compile.__class__ = PlantingCompiler
        self.shell.ast_transformers.append(self._transformer)
        self.shell.events.register("pre_run_cell", self.before)
        self.shell.events.register("post_run_cell", self.after)

    def detach(self) -> None:
        """Leave the shell as it was."""
        self.shell.events.unregister("pre_run_cell", self.before)
        self.shell.events.unregister("post_run_cell", self.after)
        self.shell.ast_transformers.remove(self._transformer)
        self.shell.compile.__class__ = self._compiler

    def edit(self, cell: str, text: str) -> None:
        """Record that a cell's text was changed in the browser."""
        self.notebook.edit(cell, self.shell.transform_cell(text))

    def run(self, cell: str) -> bool:
        """Run a cell from the kernel itself, where no front end can; its output goes to the cell that is running."""
        print(f"# cell {cell}")  # noqa: T201  # the reader must see where the output comes from
        result = self.shell.run_cell(self.notebook.cells[cell].text, cell_id=cell)
        return bool(result.success)

    def before(self, info: ExecutionInfo) -> None:
        """Remember the cell that IPython is about to parse and run. IPython calls this as an event."""
        self._pending = info

    def enter(self, tree: ast.Module) -> ast.Module:
        """Return the tree to compile, with probes if it is the first after `before`. Later ones come from magics."""
        info, self._pending = self._pending, None
        if info is None:
            return tree
        cell = info.cell_id or f"In[{self._number()}]"
        if info.transformed_cell is None:
            self.edit(cell, info.raw_cell or "")
        else:
            self.notebook.edit(cell, info.transformed_cell)
        text = None if info.transformed_cell is None else str(info.transformed_cell)
        if text is None or self.shell.ast_transformers != [self._transformer]:  # others may have changed the tree
            pristine = copy.deepcopy(tree)
            instrumented = self.notebook.prepare(tree, lambda: pristine)
        else:
            instrumented = self.notebook.prepare(tree, lambda: ast.parse(text), text)
        run, planter = self.notebook.begin(cell, instrumented, compares=self.is_watched)
        self._running = cell, run
        if isinstance(self.shell.compile, PlantingCompiler):
            self.shell.compile.planter = planter
        return instrumented.tree

    def _number(self) -> int:
        """Return the number in brackets of the current cell."""
        compiler = self.shell.compile
        counted = compiler.number if isinstance(compiler, PlantingCompiler) else None
        return self.shell.execution_count if counted is None else counted

    def after(self, result: ExecutionResult) -> None:
        """Finish the run of a cell, or note that it could not be parsed. IPython calls this as an event."""
        self._pending = None  # still set if the cell could not be parsed
        if isinstance(self.shell.compile, PlantingCompiler):
            self.shell.compile.planter = None
        error = result.error_in_exec or result.error_before_exec
        self.last = None, True
        if self._running is not None:
            cell, run = self._running
            self._running = None
            self.notebook.finish(cell, run, error)
            self.last = cell, error is None
            if result.execution_count is not None and result.info is not None and result.info.store_history:
                self.prompts[cell] = result.execution_count
        for listener in self.listeners:
            listener(self.notebook)
