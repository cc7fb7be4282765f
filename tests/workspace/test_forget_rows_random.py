"""Random workspaces: after forgetting, no token is left in any byte, and answers are those of one without the rows."""

from __future__ import annotations

from pathlib import Path

import pytest

import whence
from tests.store.needles import places_of_any
from tests.workspace.random_people import Case, random_case
from whence.model.errors import UserError
from whence.store.doctor import doctor

SEEDS = (2, 3, 6, 38, 200)
"""Among them are all sorts of steps: queries, lenses, pipelines, charts, sheets, checks and caveats. Every
third workspace keeps its datasets in shared storage.

In the last, a step cannot be computed without the rows.
"""


def look(dataset: whence.Dataset) -> list[object]:
    """What one sees of a version, in the order of its rows' keys, which no run changes, without lines of files."""
    order = sorted(range(dataset.count), key=dataset.row_keys().__getitem__)
    keys, marks, rows = dataset.row_keys(), dataset.caveats.marks().to_pylist(), dataset.to_arrow().to_pylist()
    return [
        [(keys[row], repr(rows[row]), marks[row]) for row in order],
        sorted(repr(said) for said in _caveats(dataset)),
        dataset.caveats.row_set,
        [sorted(_behind(dataset, parent, row)) for parent in dataset.parents() for row in order],
    ]


def _caveats(dataset: whence.Dataset) -> list[tuple[object, ...]]:
    """The caveats, each at the key of its row."""
    found = [each for group in dataset.caveats.list() for each in group.references]
    store = dataset.context.store
    keys = {(each.dataset, each.version): None for each in found}
    by_label = {label: whence.Dataset(dataset.context, store.version(*label)).row_keys() for label in keys}
    return [
        (
            each.dataset,
            each.column,
            each.text,
            None if each.row is None else by_label[each.dataset, each.version][each.row],
        )
        for each in found
    ]


def _behind(dataset: whence.Dataset, parent: whence.Dataset, row: int) -> list[str]:
    keys = parent.row_keys()
    return [keys[each] for each in dataset.lineage.backward([row], to=parent).ids]


def check_case(seed: int, folder: Path) -> None:
    case, storage = random_case(seed), folder / "storage" if seed % 3 == 0 else None
    with whence.open(folder / "w", storage=storage) as ws, whence.open(folder / "never") as never:
        case.build(ws, folder / "sources", with_all=True)
        try:
            case.build(never, folder / "fewer", with_all=False)
        except UserError as error:
            check_refusal(ws, case, error)
            return
        certificate = ws.forget("people", where=case.where)
        assert not certificate.deleted, case
        assert _places_of_any(ws, case.tokens) == set(), case
        assert doctor(ws._context.store) == [], case
        labels = _labels(ws)
        assert labels == _labels(never)
        for label in labels:
            assert look(ws[label]) == look(never[label]), (label, case)
    for place in (folder / "w", folder / "storage"):
        assert places_of_any(place, case.tokens) == set(), case


def _places_of_any(ws: whence.Workspace, tokens: list[str]) -> set[str]:
    return {place for base in ws._context.store.layout.bases for place in places_of_any(base, tokens)}


def check_refusal(ws: whence.Workspace, case: Case, error: UserError) -> None:
    """Where a step fails without the rows, forgetting says so with its words and changes nothing."""
    before = {label: look(ws[label]) for label in _labels(ws)}
    with pytest.raises(UserError, match="cannot be made again without these rows, so nothing was forgotten") as refused:
        ws.forget("people", where=case.where)
    assert error.message.partition(" ")[2] in refused.value.message  # the first word is the name of the input
    assert {label: look(ws[label]) for label in _labels(ws)} == before, case
    assert doctor(ws._context.store) == [], case
    assert not list(ws.path.glob("certificates/*")), case
    certificate = ws.forget("people", where=case.where, delete_unrepeatable=True)
    assert "a step of it fails without these rows" in certificate.deleted.values()
    assert set(_labels(ws)).isdisjoint(certificate.deleted)
    assert _places_of_any(ws, case.tokens) == set(), case
    assert doctor(ws._context.store) == [], case


def _labels(ws: whence.Workspace) -> list[str]:
    names = [each.name for each in ws.datasets()]
    return [record.label for name in names for record in ws._context.store.versions(name)]


@pytest.mark.parametrize("seed", SEEDS)
def test_no_token_is_left_and_answers_are_those_without_the_rows(
    seed: int, tmp_path: Path, spark_home: whence.Workspace
) -> None:
    assert spark_home.spark is not None  # else its scratch files, which are out of reach, lie in the workspace
    check_case(seed, tmp_path)


@pytest.mark.long
@pytest.mark.timeout(8 * 3600)
def test_no_token_is_left_in_a_thousand_workspaces(tmp_path: Path, spark_home: whence.Workspace) -> None:
    assert spark_home.spark is not None
    for seed in range(1_000):
        (tmp_path / str(seed)).mkdir()
        check_case(seed, tmp_path / str(seed))
