"""Describes in one sentence how the lineage of an operator is kept."""

from __future__ import annotations

from whence.arrays.operator import Operator
from whence.arrays.strategy import Strategy

_SENTENCES = {
    "map": "map: {name} works its lineage out from cell numbers and shapes; nothing is stored.",
    "full": "full: {name} listed the cells behind each cell as it ran, stored by {by}.",
    "pay": "pay: {name} noted a payload for some cells as it ran, stored by {by}; its map_p works out the rest.",
    "comp": "comp: {name} noted a payload for the cells that differ, stored by {by}; its map holds for all others.",
    "black": "black box: nothing is stored; the first question runs {name} again in tracing mode.",
    "coarse": "coarse: {name} declares no lineage, so every cell may come from every cell of each input.",
}


def describe_strategy(operator: Operator, strategy: Strategy) -> str:
    """Return the sentence that `ds.lineage.strategy` shows."""
    by = "region" if strategy.encoding == "many" else "cell"
    return _SENTENCES[strategy.kind.split()[0]].format(name=operator.name, by=by)
