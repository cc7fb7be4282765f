"""Hints about unknown dataset names: the name that was probably meant, or a list of the existing ones."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from whence.model.schema import INTERNAL_PREFIX

_SHOWN = 10


def suggest_dataset(name: object, known: Iterable[str]) -> str:
    """Return a hint about a dataset name that does not exist. Internal names are never shown.

    >>> suggest_dataset("flihgts", ["airports", "Flights", "__whence_sample_1"])
    'Did you mean Flights?'
    >>> suggest_dataset("weather", ["airports", "Flights", "__whence_sample_1"])
    'There are: Flights, airports.'
    >>> suggest_dataset("weather", [])
    'There is none yet: load or create one first.'
    """
    spelled = {each.strip().lower(): each for each in known if not each.lower().startswith(INTERNAL_PREFIX)}
    near = get_close_matches(str(name).strip().lower(), spelled, n=1)
    if near:
        return f"Did you mean {spelled[near[0]]}?"
    there = sorted(spelled.values())
    more = f" and {len(there) - _SHOWN} more" if len(there) > _SHOWN else ""
    return f"There are: {', '.join(there[:_SHOWN])}{more}." if there else "There is none yet: load or create one first."
