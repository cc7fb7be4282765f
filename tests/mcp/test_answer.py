"""No answer is longer than 2 kB, and asking for more reads all of it, each entry once."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pyarrow as pa
import pytest

import whence
from tests.mcp.conversation import Conversation, talk_about, text_of
from whence.mcp.answer import LONGEST, Answer

COLUMNS = [f"a_rather_long_name_of_a_column_{n:03d}" for n in range(150)]
ROWS = 120


def test_entries_are_shown_until_the_page_is_full() -> None:
    lines = [f"{n} " + "ä" * 100 for n in range(40)]
    page = Answer(["head"], lines).text
    assert len(page.encode()) <= LONGEST
    assert page.splitlines()[-1] == "31 more: ask again with more=9."
    assert Answer(["head"], lines[30:], 30).text.splitlines() == [
        "head", *lines[30:39], "1 more: ask again with more=39."
    ]  # fmt: skip
    assert Answer(["x\ny" * 9000], ["z" * 9000, "w"], 0, 2).text.count("\n") == 2


@pytest.fixture(scope="module")
def wide(spark_home: whence.Workspace, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Conversation]:
    """Many wide rows with long texts and many doubts, a query over them, and a long notebook."""
    assert spark_home.spark is not None
    with whence.open(tmp_path_factory.mktemp("wide") / "wide.whence") as ws:
        make_wide(ws)
        yield talk_about(ws)


def make_wide(ws: whence.Workspace) -> None:
    data = pa.table(
        {name: [f"value {n} " + "ö" * 90 for n in range(ROWS)] for name in COLUMNS[:3]}
        | {name: [n * 7 % 11 for n in range(ROWS)] for name in COLUMNS[3:]}
    )
    doubts = [(n, COLUMNS[n], f"doubt {n} " + "ü" * 200) for n in range(ROWS)]
    ws.create("wide", data, cell_caveats=doubts)
    key, least, *others = COLUMNS[3:40]
    totals = ", ".join(f"sum({name}) as {name}" for name in others)
    ws.sql(f"select {key}, {totals} from wide where {least} > 2 group by {key} order by {key}", name="sums")
    for n in range(40):
        ws.create(f"a_dataset_with_a_long_name_{n}", [(1,)], schema="x int")
    notebook = ws.notebook("long")
    notebook.mode = "lazy"
    for n in range(20):
        notebook.append("markdown", source=f"# Cell {n}\n" + "words " * 300)


def test_no_answer_is_longer_than_it_may_be(wide: Conversation) -> None:
    column = COLUMNS[6]
    questions: list[tuple[str, dict[str, object]]] = [
        ("list_datasets", {}),
        ("describe_dataset", {"dataset": "wide"}),
        ("describe_dataset", {"dataset": "sums"}),
        ("read_rows", {"dataset": "wide"}),
        ("read_rows", {"dataset": "wide", "columns": COLUMNS}),
        ("read_rows", {"dataset": "wide", "columns": COLUMNS[:1]}),
        ("run_sql", {"query": "select * from wide"}),
        ("verify_claim", {"dataset": "wide", "where": "true", "column": COLUMNS[0], "value": "x" * 5000}),
        ("verify_claim", {"dataset": "sums", "where": {COLUMNS[3]: 1}, "column": column, "value": 1}),
        ("where_from", {"dataset": "sums", "row": 1}),
        ("where_from", {"dataset": "sums", "row": 1, "column": column}),
        ("can_i_trust", {"dataset": "wide"}),
        ("can_i_trust", {"dataset": "sums"}),
        ("can_i_trust", {"dataset": "sums", "row": 1, "column": column}),
        ("why_not", {"dataset": "sums", "source": "wide", "where": f"{COLUMNS[4]} <= 2"}),
        ("what_if", {"dataset": "sums", "source": "wide", "rows": list(range(100))}),
        ("why_odd", {"dataset": "sums", "column": column, "rows": [1]}),
        ("read_notebook", {"notebook": "long"}),
        ("read_notebook", {"notebook": "long", "cell": "c1"}),
        ("edit_notebook", {"notebook": "long", "action": "change", "cell": "c1", "values": {"source": "y" * 9000}}),
        ("run_notebook", {"notebook": "long"}),
        ("verify_claim", {"dataset": "q" * 9000, "where": "true", "column": "x", "value": 1}),
    ]
    assert {name for name, _ in questions} == {
        tool.name for tool in wide.do(lambda client: client.list_tools()).tools
    }, "a new tool is asked here, too"
    for name, arguments in questions:
        answer = wide.call(name, **arguments)
        assert len(text_of(answer).encode()) <= LONGEST, name
        if answer.structured_content is not None:
            assert len(json.dumps(answer.structured_content, ensure_ascii=False).encode()) <= LONGEST, name


@pytest.mark.parametrize(
    ("tool", "arguments", "entry", "count"),
    [
        ("list_datasets", {}, r"^(\w+)@1: ", 42),
        ("describe_dataset", {"dataset": "wide"}, r"^(a_rather_\w+) ", 150),
        ("read_rows", {"dataset": "wide"}, r"^(\d+)\?? \|", 120),
        ("read_notebook", {"notebook": "long"}, r"^(c\d+) markdown", 20),
    ],
)
def test_asking_for_more_reads_every_entry_once(
    wide: Conversation, tool: str, arguments: dict[str, object], entry: str, count: int
) -> None:
    found: list[str] = []
    more: int | None = 0
    while more is not None:
        text = wide.ask(tool, **arguments, more=more)
        found += re.findall(entry, text, re.MULTILINE)
        following = re.search(r"ask again with more=(\d+)\.$", text)
        more = int(following[1]) if following else None
    assert len(found) == len(set(found)) == count
