"""A server that is killed, and a script of edits against it that keeps its own account of what was acknowledged.

An edit that got no answer is sent again under the same id once the server is back; then what the server shows must be
what the account says, to the letter: nothing lost, nothing twice.
"""

from __future__ import annotations

import json
import os
import random
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import uvicorn

import whence.workspace.notebook
import whence.workspace.sheet  # noqa: F401 - what the first request would import, in every server again
from tests.server.conftest import TOKEN
from whence.client import Client, NoAnswer
from whence.server.app import create_app
from whence.server.run import listen
from whence.workspace.open import open as open_workspace

BOOK = "script"
PRICES = [10, 4, 7, 12, 3]


def serve(root: Path, address: Path, point: str = "") -> None:
    """Serve a workspace, say where, and die at the fault point if one is given."""
    with open_workspace(root) as workspace:
        listener = listen(0)
        port = listener.getsockname()[1]
        os.environ["WHENCE_FAULT"] = point
        config = uvicorn.Config(create_app(workspace, TOKEN, port=port), access_log=False, log_level="error")
        waiting = address.with_suffix(".new")
        waiting.write_text(f"http://127.0.0.1:{port}")
        waiting.replace(address)
        uvicorn.Server(config).run(sockets=[listener])


def nursery() -> None:
    """Fork servers on demand: everything is imported once, and a process without threads may fork safely."""
    for line in sys.stdin:
        order = json.loads(line)
        if "wait" in order:
            print(os.waitstatus_to_exitcode(os.waitpid(order["wait"], 0)[1]), flush=True)  # noqa: T201 - the answer
        elif pid := os.fork():
            print(pid, flush=True)  # noqa: T201 - the answer
        else:
            sys.stdin.close()
            serve(Path(order["root"]), Path(order["address"]), order["point"])
            os._exit(0)


def prepare(root: Path) -> None:
    """A workspace with something to edit."""
    with open_workspace(root) as workspace:
        workspace.create("prices", [(price,) for price in PRICES], schema="price int")
        workspace.notebook(BOOK)


@dataclass
class Account:
    """What was acknowledged."""

    cells: list[tuple[str, str]] = field(default_factory=list)
    """Every cell by id and what it says, in order."""
    sheet: str | None = None
    prices: list[int | None] = field(default_factory=list)
    results: dict[str, list[int | None]] = field(default_factory=dict)
    """What each dataset that a cell makes holds."""
    files: dict[str, bytes] = field(default_factory=dict)
    commands: int = 0


class Script:
    """Does one thing after another; `phase` says what is under way."""

    def __init__(self, root: Path, seed: int) -> None:
        self.root, self.seed, self.dice = root, seed, random.Random(seed)
        self.account = Account()
        self.client = Client("http://127.0.0.1:9", TOKEN)
        self.phase = "between"
        self.took: dict[str, float] = {}
        self._unsure: Callable[[], None] | None = None
        """What got no answer, ready to be sent again."""

    def connect(self, address: str) -> None:
        """Go on with a server that is back: first what it may not have done, then a look at everything."""
        self.client = Client(address, TOKEN, timeout=20)
        if self._unsure is not None:
            self._send(self._unsure)

    def step(self, phase: str) -> None:
        """One thing of a kind; NoAnswer if the server went away."""
        doing = {"edit": self._edit, "sheet": self._in_sheet, "apply": self._apply, "upload": self._upload,
                 "load": self._load}[phase]  # fmt: skip
        with self._during(phase):
            doing()

    def until_cut(self, phase: str) -> None:
        """Things of a kind until the server goes away."""
        while True:
            self.step(phase)

    @contextmanager
    def _during(self, phase: str) -> Iterator[None]:
        self.phase, started = phase, time.monotonic()
        yield
        self.took[phase] = time.monotonic() - started
        self.phase = "between"

    def _send(self, command: Callable[[], None]) -> None:
        """A command that is kept until it is answered."""
        self._unsure = command
        command()
        self._unsure = None

    def _command(self) -> str:
        self.account.commands += 1
        return f"command {self.seed} {self.account.commands}"

    def _edit(self) -> None:
        cells, command, text = self.account.cells, self._command(), f"text {self.account.commands}"
        notes = [place for place, (_, said) in enumerate(cells) if said.startswith("text")]
        kind = self.dice.choice(["add", "change", "move", "remove"]) if len(notes) > 3 else "add"
        at = self.dice.choice(notes) if kind != "add" else self.dice.randint(0, len(cells))
        target = self.dice.randrange(max(len(cells), 1))

        def add() -> None:
            made = self.client.add_cell(
                BOOK, kind="markdown", values={"source": text}, position=at, command_id=command
            ).cell
            assert made is not None
            cells.insert(at, (made.id, text))

        def change() -> None:
            self.client.change_cell(BOOK, cells[at][0], values={"source": text}, command_id=command)
            cells[at] = (cells[at][0], text)

        def move() -> None:
            self.client.move_cell(BOOK, cells[at][0], position=target, command_id=command)
            cells.insert(target, cells.pop(at))

        def remove() -> None:
            self.client.remove_cell(BOOK, cells[at][0], command_id=command)
            cells.pop(at)

        self._send({"add": add, "change": change, "move": move, "remove": remove}[kind])

    def _in_sheet(self) -> None:
        if self.account.sheet is None:
            self.account.sheet = self.client.make_sheet(dataset="prices").id
            self.account.prices = list(PRICES)
        prices, command, value = self.account.prices, self._command(), self.dice.randrange(1000)
        sheet, row = self.account.sheet, self.dice.randrange(len(prices))
        operation = self.dice.choice(["set", "set", "insert_row", "delete_row"]) if len(prices) > 2 else "set"
        choices: dict[str, dict[str, object]] = {
            "set": {"row": row, "column": "price", "value": value},
            "insert_row": {"after": row},
            "delete_row": {"rows": [row]},
        }
        arguments = choices[operation]

        def do() -> None:
            self.client.do_operation(sheet, operation=operation, arguments=arguments, command_id=command)
            if operation == "set":
                prices[row] = value
            elif operation == "insert_row":
                prices.insert(row + 1, None)
            else:
                prices.pop(row)

        self._send(do)

    def _apply(self) -> None:
        if self.account.sheet is None:
            self._in_sheet()
        sheet, name = str(self.account.sheet), f"applied_{self.account.commands}"

        def do() -> None:
            made = self.client.apply_sheet(sheet, notebook=BOOK, name=name)
            self.account.cells.append((made.cell.id, "prices"))
            self.account.results[name] = list(self.account.prices)
            self.account.sheet = None

        self._send(do)

    def _upload(self) -> str:
        content = b"n\n" + b"".join(b"%d\n" % self.dice.randrange(1000) for _ in range(self.dice.randint(1, 2000)))
        path = self.client.upload(content, name=f"file {self.account.commands}.csv").path
        self.account.files[path] = content
        return path

    def _load(self) -> None:
        path = self._upload()
        name, command = f"loaded_{self.account.commands}", self._command()

        def do() -> None:
            made = self.client.add_cell(
                BOOK, kind="load", values={"source": path, "name": name, "types": {"n": "int"}}, command_id=command
            ).cell
            assert made is not None
            self.account.cells.append((made.id, path))
            self.account.results[name] = [int(line) for line in self.account.files[path].split()[1:]]

        self._send(do)
        self.client.wait(BOOK, timeout=30)

    def check(self) -> None:
        """What the server shows is what was acknowledged."""
        self._drop_strays()
        self.client.run_cells(BOOK, what="stale")
        view = self.client.wait(BOOK, timeout=60)
        assert [(cell.id, str(cell.values["source"])) for cell in view.cells] == self.account.cells
        assert {cell.status for cell in view.cells} <= {"ready"}, [cell.error for cell in view.cells]
        for name, values in self.account.results.items():
            found: list[object] = []
            assert self.client.read_page(name).count == len(values), name
            while len(found) < len(values):
                found += [row[0] for row in self.client.read_page(name, offset=len(found), limit=1000).rows]
            assert found == values, name
        for path, content in self.account.files.items():
            assert (self.root / path).read_bytes() == content
        if self.account.sheet is not None:
            page = self.client.read_sheet_page(self.account.sheet)
            assert [row[0] for row in page.rows] == self.account.prices

    def _drop_strays(self) -> None:
        """A sheet whose opening was not acknowledged may be there or not."""
        for sheet in self.client.list_sheets():
            if sheet.id != self.account.sheet:
                assert sheet.operations == 0
                self.client.discard_sheet(sheet.id)


PHASES = ("edit", "sheet", "apply", "upload", "load")

__all__ = ["BOOK", "PHASES", "NoAnswer", "Script", "prepare", "serve"]

if __name__ == "__main__":
    nursery()
