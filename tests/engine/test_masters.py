"""Masters elsewhere: what they need, and what is said if it is missing."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

import whence
from whence.engine.masters import check_master, check_storage
from whence.model.errors import UserError


def test_a_master_elsewhere_needs_storage(tmp_path: Path) -> None:
    for master in ("spark://host:7077", "local-cluster[2,1,1024]", "yarn"):
        with pytest.raises(UserError, match=r"needs a place that all its executors can write to\. Pass storage="):
            whence.open(tmp_path / "w", master=master)
    assert not (tmp_path / "w").exists()


def test_storage_that_executors_cannot_write_is_refused_in_one_sentence(ws: whence.Workspace, tmp_path: Path) -> None:
    check_storage(ws.spark, tmp_path / "fine")
    assert list((tmp_path / "fine").iterdir()) == []
    (tmp_path / "real").mkdir()

    class Elsewhere(type(tmp_path)):  # type: ignore[misc]
        """This machine sees a folder that executors know under another path."""

        def iterdir(self) -> Iterator[Path]:
            return iter(())

        def rmdir(self) -> None:
            return None

    with pytest.raises(UserError, match="what they write there is not found here"):
        check_storage(ws.spark, Elsewhere(tmp_path / "real"))


def test_executors_whose_python_lacks_a_library_are_told_how_to_get_another(
    ws: whence.Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "poor").mkdir()
    missing = "raise ModuleNotFoundError('No module named pyarrow', name='pyarrow')"
    (tmp_path / "poor" / "pyarrow.py").write_text(missing)
    monkeypatch.setitem(ws.spark.sparkContext.environment, "PYTHONPATH", str(tmp_path / "poor"))
    with pytest.raises(
        UserError, match=r"Python on the executors of local\[.*\] has no pyarrow\. Set .* PYSPARK_PYTHON"
    ):
        check_storage(ws.spark, tmp_path / "shared")
    assert list((tmp_path / "shared").iterdir()) == []


def test_a_master_that_does_not_answer_is_named(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        here = f"127.0.0.1:{listening.getsockname()[1]}"
        check_master(f"spark://127.0.0.1:1,{here}")  # one master of two is enough
    sentence = f"The master spark://{here} does not answer. Check the address"
    with (
        whence.open(tmp_path / "w", master=f"spark://{here}", storage=tmp_path / "shared") as ws,
        pytest.raises(UserError, match=sentence),
    ):
        ws.spark.range(1)


def test_only_spark_on_this_machine_can_be_confined(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"Only Spark on this machine can be confined, and yarn runs elsewhere\."):
        whence.open(tmp_path / "w", master="yarn", storage=tmp_path / "shared", profile="confined")
    assert not (tmp_path / "w").exists()
