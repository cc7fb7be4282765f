"""The tables of meta.db."""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    Float,
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
    Column("cell_run", String),  # the run of a notebook cell, or a marker: see owned.py
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
    "forgotten",  # what remains of a dataset that was removed for good
    metadata,
    Column("id", String, primary_key=True),
    Column("rows", Integer, nullable=False),
    Column("at", String, nullable=False),
)

removals = Table(
    "removals",  # paths that `forget` has yet to remove
    metadata,
    Column("path", String, primary_key=True),
)

acknowledgements = Table(
    "acknowledgements",  # caveats that a person has accepted
    metadata,
    Column("id", String, primary_key=True),
    Column("name_key", String, nullable=False, index=True),  # of the dataset that stated them, in any version
    Column("note", String, nullable=False),
    Column("at", String, nullable=False),
    Column("keys", LargeBinary, nullable=False),  # 16 bytes for each caveat: see caveats/identity.py
)

notebooks = Table(
    "notebooks",
    metadata,
    Column("id", String, primary_key=True),
    Column("name", String, nullable=False),
    Column("name_key", String, nullable=False, unique=True),
    Column("branch", String, nullable=False),  # the one that is checked out
    Column("mode", String, nullable=False),  # auto, lazy, session
    Column("versions", Integer, nullable=False),  # the number of the newest version
    Column("cells", Integer, nullable=False),  # how many cells there ever were, so that no id is given twice
    Column("created", String, nullable=False),
)

branches = Table(
    "branches",
    metadata,
    Column("notebook_id", ForeignKey("notebooks.id"), primary_key=True),
    Column("name", String, primary_key=True),
    Column("head", Integer, nullable=False),  # 0 before the first edit
    Column("created", String, nullable=False),
)

cell_versions = Table(
    "cell_versions",
    metadata,
    Column("hash", String, primary_key=True),
    Column("kind", String, nullable=False),
    Column("values", JSON, nullable=False),
)

notebook_versions = Table(
    "notebook_versions",
    metadata,
    Column("notebook_id", ForeignKey("notebooks.id"), primary_key=True),
    Column("version", Integer, primary_key=True),
    Column("parent", Integer),
    Column("branch", String, nullable=False),
    Column("action", String, nullable=False),
    Column("cell", String),
    Column("author", String, nullable=False),
    Column("time", String, nullable=False),
    Column("command_id", String, unique=True),
    Column("is_side", Boolean, nullable=False),
    Column("edit", JSON, nullable=False),  # what changed against the parent
    Column(
        "content", JSON(none_as_null=True)
    ),  # all cells, stored now and then, so that no version is far from a complete one
    Column("depth", Integer, nullable=False),  # versions back to the last complete one
)

cell_runs = Table(
    "cell_runs",
    metadata,
    Column("sequence", Integer, primary_key=True),
    Column("id", String, nullable=False, unique=True),
    Column("notebook_id", ForeignKey("notebooks.id"), nullable=False, index=True),
    Column("cell", String, nullable=False),
    Column("hash", ForeignKey("cell_versions.hash"), nullable=False, index=True),
    Column("epoch", Integer, nullable=False),
    Column("state", String, nullable=False),
    Column("started", String, nullable=False),
    Column("seconds", Float, nullable=False),
    Column("reads", JSON, nullable=False),
    Column("gave", JSON, nullable=False),  # dropped names, parameters, functions
    Column("error", JSON(none_as_null=True)),
)

cell_outputs = Table(
    "cell_outputs",
    metadata,
    Column("run_id", ForeignKey("cell_runs.id"), primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("name", String, nullable=False),
    Column("dataset_id", String, nullable=False, index=True),  # it may have been forgotten since
    Column("fingerprint", String, nullable=False),
)

cell_displays = Table(
    "cell_displays",
    metadata,
    Column("run_id", ForeignKey("cell_runs.id"), primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("content", JSON, nullable=False),
)

owned_names = Table(
    "owned_names",  # names of datasets that notebooks make, and what each means on the checked-out branch
    metadata,
    Column("name_key", String, primary_key=True),
    Column("name", String, nullable=False),
    Column("notebook_id", ForeignKey("notebooks.id"), nullable=False),
    Column("dataset_id", String),
)

shares = Table(
    "shares",  # links through which others read one version of a notebook
    metadata,
    Column("id", String, primary_key=True),
    Column("digest", String, nullable=False, unique=True),  # hash of the secret in the link, which is not stored
    Column("notebook_id", ForeignKey("notebooks.id"), nullable=False, index=True),
    Column("version", Integer, nullable=False),
    Column("created", String, nullable=False),
    Column("expires", String),
    Column("runs", JSON, nullable=False),  # by cell: the run whose results are shown
)

browser_sessions = Table(
    "browser_sessions",
    metadata,
    Column("digest", String, primary_key=True),  # hash of the secret in the cookie, which is not stored
    Column("expires", Float, nullable=False),  # seconds since 1970
)

run_events = Table(
    "run_events",  # beginnings and ends of runs that a receiver of OpenLineage has yet to hear of
    metadata,
    Column("sequence", Integer, primary_key=True),
    Column("kind", String, nullable=False),  # dataset, cell, notebook
    Column("run_id", String, nullable=False, index=True),  # the run may have been forgotten since
    Column("type", String, nullable=False),  # START, COMPLETE, FAIL, ABORT, OTHER
    Column("time", String, nullable=False),
    Column("state", String, nullable=False),  # pending, waiting (for deferred lineage), taken
    sqlite_autoincrement=True,  # the order of events, also after the newest ones are gone
)
