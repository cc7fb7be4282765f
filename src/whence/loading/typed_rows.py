"""The rows of several typed files under one schema: columns are united by name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import pyarrow as pa

from whence.loading.decoding import decode, decoded_type
from whence.loading.header import clean_names
from whence.loading.problems import Problem, of_column
from whence.loading.typed_file import TypedFile
from whence.model.errors import BadInput


class TypedRows:
    """The batches of several files under one schema."""

    def __init__(self, files: Sequence[TypedFile], hidden: Sequence[str] = ()) -> None:
        self._files = files
        schemas = [_checked(file) for file in files]
        united = _united([file.path for file in files], schemas)
        shown = len(united) - len(hidden)
        self.schema = pa.schema([united.field(n) for n in range(shown)])
        self.hidden = pa.schema([united.field(n) for n in range(shown, len(united))])
        """Whence's own columns, which every file has behind its others. Batches end with them."""
        self._all = united
        self._lacks = {
            file.path.name: missing
            for file, schema in zip(files, schemas, strict=True)
            if (missing := [name for name in self.schema.names if name not in schema.names])
        }
        self.rows = sum(file.rows for file in files)
        """The number of rows as far as the files state it."""
        self.counts = [0] * len(files)
        """The number of rows of each file, once they are read."""

    def lacking(self) -> Iterator[Problem]:
        """Yield a note for each column that a file does not have."""
        names = list(self.schema.names)
        for file, missing in self._lacks.items():
            for name in missing:
                what = f"{file} has no column {name}, so its rows are empty there."
                yield of_column(clean_names(names)[names.index(name)], "no column", what)

    def batches(self) -> Iterator[pa.RecordBatch]:
        """Yield every row once, in order, with the values behind dictionaries and other packed types."""
        for number, file in enumerate(self._files):
            count = 0
            for batch in file.batches():
                count += batch.num_rows
                yield _decoded(_under(batch, self._all))
            self.counts[number] = count


def _checked(file: TypedFile) -> pa.Schema:
    """Return the schema of a file. Raise an error if it has no columns, or names that are no text."""
    try:
        schema = file.schema
        names = schema.names
    except UnicodeDecodeError as error:
        raise BadInput(
            f"The file {file.path} has a column whose name is not UTF-8.", "Write the file again with another name."
        ) from error
    if not names:
        raise BadInput(f"The file {file.path} has no columns.", "A dataset needs one.")
    return schema


def _united(paths: Sequence[Path], schemas: Sequence[pa.Schema]) -> pa.Schema:
    """Return all columns of all files by name. Raise an error if a column has two types."""
    if all(schema.equals(schemas[0]) for schema in schemas):
        return schemas[0]
    fields: dict[str, tuple[pa.Field, Path]] = {}
    for path, schema in zip(paths, schemas, strict=True):
        _refuse_repeated_names(path, schema)
        for each in schema:
            first, where = fields.setdefault(each.name, (each, path))
            if decoded_type(first.type) != decoded_type(each.type):
                raise BadInput(
                    f"Column {each.name} is {first.type} in {where.name} and {each.type} in {path.name}.",
                    "Load the files one by one and unite them in a query that says which type is meant.",
                )
    return pa.schema([field for field, _ in fields.values()])


def _refuse_repeated_names(path: Path, schema: pa.Schema) -> None:
    twice = next((name for name, count in Counter(schema.names).items() if count > 1), None)
    if twice is not None:
        raise BadInput(
            f"{path.name} has two columns {twice}, so its columns cannot be united with those of other files by name.",
            "Load the files one by one.",
        )


def _under(batch: pa.RecordBatch, schema: pa.Schema) -> list[pa.Array]:
    """Return the columns of a batch in the order of the dataset."""
    if batch.schema.names == schema.names:
        return list(batch.columns)
    names = set(batch.schema.names)
    return [batch.column(each.name) if each.name in names else pa.nulls(batch.num_rows, each.type) for each in schema]


def _decoded(columns: Sequence[pa.Array]) -> pa.RecordBatch:
    """Return a batch of the values. Names may repeat, so the columns are known by position."""
    return pa.record_batch([decode(each) for each in columns], names=[str(n) for n in range(len(columns))])
