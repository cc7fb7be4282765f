"""Reads which columns a chain of `withColumn`, `select`, `drop` and similar calls makes, and from which columns.

Frames of PySpark and polars are never changed in place: `df = df.withColumn("c", e)` binds `df` anew. Read as one
call, everything in the new frame would depend on everything in `e`. Read column by column, `c` depends on what `e`
names, every other column on the column of that name before, and the binding of the new frame on that of the old.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from whence.staleness.paths import Key, Path, read_chain
from whence.staleness.references import Use, read

_NAMES_A_COLUMN = {"col", "column"}
_HARMLESS = {"lit", "alias", "cast", "name"}  # calls whose string arguments name no column that is read
_ALL = frozenset({"pandas", "polars", "pyspark"})
_IMMUTABLE = frozenset({"polars", "pyspark"})


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns of a frame that is made from the frame at `base`: new ones, and those that pass through."""

    base: Path
    made: dict[str, tuple[Use, ...]] = field(default_factory=dict)
    hidden: frozenset[str] = frozenset()  # columns of the base that do not pass through under their own name
    passes: bool = True  # whether all other columns do
    packages: frozenset[str] = _ALL  # the libraries whose methods mean this

    def source(self, name: str) -> tuple[Use, ...] | None:
        """Return what a column is made from at this point; None if there is no such column."""
        if name in self.made:
            return self.made[name]
        return (Use(self.base.then(Key("item", name))),) if self.passes and name not in self.hidden else None

    def adding(self, new: dict[str, tuple[Use, ...]], packages: frozenset[str]) -> Columns:
        """Return the frame with columns added or replaced."""
        return replace(self, made=self.made | new, packages=self.packages & packages)

    def without(self, names: list[str], packages: frozenset[str]) -> Columns:
        """Return the frame without some columns."""
        made = {name: uses for name, uses in self.made.items() if name not in names}
        return replace(self, made=made, hidden=self.hidden | set(names), packages=self.packages & packages)

    def renamed(self, names: dict[str, str], packages: frozenset[str]) -> Columns | None:
        """Return the frame with columns renamed, all at once; None if one of them does not exist."""
        sources = {new: self.source(old) for old, new in names.items()}
        if any(source is None for source in sources.values()):
            return None
        made = {new: source for new, source in sources.items() if source is not None}
        return self.without(list(names), packages).adding(made, packages)

    def mentioned(self) -> set[str]:
        """Return every column name that is made, hidden or read."""
        used = {use.path.keys[-1].value for uses in self.made.values() for use in uses if use.path.keys}
        return {*self.made, *self.hidden, *(str(name) for name in used)}

    def selected(self, new: dict[str, tuple[Use, ...]], packages: frozenset[str]) -> Columns:
        """Return a frame of only these columns."""
        return replace(self, made=new, passes=False, packages=self.packages & packages)


def read_columns(expression: ast.expr, local: frozenset[str]) -> Columns | None:
    """Return how an expression makes the columns of a frame; None if that is not known column by column.

    >>> found = read_columns(ast.parse('df.withColumn("c", col("a") * k).drop("b")', mode="eval").body, frozenset())
    >>> {name: [str(use.path) for use in uses] for name, uses in found.made.items()}, sorted(found.hidden)
    ({'c': ['df', "df['a']", 'col', 'k']}, ['b'])
    """
    calls: list[ast.Call] = []
    while isinstance(expression, ast.Call) and isinstance(expression.func, ast.Attribute):
        calls.append(expression)
        expression = expression.func.value
    chain = read_chain(expression)
    if not calls or chain is None or not chain[2] or chain[0].name in local:
        return None
    found: Columns | None = Columns(chain[0])
    for call in reversed(calls):
        method = _METHODS.get(_method(call))
        found = method(_Call(call, local), found) if method is not None and found is not None else None
    return found


@dataclass(frozen=True, slots=True)
class _Call:
    """One method call of the chain."""

    node: ast.Call
    local: frozenset[str]

    @property
    def is_plain(self) -> bool:
        """Whether no argument is unpacked with `*` or `**`."""
        starred = any(isinstance(argument, ast.Starred) for argument in self.node.args)
        return not starred and all(word.arg is not None for word in self.node.keywords)

    @property
    def keywords(self) -> dict[str, ast.expr]:
        return {word.arg: word.value for word in self.node.keywords if word.arg is not None}

    def uses(self, expression: ast.expr, frame: Columns) -> tuple[Use, ...]:
        """Return what a column expression reads: the columns it names, or the whole frame if it may read any."""
        own = read(expression, self.local).uses
        names = list(_named_columns(expression))
        if any(name is None for name in names):
            return _whole_frame(frame, own)
        sources = [frame.source(name) for name in names if name is not None]
        if any(source is None for source in sources):
            return _whole_frame(frame, own)
        return (Use(frame.base, whole=False), *(use for source in sources for use in source or ()), *own)


def _whole_frame(frame: Columns, own: list[Use]) -> tuple[Use, ...]:
    made = [use for uses in frame.made.values() for use in uses]
    return (Use(frame.base), *made, *own)


def _method(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else ""


def _named_columns(expression: ast.expr) -> Iterator[str | None]:
    """Yield the columns that an expression names by a string; None if it may read others, as `expr("a + b")` does."""
    match expression:
        case ast.Constant(value=str()) | ast.Lambda():
            yield None
        case ast.Subscript():  # `df["a"]` is a use of its own
            return
        case ast.Call(func=function, args=arguments, keywords=words):
            name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
            if isinstance(function, ast.Attribute):
                yield from _named_columns(function.value)
            yield from _of_arguments(name, [*arguments, *(word.value for word in words)])
        case _:
            for child in ast.iter_child_nodes(expression):
                if isinstance(child, ast.expr):
                    yield from _named_columns(child)


def _of_arguments(function: str, arguments: list[ast.expr]) -> Iterator[str | None]:
    for argument in arguments:
        text = _text(argument)
        if text is None:
            yield from _named_columns(argument)
        elif function in _NAMES_A_COLUMN:
            yield column_name(text)
        elif function not in _HARMLESS:
            yield None


def column_name(text: str) -> str | None:
    """Return the column that a string names; None for patterns (`*`, `^a.*$`) and fields inside a column (`a.b`)."""
    return None if text.startswith("^") or not {"*", ".", "`"}.isdisjoint(text) else text


def _text(node: ast.expr | None) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def _texts(nodes: list[ast.expr]) -> list[str] | None:
    """Return the strings among literals and literal lists; None if one is no plain column name."""
    found: list[str] = []
    for node in nodes:
        inner = node.elts if isinstance(node, ast.List | ast.Tuple) else [node]
        texts = [_text(element) for element in inner]
        if any(text is None or column_name(text) is None for text in texts):
            return None
        found += [text for text in texts if text is not None]
    return found


def _dictionary(node: ast.expr | None) -> dict[str, ast.expr] | None:
    if not isinstance(node, ast.Dict):
        return None
    keys = [_text(key) for key in node.keys]
    if any(key is None for key in keys):
        return None
    return {key: value for key, value in zip(keys, node.values, strict=True) if key is not None}


def _with_column(call: _Call, frame: Columns) -> Columns | None:
    match call.node.args:
        case [name, expression] if _text(name) is not None and not call.node.keywords:
            return frame.adding({_text(name) or "": call.uses(expression, frame)}, frozenset({"pyspark"}))
        case _:
            return None


def _with_columns(call: _Call, frame: Columns) -> Columns | None:
    """Read `withColumns`: PySpark takes a dict, polars keywords and expressions with a name of their own."""
    if not call.is_plain:
        return None
    match call.node.args:
        case [ast.Dict() as given]:
            new = _dictionary(given)
            packages = frozenset({"pyspark"})
        case arguments:
            new = _labelled(arguments, call.keywords)
            packages = frozenset({"polars"})
    return None if new is None else frame.adding(_all_uses(call, new, frame), packages)


def _assign(call: _Call, frame: Columns) -> Columns | None:
    if not call.is_plain or call.node.args:
        return None
    for name, expression in call.keywords.items():  # a later one may use an earlier one
        frame = frame.adding({name: call.uses(expression, frame)}, frozenset({"pandas"}))
    return frame


def _select(call: _Call, frame: Columns) -> Columns | None:
    new = _labelled(call.node.args, call.keywords) if call.is_plain else None
    return None if new is None else frame.selected(_all_uses(call, new, frame), _IMMUTABLE)


def _drop(call: _Call, frame: Columns) -> Columns | None:
    words = call.keywords
    if not call.is_plain or words.keys() - {"columns"}:
        return None
    names = _texts([*call.node.args, *words.values()])
    packages = frozenset({"pandas"}) if words else _IMMUTABLE
    return None if names is None else frame.without(names, packages)


def _rename(call: _Call, frame: Columns) -> Columns | None:
    words = call.keywords
    given = [*call.node.args, *words.values()]
    if len(given) != 1 or words.keys() - {"columns"}:
        return None
    packages = frozenset({"pandas"}) if words else frozenset({"polars"})
    return _renamed(_dictionary(given[0]), frame, packages)


def _with_column_renamed(call: _Call, frame: Columns) -> Columns | None:
    match call.node.args:
        case [old, new] if _text(old) is not None and not call.node.keywords:
            return _renamed({_text(old) or "": new}, frame, frozenset({"pyspark"}))
        case _:
            return None


def _renamed(names: dict[str, ast.expr] | None, frame: Columns, packages: frozenset[str]) -> Columns | None:
    texts = {old: _text(new) for old, new in (names or {}).items()}
    if names is None or any(new is None for new in texts.values()):
        return None
    return frame.renamed({old: new for old, new in texts.items() if new is not None}, packages)


def _labelled(arguments: list[ast.expr], words: dict[str, ast.expr]) -> dict[str, ast.expr] | None:
    """Return column expressions by the name of the column that each makes; None if a name is unknown or repeated."""
    found: dict[str, ast.expr] = {}
    for argument in arguments:
        name = _label(argument)
        if name is None or column_name(name) is None or name in found:
            return None
        found[name] = argument
    return found | words


def _label(expression: ast.expr) -> str | None:
    """Return the name of the column that an expression makes: a plain column's own, or the one in `alias`."""
    match expression:
        case ast.Constant(value=str(name)):
            return name
        case ast.Subscript(slice=ast.Constant(value=str(name))):
            return name
        case ast.Call(func=ast.Attribute(attr="alias"), args=[ast.Constant(value=str(name))]):
            return name
        case ast.Call(func=ast.Attribute(attr="col") | ast.Name(id="col"), args=[ast.Constant(value=str(name))]):
            return name
        case _:
            return None


def _all_uses(call: _Call, new: dict[str, ast.expr], frame: Columns) -> dict[str, tuple[Use, ...]]:
    return {name: _column_uses(call, expression, frame) for name, expression in new.items()}


def _column_uses(call: _Call, expression: ast.expr, frame: Columns) -> tuple[Use, ...]:
    text = _text(expression)
    source = frame.source(text) if text is not None else None
    return source if source is not None else call.uses(expression, frame)


_METHODS: dict[str, Callable[[_Call, Columns], Columns | None]] = {
    "withColumn": _with_column,
    "withColumns": _with_columns,
    "with_columns": _with_columns,
    "withColumnRenamed": _with_column_renamed,
    "assign": _assign,
    "select": _select,
    "drop": _drop,
    "rename": _rename,
}
