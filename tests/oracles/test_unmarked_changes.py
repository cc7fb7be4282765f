"""The pairing of rows of two worlds catches what it has to, and allows what marks allow."""

from tests.oracles.unmarked_changes import Marked, find_unmarked_changes

ROWS = [(1, "a"), (1, "b"), (2, "b")]
NONE = [(False, False)] * 3


def test_nothing_is_missed_where_nothing_changes() -> None:
    assert find_unmarked_changes(Marked(ROWS, NONE, [False] * 3, False), [(2, "b"), (1, "b"), (1, "a")]) == []


def test_a_change_without_a_mark_is_caught() -> None:
    found = find_unmarked_changes(Marked(ROWS, NONE, [False] * 3, True), [(1, "a"), (1, "c"), (2, "b")])
    assert found == ["not marked, but gone or different in another world: (1, 'b')"]


def test_a_marked_cell_may_change_and_the_others_of_its_row_may_not() -> None:
    marked = Marked(ROWS, [(False, False), (False, True), (False, False)], [False] * 3, False)
    assert find_unmarked_changes(marked, [(1, "a"), (1, "c"), (2, "b")]) == []
    assert len(find_unmarked_changes(marked, [(1, "a"), (7, "b"), (2, "b")])) == 2


def test_only_marked_rows_may_go_and_only_a_marked_set_may_grow() -> None:
    assert find_unmarked_changes(Marked(ROWS, NONE, [False, True, False], False), [(1, "a"), (2, "b")]) == []
    assert len(find_unmarked_changes(Marked(ROWS, NONE, [False] * 3, False), [(1, "a"), (2, "b")])) == 1
    more = [*ROWS, (3, "c")]
    assert len(find_unmarked_changes(Marked(ROWS, NONE, [False] * 3, False), more)) == 1
    assert find_unmarked_changes(Marked(ROWS, NONE, [False] * 3, True), more) == []


def test_rows_are_paired_so_that_as_few_as_possible_are_left() -> None:
    marked = Marked([(1, "a"), (1, "b")], [(False, True), (False, False)], [False, False], False)
    assert find_unmarked_changes(marked, [(1, "b"), (1, "z")]) == []
