"""Records the class archive: runs the warm-up queries in a Java process that writes its loaded classes when it ends."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from whence.engine.class_archive import VARIABLE, ClassArchive, find_class_archive
from whence.engine.java import java_home
from whence.engine.restart import stop_java
from whence.engine.session import EXTRA_OPTIONS, MEMORY_VARIABLE, java_words
from whence.workspace.warm_up import warm_up

LOWEST_PRIORITY = 19


def record_archive(archive: ClassArchive) -> None:
    """Record the archive, unless another process is recording it."""
    with archive.draft() as draft:
        if draft is not None and not archive.is_made:
            settings = {EXTRA_OPTIONS: java_words(archive.options_to_record(draft))}
            with tempfile.TemporaryDirectory(prefix="whence-") as folder:
                warm_up(Path(folder, "recorded.whence"), "server", settings, also_large=True)
                stop_java()  # Java writes the archive when it exits


def main() -> None:
    """Record the archive for the Java and the PySpark of this environment, if it is missing."""
    if hasattr(os, "nice"):  # not on Windows
        os.nice(LOWEST_PRIORITY)
    os.environ.setdefault(MEMORY_VARIABLE, "1g")
    archive = find_class_archive(java_home())
    os.environ[VARIABLE] = "use"  # a recorder leaves no recorder behind
    if archive is not None and not archive.is_made:
        record_archive(archive)


if __name__ == "__main__":
    main()
