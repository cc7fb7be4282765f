"""The code of a cell runs in the variables of the notebook, unless it awaits outside a function."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

pytest.importorskip("IPython")

from IPython.core.interactiveshell import InteractiveShell

from whence.jupyter.run_code import CellCode
from whence.model.errors import NotSupported


@pytest.fixture
def shell() -> Iterator[InteractiveShell]:
    shell = InteractiveShell()
    assert shell.history_manager is not None
    shell.history_manager.enabled = False
    yield shell
    shell.history_manager.end_session()


def test_the_last_expression_is_the_value(shell: InteractiveShell) -> None:
    assert CellCode(shell, "x = 2\nx * 3").run() == 6
    assert CellCode(shell, "x = 4").run() is None
    assert shell.user_ns["x"] == 4


AWAITS = [
    "await value",
    "async with value: pass",
    "async for each in value: pass",
    "x = [each async for each in value]",
    "print(await value)",
]


@pytest.mark.parametrize("code", AWAITS)
def test_await_outside_a_function_is_refused_before_anything_runs(shell: InteractiveShell, code: str) -> None:
    with pytest.raises(NotSupported, match="cannot use await outside a function"):
        CellCode(shell, f"done = True\n{code}").run()
    assert "done" not in shell.user_ns


def test_await_inside_a_function_is_allowed(shell: InteractiveShell) -> None:
    assert CellCode(shell, "async def wait(value):\n    return await value\n1 + 1").run() == 2
