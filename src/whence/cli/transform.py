"""`whence transform` and `whence transformations`: apply a transformation, and list all of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import wrap

from whence.cli.notebooks import parameters_from
from whence.model.parameter import ParameterKind
from whence.pipeline.apply import find_transformation
from whence.transformations.describe import describe_lenses
from whence.workspace.dataset import Dataset
from whence.workspace.workspace import Workspace

_LISTS: tuple[ParameterKind, ...] = ("columns", "datasets", "texts")
_WIDTH = 78


def transform_dataset(workspace: Workspace, name: str, source: str, to: str, values: Sequence[str]) -> Dataset:
    """Apply a transformation and return its dataset. A list is written as `columns=age,sex`."""
    transformation = find_transformation(name)
    kinds = {each.name: each.kind for each in transformation.parameters}
    chosen = {
        key: value.split(",") if isinstance(value, str) and kinds.get(key) in _LISTS else value
        for key, value in parameters_from(list(values)).items()
    }
    return workspace.lens(transformation.name, source, name=to, **chosen)


def transformation_lines(name: str | None) -> Iterator[str]:
    """Yield one line for each transformation, by group; with a name, the full description of that one."""
    if name is not None:
        wanted = find_transformation(name).name
        yield from (str(each) for each in describe_lenses() if each.name == wanted)
        return
    known = describe_lenses()
    for group in dict.fromkeys(each.group for each in known):
        yield group
        for each in known:
            if each.group == group:
                first, *_ = wrap(each.title, _WIDTH)
                yield f"  {each.name:16} {first}"
