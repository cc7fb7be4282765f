"""Decides between the two passes: the columns of all files together, their types, and which may carry doubt flags."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from whence.loading.doubts import encoding_note
from whence.loading.infer import decide_reading
from whence.loading.look import ColumnLook, FileLook
from whence.loading.options import Options
from whence.loading.problems import Problem, of_column
from whence.loading.tally import Reading, Tally
from whence.loading.wishes import wished
from whence.model.errors import UnknownColumn
from whence.model.schema import unique_names

EXTRA = "_extra"


@dataclass(frozen=True)
class Column:
    """One column of the dataset that is being loaded."""

    name: str
    reading: Reading
    notes: tuple[Problem, ...]
    """Notes about the column as a whole."""
    may_be_flagged: bool
    positions: tuple[int | None, ...]
    """The position of the column in each file, None where a file lacks it."""


@dataclass(frozen=True)
class Decision:
    """How the second pass reads every file."""

    columns: tuple[Column, ...]
    extra: str | None
    """Name of the column for extra fields, if there is one."""
    file_column: str | None
    has_row_flags: bool

    @property
    def names(self) -> list[str]:
        """The user's columns, in order."""
        more = [name for name in (self.extra, self.file_column) if name is not None]
        return [*(column.name for column in self.columns), *more]


def decide(files: Sequence[FileLook], options: Options) -> Decision:
    """Unite the columns of the files by name, ignoring case, and choose their types from all rows."""
    names: dict[str, str] = {}
    for file in files:
        for name in file.names:
            names.setdefault(name.lower(), name)
    check_types(options.types, list(names.values()))
    wishes = {name.lower(): kind for name, kind in options.types.items()}
    places = [{own.lower(): number for number, own in enumerate(file.names)} for file in files]
    flags = [file.problems.flagged_rows() for file in files]
    flagged = {name.lower() for found in flags for name in found if name is not None}
    columns = tuple(
        _column(name, files, [own.get(lower) for own in places], wishes.get(lower), lower in flagged)
        for lower, name in names.items()
    )
    more = [EXTRA] if any(file.has_extras for file in files) else []
    more += [options.file_column] if options.file_column else []
    made = unique_names([*names.values(), *more])[len(names) :]
    return Decision(
        columns,
        made[0] if more[:1] == [EXTRA] else None,
        made[-1] if options.file_column else None,
        any(None in found for found in flags),
    )


def check_types(types: Mapping[str, str], names: Sequence[str]) -> None:
    """Raise an error if a type is given for a column that does not exist."""
    known = {name.lower() for name in names}
    for name in types:
        if name.lower() not in known:
            raise UnknownColumn(f"types names the column {name}, which is not there.", f"There are {', '.join(names)}.")


def _column(
    name: str, files: Sequence[FileLook], positions: Sequence[int | None], wish: str | None, is_flagged: bool
) -> Column:
    seen = [file.columns[place] for file, place in zip(files, positions, strict=True) if place is not None]
    tally = Tally()
    for each in seen:
        tally.add(each.tally)
    reading, notes = (wished(wish, tally), []) if wish else decide_reading(name, tally)
    notes += [_encoding(name, file) for file, place in zip(files, positions, strict=True) if _letters(file, place)][:1]
    if None in positions:
        notes.append(_absent(name, files, positions))
    may = is_flagged or any(file.is_guess for file in files) or any(_may_flag(each, reading) for each in seen)
    return Column(name, reading, tuple(notes), may, tuple(positions))


def _may_flag(seen: ColumnLook, reading: Reading) -> bool:
    """Whether a cell of the column may turn out to be a misfit or doubtful."""
    if any(len(part) for part in seen.bad):
        return True
    if reading.how == "text":
        return seen.is_suspicious
    # A whole number fits a column of doubles without a doubt.
    same = {reading.how} | ({"whole"} if reading.how == "double" else set())
    return reading.is_wish or reading.is_in_doubt or not seen.clean <= same


def _letters(file: FileLook, place: int | None) -> bool:
    return place is not None and file.columns[place].has_letters


def _encoding(name: str, file: FileLook) -> Problem:
    return encoding_note(name, file.encoding, is_guess=file.is_guess, is_users_choice=file.is_users_encoding)


def _absent(name: str, files: Sequence[FileLook], positions: Sequence[int | None]) -> Problem:
    without = [file.path.rsplit("/", 1)[-1] for file, place in zip(files, positions, strict=True) if place is None]
    shown = ", ".join(without[:3]) + (f" and {len(without) - 3} more" if len(without) > 3 else "")
    what = f"Column {name} is not in {shown}; its cells are empty there."
    return of_column(name, "differing columns", what)
