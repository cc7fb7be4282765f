"""A test stands where its subject stands: tests/plan/steps for src/whence/plan/steps."""

from __future__ import annotations

import re

from tools.environment import ROOT

TESTS = ROOT / "tests"


def folders_without_package() -> set[str]:
    """The folders of test modules that are no package of the sources, as paths below tests."""
    folders = {path.parent for path in TESTS.rglob("test_*.py")}
    names = {folder.relative_to(TESTS).as_posix() for folder in folders}
    return {name for name in names if not (ROOT / "src/whence" / name / "__init__.py").is_file()}


def test_tests_lie_in_the_folders_of_packages_or_in_those_that_the_layout_names() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    (beside,) = re.findall(r"^    tests/ .*?beside them (.*?)^    \w", text, re.MULTILINE | re.DOTALL)
    named = set(re.findall(r"\w+", re.sub(r"\(.*?\)", "", beside))) - {"and"}
    own = {path.name for path in TESTS.iterdir() if path.is_dir() and path.name != "__pycache__"}
    packages = {path.parent.name for path in (ROOT / "src/whence").glob("*/__init__.py")}
    assert own - packages == named
    assert {name.partition("/")[0] for name in folders_without_package()} <= named
