from __future__ import annotations

import io
from pathlib import Path
from unittest.mock import patch

import pytest

import whence
from whence.engine import watch
from whence.loading import load as load_module
from whence.loading import parse as parse_module
from whence.loading import progress as progress_module
from whence.loading.load import LoadRequest, load_csv
from whence.loading.progress import Progress
from whence.loading.progress_bar import ProgressBar, shown_progress
from whence.store.store import Store


def test_a_quick_load_says_nothing(store: Store, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a\n1\n")
    said: list[tuple[int, int, str]] = []
    load_csv(store, tmp_path / "t.csv", "t", LoadRequest(report=lambda *words: said.append(words)))
    assert said == []


def test_a_slow_load_says_how_much_is_read_and_written(store: Store, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a\n" + "1\n" * 1000)
    said: list[tuple[int, int, str]] = []
    with (
        patch.object(progress_module, "_QUIET", 0.0),
        patch.object(progress_module, "_PAUSE", 0.0),
        patch.object(parse_module, "WINDOW", 500),
    ):
        load_csv(store, tmp_path / "t.csv", "t", LoadRequest(report=lambda *words: said.append(words)))
    assert [phase for _, _, phase in said] == sorted(phase for _, _, phase in said)  # reading comes before writing
    for phase, total in (("reading", 2002), ("writing", 1000)):
        steps = [done for done, of, said_of in said if said_of == phase and of == total]
        assert steps == sorted(steps)
        assert len(steps) > 3
        assert steps[-1] == total


def test_words_are_seldom() -> None:
    now, said = [0.0], []
    progress = Progress(lambda done, *_: said.append(done), clock=lambda: now[0])
    for step in range(30):
        now[0] = step / 10
        progress.step(step, 30, "reading")
    assert said[0] == 10
    assert len(said) <= 11


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_the_bar_is_one_line_on_a_terminal_and_nothing_elsewhere() -> None:
    terminal, file = Terminal(), io.StringIO()
    for stream in (terminal, file):
        bar = ProgressBar(stream)
        bar(1, 2, "reading")
        bar(2, 2, "reading")
        bar.clear()
    assert file.getvalue() == ""
    assert terminal.getvalue().split("\r")[1:3] == [
        "reading [###############...............]  50%",
        "reading [##############################] 100%",
    ]
    assert "\n" not in terminal.getvalue()


def test_loads_in_tasks_say_how_many_are_done(
    ws: whence.Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "months"
    folder.mkdir()
    for number in range(6):
        (folder / f"{number}.csv").write_text("a\n" + "1\n" * 100)
    ws.spark.range(2000).write.saveAsTable("watched_table")
    said: list[tuple[int, int, str]] = []
    for module, name in ((progress_module, "_QUIET"), (progress_module, "_PAUSE"), (watch, "_PAUSE")):
        monkeypatch.setattr(module, name, 0.001)
    monkeypatch.setattr(load_module, "SPREAD_BYTES", 0)
    try:
        ws.load(folder, progress=lambda *words: said.append(words))
        assert {phase for _, _, phase in said} == {"reading", "writing"}
        assert all(0 <= done <= total == 6 for done, total, _ in said)
        said.clear()
        ws.load(table="watched_table", progress=lambda *words: said.append(words))
        assert said
    finally:
        ws.spark.sql("drop table watched_table")


def test_a_bar_stands_in_for_who_does_not_ask() -> None:
    terminal = Terminal()
    with patch("sys.stderr", terminal), shown_progress(None) as report:
        report(1, 2, "reading")
    assert "reading [###" in terminal.getvalue()
    assert terminal.getvalue().endswith("\r")
    with shown_progress(print) as report:
        assert report is print
