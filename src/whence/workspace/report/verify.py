"""Says which values of a report still hold in a workspace."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from whence.model.errors import BadInput, UnknownDataset
from whence.store.report_secret import report_secret
from whence.workspace.context import Context
from whence.workspace.dataset import Dataset
from whence.workspace.references import version_of
from whence.workspace.report.page import FACTS
from whence.workspace.report.redaction import SEAL, keyed_name
from whence.workspace.report.shown_value import value_hash, value_text
from whence.workspace.report.write import FORM

Verdict = Literal["holds", "changed", "gone", "altered"]
_FACTS = re.compile(rf'<script type="application/json" id="{FACTS}">(.*?)</script>', re.DOTALL)

_URGENT = {"altered": 0, "changed": 1, "gone": 2}
"""What to tell first: a row that is gone has as many such values as columns."""


@dataclass(frozen=True)
class CheckedValue:
    """One value of a report: whether it holds, changed, is gone, or was altered in the file after it was written."""

    dataset: str
    row_key: str
    column: str
    reported: str
    now: str | None
    verdict: Verdict

    def __str__(self) -> str:
        said = f"{self.dataset}, {self.column}: {self.reported!r}"
        now = {"changed": f", now {self.now!r}", "gone": ", not there any more"}
        return said + now.get(self.verdict, ", which the report did not say when it was written")


@dataclass(frozen=True)
class ReportCheck:
    """All values of a report that are not hidden, each with its verdict."""

    values: tuple[CheckedValue, ...]

    @property
    def holds(self) -> bool:
        """Whether every value holds."""
        return all(each.verdict == "holds" for each in self.values)

    @property
    def failures(self) -> list[CheckedValue]:
        """The values that do not hold: those altered in the file first, then those that changed, then those gone."""
        return sorted((each for each in self.values if each.verdict != "holds"), key=lambda each: _URGENT[each.verdict])

    def __str__(self) -> str:
        counts = Counter(each.verdict for each in self.values)
        said = ", ".join(f"{count:,} {verdict}" for verdict, count in counts.most_common())
        return f"{len(self.values):,} values: {said or 'none to check'}"


def verify_report(context: Context, path: Path) -> ReportCheck:
    """Compare the values of a report with the newest versions of its datasets, row by row key."""
    facts = _read_facts(path)
    secret = _secret_of(context, path, facts)
    return ReportCheck(tuple(each for table in facts["tables"] for each in _check_table(context, table, secret)))


def _secret_of(context: Context, path: Path, facts: dict[str, Any]) -> bytes | None:
    """Return the secret that names the rows of a report; None if they have their keys, as nothing is hidden."""
    if "seal" not in facts:
        return None
    secret = report_secret(context.store.layout)
    if secret is None or keyed_name(secret, SEAL) != facts["seal"]:
        raise BadInput(
            f"{path} hides columns, and another workspace wrote it.", "Check it there, or in a copy of that folder."
        )
    return secret


def _read_facts(path: Path) -> dict[str, Any]:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{path} cannot be read as a report: {error}.") from error
    found = _FACTS.search(text)
    try:
        facts: dict[str, Any] = json.loads(found[1]) if found else {}
    except json.JSONDecodeError as error:
        raise BadInput(f"The facts in {path} are damaged.", "Ask for the report again.") from error
    if facts.get("form") != FORM:
        raise BadInput(f"{path} is no report of whence, or one of a newer version.")
    return facts


def _check_table(context: Context, table: dict[str, Any], secret: bytes | None) -> Iterator[CheckedValue]:
    now = _values_now(context, table, secret)
    for key, row in zip(table["keys"], table["cells"], strict=True):
        for column, cell in zip(table["columns"], row, strict=True):
            if "hash" in cell:
                yield _check(table["dataset"], key, column, cell, now.get(key))


def _values_now(context: Context, table: dict[str, Any], secret: bytes | None) -> dict[str, dict[str, object]]:
    """Return the rows of the dataset by row key, as far as the report has them; none if the dataset is gone."""
    try:
        dataset = Dataset(context, version_of(context.store, table["dataset"]))
    except UnknownDataset:
        return {}
    asked, keys = set(table["keys"]), dataset.row_keys()
    names = keys if secret is None else [keyed_name(secret, key) for key in keys]
    rows = {name: row for row, name in enumerate(names) if name in asked}
    return dict(zip(rows, dataset.take(list(rows.values())).to_pylist(), strict=True)) if rows else {}


def _check(dataset: str, key: str, column: str, cell: dict[str, Any], now: dict[str, object] | None) -> CheckedValue:
    row = now or {}
    shown = value_text(row[column]) if column in row else None
    verdict = _judge(
        cell, {value_hash(key, column, row[column])} if column in row else set(), _hashes(key, column, cell)
    )
    return CheckedValue(dataset, key, column, reported=cell["text"], now=shown, verdict=verdict)


def _hashes(key: str, column: str, cell: dict[str, Any]) -> set[str]:
    """Return the hashes that the text of a cell may have: no text is an empty one, or a value that is missing."""
    values = [cell["text"]] if cell["text"] else ["", None]
    return {value_hash(key, column, each) for each in values}


def _judge(cell: dict[str, Any], now: set[str], said: set[str]) -> Verdict:
    if cell["hash"] not in said:
        return "altered"
    if not now:
        return "gone"
    return "holds" if cell["hash"] in now else "changed"
