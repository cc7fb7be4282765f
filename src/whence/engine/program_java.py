"""Lets a program that starts Spark itself find the Java that whence brings."""

from __future__ import annotations

import os

from whence.engine.class_archive import find_class_archive
from whence.engine.java import java_home
from whence.engine.session import java_words

_SUBMIT_OPTIONS = "SPARK_SUBMIT_OPTS"


def prepare_java() -> None:
    """Let the program find a Java, and let that start from the archive of Spark's classes if there is one."""
    home = java_home()
    os.environ.setdefault("JAVA_HOME", str(home))
    archive = find_class_archive(home)
    if archive is not None and archive.is_made and archive.is_whole:
        given = os.environ.get(_SUBMIT_OPTIONS, "")
        words = java_words(archive.options_to_use)
        if words not in given:
            os.environ[_SUBMIT_OPTIONS] = f"{words} {given}".rstrip()
