"""Analyses liveness and definite assignment in a cell or function body (section 4 of the NBSafety paper).

One forward pass over the structured control flow answers both: it keeps the set of symbols that are assigned on every
path to a point. A read is live if its symbol is not in that set, as some path leads to it without an assignment. A
symbol is dead if it is in the set at the end.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from whence.staleness.effects import Definition, Effects, Store, captures, read_effects
from whence.staleness.paths import Key, Path
from whence.staleness.references import Call, Use
from whence.staleness.scopes import stored_names

Loop = ast.For | ast.AsyncFor | ast.While


@dataclass(frozen=True, slots=True)
class LiveUse:
    """A read that may see the value that a symbol had at the start."""

    path: Path
    whole: bool
    assigned: frozenset[Path]  # what was overwritten on every path to the read
    certain: bool  # it happens whenever the code runs


@dataclass(frozen=True, slots=True)
class LiveCall:
    """A call, with the symbols assigned and the functions defined on every path to it."""

    call: Call
    assigned: frozenset[Path]
    definitions: frozenset[tuple[str, Definition]]
    certain: bool


@dataclass(slots=True)
class Flow:
    """What a cell or function body reads from the state it starts in, and what it surely overwrites (`dead`).

    A set of assigned symbols also holds a token for each call that surely happens. What the callee assigns is known
    only later, when the name of the callee is looked up in memory.
    """

    uses: list[LiveUse] = field(default_factory=list)
    calls: list[LiveCall] = field(default_factory=list)
    deletes: list[Path] = field(default_factory=list)
    dead: frozenset[Path] = frozenset()
    stored: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class _State:
    """What holds on every path to a point; None instead of a state means that no path leads there."""

    assigned: frozenset[Path] = frozenset()
    definitions: frozenset[tuple[str, Definition]] = frozenset()


def call_token(number: int) -> Path:
    """Return the token for everything that the n-th call of a flow assigns. No variable can have this name."""
    return Path("()", (Key("item", number),))


def token_number(path: Path) -> int | None:
    """Return the number of the call that a token stands for; None for a symbol."""
    return int(str(path.keys[0].value)) if path.name == "()" else None


def _join(*states: _State | None) -> _State | None:
    reached = [state for state in states if state is not None]
    if not reached:
        return None
    return _State(
        frozenset.intersection(*(state.assigned for state in reached)),
        frozenset.intersection(*(state.definitions for state in reached)),
    )


def analyse(body: list[ast.stmt], local: frozenset[str] = frozenset()) -> Flow:
    """Return the live reads and dead symbols of a block of code. `local` are names local to its function.

    >>> flow = analyse(ast.parse("if num > 3:\\n    s = fizz\\nelse:\\n    s = 0\\nt = s").body)
    >>> sorted({str(use.path) for use in flow.uses}), sorted(map(str, flow.dead))
    (['fizz', 'num'], ['s', 't'])
    """
    walk = _Walk(local, stored_names(body))
    end = _join(walk.block(body, _State()), *walk.returned)
    walk.flow.dead = end.assigned if end is not None else frozenset()
    walk.flow.stored = walk.stored
    return walk.flow


class _Walk:
    def __init__(self, local: frozenset[str], stored: frozenset[str]) -> None:
        self.flow = Flow()
        self.local = local
        self.stored = stored
        self.returned: list[_State | None] = []
        self._breaks: list[list[_State | None]] = []
        self._doubt = 0

    def block(self, body: list[ast.stmt], state: _State | None) -> _State | None:
        for statement in body:
            state = self.statement(statement, state)
        return state

    def maybe(self, body: list[ast.stmt], state: _State | None) -> _State | None:
        """Analyse a block that may not run. Its reads are not certain."""
        self._doubt += 1
        try:
            return self.block(body, state)
        finally:
            self._doubt -= 1

    def statement(self, node: ast.stmt, state: _State | None) -> _State | None:
        if state is None:
            return None
        match node:
            case ast.If():
                return self._if(node, state)
            case ast.For() | ast.AsyncFor() | ast.While():
                return self._loop(node, state)
            case ast.Try() | ast.TryStar():
                return self._try(node, state)
            case ast.With() | ast.AsyncWith():
                return self.block(node.body, self.apply(read_effects(node, self.local), state))
            case ast.Match():
                return self._match(node, state)
            case _:
                return self._simple(node, state)

    def _simple(self, node: ast.stmt, state: _State) -> _State | None:
        after = self.apply(read_effects(node, self.local), state)
        match node:
            case ast.Return():
                self.returned.append(after)
                self._doubt += 1  # what follows a return that may happen need not run
                return None
            case ast.Raise():
                return None
            case ast.Break() | ast.Continue():
                if isinstance(node, ast.Break):
                    self._breaks[-1].append(after)
                return None
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                return _State(after.assigned, _redefine(after, node.name) | {(node.name, node)})
            case _:
                return after

    def _if(self, node: ast.If, state: _State) -> _State | None:
        state = self.apply(read_effects(node, self.local), state)
        return _join(self.maybe(node.body, state), self.maybe(node.orelse, state))

    def _loop(self, node: Loop, state: _State) -> _State | None:
        header = read_effects(node, self.local)
        self._breaks.append([])
        self._doubt += 1
        if isinstance(node, ast.While):
            inside = state = self.apply(header, state, certain=True)
        else:
            self.apply(Effects(uses=header.uses, calls=header.calls), state, certain=True)
            inside = self.apply(Effects(stores=header.stores), state)
        end = self.block(node.body, inside)
        self._doubt -= 1
        # A `del` in the body is the only way to lose an assignment, and the next turn starts without it.
        exit_state = _join(state, end) if end is not None and not state.assigned <= end.assigned else state
        normal = None if _is_forever(node) else self.maybe(node.orelse, exit_state)
        return _join(normal, *self._breaks.pop())

    def _try(self, node: ast.Try | ast.TryStar, state: _State) -> _State | None:
        body = self.block if not node.handlers else self.maybe
        finished = body(node.body, state)
        kept = _join(state, finished) or state  # the body may stop anywhere; a `del` in it may have happened
        handled = [self._handler(handler, kept) for handler in node.handlers]
        normal = _join(self.maybe(node.orelse, finished), *handled)
        return self._finally(node.finalbody, normal, kept)

    def _handler(self, handler: ast.ExceptHandler, state: _State) -> _State | None:
        self._doubt += 1
        if handler.type is not None:
            state = self.apply(read_effects(handler.type, self.local), state)
        if handler.name is not None:
            state = _State(state.assigned | {Path(handler.name)}, state.definitions)
        end = self.block(handler.body, state)
        self._doubt -= 1
        if end is None or handler.name is None:
            return end
        return _State(end.assigned - {Path(handler.name)}, end.definitions)

    def _finally(self, body: list[ast.stmt], normal: _State | None, failed: _State) -> _State | None:
        """Analyse a `finally` block: it also runs after a failure, when less is assigned. Its writes always happen."""
        if not body:
            return normal
        after = self.block(body, failed)
        if normal is None or after is None:
            return None
        gained, lost = after.assigned - failed.assigned, failed.assigned - after.assigned
        return _State((normal.assigned | gained) - lost, normal.definitions)

    def _match(self, node: ast.Match, state: _State) -> _State | None:
        state = self.apply(read_effects(node, self.local), state)
        ends: list[_State | None] = []
        for case in node.cases:
            bound = frozenset(Path(name) for name in captures(case.pattern) if name not in self.local)
            inside = self.apply(read_effects(case, self.local), state)
            ends.append(self.maybe(case.body, _State(inside.assigned | bound, inside.definitions)))
        if not any(_is_irrefutable(case) for case in node.cases):
            ends.append(state)
        return _join(*ends)

    def apply(self, effects: Effects, state: _State, certain: bool = False) -> _State:
        """Record a statement's live reads and calls, and return the state after its writes and deletions."""
        sure = self._doubt == (1 if certain else 0)
        for use in effects.uses:
            self._read(use, state, sure)
        happened = [self._call(call, state, sure) for call in effects.calls]
        assigned = state.assigned.union(token for token in happened if token is not None)
        definitions = state.definitions
        for store in effects.stores:
            if self._kills(store):
                assigned |= {store.path}
            definitions = _redefine(_State(assigned, definitions), store.path.name)
            if store.defines is not None and not store.path.keys:
                definitions |= {(store.path.name, store.defines)}
        self.flow.deletes += effects.deletes
        for path in effects.deletes:
            assigned = frozenset(known for known in assigned if not path.covers(known))
        return _State(assigned, definitions)

    def _read(self, use: Use, state: _State, sure: bool) -> None:
        path = self._resolvable(use.path)
        if any(prefix in state.assigned for prefix in path.prefixes()):
            return
        whole = use.whole or path != use.path
        relevant = frozenset(known for known in state.assigned if known.name == "()" or (whole and path.covers(known)))
        self.flow.uses.append(LiveUse(path, whole, relevant, sure and use.arm is None))

    def _call(self, call: Call, state: _State, sure: bool) -> Path | None:
        """Record a call. Return its token if it surely happens when control gets here, else None."""
        self.flow.calls.append(LiveCall(call, state.assigned, state.definitions, sure and call.sure))
        return call_token(len(self.flow.calls) - 1) if call.sure and not call.handed_over else None

    def _resolvable(self, path: Path) -> Path:
        """Return the path, cut before a subscript whose variable the code itself binds.

        Such a subscript cannot be looked up before the code runs.
        """
        for key in path.keys:
            if key.kind == "index" and (key.value in self.stored or key.value in self.local):
                return path.before_index()
        return path

    def _kills(self, store: Store) -> bool:
        path = store.path
        if store.keeps or path.name in self.local or path != path.before_index():
            return False
        return not any(path.covers(use.path) or (use.whole and use.path.covers(path)) for use in store.value.flat())


def _redefine(state: _State, name: str) -> frozenset[tuple[str, Definition]]:
    return frozenset(item for item in state.definitions if item[0] != name)


def _is_forever(node: Loop) -> bool:
    return isinstance(node, ast.While) and isinstance(node.test, ast.Constant) and bool(node.test.value)


def _is_irrefutable(case: ast.match_case) -> bool:
    return case.guard is None and isinstance(case.pattern, ast.MatchAs) and case.pattern.pattern is None
