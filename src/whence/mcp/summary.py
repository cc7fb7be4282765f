"""Describes a dataset in a line, and what made it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from whence.mcp.answer import clip

if TYPE_CHECKING:
    from whence.workspace.dataset import Dataset

_LONGEST_QUERY = 300


def summary_of(dataset: Dataset) -> str:
    """Return the line that Python prints for a dataset: label, size, and what is in doubt."""
    return repr(dataset).removeprefix("<Dataset ").removesuffix(">")


def origin_of(dataset: Dataset) -> str:
    """Return what made a dataset, from which others.

    For example `Made by sql from parts@1: select ...`.
    """
    record = dataset.record
    parents = ", ".join(dict.fromkeys(parent.record.label for parent in dataset.parents()))
    made_from = f" from {parents}" if parents else ""
    text = f": {clip(record.text, _LONGEST_QUERY)}" if record.text else "."
    return f"Made by {record.origin}{made_from}{text}"
