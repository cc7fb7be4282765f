"""Reads a file as a table in memory, with a report on how it was read."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa

from whence.loading.convert import ConversionFindings, convert, schema_of_rows
from whence.loading.decide import decide
from whence.loading.delimited import Job, all_problems, report_of
from whence.loading.look import look_at
from whence.loading.options import Options
from whence.loading.problem_table import Problems
from whence.loading.problems import Problem
from whence.loading.report import LoadReport
from whence.loading.scratch import Scratch
from whence.loading.words import Rows
from whence.model.schema import LINE_COLUMN


@dataclass(frozen=True)
class Loaded:
    """A file's rows (with the line of each), its report, and per column the rows whose value has several readings."""

    table: pa.Table
    report: LoadReport
    doubtful: dict[str, Rows]

    @property
    def problems(self) -> list[Problem]:
        """The problems, in the order of the report."""
        return list(self.report.problems)


def read_csv(path: Path, options: Options | None = None) -> Loaded:
    """Read a delimited file. Delimiter, encoding, header and types are detected unless they are given."""
    options = options or Options()
    file = look_at(path, options, Scratch(), 0)
    decision, found = decide([file], options), ConversionFindings()
    schema = schema_of_rows(decision)
    table = pa.Table.from_batches(list(convert(file, 0, decision, {}, found)), schema)
    problems = Problems.joined(all_problems([file], decision, [found]))
    report = report_of(Job(path, [path], path.parent, options), [file], decision, problems)
    doubtful = {column.name: _joined(found.doubtful.get(column.name, [])) for column in decision.columns}
    return Loaded(table.select([*decision.names, LINE_COLUMN]), report, doubtful)


def _joined(rows: list[Rows]) -> Rows:
    return np.concatenate([np.zeros(0, np.int64), *rows])
