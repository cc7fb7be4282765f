"""The document in which a version says that rows were forgotten: when, and what happened to it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

HISTORY = "forgotten"


def with_event(before: Mapping[str, Any] | None, at: str, sentence: str, certificate: str) -> dict[str, object]:
    """Return the document with one more event."""
    events = [] if before is None else before["events"]
    return {"events": [*events, {"at": at, "sentence": sentence, "certificate": certificate}]}


def history_sentences(document: Mapping[str, Any] | None) -> list[str]:
    """Return a sentence for each event.

    >>> history_sentences(with_event(None, "2026-01-02T03:04:05", "1 row of people@1 went", "7f"))
    ['Rows were forgotten on 2026-01-02: 1 row of people@1 went (certificate 7f).']
    """
    events = [] if document is None else document["events"]
    return [
        f"Rows were forgotten on {each['at'][:10]}: {each['sentence']} (certificate {each['certificate']})."
        for each in events
    ]
