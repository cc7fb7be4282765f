"""The sentence that says why a question has no answer, and where rows seem to be missing rather than wrong."""

from __future__ import annotations

import numpy as np

from whence.explain.arrays import Floats
from whence.explain.attribute import Choice
from whence.explain.problem import Problem
from whence.explain.search.archive import Archive

_GAP = 0.5
"""Share of the missing rows that a single value must account for to be named."""


def reason(problem: Problem, archive: Archive, before: Floats, lam: float, *, has_judged: bool) -> str:
    """Return one or two sentences that say why there is no answer."""
    if not problem.attributes:
        return "There is no attribute to explain with: every column is the group key, the measure, or was left out."
    missing = _missing_rows(problem, before)
    if missing:
        return missing
    if problem.aggregate.name == "count" and not problem.holdouts:
        return "A count without hold-outs tells nothing: every row counts the same. Mark some values that are fine."
    best = (
        max((float(archive.parts.influence(c, lam).max()) for c in (0.0, 0.1, 0.3)), default=0.0) if len(archive) else 0
    )
    if best <= 0:
        return "Nothing systematic: no predicate improves the outliers more than it disturbs the hold-outs."
    if has_judged:
        return "Nothing systematic: the best answer does not hold on the other half of the rows, so it may be chance."
    return "Nothing systematic: the effect of the best answer is within its own error, so it may be chance."


def _missing_rows(problem: Problem, before: Floats) -> str:
    """Say where the outliers have fewer rows than the hold-outs, if they are too low.

    Removing rows cannot raise a count, or a sum of positive numbers, so no predicate can be an answer there.
    """
    is_low = all(each.is_too_low(float(value)) for each, value in zip(problem.complaints, before, strict=False))
    if not (is_low and problem.aggregate.keeps_value_when_empty and problem.holdouts):
        return ""
    gaps = []
    for attribute in problem.attributes:
        counts = np.zeros((problem.groups, attribute.width))
        np.add.at(counts, (problem.owner, attribute.codes), problem.scale[problem.owner])
        usual, here = counts[problem.outliers :].mean(axis=0), counts[: problem.outliers].mean(axis=0)
        # A gap is named by a single value, which an ordered attribute does not have.
        if attribute.is_ordered:
            continue
        gaps += [
            (usual[code] - here[code], here[code], usual[code], attribute.condition(Choice((code,))).phrase)
            for code in range(attribute.size)
        ]
    sizes = problem.counts * problem.scale
    lacking = float(sizes[problem.outliers :].mean() - sizes[: problem.outliers].mean())
    if lacking <= 0:
        return ""
    text = "Rows seem to be missing rather than wrong: no row that is there lowers the value"
    gap = max(gaps, default=None)
    if gap is not None and gap[0] >= _GAP * lacking:
        return f"{text}, but where {gap[3]} there are {gap[1]:.0f} rows behind an outlier against {gap[2]:.0f} usually."
    return f"{text}, but there are {lacking:.0f} fewer rows behind an outlier than behind a hold-out."
