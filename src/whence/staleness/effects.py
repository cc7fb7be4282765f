"""Reads from the syntax of a statement what it reads, binds, deletes and changes in place.

These are the lineage rules of Table 1 of the NBSafety paper, extended to all of Python.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from whence.staleness.paths import Key, Path
from whence.staleness.references import Call, Mutation, References, Use, read
from whence.staleness.targets import Target, read_targets
from whence.staleness.values import Value, read_value

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda


@dataclass(frozen=True, slots=True)
class Store:
    """An assignment: a symbol that gets a value, and the symbols that the value is made from."""

    path: Path
    value: Value
    keeps: bool = False  # the old value still counts: `a += e`, `df.loc[rows, "c"] = e`
    defines: Definition | None = None
    imports: bool = False


@dataclass(slots=True)
class Effects:
    """Everything that one statement, or the header of a compound statement, reads and changes."""

    uses: list[Use] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)
    mutations: list[Mutation] = field(default_factory=list)
    touched: list[Path] = field(default_factory=list)
    arms: list[ast.expr] = field(default_factory=list)
    stores: list[Store] = field(default_factory=list)
    deletes: list[Path] = field(default_factory=list)
    imports_star: bool = False

    @property
    def changes_symbols(self) -> bool:
        """Whether running the statement can change the lineage at all."""
        return bool(self.stores or self.deletes or self.mutations or self.imports_star)


def read_effects(node: ast.AST, local: frozenset[str] = frozenset()) -> Effects:
    """Return the effects of a simple statement, of a definition, or of a compound statement's header.

    >>> [str(store.path) for store in read_effects(ast.parse("a, b.c = d").body[0]).stores]
    ['a', 'b.c']
    """
    reader = _EffectReader(local)
    reader.visit(node)
    return reader.finish()


class _EffectReader(ast.NodeVisitor):
    def __init__(self, local: frozenset[str]) -> None:
        self.local = local
        self.references = References()
        self.effects = Effects()

    def finish(self) -> Effects:
        found = self.references
        self.effects.uses, self.effects.calls, self.effects.arms = found.uses, found.calls, found.arms
        self.effects.mutations += found.mutations
        self.effects.touched += found.touched
        bound = [Store(Path(name), Value(uses)) for name, uses in found.bindings]
        # `:=` binds while the right side is evaluated, so before the targets of the statement.
        self.effects.stores = bound + self.effects.stores
        return self.effects

    def generic_visit(self, node: ast.AST) -> None:
        """Record the reads of a node without a rule of its own: its expressions are only read."""
        if isinstance(node, ast.stmt):
            for child in ast.iter_child_nodes(node):
                if isinstance(child, ast.expr):
                    read(child, self.local, self.references)
        elif isinstance(node, ast.expr):
            read(node, self.local, self.references)

    def visit_Assign(self, node: ast.Assign) -> None:
        value = read_value(node.value, self.local, self.references)
        for target in node.targets:
            self._store(target, value, node.value)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        read(node.annotation, self.local, self.references)
        if node.value is not None:
            self._store(node.target, read_value(node.value, self.local, self.references), node.value)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        target = replace_context(node.target)
        read(target, self.local, self.references)
        before = len(self.references.uses)
        read(node.value, self.local, self.references)
        self._store(node.target, Value(self.references.uses[before:]), node.value, keeps=True)

    def visit_For(self, node: ast.For | ast.AsyncFor) -> None:
        self._store(node.target, self._read_value(node.iter), node.iter)

    def visit_AsyncFor(self, node: ast.AsyncFor) -> None:
        self.visit_For(node)

    def visit_With(self, node: ast.With | ast.AsyncWith) -> None:
        for item in node.items:
            value = self._read_value(item.context_expr)
            if item.optional_vars is not None:
                self._store(item.optional_vars, value, item.context_expr)

    def visit_AsyncWith(self, node: ast.AsyncWith) -> None:
        self.visit_With(node)

    def visit_If(self, node: ast.If | ast.While) -> None:
        read(node.test, self.local, self.references)

    def visit_While(self, node: ast.While) -> None:
        self.visit_If(node)

    def visit_Match(self, node: ast.Match) -> None:
        read(node.subject, self.local, self.references)

    def visit_Try(self, node: ast.Try | ast.TryStar) -> None:
        """Record nothing: the header of `try` has no effect."""

    def visit_TryStar(self, node: ast.TryStar) -> None:
        self.visit_Try(node)

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        for decorator in node.decorator_list:
            self._call(decorator)
        defaults = [*node.args.defaults, *(default for default in node.args.kw_defaults if default)]
        for default in defaults:
            read(default, self.local, self.references)
        uses = list(self.references.uses)
        # The definition reads its annotations, but they are no sources of the function: `uses` was copied before.
        for annotation in annotations_of(node):
            read(annotation, self.local, self.references)
        self._bind(node.name, Value(uses), defines=node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        self.visit_FunctionDef(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        for decorator in node.decorator_list:
            self._call(decorator)
        for base in [*node.bases, *(word.value for word in node.keywords)]:
            read(base, self.local, self.references)
        value = Value(list(self.references.uses))
        for statement in node.body:
            self._class_attribute(statement, value)
        self._bind(node.name, value, defines=node)

    def _class_attribute(self, statement: ast.stmt, value: Value) -> None:
        inner = read_effects(statement, self.local)
        own = {str(key.value) for key, _ in value.parts}
        self.references.uses += [use for use in inner.uses if use.path.name not in own]
        self.references.calls += inner.calls
        value.parts += [(Key("attr", store.path.name), store.value) for store in inner.stores if not store.path.keys]

    def visit_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            self._import(alias.asname or alias.name.partition(".")[0])

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        for alias in node.names:
            if alias.name == "*":
                self.effects.imports_star = True
            else:
                self._import(alias.asname or alias.name)

    def visit_Delete(self, node: ast.Delete) -> None:
        for expression in node.targets:
            for target in read_targets(expression, self.local, self.references):
                if target.path is not None and (target.path.keys or target.path.name not in self.local):
                    self.effects.deletes.append(target.path)

    def visit_TypeAlias(self, node: ast.AST) -> None:
        """Record that `type X = ...` (Python 3.12) binds its name. Python evaluates the right side only on demand."""
        name = getattr(node, "name", None)
        if isinstance(name, ast.Name):
            self._bind(name.id, Value([]))

    def visit_match_case(self, node: ast.match_case) -> None:
        """Record that a case binds its captures. The caller adds the subject that they come from."""
        for name in sorted(captures(node.pattern)):
            self._bind(name, Value([]))
        if node.guard is not None:
            read(node.guard, self.local | captures(node.pattern), self.references)

    def _read_value(self, expression: ast.expr) -> Value:
        before = len(self.references.uses)
        read(expression, self.local, self.references)
        return Value(self.references.uses[before:])

    def _call(self, decorator: ast.expr) -> None:
        call = ast.copy_location(ast.Call(decorator, [], []), decorator)
        read(call, self.local, self.references)

    def _import(self, name: str) -> None:
        if name not in self.local:
            self.effects.stores.append(Store(Path(name), Value([]), imports=True))

    def _bind(self, name: str, value: Value, defines: Definition | None = None) -> None:
        if name not in self.local:
            self.effects.stores.append(Store(Path(name), value, defines=defines))

    def _store(self, expression: ast.expr, value: Value, source: ast.expr, keeps: bool = False) -> None:
        defines = source if isinstance(source, ast.Lambda) and isinstance(expression, ast.Name) else None
        for target in read_targets(expression, self.local, self.references, value):
            self._store_one(target, keeps, defines)

    def _store_one(self, target: Target, keeps: bool, defines: Definition | None) -> None:
        if target.path is None:
            return
        if target.computed:
            self.effects.mutations.append(Mutation(target.path))
        elif target.path.keys or target.path.name not in self.local:
            self.effects.stores.append(Store(target.path, target.value, keeps or target.partial, defines))


def annotations_of(node: ast.FunctionDef | ast.AsyncFunctionDef) -> list[ast.expr]:
    """Return the annotations of parameters and of the result, which a definition evaluates."""
    arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs, node.args.vararg, node.args.kwarg]
    found = [argument.annotation for argument in arguments if argument is not None] + [node.returns]
    return [annotation for annotation in found if annotation is not None]


def captures(pattern: ast.pattern) -> frozenset[str]:
    """Return the names that a `match` pattern binds."""
    nodes = list(ast.walk(pattern))
    names = [node.name for node in nodes if isinstance(node, ast.MatchAs | ast.MatchStar)]
    names += [node.rest for node in nodes if isinstance(node, ast.MatchMapping)]
    return frozenset(name for name in names if name is not None)


def replace_context(target: ast.expr) -> ast.expr:
    """Return an assignment target as an expression to read, since `a += e` loads `a` first."""
    match target:
        case ast.Name():
            return ast.copy_location(ast.Name(target.id, ast.Load()), target)
        case ast.Attribute():
            return ast.copy_location(ast.Attribute(target.value, target.attr, ast.Load()), target)
        case ast.Subscript():
            return ast.copy_location(ast.Subscript(target.value, target.slice, ast.Load()), target)
        case _:
            return target


def repeated(effects: Effects, loops: Mapping[str, list[Path]]) -> Effects:
    """Return the effects of a statement that may run many times, such as in a loop, as one update for all of them.

    A subscript in a variable then means the whole container, and a change through a loop variable is a change of what
    the loop iterates over. Otherwise a loop over 10^5 items would need 10^5 edges.
    """
    stores = [store for store in effects.stores if not _indexed(store.path)]
    computed = [Mutation(store.path.before_index()) for store in effects.stores if _indexed(store.path)]
    mutations = [replace(change, path=change.path.before_index()) for change in effects.mutations] + computed
    changed = [change.path for change in mutations] + [store.path for store in stores if store.path.keys]
    through = [Mutation(path) for change in changed for path in loops.get(change.name, ())]
    return replace(
        effects,
        uses=[replace(use, path=use.path.before_index()) for use in effects.uses],
        stores=[replace(store, value=store.value.without_indexes()) for store in stores],
        mutations=mutations + through,
    )


def _indexed(path: Path) -> bool:
    return any(key.kind == "index" for key in path.keys)
