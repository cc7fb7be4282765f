"""What version= and timestamp= of a table mean, whatever its format."""

from __future__ import annotations

from datetime import UTC, datetime

from whence.model.errors import BadInput


def refuse_two_versions(version: int | str | None, timestamp: str | None) -> None:
    """Raise an error if a version is named twice."""
    if version is not None and timestamp is not None:
        raise BadInput("version= and timestamp= are both given.", "Give one of them.")


def moment_of(timestamp: str) -> datetime:
    """Return the time that a text names. A time without a zone is UTC."""
    try:
        found = datetime.fromisoformat(timestamp)
    except ValueError as error:
        raise BadInput(f"{timestamp!r} is no time.", 'For example: timestamp="2024-05-31T12:00:00+00:00".') from error
    return found if found.tzinfo is not None else found.replace(tzinfo=UTC)


def version_number(version: int | str | None, table: str) -> int | None:
    """Return the number of a version that may be written as text."""
    if version is None or isinstance(version, int):
        return version
    try:
        return int(version)
    except ValueError as error:
        raise BadInput(f"{table} has no version {version!r}: its versions are whole numbers.") from error
