"""A part of a plan that reads rows from outside the workspace: which files, in which format, with which columns."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from pyspark.sql.types import StructType

from whence.engine.type_names import type_name
from whence.model.schema import Field, Schema


@dataclass(frozen=True)
class ForeignLeaf:
    """A part of a plan whose rows come from outside the workspace, or that must be evaluated as it is."""

    node: Any
    """Spark's operator."""
    facts: dict[str, Any]

    @property
    def is_leaf(self) -> bool:
        """Whether it reads rows; otherwise it is an operator that another evaluation could answer differently."""
        return bool(self.facts["is_leaf"])

    @property
    def is_cached(self) -> bool:
        """Whether it is a frame that the program caches, and that another evaluation answers with the same rows."""
        return not self.is_leaf and "cached" in self.facts

    @property
    def operator(self) -> str:
        """The name of Spark's operator."""
        return str(self.facts["node"])

    @property
    def table(self) -> str | None:
        """The table of the catalog that it reads."""
        return self.facts.get("table")

    @property
    def format(self) -> str:
        """The class of Spark's reader; empty if it reads no files."""
        return str(self.facts.get("format", ""))

    @property
    def roots(self) -> tuple[str, ...]:
        """The files and folders that the program named."""
        return tuple(self.facts.get("roots", ()))

    @cached_property
    def files(self) -> tuple[Path, ...]:
        """The files that it reads, on this machine; empty if they lie elsewhere."""
        addresses = [str(each) for each in self.facts.get("files", ())]
        if not all(each.startswith("file:") for each in addresses):
            return ()
        return tuple(Path(unquote("/" + each.removeprefix("file:").lstrip("/"))) for each in addresses)

    @property
    def where(self) -> str:
        """The table or the last part of the path that it reads; empty if it reads neither."""
        return self.table or (Path(self.roots[0].rstrip("/*")).name if self.roots else "")

    @property
    def partitions(self) -> tuple[str, ...]:
        """The columns that come from the names of folders."""
        return tuple(self.facts.get("partitions", ()))

    @cached_property
    def schema(self) -> Schema:
        """Its columns, with the types that the program reads."""
        fields = StructType.fromJson(json.loads(self.facts["schema"])).fields
        return Schema(tuple(Field(each.name, type_name(each.dataType)) for each in fields))

    @cached_property
    def fingerprint(self) -> str:
        """A hash of the files with their sizes and times; empty if another read cannot be known to give the same.

        For a frame that is cached, a number of the cached rows.
        """
        return str(self.facts["cached"]) if self.is_cached else fingerprint_of(self.files)

    @property
    def place(self) -> str:
        """A text that is equal for two leaves that read the same files in the same way, in any session."""
        read = {key: self.facts.get(key) for key in ("format", "roots", "options", "table", "schema")}
        return json.dumps(read, sort_keys=True)


def fingerprint_of(files: tuple[Path, ...]) -> str:
    """Return a hash of files with their sizes and times; empty if there are none."""
    found = [(str(each), *_size_and_time(each)) for each in sorted(file.resolve() for file in files)]
    return hashlib.sha256(json.dumps(found).encode()).hexdigest()[:32] if found else ""


def _size_and_time(file: Path) -> tuple[int, int]:
    try:
        status = file.stat()
    except OSError:
        return -1, -1
    return status.st_size, status.st_mtime_ns
