"""The check `fresh`: the latest time is not too old."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pyarrow.compute as pc

from whence.checks.checked_table import CheckedTable
from whence.checks.kind import COLUMN, CheckKind
from whence.checks.plan import CheckPlan
from whence.model.errors import UserError
from whence.model.parameter import Parameter
from whence.transformations.arguments import Arguments

_TIMES = ("date", "timestamp", "timestamp_ntz")


class FreshCheck(CheckKind):
    """The latest time of a column is at most so many days old. Without any time the check fails. Days of a date column
    are counted from midnight; times without a zone are taken for UTC."""

    name = "fresh"
    parameters = (
        COLUMN,
        Parameter("days", "number", "how old the latest time may be, in days", is_required=True, least=0),
        Parameter("now", "text", "the moment to compare with, such as 2026-11-18 12:00; now if left open"),
    )

    def describe(self, values: Arguments) -> str:
        return f"the latest {values.text('column')} is at most {_days(values.number('days'))} old"

    def plan(self, table: CheckedTable, values: Arguments) -> CheckPlan:
        column = table.column(values.text("column"))
        if column.type not in _TIMES:
            raise UserError(f"{column.name} holds {column.type}, not times.")
        latest = pc.max(table.read([column.name]).column(0)).as_py()
        if latest is None:
            return CheckPlan(where=True, why=f"{column.name} has no value")
        now, days = _moment(values.maybe("now")), values.number("days")
        is_old = _age(latest, now) > timedelta(days=days)
        why = f"the latest {column.name} is {latest}, more than {_days(days)} before {now:%Y-%m-%d %H:%M}"
        return CheckPlan(where=is_old, why=why)


def _age(latest: date | datetime, now: datetime) -> timedelta:
    if not isinstance(latest, datetime):
        return now.date() - latest
    return now - (latest if latest.tzinfo is not None else latest.replace(tzinfo=UTC))


def _moment(text: str | None) -> datetime:
    if text is None:
        return datetime.now(UTC)
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise UserError(f"{text} is no moment.", "Write it as 2026-11-18 or 2026-11-18 12:00.") from None
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)


def _days(days: float) -> str:
    return "1 day" if days == 1 else f"{days:g} days"
