"""Pins the newest versions that pyproject.toml allows, for every Python that it allows."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, metadata
from itertools import product
from pathlib import Path

from packaging.requirements import Requirement

from tools.installer import CONSTRAINTS, UV, install
from tools.virtualenv import ROOT

PYTHONS = ("3.11.0", "3.12.0", "3.13.0", "3.14.0")
SYSTEMS = ("linux", "darwin")
HEADER = "# Written by ./dev lock. Behind each version: the Pythons that its own metadata asks for.\n"
PIN = re.compile(r"(?P<name>[\w.-]+)==(?P<version>[^\s;]+)")


def write_constraints() -> None:
    """Resolve for all Pythons at once, install that here, and note beside each pin which Pythons it runs on."""
    lines = _resolve()
    CONSTRAINTS.write_text("\n".join(lines), encoding="utf-8")
    install("--editable", ".", "--group", "dev")
    elsewhere = _ask_registry(line for line in lines if _pythons_of_installed(line) is None)
    notes = {line: _pythons_of_installed(line) or elsewhere.get(_pin(line), "") for line in lines}
    text = "".join(f"{line}  # {note}\n" if note else f"{line}\n" for line, note in notes.items())
    CONSTRAINTS.write_text(HEADER + text, encoding="utf-8")


def _resolve() -> list[str]:
    options = ("--universal", "--python-version", PYTHONS[0], "--upgrade", "--no-header", "--no-annotate")
    command = [
        str(UV),
        "pip",
        "compile",
        "--quiet",
        *options,
        "--no-emit-index-url",
        "pyproject.toml",
        "--group",
        "dev",
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"whence: no set of versions satisfies pyproject.toml.\n{done.stderr}")
    return [line for line in done.stdout.splitlines() if PIN.match(line)]


def _pythons_of_installed(line: str) -> str | None:
    """What the package asks for, if just this version of it is installed here; None if it is not."""
    found = PIN.match(line)
    assert found
    try:
        package = metadata(found["name"])
    except PackageNotFoundError:
        return None
    return (package["Requires-Python"] or "any") if package["Version"] == found["version"] else None


def _ask_registry(lines: Iterable[str]) -> dict[str, str]:
    """Read what versions for other Pythons and systems ask for, without installing them."""
    pins = sorted({_pin(line) for line in lines if any(holds(line, *place) for place in product(PYTHONS, SYSTEMS))})
    if not pins:
        return {}
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "report.json")
        other_python = ("--target", folder, "--python-version", PYTHONS[-1], "--no-deps", "--only-binary", ":all:")
        try_out = (sys.executable, "-m", "pip", "install", "--quiet", "--dry-run", "--report", str(report))
        subprocess.run([*try_out, *other_python, *pins], cwd=ROOT, check=True)
        packages = [item["metadata"] for item in json.loads(report.read_text(encoding="utf-8"))["install"]]
    return {f"{each['name'].lower()}=={each['version']}": each.get("requires_python", "any") for each in packages}


def holds(line: str, python: str, system: str) -> bool:
    """Whether a pin is for this Python on this system.

    >>> holds("appnope==1.0.0 ; sys_platform == 'darwin'", "3.11.0", "linux")
    False
    """
    marker = Requirement(line).marker
    place = {"python_full_version": python, "python_version": python.rpartition(".")[0], "sys_platform": system}
    return marker is None or marker.evaluate({**place, "os_name": "posix"})


def _pin(line: str) -> str:
    return line.partition(";")[0].strip()


if __name__ == "__main__":
    write_constraints()
