"""The tables of meta.db."""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    ForeignKey,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    UniqueConstraint,
)

metadata = MetaData()

workspace = Table(
    "workspace",
    metadata,
    Column("only", Integer, primary_key=True),
    Column("format", Integer, nullable=False),
    Column("epoch", Integer, nullable=False),
)

runs = Table(
    "runs",
    metadata,
    Column("id", String, primary_key=True),
    Column("dataset_id", String, nullable=False, unique=True),
    Column("name", String, nullable=False),
    Column("origin", String, nullable=False),
    Column("epoch", Integer, nullable=False),
    Column("state", String, nullable=False, index=True),  # running, done, abandoned, interrupted
    Column("reason", String),
    Column("started", String, nullable=False),
    Column("finished", String),
)

datasets = Table(
    "datasets",
    metadata,
    Column("sequence", Integer, primary_key=True),  # order by this, never by the clock
    Column("id", String, nullable=False, unique=True),
    Column("name", String, nullable=False),
    Column("name_key", String, nullable=False),  # the name as compared: ignoring case
    Column("version", Integer, nullable=False),
    Column("rows", Integer, nullable=False),
    Column("schema", JSON, nullable=False),
    Column("origin", String, nullable=False),
    Column("text", String, nullable=False),
    Column("created", String, nullable=False),
    Column("doubt", JSON, nullable=False),
    Column("manifest_sha256", String, nullable=False),
    Column("run_id", ForeignKey("runs.id"), nullable=False),
    Column("missing", Boolean, nullable=False, default=False),  # the folder was not there at start-up
    UniqueConstraint("name_key", "version"),
)

edges = Table(
    "edges",
    metadata,
    Column("child", ForeignKey("datasets.id"), primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("parent", ForeignKey("datasets.id"), nullable=False, index=True),
)

files = Table(
    "files",
    metadata,
    Column("sha256", String, primary_key=True),
    Column("path", String, primary_key=True),
    Column("size", Integer, nullable=False),
    Column("copied", Boolean, nullable=False),
    Column("added", String, nullable=False),
)

dataset_files = Table(
    "dataset_files",
    metadata,
    Column("dataset_id", ForeignKey("datasets.id"), primary_key=True),
    Column("sha256", String, primary_key=True),
)

forgotten = Table(
    "forgotten",  # what is left of a dataset that was removed for good
    metadata,
    Column("id", String, primary_key=True),
    Column("rows", Integer, nullable=False),
    Column("at", String, nullable=False),
)

removals = Table(
    "removals",  # paths that a forgetting has yet to remove
    metadata,
    Column("path", String, primary_key=True),
)

acknowledgements = Table(
    "acknowledgements",  # caveats that somebody has looked at and taken upon them
    metadata,
    Column("id", String, primary_key=True),
    Column("name_key", String, nullable=False, index=True),  # of the dataset whose making raised them, any version
    Column("note", String, nullable=False),
    Column("at", String, nullable=False),
    Column("keys", LargeBinary, nullable=False),  # 16 bytes for each caveat: see caveats/identity.py
)
