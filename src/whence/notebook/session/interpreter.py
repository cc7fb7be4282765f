"""The server's side of a session's interpreter: a confined process that lives from its first cell until its end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import cast

from whence.engine.engine import Engine
from whence.model.dataset import DatasetRecord
from whence.notebook.cell import CellContext, CellResult
from whence.notebook.cell_error import CellError, CellFailed
from whence.notebook.control import RunControl
from whence.notebook.python.answers import CellAnswers, Earlier
from whence.notebook.python.conversation import Answer, Answers, Conversation
from whence.notebook.python.keep import keep
from whence.notebook.python.spark import SparkForCells
from whence.notebook.schedule.shared_cells import SessionCellRun
from whence.notebook.workers.channel import Message
from whence.notebook.workers.pool import Pool
from whence.notebook.workers.process import Worker, WorkerLost
from whence.staleness.highlights import Highlights
from whence.staleness.notebook import Notebook
from whence.staleness.upstream import Upstream

Page = Sequence[tuple[str, str]]
"""The Python cells of the notebook with their texts, from top to bottom."""

GRACE = 5.0
"""Seconds that a cancelled cell has to stop before its process is killed and all variables are lost."""


class Interpreter:
    """The interpreter of a session: at most one process, started by the first run. Not safe for several threads."""

    def __init__(self, pool: Pool, engine: Engine) -> None:
        self._pool = pool
        self._engine = engine
        self._worker: Worker | None = None
        self._spark = SparkForCells(engine)
        self._earlier: dict[str, DatasetRecord] = {}
        self._in_python: dict[str, DatasetRecord] = {}
        self.highlights = Highlights()
        """The stale, fresh and refresher cells after the last run or look."""

    @property
    def is_running(self) -> bool:
        """Whether there is a process, which may hold variables."""
        return self._worker is not None and self._worker.is_alive

    def run(self, context: CellContext, cell: str, page: Page) -> SessionCellRun:
        """Run a cell with its text on the page. What it assigned becomes datasets if it ends well."""
        ran = SessionCellRun()
        try:
            self._run(context, cell, page, ran)
        except BaseException as error:
            ran.error = error
        if not self.is_running:
            self.end()
        return ran

    def look(self, page: Page) -> Highlights:
        """Judge the cells by the texts on the page, and return which are stale, fresh or refreshers."""
        if self.is_running:
            self._talk({"t": "look", "page": list(page)}, RunControl())
        return self.highlights

    def upstream(self, cell: str, page: Page) -> Upstream:
        """Return the cells to run, in order and this one last, so that it uses nothing out of date."""
        if cell not in dict(page):
            return Upstream((cell,))
        if not self.is_running:
            return _with_no_variables(cell, page)
        heard = self._talk({"t": "upstream", "cell": cell, "page": list(page)}, RunControl())
        return Upstream(tuple(cast("list[str]", heard["cells"])), tuple(cast("list[str]", heard["unresolved"])))

    def end(self) -> None:
        """End the process. All variables are lost."""
        worker, self._worker = self._worker, None
        if worker is not None:
            worker.kill()
            worker.remove_files()
        self._spark.close()
        self._spark = SparkForCells(self._engine)
        self._earlier, self._in_python = {}, {}
        self.highlights = Highlights()

    def _run(self, context: CellContext, cell: str, page: Page, ran: SessionCellRun) -> None:
        worker = self._started()
        earlier = Earlier(tuple(self._earlier.values()), tuple(self._in_python.values()))
        answers = CellAnswers(context, self._spark, before=earlier)
        listener = _Listener(self, answers)
        conversation = Conversation(worker, listener, context.run, GRACE)
        task: Message = {
            "t": "run",
            "shared": True,
            "cell": cell,
            "page": list(page),
            "parameters": dict(context.parameters),
            "datasets": list(context.scope),
        }
        try:
            conversation.run(task)
        finally:
            # Also if the cell failed: what it had read until then may be in a variable.
            self._earlier |= {record.label: record for record in answers.reads.values()}
            self._in_python |= {record.label: record for record in answers.in_python.values()}
            ran.displays, ran.showed = conversation.displays, listener.showed
        text = dict(page)[cell]
        made = {each.name: keep(context, self._spark, each, worker.folder, text) for each in answers.made.values()}
        # The process lives on, so the files of its cells would pile up.
        for file in worker.folder.glob("*.arrow"):
            with suppress(OSError):
                file.unlink()
        reads = {record.name for record in answers.reads.values()} | answers.used
        ran.result = CellResult(
            datasets=made,
            dropped=frozenset(answers.dropped),
            parameters=answers.parameters,
            functions=answers.functions,
            displays=ran.displays,
            reads=frozenset(reads),
        )

    def _talk(self, task: Message, control: RunControl) -> Mapping[str, object]:
        assert self._worker is not None
        listener = _Listener(self, None)
        try:
            Conversation(self._worker, listener, control, GRACE).run({**task, "shared": True})
        except CellFailed:
            self.end()
            raise
        return listener.found

    def _started(self) -> Worker:
        if self._worker is None or not self._worker.is_alive:
            self.end()
            try:
                self._worker = self._pool.take()
            except WorkerLost as lost:
                hint = "Try again; `whence doctor` may know more."
                raise CellFailed(CellError(str(lost), hint, kind="WorkerLost")) from lost
        return self._worker


class _Listener:
    """Handles the messages of a shared interpreter that are no requests of a cell, and passes on the others."""

    def __init__(self, interpreter: Interpreter, answers: Answers | None) -> None:
        self._interpreter = interpreter
        self._answers = answers
        self.showed = False
        self.found: Mapping[str, object] = {}

    def answer(self, message: Message) -> Answer | None:
        """Return the answer to one message; None if it needs none."""
        match message["t"]:
            case "looked":
                self._interpreter.highlights = _highlights(message)
            case "found":
                self.found = message
            case "showed":
                self.showed = True
            case _:
                if self._answers is None:
                    raise ValueError("no cell runs")
                return self._answers.answer(message)
        return None


def _with_no_variables(cell: str, page: Page) -> Upstream:
    """Return the cells to run before a cell in an interpreter without variables, judged by the texts alone."""
    notebook = Notebook({})
    for each, text in page:
        notebook.edit(each, text)
    return notebook.upstream(cell)


def _highlights(message: Message) -> Highlights:
    def cells(key: str) -> frozenset[str]:
        return frozenset(str(each) for each in cast("list[str]", message[key]))

    def words(key: str) -> dict[str, str]:
        return {str(cell): str(said) for cell, said in cast("dict[str, str]", message[key]).items()}

    missing = cast("dict[str, list[str]]", message["would_fail"])
    return Highlights(
        stale=cells("stale"),
        fresh=cells("fresh"),
        refresher=cells("refresher"),
        new_fresh=cells("new_fresh"),
        new_refresher=cells("new_refresher"),
        would_fail={str(cell): tuple(str(name) for name in names) for cell, names in missing.items()},
        again=words("again"),
        reasons=words("reasons"),
    )
