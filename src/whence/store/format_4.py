"""The tables that format 4 added, as they were then; never edited."""

from __future__ import annotations

NOTEBOOK_TABLES = (
    """
    CREATE TABLE notebooks (
        id VARCHAR NOT NULL,
        name VARCHAR NOT NULL,
        name_key VARCHAR NOT NULL,
        branch VARCHAR NOT NULL,
        mode VARCHAR NOT NULL,
        versions INTEGER NOT NULL,
        cells INTEGER NOT NULL,
        created VARCHAR NOT NULL,
        PRIMARY KEY (id),
        UNIQUE (name_key)
    )
    """,
    """
    CREATE TABLE branches (
        notebook_id VARCHAR NOT NULL,
        name VARCHAR NOT NULL,
        head INTEGER NOT NULL,
        created VARCHAR NOT NULL,
        PRIMARY KEY (notebook_id, name),
        FOREIGN KEY(notebook_id) REFERENCES notebooks (id)
    )
    """,
    """
    CREATE TABLE cell_versions (
        hash VARCHAR NOT NULL,
        kind VARCHAR NOT NULL,
        "values" JSON NOT NULL,
        PRIMARY KEY (hash)
    )
    """,
    """
    CREATE TABLE notebook_versions (
        notebook_id VARCHAR NOT NULL,
        version INTEGER NOT NULL,
        parent INTEGER,
        branch VARCHAR NOT NULL,
        action VARCHAR NOT NULL,
        cell VARCHAR,
        author VARCHAR NOT NULL,
        time VARCHAR NOT NULL,
        command_id VARCHAR,
        is_side BOOLEAN NOT NULL,
        edit JSON NOT NULL,
        content JSON,
        depth INTEGER NOT NULL,
        PRIMARY KEY (notebook_id, version),
        FOREIGN KEY(notebook_id) REFERENCES notebooks (id),
        UNIQUE (command_id)
    )
    """,
    """
    CREATE TABLE cell_runs (
        sequence INTEGER NOT NULL,
        id VARCHAR NOT NULL,
        notebook_id VARCHAR NOT NULL,
        cell VARCHAR NOT NULL,
        hash VARCHAR NOT NULL,
        epoch INTEGER NOT NULL,
        state VARCHAR NOT NULL,
        started VARCHAR NOT NULL,
        seconds FLOAT NOT NULL,
        reads JSON NOT NULL,
        gave JSON NOT NULL,
        error JSON,
        PRIMARY KEY (sequence),
        UNIQUE (id),
        FOREIGN KEY(notebook_id) REFERENCES notebooks (id),
        FOREIGN KEY(hash) REFERENCES cell_versions (hash)
    )
    """,
    """
    CREATE INDEX ix_cell_runs_hash ON cell_runs (hash)
    """,
    """
    CREATE INDEX ix_cell_runs_notebook_id ON cell_runs (notebook_id)
    """,
    """
    CREATE TABLE cell_outputs (
        run_id VARCHAR NOT NULL,
        position INTEGER NOT NULL,
        name VARCHAR NOT NULL,
        dataset_id VARCHAR NOT NULL,
        fingerprint VARCHAR NOT NULL,
        PRIMARY KEY (run_id, position),
        FOREIGN KEY(run_id) REFERENCES cell_runs (id)
    )
    """,
    """
    CREATE INDEX ix_cell_outputs_dataset_id ON cell_outputs (dataset_id)
    """,
    """
    CREATE TABLE cell_displays (
        run_id VARCHAR NOT NULL,
        position INTEGER NOT NULL,
        content JSON NOT NULL,
        PRIMARY KEY (run_id, position),
        FOREIGN KEY(run_id) REFERENCES cell_runs (id)
    )
    """,
    """
    CREATE TABLE owned_names (
        name_key VARCHAR NOT NULL,
        name VARCHAR NOT NULL,
        notebook_id VARCHAR NOT NULL,
        dataset_id VARCHAR,
        PRIMARY KEY (name_key),
        FOREIGN KEY(notebook_id) REFERENCES notebooks (id)
    )
    """,
)
