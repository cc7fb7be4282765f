"""Updates the lineage of columns when a variable gets a data frame that was made from another one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from whence.staleness.frames import Columns
from whence.staleness.lineage import Lineage, Parents
from whence.staleness.objects import ABSENT, frame_package
from whence.staleness.paths import Key, Path
from whence.staleness.references import Use
from whence.staleness.symbols import Shadow, Symbol


@dataclass(frozen=True, slots=True)
class FrameSources:
    """The symbols behind a frame: the frame that it was made from, and the parents of each column."""

    base: Symbol
    package: str
    made: dict[str, Parents]
    kept: dict[str, Symbol]  # columns that pass through


def frame_sources(
    columns: Columns, lineage: Lineage, values: Mapping[str, object], parents: Callable[[Iterable[Use]], Parents]
) -> FrameSources | None:
    """Return the symbols that a frame is made from; None if its base is no frame of a library with these methods.

    Call it before the variable is bound, as `df = df.withColumn(...)` reads the old `df`.
    """
    found = lineage.resolve(columns.base, values)
    shadow = lineage.shadows.get(found[0].value) if found is not None and not found[1] else None
    if found is None or shadow is None or shadow.package not in columns.packages:
        return None
    names = columns.mentioned()
    if shadow.package == "pyspark" and len({name.casefold() for name in names}) < len(names):
        return None  # Spark ignores case: two spellings may be one column
    base = found[0]
    made = {
        _spelled(name, shadow): _sources_of_column(
            uses, columns.base, base, shadow=shadow, lineage=lineage, parents=parents
        )
        for name, uses in columns.made.items()
    }
    gone = {*made, *(_spelled(name, shadow) for name in columns.hidden)}
    known = {str(key.value): symbol for key, symbol in shadow.parts.items()}
    kept = {name: symbol for name, symbol in known.items() if columns.passes and name not in gone}
    return FrameSources(base, shadow.package, made, kept)


def bind_frame(
    lineage: Lineage, name: str, value: object, sources: FrameSources, extra: Parents, keeps: bool
) -> Symbol | None:
    """Record that a variable gets a frame made from another. `extra` is what functions read to make its columns.

    Return None if the value is no frame of the same library. Then the caller binds it as a plain value.
    """
    if frame_package(value) != sources.package:
        return None
    others = {} if sources.made else extra
    symbol = lineage.bind_name(name, value, {sources.base: False, **others}, keeps)
    for column, parents in sources.made.items():
        _bind_column(lineage, value, symbol, column, {**parents, **extra})
    for column, before in sources.kept.items():
        _bind_column(lineage, value, symbol, column, {before: True})
    return symbol


def _sources_of_column(
    uses: Iterable[Use],
    base: Path,
    frame: Symbol,
    shadow: Shadow,
    lineage: Lineage,
    parents: Callable[[Iterable[Use]], Parents],
) -> Parents:
    """Return the parents of a new column. Columns of the base are looked up in the frame from before the statement."""
    found: Parents = {}
    for use in uses:
        if len(use.path.keys) == len(base.keys) + 1 and base.covers(use.path):
            found[lineage.column(frame, shadow, str(use.path.keys[-1].value))] = True
        else:
            found |= parents([use])
    return found


def _bind_column(lineage: Lineage, frame: object, symbol: Symbol, column: str, parents: Parents) -> None:
    key = Key("item", column)
    lineage.bind_part(frame, key, ABSENT, symbol.path.then(key), parents, keeps=False)


def _spelled(name: str, shadow: Shadow) -> str:
    return name.casefold() if shadow.package == "pyspark" else name
