"""Queries that would never end, or take all memory or disk: each ends with a sentence, and Spark answers the next."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import whence
from whence.model.errors import BadQuery, UserError

ROOT = Path(__file__).parent.parent.parent

# What they write does not compress: numbers in a row would take hours to fill a megabyte.
ENDLESS = {
    "a range": "select id, xxhash64(id) as h from range(10000000000000)",
    "pairs of rows": "select xxhash64(x, id) as h from t cross join range(10000000000000)",
    "a long sequence for each row": "select xxhash64(x, y) as h from t lateral view explode(sequence(1, 1000000)) as y",
}
NESTED = {
    "select " + "(" * 5000 + "1" + ")" * 5000 + " as n": "nests parentheses 5,000 deep, and Spark reads some hundreds.",
    "select 1" + " + 1" * 3000 + " as n": "was too complex to parse",
}


@pytest.fixture
def small(tmp_path: Path, spark_home: whence.Workspace) -> whence.Workspace:
    """A workspace whose datasets may take a megabyte."""
    assert spark_home.spark is not None
    ws = whence.open(tmp_path / "small.whence", max_dataset_bytes=1 << 20)
    ws.create("t", [(number,) for number in range(1000)], schema="x int")
    return ws


def test_a_result_without_end_is_stopped_while_it_is_written(small: whence.Workspace) -> None:
    staging = small.path / "staging"
    with small as ws:
        for number, text in enumerate(ENDLESS.values()):
            with pytest.raises(
                UserError, match=r"The result, as far as it is written, takes .* may take 1\.0 MB\. Keep f"
            ):
                ws.sql(text, name="endless")
            assert list(staging.iterdir()) == []
            after = ws.sql(f"select count(*) as n from t where x >= {number}", name="after")
            assert after.to_arrow().to_pylist() == [{"n": 1000 - number}]
        assert [each.name for each in ws.datasets()] == ["t", "after"]


@pytest.mark.parametrize("text", NESTED, ids=["parentheses", "terms"])
def test_a_query_that_is_nested_too_deeply_is_refused(ws: whence.Workspace, text: str) -> None:
    with pytest.raises(BadQuery, match=NESTED[text]):
        ws.sql(text)
    assert ws.sql("select (((1 + 1))) as n").to_arrow().to_pylist() == [{"n": 2}]


HEAVY = {
    "a count over a range": "select count(distinct id % 1000003) as n from range(1000000000000000)",
    "a count of pairs of pairs": "select count(*) as n from t a, t b, t c, t d, t e, t f",
    "a sequence from constants": "select explode(sequence(1, 1000000000)) as x",
    "a sequence from rows": "select explode(sequence(1, x * 1000000000)) as y from t",
    "a text from rows": "select repeat('x', x * 1000000000) as s from t",
    "a plan that doubles": "with c0 as (select x from t), "
    + ", ".join(f"c{n} as (select a.x from c{n - 1} a join c{n - 1} b on a.x = b.x)" for n in range(1, 11))
    + " select count(*) as n from c10",
}
SCRIPT = """
import json, sys
import whence
bombs = json.loads(sys.argv[2])
with whence.open(sys.argv[1], profile="server", max_dataset_bytes=100 << 20) as ws:
    ws.create("t", [(number,) for number in range(1, 1001)], schema="x long")
    ws.sql("select 1 as one")
    nb = ws.notebook("n")
    nb.mode = "lazy"
    found = {}
    for place, (name, text) in enumerate(bombs.items()):
        nb.time_limit = 8.0
        bomb = nb.append("sql", text, name=f"bomb{place}")
        nb.run(bomb).wait(300)
        nb.time_limit = None
        after = nb.append("sql", f"select count(*) as n from t where x > {place}", name=f"after{place}")
        nb.run(after).wait(300)
        rows = ws[f"after{place}"].to_arrow().to_pylist() if after.status == "ready" else after.error
        found[name] = [bomb.status, None if bomb.error is None else bomb.error.message, str(rows)]
        print(name, found[name], file=sys.stderr, flush=True)
    print(json.dumps(found))
"""
SENTENCES = {
    "The cell took longer than 8 seconds and was stopped.",
    "The query needs more memory than Spark has.",
}


@pytest.mark.long
@pytest.mark.spark
def test_every_heavy_query_ends_with_a_sentence_and_spark_answers_the_next(tmp_path: Path) -> None:
    command = [sys.executable, "-W", "ignore", "-c", SCRIPT, str(tmp_path / "w"), json.dumps(HEAVY)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=1800, check=False)
    found = json.loads(done.stdout or "{}")
    assert set(found) == set(HEAVY), done.stderr[-2000:]
    for place, (name, (status, message, after)) in enumerate(found.items()):
        assert (status, message in SENTENCES) == ("error", True), (name, status, message)
        assert after == str([{"n": 1000 - place}]), (name, after)
