"""What is in doubt anywhere in a workspace."""

from __future__ import annotations

import whence


def test_every_group_of_a_workspace_is_listed_once(ws: whence.Workspace) -> None:
    assert ws.caveats.list() == []
    ws.create("t", [(1,), (2,)], schema="x int", cell_caveats=[(0, "x", "torn"), (1, "x", "torn")])
    ws.create("u", [(5,)], schema="y int", row_caveats=[(0, "lost")])
    ws.sql("select x from t where x = 1", name="one")
    torn, lost = ws.caveats.list()
    assert (torn.message, torn.count, lost.message) == ("torn", 2, "lost")
    assert [each.name for each in ws.caveats.reach(torn)] == ["t", "one"]
    assert [each.name for each in ws.caveats.reach(lost)] == ["u"]
    assert ws.caveats.open == 3
    assert repr(ws.caveats) == "<Caveats of test.whence: 3 open in 2 groups>"


def test_acknowledging_for_the_workspace_holds_everywhere(ws: whence.Workspace) -> None:
    t = ws.create("t", [(1,), (2,)], schema="x int", cell_caveats=[(0, "x", "torn")])
    ws.create("t", [(1,), (2,)], schema="x int")
    assert ws.caveats.list() == []
    assert t.caveats.doubt.columns == {"x"}
    ws.create("v", [(1,)], schema="x int", cell_caveats=[(0, "x", "bent")])
    (group,) = ws.caveats.list()
    ws.caveats.acknowledge(group, note="seen")
    (group,) = ws.caveats.list()
    assert (group.acknowledged, group.note, ws.caveats.open) == (True, "seen", 0)
    ws.caveats.revoke(group)
    assert ws.caveats.open == 1
