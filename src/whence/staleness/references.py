"""Reads from the syntax of an expression which symbols it uses, what it calls, and what it may change in place."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from whence.staleness.mutators import asks_in_place, may_mutate
from whence.staleness.paths import Key, Path, read_chain

_NEVER_CALL = {
    *("callable", "dir", "display", "getattr", "hasattr", "hash", "id", "isinstance", "len", "list", "partial"),
    *("print", "repr", "setattr", "str", "tuple", "type", "vars"),
}  # functions given to these are not called, though most others call what they are given


@dataclass(frozen=True, slots=True)
class Use:
    """A read of a symbol: of its whole value or, if not `whole`, only of its binding on the way to a part."""

    path: Path
    whole: bool = True
    in_call: bool = False  # it is a callee or an argument
    arm: int | None = None  # the `if`/`else` or `and`/`or` operand it stands in, as such an operand may not run


@dataclass(frozen=True, slots=True)
class Call:
    """A call, or an argument that a callee may call. It may be a function of the notebook."""

    path: Path
    handed_over: bool = False
    sure: bool = True  # False inside a lambda, a comprehension or an operand that may be skipped


@dataclass(frozen=True, slots=True)
class Mutation:
    """A change in place of the object at a path, by a method call or an assignment to a computed subscript."""

    path: Path
    method: str | None = None  # None: certain whatever the type


@dataclass(slots=True)
class References:
    """Everything one expression refers to, in the order of evaluation."""

    uses: list[Use] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)
    mutations: list[Mutation] = field(default_factory=list)
    touched: list[Path] = field(default_factory=list)  # objects that library code gets its hands on
    bindings: list[tuple[str, list[Use]]] = field(default_factory=list)  # `:=` targets
    arms: list[ast.expr] = field(default_factory=list)


class ReferenceReader(ast.NodeVisitor):
    """Collects the references of an expression, given the names that are local to the enclosing functions."""

    def __init__(self, local: frozenset[str], into: References | None = None) -> None:
        self.found = References() if into is None else into
        self._local = local
        self._bound: frozenset[str] = frozenset()
        self._arm: int | None = None
        self._calls = 0
        self._deferred = False  # inside a lambda or comprehension: read statically, as Table 1 does

    def use(self, path: Path, whole: bool = True) -> None:
        """Record a read of a symbol, and of the bindings that lead to it."""
        if path.name in self._local or path.name in self._bound:
            return
        *outer, last = path.prefixes()
        called = self._calls > 0
        self.found.uses += [Use(prefix, whole=False, in_call=called, arm=self._arm) for prefix in outer]
        self.found.uses.append(Use(last, whole, called, self._arm))

    def visit_Name(self, node: ast.Name) -> None:
        self.use(Path(node.id))

    def visit_Attribute(self, node: ast.Attribute) -> None:
        self._visit_chain(node)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        self._visit_chain(node)

    def _visit_chain(self, node: ast.Attribute | ast.Subscript) -> None:
        chain = read_chain(node)
        if chain is None:
            self.generic_visit(node)
            return
        path, computed, _ = chain
        for subscript in computed:
            self.visit(subscript)
        self.use(self._cut_at_unknown_index(path))

    def _cut_at_unknown_index(self, path: Path) -> Path:
        """Cut a path before an index whose variable we could not look up afterwards."""
        for position, key in enumerate(path.keys):
            if key.kind == "index" and (self._deferred or key.value in self._local | self._bound):
                return Path(path.name, path.keys[:position])
        return path

    def visit_Call(self, node: ast.Call) -> None:
        self._calls += 1
        self._visit_call(node)
        self._calls -= 1

    def _visit_call(self, node: ast.Call) -> None:
        if isinstance(node.func, ast.Attribute):
            self._visit_method(node, node.func)
        else:
            self._visit_callee(node.func)
        calls_back = not (isinstance(node.func, ast.Name) and node.func.id in _NEVER_CALL)
        for argument in [*node.args, *(word.value for word in node.keywords)]:
            self.visit(argument)
            self._hand_over(argument, calls_back)

    def _visit_method(self, node: ast.Call, method: ast.Attribute) -> None:
        receiver = self.path_of(method.value)
        columns = _selected(node) if receiver is not None else []
        if receiver is None or not columns:
            self.visit(method.value)
        for column in columns:  # a frame is read column by column; anything else has no such part, and is read whole
            self.use(self._cut_at_unknown_index(receiver or Path("")).then(Key("item", column)))
        if receiver is None:
            return
        self.found.touched.append(receiver)
        self._record_call(receiver.then(Key("attr", method.attr)))
        if may_mutate(node):
            self.found.mutations.append(Mutation(receiver, None if asks_in_place(node) else method.attr))

    def _visit_callee(self, callee: ast.expr) -> None:
        self.visit(callee)
        path = self.path_of(callee)
        if path is not None:
            self._record_call(path)

    def _hand_over(self, argument: ast.expr, calls_back: bool) -> None:
        path = self.path_of(argument)
        if path is None:
            return
        self.found.touched += path.prefixes()  # `map(x.append, y)` changes `x`
        if calls_back:
            self._record_call(path, handed_over=True)

    def _record_call(self, path: Path, handed_over: bool = False) -> None:
        self.found.calls.append(Call(path, handed_over, sure=self._arm is None and not self._deferred))

    def path_of(self, node: ast.expr) -> Path | None:
        """Return the path of an expression that is only a name with constant keys; None for any other."""
        chain = read_chain(node)
        return chain[0] if chain is not None and chain[2] else None

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self.visit(node.test)
        self._visit_arm(node.body)
        self._visit_arm(node.orelse)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        self.visit(node.values[0])
        for value in node.values[1:]:
            self._visit_arm(value)

    def _visit_arm(self, node: ast.expr) -> None:
        outer, before = self._arm, len(self.found.uses)
        if not self._deferred:
            self._arm = len(self.found.arms)
            self.found.arms.append(node)
        self.visit(node)
        if not self._deferred and len(self.found.uses) == before:
            self.found.arms.pop()  # nothing to learn from knowing that it ran
        self._arm = outer

    def visit_NamedExpr(self, node: ast.NamedExpr) -> None:
        before = len(self.found.uses)
        self.visit(node.value)
        name = node.target.id
        if name not in self._local:
            self.found.bindings.append((name, self.found.uses[before:]))
            self._bound |= {name}

    def visit_Lambda(self, node: ast.Lambda) -> None:
        for default in [*node.args.defaults, *(default for default in node.args.kw_defaults if default)]:
            self.visit(default)
        with self._inside(parameters(node.args)):
            self.visit(node.body)

    def visit_ListComp(self, node: ast.ListComp) -> None:
        self._visit_comprehension(node.generators, [node.elt])

    def visit_SetComp(self, node: ast.SetComp) -> None:
        self._visit_comprehension(node.generators, [node.elt])

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> None:
        self._visit_comprehension(node.generators, [node.elt])

    def visit_DictComp(self, node: ast.DictComp) -> None:
        self._visit_comprehension(node.generators, [node.key, node.value])

    def _visit_comprehension(self, generators: list[ast.comprehension], results: list[ast.expr]) -> None:
        self.visit(generators[0].iter)
        names = {name for generator in generators for name in target_names(generator.target)}
        with self._inside(names):
            for position, generator in enumerate(generators):
                for expression in [generator.iter] * (position > 0) + generator.ifs:
                    self.visit(expression)
            for result in results:
                self.visit(result)

    @contextmanager
    def _inside(self, names: set[str]) -> Iterator[None]:
        outer = self._local, self._deferred
        self._local, self._deferred = self._local | names, True
        yield
        self._local, self._deferred = outer


def _selected(call: ast.Call) -> list[str]:
    """Return the columns in `frame.select("a", "b")`; nothing for any other call."""
    if not isinstance(call.func, ast.Attribute) or call.func.attr != "select" or call.keywords:
        return []
    names = [argument.value for argument in call.args if isinstance(argument, ast.Constant)]
    texts = [name for name in names if isinstance(name, str) and name.isidentifier()]
    return texts if len(texts) == len(call.args) else []


def parameters(arguments: ast.arguments) -> set[str]:
    """Return the names that a function's parameters bind."""
    plain = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    extra = [argument for argument in (arguments.vararg, arguments.kwarg) if argument is not None]
    return {argument.arg for argument in [*plain, *extra]}


def target_names(target: ast.expr) -> set[str]:
    """Return the plain names that an assignment target binds."""
    return {node.id for node in ast.walk(target) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}


def read(expression: ast.AST | None, local: frozenset[str], into: References | None = None) -> References:
    """Return the references of one expression, added to `into` if given."""
    reader = ReferenceReader(local, into)
    if expression is not None:
        reader.visit(expression)
    return reader.found
