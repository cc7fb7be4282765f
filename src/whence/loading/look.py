"""The first pass over a delimited file: stores its records as text on a shelf, and tallies what each column holds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from whence.loading.dialect import Dialect
from whence.loading.doubts import has_suspicious, looks_like_total, restore_bad_bytes
from whence.loading.encoding import Text, decode
from whence.loading.exact import Bytes, Form
from whence.loading.file_problems import line_end_problems, odd_problems, without_end_mark
from whence.loading.header import Top, read_top
from whence.loading.infer import TalliedPiece, look
from whence.loading.options import Options
from whence.loading.parse import Piece, parse
from whence.loading.problem_table import Problems
from whence.loading.problems import Problem, of_file
from whence.loading.progress import Progress
from whence.loading.scratch import Scratch
from whence.loading.shelf import Shelf, TextRows
from whence.loading.source import Source, read_source
from whence.loading.tally import Tally
from whence.loading.words import Rows

_THREADS = 4


@dataclass
class ColumnLook:
    """What the first pass found in one column, over all pieces."""

    tally: Tally = field(default_factory=Tally)
    clean: set[str] = field(default_factory=set)
    """Types that whole pieces had without a misfit, and an empty text if some piece had none."""
    has_letters: bool = False
    """Whether there are letters beyond ASCII in a file that is not UTF-8."""
    is_suspicious: bool = False
    null_words: int = 0
    bad: list[Problems] = field(default_factory=list)
    """Cells with bytes that are no letters in the file's encoding."""

    def add(self, later: ColumnLook, rows: int) -> None:
        """Add the findings of a later part of the column, which begins after `rows` rows."""
        self.tally.add(later.tally)
        self.clean |= later.clean
        self.has_letters |= later.has_letters
        self.is_suspicious |= later.is_suspicious
        self.null_words += later.null_words
        self.bad += [part.moved(rows) for part in later.bad]


@dataclass(frozen=True)
class FileLook:
    """One file after the first pass."""

    path: str
    sha256: str
    size: int
    encoding: str
    is_guess: bool
    is_users_encoding: bool
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
    """Read a delimited file once and return the findings."""
    return look_at_opened(open_text(path, options, scratch, aside), options, Shelf(scratch, held), progress)


@dataclass(frozen=True)
class OpenedFile:
    """A file whose encoding and form are known and whose rows are not read yet."""

    path: str
    source: Source | None
    text: Text
    data: Bytes
    problems: list[Problem]
    top: Top

    @property
    def is_as_on_disk(self) -> bool:
        """Whether the text equals the file byte for byte, so that tasks can read stretches of the file itself."""
        return self.source is not None and not self.source.is_packed and self.data is self.source.data

    def without_text(self) -> OpenedFile:
        """Return a copy without the text, for another process that reads the text itself."""
        return replace(self, source=None, text=replace(self.text, data=b""), data=b"")


def open_text(path: Path, options: Options, scratch: Scratch, aside: Path | None = None) -> OpenedFile:
    """Detect the encoding, the form and the header of a file."""
    source = read_source(path, scratch, aside)
    text = decode(source.data, str(path), scratch, options.encoding)
    data, problems = without_end_mark(text.data, scratch)
    return OpenedFile(
        path=str(path), source=source, text=text, data=data, problems=problems, top=read_top(data, str(path), options)
    )


def look_at_opened(opened: OpenedFile, options: Options, shelf: Shelf, progress: Progress | None = None) -> FileLook:
    """Read all rows of a file."""
    state = State(opened.text, opened.top, options, shelf)
    _read(state, opened.data, opened.top, start=opened.top.start, line=opened.top.line, progress=progress)
    return finished(opened, state)


def read_stretch(opened: OpenedFile, data: bytes, line: int, options: Options, shelf: Shelf) -> State:
    """Read some rows of a file: `data`, which begins at the start of a line."""
    state = State(opened.text, opened.top, options, shelf)
    _read(state, data, opened.top, start=0, line=line, progress=None)
    return state


def _read(state: State, data: Bytes, top: Top, start: int, line: int, progress: Progress | None) -> None:
    with ThreadPoolExecutor(max_workers=_THREADS) as pool:
        for piece in parse(data, top.form, len(top.names), start, line):
            state.take(piece, pool)
            if progress is not None:
                progress.step(piece.stop, len(data), "reading")


def finished(opened: OpenedFile, state: State) -> FileLook:
    """Return the findings about a file, once all its rows are read."""
    assert opened.source is not None
    top = opened.top
    problems = [*opened.problems, *top.problems, *state.file_problems(opened.data, top.form)]
    form = Problems.joined([Problems.of(problems), *state.odd, Problems.of(state.total())])
    return FileLook(
        path=opened.path,
        sha256=opened.source.sha256,
        size=opened.source.size,
        encoding=opened.text.encoding,
        is_guess=opened.text.is_guess,
        is_users_encoding=opened.text.is_users_choice,
        dialect=Dialect(top.form.delimiter.decode(), top.form.quote.decode(), top.has_header),
        header=top.originals,
        names=top.names,
        rows=state.rows,
        blank_lines=state.blank + top.blank_lines,
        columns=state.columns,
        problems=form,
        has_extras=state.has_extras,
        shelf=state.shelf,
    )


class State:
    """The findings of the first pass, updated with each piece."""

    def __init__(self, text: Text, top: Top, options: Options, shelf: Shelf) -> None:
        # Without the text, because Spark's tasks send a state back.
        self._text, self._top, self._options = replace(text, data=b""), top, options
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
        """Examine one piece and put it on the shelf."""
        self._comments += piece.comments
        self.blank += piece.blank
        if not len(piece.lines):
            return
        looked = list(pool.map(self._look, range(len(self.columns)), piece.columns, [piece.lines] * len(self.columns)))
        self.odd.append(Problems.of(odd_problems(piece, self._top.names)).moved(self.rows))
        self._trailing += sum(odd.kind == "trailing delimiter" for odd in piece.odd)
        texts = [column for column, _ in looked]
        self._last = _first_text([column.slice(len(column) - 1) for column in texts]), int(piece.lines[-1])
        self.shelf.put(TextRows(texts, piece.lines, self._extra(piece), [found.quick for _, found in looked]))
        self.rows += len(piece.lines)

    def add(self, later: State) -> None:
        """Add the findings of the stretch that follows."""
        self.odd += [part.moved(self.rows) for part in later.odd]
        for column, other in zip(self.columns, later.columns, strict=True):
            column.add(other, self.rows)
        self._comments += later._comments
        self._trailing += later._trailing
        self._last = later._last if later.rows else self._last
        self.shelf.extend(later.shelf)
        self.has_extras |= later.has_extras
        self.blank += later.blank
        self.rows += later.rows

    def _look(self, number: int, texts: pa.Array, lines: Rows) -> tuple[pa.Array, TalliedPiece]:
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
        """Replace the words that the user declared as nulls by NULL."""
        is_null = pc.is_in(pc.ascii_trim(texts, " \t"), self._nulls, skip_nulls=True)
        column.null_words += int(pc.sum(is_null).as_py() or 0)
        return pc.if_else(is_null, pa.scalar(None, pa.string()), texts)

    def _extra(self, piece: Piece) -> pa.Array | None:
        """Return the fields of long rows beyond the last column."""
        extras = {odd.row: odd.text for odd in piece.odd if odd.kind == "long row"}
        if not extras:
            return None
        self.has_extras = True
        return pa.array([extras.get(row) for row in range(len(piece.lines))], pa.string())

    def file_problems(self, data: Bytes, form: Form) -> Iterator[Problem]:
        """Yield the problems of the file as a whole."""
        for line, text in self._comments:
            yield of_file("comment", f"Line {line} is a comment and not data.", line, text)
        if not self.rows:
            yield of_file("no rows", "The file has a header but no rows, so all columns are text.")
        if self._trailing:
            what = f"{self._trailing} rows end with a delimiter after the last column; nothing is lost."
            yield of_file("trailing delimiter", what)
        yield from line_end_problems(data, form)

    def total(self) -> Iterator[Problem]:
        """Yield a problem if the last row looks like the sum of the others."""
        text, line = self._last
        if self.rows > 1 and looks_like_total(text):
            message = f"Line {line}, the last, looks like a total of the others."
            yield Problem(row=self.rows - 1, column=None, line=line, text=text, kind="total", message=message)


def _first_text(cells: Sequence[pa.Array]) -> str:
    return next((value for cell in cells if (value := cell[0].as_py())), "")
