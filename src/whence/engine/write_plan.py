"""Writes steps back as Spark's logical plan."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, cast

from whence.engine.carry_columns import carry_columns
from whence.engine.collect_ids import collect_ids
from whence.engine.handles import Handles, NodeHandle
from whence.engine.outputs import Outputs
from whence.engine.script import Script
from whence.engine.window_tables import WindowTables
from whence.engine.write_expr import ExprWriter
from whence.plan.catalyst import (
    Attributes,
    Build,
    CarryColumns,
    CollectIds,
    ConcatenatedSeqs,
    NewExprIds,
    Option,
    SameField,
    SameNode,
    Singleton,
)
from whence.plan.expr import Expr, SortKey, WindowSpec, ref
from whence.plan.step import Step
from whence.plan.steps.project import Project
from whence.plan.steps.scan import Scan
from whence.plan.steps.window_rows import WindowRows

_LOGICAL = "org.apache.spark.sql.catalyst.plans.logical"

WriteScan = Callable[[Scan, ExprWriter], Any]


class PlanWriter:
    """Writes one plan, bottom up. Only the operators that a rule changed differ from the plan that was read."""

    def __init__(self, jvm: Script, handles: Handles, write_scan: WriteScan) -> None:
        self._jvm = jvm
        self._handles = handles
        self._exprs = ExprWriter(jvm, handles)
        self._write_scan = write_scan
        self.window_tables = WindowTables(jvm)

    def write(self, step: Step) -> Any:  # noqa: ANN401 - a JVM object
        """Return the logical plan of this step and all steps below it."""
        if isinstance(step, Scan):
            return self._write_scan(step, self._exprs)
        # By id: the hash of a step would be computed from the whole plan below it.
        inputs = {id(child): self.write(child) for child in step.inputs}
        scope = Outputs((inputs[id(child)], child.columns) for child in step.inputs)
        self._exprs.see(scope)
        if isinstance(step, Project) and any(_is_window(expr) for expr in step.exprs):
            return self._windows(step, inputs[id(step.child)], scope)
        if isinstance(step, WindowRows):
            return self._write_window_rows(step, inputs[id(step.child)], scope)
        plan = self._argument(step.to_catalyst(), inputs, scope)
        # Rules leave windows and casts between mixed types unresolved. Spark's analyzer completes them.
        return self._jvm.resolved(plan)

    def _write_window_rows(self, step: WindowRows, child: Any, scope: Outputs) -> Any:  # noqa: ANN401
        columns = (step.partition, step.place, *(each.column for each in step.carried_ids))
        return self.window_tables.keep(step, child, [self._exprs.write(ref(column), scope) for column in columns])

    def _windows(self, step: Project, child: Any, scope: Outputs) -> Any:  # noqa: ANN401
        """Return a projection with window functions: Spark needs a Window operator for each partitioning and ordering.

        Spark's analyzer would make them from a projection, but it may also give columns new ids on the way.
        """
        windows: dict[tuple[object, ...], list[Expr]] = {}
        for expr in step.exprs:
            if _is_window(expr):
                over = cast(WindowSpec, expr.args[0].value)
                windows.setdefault((expr.args[0].args[1:], over.order), []).append(expr)
        put_out = list(step.child.columns)
        for (partition, order), exprs in windows.items():
            keys = [self._exprs.write(key, scope) for key in cast("tuple[Expr, ...]", partition)]
            sorted_by = [self._exprs.sort_order(key) for key in cast("tuple[SortKey, ...]", order)]
            named = [self._exprs.write(expr, scope) for expr in exprs]
            seqs = (self._jvm.seq(each) for each in (named, keys, sorted_by))
            child = self._jvm.make(f"{_LOGICAL}.Window", *seqs, child, self._jvm.none())
            put_out += [expr.output for expr in exprs]
        scope = Outputs([(child, tuple(put_out))])
        shown = [self._exprs.write(ref(expr.output) if _is_window(expr) else expr, scope) for expr in step.exprs]
        return self._jvm.make(f"{_LOGICAL}.Project", self._jvm.seq(shown), child)

    def _build(self, build: Build, inputs: dict[int, Any], scope: Outputs) -> Any:  # noqa: ANN401
        args = [self._argument(arg, inputs, scope) for arg in build.args]
        return self._jvm.make(f"{_LOGICAL}.{build.name}", *args)

    def _argument(self, arg: object, inputs: dict[int, Any], scope: Outputs) -> Any:  # noqa: ANN401, C901 - a table of markers
        match arg:
            case Step():
                return inputs[id(arg)]
            case Expr():
                return self._exprs.write(arg, scope)
            case SortKey():
                return self._exprs.sort_order(arg)
            case Build():
                return self._build(arg, inputs, scope)
            case Option():
                value = arg.value
                return self._jvm.none() if value is None else self._jvm.some(self._argument(value, inputs, scope))
            case Singleton():
                return self._jvm.singleton(arg.name)
            case SameField():
                node = self._handles.node(cast(NodeHandle, arg.handle))
                return getattr(node, arg.name)() if arg.name else node
            case SameNode():
                over = [self._argument(each, inputs, scope) for each in arg.inputs]
                return self._handles.node(cast(NodeHandle, arg.handle)).withNewChildren(self._jvm.seq(over))
            case CarryColumns():
                return self._carry_columns(arg, scope)
            case CollectIds():
                udtf, given = (
                    self._jvm.value(self._exprs.write(each, scope)) for each in (arg.function, ref(arg.given_id))
                )
                return collect_ids(self._jvm.direct, udtf, given, arg.collected_ids)
            case Attributes():
                return self._jvm.seq(list(self._attributes(arg, scope)))
            case NewExprIds():
                return self._jvm.seq([self._jvm.new_expr_id() for _ in range(arg.count)])
            case ConcatenatedSeqs():
                return self._jvm.joined([self._argument(part, inputs, scope) for part in arg.parts])
            case tuple():
                return self._jvm.seq([self._argument(each, inputs, scope) for each in arg])
            case _:
                return arg

    def _attributes(self, made: Attributes, scope: Outputs) -> Iterator[Any]:
        *before, last = made.columns
        yield from map(self._exprs.attribute_for, before)
        if made.elements_of is None:
            yield self._exprs.attribute_for(last)
        else:
            elements = self._exprs.write(made.elements_of, scope).dataType().elementType()
            yield self._exprs.attribute_for(last, elements)

    def _carry_columns(self, function: CarryColumns, scope: Outputs) -> Any:  # noqa: ANN401
        udf = self._handles.node(cast(NodeHandle, function.handle)).functionExpr()
        if not any(function.added_columns):
            return udf
        given = [self._exprs.write(ref(column), scope) for side in function.added_columns for column in side]
        return carry_columns(
            self._jvm.direct, self._jvm.value(udf), [self._jvm.value(each) for each in given], function.carried_columns
        )


def _is_window(expr: Expr) -> bool:
    return expr.kind == "alias" and expr.args[0].kind == "window"
