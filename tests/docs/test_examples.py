"""Every example runs, and the documentation shows the examples as they are."""

from __future__ import annotations

import re
import runpy
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TUTORIAL = sorted((ROOT / "examples" / "tutorial").glob("*.py"))  # steps that share a workspace
EXAMPLES = sorted({*(ROOT / "examples").rglob("*.py")} - {*TUTORIAL})
PAGES = sorted((ROOT / "docs").rglob("*.md"))
SNIPPET = re.compile(r'^\s*-+8<-+ "([^":]+)', re.MULTILINE)


WRITTEN_BY_SPARK = ("orders",)
"""Folders that examples have Spark write. Its Java runs in the project's folder, whatever folder the test is in."""
LACKS_DATA = "Set WHENCE_SHARED_DATA"


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.fixture
def clean_project() -> Iterator[None]:
    yield
    for folder in WRITTEN_BY_SPARK:
        shutil.rmtree(ROOT / folder, ignore_errors=True)


@pytest.mark.usefixtures("ws", "clean_project")  # Spark is running, so an example does not wait for it
@pytest.mark.parametrize("example", EXAMPLES, ids=name)
def test_example_runs(
    example: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(example), run_name="__main__")
    printed = capsys.readouterr().out
    if printed.startswith(LACKS_DATA):
        return  # two examples read files that are not part of the project
    assert printed == example.with_suffix(".txt").read_text(), "run the example into this file to renew it"


@pytest.mark.usefixtures("ws")
def test_the_tutorial_prints_what_its_page_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for step in TUTORIAL:
        runpy.run_path(str(step), run_name="__main__")
        assert capsys.readouterr().out == step.with_suffix(".txt").read_text(), step.name


def test_the_tutorial_shows_every_step_with_its_output() -> None:
    shown = SNIPPET.findall((ROOT / "docs" / "tutorial.md").read_text())
    steps = [name(file) for step in TUTORIAL for file in (step, step.with_suffix(".txt"))]
    assert len(TUTORIAL) > 4
    assert [each for each in shown if not each.endswith(".csv")] == steps


def test_every_how_to_is_a_program_with_its_output_on_one_page() -> None:
    programs = sorted((ROOT / "examples" / "how-to").glob("*.py"))
    pages = [SNIPPET.findall(page.read_text()) for page in sorted((ROOT / "docs" / "how-to").glob("*.md"))]
    assert len(programs) > 25
    assert sorted(sorted(shown) for shown in pages if shown) == [
        [name(each), name(each.with_suffix(".txt"))] for each in programs
    ]


def test_the_list_of_how_tos_names_every_page() -> None:
    folder = ROOT / "docs" / "how-to"
    listed = re.findall(r"\(([a-z-]+\.md)\)", (folder / "index.md").read_text())
    assert sorted(listed) == sorted(page.name for page in folder.glob("*.md") if page.name != "index.md")


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_page_includes_files_that_exist(page: Path) -> None:
    missing = [path for path in SNIPPET.findall(page.read_text()) if not (ROOT / path).is_file()]
    assert missing == []


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_page_includes_python_examples_instead_of_pasting_them(page: Path) -> None:
    blocks = re.findall(r"^```python\n(.*?)^```", page.read_text(), re.MULTILINE | re.DOTALL)
    assert [block for block in blocks if "import whence" in block and not SNIPPET.search(block)] == []


def test_readme_shows_the_first_look_as_it_is() -> None:
    text, example = (ROOT / "README.md").read_text(), ROOT / "examples" / "first-look" / "first_look.py"
    (block,) = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    (printed,) = re.findall(r"^```text\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert (block, printed) == (example.read_text(), example.with_suffix(".txt").read_text())


def test_no_text_installs_the_other_package_called_whence() -> None:
    """On PyPI the name belongs to another project; ours is whence-data."""
    texts = [
        path
        for folder in ("docs", "src", "web/src", "web/lab", "examples", "tools")
        for path in ROOT.joinpath(folder).rglob("*")
    ]
    texts += [path for path in ROOT.iterdir() if path.suffix in (".md", ".toml", ".py")]
    wrong = re.compile(r"(?:pip3?|uv|pipx|poetry|conda) (?:install|add|tool install)[^\n`]*?['\" ]whence(?![\w.-])")
    assert wrong.search("pip install whence")
    assert wrong.search("pip install -U 'whence[charts]'")
    assert not wrong.search("pip install 'whence-data[charts]'")
    readable = [
        path for path in texts if path.suffix in (".md", ".py", ".ts", ".tsx", ".toml", ".txt", ".ipynb", ".html")
    ]
    assert len(readable) > 500
    assert [name(path) for path in readable if wrong.search(path.read_text(encoding="utf-8"))] == []
