"""Lists the leaves of an analysed plan: files with their folders, and relations that are no files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

_FILES = "HadoopFsRelation"


@dataclass(frozen=True)
class Leaf:
    """One leaf of a plan, or of a subquery in it."""

    kind: str
    """The class name of the leaf; for a `LogicalRelation`, of the relation inside it."""
    roots: tuple[str, ...] = ()
    """The folders whose files it reads."""
    columns: tuple[str, ...] = ()
    format: str = ""
    options: tuple[str, ...] = ()


def leaves_of(plan: Any) -> list[Leaf]:  # noqa: ANN401 - a JVM object
    """Return all leaves of a plan, including those of its subqueries."""
    nested = plan.subqueriesAll()
    plans = [plan, *(nested.apply(number) for number in range(nested.size()))]
    found = []
    for each in plans:
        leaves = each.collectLeaves()
        found += [_leaf(leaves.apply(number)) for number in range(leaves.size())]
    return found


def _leaf(node: Any) -> Leaf:  # noqa: ANN401
    kind = str(node.getClass().getSimpleName()).replace("$", "")
    if kind != "LogicalRelation":
        return Leaf(kind)
    relation = node.relation()
    kind = str(relation.getClass().getSimpleName())
    if kind != _FILES:
        return Leaf(kind)
    paths, output = relation.location().rootPaths(), node.output()
    return Leaf(
        kind,
        tuple(str(paths.apply(number).toString()).rstrip("/") for number in range(paths.size())),
        tuple(str(output.apply(number).name()) for number in range(output.size())),
        str(relation.fileFormat().getClass().getSimpleName()),
        tuple(sorted(str(key) for key in _keys(relation.options()))),
    )


def _keys(options: Any) -> list[str]:  # noqa: ANN401 - a Scala map
    keys = options.keys().toSeq()
    return [str(keys.apply(number)) for number in range(keys.size())]
