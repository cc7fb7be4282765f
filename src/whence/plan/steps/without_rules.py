"""Operators that run without rules: what they hand on is coarse, and the result says so."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class WithoutRules:
    """An operator as users know it, and why nothing exact can be said of it."""

    name: str
    reason: str
    doubts: str = "everything is in doubt as soon as something in the inputs is"


WITHOUT_RULES = (
    WithoutRules(
        "Map of batches, or Python table function of a TABLE argument, that was not observed",
        "a Python function is given many rows and may drop, repeat, reorder or merge them, so nothing in what it "
        "returns proves which row an output row came from; `df.groupBy(key).applyInPandas` is exact to the group",
    ),
    WithoutRules(
        "Rounds of recursive queries that read their own rows twice, or limit or compare them, or raise caveats",
        "Spark runs a recursion round by round, and the rules hand on the ids of one row of the round before",
    ),
    WithoutRules(
        "Checkpoints, frames made from RDDs",
        "Spark has forgotten the plan behind them; `cache` and `persist` keep it, so they are exact",
        "nothing is marked, as nothing says what they were made from; a caveat of the dataset says so",
    ),
    WithoutRules(
        "`max`, `min`, `first`, `last` and the like of texts under a collation",
        "beside collected row ids Spark gives such aggregates texts of other rows, so the query runs as it is",
    ),
)
