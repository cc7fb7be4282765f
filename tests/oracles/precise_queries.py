"""Queries for which marks must be exact: every expression reads a column once, so nothing cancels out by chance."""

from dataclasses import dataclass, field
from random import Random

from tests.oracles.cases import SCHEMAS
from tests.oracles.expressions import And, Binary, Case, Coalesce, Col, Expr, IsNull, Lit, Not, Or, Same
from tests.oracles.queries import Agg, Aggregate, Distinct, Filter, Item, Project, Query, Scan
from tests.oracles.random_expressions import COMPARISONS, CONSTANTS

BRANCH_VALUES = (7, 8, 9)


@dataclass
class Precise:
    """Makes queries over one table whose expressions use each of its doubtful columns at most once."""

    rng: Random
    scan: Scan = field(init=False)

    def __post_init__(self) -> None:
        table = self.rng.choice(list(SCHEMAS))
        self.scan = Scan(table, "a", SCHEMAS[table])

    def settling(self, depth: int) -> Query:
        """Cells that AND, OR, NOT, CASE, IF, coalesce and IS NULL settle or leave open."""
        conditions = [Item(f"c{number}", self.condition(self.unused(), depth), "bool") for number in range(2)]
        choice = Item("c2", self.choice(self.unused(), depth), "int")
        chain = Item("c3", self.chain(), "int")
        copies = [Item(column.name, Col(column.name), column.type) for column in self.scan.columns]
        return Project(self.scan, (*copies, *conditions, choice, chain))

    def filtered(self, depth: int) -> Query:
        """Columns beside those of the condition: a filter can pin a doubtful cell that it reads to one value."""
        kept = Filter(self.scan, self.condition(self.unused()[1:], depth))
        read = kept.condition.columns()
        shown = (column for column in self.scan.columns if column.name not in read)
        return Project(kept, tuple(Item(column.name, Col(column.name), column.type) for column in shown))

    def supported(self) -> Query:
        """Rows that equal certain rows hold up."""
        columns = self.rng.sample(self.scan.columns[1:], self.rng.randint(1, 2))
        keys = tuple(Item(f"c{number}", Col(column.name), column.type) for number, column in enumerate(columns))
        if self.rng.random() < 0.5:
            return Distinct(Project(self.scan, keys))
        return Aggregate(self.scan, keys, (Agg("n", "count(*)", None, "int"),))

    def counted(self, depth: int) -> Query:
        """One row over what a filter keeps."""
        return Aggregate(
            Filter(self.scan, self.condition(self.unused(), depth)), (), (Agg("n", "count(*)", None, "int"),)
        )

    def unused(self) -> list[str]:
        names = [column.name for column in self.scan.columns[1:]]
        self.rng.shuffle(names)
        return names

    def condition(self, unused: list[str], depth: int) -> Expr:
        if depth > 0 and len(unused) > 1 and self.rng.random() < 0.8:
            both = self.rng.choice((And, Or))
            half = len(unused) // 2
            return both(self.condition(unused[:half], depth - 1), self.condition(unused[half:], depth - 1))
        leaf = self.leaf(unused.pop())
        return Not(leaf) if self.rng.random() < 0.25 else leaf

    def leaf(self, name: str) -> Expr:
        kind = next(column.type for column in self.scan.columns if column.name == name)
        constant = Lit(self.rng.choice(CONSTANTS[kind]), kind)
        test = self.rng.random()
        if test < 0.2:
            return IsNull(Col(name), negated=self.rng.random() < 0.5)
        return Same(Col(name), constant) if test < 0.3 else Binary(self.rng.choice(COMPARISONS), Col(name), constant)

    def choice(self, unused: list[str], depth: int) -> Expr:
        """Branches that never give the same value, so that a changed choice shows."""
        if self.rng.random() < 0.4:
            return Case(((self.condition(unused, depth), Lit(7, "int")),), Lit(8, "int"), as_if=True)
        conditions = (self.condition(unused[:2], depth), self.condition(unused[2:], depth))
        branches = tuple((when, Lit(value, "int")) for when, value in zip(conditions, BRANCH_VALUES, strict=False))
        return Case(branches, Lit(9, "int") if self.rng.random() < 0.7 else None)

    def chain(self) -> Expr:
        columns = [Col(column.name) for column in self.scan.columns[1:] if column.type == "int"]
        self.rng.shuffle(columns)
        return Coalesce((*columns, Lit(7, "int")))
