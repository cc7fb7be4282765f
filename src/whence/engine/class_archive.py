"""The class archive: a file with Spark's classes in Java's memory layout, which makes later starts faster.

Without it a start reads some twenty thousand classes out of 280 jars, checks them and links them. Java refuses an
archive of another build or of other jars by itself and starts without it, as it does where there is none.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import time
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pyspark.find_spark_home import _find_spark_home

from whence.engine.java import cache_folder, runtime_of

VARIABLE = "WHENCE_CLASS_ARCHIVE"
"""Environment variable: `off` uses no archive, `use` records none, anything else records one if it is missing."""

MOST_ARCHIVES = 4
"""How many archives to keep. Each takes some 200 MB. There is one for each pair of a Java and a set of jars."""

AOT_RELEASE = 25
"""From this release of Java on, one run records an AOT cache, which keeps profiles too and needs no base archive."""

_FORMAT = "3"  # part of every key, so that a new number makes all older archives unused
_CLAIM_SECONDS = 3600.0
_PIECE = 8 << 20
# Java's own warnings go to standard output unless told otherwise, which belongs to the user.
_QUIET = ("-Xlog:disable", "-Xlog:all=error:stderr")


@dataclass(frozen=True)
class ClassArchive:
    """The archive file for one build of Java and one set of jars, whether it exists yet or not."""

    path: Path
    release: int

    @property
    def is_made(self) -> bool:
        """Whether the file is there."""
        return self.path.is_file()

    @property
    def is_whole(self) -> bool:
        """Whether the file has its recorded checksum: Java 17 crashes on a short file and overlooks a changed one."""
        try:
            return self._sum.read_text(encoding="ascii") == _checksum(self.path)
        except OSError:
            return False

    @property
    def can_be_recorded(self) -> bool:
        """Whether the archive is missing, recording it has not failed before, and the environment allows it."""
        return not self.is_made and not self._failure.exists() and os.environ.get(VARIABLE) != "use"

    @property
    def _sum(self) -> Path:
        return self.path.with_suffix(".sum")

    @property
    def _failure(self) -> Path:
        return self.path.with_suffix(".failed")

    @property
    def options_to_use(self) -> tuple[str, ...]:
        """Java options that map the archive and verify it, as a damaged one could crash Java."""
        name = "AOTCache" if self.release >= AOT_RELEASE else "SharedArchiveFile"
        return (f"-XX:{name}={self.path}", "-XX:+VerifySharedSpaces", *_QUIET)

    def options_to_record(self, draft: Path) -> tuple[str, ...]:
        """Java options that write an archive when Java ends."""
        name = "AOTCacheOutput" if self.release >= AOT_RELEASE else "ArchiveClassesAtExit"
        return (f"-XX:{name}={draft}", *_QUIET)

    def touch(self) -> None:
        """Set the archive's time to now, so that less recently used ones are removed first."""
        with contextlib.suppress(OSError):  # the folder may be read-only
            os.utime(self.path)

    def discard(self) -> None:
        """Remove an archive that is damaged, or that Java did not start with."""
        _remove(self.path)

    @contextlib.contextmanager
    def draft(self) -> Iterator[Path | None]:
        """Give the file to record into, or None while another process records. Publish the file after the block."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        claim = self.path.with_suffix(".claim")
        if not _take(claim):
            yield None
            return
        draft = self.path.with_suffix(".draft")
        try:
            yield draft
        finally:
            self._publish(draft)
            claim.unlink(missing_ok=True)

    def _publish(self, draft: Path) -> None:
        if draft.is_file() and draft.stat().st_size:
            # The checksum goes first: an archive without one counts as damaged, and a start would discard it.
            self._sum.write_text(_checksum(draft), encoding="ascii")
            os.replace(draft, self.path)  # in one step, so that another process sees no archive or a whole one
            remove_surplus(self.path.parent)
        elif not self.is_made:
            # Remember the failure, or every start would try to record again.
            self._failure.touch()


def find_class_archive(java: Path) -> ClassArchive | None:
    """Return the archive for this Java and the jars of PySpark; None if it is switched off or cannot be named."""
    if os.environ.get(VARIABLE) == "off":
        return None
    try:
        runtime, jars = runtime_of(java), Path(_find_spark_home(), "jars")
        text = (runtime / "release").read_text(encoding="utf-8")
        release = re.search(r'^JAVA_VERSION="(\d+)', text, re.MULTILINE)
        if release is None:
            return None
        return ClassArchive(cache_folder() / "classes" / f"{_key(runtime, text, jars)}.jsa", int(release[1]))
    except (OSError, RuntimeError):  # no release file, no jars, no home folder
        return None


def _key(runtime: Path, text: str, jars: Path) -> str:
    """Return a hash of what an archive depends on: the build of Java, and path, size and time of every jar."""
    library = (runtime / "lib" / "modules").stat()
    parts = [_FORMAT, str(runtime), text, str(library.st_size), str(library.st_mtime_ns), str(jars), *jar_states(jars)]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


def jar_states(jars: Path) -> list[str]:
    """Return name, size and time of every jar in a folder."""
    found = ((jar.name, jar.stat()) for jar in sorted(jars.glob("*.jar")))
    return [f"{name} {state.st_size} {state.st_mtime_ns}" for name, state in found]


def remove_surplus(folder: Path) -> None:
    """Remove all archives but the most recently used ones."""
    found = sorted(folder.glob("*.jsa"), key=lambda path: path.stat().st_mtime, reverse=True)
    for path in found[MOST_ARCHIVES:]:
        _remove(path)


def _remove(archive: Path) -> None:
    for path in (archive, archive.with_suffix(".sum")):
        with contextlib.suppress(OSError):  # a read-only folder; or Windows, which keeps a file that Java has mapped
            path.unlink()


def _checksum(path: Path) -> str:
    found = 0
    with path.open("rb") as file:
        while piece := file.read(_PIECE):
            found = zlib.crc32(piece, found)
        return f"{file.tell()} {found}"


def _take(claim: Path) -> bool:
    """Create the file that claims the recording, and return whether this process got it.

    A claim older than an hour was left by a process that died.
    """
    with contextlib.suppress(OSError):
        if time.time() - claim.stat().st_mtime > _CLAIM_SECONDS:
            claim.unlink()
    try:
        claim.touch(exist_ok=False)
    except FileExistsError:
        return False
    return True
