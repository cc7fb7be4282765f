"""Detects columns of dates or times, and the form in which they are written."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, timezone

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from whence.loading.tally import ENOUGH, Reading, Refusal, Tally
from whence.loading.words import ConvertedWords, Mask, Words, as_mask

DATE, TIME = "a date", "a date and time"
_CLOCK = r"[T ](?P<hour>\d{2}):(?P<minute>\d{2})(:(?P<second>\d{2})([.,](?P<fraction>\d{1,9}))?)?"
_ZONE = r" ?(?P<zone>Z|UTC|[+-]\d{2}(:?\d{2})?)"
_ROUGHLY = r"[0-9]{1,4}[-/.][0-9]{1,2}[-/.][0-9]{1,4}([T ].*)?"
_STANDARD = "year-month-day"
EITHER_ORDER = "day or month"
"""The kind of the note on a column of which no date tells whether the day or the month comes first."""
_EITHER_WAY = ("month/day/year", "day/month/year")
DAYS = {
    _STANDARD: r"(?P<year>\d{4})-(?P<month>\d{2})-(?P<day>\d{2})",
    "year/month/day": r"(?P<year>\d{4})/(?P<month>\d{1,2})/(?P<day>\d{1,2})",
    "day.month.year": r"(?P<day>\d{1,2})\.(?P<month>\d{1,2})\.(?P<year>\d{4})",
    "month/day/year": r"(?P<month>\d{1,2})/(?P<day>\d{1,2})/(?P<year>\d{4})",
    "day/month/year": r"(?P<day>\d{1,2})/(?P<month>\d{1,2})/(?P<year>\d{4})",
}


@dataclass(frozen=True)
class _Form:
    """One way to write a date or a time."""

    name: str
    pattern: str
    type: pa.DataType
    noun: str


# Dates, then times, then times with a zone. `form` in a `Reading` is a position in this tuple.
FORMS = tuple(
    _Form(name, day + rest, kind, noun)
    for rest, kind, noun in (
        ("", pa.date32(), DATE),
        (_CLOCK, pa.timestamp("us"), TIME),
        (_CLOCK + _ZONE, pa.timestamp("us", "UTC"), TIME),
    )
    for name, day in DAYS.items()
)


def look(words: Words, tally: Tally) -> None:
    """Count the values of each form, those in the calendar, and those that decide which number is the month."""
    roughly = words.matches(_ROUGHLY)
    if not roughly.any():
        return
    tally.counts["roughly a date"] += words.weight(roughly)
    words = words.part(roughly)
    shaped = {number: mask for number, form in enumerate(FORMS) if (mask := words.matches(form.pattern)).any()}
    if not shaped:
        return
    tally.counts["a date"] += words.weight(np.logical_or.reduce(list(shaped.values())))
    finer = words.matches(r".*[.,][0-9]{6}0*[1-9].*")
    for number, mask in shaped.items():
        values = _values(words, FORMS[number], mask)
        tally.counts[f"shape {number}"] += words.weight(mask)
        tally.counts[f"valid {number}"] += words.weight(as_mask(values.is_valid()))
        tally.counts[f"finer {number}"] += words.weight(mask & finer)
        if FORMS[number].name in _EITHER_WAY:
            # A day above 12 cannot be a month, so it settles the order of day and month.
            tally.counts[f"settled {number}"] += words.weight(as_mask(pc.greater(pc.day(values), 12)))


def choose(tally: Tally) -> Reading | Refusal | None:
    """Return dates or times, in the one form that most of the values have."""
    if min(tally.share("roughly a date"), tally.share("a date")) < ENOUGH:
        return None
    number = best_form(tally, range(len(FORMS)))
    form = FORMS[number]
    if tally.share(f"valid {number}") < ENOUGH:
        if tally.share(f"shape {number}") >= ENOUGH:
            return Refusal("no such dates", f"many of its values look like {form.name} but are not in the calendar")
        return Refusal("mixed dates", f"its dates are written in several ways, most often as {form.name}")
    if tally.counts[f"finer {number}"]:
        return Refusal("too many digits", "its times are finer than a microsecond")
    return reading_of(tally, number)


def best_form(tally: Tally, numbers: Iterable[int]) -> int:
    """Return the form with the most values in the calendar. Among equals prefer one that occurs, then the first."""
    return max(numbers, key=lambda n: (tally.counts[f"valid {n}"], tally.counts[f"shape {n}"] > 0))


def reading_of(tally: Tally, number: int, is_wish: bool = False) -> Reading:
    """Return how a column in this form is read, with the note about it."""
    form = FORMS[number]
    if form.name == _STANDARD:
        return Reading("moment", form.type, form.noun, form=number, is_wish=is_wish)
    if form.name in _EITHER_WAY and not tally.counts[f"settled {number}"]:
        note = (EITHER_ORDER, f"its dates are read as {form.name}, but could be meant the other way round")
        return Reading("moment", form.type, form.noun, (note,), number, is_in_doubt=True, is_wish=is_wish)
    note = ("date form", f"its dates are read as {form.name}")
    return Reading("moment", form.type, form.noun, (note,), number, is_wish=is_wish)


def as_moment(words: Words, reading: Reading) -> ConvertedWords:
    """Convert texts to dates or times in one form."""
    form = FORMS[reading.form]
    values = _values(words, form, words.matches(form.pattern))
    if not reading.is_in_doubt:
        return ConvertedWords(values)
    # 04/04/2024 is the same day either way, so it is in no doubt.
    return ConvertedWords(values, doubtful=as_mask(pc.not_equal(pc.day(values), pc.month(values))))


def _values(words: Words, form: _Form, shaped: Mask) -> pa.Array:
    texts = words.only(shaped)
    if form.name == _STANDARD and not words.matches("0000.*").any():
        try:
            return texts.cast(form.type)
        except pa.ArrowInvalid:
            pass  # Arrow stops at the first date that is not in the calendar, so they are read one by one.
    pattern = re.compile(form.pattern, re.ASCII)
    build = day_of if form.noun == DATE else _instant
    return pa.array([None if text is None else build(pattern.fullmatch(text)) for text in texts.to_pylist()], form.type)


def day_of(found: re.Match[str] | None) -> date | None:
    """Return the day of a match of one of the patterns of days; None if it is not in the calendar."""
    try:
        return date(int(found["year"]), int(found["month"]), int(found["day"])) if found else None
    except ValueError:
        return None


def _instant(found: re.Match[str] | None) -> datetime | None:
    day = day_of(found)
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
