"""Installs whence as a stranger would: from a wheel, into an empty environment, with neither Java nor Node at hand.

What a developer's machine happens to have must not hide a missing dependency, so the check works on a copy of the
sources without built files and with a PATH from which Java and Node are left out.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tools.installer import CONSTRAINTS, UV, forget_old_downloads
from tools.progress import phase
from tools.virtualenv import ROOT, base_python

HIDDEN = ("java", "javac", "node", "nodejs", "npm", "npx", "corepack")
ORDERS = ROOT / "examples" / "first-look" / "orders.csv"
QUERY = "select city, sum(amount) as total from orders group by city order by city"


def main() -> None:
    """Build the wheel from a clean copy, install it, load a file, ask one query where its result comes from."""
    with tempfile.TemporaryDirectory(prefix="whence-clean-") as name:
        folder = Path(name)
        machine = Machine(folder)
        with phase("wheel from a clean copy of the sources", folder / "wheel"):
            wheel = build_wheel(machine, folder)
        python = folder / "environment" / "bin" / "python"
        with phase("wheel in an empty environment", folder / "environment"):
            machine.run(base_python(), "-m", "venv", "--without-pip", folder / "environment")
            machine.run(UV, "pip", "install", "--python", python, "--constraint", CONSTRAINTS, wheel)
            forget_old_downloads()
        with phase("load, query, trace"):
            use(machine, python, folder / "first.whence")


def build_wheel(machine: Machine, folder: Path) -> Path:
    """Build the wheel, and with it the page, from what is under version control or about to be."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    for path in filter(None, listed.stdout.split("\0")):
        if (ROOT / path).is_file():
            (folder / "sources" / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / path, folder / "sources" / path)
    machine.run(UV, "build", "--wheel", "--python", base_python(), "--out-dir", folder / "wheel", folder / "sources")
    (wheel,) = (folder / "wheel").glob("whence_data-*.whl")
    return wheel


def use(machine: Machine, python: Path, workspace: Path) -> None:
    """Do what a new user does first; every answer is looked at."""
    whence = python.with_name("whence")
    expect(machine.run(whence, "load", workspace, ORDERS), "orders@1: ")
    expect(machine.run(whence, "sql", workspace, QUERY, "--name", "totals"), "Oslo")
    expect(machine.run(whence, "trace", workspace, "totals", "1", "total"), "orders@1 line 4 amount = null (in doubt)")
    page = "from importlib.resources import files; print(files('whence.server') / 'static' / 'index.html')"
    expect(Path(machine.run(python, "-c", page).strip()).read_text(encoding="utf-8"), "<script")


def expect(printed: str, wanted: str) -> None:
    """End with both texts if one is not part of the other."""
    if wanted not in printed:
        sys.exit(f"whence: the installed program printed no {wanted!r}:\n{printed}")


class Machine:
    """Runs programs as on a machine that has neither Java nor Node, and nobody's settings."""

    def __init__(self, folder: Path) -> None:
        self.home = folder / "home"
        self.home.mkdir()
        programs = folder / "programs"
        programs.mkdir()
        for place in filter(os.path.isdir, os.environ.get("PATH", os.defpath).split(os.pathsep)):
            for program in Path(place).iterdir():
                if program.name not in HIDDEN and not (programs / program.name).exists():
                    (programs / program.name).symlink_to(program)
        settings = {name: value for name, value in os.environ.items() if name not in ("JAVA_HOME", "PYTHONPATH")}
        self.environment = settings | {"PATH": str(programs), "UV_CACHE_DIR": _cache_of_uv()}
        assert not any(shutil.which(name, path=str(programs)) for name in HIDDEN)

    def run(self, *command: object) -> str:
        """Run a program and return what it prints, or end with that if it fails."""
        done = subprocess.run(
            [str(part) for part in command],
            cwd=self.home,
            env=self.environment | {"XDG_CACHE_HOME": str(self.home)},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        if done.returncode:
            sys.exit(f"{done.stdout}\nwhence: exit code {done.returncode} of {' '.join(str(part) for part in command)}")
        return done.stdout


def _cache_of_uv() -> str:
    """Packages that were downloaded for development are not downloaded again."""
    return subprocess.run([UV, "cache", "dir"], capture_output=True, text=True, check=True).stdout.strip()


if __name__ == "__main__":
    main()
