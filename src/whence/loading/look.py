"""The first pass over one delimited file: its records as text on a shelf, what its columns look like, what is odd."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from whence.loading.dialect import Dialect
from whence.loading.doubts import has_suspicious, looks_like_total, restore_bad_bytes
from whence.loading.encoding import Text, decode
from whence.loading.exact import Bytes
from whence.loading.file_problems import line_end_problems, odd_problems, without_end_mark
from whence.loading.header import Top, read_top
from whence.loading.infer import Looked, look
from whence.loading.options import Options
from whence.loading.parse import Piece, parse
from whence.loading.problem_table import Problems
from whence.loading.problems import Problem, of_file
from whence.loading.progress import Progress
from whence.loading.scratch import Scratch
from whence.loading.shelf import Shelf, Stored
from whence.loading.source import read_source
from whence.loading.tally import Tally
from whence.loading.words import Rows

_THREADS = 4


@dataclass
class ColumnLook:
    """What was seen of one column, over all pieces."""

    tally: Tally = field(default_factory=Tally)
    clean: set[str] = field(default_factory=set)
    """Types that whole pieces had without a misfit; empty text for pieces that had none."""
    has_letters: bool = False
    """Letters beyond ASCII in a file that is not UTF-8."""
    is_suspicious: bool = False
    null_words: int = 0
    bad: list[Problems] = field(default_factory=list)
    """Cells with bytes that are no letters."""


@dataclass(frozen=True)
class FileLook:
    """One file after the first pass."""

    path: str
    sha256: str
    size: int
    encoding: str
    is_guess: bool
    dialect: Dialect
    header: list[str]
    names: list[str]
    rows: int
    blank_lines: int
    columns: list[ColumnLook]
    problems: Problems
    has_extras: bool
    shelf: Shelf


def look_at(
    path: Path,
    options: Options,
    scratch: Scratch,
    held: int,
    aside: Path | None = None,
    progress: Progress | None = None,
) -> FileLook:
    """Read a delimited file once."""
    source = read_source(path, scratch, aside)
    text = decode(source.data, str(path), scratch, options.encoding)
    data, problems = without_end_mark(text.data, scratch)
    top = read_top(data, str(path), options)
    state = _State(text, top, options, Shelf(scratch, held))
    with ThreadPoolExecutor(max_workers=_THREADS) as pool:
        for piece in parse(data, top.form, len(top.names), top.start, top.line):
            state.take(piece, pool)
            if progress is not None:
                progress.step(piece.stop, len(data), "reading")
    problems += [*top.problems, *state.file_problems(data)]
    form = Problems.joined([Problems.of(problems), *state.odd, Problems.of(state.total())])
    return FileLook(
        str(path),
        source.sha256,
        source.size,
        text.encoding,
        text.is_guess,
        Dialect(top.form.delimiter.decode(), top.form.quote.decode(), top.has_header),
        top.originals,
        top.names,
        state.rows,
        state.blank + top.blank_lines,
        state.columns,
        form,
        state.has_extras,
        state.shelf,
    )


class _State:
    """What is known while pieces come in."""

    def __init__(self, text: Text, top: Top, options: Options, shelf: Shelf) -> None:
        self._text, self._top, self._options = text, top, options
        self._nulls = pa.array(list(options.nulls), pa.string())
        self._trailing = 0
        self._comments: list[tuple[int, str]] = []
        self._last: tuple[str, int] = ("", 0)
        self.shelf = shelf
        self.rows = self.blank = 0
        self.columns = [ColumnLook() for _ in top.names]
        self.odd: list[Problems] = []
        self.has_extras = False

    def take(self, piece: Piece, pool: ThreadPoolExecutor) -> None:
        """Look at one piece and put it on the shelf."""
        self._comments += piece.comments
        self.blank += piece.blank
        if not len(piece.lines):
            return
        looked = list(pool.map(self._look, range(len(self.columns)), piece.columns, [piece.lines] * len(self.columns)))
        self.odd.append(Problems.of(odd_problems(piece, self._top.names)).moved(self.rows))
        self._trailing += sum(odd.kind == "trailing delimiter" for odd in piece.odd)
        texts = [column for column, _ in looked]
        self._last = _first_text([column.slice(len(column) - 1) for column in texts]), int(piece.lines[-1])
        self.shelf.put(Stored(texts, piece.lines, self._extra(piece), [found.quick for _, found in looked]))
        self.rows += len(piece.lines)

    def _look(self, number: int, texts: pa.Array, lines: Rows) -> tuple[pa.Array, Looked]:
        column, name = self.columns[number], self._top.names[number]
        if self._text.has_bad_bytes:
            texts, found = restore_bad_bytes(name, texts, lines)
            column.bad.append(Problems.of(found).moved(self.rows))
        if len(self._nulls):
            texts = self._without_nulls(texts, column)
        looked = look(texts)
        column.tally.add(looked.tally)
        column.clean.add(looked.quick.how if looked.quick else "")
        if looked.quick is None:
            column.is_suspicious |= has_suspicious(texts)
        if self._text.encoding != "utf-8":
            column.has_letters |= not pc.all(pc.string_is_ascii(texts)).as_py()
        return texts, looked

    def _without_nulls(self, texts: pa.Array, column: ColumnLook) -> pa.Array:
        """The words that the user says stand for nothing become NULL."""
        is_null = pc.is_in(pc.ascii_trim(texts, " \t"), self._nulls, skip_nulls=True)
        column.null_words += int(pc.sum(is_null).as_py() or 0)
        return pc.if_else(is_null, pa.scalar(None, pa.string()), texts)

    def _extra(self, piece: Piece) -> pa.Array | None:
        """The fields of long rows beyond the last column."""
        extras = {odd.row: odd.text for odd in piece.odd if odd.kind == "long row"}
        if not extras:
            return None
        self.has_extras = True
        return pa.array([extras.get(row) for row in range(len(piece.lines))], pa.string())

    def file_problems(self, data: Bytes) -> Iterator[Problem]:
        """What is to be said about the file as a whole."""
        for line, text in self._comments:
            yield of_file("comment", f"Line {line} is a comment and not data.", line, text)
        if not self.rows:
            yield of_file("no rows", "The file has a header but no rows, so all columns are text.")
        if self._trailing:
            what = f"{self._trailing} rows end with a delimiter after the last column; nothing is lost."
            yield of_file("trailing delimiter", what)
        yield from line_end_problems(data)

    def total(self) -> Iterator[Problem]:
        """A last row that looks like the sum of the others."""
        text, line = self._last
        if self.rows > 1 and looks_like_total(text):
            message = f"Line {line}, the last, looks like a total of the others."
            yield Problem(self.rows - 1, None, line, text, "total", message)


def _first_text(cells: Sequence[pa.Array]) -> str:
    return next((value for cell in cells if (value := cell[0].as_py())), "")
