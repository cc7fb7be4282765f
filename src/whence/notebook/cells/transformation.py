"""One cell kind for each transformation: it takes the transformation's parameters and reports what it did."""

from __future__ import annotations

import secrets

from whence.model.parameter import check_values, is_open
from whence.model.plural import with_article
from whence.notebook.cell import CellContext, CellKind, CellResult, Values, names_in
from whence.notebook.cells.query import NAME, SOURCE, arguments_of, looks_at_marks
from whence.notebook.display import Rich
from whence.notebook.footprint import Footprint
from whence.notebook.python_call import write_call
from whence.notebook.sql_words import bind_arguments
from whence.pipeline.apply import Caller, apply_transformation, describe_chain
from whence.pipeline.preview import TransformationPreview, preview_transformation
from whence.transformations.transformation import Transformation
from whence.transformations.vocabulary.registry import TRANSFORMATIONS

_OWN = ("source", "name")


class TransformationCell(CellKind):
    """A cell kind that applies one transformation, whose docstring each instance takes as its description."""

    has_preview = True

    def __init__(self, transformation: Transformation) -> None:
        self._transformation = transformation
        self.name = transformation.name
        self.title = transformation.title
        self.group = transformation.group
        self.parameters = (SOURCE, *transformation.parameters, NAME)
        self.__doc__ = type(transformation).__doc__
        self._datasets = [each.name for each in transformation.parameters if each.kind in ("dataset", "datasets")]

    def check(self, values: Values) -> None:
        asker = with_article(f"{self.name} cell")
        check_values(asker, (SOURCE, NAME), {name: value for name, value in values.items() if name in _OWN})
        self._transformation.check(asker, self._arguments(values))

    def completed(self, values: Values) -> Values:
        """Return the values with a seed, so that the cell draws the same rows every time it runs."""
        has_seed = any(each.name == "seed" for each in self.parameters)
        return {**values, "seed": secrets.randbelow(1 << 31)} if has_seed and values.get("seed") is None else values

    def footprint(self, values: Values) -> Footprint:
        reads = names_in(values, "source", *self._datasets) | arguments_of(values)
        return Footprint(reads, names_in(values, "name"), is_exact=True, reads_marks=looks_at_marks(values))

    def preview(self, context: CellContext, values: Values) -> TransformationPreview:
        self.check(values)
        completed = self.completed(values)
        base, chosen = context.dataset(values["source"]), bind_arguments(self._arguments(completed), context.parameters)
        return preview_transformation(
            self._caller(context, values), base, self._transformation, chosen, context.run.check
        )

    def to_python(self, values: Values) -> str:
        given = self._arguments(values)
        return write_call("ws.lens", self.name, values.get("source"), name=values.get("name"), **given)

    def run(self, context: CellContext, values: Values) -> CellResult:
        base, name = context.dataset(values["source"]), str(values["name"])
        chosen = bind_arguments(self._arguments(values), context.parameters)
        chain = apply_transformation(self._caller(context, values), base, self._transformation, chosen)
        edges = None if context.services is None else context.services.edges
        report = "" if edges is None else describe_chain(context.derive, edges, chain)
        return CellResult({name: chain.result()}, displays=(Rich({"text/plain": report}),) if report else ())

    def _caller(self, context: CellContext, values: Values) -> Caller:
        return Caller(context.derive, str(values["name"]), context.dataset, line=context.cell, is_reusable=True)

    def _arguments(self, values: Values) -> dict[str, object]:
        """Return the values for the transformation, without empty fields of the form."""
        return {name: value for name, value in values.items() if name not in _OWN and not is_open(value)}


TRANSFORMING = tuple(TransformationCell(each) for each in TRANSFORMATIONS.values() if not each.needs_python)
"""One kind for each transformation, except those that take a Python function: a Python cell can do their work."""
