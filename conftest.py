"""Fixtures every test shares: one Spark for the whole run of a process, a workspace of its own for each test."""

from __future__ import annotations

import gc
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

import whence
from tests import run_order
from whence.engine.blame import RAISE_VARIABLE

# Java compiles what is called often a second time, better and slowly. Tests end before that pays: without it, and with
# the plain garbage collector, a process with Spark takes half the CPU time. Processes that tests start inherit it.
os.environ.setdefault("SPARK_SUBMIT_OPTS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:ReservedCodeCacheSize=256m")
# The archive of Java's classes is used where ./dev made it. Servers start Spark when a test needs it.
os.environ.setdefault("WHENCE_CLASS_ARCHIVE", "use")
os.environ.setdefault("WHENCE_WARM_UP", "off")
# Tests of a server wait for its Spark, beside tests that keep the cores busy.
os.environ.setdefault("WHENCE_SPARK_NICENESS", "0")
# Servers of tests note which workspaces were open: not among those of whoever runs the tests.
os.environ["XDG_STATE_HOME"] = str(Path(tempfile.gettempdir()) / f"whence-tests-{os.getuid()}")

ALLOCATIONS = 50_000
"""So many new objects let Python look for garbage. Its own 700 make it look through thousands of tests all the time."""

LONG_SECONDS = 2_700
"""What one test of the full counts may take; its part as a whole must stay under the same bound."""


def pytest_configure(config: pytest.Config) -> None:
    """An internal error of whence is a failure here; without the tests that start Spark, no other can start it."""
    gc.set_threshold(ALLOCATIONS, 20, 20)
    os.environ[RAISE_VARIABLE] = "1"  # for the processes that tests start, too
    if "not spark" in config.option.markexpr:
        os.environ["SPARK_HOME"] = "/nowhere: a test without the mark spark starts Spark"


@pytest.hookimpl(tryfirst=True)  # before -m looks at the marks
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark and order the tests; the bound that finds stuck tests is for the short ones."""
    run_order.mark_and_order(items)
    for item in items:
        if item.get_closest_marker("long") and not item.get_closest_marker("timeout"):
            item.add_marker(pytest.mark.timeout(LONG_SECONDS))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> run_order.FilesInOrder | None:
    """Side by side, files stay whole and keep the order they have here."""
    return run_order.FilesInOrder(config, log) if config.option.dist == "loadfile" else None


@pytest.fixture(scope="session")
def spark_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[whence.Workspace]:
    """The workspace that starts Spark; it outlives all others, because Spark's scratch files lie in it."""
    with whence.open(tmp_path_factory.mktemp("spark") / "home.whence") as home:
        yield home


@pytest.fixture
def ws(tmp_path: Path, spark_home: whence.Workspace) -> Iterator[whence.Workspace]:
    """An empty workspace on the shared Spark."""
    assert spark_home.spark is not None
    with whence.open(tmp_path / "test.whence") as workspace:
        yield workspace


@pytest.fixture(autouse=True)
def _examples_in_docstrings(request: pytest.FixtureRequest) -> None:
    """A docstring example may use `whence` and an open workspace `ws`. Other tests get no folder from this."""
    if isinstance(request.node, pytest.DoctestItem):
        names = request.getfixturevalue("doctest_namespace")
        names["whence"] = whence
        if any("ws" in example.source for example in request.node.dtest.examples):
            names["ws"] = request.getfixturevalue("ws")
        request.getfixturevalue("monkeypatch").chdir(request.getfixturevalue("tmp_path"))
