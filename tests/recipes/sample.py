"""What performs each recipe: the new files of `samples/`, and the lines that go into files that are there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent / "samples"
Line = tuple[str, str]
"""The line of a file before which a text goes, and the text."""


@dataclass(frozen=True)
class Sample:
    """One thing that is added by a recipe."""

    name: str
    """What NAME stands for in the recipe."""
    word: str
    """How files made from code call it."""
    lines: Mapping[str, tuple[Line, ...]]
    checks: tuple[str, ...]
    """The tests without Spark that would fail if something were forgotten."""
    spark_checks: tuple[str, ...]
    """The tests that run it in Spark."""

    def perform(self, section: str, root: Path) -> None:
        """Do what the recipe says in a copy of the repository."""
        for path in _files(FOLDER / section):
            _write_new(root / path.relative_to(FOLDER / section), path.read_text(encoding="utf-8"))
        for name, lines in self.lines.items():
            for before, text in lines:
                _insert(root / name, before, text)


def _files(folder: Path) -> Iterator[Path]:
    return (path for path in sorted(folder.rglob("*.py")))


def _write_new(path: Path, text: str) -> None:
    assert not path.exists(), f"{path} is there already: the sample needs another name."
    path.write_text(text, encoding="utf-8")


def _insert(path: Path, before: str, text: str) -> None:
    content = path.read_text(encoding="utf-8")
    assert f"\n{before}\n" in content, f"{path} has no line {before!r}: the sample needs another place."
    path.write_text(content.replace(f"\n{before}\n", f"\n{text}\n{before}\n", 1), encoding="utf-8")


KIND_TEST = """\
def test_columns_are_reversed(shop: whence.Workspace) -> None:
    ran(shop, "reverse_columns", source="shops", name="turned")
    assert shop["turned"].columns == ["town", "colour"]
    assert rows(shop, "turned") == [row[::-1] for row in SHOPS]
    assert shop["turned"].lineage.backward([1], to="shops").ids.tolist() == [1]

"""

SAMPLES: dict[str, Sample] = {
    "operator": Sample(
        "coalesce",
        "Coalesce",
        {
            "src/whence/plan/steps/registry.py": (
                (
                    "from whence.plan.steps.cogrouped_map import CogroupedMap, CogroupedMapInArrow",
                    "from whence.plan.steps.coalesce import Coalesce",
                ),
                ("    Repartition,", "    Coalesce,"),
            ),
            "tests/derive/operator_queries.py": (
                (
                    '    "Repartition": lambda ws: ws["t"].df.repartition(2),',
                    '    "Coalesce": lambda ws: ws["t"].df.coalesce(1),',
                ),
            ),
        },
        (
            "tests/plan/steps/test_coalesce.py",
            "tests/plan/test_registry.py",
            "tests/plan/test_traits.py",
            "tests/derive/test_rule_failure.py::test_there_is_a_query_for_each_operator",
        ),
        (
            "tests/plan/steps/test_coalesce.py",
            "tests/derive/test_rule_failure.py::test_any_rule_of_any_operator_may_fail[Coalesce-with_lineage]",
        ),
    ),
    "cell_kind": Sample(
        "reverse_columns",
        "reverse_columns",
        {
            "src/whence/notebook/cells/registry.py": (
                (
                    "from whence.notebook.cells.sheet import SheetCell",
                    "from whence.notebook.cells.reverse_columns import ReverseColumns",
                ),
                ("        Sql(),", "        ReverseColumns(),"),
            ),
            "tests/notebook/test_kinds.py": (
                ("def test_a_caveat_cell_says_what_is_in_doubt(shop: whence.Workspace) -> None:", KIND_TEST),
            ),
            "tests/derive/policy_callers.py": (
                (
                    '        "checkpoint cell": cell("checkpoint", source="sales"),',
                    '        "reversing cell": cell("reverse_columns", source="sales"),',
                ),
            ),
        },
        (
            "tests/notebook/test_kinds.py::test_every_kind_is_tried_here",
            "tests/notebook/test_drafts.py::test_no_kind_is_complete_without_any_value",
        ),
        (
            "tests/notebook/test_kinds.py::test_columns_are_reversed",
            "tests/derive/test_policy.py::test_every_kind_of_cell_that_makes_a_dataset_of_others_is_a_caller",
        ),
    ),
    "transformation": Sample(
        "reverse_text",
        "reverse_text",
        {
            "src/whence/transformations/vocabulary/registry.py": (
                (
                    "from whence.transformations.vocabulary.sample import Sample",
                    "from whence.transformations.vocabulary.reverse_text import ReverseText",
                ),
                ("        Trim(),", "        ReverseText(),"),
            ),
            "tests/transformations/calls.py": (
                (
                    '    "standardise": ("standardise", "people", {"column": "name"}),',
                    '    "reverse_text": ("reverse_text", "people", {"column": "name"}),',
                ),
            ),
            "tests/transformations/test_every_lens.py": (
                ('    "standardise": {"column": "it\'s"},', '    "reverse_text": {"column": "it\'s"},'),
            ),
        },
        (
            "tests/transformations/test_every_lens.py::test_every_transformation_that_cleans_but_one_is_called_here",
            "tests/transformations/test_one_thing.py::test_every_example_fits_its_parameters",
            "tests/transformations/test_one_thing.py::test_every_transformation_is_called_by_the_golden_test",
        ),
        (
            "tests/transformations/test_reverse_text.py",
            "tests/transformations/test_every_lens.py::test_a_row_without_values_is_no_trouble",
        ),
    ),
    "geom": Sample(
        "diamond",
        "diamond",
        {
            "src/whence/charts/geoms/registry.py": (
                (
                    "from whence.charts.geoms.error_bars import ErrorBand, ErrorBar",
                    "from whence.charts.geoms.diamond import Diamond",
                ),
                ("        Line(),", "        Diamond(),"),
            ),
            "tests/charts/gallery.py": (
                (
                    '    "path": {"aes": {"x": "x", "y": "y"}, "geom": "path"},',
                    '    "diamond": {"aes": {"x": "x", "y": "y", "color": "g"}, "geom": "diamond"},',
                ),
            ),
        },
        (
            "tests/charts/test_traits.py",
            "tests/charts/test_vocabulary.py",
            "tests/charts/test_grammar.py",
        ),
        (),
    ),
    "route": Sample(
        "shape",
        "read_shape",
        {
            "src/whence/server/routes/registry.py": (
                ("    shares,", "    shape,"),
                ("    profile.router,", "    shape.router,"),
            ),
        },
        (
            "tests/server/test_shape.py",
            "tests/server/test_access.py",
            "tests/server/test_routes.py::test_the_contract_describes_every_api_route_and_the_one_error_shape",
        ),
        (),
    ),
}
