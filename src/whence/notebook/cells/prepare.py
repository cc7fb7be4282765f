"""Prepare a dataset with one step of a pipeline, and report what the step did."""

from __future__ import annotations

from functools import cache

from whence.model.errors import UserError
from whence.notebook.cell import CellContext, CellKind, CellResult, Values, names_in
from whence.notebook.cells.prepare_forms import FORMS
from whence.notebook.cells.query import NAME, SOURCE
from whence.notebook.display import Rich
from whence.notebook.footprint import Footprint
from whence.pipeline.call import operation_maker
from whence.pipeline.chain import Chain
from whence.pipeline.missing_lineage import missing_lineage
from whence.pipeline.operation import Counts
from whence.pipeline.operator import Operator
from whence.pipeline.operators.registry import OPERATORS
from whence.pipeline.report import text_report
from whence.pipeline.trail import Trail

_OWN = ("source", "name")


class Prepare(CellKind):
    """One step of a pipeline; the history of every value goes through all such cells."""

    def __init__(self, operator: Operator) -> None:
        self._operator = operator
        self.name = f"prepare_{operator.name}"
        self.title = operator.title
        self.parameters = (SOURCE, *FORMS[operator.name], NAME)
        self.__doc__ = type(operator).__doc__

    def footprint(self, values: Values) -> Footprint:
        return Footprint(names_in(values, "source", "other"), names_in(values, "name"), is_exact=True)

    def run(self, context: CellContext, values: Values) -> CellResult:
        if context.ground is None:
            raise UserError("Lineage cannot be asked here, and a pipeline step needs it.")
        edges = context.ground.edges
        base, name = context.dataset(values["source"]), str(values["name"])
        chain = Chain(context.derive, base, name, context.dataset)
        given = {key: value for key, value in values.items() if key not in _OWN and value not in (None, "", [], {})}

        @cache
        def trail() -> Trail:
            return Trail(context.store, context.engine, edges, chain.segments)

        def count() -> Counts:
            return trail().count(trail().steps[0])

        chain.add(self._operator, operation_maker(0, self._operator.name, given, context.cell, count), **given)
        made = chain.result()
        report = missing_lineage(edges, chain.segments) or text_report(trail())
        return CellResult({name: made}, displays=(Rich({"text/plain": report}),))


PREPARING = tuple(Prepare(operator) for operator in OPERATORS.values() if operator.name in FORMS)
"""One kind for each operator but `apply`, whose function is Python: a Python cell does that."""
