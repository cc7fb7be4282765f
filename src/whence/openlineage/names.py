"""Names of jobs, runs and datasets in events: unique, and the same each time the same thing is meant."""

from __future__ import annotations

from urllib.parse import urlsplit
from uuid import NAMESPACE_URL, uuid5

from whence.store.run_events import RunFacts

_SEPARATOR = "."


def run_id(run: RunFacts) -> str:
    """Return the UUID of a run. An event that is sent twice has the same one both times."""
    return str(uuid5(NAMESPACE_URL, f"whence:{run.kind}:{run.id}"))


def job_name(run: RunFacts) -> str:
    """Return the name of the job of a run, below the jobs that it is part of.

    >>> cell = RunFacts("cell", "r2", "c1", "cell", parent=RunFacts("notebook", "r1", "report", "notebook"))
    >>> job_name(RunFacts("dataset", "r3", "totals", "sql", parent=cell))
    'report.c1.sql.totals'
    """
    own = f"{run.origin}{_SEPARATOR}{run.name}" if run.kind == "dataset" else run.name
    return own if run.parent is None else f"{job_name(run.parent)}{_SEPARATOR}{own}"


def file_name(place: str) -> tuple[str, str] | None:
    """Return namespace and name of a file by its address or full path, as OpenLineage writes them; None if it has none.

    >>> file_name("s3://shop/2024/orders.csv"), file_name("/data/orders.csv"), file_name("orders.csv")
    (('s3://shop', '2024/orders.csv'), ('file', '/data/orders.csv'), None)
    """
    if place.startswith("/"):
        return "file", place
    parts = urlsplit(place)
    if not parts.scheme or "://" not in place:
        return None
    # Neither a password nor the signature of a link may leave the workspace.
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}", parts.path.lstrip("/")
