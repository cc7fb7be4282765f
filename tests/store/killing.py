"""A process that loads, creates, queries and forgets without end, and writes down what it begins and what is done."""

from __future__ import annotations

import os
import random
from pathlib import Path

import whence

ROWS = 500
KEPT = 4
"""How many datasets of a kind are let grow before some are forgotten."""


def work(root: Path, log: Path, phases: tuple[str, ...], seed: int, point: str = "") -> None:
    """Go round these phases until killed; with a fault point, from the second round on the process dies there."""
    dice, number = random.Random(seed), 0
    with whence.open(root) as ws:
        if "sql" in phases:
            ws.create("warm", [(1,)], schema="n int")
            ws.sql("select n from warm", name="warmer")  # Spark is up before the clock runs
        while True:
            number += 1
            if number == 2:
                os.environ["WHENCE_FAULT"] = point
            for phase in phases:
                _DO[phase](ws, log, f"{seed}_{number}", dice)


def _load(ws: whence.Workspace, log: Path, tag: str, dice: random.Random) -> None:
    source = log.parent / f"l{tag}.csv"
    source.write_text("a,b\n" + "".join(f"{n},{tag}\n" for n in range(ROWS - 1)) + f"oops,{tag},z\n")
    note(log, f"begin load l{tag}")
    ws.load(source)
    note(log, f"done load l{tag}")


def _create(ws: whence.Workspace, log: Path, tag: str, dice: random.Random) -> None:
    note(log, f"begin create c{tag}")
    rows = [(n, tag) for n in range(ROWS)]
    ws.create(f"c{tag}", rows, schema="a int, b string", cell_caveats=[(0, "a", "why")])
    note(log, f"done create c{tag}")


def _sql(ws: whence.Workspace, log: Path, tag: str, dice: random.Random) -> None:
    parent = dice.choice([ds.name for ds in ws.datasets() if ds.name[0] in "lc"])
    note(log, f"begin sql s{tag}")
    ws.sql(f"select a, '{tag}' as b, count(*) n from `{parent}` group by a", name=f"s{tag}")
    note(log, f"done sql s{tag}")


def _forget(ws: whence.Workspace, log: Path, tag: str, dice: random.Random) -> None:
    names = [ds.name for ds in ws.datasets() if ds.name[0] in "lcs"]
    if len(names) < KEPT:
        return
    name = dice.choice(names)
    note(log, f"begin forget {name}")
    ws.forget(name, keep_dependants=True)
    note(log, f"done forget {name}")


_DO = {"load": _load, "create": _create, "sql": _sql, "forget": _forget}


def note(log: Path, line: str) -> None:
    """Write a line that outlives this process."""
    with log.open("a") as file:
        file.write(f"{line}\n")
        file.flush()
        os.fsync(file.fileno())
