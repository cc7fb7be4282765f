"""What following a notebook's cells costs: plain IPython, whence and ipyflow side by side, on the same cells.

Each workload gets three fresh shells in processes of their own; they take turns, so that a busy machine slows all
alike. Times are CPU time of one cell after a warm-up; a check in each shell makes sure that lineage was recorded.
"""

from __future__ import annotations

import ast
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import TypedDict

from whence.model.errors import UserError
from whence.safety import Session

ROOT = Path(__file__).resolve().parent.parent
PEERS = ("plain", "whence", "ipyflow")
NOTEBOOK_SIZES = (200, 1000)


class Row(TypedDict):
    """One workload: medians in milliseconds, and how many times the plain time ours is."""

    workload: str
    whence_ms: float
    plain_ms: float
    ipyflow_ms: float | None
    ratio: float


@dataclass(frozen=True)
class Workload:
    """A set-up cell, then the cell to time."""

    name: str
    setup: str
    cell: str


WORKLOADS = [
    Workload("for, 10^6 scalar steps", "x = 0", "for i in range(10**6):\n    x += i"),
    Workload(
        "for, 10^6 with subscript",
        "values = list(range(1000))\nx = 0",
        "for i in range(10**6):\n    x += values[i % 1000]",
    ),
    Workload(
        "for, 10^5 with branches and dict",
        "counts = {}\nsmall = 0",
        "for i in range(10**5):\n    if i % 3 == 0:\n        counts[i % 7] = counts.get(i % 7, 0) + 1\n"
        "    elif i % 3 == 1:\n        small += 1\n    else:\n        last = i",
    ),
    Workload("while, 10^5", "i = 0\ns = 0", "i = 0\nwhile i < 10**5:\n    s += i\n    i += 1"),
    Workload("list comprehension, 10^6", "k = 3", "squares = [i * k for i in range(10**6)]"),
    Workload(
        "2x10^5 function calls",
        "k = 2\ndef double(v):\n    return v * k",
        "for i in range(2 * 10**5):\n    y = double(i)",
    ),
    Workload(
        "10^5 method calls",
        "class Counter:\n    def __init__(self):\n        self.n = 0\n"
        "    def add(self, v):\n        self.n += v\ncounter = Counter()",
        "for i in range(10**5):\n    counter.add(i)",
    ),
    Workload(
        "recursion fib(20)",
        "def fib(n):\n    return n if n < 2 else fib(n - 1) + fib(n - 2)",
        "y = fib(20)",
    ),
    Workload(
        "numpy",
        "import numpy as np\na = np.random.default_rng(0).random((600, 600))",
        "b = a @ a\nc = np.linalg.inv(b + np.eye(600))\nd = np.sort(c, axis=None)\ne = d[::7].sum()",
    ),
    Workload(
        "pandas, 6x10^5 rows",
        "import numpy as np\nimport pandas as pd\nrandom = np.random.default_rng(0)\n"
        "df = pd.DataFrame({'k': random.integers(0, 500, 600_000), 'v': random.random(600_000)})",
        "df['w'] = df.v * 2\ng = df.groupby('k').agg({'v': 'mean', 'w': 'sum'})\n"
        "m = df.merge(g, left_on='k', right_index=True)\ntop = m.sort_values('v_x').head(10)",
    ),
    Workload(
        "pandas apply with a lambda, 2x10^4",
        "import pandas as pd\nk = 3\ns = pd.Series(range(20_000))",
        "t = s.apply(lambda v: v * 2 + 1)",
    ),
    Workload("trivial cell", "x = 1", "y = x + 1"),
]


def notebook_cells(count: int) -> list[tuple[str, str]]:
    """A notebook of cells of eight lines, each using the one before it."""
    return [("c0", "v0_h = 1"), *((f"c{number}", _cell_text(number)) for number in range(1, count))]


def _cell_text(number: int) -> str:
    own, before = f"v{number}", f"v{number - 1}"
    rest = [f"{own}_{new} = {own}_{old} * 2" for old, new in pairwise("abcdefgh")]
    return "\n".join([f"{own}_a = {before}_h + 1", *rest])


def run(repeats: int = 5) -> dict[str, object]:
    """Time every workload in all peers, and the highlights of large notebooks; a missing peer is an error."""
    for module in ("IPython", "ipyflow", "whence.safety"):
        if find_spec(module) is None:
            raise UserError(f"safety needs {module}, which is not installed.", f"Run: pip install {module}")
    rows = [_time_workload(workload, repeats) for workload in WORKLOADS]
    rows += [row for size in NOTEBOOK_SIZES for row in _time_notebook(size, repeats)]
    return {"name": "safety", "rows": rows}


def _time_workload(workload: Workload, repeats: int) -> Row:
    shells = {peer: _Shell(peer) for peer in PEERS}
    times: dict[str, list[float]] = {peer: [] for peer in PEERS}
    try:
        for turn in range(repeats + 1):
            for peer, shell in shells.items():
                shell.ask(workload.setup)
                milliseconds = shell.ask(workload.cell)
                if turn > 0:  # the first turn warms up
                    times[peer].append(milliseconds)
        for shell in shells.values():
            shell.check()
    finally:
        for shell in shells.values():
            shell.close()
    plain, ours, theirs = (statistics.median(times[peer]) for peer in PEERS)
    return Row(
        workload=workload.name,
        whence_ms=round(ours, 2),
        plain_ms=round(plain, 2),
        ipyflow_ms=round(theirs, 2),
        ratio=round(ours / plain, 2),
    )


def _time_notebook(size: int, repeats: int) -> list[Row]:
    """One re-run in a large notebook, and the look at all its cells after it; the plain time is parsing them all."""
    cells = notebook_cells(size)
    session = Session()
    for cell, text in cells:
        session.run(cell, text)
    times: dict[str, list[float]] = {"highlights": [], "one run": [], "parse": []}
    for turn in range(repeats):
        cell, text = cells[size // 2 + turn % 10]
        session.highlights()
        times["one run"].append(_cpu(partial(session.run, cell, text)))
        times["highlights"].append(_cpu(session.highlights))
        times["parse"].append(_cpu(partial(_parse_all, cells)))
    return [_notebook_row(what, size, times) for what in ("highlights", "one run")]


def _parse_all(cells: list[tuple[str, str]]) -> None:
    for _, text in cells:
        ast.parse(text)


def _notebook_row(what: str, size: int, times: dict[str, list[float]]) -> Row:
    ours, parse = statistics.median(times[what]), statistics.median(times["parse"])
    return Row(
        workload=f"{what}, {size} cells (plain: parse them)",
        whence_ms=round(ours, 2),
        plain_ms=round(parse, 2),
        ipyflow_ms=None,
        ratio=round(ours / parse, 2),
    )


def _cpu(action: Callable[[], object]) -> float:
    start = time.process_time()
    action()
    return (time.process_time() - start) * 1000


class _Shell:
    """An IPython shell in a process of its own, asked to run cells one by one."""

    def __init__(self, peer: str) -> None:
        self._peer = peer
        self._process = subprocess.Popen(
            [sys.executable, __file__, peer],
            cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        )  # fmt: skip

    def ask(self, text: str) -> float:
        """Run a cell; the milliseconds it took."""
        return float(self._send({"cell": text}))

    def check(self) -> None:
        """Make sure that the shell has recorded lineage, if it is meant to."""
        if self._send({"check": True}) != "ok":
            raise RuntimeError(f"{self._peer} recorded nothing, so its times mean nothing")

    def _send(self, message: dict[str, object]) -> str:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(message) + "\n")
        self._process.stdin.flush()
        for line in self._process.stdout:
            if line.startswith("answer "):
                return line.removeprefix("answer ").strip()
        raise RuntimeError(f"the {self._peer} shell ended")

    def close(self) -> None:
        self._process.terminate()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()


def serve(peer: str) -> None:
    """The other end of a `_Shell`."""
    from IPython.core.interactiveshell import InteractiveShell  # noqa: PLC0415, RUF100

    shell = InteractiveShell.instance()
    if peer != "plain":
        shell.run_line_magic("load_ext", {"whence": "whence.safety", "ipyflow": "ipyflow"}[peer])
    turn = 0
    for line in sys.stdin:
        message = json.loads(line)
        if "check" in message:
            print("answer", "ok" if _records(peer, shell) else "nothing", flush=True)
            continue
        turn += 1
        start = time.process_time()
        # ipyflow records nothing unless the cell goes into the history.
        shell.run_cell(message["cell"], store_history=True, **_identity(peer, turn)).raise_error()
        print("answer", (time.process_time() - start) * 1000, flush=True)


def _identity(peer: str, turn: int) -> dict[str, str]:
    """Jupyter names its cells; ipyflow outside Jupyter takes numbers of its own and fails on a name."""
    return {} if peer == "ipyflow" else {"cell_id": f"cell-{turn % 2}"}


def _records(peer: str, shell: object) -> bool:
    if peer == "whence":
        notebook = shell.whence_safety.follower.notebook  # type: ignore[attr-defined]
        return notebook.problems == [] and any(symbol.parents for symbol in notebook.lineage.names.values())
    if peer == "ipyflow":
        from ipyflow import flow  # noqa: PLC0415, RUF100

        return any(symbol.parents for symbol in flow().global_scope.all_symbols_this_indentation())
    return True


def main() -> None:
    """Print the rows as a table."""
    if sys.argv[1:2] and sys.argv[1] in PEERS:
        serve(sys.argv[1])
        return
    result = run(int(sys.argv[1]) if sys.argv[1:] else 5)
    rows = result["rows"]
    assert isinstance(rows, list)
    for row in rows:
        peer = "-" if row["ipyflow_ms"] is None else f"{row['ipyflow_ms'] / row['plain_ms']:.1f}x"
        print(f"{row['workload']:50} plain {row['plain_ms']:9.2f} ms   whence {row['ratio']:6.2f}x   ipyflow {peer:>7}")


if __name__ == "__main__":
    main()
