"""When a column of texts is a column of dates or times, and in which of the written forms."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, timezone

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from whence.loading.words import ENOUGH, Fit, Mask, Refusal, Words, as_mask

DATE, TIME = "a date", "a date and time"
_CLOCK = r"[T ](?P<hour>\d{2}):(?P<minute>\d{2})(:(?P<second>\d{2})([.,](?P<fraction>\d{1,9}))?)?"
_ZONE = r" ?(?P<zone>Z|UTC|[+-]\d{2}(:?\d{2})?)"
_ROUGHLY = r"[0-9]{1,4}[-/.][0-9]{1,2}[-/.][0-9]{1,4}([T ].*)?"
_STANDARD = "year-month-day"
_EITHER_WAY = ("month/day/year", "day/month/year")
_DAYS = {
    _STANDARD: r"(?P<year>\d{4})-(?P<month>\d{2})-(?P<day>\d{2})",
    "year/month/day": r"(?P<year>\d{4})/(?P<month>\d{1,2})/(?P<day>\d{1,2})",
    "day.month.year": r"(?P<day>\d{1,2})\.(?P<month>\d{1,2})\.(?P<year>\d{4})",
    "month/day/year": r"(?P<month>\d{1,2})/(?P<day>\d{1,2})/(?P<year>\d{4})",
    "day/month/year": r"(?P<day>\d{1,2})/(?P<month>\d{1,2})/(?P<year>\d{4})",
}


@dataclass(frozen=True)
class _Form:
    """One way to write a moment."""

    name: str
    pattern: str
    type: pa.DataType
    noun: str


@dataclass(frozen=True)
class _Reading:
    """The words of one form: which have its shape, and their values (NULL: not in the calendar)."""

    form: _Form
    shaped: Mask
    values: pa.Array
    share: float


_FORMS = tuple(
    _Form(name, day + rest, kind, noun)
    for rest, kind, noun in (
        ("", pa.date32(), DATE),
        (_CLOCK, pa.timestamp("us"), TIME),
        (_CLOCK + _ZONE, pa.timestamp("us", "UTC"), TIME),
    )
    for name, day in _DAYS.items()
)


def moments(words: Words) -> Fit | Refusal | None:
    """Read the words as dates or times, in the one form that most of them have."""
    if words.share(words.matches(_ROUGHLY)) < ENOUGH:
        return None
    shaped = [(form, mask) for form in _FORMS if (mask := words.matches(form.pattern)).any()]
    if not shaped or words.share(np.logical_or.reduce([mask for _, mask in shaped])) < ENOUGH:
        return None
    readings = [_read(words, form, mask) for form, mask in shaped]
    best = max(readings, key=lambda reading: reading.share)
    if best.share < ENOUGH:
        return _not_one_form(words, best)
    if (best.shaped & words.matches(r".*[.,][0-9]{6}0*[1-9].*")).any():
        return Refusal("too many digits", "its times are finer than a microsecond")
    return _fit(best)


def _not_one_form(words: Words, best: _Reading) -> Refusal:
    if words.share(best.shaped) >= ENOUGH:
        return Refusal("no such dates", f"many of its values look like {best.form.name} but are not in the calendar")
    return Refusal("mixed dates", f"its dates are written in several ways, most often as {best.form.name}")


def _fit(best: _Reading) -> Fit:
    form, values = best.form, best.values
    if form.name == _STANDARD:
        return Fit(values, form.noun)
    day, month = pc.day(values), pc.month(values)
    if form.name in _EITHER_WAY and not pc.any(pc.greater(day, 12)).as_py():
        doubtful = as_mask(pc.not_equal(day, month))
        note = ("day or month", f"its dates are read as {form.name}, but could be meant the other way round")
        return Fit(values, form.noun, notes=(note,), doubtful=doubtful)
    return Fit(values, form.noun, notes=(("date form", f"its dates are read as {form.name}"),))


def _read(words: Words, form: _Form, shaped: Mask) -> _Reading:
    values = _values(words, form, shaped)
    return _Reading(form, shaped, values, words.share(as_mask(values.is_valid())))


def _values(words: Words, form: _Form, shaped: Mask) -> pa.Array:
    texts = words.only(shaped)
    if form.name == _STANDARD and not words.matches("0000.*").any():
        try:
            return texts.cast(form.type)
        except pa.ArrowInvalid:
            pass  # Arrow stops at the first date that is not in the calendar, so they are read one by one.
    pattern = re.compile(form.pattern, re.ASCII)
    build = _day if form.noun == DATE else _instant
    return pa.array([None if text is None else build(pattern.fullmatch(text)) for text in texts.to_pylist()], form.type)


def _day(found: re.Match[str] | None) -> date | None:
    try:
        return date(int(found["year"]), int(found["month"]), int(found["day"])) if found else None
    except ValueError:
        return None


def _instant(found: re.Match[str] | None) -> datetime | None:
    day = _day(found)
    if found is None or day is None:
        return None
    fraction = (found["fraction"] or "").ljust(6, "0")[:6]
    clock = (int(found["hour"]), int(found["minute"]), int(found["second"] or 0), int(fraction))
    try:
        moment = datetime(day.year, day.month, day.day, *clock)
        zone = found.groupdict().get("zone")
        return moment if zone is None else moment.replace(tzinfo=_zone(zone)).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def _zone(text: str) -> timezone:
    if text in ("Z", "UTC"):
        return UTC
    digits = text[1:].replace(":", "").ljust(4, "0")
    offset = timedelta(hours=int(digits[:2]), minutes=int(digits[2:]))
    return timezone(-offset if text[0] == "-" else offset)
