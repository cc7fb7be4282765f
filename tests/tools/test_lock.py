"""The pinned versions install on every Python that pyproject.toml allows, so that nobody's first command fails."""

from __future__ import annotations

import tomllib
from importlib.metadata import Distribution, distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[2]
PYTHONS = ("3.11.0", "3.12.0", "3.13.0", "3.14.0")


def pins() -> list[tuple[Requirement, str]]:
    """Each pinned version, and the Pythons that its own metadata asks for."""
    lines = (ROOT / "requirements/constraints.txt").read_text(encoding="utf-8").splitlines()
    parts = [line.partition("  # ") for line in lines if not line.startswith("#")]
    return [(Requirement(pin), note) for pin, _, note in parts]


def holds(pin: Requirement, python: str) -> bool:
    """Whether a pin is for this Python on this system."""
    environment = {"python_full_version": python, "python_version": ".".join(python.split(".")[:2])}
    return pin.marker is None or pin.marker.evaluate(environment)


@pytest.mark.parametrize("python", PYTHONS)
def test_every_pinned_package_runs_on_every_python_we_allow(python: str) -> None:
    asked = {str(pin): note for pin, note in pins() if holds(pin, python)}
    refusing = {pin: note for pin, note in asked.items() if not note or not _allows(note, python)}
    assert len(asked) > 150
    assert refusing == {}


@pytest.mark.parametrize("python", PYTHONS)
def test_no_package_is_pinned_twice_for_one_python(python: str) -> None:
    names = [canonicalize_name(pin.name) for pin, _ in pins() if holds(pin, python)]
    assert sorted(names) == sorted(set(names))


def test_the_notes_beside_the_pins_are_what_the_packages_say() -> None:
    installed = {canonicalize_name(each.metadata["Name"]): each for each in distributions()}
    noted = {pin: note for pin, note in pins() if canonicalize_name(pin.name) in installed}
    wrong = {str(pin): note for pin, note in noted.items() if _differs(pin, note, installed)}
    assert len(noted) > 150
    assert wrong == {}


def test_the_oldest_python_is_the_one_that_the_project_asks_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert [
        python for python in ("3.10.99", *PYTHONS) if SpecifierSet(project["requires-python"]).contains(python)
    ] == [*PYTHONS]


def _allows(note: str, python: str) -> bool:
    return note == "any" or SpecifierSet(note).contains(python)


def _differs(pin: Requirement, note: str, installed: dict[str, Distribution]) -> bool:
    """Versions for another Python are not installed here, and are not compared."""
    found = installed[canonicalize_name(pin.name)]
    return pin.specifier.contains(found.version) and note != (found.metadata["Requires-Python"] or "any")
