"""A copy of the repository in which every recipe was performed, and which files each one touched."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.recipes.recipe import ROOT
from tests.recipes.sample import SAMPLES

PARTS = ("src/whence", "tests", "tools", "docs", "web/src")
FILES = ("CONTRIBUTING.md", "conftest.py", "hatch_build.py", "pyproject.toml")
STATIC = Path("src/whence/server/static")
LEFT_OUT = shutil.ignore_patterns("static", "images", "real", "node_modules")
Stamps = dict[str, tuple[int, int]]


@dataclass(frozen=True)
class RepositoryCopy:
    """The copy, and by recipe the files that performing it touched."""

    root: Path
    touched: dict[str, set[str]]

    def run_tests(self, marks: str, *tests: str) -> None:
        """Run tests of the copy, with its sources, in a process of their own."""
        paths = f"{self.root / 'src'}{os.pathsep}{self.root}"
        ran = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", marks, *tests],
            cwd=self.root,
            env={**os.environ, "PYTHONPATH": paths},
            capture_output=True,
            text=True,
            check=False,
        )
        assert ran.returncode == 0, f"{ran.stdout[-6000:]}\n{ran.stderr[-3000:]}"


def perform_recipes(root: Path) -> RepositoryCopy:
    """Copy the repository and perform one recipe after the other."""
    copy_repository(root)
    touched = {}
    before = read_stamps(root)
    for section, sample in SAMPLES.items():
        sample.perform(section, root)
        after = read_stamps(root)
        touched[section] = changed_files(before, after)
        before = after
    return RepositoryCopy(root, touched)


def copy_repository(root: Path) -> None:
    """Copy what the recipes, the tests and the commands read; the built page, if there is one, is that of the copy."""
    for part in PARTS:
        shutil.copytree(ROOT / part, root / part, ignore=LEFT_OUT)
    for name in FILES:
        shutil.copy(ROOT / name, root / name)
    if (ROOT / STATIC).is_dir():
        (root / STATIC).symlink_to(ROOT / STATIC)


def read_stamps(root: Path) -> Stamps:
    """For each file of a copy, by its path, what changes whenever it is written."""
    files = (path for part in PARTS for path in (root / part).rglob("*.*") if "__pycache__" not in path.parts)
    stats = {path: path.stat() for path in (*files, *(root / name for name in FILES))}
    return {path.relative_to(root).as_posix(): (stat.st_mtime_ns, stat.st_size) for path, stat in stats.items()}


def changed_files(before: Stamps, after: Stamps) -> set[str]:
    """The files that are new, other or gone."""
    return {path for path in before.keys() | after.keys() if before.get(path) != after.get(path)}
