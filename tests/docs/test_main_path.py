"""The page about the main path names every file of it, and no other."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_page_names_every_file_of_the_main_path() -> None:
    page = (ROOT / "docs" / "main-path.md").read_text()
    files = {path.name for path in (ROOT / "src" / "whence" / "derive").glob("*.py")} - {"__init__.py"}
    assert files <= set(re.findall(r"\w+\.py", page))


def test_every_file_that_the_page_names_is_there() -> None:
    page = (ROOT / "docs" / "main-path.md").read_text()
    folders = [ROOT / "src" / "whence" / folder for folder in ("", "derive", "notebook/cells")]
    named = re.findall(r"`((?:\w+/)*\w+\.py)`", page)
    assert [name for name in named if not any((folder / name).exists() for folder in folders)] == []
