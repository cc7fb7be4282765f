"""Report files about internal errors: one per plan and place of an error, the newest hundred."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import cast

from whence.store.layout import Layout, entries

MOST_REPORTS = 100


@dataclass(frozen=True)
class ErrorReport:
    """A report file: its path, the time it was written, and its content."""

    path: Path
    time: str
    content: Mapping[str, object]

    @property
    def line(self) -> str:
        """One line with the time, the stage, the error, its place and the path of the file."""
        frames = cast("list[str]", self.content["frames"])
        place = frames[-1] if frames else "an unknown place"
        return f"{self.time}  {self.content['stage']}  {self.content['error']} at {place}  {self.path}"


def write_report(layout: Layout, content: Mapping[str, object]) -> Path | None:
    """Write a report. An equal one is overwritten. Return None if the disk fails, which must not stop a query."""
    digest = hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:16]
    path = layout.reports / f"{digest}.json"
    time = datetime.now(UTC).isoformat(timespec="seconds")
    try:
        layout.reports.mkdir(exist_ok=True)
        path.write_text(json.dumps({"time": time, **content}, indent=1))
        _remove_oldest(layout)
    except OSError:
        return None
    return path


def read_reports(layout: Layout) -> list[ErrorReport]:
    """Return all reports, newest first. Files that cannot be read are left out."""
    found = []
    for path in entries(layout.reports):
        with suppress(OSError, ValueError):
            content = json.loads(path.read_text())
            found.append(ErrorReport(path, content["time"], content))
    return sorted(found, key=lambda each: each.time, reverse=True)


def _remove_oldest(layout: Layout) -> None:
    for report in read_reports(layout)[MOST_REPORTS:]:
        report.path.unlink(missing_ok=True)
