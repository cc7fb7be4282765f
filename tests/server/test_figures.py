from __future__ import annotations

import json
from pathlib import Path

import pytest

from whence.server import figures

NASTY = {"data": [], "layout": {"title": {"text": "</script><script>alert(1)</script><!-- <script"}}}


def test_a_figure_ends_no_element_and_comes_back_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "plotly.js").write_text("const end = '</script>'", encoding="utf-8")
    monkeypatch.setattr(figures, "SCRIPT", tmp_path / "plotly.js")
    page = figures.figure_document(json.dumps(NASTY), "dark")
    data = page.partition("id=drawn>")[2].partition("</script>")[0]
    assert "<" not in data
    assert json.loads(data) == NASTY
    assert page.count("<script") == page.count("</script>") == 4


def test_without_the_built_page_a_figure_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(figures, "SCRIPT", tmp_path / "missing.js")
    assert (
        figures.figure_document("{}", "light") == "<p>The page has not been built, so the figure cannot be drawn.</p>"
    )
