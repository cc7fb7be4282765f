"""Calls made up from the contract, most of them with names that exist: what a hurried or hostile client might send.

The contract says that a name is a text; nearly every text is a name of nothing. So six calls of seven have such parts
replaced by what is there, and only those parts: everything else stays as it was made up.
"""

from __future__ import annotations

import random
from typing import Any

from whence.client import ApiError, Client

COLUMNS = ["part", "price", "stock"]
OPERATIONS: list[tuple[str, dict[str, object]]] = [
    ("set", {"row": 0, "column": "price", "value": 3}),
    ("set", {"row": 1, "column": "stock", "value": "=B1*2"}),
    ("set_column", {"column": "price", "value": "=[@price]+1"}),
    ("set_where", {"where": "[@price] > 2", "column": "stock", "value": 0}),
    ("insert_row", {}),
    ("delete_row", {"rows": [0]}),
    ("move_row", {"rows": [1], "after": None}),
    ("sort", {"by": [["price", "desc"]]}),
    ("filter", {"where": "[@price] > -100"}),
    ("fill", {"row": 0, "column": "price", "to": [1]}),
    ("replace", {"find": "o", "replacement": "0"}),
    ("recode", {"column": "part", "values": {"nut": "bolt"}}),
    ("apply_to_identical", {"row": 0, "column": "part"}),
    ("undo", {}),
    ("redo", {}),
]
CELLS: list[tuple[str, dict[str, object]]] = [
    ("markdown", {"source": "# Hello"}),
    ("sql", {"source": "select 1 as n", "name": "fuzzed"}),
    ("parameters", {"source": {"n": 1}}),
]
CHARTS: list[dict[str, object]] = [
    {"aes": {"x": "part", "y": "stock"}, "stat": "sum", "geom": "bar"},
    {"aes": {"x": "price"}, "geom": "histogram"},
]


BODIES: dict[str, dict[str, Any]] = {
    "checkout": {"branch": "main"},
    "restore": {"version": 1},
    "mode": {"mode": "lazy"},
    "sheets": {"dataset": "prices"},
    "apply": {"notebook": "fuzz", "name": "fuzzed sheet"},
    "why-not": {"source": "prices", "row": 0, "where": None, "version": None},
}
"""Requests whose body is always the same, by the last part of their address."""


class World:
    """What is there to be named."""

    def __init__(self, client: Client, seed: int) -> None:
        self.client = client
        self.dice = random.Random(seed)

    def prepare(self) -> None:
        """Something of every kind."""
        self.client.make_notebook(name="fuzz")
        self.client.set_mode("fuzz", mode="lazy")
        self.client.add_cell("fuzz", kind="markdown", values={"source": "# Prices"})
        self.client.wait("fuzz")
        self.client.run_cells("fuzz", what="all")
        self.client.make_branch("fuzz", name="other")

    def path(self, operation: str, name: str) -> str:
        """A value for a part of the path."""
        match name:
            case "name":
                if "/datasets/" in operation:
                    return self._dataset(operation.rpartition("/")[2])
                return self._passing() if operation.endswith(("/remove", "/rename", "/copy")) else "fuzz"
            case "cell":
                return self.dice.choice([cell.id for cell in self.client.read_notebook("fuzz").cells] or [self._cell()])
            case "version":
                return str(self.dice.randint(1, self.client.read_notebook("fuzz").version))
            case "sheet":
                return self._sheet()
            case "share":
                return self._share()
            case "chart":
                return self._chart(0)
            case "link":
                return self.client.link_charts(charts=[self._chart(0), self._chart(1)], tables=["prices"]).link
            case "question":
                return self.client.ask_question(chart=self._chart(0)).question
        raise AssertionError(name)

    def query(self, operation: str, given: dict[str, Any]) -> dict[str, Any]:
        """The query, as far as it names something."""
        found = dict(given)
        if "version" in found:
            found["version"] = 1
        if "column" in found:
            found["column"] = "part"
        if "row" in found:
            found["row"] = self._key() if operation.endswith(("/history", "/identical")) else 0
        if "sort" in found:
            found["sort"] = '[["part", "desc"]]'
        if "filter" in found:
            found["filter"] = '[["part", "!=", "x"]]'
        for end in ("before", "after"):
            if end in found:
                found[end] = 1
        if "output" in found:
            found["output"] = 0
        return found

    def body(self, operation: str, given: dict[str, Any]) -> dict[str, Any]:  # noqa: C901 - a table
        """The body, as far as it names something; ids of commands are new each time."""
        found = {name: value for name, value in given.items() if name not in ("base_version", "command_id")}
        match operation.rpartition("/")[2]:
            case last if last in BODIES:
                found = dict(BODIES[last])
            case "cells":
                found["kind"], found["values"] = self.dice.choice(CELLS)
                found.pop("position", None)
            case "change":
                found["kind"], found["values"] = self.dice.choice(CELLS[:1])
            case "move":
                found["position"] = 0
            case "run" | "cancel":
                found["cell"] = None
                found["hard"] = False
            case "branches":
                found = {"name": f"branch {self.dice.random()}"}
            case "shares":
                found["version"] = 1
            case "operations":
                found["operation"], found["arguments"] = self.dice.choice(OPERATIONS)
            case "trace":
                found |= {
                    "to": "prices",
                    "direction": "backward",
                    "rows": [0],
                    "where": None,
                    "path": [],
                    "version": None,
                }
            case "page":
                found = {"items": [{"cell": self._cell(), "shows": "text", "x": 0, "y": 0, "width": 6, "height": 4}]}
            case "rows" if "/links/" in operation:
                found = {"table": 0, "limit": 5}
            case "preview" if "/sheets/" in operation:
                operation, arguments = self.dice.choice(OPERATIONS[:1])
                found["operations"] = [{"operation": operation, "arguments": arguments}]
            case "preview" if "/checks/" in operation:
                found["checks"] = [{"kind": "not_null", "column": "part"}]
            case "plan" | "forget":
                found |= {"where": "part = 'none'", "plan": "none", "confirmation": "prices"}
            case ("charts" | "cost" | "links" | "questions" | "rows" | "prepare" | "brush" | "clear" | "search"
                  | "preview" | "compare") as last:  # fmt: skip
                found |= self._about_charts(last)
            case "copy":
                found["name"] = f"copy {self.dice.random()}"
            case "acknowledge" | "revoke":
                groups = self.client.list_caveats("prices").groups
                found = {"group": groups[0].id, "note": str(found.get("note", ""))}
        return found

    def _chart(self, number: int) -> str:
        return self.client.draw_chart("prices", spec=CHARTS[number]).chart

    def _about_charts(self, last: str) -> dict[str, Any]:
        match last:
            case "charts" | "cost":
                return {"spec": self.dice.choice(CHARTS), "version": None}
            case "links":
                return {"charts": [self._chart(0), self._chart(1)], "tables": ["prices"]}
            case "questions":
                return {"chart": self._chart(0)}
            case "rows":
                return {"marks": [0], "name": "fuzzed rows"}
            case "search":
                return {"outliers": [0], "fine": None, "attributes": None, "expected": None}
            case "preview":
                return {"clauses": [{"column": "price", "low": 3, "high": 5}]}
            case "compare":
                return {end: [{"column": "price", "low": low, "high": 5}] for low, end in enumerate(("one", "other"))}
        return {"chart": 0, "marks": [0], "x": None, "y": None, "color": None} if last == "brush" else {"chart": 0}

    def _dataset(self, last: str) -> str:
        if last == "remove":  # one that nobody else needs
            return self.client.keep_rows(self._chart(0), marks=[0], name=f"passing_{self.dice.randrange(10**9)}").name
        return "totals" if last == "why-not" else self.dice.choice(["prices", "totals"])

    def _key(self) -> str:
        return self.client.read_sheet_page(self._sheet()).keys[0]

    def _passing(self) -> str:
        name = f"passing {self.dice.random()}"
        self.client.make_notebook(name=name)
        return name

    def _cell(self) -> str:
        made = self.client.add_cell("fuzz", kind="markdown", values={"source": "again"}).cell
        assert made is not None
        return made.id

    def _sheet(self) -> str:
        known = self.client.list_sheets()
        if known and known[0].count < 2:
            self.client.discard_sheet(known[0].id)
            known = []
        return known[0].id if known else self.client.make_sheet(dataset="prices").id

    def _share(self) -> str:
        try:
            known = self.client.list_shares("fuzz")
        except ApiError:
            known = []
        return known[0].id if known else self.client.make_share("fuzz").id
