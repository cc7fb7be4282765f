"""Golden answers: what random queries and every caller of the main path give, as one short line for each case.

`./dev generate --records derive` writes `golden.json` anew, and with `--long` also `golden_long.json`; look at the
difference before you commit it.
"""

import hashlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import whence
from tests.derive.callers import call_everything
from tests.oracles.asking import create_tables, run
from tests.oracles.batches import with_cases
from tests.oracles.cases import Batch, Profile, random_batch, random_case, single
from tests.oracles.queries import Query
from tests.oracles.random_queries import Queries

SHORT = Path(__file__).with_name("golden.json")
LONG = Path(__file__).with_name("golden_long.json")

Golden = dict[str, list[str]]
"""For each case the hash of rows, marks and lineage, then the strategy text."""

_SOURCES = ("t", "u", "sales", "shops", "visits")
_DOUBTFUL = Profile(suspects=(0, 3))


def random_answers(ws: whence.Workspace, seed: int) -> Golden:
    """Answers about one random database, in a workspace that holds nothing else."""
    rng = Random(seed)
    if seed % 4 == 3:
        batch, queries = single(random_case(rng, Profile(rows=(4, 8), suspects=(0, 3)))), list(_limited(rng))
    else:
        batch, queries = random_batch(rng, _DOUBTFUL, 8), list(_nested(rng, seed))
    return {f"random {seed}.{number}": each for number, each in enumerate(_answers(ws, batch, queries))}


def caller_answers(ws: whence.Workspace) -> Golden:
    """Answers about a dataset of each caller of the main path."""
    return {name: answer(ws, dataset) for name, dataset in call_everything(ws)}


def answer(ws: whence.Workspace, dataset: whence.Dataset) -> list[str]:
    """Everything about a dataset that must not change, whatever order Spark gave its rows."""
    dataset.lineage.wait()
    marks = dataset.caveats.marks()
    rows = [repr(list(row.values())) for row in dataset.rows(0, dataset.count).to_pylist()]
    flags = ["".join("01"[bool(flag)] for flag in row.values()) for row in marks.to_pylist()]
    said = [f"{row} {flag}" for row, flag in zip(rows, flags, strict=True)]
    facts = [*sorted(said), str(dataset.caveats.row_set), str(dataset.lineage.exact)]
    facts += sorted(f"{group.message} {group.count} {group.family}" for group in dataset.caveats.list())
    for source in (each.name for each in ws.datasets() if each.name in _SOURCES):
        facts += _lineage(ws, dataset, source, said)
    digest = hashlib.sha256("\n".join(facts).encode()).hexdigest()[:16]
    return [digest, dataset.lineage.strategy]


def _lineage(ws: whence.Workspace, dataset: whence.Dataset, source: str, said: list[str]) -> list[str]:
    """Back from all rows and forward from the first ones of a source; nothing if they are not related."""
    try:
        outs, ids = dataset.lineage.pairs(to=source)
        forward = [ws[source].lineage.forward([row], to=dataset).ids for row in range(min(3, ws[source].count))]
    except whence.NotRelated:
        return []
    shown = [repr(list(row.values())) for row in ws[source].rows(0, ws[source].count).to_pylist()]
    back = sorted(f"{said[out]} < {shown[row]}" for out, row in zip(outs.tolist(), ids.tolist(), strict=True))
    return [source, *back, *(repr(sorted(said[row] for row in rows.tolist())) for rows in forward)]


def _answers(ws: whence.Workspace, batch: Batch, queries: list[Query]) -> Iterator[list[str]]:
    create_tables(ws, batch)
    for number, query in enumerate(queries):
        dataset, _ = run(ws, with_cases(query) if batch.cased else query, f"out{number}", "nested")
        yield answer(ws, dataset)


def _nested(rng: Random, seed: int) -> Iterator[Query]:
    yield from (Queries(rng).query(rng.randint(2, 4)) for _ in range(3))
    if seed % 4 == 0:
        yield Queries(rng, kept="kept").two_steps(2)
    if seed % 4 == 1:
        yield Queries(rng).windowed(2)
    if seed % 4 == 2:
        yield Queries(rng).with_scalar(2)


def _limited(rng: Random) -> Iterator[Query]:
    maker = Queries(rng, limits=True)
    yield from (maker.fresh().limit(2), maker.fresh().total(2))


def seeds(*, is_long: bool) -> range:
    """The databases of the suite, or many more."""
    return range(100, 116) if is_long else range(4)


def _write(path: Path, *, is_long: bool) -> None:
    found: Golden = {}
    with TemporaryDirectory() as folder, whence.open(Path(folder) / "home.whence") as home:
        assert home.spark is not None
        for seed in seeds(is_long=is_long):
            with whence.open(Path(folder) / f"{seed}.whence") as ws:
                found |= random_answers(ws, seed)
        if not is_long:
            with whence.open(Path(folder) / "callers.whence") as ws:
                found |= caller_answers(ws)
    lines = (f" {json.dumps(name)}: {json.dumps(each)}" for name, each in found.items())
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    _write(SHORT, is_long=False)
    if "--long" in sys.argv:
        _write(LONG, is_long=True)
