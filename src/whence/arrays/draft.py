"""Assembles what the store publishes for an operator's output: files, doubt, lineage and a description of the run."""

from __future__ import annotations

from collections.abc import Sequence

from whence.arrays.arrays import VALUE
from whence.arrays.declared_lineage import DeclaredLineage
from whence.arrays.document import FILE, NAME
from whence.arrays.inherited import InheritedDoubt
from whence.arrays.operator import Operator
from whence.arrays.output import Output
from whence.arrays.strategy import COARSE, Strategy
from whence.arrays.words import describe_strategy
from whence.caveats.document import NAME as CAVEATS
from whence.caveats.document import CaveatDocument
from whence.lineage.document import NAME as LINEAGE
from whence.lineage.document import LineageDocument
from whence.model.caveat import Caveat
from whence.model.dataset import DatasetRecord
from whence.plan.columnmap import Use, Uses
from whence.store.draft import Draft


def draft_of(
    operator: Operator, inputs: Sequence[DatasetRecord], lineage: DeclaredLineage, output: Output, found: InheritedDoubt
) -> Draft:
    """Return the draft of the dataset that one run made."""
    coarse = Caveat(f"Lineage is coarse here: {operator.name} declares none.", "lineage")
    caveats, about = ([coarse], CaveatDocument()) if lineage.is_undeclared else ([], CaveatDocument("any"))
    stored = {NAME: lineage.run.to_json(), LINEAGE: lineage.document.to_json(), CAVEATS: about.to_json()}
    return Draft(
        schema=output.columns,
        parts=output.parts,
        text=describe_text(operator),
        parents=tuple(dict.fromkeys(each.id for each in inputs)),
        doubt=found.doubt(output.values),
        caveats=(*caveats, *found.caveats),
        documents={**output.documents, **stored},
        arrays={FILE: lineage.arrays} if lineage.arrays else {},
    )


def declared_document(
    operator: Operator, inputs: Sequence[DatasetRecord], output: Output, strategy: Strategy
) -> LineageDocument:
    """Return the lineage document: each value column reads all value columns of the inputs, on the cells behind it."""
    uses = frozenset(
        Use(number, name, "computed")
        for number, each in enumerate(inputs)
        for name in (each.schema.names if each.schema.position(VALUE) is None else (VALUE,))
    )
    none: Uses = frozenset()
    values = {name: uses if name in output.values else none for name in output.columns.names}
    sources, said = tuple(each.id for each in inputs), describe_strategy(operator, strategy)
    return LineageDocument(
        sources=sources,
        is_exact=strategy != COARSE,
        strategy=said,
        parts=0,
        values=values,
        row=frozenset(),
        has_maps=True,
        is_declared=True,
    )


def describe_text(operator: Operator) -> str:
    """Return the call that made the dataset as text, such as `Crop(low=(0, 0), high=(2, 2))`."""
    arguments = ", ".join(f"{name}={value!r}" for name, value in vars(operator).items())
    return f"{type(operator).__name__}({arguments})" if len(arguments) < 500 else f"{type(operator).__name__}(...)"
