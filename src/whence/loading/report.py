"""The report on one load: what was in the file and what happened to it. It is stored with the dataset."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from whence.loading.dialect import Dialect
from whence.loading.problem_table import Problems, as_problems
from whence.loading.problems import Problem
from whence.model.dataset import DatasetRecord
from whence.store.store import Store

DOCUMENT = "load_report"


@dataclass(frozen=True)
class SourceFacts:
    """The file or table as it was found. A table has no hash."""

    path: str
    sha256: str
    bytes: int
    version: str | None = None
    """The snapshot of a table whose format has snapshots."""


@dataclass(frozen=True)
class FileFacts:
    """One file of several, and the rows that came from it."""

    path: str
    sha256: str
    bytes: int
    first_row: int
    rows: int


@dataclass(frozen=True)
class LoadReport:
    """Records, problems, and how the file was read."""

    records: int
    problems: Sequence[Problem]
    encoding: str
    dialect: Dialect | None
    """None for a file that is not delimited text."""
    source: SourceFacts
    blank_lines: int = 0
    header: Sequence[str] = field(default_factory=tuple)
    """The column names as they are in the file."""
    key: str | None = None
    files: Sequence[FileFacts] = field(default_factory=tuple)
    """The files of a folder, in the order of their rows."""
    options: Mapping[str, object] = field(default_factory=dict)
    """The options that the user set instead of leaving them to detection."""
    null_words: int = 0
    """Number of cells that are NULL because the user declared their word as null."""

    @property
    def counts(self) -> dict[str, int]:
        """Return the number of problems of each kind, most frequent first."""
        return as_problems(self.problems).counts

    def as_document(self) -> dict[str, object]:
        """Return the report as stored.

        The problems are the dataset's caveats in the same order, so only their kinds are written here.
        """
        return {
            "records": self.records,
            "counts": self.counts,
            "kinds": [list(run) for run in as_problems(self.problems).runs],
            "encoding": self.encoding,
            "dialect": asdict(self.dialect) if self.dialect else None,
            "source": asdict(self.source),
            "blank_lines": self.blank_lines,
            "header": list(self.header),
            "key": self.key,
            "files": [asdict(file) for file in self.files],
            "options": dict(self.options),
            "null_words": self.null_words,
        }


def load_report(store: Store, record: DatasetRecord) -> LoadReport | None:
    """Return the report of the load that made this version, or None if no load did."""
    document: dict[str, Any] | None = store.document(record, DOCUMENT)
    if document is None:
        return None
    return LoadReport(
        records=document["records"],
        problems=Problems.of_caveats(store.caveats(record), document["kinds"]),
        encoding=document["encoding"],
        dialect=Dialect(**document["dialect"]) if document["dialect"] else None,
        source=SourceFacts(**document["source"]),
        blank_lines=document["blank_lines"],
        header=tuple(document["header"]),
        key=document["key"],
        files=tuple(FileFacts(**file) for file in document["files"]),
        options=document.get("options", {}),
        null_words=document.get("null_words", 0),
    )
