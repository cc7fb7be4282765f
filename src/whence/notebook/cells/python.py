"""The `python` cell kind: runs code in a confined process of its own."""

from __future__ import annotations

from dataclasses import replace

from whence.model.errors import UserError
from whence.model.parameter import Parameter
from whence.notebook.cell import CellContext, CellKind, CellResult, Function, Values
from whence.notebook.cell_error import CellError, CellFailed
from whence.notebook.footprint import Footprint
from whence.notebook.python.answers import CellAnswers
from whence.notebook.python.conversation import Conversation
from whence.notebook.python.keep import keep
from whence.notebook.python.predict import PRELUDE, free_names, mentions_workspace, predict
from whence.notebook.python.spark import SparkForCells
from whence.notebook.workers.channel import Message
from whence.notebook.workers.pool import Pool
from whence.notebook.workers.process import Worker, WorkerLost
from whence.plan.expr import QUESTIONS


class Python(CellKind):
    """Run code that reads datasets by `ws["name"]` and makes them by assigning. It is confined.

    If it fails, it makes no dataset.
    """

    name = "python"
    title = "Python"
    group = "Query"
    parameters = (
        Parameter("source", "text", "the code", is_required=True),
        Parameter("prelude", "flag", "run it before every Python cell below, as for imports"),
    )

    def check(self, values: Values) -> None:
        super().check(values)
        if values.get("prelude") and mentions_workspace(str(values["source"])):
            raise UserError("A prelude cannot use ws.", "It is for imports and functions that cells below share.")

    def to_python(self, values: Values) -> str:
        return str(values.get("source") or "")

    def footprint(self, values: Values) -> Footprint:
        source = str(values.get("source") or "")
        found = replace(predict(source), reads_marks=any(name in source for name in QUESTIONS))
        if values.get("prelude"):
            return Footprint(found.reads, frozenset({PRELUDE}))
        return found

    def run(self, context: CellContext, values: Values) -> CellResult:
        source = str(values["source"])
        # Without a pool of the notebook, one for this cell alone: it keeps no worker in reserve.
        pool = context.workers or Pool(context.store.layout.temporary, kept=0)
        try:
            worker = pool.take()
        except WorkerLost as lost:
            raise CellFailed(
                CellError(str(lost), "Try again; `whence doctor` may know more.", kind="WorkerLost")
            ) from lost
        try:
            return _run(context, worker, source, is_prelude=bool(values.get("prelude")))
        finally:
            worker.kill()
            worker.remove_files()
            if context.workers is None:
                pool.close()


def _run(context: CellContext, worker: Worker, source: str, *, is_prelude: bool) -> CellResult:
    spark = SparkForCells(context.engine)
    try:
        return _talk(context, spark, worker, source, is_prelude=is_prelude)
    finally:
        spark.close()


def _talk(context: CellContext, spark: SparkForCells, worker: Worker, source: str, *, is_prelude: bool) -> CellResult:
    needed = _needed(context, source)
    answers = CellAnswers(context, spark)
    conversation = Conversation(worker, answers, context.run)
    conversation.run(_task(context, source, needed))
    # Before its files are read: a process that is gone cannot change them any more.
    worker.kill()
    context.run.check()
    datasets = {each.name: keep(context, spark, each, worker.folder, source) for each in answers.made.values()}
    functions = answers.functions | ({PRELUDE: Function(PRELUDE, source)} if is_prelude else {})
    reads = {record.name for record in answers.reads.values()} | answers.used | {each.name for each in needed}
    return CellResult(
        datasets=datasets,
        dropped=frozenset(answers.dropped),
        parameters=answers.parameters,
        functions=functions,
        displays=conversation.displays,
        reads=frozenset(reads),
    )


def _needed(context: CellContext, source: str) -> list[Function]:
    """Return the prelude, and the exported functions whose names the text uses."""
    try:
        free = free_names(source)
    except (SyntaxError, ValueError):  # the worker tells the user, with the line
        free = frozenset()
    prelude = [context.functions[PRELUDE]] if PRELUDE in context.functions else []
    return prelude + [each for name, each in context.functions.items() if name != PRELUDE and each.name in free]


def _task(context: CellContext, source: str, needed: list[Function]) -> Message:
    return {
        "t": "run",
        "source": source,
        "before": [[each.name if each.name == PRELUDE else f"<{each.name}>", each.source] for each in needed],
        "parameters": dict(context.parameters),
        "datasets": list(context.scope),
    }
