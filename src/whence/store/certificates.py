"""The folder of certificates: one JSON document and one page for each forgetting of rows."""

from __future__ import annotations

import json
from pathlib import Path

from sqlalchemy import select

from whence.model.certificate import Certificate
from whence.store import tables
from whence.store.certificate_page import certificate_page
from whence.store.database import Database
from whence.store.durable import HashingFile, Syncs, rename, sync_directory, write_file, write_json, writing
from whence.store.faults import around
from whence.store.layout import Layout, entries

_NEW = ".new"


def begin_certificate(layout: Layout, certificate: Certificate, syncs: Syncs) -> None:
    """Write what is about to happen, so that a forgetting that a crash interrupts has its certificate, too.

    Its name is on the disk after `syncs.wait()`.
    """
    if not layout.certificates.exists():
        with writing(layout.certificates):
            layout.certificates.mkdir()
            sync_directory(layout.root)
    waiting = _write(layout, certificate, syncs)
    syncs.wait()
    rename(waiting, waiting.with_suffix(""), "rename-certificate", syncs)


def finish_certificate(layout: Layout, certificate: Certificate) -> None:
    """Write what has happened, as JSON and as a page."""
    page = certificate_page(certificate).encode()
    waiting = layout.certificates / f"{certificate.id}.html{_NEW}"

    def fill(file: HashingFile) -> None:
        file.write(page)

    with Syncs() as syncs:
        write_file(waiting, fill, "sync-certificate", syncs)
        document = _write(layout, certificate, syncs)
        syncs.wait()
        rename(waiting, waiting.with_suffix(""), "rename-certificate", syncs)
        with around("finish-certificate"):  # the document says that all is done, so its name changes last
            rename(document, document.with_suffix(""), "rename-certificate", syncs)
        syncs.wait()


def drop_certificate(layout: Layout, certificate: Certificate) -> None:
    """Remove the certificate of a forgetting that did not happen."""
    for path in layout.certificates.glob(f"{certificate.id}.*"):
        path.unlink()


def finish_certificates(database: Database, layout: Layout) -> None:
    """Finish the certificates that a crash interrupted, and drop those of what never happened."""
    for path in entries(layout.certificates):
        if path.suffix == _NEW:
            path.unlink()
    for certificate in read_certificates(layout):
        if certificate.state != "begun":
            continue
        with database.read() as connection:
            gone = tables.forgotten.c.id.in_(certificate.replaced)
            has_happened = connection.scalar(select(tables.forgotten.c.id).where(gone).limit(1)) is not None
        if has_happened:
            sentence = "The process ended on the way. The next opening removed every file of the old versions."
            finish_certificate(layout, certificate.finished(sentence))
        else:
            drop_certificate(layout, certificate)


def read_certificates(layout: Layout) -> list[Certificate]:
    """Return the certificates of a workspace, oldest first."""
    paths = [path for path in entries(layout.certificates) if path.suffix == ".json"]
    found = [Certificate.from_json(json.loads(path.read_bytes())) for path in paths]
    return sorted(found, key=lambda each: each.at)


def page_path(layout: Layout, certificate: Certificate) -> Path:
    """Return the path of the page of a certificate."""
    return layout.certificates / f"{certificate.id}.html"


def _write(layout: Layout, certificate: Certificate, syncs: Syncs) -> Path:
    """Write the document under the name that it has until it is complete."""
    waiting = layout.certificates / f"{certificate.id}.json{_NEW}"
    write_json(waiting, certificate.to_json(), "sync-certificate", syncs)
    return waiting
