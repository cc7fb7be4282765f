"""The `load` cell kind: makes a dataset of a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import cast

from whence.loading.anywhere import load_anywhere
from whence.loading.load import LoadRequest
from whence.loading.options import Options
from whence.model.parameter import Parameter
from whence.notebook.cell import CellContext, CellKind, CellResult, Values, names_in
from whence.notebook.control import Progress
from whence.notebook.footprint import Footprint
from whence.notebook.place import place_of
from whence.notebook.python_call import write_call


class Load(CellKind):
    """Load a file as a dataset. What does not fit is recorded, and nothing is dropped."""

    name = "load"
    title = "Load a file"
    group = "Load"
    parameters = (
        Parameter("source", "path", "the file, folder, pattern or web address to load", is_required=True),
        Parameter("name", "text", "what to call the dataset", is_required=True),
        Parameter("key", "column", "a column that tells rows apart"),
        Parameter("types", "mapping", "columns with the types they have, such as `price: string`"),
        Parameter("delimiter", "text", "what stands between fields; found out if left open"),
        Parameter("quote", "text", "what stands around fields; found out if left open"),
        Parameter("header", "flag", "whether the first row has names; found out if left open"),
        Parameter("encoding", "text", "the encoding of the text; found out if left open"),
        Parameter("skip", "number", "how many lines to leave out at the top", default=0),
        Parameter("nulls", "columns", "texts that mean: no value"),
        Parameter("comment", "text", "what a line begins with that is no data"),
        Parameter("file_column", "text", "a column to add with the name of the file"),
        Parameter("sheet", "text", "the sheet of a workbook, or the table of a database"),
        Parameter("version", "text", "the version of a Delta table; the snapshot, branch or tag of an Iceberg table"),
        Parameter("timestamp", "text", "the time at which the version of such a table was current"),
    )

    def footprint(self, values: Values) -> Footprint:
        return Footprint(frozenset(), names_in(values, "name"), names_in(values, "source"))

    def to_python(self, values: Values) -> str:
        options = {name: value for name, value in values.items() if name not in ("source", "name")}
        return write_call("ws.load", values.get("source"), name=values.get("name"), **options)

    def run(self, context: CellContext, values: Values) -> CellResult:
        request = LoadRequest(
            _text(values, "key"),
            _options(values),
            _text(values, "sheet"),
            version=_text(values, "version"),
            timestamp=_text(values, "timestamp"),
        )
        place = place_of(str(values["source"]), context.store.root)
        context.run.report(Progress(0, 0, f"loading {PurePath(str(place)).name}"))
        return CellResult.of(load_anywhere(context.store, context.engine, place, str(values["name"]), request))


def _options(values: Values) -> Options:
    header = values.get("header")
    return Options(
        delimiter=_text(values, "delimiter"),
        quote=_text(values, "quote"),
        header=None if header is None else bool(header),
        encoding=_text(values, "encoding"),
        types=dict(cast("Mapping[str, str]", values.get("types") or {})),
        skip=int(cast(float, values.get("skip") or 0)),
        nulls=tuple(cast("Sequence[str]", values.get("nulls") or ())),
        comment=_text(values, "comment"),
        file_column=_text(values, "file_column"),
    )


def _text(values: Values, name: str) -> str | None:
    value = values.get(name)
    return None if value is None else str(value)
