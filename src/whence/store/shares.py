"""Links to notebook versions as rows of meta.db, found by the hash of their secret. The secret is stored nowhere."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, Row, delete, insert, select

from whence.model.errors import UnknownShare
from whence.model.notebook import NotebookId
from whence.model.share import ShareRecord
from whence.store import tables


def digest_of(token: bytes) -> str:
    """Return the hash under which a link is stored, so that reading the database is not enough to open the link."""
    return hashlib.sha256(token).hexdigest()


def add_share(connection: Connection, record: ShareRecord, digest: str) -> None:
    """Store a new link."""
    connection.execute(
        insert(tables.shares).values(
            id=record.id,
            digest=digest,
            notebook_id=record.notebook,
            version=record.version,
            created=record.created,
            expires=record.expires,
            runs=dict(record.runs),
        )
    )


def shares_of(connection: Connection, notebook: NotebookId) -> list[ShareRecord]:
    """Return the links to versions of a notebook that have not expired, oldest first."""
    columns = tables.shares.c
    wanted = select(tables.shares).where(columns.notebook_id == notebook).order_by(columns.created, columns.id)
    return [record for row in connection.execute(wanted) if not _is_over(record := _share(row))]


def share_of(connection: Connection, digest: str) -> ShareRecord | None:
    """Return the link with this hash, or None if it was revoked or has expired."""
    row = connection.execute(select(tables.shares).where(tables.shares.c.digest == digest)).one_or_none()
    record = None if row is None else _share(row)
    return None if record is None or _is_over(record) else record


def remove_share(connection: Connection, notebook: NotebookId, id: str) -> None:
    """Revoke a link."""
    columns = tables.shares.c
    removed = connection.execute(delete(tables.shares).where(columns.id == id, columns.notebook_id == notebook))
    if not removed.rowcount:
        raise UnknownShare(f"There is no link {id}.", "It may have been revoked before.")


def remove_all_shares(connection: Connection) -> None:
    """Revoke every link. An imported workspace trusts no one yet."""
    connection.execute(delete(tables.shares))


def _is_over(record: ShareRecord) -> bool:
    return record.expires is not None and datetime.fromisoformat(record.expires) <= datetime.now(UTC)


def _share(row: Row[Any]) -> ShareRecord:
    return ShareRecord(
        id=row.id,
        notebook=NotebookId(row.notebook_id),
        version=row.version,
        created=row.created,
        expires=row.expires,
        runs=row.runs,
    )
