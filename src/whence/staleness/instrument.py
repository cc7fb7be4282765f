"""Adds probes to a cell: after statements without a branch, in operands that may be skipped, between top statements."""

from __future__ import annotations

import ast
import builtins
from dataclasses import dataclass, replace

from whence.model.parse_cell import is_future_import
from whence.staleness.effects import Effects, Store, captures, read_effects, repeated
from whence.staleness.flow import Flow, analyse
from whence.staleness.functions import FunctionInfo, catches
from whence.staleness.paths import Path, read_chain
from whence.staleness.probes import call_statement, check_expression, check_statement
from whence.staleness.references import Use, target_names
from whence.staleness.scopes import Function, local_names, stored_names
from whence.staleness.sites import Arm, InstrumentedCell, Segment, Site, Statement, Step
from whence.staleness.values import Value

HOOK = 0  # the planted object that is told which top-level statement comes next
_BUILTINS = frozenset(dir(builtins))
_ITERATORS = {"enumerate", "zip", "reversed", "list", "iter"}
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_COMPOUND = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.With, ast.AsyncWith, ast.Try, ast.TryStar, ast.Match)
_LEAVES = (ast.Return, ast.Raise, ast.Break, ast.Continue)


@dataclass(frozen=True, slots=True)
class _Context:
    local: frozenset[str] = frozenset()
    in_function: bool = False
    repeats: bool = False  # the code may run more than once in one top-level statement
    may_stop: bool = False  # an exception inside may be caught, so each statement needs its own probe
    loops: tuple[tuple[str, tuple[Path, ...]], ...] = ()


def instrument(tree: ast.Module, pristine: ast.Module, names: frozenset[str]) -> InstrumentedCell:
    """Add probes to a parsed cell, in place. `pristine` is the same cell parsed again, for analyses without probes.

    `names` are the variables of the notebook: a builtin is followed only if one of them hides it.
    """
    return _Instrumenter(tree, pristine, names | stored_names(pristine.body)).run()


class _Instrumenter:
    """Walks one cell, adds the probes, and collects what each of them reports."""

    def __init__(self, tree: ast.Module, pristine: ast.Module, names: frozenset[str]) -> None:
        self.tree = tree
        self.names = names
        self.originals = dict(zip(ast.walk(tree), ast.walk(pristine), strict=True))
        self.sites: dict[int, Site] = {}
        self.functions: list[FunctionInfo] = []
        self.step = Step(None)

    def run(self) -> InstrumentedCell:
        steps: list[Step] = []
        body: list[ast.stmt] = []
        for number, node in enumerate(self.tree.body):
            # Python allows no statement before a `from __future__` import.
            if number > 0 and not is_future_import(node):
                body.append(call_statement(HOOK, "step", number, node))
            self.step = Step(None, stored=stored_names([node]), flow=self._flow(node), catches=catches(node))
            steps.append(self.step)
            body += self._top_level(node)
        self.tree.body = body
        return InstrumentedCell(self.tree, self.sites, self.functions, steps)

    def _flow(self, node: ast.stmt) -> Flow:
        original = self.originals[node]
        return analyse([original]) if isinstance(original, ast.stmt) else Flow()

    def _top_level(self, node: ast.stmt) -> list[ast.stmt]:
        if isinstance(node, _COMPOUND):
            return self._block([node], _Context())
        self.step.simple = self._simple(node, _Context())
        return [node]

    def _simple(self, node: ast.stmt, context: _Context) -> Statement:
        """Read the effects of a simple statement, and add probes inside it."""
        effects = self._adjust(read_effects(node, context.local), context)
        statement = Statement(effects, node.lineno, node.end_lineno or node.lineno)
        self._note(statement, context)
        self._definitions(node, context)
        self._arms(node, statement, context)
        return statement

    def _note(self, statement: Statement, context: _Context) -> None:
        if not context.in_function:
            self.step.inner.append(statement)
            self.step.touched += statement.effects.touched
            self.step.calls += statement.effects.calls

    def _adjust(self, effects: Effects, context: _Context) -> Effects:
        loops = {name: list(paths) for name, paths in context.loops}
        return repeated(effects, loops) if context.repeats else effects

    def _arms(self, node: ast.stmt, statement: Statement, context: _Context) -> None:
        effects = statement.effects
        always = {use.path for use in effects.uses if use.arm is None}
        wanted = {
            use.arm for use in effects.uses if use.arm is not None and self._matters(use) and use.path not in always
        }
        if not wanted:
            return
        numbers: dict[ast.expr, int] = {}
        for arm in sorted(wanted):
            numbers[effects.arms[arm]] = self._add(Arm(statement, arm, context.in_function))
        _ArmPlanter(numbers).visit(node)
        statement.watched_arms = frozenset(wanted)

    def _add(self, site: Site) -> int:
        number = len(self.sites) + 1
        self.sites[number] = site
        return number

    def _matters(self, use: Use) -> bool:
        return use.path.name not in _BUILTINS or use.path.name in self.names

    def _block(self, body: list[ast.stmt], context: _Context, lead: Statement | None = None) -> list[ast.stmt]:
        """Add probes to a block. `lead` is the header of the block's statement, which has run when the block starts."""
        result: list[ast.stmt] = []
        pending = [] if lead is None else [lead]
        for node in body:
            if isinstance(node, _COMPOUND):
                header = self._header(node, context)
                if context.in_function:
                    pending.append(Statement(Effects(uses=header.effects.uses), node.lineno, node.lineno))
                result += self._close(pending, context, node)
                pending = []
                self._compound(node, header, context)
                result.append(node)
                continue
            if _roots(pending) & stored_names([node]):  # afterwards the name would lead to another object
                result += self._close(pending, context, node)
                pending = []
            pending.append(self._simple(node, context))
            if isinstance(node, _LEAVES):
                result += [*self._close(pending, context, node), node]
                pending = []
                continue
            result.append(node)
            if context.may_stop:
                result += self._close(pending, context, node)
                pending = []
        return result + self._close(pending, context, body[-1])

    def _close(self, statements: list[Statement], context: _Context, near: ast.stmt) -> list[ast.stmt]:
        """Return the probe for the statements since the last probe; nothing if they cannot affect the lineage."""
        segment = Segment(list(statements), context.in_function)
        if not any(self._tells(statement, context) for statement in statements):
            return []
        if not context.in_function:
            self.step.segments.append(segment)
        return [check_statement(self._add(segment), near)]

    def _tells(self, statement: Statement, context: _Context) -> bool:
        if statement.effects.changes_symbols:
            return True
        unwatched = [use for use in statement.effects.uses if use.arm not in statement.watched_arms]
        return context.in_function and any(self._matters(use) for use in unwatched)

    def _header(self, node: ast.stmt, context: _Context) -> Statement:
        effects = self._adjust(read_effects(node, context.local), context)
        statement = Statement(effects, node.lineno, node.lineno)
        self._note(statement, context)
        return statement

    def _compound(self, node: ast.stmt, header: Statement, context: _Context) -> None:
        lead = header if header.effects.changes_symbols else None
        match node:
            case ast.For() | ast.AsyncFor() | ast.While():
                inside = replace(context, repeats=True, loops=context.loops + _loop_variables(node))
                node.body = self._block(node.body, inside, lead)
                self._otherwise(node, context)
            case ast.If():
                node.body = self._block(node.body, context, lead)
                self._otherwise(node, context, lead)
            case ast.With() | ast.AsyncWith():
                node.body = self._block(node.body, replace(context, may_stop=True), lead)
            case ast.Match():
                for case in node.cases:
                    case.body = self._block(case.body, context, self._captured(case, header, context))
            case ast.Try() | ast.TryStar():
                self._try(node, context)

    def _otherwise(
        self, node: ast.For | ast.AsyncFor | ast.While | ast.If, context: _Context, lead: Statement | None = None
    ) -> None:
        if node.orelse:
            node.orelse = self._block(node.orelse, context, lead)

    def _try(self, node: ast.Try | ast.TryStar, context: _Context) -> None:
        node.body = self._block(node.body, replace(context, may_stop=True))
        for handler in node.handlers:
            handler.body = self._block(handler.body, context)
        if node.orelse:
            node.orelse = self._block(node.orelse, context)
        if node.finalbody:
            node.finalbody = self._block(node.finalbody, context)

    def _captured(self, case: ast.match_case, subject: Statement, context: _Context) -> Statement | None:
        names = sorted(captures(case.pattern) - context.local)
        if not names:
            return None
        stores = [Store(Path(name), Value(subject.effects.uses)) for name in names]
        statement = Statement(
            Effects(uses=subject.effects.uses, stores=stores), case.body[0].lineno, case.body[0].lineno
        )
        self._note(statement, context)
        return statement

    def _definitions(self, node: ast.stmt, context: _Context) -> None:
        """Add probes to the functions and lambdas that a simple statement contains."""
        if isinstance(node, _FUNCTIONS):
            self._function(node, context.local if context.in_function else frozenset())
        elif isinstance(node, ast.ClassDef):
            for inner in node.body:
                self._definitions(inner, context)
        else:
            # What a lambda argument reads already counts for the statement, as `references.py` reads it statically.
            handed_over = {
                id(argument) for call in ast.walk(node) if isinstance(call, ast.Call) for argument in call.args
            }
            for function in [inner for inner in ast.walk(node) if isinstance(inner, ast.Lambda)]:
                self._lambda(function, context, probed=id(function) not in handed_over)

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef, enclosing: frozenset[str]) -> None:
        self._remember(node, enclosing)
        local = local_names(node, enclosing)
        documented = ast.get_docstring(node, clean=False) is not None
        head, body = node.body[:documented], node.body[documented:]
        context = _Context(local, in_function=True, repeats=True)
        node.body = head + (self._block(body, context) if body else [])

    def _lambda(self, node: ast.Lambda, context: _Context, probed: bool) -> None:
        enclosing = context.local if context.in_function else frozenset()
        self._remember(node, enclosing)
        effects = read_effects(node.body, local_names(node, enclosing))
        statement = Statement(repeated(effects, {}), node.lineno, node.lineno)
        if probed and any(self._matters(use) for use in effects.uses):
            node.body = check_expression(self._add(Segment([statement], in_function=True)), node.body)

    def _remember(self, node: Function, enclosing: frozenset[str]) -> None:
        original = self.originals[node]
        if isinstance(original, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            self.functions.append(FunctionInfo(original, enclosing))


class _ArmPlanter(ast.NodeTransformer):
    """Puts a probe into each of the given operands."""

    def __init__(self, numbers: dict[ast.expr, int]) -> None:
        self.numbers = numbers

    def visit(self, node: ast.AST) -> ast.AST:
        number = self.numbers.get(node) if isinstance(node, ast.expr) else None
        self.generic_visit(node)
        return check_expression(number, node) if number is not None and isinstance(node, ast.expr) else node


def _roots(statements: list[Statement]) -> set[str]:
    """Return the variables through which statements bind or change something."""
    stores = {store.path.name for statement in statements for store in statement.effects.stores}
    return stores | {change.path.name for statement in statements for change in statement.effects.mutations}


def _loop_variables(node: ast.For | ast.AsyncFor | ast.While) -> tuple[tuple[str, tuple[Path, ...]], ...]:
    """Return the loop's variables with the symbols they iterate over: `for o in objects`, `for k, v in d.items()`."""
    if isinstance(node, ast.While):
        return ()
    paths = tuple(_iterated(node.iter))
    return tuple((name, paths) for name in target_names(node.target))


def _iterated(expression: ast.expr) -> list[Path]:
    match expression:
        case ast.Call(func=ast.Name(id=name), args=arguments) if name in _ITERATORS:
            return [path for argument in arguments for path in _iterated(argument)]
        case ast.Call(func=ast.Attribute(value=receiver, attr="values" | "items")):
            return _iterated(receiver)
        case ast.Name() | ast.Attribute() | ast.Subscript():
            chain = read_chain(expression)
            return [chain[0].before_index()] if chain is not None else []
        case _:
            return []
