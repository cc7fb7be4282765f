"""Says which lenses would help a dataset, from its profile and a look at its first rows; no Spark needed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from whence.cleaning.clusters import by_key, fingerprint
from whence.cleaning.header import find_header
from whence.model.dataset import DatasetRecord
from whence.model.schema import Field
from whence.store.profile import Profile
from whence.store.store import Store

_LOOKED_AT = 2_000
_MOST = 3 / 4
_FAR = 3.0
_AMOUNT = re.compile(r"\s*\(?[-+]?\s*([^\w\s.,()+-]|[A-Za-z]{3}\s)?\s*[-+]?\d[\d.,' ]*\s*[^\d\s()]{0,12}\)?\s*")
_NUMBER = re.compile(r"\s*[-+]?(\d+\.?\d*|\.\d+)\s*")
_DATE = re.compile(
    r"\s*(\d{1,4}[-/. ]\d{1,2}[-/. ]\d{1,4}|\d{1,2}[- .]*[A-Za-z]{3,9}[- .,]*\d{2,4}"
    r"|[A-Za-z]{3,9}[- .]*\d{1,2},?[- ]+\d{2,4})\s*"
)
_UNNAMED = re.compile(r"column_\d+|_?c\d+|unnamed.*|\d+", re.IGNORECASE)
_WHOLE = ("tinyint", "smallint", "int", "bigint")


@dataclass(frozen=True)
class Suggestion:
    """A lens that would help, what to call it with, and why, in one sentence."""

    lens: str
    why: str
    parameters: Mapping[str, object] = field(default_factory=dict)


def suggest_lenses(store: Store, record: DatasetRecord) -> list[Suggestion]:
    """What would help, the steps that come first first."""
    if not record.rows:
        return []
    head = store.read(record, 0, min(_LOOKED_AT, record.rows))
    rows = [tuple(row.values()) for row in head.to_pylist()]
    header = list(_header(record, rows))
    if header:  # nothing that stands in the columns can be judged before they have their names
        return header
    found = list(_duplicates(rows))
    for position, column in enumerate(record.schema):
        profile = store.profiles.profile(record, column.name)
        values = [value for row in rows if isinstance(value := row[position], str) and value.strip()]
        found += _text(column, values) if column.type == "string" else _number(column, profile)
        found += _missing(column, profile)
    return found


def _header(record: DatasetRecord, rows: list[tuple[object, ...]]) -> Iterator[Suggestion]:
    row = find_header(rows[:100]) if len(rows) > 1 else None
    unnamed = sum(bool(_UNNAMED.fullmatch(name)) for name in record.schema.names)
    if row is not None and 2 * unnamed > len(record.schema):
        yield Suggestion("find_header", f"Most columns have no name, and row {row} looks like a header.")


def _duplicates(rows: list[tuple[object, ...]]) -> Iterator[Suggestion]:
    repeated = len(rows) - len(set(map(repr, rows)))
    if repeated:
        yield Suggestion("drop_duplicates", f"{repeated} of the first {len(rows)} rows repeat another one.")


def _text(column: Field, values: list[str]) -> Iterator[Suggestion]:
    name, at = column.name, {"column": column.name}
    if not values:
        return
    if any(value != value.strip() for value in values):
        yield Suggestion("trim", f"Some values of {name} have spaces around them.", {"columns": [name]})
    if _most(values, _DATE):
        yield Suggestion("parse_dates", f"Most values of {name} are dates, written as text.", at)
    elif _most(values, _NUMBER) and not any(re.match(r"\s*0\d", value) for value in values):
        yield Suggestion("infer_types", f"Most values of {name} are numbers, written as text.", {"columns": [name]})
    elif _most(values, _AMOUNT) and not _most(values, _NUMBER):
        yield Suggestion("parse_numbers", f"Most values of {name} are a number with a unit.", at)
    else:
        counts = {value: values.count(value) for value in set(values)} if len(set(values)) <= 500 else {}
        clusters = by_key(counts, fingerprint)
        if clusters:
            one, other, *_ = clusters[0]
            yield Suggestion(
                "standardise", f"{name} holds values such as '{one}' and '{other}', probably the same.", at
            )


def _number(column: Field, profile: Profile) -> Iterator[Suggestion]:
    at, quantiles = {"column": column.name}, dict(profile.quantiles)
    smallest, low, high, largest = map(_as_number, (profile.min, quantiles.get(0.25), quantiles.get(0.75), profile.max))
    if smallest is None or low is None or high is None or largest is None:
        return
    reach = _FAR * (high - low)
    if reach and (smallest < low - reach or largest > high + reach):
        yield Suggestion("flag_outliers", f"{column.name} has values far from its middle half.", at)
    filled = profile.count - profile.nulls
    gaps = int(largest - smallest) + 1 - filled
    if column.type in _WHOLE and profile.distinct == filled and 0 < gaps <= filled / 10:
        yield Suggestion("repair_sequence", f"{column.name} counts up, but {gaps} numbers are missing.", at)


def _missing(column: Field, profile: Profile) -> Iterator[Suggestion]:
    if 0 < profile.nulls < profile.count:
        method = "median" if profile.mean is not None else "mode"
        share = f"{profile.nulls / profile.count:.0%}"
        yield Suggestion("impute", f"{share} of {column.name} is missing.", {"column": column.name, "method": method})


def _most(values: list[str], form: re.Pattern[str]) -> bool:
    return sum(bool(form.fullmatch(value)) for value in values) >= _MOST * len(values)


def _as_number(value: object) -> float | None:
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None
