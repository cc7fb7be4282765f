"""Warming Spark before it is needed: it runs what first queries have, keeps nothing, and gives way."""

from __future__ import annotations

from pathlib import Path

import pytest

import whence
from whence.store.layout import Layout
from whence.workspace import warm_up
from whence.workspace.warm_setting import VARIABLE


@pytest.mark.parametrize("also_large", [False, True])
def test_the_shapes_run_and_nothing_of_them_is_kept(
    spark_home: whence.Workspace, tmp_path: Path, also_large: bool
) -> None:
    assert spark_home.spark is not None
    asked: list[bool] = []

    def is_over() -> bool:
        asked.append(True)
        return False

    warm_up.warm_up(tmp_path / "warm.whence", "library", is_over=is_over, also_large=also_large)
    assert len(asked) == len(warm_up.SHAPES) + also_large * len(warm_up.LARGE_SHAPES)
    assert list(tmp_path.iterdir()) == []


def test_warming_ends_when_somebody_else_needs_spark(spark_home: whence.Workspace, tmp_path: Path) -> None:
    assert spark_home.spark is not None
    asked: list[bool] = []

    def is_over() -> bool:
        asked.append(True)
        return True

    warm_up.warm_up(tmp_path / "warm.whence", "library", is_over=is_over)
    assert (len(asked), list(tmp_path.iterdir())) == (1, [])


def test_a_served_workspace_is_warmed_in_the_background_and_keeps_nothing(
    ws: whence.Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, "on")
    ran: list[Path] = []

    def noted(folder: Path, *given: object, **_: object) -> None:
        ran.append(folder)
        raise whence.WhenceError("nothing that goes wrong here reaches anybody")

    monkeypatch.setattr(warm_up, "warm_up", noted)
    thread = warm_up.start_warm_up(ws, "library")
    assert thread is not None
    thread.join(60)
    assert ws.is_engine_running
    assert ran == [Layout(ws.path).temporary / "warm-up.whence"]
    monkeypatch.setenv(VARIABLE, "off")
    assert warm_up.start_warm_up(ws, "library") is None
