"""The account of one load: what was in the file and what happened to it, kept with the dataset."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from itertools import groupby
from typing import Any

from whence.loading.dialect import Dialect
from whence.loading.problems import Problem
from whence.model.dataset import DatasetRecord
from whence.store.store import Store

DOCUMENT = "load_report"


@dataclass(frozen=True)
class SourceFacts:
    """The file as it was found."""

    path: str
    sha256: str
    bytes: int


@dataclass(frozen=True)
class LoadReport:
    """Records, problems and how the file was read."""

    records: int
    problems: Sequence[Problem]
    encoding: str
    dialect: Dialect
    source: SourceFacts
    blank_lines: int = 0
    header: Sequence[str] = field(default_factory=tuple)
    """The names as they stand in the file."""
    key: str | None = None

    @property
    def counts(self) -> dict[str, int]:
        """How many problems there are of each kind, the most frequent first."""
        return dict(Counter(problem.kind for problem in self.problems).most_common())

    def as_document(self) -> dict[str, object]:
        """As stored: problems are the dataset's caveats, in the same order, so only their kinds are written here."""
        return {
            "records": self.records,
            "counts": self.counts,
            "kinds": [[kind, len(list(run))] for kind, run in groupby(problem.kind for problem in self.problems)],
            "encoding": self.encoding,
            "dialect": asdict(self.dialect),
            "source": asdict(self.source),
            "blank_lines": self.blank_lines,
            "header": list(self.header),
            "key": self.key,
        }


def load_report(store: Store, record: DatasetRecord) -> LoadReport | None:
    """The report of the load that made this version, or None if no load did."""
    document: dict[str, Any] | None = store.document(record, DOCUMENT)
    if document is None:
        return None
    kinds = [kind for kind, count in document["kinds"] for _ in range(count)]
    problems = [
        Problem(caveat.row, caveat.column, caveat.line, caveat.text, kind, caveat.message)
        for kind, caveat in zip(kinds, store.caveats(record), strict=True)
    ]
    return LoadReport(
        document["records"],
        problems,
        document["encoding"],
        Dialect(**document["dialect"]),
        SourceFacts(**document["source"]),
        document["blank_lines"],
        document["header"],
        document["key"],
    )
