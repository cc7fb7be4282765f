"""Counts of the oracles, shown at the end of a run."""

from zlib import crc32

import pytest

from tests.oracles.bounded import BoundCounts
from tests.oracles.comparing import Counts

COUNTS = pytest.StashKey[dict[str, Counts]]()
BOUND_COUNTS = pytest.StashKey[dict[str, BoundCounts]]()


@pytest.fixture(scope="session")
def tally(pytestconfig: pytest.Config) -> dict[str, Counts]:
    """Counts by family of queries; tests add to it."""
    return pytestconfig.stash.setdefault(COUNTS, {})


@pytest.fixture(scope="session")
def bound_tally(pytestconfig: pytest.Config) -> dict[str, BoundCounts]:
    """Counts of bounds by family of queries; tests add to it."""
    return pytestconfig.stash.setdefault(BOUND_COUNTS, {})


@pytest.fixture(autouse=True)
def both_ways(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Small tables are collected; of every second test Spark has to write them, as it does with large ones."""
    if crc32(request.node.nodeid.encode()) % 2:
        monkeypatch.setattr("whence.engine.run_here.MOST_ROWS", -1)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    counted: list[tuple[str, Counts | BoundCounts]] = []
    counted += config.stash.get(COUNTS, dict[str, Counts]()).items()
    counted += config.stash.get(BOUND_COUNTS, dict[str, BoundCounts]()).items()
    if not counted:
        return
    terminalreporter.section("oracles")
    for family, found in counted:
        terminalreporter.write_line(f"{family:28} {found}")
