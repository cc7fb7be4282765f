"""A workspace as one ZIP file: export, and import that trusts nothing in the file."""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
import zipfile
from contextlib import closing
from pathlib import Path, PurePosixPath

from whence.model.errors import BadInput, DamagedFile, UserError, WhenceError
from whence.store import tables
from whence.store.browser_sessions import remove_all_sessions
from whence.store.doctor import doctor
from whence.store.layout import Layout, entries
from whence.store.run_events import remove_all_events
from whence.store.shares import remove_all_shares
from whence.store.store import Store

_FIRST = "whence-archive-1"
_MOST_FILES = 1_000_000


def export_archive(store: Store, path: Path) -> None:
    """Write the whole workspace to a file: notebooks with all versions, datasets, lineage, caveats and source files."""
    waiting, database = path.with_name(f".{path.name}.new"), store.layout.temporary / "archive.db"
    database.unlink(missing_ok=True)
    try:
        with closing(sqlite3.connect(store.layout.database)) as connection:
            # A consistent copy in one file, without the write-ahead log and without deleted content.
            connection.execute("VACUUM INTO ?", (str(database),))
        # Not compressed again: part files and array files are zstd already.
        with zipfile.ZipFile(waiting, "w", zipfile.ZIP_STORED, allowZip64=True) as archive:
            archive.writestr(_FIRST, "A workspace of whence. Take it in with: whence import FILE WORKSPACE\n")
            archive.write(database, "meta.db")
            for folder in _archived_folders(store.layout):
                for file in sorted(each for each in folder.rglob("*") if each.is_file()):
                    archive.write(file, Path(store.layout.relative(file)).as_posix())
        waiting.replace(path)
    except OSError as error:
        raise UserError(f"{path} cannot be written: {error.strerror}.") from error
    finally:
        waiting.unlink(missing_ok=True)
        database.unlink(missing_ok=True)


def import_archive(path: Path, root: Path) -> None:
    """Create a workspace from an archive, in a folder that is missing or empty. Nothing in the archive is executed.

    Every file is checked against its hash before the folder appears under its name.
    """
    if root.exists() and any(entries(root)):
        raise BadInput(f"{root} is not empty.", "Choose a new folder.")
    waiting = root.with_name(f".{root.name}.new")
    shutil.rmtree(waiting, ignore_errors=True)
    try:
        _unpack(path, waiting)
        _check_database(waiting / "meta.db")
        _check_content(waiting)
        if root.exists():
            root.rmdir()
        waiting.rename(root)
    except zipfile.BadZipFile as error:
        raise DamagedFile(f"{path.name} is not an archive, or is damaged: {error}.") from error
    except OSError as error:
        raise UserError(f"{path.name} cannot be taken in: {error.strerror or error}.") from error
    finally:
        shutil.rmtree(waiting, ignore_errors=True)


def is_archive(path: Path) -> bool:
    """Whether a file is a ZIP file, and so may be an archive of a workspace."""
    return path.is_file() and zipfile.is_zipfile(path)


def _archived_folders(layout: Layout) -> tuple[Path, ...]:
    """Return the folders that go into an archive. Pending sheets stay with the person who has them open."""
    return layout.datasets, layout.lineages, layout.files, layout.uploads


def _unpack(path: Path, target: Path) -> None:
    layout = Layout(target)
    allowed = {folder.name for folder in _archived_folders(layout)}
    with zipfile.ZipFile(path) as archive:
        members = archive.infolist()
        if _FIRST not in archive.namelist() or len(members) > _MOST_FILES:
            raise BadInput(f"{path.name} is not an archive of a workspace.")
        room = shutil.disk_usage(target.parent).free
        if sum(each.file_size for each in members) > room:
            raise UserError(f"There is no room for {path.name} on this disk.", "Free some space and try again.")
        target.mkdir(parents=True)
        for each in members:
            if each.filename == _FIRST:
                continue
            parts = PurePosixPath(each.filename).parts
            is_link = stat.S_ISLNK(each.external_attr >> 16)
            is_ours = each.filename == "meta.db" or (len(parts) > 1 and parts[0] in allowed)
            if is_link or not is_ours or ".." in parts or each.filename.startswith("/") or "\\" in each.filename:
                raise BadInput(f"{path.name} holds {each.filename}, which belongs to no workspace.")
            _unpack_one(archive, each, target.joinpath(*parts))


def _unpack_one(archive: zipfile.ZipFile, member: zipfile.ZipInfo, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    with archive.open(member) as source, target.open("xb") as file:
        left = member.file_size
        # The size in the archive's directory may be a lie. One byte more than it states is enough to notice.
        while chunk := source.read(min(1 << 20, left + 1)):
            left -= len(chunk)
            if left < 0:
                raise BadInput(f"{member.filename} is larger than the archive says.")
            file.write(chunk)
        os.fsync(file.fileno())


def _check_database(path: Path) -> None:
    """Raise an error unless the database holds only whence's own tables and indexes: a trigger would be code."""
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
            # Nothing that a foreign schema defines may run while it is read.
            database.execute("PRAGMA trusted_schema=OFF")
            rows = database.execute("select type, tbl_name from sqlite_schema").fetchall()
    except sqlite3.DatabaseError as error:
        raise DamagedFile(f"The database of the archive cannot be read: {error}.") from error
    known = {*tables.metadata.tables, "sqlite_sequence"}
    for kind, table in rows:
        if kind not in ("table", "index") or table not in known:
            raise BadInput(f"The database of the archive holds a {kind} {table} that is not ours.")


def _check_content(root: Path) -> None:
    try:
        store = Store.open(root)
    except WhenceError as error:
        raise DamagedFile(f"The archive is damaged: {error.message}") from error
    try:
        # Links and logins that were given out for the original must not open the copy, nor may it tell of its runs.
        with store.database.write("commit-notebook") as connection:
            remove_all_shares(connection)
            remove_all_sessions(connection)
            remove_all_events(connection)
        # A large source that was not copied stays where the archive was made. What was loaded from it is here.
        wrong = [each for each in doctor(store) if not each.startswith("/") or each.startswith(str(store.root))]
    finally:
        store.close()
    if wrong:
        raise DamagedFile(f"The archive is damaged: {wrong[0]}")
