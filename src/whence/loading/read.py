"""Columns of text into a table of typed columns: every text ends in a cell or in a problem."""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from whence.loading.doubts import suspicious_cells
from whence.loading.infer import Typed, infer
from whence.loading.problems import Problem
from whence.loading.report import LoadReport, SourceFacts
from whence.loading.texts import read_texts
from whence.model.schema import LINE_COLUMN

Rows = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Loaded:
    """A file's rows (with the line of each), its report, and the rows of each column whose value is one of several."""

    table: pa.Table
    report: LoadReport
    doubtful: dict[str, Rows]

    @property
    def problems(self) -> list[Problem]:
        """What did not fit, in the order of the report."""
        return list(self.report.problems)


def read_csv(path: Path) -> Loaded:
    """Read a delimited file whose delimiter, encoding, header and types are found out."""
    texts = read_texts(path)
    columns = give_types(texts.names, texts.columns, texts.lines)
    report = LoadReport(
        len(texts.lines),
        [*texts.problems, *(problem for column in columns for problem in column.problems)],
        texts.encoding,
        texts.dialect,
        SourceFacts(str(path.resolve()), texts.source.sha256, texts.source.size),
        texts.blank_lines,
        texts.header,
    )
    table = pa.table([*(column.values for column in columns), pa.array(texts.lines)], names=[*texts.names, LINE_COLUMN])
    doubtful = {
        name: np.union1d(texts.doubtful[name], column.doubtful)
        for name, column in zip(texts.names, columns, strict=True)
    }
    return Loaded(table, report, doubtful)


def give_types(names: Iterable[str], columns: Iterable[pa.ChunkedArray], lines: Rows) -> list[Typed]:
    """Give each column its type; Arrow works outside Python's lock, so several columns are done at once."""
    with ThreadPoolExecutor(max_workers=4) as pool:
        return list(pool.map(lambda name, texts: _typed(name, texts, lines), names, columns))


def _typed(name: str, texts: pa.ChunkedArray, lines: Rows) -> Typed:
    typed = infer(name, texts, lines)
    if not pa.types.is_string(typed.values.type):
        return typed
    return Typed(typed.values, [*typed.problems, *suspicious_cells(name, texts, lines)], typed.doubtful)
