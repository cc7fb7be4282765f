"""Writes a notebook as a script for plain PySpark, and lists the datasets that no query can make, to lie beside it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from whence.model.dataset import DatasetRecord
from whence.model.notebook import CellVersion
from whence.notebook.parameter_values import read_parameters
from whence.notebook.python_call import write_text
from whence.notebook.sql_words import arguments_in

_OURS = re.compile(r"\b(caveat|caveat_if|has_caveat|bound_low|bound_high)\s*\(", re.IGNORECASE)
"""Calls of SQL functions that plain Spark does not have: such a query cannot run in the script."""

HEAD = '''\
"""{name}: written by whence for plain PySpark. Run it with: spark-submit {file} or python {file}

Queries run again; what a query cannot make (loaded files, lenses, samples) is read from the folder data beside.
"""

from pathlib import Path

from pyspark.sql import SparkSession

DATA = Path(__file__).resolve().parent / "data"
spark = SparkSession.builder.getOrCreate()
spark.conf.set("spark.sql.session.timeZone", "UTC")
spark.conf.set("spark.sql.parquet.inferTimestampNTZ.enabled", "true")
parameters = {{}}


def name(dataset, frame):
    """Let queries below call the frame by this name."""
    frame.createOrReplaceTempView("`" + dataset.replace("`", "``") + "`")
'''


@dataclass(frozen=True)
class ScriptStep:
    """A cell that ran: its kind and values, the datasets it made in order, and the names it dropped."""

    said: CellVersion
    made: Mapping[str, DatasetRecord] = field(default_factory=dict)
    dropped: Sequence[str] = ()
    parameters: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class Script:
    """The text of a script, and the datasets that it reads from the folder beside it, by file name."""

    text: str
    data: Mapping[str, DatasetRecord]


def to_script(title: str, file: str, below: Mapping[str, DatasetRecord], steps: Sequence[ScriptStep]) -> Script:
    """Return a script after which each dataset name means what it means after the notebook."""
    data: dict[str, DatasetRecord] = {}
    lines = [HEAD.format(name=title.replace('"""', "'''"), file=file)]
    lines += [_read(name, record, data) for name, record in below.items()]
    for step in steps:
        lines.append(f"# {step.said.kind}")
        if step.said.kind == "markdown":
            lines += [f"# {line}".rstrip() for line in str(step.said.values.get("source", "")).splitlines()]
        if step.said.kind == "parameters":
            lines.append(f"parameters.update({read_parameters(step.said.values.get('source'))!r})")
        lines += [_write_result(name, record, data) for name, record in step.made.items()]
        lines += [f"spark.catalog.dropTempView({name!r})" for name in step.dropped]
        lines.append("")
    return Script("\n".join(lines).rstrip() + "\n", data)


def _write_result(name: str, record: DatasetRecord, data: dict[str, DatasetRecord]) -> str:
    # Only plain SQL can run again without whence. The rows of all else are read from a file.
    if record.origin != "sql" or _OURS.search(record.text):
        return _read(name, record, data)
    asked = arguments_in(record.text)
    given = f", {{name: parameters[name] for name in {sorted(asked)!r}}}" if asked else ""
    return f"name({name!r}, spark.sql({write_text(record.text)}{given}))"


def _read(name: str, record: DatasetRecord, data: dict[str, DatasetRecord]) -> str:
    file = f"{re.sub(r'[^A-Za-z0-9_-]+', '_', record.name)}-{record.version}-{record.id[:6]}.parquet"
    data[file] = record
    return f"name({name!r}, spark.read.parquet(str(DATA / {file!r})))"
