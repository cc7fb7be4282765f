"""Reports of internal errors, of which a workspace keeps the newest."""

from __future__ import annotations

from pathlib import Path

from whence.store.layout import Layout
from whence.store.reports import MOST_REPORTS, read_reports, write_report


def test_only_the_newest_reports_are_kept(tmp_path: Path) -> None:
    layout = Layout(tmp_path)
    layout.make()
    for number in range(MOST_REPORTS + 3):
        write_report(layout, {"stage": "read", "error": "E", "frames": [], "number": number})
    assert len(read_reports(layout)) == MOST_REPORTS
