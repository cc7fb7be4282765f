"""Reads the recipes of CONTRIBUTING.md: the files that each asks to touch, and how many it says there are."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
SECTION = re.compile(r"^<!-- --8<-- \[start:(\w+)\] -->\n(.*?)^<!-- --8<-- \[end:\1\] -->$", re.MULTILINE | re.DOTALL)
COUNTS = re.compile(r"^(\d+) files by hand, (\d+) by command:$", re.MULTILINE)
BY_HAND = re.compile(r"^\d+\. `([\w./]+)`: ", re.MULTILINE)
COMMAND = re.compile(r"^\d+\. Run `(\./dev generate[^`]*)`: it writes (.+)\.$", re.MULTILINE)


@dataclass(frozen=True)
class Recipe:
    """One recipe as a newcomer reads it."""

    counts: tuple[int, int]
    """How many files it says are touched by hand and by command."""
    by_hand: tuple[str, ...]
    """The files to write, with NAME for what is added."""
    by_command: dict[str, tuple[str, ...]]
    """For each command the files that it writes."""
    steps: int

    def files(self, name: str) -> set[str]:
        """The files to write by hand for something of this name."""
        return {path.replace("NAME", name) for path in self.by_hand}


def read_recipes() -> dict[str, Recipe]:
    """Every recipe, by the name of its section."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    return {name: _read(section) for name, section in SECTION.findall(text)}


def _read(section: str) -> Recipe:
    ((by_hand, by_command),) = COUNTS.findall(section)
    commands = {command: tuple(re.findall(r"`([^`]+)`", files)) for command, files in COMMAND.findall(section)}
    steps = len(re.findall(r"^\d+\. ", section, re.MULTILINE))
    return Recipe((int(by_hand), int(by_command)), tuple(BY_HAND.findall(section)), commands, steps)
