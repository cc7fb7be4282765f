"""Files read in Spark's tasks give what files read in this process give."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

import whence
from whence.engine.load_in_tasks import InTasks
from whence.loading import load as load_module
from whence.loading import load_path
from whence.loading.load import LoadRequest
from whence.loading.passes import Answer, Task
from whence.model.errors import BadInput
from whence.store.doctor import doctor
from whence.workspace.context import Context

FILES: dict[str, bytes] = {
    "a.csv": b"id,when,price,note\n1,01/02/2024,1.5,x\n2,03/04/2024,oops,NULL\n",
    "b.csv": "id;when;Price;note\n3;05/06/2024;2,5;é\n4;07/08/2024\n5;09/10/2024;1;y;extra\n".encode(),
    "c.csv": "ID,city\n007,Köln\n8,Århus\n".encode("latin-1"),
    "d.tsv": b'id\tnote\n9\t"two\nlines"\n"10\t"odd"x\n',
    "e.csv": b"id,note\n",
    "f.csv": b"id,note\n11,\xc3\xa9\xc3\xa9\xff\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "messy"
    made.mkdir()
    for name, data in FILES.items():
        (made / name).write_bytes(data)
    return made


def context_of(ws: whence.Workspace) -> Context:
    return ws._context


def everything(ws: whence.Workspace, name: str) -> tuple[object, ...]:
    """All that can be known of a dataset: rows, marks, caveats, report."""
    dataset, store = ws[name], context_of(ws).store
    record = dataset.record
    stored = [*record.schema.names, "__whence_line"]
    report = dataset.load_report
    return (
        record.schema,
        record.doubt,
        store.read(record, 0, record.rows, stored).to_pydict(),
        store.flags(record).to_pydict(),
        store.caveats(record),
        report,
    )


def load_both(ws: whence.Workspace, folder: Path, monkeypatch: pytest.MonkeyPatch, how: LoadRequest) -> None:
    store, engine = context_of(ws).store, context_of(ws).engine
    load_path(store, folder, "here", how)
    monkeypatch.setattr(load_module, "SPREAD_BYTES", 0)
    used: list[str] = []

    def spread() -> InTasks:
        used.append("tasks")
        return InTasks(engine.session)

    load_path(store, folder, "there", replace(how, spread=spread))
    assert used == ["tasks"]


def test_tasks_and_this_process_give_the_same_dataset_report_and_caveats(
    ws: whence.Workspace, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    load_both(ws, folder, monkeypatch, LoadRequest(key="id"))
    assert everything(ws, "here") == everything(ws, "there")
    assert doctor(context_of(ws).store) == []
    assert ws["there"].df.count() == ws["there"].count == 10


class Twice:
    """Runs every task two times, as Spark does if the executor of the first is lost, and answers as the second."""

    def __call__(self, function: Callable[[Task], Answer], tasks: Sequence[Task], phase: str = "") -> list[Answer]:
        return [[function(task), function(task)][1] for task in tasks]


def test_tasks_that_run_twice_leave_no_row_twice(
    ws: whence.Workspace, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = context_of(ws).store
    load_path(store, folder, "once", LoadRequest(key="id"))
    monkeypatch.setattr(load_module, "SPREAD_BYTES", 0)
    load_path(store, folder, "twice", LoadRequest(key="id", spread=Twice))
    assert everything(ws, "twice") == everything(ws, "once")
    assert doctor(store) == []


def test_an_error_in_a_task_is_the_one_sentence_it_is_here(
    ws: whence.Workspace, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "z.csv").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)))
    monkeypatch.setattr(load_module, "SPREAD_BYTES", 0)
    sentences = []
    loads: tuple[Callable[[], object], ...] = (
        lambda: load_path(context_of(ws).store, folder, "t"),
        lambda: ws.load(folder, "t"),
    )
    for load in loads:
        with pytest.raises(BadInput, match="looks like a picture") as caught:
            load()
        sentences.append(str(caught.value))
    assert sentences[0] == sentences[1]
