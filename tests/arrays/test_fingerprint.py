"""The fingerprint of a class changes with what its code does, and with nothing else."""

from __future__ import annotations

import pytest

from whence.arrays import Operator
from whence.arrays.fingerprint import fingerprint, fingerprint_of

SOURCE = '''
def marked(function):
    def around(*arguments):
        return function(*arguments)
    return around

def make_class(shift):
    class Local(Operator):
        """Moves cells."""
        around = [1, 2]
        known = {"b", "a"}

        def run(self, inputs, emit=None, *, least=0):
            """The output."""
            self.least = least
            def inner(each):
                """One cell."""
                return [f"{part} of all" for part in each]
            class Inside:
                """Holds nothing."""
                size = 3
            return inner(inputs)

        def map_b(self, out, shapes, i=0):
            return out + shift

        @property
        def width(self):
            try:
                return 4
            except KeyError:
                return 5

        @marked
        def height(self):
            return 6

    return Local

Local = make_class(1)
'''


def kind_of(source: str) -> type[Operator]:
    names: dict[str, object] = {"Operator": Operator, "__name__": "own"}
    exec(compile(source, f"{len(source)}.py", "exec"), names)
    found = names["Local"]
    assert isinstance(found, type)
    return found


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Moves cells.", "Moves cells to the right."),
        ("The output.", "What comes out."),
        ("One cell.", "A cell."),
        ("Holds nothing.", "Empty."),
        ('            """The output."""\n', ""),
        ('        """Moves cells."""\n', ""),
        ("\ndef marked", "\n# A comment.\n\n\n\ndef marked"),
        ("        def map_b", "        # Where cells come from.\n\n        def map_b"),
        ('{"b", "a"}', '{"a", "b"}'),
    ],
)
def test_words_and_lines_do_not_count(old: str, new: str) -> None:
    assert old in SOURCE
    assert fingerprint(kind_of(SOURCE.replace(old, new))) == fingerprint(kind_of(SOURCE))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("out + shift", "out - shift"),
        ("make_class(1)", "make_class(2)"),
        ("i=0", "i=1"),
        ("least=0", "least=1"),
        ("[1, 2]", "[1, 3]"),
        ('"a"}', '"c"}'),
        ("of all", "of each"),
        ("size = 3", "size = 4"),
        ("return 4", "return 40"),
        ("KeyError", "ValueError"),
        ("return 6", "return 7"),
        ("function(*arguments)", "function(*arguments) + 1"),
        ("inputs, emit=None", "inputs, /, emit=None"),
        ("self.least = least", "self.most = least"),
    ],
)
def test_what_the_code_does_counts(old: str, new: str) -> None:
    assert old in SOURCE
    assert fingerprint(kind_of(SOURCE.replace(old, new))) != fingerprint(kind_of(SOURCE))


def test_what_newer_versions_of_python_note_about_the_source_does_not_count() -> None:
    kinds = [
        type("Local", (Operator,), {"__module__": "own", "__firstlineno__": line, "__static_attributes__": names})
        for line, names in ((1, ("a", "b")), (9, ("b", "a")))
    ]
    assert fingerprint(kinds[0]) == fingerprint(kinds[1])


def test_a_class_counts_with_its_bases() -> None:
    base, other = kind_of(SOURCE), kind_of(SOURCE.replace("out + shift", "out - shift"))
    assert fingerprint(type("Local", (base,), {})) != fingerprint(type("Local", (other,), {}))


def test_functions_over_rows_count_by_their_code() -> None:
    def one(frame: object) -> object:
        """Pass rows on."""
        return frame

    def same(frame: object) -> object:
        return frame

    def other(frame: object) -> object:
        return [frame]

    assert fingerprint_of(one) == fingerprint_of(same)
    assert fingerprint_of(one) != fingerprint_of(other)
