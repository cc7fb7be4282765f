"""Loads tables that Spark reads: from its catalog, and from databases through JDBC."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path

from whence.engine.engine import Engine
from whence.engine.frames import Frame
from whence.engine.tables import catalog_table, jdbc_table, table_version
from whence.engine.watch import report_progress
from whence.engine.worker.write_parts import OutputLayout
from whence.loading.credentials import secret, without_secrets
from whence.loading.delimited import Parts
from whence.loading.header import clean_names
from whence.loading.load import LoadRequest, publish
from whence.loading.parquet_file import ParquetTable
from whence.loading.problem_table import Problems, as_problems
from whence.loading.problems import of_column, quoted
from whence.loading.progress import Progress
from whence.loading.publish import draft_of_parts_alone
from whence.loading.read_typed import rewrite_typed
from whence.loading.report import LoadReport, SourceFacts
from whence.loading.typed_rows import TypedRows
from whence.model.dataset import DatasetRecord
from whence.model.errors import BadInput, WhenceError
from whence.store.draft import Draft
from whence.store.runs import Run
from whence.store.store import Store


@dataclass(frozen=True)
class Credentials:
    """References to a user name and a password, never the values."""

    user_from: str | None = None
    password_from: str | None = None

    def look_up(self) -> dict[str, str]:
        """Return the user name and the password, for one use."""
        named = (("user", self.user_from), ("password", self.password_from))
        return {what: secret(reference, what) for what, reference in named if reference is not None}


def load_catalog_table(store: Store, engine: Engine, name: str, request: LoadRequest) -> DatasetRecord:
    """Load a table of Spark's catalog. The report names its version."""
    assert request.table is not None
    frame = catalog_table(engine.session, request.table)
    source = SourceFacts(f"table {request.table}", "", 0, table_version(engine.session, request.table))
    return publish(store, name, lambda run: draft_of_frame(engine, run, frame, source, request))


def load_jdbc_table(
    store: Store, engine: Engine, url: str, name: str, request: LoadRequest, credentials: Credentials
) -> DatasetRecord:
    """Load a table of a database through JDBC."""
    if request.table is None:
        raise BadInput("A database needs table=, the table to load.", 'For example: table="public.orders".')
    if re.search(r"(?i)(password|passwd|pwd|user|uid)\s*=|://[^/]*@", url):
        raise BadInput(
            "The address of a database must not hold a user or password.",
            'Say where they are: user_from="ENV:DB_USER", password_from="ENV:DB_PASSWORD".',
        )
    found = credentials.look_up()
    source = SourceFacts(f"{re.split('[;?]', url)[0]} table {request.table}", "", 0)
    try:
        return publish(
            store,
            name,
            lambda run: draft_of_frame(
                engine, run, jdbc_table(engine.session, url, request.table or "", found), source, request
            ),
        )
    # A driver may raise anything, and its message may contain the password it was given.
    except Exception as error:
        reason = error.message if isinstance(error, WhenceError) else _first_line(str(error))
        sentence = without_secrets(reason, list(found.values()))
    # Raised here and not above: the error of the database, which may repeat what it was given, is not passed on.
    raise BadInput(f"The table {request.table} cannot be loaded: {sentence}", "Check address, table and credentials.")


def draft_of_frame(engine: Engine, run: Run, frame: Frame, source: SourceFacts, request: LoadRequest) -> Draft:
    """Let Spark's tasks write the rows as parts, in the order in which they come, and return the draft."""
    if set(request.options.as_document()) - {"types"}:
        raise BadInput("Options for text are not for tables that Spark reads.", "Leave them out.")
    originals = list(frame.columns)
    names = clean_names(originals)
    problems = [
        of_column(name, "renamed", f"The name {quoted(original)} cannot be used; the column is {name}.", original)
        for original, name in zip(originals, names, strict=True)
        if original != name
    ]
    layout = OutputLayout(tuple(names), (), False, False, 0)
    with report_progress(engine.session, None if request.report is None else Progress(request.report).step, "reading"):
        outcome = engine.run(frame.toDF(*names), layout, run.staging / "parts")
    report = LoadReport(outcome.rows, problems, "", None, source, header=tuple(originals))
    read = Parts(outcome.parts, report, frozenset())
    if request.key is not None or request.options.types:
        read = _judged(run, read, request)
    return draft_of_parts_alone(read, f"load {source.path}")


def _judged(run: Run, read: Parts, request: LoadRequest) -> Parts:
    """Return the same rows in the types that the user gave, and with the key checked."""
    files = [Path(part.path) for part in read.parts]
    rows = TypedRows([ParquetTable(file) for file in files])
    again = rewrite_typed(rows, run.staging / "judged", read.report.source, request.options.types, request.key)
    for file in files:
        file.unlink()
    both = Problems.joined([as_problems(read.report.problems), as_problems(again.report.problems)])
    return replace(again, report=replace(again.report, problems=both, header=read.report.header))


def _first_line(text: str) -> str:
    return next((line.strip() for line in text.splitlines() if line.strip()), "no reason given")
