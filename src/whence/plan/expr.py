"""Scalar expressions, as far as rules need to see into them; the engine alone can turn a handle back into Spark."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Literal

from whence.model.schema import INTERNAL_PREFIX

Kind = Literal[
    "column", "literal", "alias", "and", "or", "not", "if", "case", "coalesce", "call", "field", "aggregate",
    "window", "caveat", "question", "opaque",
]  # fmt: skip

CAVEAT_FIELD = INTERNAL_PREFIX + "caveat"
HAS_CAVEAT_FIELD = INTERNAL_PREFIX + "has_caveat"
"""The first field names of the structs as which Spark's plan shows caveats, and questions about them."""

BOUND_ENDS = ("bound_low", "bound_high")
"""The questions for the least and the greatest value that a value can have."""

QUESTION_FIELDS = {HAS_CAVEAT_FIELD: "has_caveat", **{INTERNAL_PREFIX + name: name for name in BOUND_ENDS}}
"""The names of the questions, by the first field names of their structs."""

QUESTIONS = frozenset(QUESTION_FIELDS.values())


LAMBDA = "lambdafunction"
LAMBDA_VARIABLE = "namedlambdavariable"
"""How lambdas and their variables are called in Spark's tree."""

TRY_CAST = "try_cast"
"""How a cast that a rule makes is called."""


@dataclass(frozen=True)
class Column:
    """A column of a step, known by its id: Spark's expression id, or a negative one for a column that a rule adds."""

    id: int
    name: str = field(compare=False)
    type: str = field(compare=False)
    nullable: bool = field(default=True, compare=False)
    is_session: bool = field(default=False, compare=False)
    """Holds spans of time that Spark merges where rows are grouped by them and they overlap."""

    @property
    def is_internal(self) -> bool:
        """Made by a rule, never seen by the user, never in doubt."""
        return self.name.startswith(INTERNAL_PREFIX)


@dataclass(frozen=True)
class Expr:
    """One node of an expression tree.

    An expression read from Spark carries a `handle`; unless `is_rebuilt` says that an argument was changed, the handle
    is the expression. Expressions that rules build have none and are written by the name of Spark's own function. A
    `window` has the function as its first argument, the columns it partitions by after it, a `WindowSpec` as its value.
    A `caveat` has the value and the condition as arguments, the family as its name and the message, an expression, as
    its value; one without a message only flags, and whoever made it lists it elsewhere. Where it states what the value
    can be, `stated` holds the least and the greatest value; `alternatives` is an array, with NULL if the value can be
    missing. A `question` such as `has_caveat` has what it asks about as its argument; a rule puts the answer into its
    value.
    """

    kind: Kind
    args: tuple[Expr, ...] = ()
    name: str = ""
    column: Column | None = None
    value: object = None
    type: str = ""
    condition: Expr | None = None
    is_distinct: bool = False
    is_deterministic: bool = True
    is_rebuilt: bool = False
    stated: tuple[Expr, Expr] | None = None
    alternatives: Expr | None = None
    handle: object = field(default=None, compare=False, repr=False)

    def walk(self) -> Iterator[Expr]:
        """This expression and everything below it, parents first."""
        yield self
        for child in self.children:
            yield from child.walk()

    @property
    def children(self) -> tuple[Expr, ...]:
        """The arguments, and the FILTER condition of an aggregate."""
        return self.args if self.condition is None else (*self.args, self.condition)

    @property
    def columns(self) -> tuple[Column, ...]:
        """The columns this expression reads, each once."""
        read = (node.column for node in self.walk() if node.kind == "column")
        return tuple(dict.fromkeys(column for column in read if column is not None))

    @property
    def caveats(self) -> tuple[Expr, ...]:
        """The caveats raised in this expression, each once."""
        return tuple(dict.fromkeys(node for node in self.walk() if node.kind == "caveat"))

    @property
    def is_opaque(self) -> bool:
        """Something inside has no rule."""
        return any(node.kind == "opaque" for node in self.walk())

    @property
    def repeats(self) -> bool:
        """Evaluating it again gives the same value."""
        return all(node.is_deterministic for node in self.walk())

    def only_when(self, condition: Expr) -> Expr:
        """This aggregate over fewer rows: those for which the condition holds too."""
        both = condition if self.condition is None else all_of(self.condition, condition)
        return replace(self, condition=both, is_rebuilt=True)

    def replace(self, change: Callable[[Expr], Expr | None]) -> Expr:
        """The same expression with the topmost parts changed for which `change` gives something else."""
        changed = change(self)
        if changed is not None:
            return changed
        args = tuple(arg.replace(change) for arg in self.args)
        condition = None if self.condition is None else self.condition.replace(change)
        if args == self.args and condition == self.condition:
            return self
        return replace(self, args=args, condition=condition, is_rebuilt=True)

    @property
    def output(self) -> Column:
        """The column this projected expression makes: an alias makes a new one, a column stays itself."""
        if self.column is None:
            msg = f"{self.kind} {self.name} is not a named expression"
            raise TypeError(msg)
        return self.column


@dataclass(frozen=True)
class SortKey:
    """One ORDER BY key: what it reads, its direction and where NULLs go, and the handle that tells Spark so."""

    expr: Expr
    handle: object = field(default=None, compare=False, repr=False)
    is_descending: bool = field(default=False, compare=False)
    has_nulls_first: bool = field(default=True, compare=False)


@dataclass(frozen=True)
class Frame:
    """Which rows of its partition a window function sees: bounds count from the current row, None is unbounded.

    `text` tells bounds apart that are not whole numbers; such a frame is written by its handle alone.
    """

    kind: Literal["rows", "range"]
    low: int | None
    high: int | None
    text: str = ""
    handle: object = field(default=None, compare=False, repr=False)


WHOLE_PARTITION = Frame("rows", None, None)
RUNNING_FRAME = Frame("rows", None, 0)
UP_TO_PEERS = Frame("range", None, 0)
PEERS = Frame("range", 0, 0)


@dataclass(frozen=True)
class WindowSpec:
    """The order of a window, and the frame in it."""

    order: tuple[SortKey, ...]
    frame: Frame


TRUE = Expr("literal", value=True, type="boolean")
FALSE = Expr("literal", value=False, type="boolean")


def ref(column: Column) -> Expr:
    """Read a column."""
    return Expr("column", name=column.name, column=column, type=column.type)


def null(type_name: str) -> Expr:
    """A NULL of this type."""
    return Expr("literal", value=None, type=type_name)


def null_like(column: Column) -> Expr:
    """A NULL of the type of a column, which only Spark may know."""
    return Expr("literal", column=column)


def literal(value: float | str, type_name: str) -> Expr:
    """A constant of this type."""
    return Expr("literal", value=value, type=type_name)


def alias(expr: Expr, column: Column) -> Expr:
    """Name an expression as a column."""
    return Expr("alias", (expr,), name=column.name, column=column)


def call(name: str, *args: Expr) -> Expr:
    """Call one of Spark's functions by its SQL name."""
    return Expr("call", args, name=name)


def try_cast(expr: Expr, type_name: str) -> Expr:
    """The value as one of this type; NULL where the type does not hold it."""
    return Expr("call", (expr,), name=TRY_CAST, type=type_name)


def field_of(expr: Expr, place: int) -> Expr:
    """The field of a struct at this place."""
    return Expr("field", (expr,), value=place)


def variable(name: str) -> Expr:
    """The variable of a lambda that a rule makes; `so_far.sum` is a field of it."""
    return Expr("call", name=LAMBDA_VARIABLE, value=name)


def with_lambda(body: Expr, *variables: Expr) -> Expr:
    """A lambda that a rule makes, as an argument of a higher-order function."""
    return Expr("call", (body, *variables), name=LAMBDA)


def aggregate(name: str, *args: Expr, only: Expr | None = None) -> Expr:
    """Call one of Spark's aggregate functions by its SQL name."""
    return Expr("aggregate", args, name=name, condition=only)


def window(
    function: Expr, partition: tuple[Expr, ...] = (), order: tuple[SortKey, ...] = (), frame: Frame | None = None
) -> Expr:
    """An aggregate over the rows of the same partition; with an order, over those up to the current row."""
    over = WindowSpec(order, frame or (RUNNING_FRAME if order else WHOLE_PARTITION))
    return Expr("window", (function, *partition), name=function.name, value=over)


def caveat_if(value: Expr, condition: Expr, family: str, message: str | Expr | None) -> Expr:
    """The value, in doubt where the condition holds; the message may be an expression over the row."""
    why = literal(message, "string") if isinstance(message, str) else message
    return Expr("caveat", (value, condition), name=family, value=why)


CONSTANT = "the same in every row of the group"
EXISTS = "some row of the group is so"
SOME_ROW = "some row of the group is so, as a rule asks"
POSSIBLE_ROWS = "over every row of the group that may be there"
SOME_POSSIBLE_ROW = "some row of the group that may be there is so"


def constant(expr: Expr) -> Expr:
    """A value that is the same in every row of the group."""
    return Expr("aggregate", (expr,), name="first", value=CONSTANT)


def exists(claim: Expr) -> Expr:
    """Some row of the group is so; the claim itself is certain."""
    return Expr("aggregate", (claim,), name="max", value=EXISTS)


def some_row(claim: Expr) -> Expr:
    """Some row of the group is so; no for a group without rows."""
    return claim if claim in (TRUE, FALSE) else holds(Expr("aggregate", (claim,), name="max", value=SOME_ROW))


def any_of(*claims: Expr | None) -> Expr:
    """True if any claim holds; None stands for a claim that never does."""
    kept = [claim for claim in dict.fromkeys(claims) if claim is not None and claim != FALSE]
    if TRUE in kept:
        return TRUE
    return _fold("or", kept, FALSE)


def all_of(*claims: Expr) -> Expr:
    """True if every claim holds."""
    kept = [claim for claim in dict.fromkeys(claims) if claim != TRUE]
    if FALSE in kept:
        return FALSE
    return _fold("and", kept, TRUE)


def negate(claim: Expr) -> Expr:
    """True if the claim does not hold."""
    if claim in (TRUE, FALSE):
        return FALSE if claim == TRUE else TRUE
    return Expr("not", (claim,), name="not")


def holds(condition: Expr) -> Expr:
    """The condition as WHERE reads it: NULL does not hold."""
    if condition in (TRUE, FALSE):
        return condition
    return Expr("coalesce", (condition, FALSE), name="coalesce")


def choose(condition: Expr, then: Expr, otherwise: Expr) -> Expr:
    """IF, with the constant cases settled."""
    if then == otherwise or condition in (TRUE, FALSE):
        return otherwise if condition == FALSE else then
    if then == TRUE:
        return any_of(condition, otherwise)
    if otherwise == FALSE:
        return all_of(condition, then)
    return Expr("if", (condition, then, otherwise), name="if")


def one_if(claim: Expr) -> Expr:
    """1 where the claim holds, else 0: what is summed to count."""
    return Expr("if", (claim, literal(1, "bigint"), literal(0, "bigint")), name="if")


def _fold(kind: Literal["and", "or"], claims: list[Expr], empty: Expr) -> Expr:
    if not claims:
        return empty
    folded = claims[0]
    for claim in claims[1:]:
        folded = Expr(kind, (folded, claim), name=kind)
    return folded
