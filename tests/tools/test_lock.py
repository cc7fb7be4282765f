"""The pinned versions install on every Python that pyproject.toml allows, so that nobody's first command fails.

No test asks the network: `./dev lock` writes beside each pin what the metadata of the package asks for, and what is
installed here must say the same.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from importlib.metadata import Distribution, distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

from tools.lock import PYTHONS, SYSTEMS, holds

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def pins() -> dict[str, str]:
    """Each pinned version, and the Pythons that its own metadata asks for."""
    lines = (ROOT / "requirements/constraints.txt").read_text(encoding="utf-8").splitlines()
    parts = [line.partition("  # ") for line in lines if not line.startswith("#")]
    return {pin: note for pin, _, note in parts}


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("python", PYTHONS)
def test_every_pinned_package_runs_on_every_python_we_allow(python: str, system: str) -> None:
    asked = {pin: note for pin, note in pins().items() if holds(pin, python, system)}
    assert len(asked) > 150
    assert {pin: note for pin, note in asked.items() if not _allows(note, python)} == {}


@pytest.mark.parametrize("python", PYTHONS)
def test_no_package_is_pinned_twice_for_one_python(python: str) -> None:
    names = [_name(pin) for pin in pins() if holds(pin, python, "linux")]
    assert sorted(names) == sorted(set(names))


def test_the_notes_beside_the_pins_are_what_the_packages_say() -> None:
    installed = _installed()
    noted = {pin: note for pin, note in pins().items() if _name(pin) in installed}
    wrong = {pin: note for pin, note in noted.items() if _differs(pin, note, installed[_name(pin)])}
    assert len(noted) > 150
    assert wrong == {}


def test_everything_that_the_project_installs_is_pinned() -> None:
    """A package without a pin would be its newest version, whatever Python that asks for."""
    pinned = {_name(pin) for pin in pins()}
    needed = set(_needed(_installed()))
    assert len(needed) > 150
    assert needed - pinned == set()


def test_a_package_that_asks_for_a_newer_python_is_refused() -> None:
    assert not _allows(">=3.11.5", "3.11.0")
    assert not _allows("", "3.11.0")
    assert _allows("any", "3.11.0")


def test_the_oldest_python_is_the_one_that_the_project_asks_for() -> None:
    allowed = SpecifierSet(PROJECT["project"]["requires-python"])
    assert [python for python in ("3.10.99", *PYTHONS) if allowed.contains(python)] == [*PYTHONS]


def _needed(installed: dict[str, Distribution]) -> Iterator[str]:
    """Walk from what pyproject.toml names to what that names, and so on; extras count."""
    project, groups = PROJECT["project"], PROJECT["dependency-groups"]
    extras = [line for lines in project["optional-dependencies"].values() for line in lines]
    grouped = [line for lines in groups.values() for line in lines if isinstance(line, str)]
    queue, seen = [Requirement(line) for line in (*project["dependencies"], *extras, *grouped)], set[str]()
    for asked in queue:  # grows while it is read
        if str(asked) in seen or canonicalize_name(asked.name) not in installed:
            continue
        seen.add(str(asked))
        yield canonicalize_name(asked.name)
        lines = installed[canonicalize_name(asked.name)].requires or []
        queue += [each for each in map(Requirement, lines) if _applies(each, asked.extras)]


def _applies(asked: Requirement, extras: set[str]) -> bool:
    return asked.marker is None or any(asked.marker.evaluate({"extra": extra}) for extra in ("", *extras))


def _installed() -> dict[str, Distribution]:
    return {canonicalize_name(each.metadata["Name"]): each for each in distributions()}


def _name(pin: str) -> str:
    return canonicalize_name(Requirement(pin).name)


def _allows(note: str, python: str) -> bool:
    return note == "any" or (note != "" and SpecifierSet(note).contains(python))


def _differs(pin: str, note: str, found: Distribution) -> bool:
    """Versions for another Python are not installed here, and are not compared."""
    is_installed = Requirement(pin).specifier.contains(found.version)
    return is_installed and note != (found.metadata["Requires-Python"] or "any")
