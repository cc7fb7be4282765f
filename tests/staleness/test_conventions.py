"""What the paper leaves open, as the product has fixed it."""

from __future__ import annotations

from tests.staleness.notebook_steps import marks, run_cells
from whence.safety import Session


def stale_b() -> Session:
    """`b` is stale and cell `use` reads it."""
    session = Session()
    run_cells(session, a="a = 1", b="b = a", use="print(b)")
    session.run("a", "a = 2")
    return session


def test_a_cell_joins_at_its_first_edit_and_can_be_stale_or_a_refresher_but_not_fresh() -> None:
    session = stale_b()
    session.edit("new_stale", "print(b)")
    session.edit("new_refresher", "b = 0")
    session.edit("new_reader", "print(a)")
    stale, fresh, refresher = marks(session)
    assert stale == {"use", "new_stale"}
    assert refresher == {"b", "new_refresher"}
    assert fresh == {"b"}


def test_an_edit_changes_only_the_text_of_its_cell() -> None:
    session = stale_b()
    session.edit("a", "a = 3")
    assert marks(session) == ({"use"}, {"b"}, {"b"})
    session.edit("b", "c = a")
    assert marks(session) == ({"use"}, {"b"}, set())


def test_use_of_a_whole_container_sees_any_stale_part() -> None:
    session = Session()
    run_cells(session, a="a = 1", x="x = [a, 0]", whole="print(x)", first="print(x[0])", second="print(x[1])")
    session.run("a", "a = 2")
    assert session.highlights().stale == {"whole", "first"}


def test_use_of_a_part_sees_a_new_binding_of_its_container() -> None:
    session = Session()
    run_cells(session, x="x = [1, 0]", second="print(x[1])")
    session.run("x", "x = [5, 6]")
    assert session.highlights().fresh == {"second"}


def test_killing_a_container_kills_its_parts() -> None:
    session = Session()
    run_cells(session, a="a = 1", x="x = [a, 0]", first="print(x[0])")
    session.run("a", "a = 2")
    session.edit("kill", "x = [7, 8]")
    assert {"kill", "x"} == session.highlights().refresher


def test_a_call_makes_the_globals_of_its_body_live() -> None:
    session = Session()
    run_cells(session, k="k = 1", f="def f():\n    return k", use="f()")
    session.run("k", "k = 2")
    assert marks(session) == (set(), {"use"}, set())


def test_a_branch_that_may_not_assign_is_no_refresher() -> None:
    session = stale_b()
    session.edit("if_", "if a > 1:\n    b = 0")
    session.edit("for_", "for i in range(3):\n    b = 0")
    session.edit("try_", "try:\n    b = 0\nexcept Exception:\n    pass")
    session.edit("match_", "match a:\n    case 1:\n        b = 0")
    session.edit("both", "if a > 1:\n    b = 0\nelse:\n    b = 1")
    session.edit("every_case", "match a:\n    case 1:\n        b = 0\n    case _:\n        b = 1")
    assert session.highlights().refresher == {"b", "both", "every_case"}


def test_control_dependence_is_not_lineage() -> None:
    session = Session()
    run_cells(session, a="a = 1", b="if a:\n    b = 5", use="print(b)")
    session.run("a", "a = 2")
    assert marks(session) == (set(), {"b"}, set())


def test_a_named_lambda_is_treated_like_a_def() -> None:
    session = Session()
    run_cells(session, k="k = 1", f="f = lambda: k", use="y = f()", read="print(y)", name="print(f)")
    session.run("k", "k = 2")
    assert marks(session) == ({"read"}, {"use"}, {"use"})


def test_the_cell_that_failed_half_way_may_be_a_refresher() -> None:
    session = stale_b()
    assert not session.run("fails", "1 / 0\nb = 0").ok
    assert "fails" in session.highlights().refresher


def test_names_that_do_not_exist_get_their_own_mark() -> None:
    session = Session()
    session.edit("c1", "print(nothing)")
    session.edit("c2", "if False:\n    print(nothing)")
    session.edit("c3", "nothing = 1\nprint(nothing)")
    session.edit("c4", "import os\nprint(os.sep, len('x'))")
    found = session.highlights()
    assert found.would_fail == {"c1": ("nothing",)}
    assert found.reasons["c1"] == "would fail: `nothing` is not defined"


def test_new_highlights_are_those_that_were_not_there_before_the_last_run() -> None:
    session = Session()
    run_cells(session, a="a = 1", b="b = a", c="c = a", use="print(b)")
    session.run("a", "a = 2")
    first = session.highlights()
    session.run("b")
    second = session.highlights()
    assert first.new_fresh == {"b", "c"}
    assert first.new_refresher == {"b"}
    assert second.new_fresh == {"use"}
    assert second.new_refresher == set()


def test_importing_again_changes_nothing() -> None:
    session = Session()
    run_cells(session, imports="import math\nfrom math import sqrt", use="x = math.pi + sqrt(4)", read="print(x)")
    session.run("imports")
    assert marks(session) == (set(), set(), set())


def test_a_setter_function_makes_its_caller_a_refresher() -> None:
    session = stale_b()
    run_cells(session, define="def reset():\n    global b\n    b = 0")
    session.edit("call", "reset()")
    session.edit("call_and_use", "reset()\nprint(b)")
    found = session.highlights()
    assert found.stale == {"use"}
    assert {"call", "call_and_use"} <= found.refresher


def test_a_method_is_found_through_its_object() -> None:
    session = Session()
    run_cells(
        session,
        k="k = 1",
        make="class C:\n    def outer(self):\n        return self.inner()\n"
        "    def inner(self):\n        return k\no = C()",
    )
    session.edit("use", "o.outer()")
    live = {str(live.path) for live in session.view().views["use"].live}
    assert {"o", "k"} <= live
