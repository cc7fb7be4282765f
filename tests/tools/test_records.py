from __future__ import annotations

import pytest

from tools import records
from tools.environment import ROOT


def test_every_record_is_there() -> None:
    files = [file for record in records.RECORDS.values() for file in record.files]
    assert [file for file in files if not (ROOT / file).is_file()] == []


def test_a_part_without_records_is_refused_with_those_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert records.write("sheets") == 2
    assert capsys.readouterr().err == (
        "There are no records of sheets. There are those of charts, derive, transformations.\n"
    )
