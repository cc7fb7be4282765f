"""What the product adds to the paper: repeated changes, upstream runs, slices, runs from the top, notebook files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.staleness.notebook_steps import run_cells
from whence.safety import Expected, Session, check_notebook, is_reproducible, run_from_the_top


@pytest.mark.parametrize(
    ("setup", "change"),
    [
        ("x = [1, 2, 3]", "x.pop()"),
        ("x = [1, 2, 3]", "x.append(4)"),
        ("x = 1", "x += 1"),
        ("x = 1", "x = x * 2"),
        ("x = {'n': 1}", "x['n'] = x['n'] + 1"),
        ("import pandas as pd\nx = pd.DataFrame({'a': [1.0]})", "x['a'] = x['a'] * 2"),
    ],
)
def test_running_a_change_twice_is_noticed_and_the_maker_is_offered(setup: str, change: str) -> None:
    session = Session()
    run_cells(session, make=setup, change=change)
    assert set(session.highlights().again) == {"change"}
    assert "run cell make first to start over" in session.highlights().again["change"]
    assert session.run("change").notices[0].startswith("cell change started from its own result")
    run_cells(session, make=setup)
    assert session.highlights().again == {}
    assert session.run("change").notices == ()


@pytest.mark.parametrize("text", ["x = 1", "x = []\nx.append(1)", "y = k + 1", "for i in range(3):\n    z = i"])
def test_a_cell_that_starts_afresh_may_run_again(text: str) -> None:
    session = Session()
    run_cells(session, k="k = 1", cell=text)
    assert session.highlights().again == {}


def test_upstream_lists_the_cells_to_run_in_order_and_no_others() -> None:
    session = Session()
    run_cells(session, a="a = 1", other="o = 1", b="b = a", c="c = b", d="d = c + o", e="e = 0")
    run_cells(session, a="a = 2")
    assert session.upstream("d").cells == ("b", "c", "d")
    assert [cell for cell, _ in session.run_with_upstream("d")] == ["b", "c", "d"]
    assert session.highlights().stale == set()


def test_upstream_says_what_no_cell_can_renew() -> None:
    session = Session()
    run_cells(session, a="a = 1", b="b = a", use="print(b)")
    session.remove("b")
    run_cells(session, a="a = 2")
    assert session.upstream("use").unresolved == ("b",)


def test_upstream_begins_with_what_binds_names_that_are_not_there() -> None:
    session = Session()
    texts = {"x1": "x = 1", "x2": "x = 2", "y": "y = x", "use": "print(y, z)", "maybe": "if y: z = 1", "z": "z = 3"}
    for cell, text in texts.items():
        session.edit(cell, text)
    assert session.upstream("use").cells[-1] == "use"
    assert set(session.upstream("use").cells) == {"x2", "y", "z", "use"}
    assert session.upstream("use").cells.index("x2") < session.upstream("use").cells.index("y")
    assert [cell for cell, _ in session.run_with_upstream("use")][-1] == "use"


def test_reacting_brings_everything_up_to_date() -> None:
    session = Session()
    run_cells(session, a="a = 1", b="b = a", c="c = b", show="print(c)")
    run_cells(session, a="a = 5")
    assert [(cell, result.output) for cell, result in session.react()] == [("b", ""), ("c", ""), ("show", "5\n")]
    found = session.highlights()
    assert found.stale == set()
    assert found.fresh == set()


def test_a_slice_is_a_script_that_makes_the_same_value() -> None:
    session = Session()
    run_cells(session, a="a = 2", noise="n = 1", f="def f(v):\n    return v * k", k="k = 3", x="x = [a]")
    run_cells(session, add="x.append(f(a))", y="y = sum(x)", late="a = 100")
    script = session.slice("y")
    namespace: dict[str, object] = {}
    exec(script, namespace)
    assert namespace["y"] == session.namespace["y"] == 8
    assert "n = 1" not in script
    assert "a = 100" not in script


def test_a_slice_of_an_unknown_name_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        Session().slice("nothing")


def test_the_first_cell_that_differs_from_the_top_is_named() -> None:
    session = Session()
    run_cells(session, c1="x = [1]", c2="x.append(2)\nprint(x)")
    assert is_reproducible(session).ok
    session.run("c2")
    found = is_reproducible(session)
    assert (found.first_difference, found.reason) == ("c2", "shows '[1, 2]' where it showed '[1, 2, 2]'")


def test_a_cell_that_needs_a_later_one_fails_from_the_top() -> None:
    found = run_from_the_top([Expected("c1", "print(x)", "1\n"), Expected("c2", "x = 1", "")])
    assert (found.ok, found.first_difference) == (False, "c1")
    assert "NameError" in found.reason


def write_notebook(path: Path, *cells: tuple[str, int | None, str]) -> Path:
    """A notebook file with code cells: source, execution count, what stdout showed."""
    content: list[dict[str, object]] = [
        {
            "cell_type": "code",
            "source": source.splitlines(keepends=True),
            "execution_count": count,
            "metadata": {},
            "outputs": [{"output_type": "stream", "name": "stdout", "text": [shown]}] if shown else [],
        }
        for source, count, shown in cells
    ]
    path.write_text(json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": content}))
    return path


def test_a_notebook_in_order_passes_the_check(tmp_path: Path) -> None:
    path = write_notebook(tmp_path / "n.ipynb", ("%matplotlib inline\nx = 1", 1, ""), ("print(x)", 2, "1\n"))
    assert check_notebook(path).findings == ()
    assert check_notebook(path).ok


def test_cells_in_other_languages_are_not_read_as_python(tmp_path: Path) -> None:
    shell = "%%bash\nfor x in *; do echo $x; done"
    path = write_notebook(tmp_path / "n.ipynb", (shell, 1, ""), ("%%time\nx = 1", 2, ""), ("print(x)", 3, "1\n"))
    assert check_notebook(path, run=False).findings == ()
    assert check_notebook(path).ok


def test_a_notebook_check_names_what_is_wrong(tmp_path: Path) -> None:
    late = write_notebook(tmp_path / "late.ipynb", ("print(x)", 2, "1\n"), ("x = 1", 1, ""))
    assert check_notebook(late).findings == (
        "cell 2 was run before cell 1, which stands above it",
        "cell 1 uses `x`, which only a later cell defines",
    )
    other = write_notebook(tmp_path / "other.ipynb", ("x = 1", 1, ""), ("print(x)", 2, "2\n"))
    assert check_notebook(other).findings == ("cell 2 shows '1' where it showed '2'",)
    assert check_notebook(other, run=False).ok
