"""Behind an aggregate over a doubtful filter stand the caveats of rows that are in its group, or in none."""

import whence


def test_a_row_of_another_group_cannot_come_here_through_a_filter(ws: whence.Workspace) -> None:
    rows = [("a", 1.0), ("a", 2.0), ("b", 3.0), ("b", 4.0), ("c", 5.0), ("c", -1.0)]
    doubts = [(1, "x", "smudged"), (3, "x", "torn"), (5, "x", "wet")]
    ws.create("t", rows, schema="k string, x double", cell_caveats=doubts)
    sums = ws.sql("select k, sum(x) as s from t where x > 0 group by k order by k", name="sums")
    groups = [sums.caveats.list(row=row, column="s") for row in range(3)]
    listed = [{ref.row for group in each for ref in group.references} for each in groups]
    # The last row is in no group now; its key is certain, but that is not looked at.
    assert listed == [{1, 5}, {3, 5}, {5}]


def test_a_row_that_leaves_a_group_can_bring_it_into_a_group_of_groups(ws: whence.Workspace) -> None:
    rows = [("a", 1), ("a", 2), ("b", 3), ("c", 4), ("c", 5)]
    ws.create("u", rows, schema="k string, x int", cell_caveats=[(1, "x", "smudged")])
    inner = "select k, count(*) as n from u where x > 0 group by k"
    sizes = ws.sql(f"select n, count(*) as groups from ({inner}) group by n order by n", name="sizes")
    assert sizes.to_arrow().column("n").to_pylist() == [1, 2]
    for row in (0, 1):
        assert [group.message for group in sizes.caveats.list(row=row, column="groups")] == ["smudged"]
