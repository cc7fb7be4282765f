"""The status of a notebook cell, and the reason for it."""

from __future__ import annotations

from typing import Literal

Status = Literal["draft", "waiting", "running", "ready", "stale", "error", "cancelled", "frozen"]
Reason = Literal[
    "",
    "not filled in yet",
    "edited",
    "input changed",
    "upstream error",
    "interrupted",
    "engine lost",
    "would fail",
    "stopping",
    "still ending, as other cells use Spark",
    "Spark was restarted to stop this query",
]
