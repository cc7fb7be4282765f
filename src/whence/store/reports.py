"""Report files about internal errors: one for each plan and place of an error, the newest hundred."""

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
    """A report file, when it was written and what it says."""

    path: Path
    time: str
    content: Mapping[str, object]

    @property
    def line(self) -> str:
        """When, at which stage, which error, where, and the file with the rest."""
        frames = cast("list[str]", self.content["frames"])
        place = frames[-1] if frames else "an unknown place"
        return f"{self.time}  {self.content['stage']}  {self.content['error']} at {place}  {self.path}"


def write_report(layout: Layout, content: Mapping[str, object]) -> Path | None:
    """Write a report over an equal one; None where the disk does not take it, which must not stop a query."""
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
    """All reports, the newest first; a file that cannot be read is left out."""
    found = []
    for path in entries(layout.reports):
        with suppress(OSError, ValueError):
            content = json.loads(path.read_text())
            found.append(ErrorReport(path, content["time"], content))
    return sorted(found, key=lambda each: each.time, reverse=True)


def _remove_oldest(layout: Layout) -> None:
    for report in read_reports(layout)[MOST_REPORTS:]:
        report.path.unlink(missing_ok=True)
