"""Summarises a group of caveats in one sentence: how many values share a doubt, and what the doubt is."""

from __future__ import annotations

import re
from collections.abc import Sequence

from whence.loading.problems import MAY_BE, place_words, quoted
from whence.model.caveat import CaveatGroup, CaveatRef

_MISFIT = re.compile(r"is not (.+); it is kept as text and the cell is empty\.")
_MISSING = re.compile(r"may stand for a missing value; .*")
_SHOWN = 3


def caveat_sentence(group: CaveatGroup) -> str:
    """Return one sentence about all caveats of a group, or the first message if they differ.

    `386 values in Death Rate are not numbers ('.').`

    A group lists only its first caveats. If nothing is known of the others, the sentence says how many it is about:

    `3,860 values in Death Rate are in doubt; the first 500 are not numbers ('.').`
    """
    claims = {_claim(each) for each in group.references}
    claim = claims.pop() if len(claims) == 1 else None
    if group.count < 2 or claim is None:
        return group.message
    predicate = _predicate(claim, _texts(group.references, lists_all=len(group.references) == group.count))
    if len(group.references) == group.count or group.ending.endswith(f", {claim}"):
        return f"{group.count:,} values in {group.column}{predicate}"
    return f"{group.count:,} values in {group.column} are in doubt; the first {len(group.references):,}{predicate}"


def _predicate(claim: str, texts: str) -> str:
    """Return what is said of several values of which each message says the claim."""
    misfit = _MISFIT.fullmatch(claim)
    if misfit:
        return f" are not {_plural(misfit[1])} ({texts})."
    return f" may stand for missing values ({texts})." if _MISSING.fullmatch(claim) else f" ({texts}): each {claim}"


def _claim(reference: CaveatRef) -> str | None:
    """Return what a message says of one value, without its place and its meanings; None if it is about no value."""
    if reference.text is None or reference.column is None or reference.line is None:
        return None
    place = f"{place_words(reference.text, reference.column, reference.line)}, "
    if not reference.message.startswith(place):
        return None
    claim, is_cut, _ = reference.message[len(place) :].partition(f".{MAY_BE}")
    return f"{claim}." if is_cut else claim


def _plural(noun: str) -> str:
    one = re.fullmatch(r"an? (\w+)", noun)
    return f"{one[1]}s" if one else noun


def _texts(references: Sequence[CaveatRef], *, lists_all: bool) -> str:
    texts = list(dict.fromkeys(quoted(each.text or "") for each in references))
    return f"{'' if lists_all and len(texts) <= _SHOWN else 'such as '}{', '.join(texts[:_SHOWN])}"
