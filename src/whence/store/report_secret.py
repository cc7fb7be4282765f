"""The secret of a workspace with which its reports hide row keys: a key is a hash of values, and could be guessed."""

from __future__ import annotations

import secrets

from whence.model.errors import DamagedFile
from whence.store.durable import HashingFile, rename, write_file
from whence.store.layout import Layout

_BYTES = 32


def report_secret(layout: Layout) -> bytes | None:
    """Return the secret; None if this workspace has not written a report with hidden columns."""
    try:
        return bytes.fromhex(layout.report_secret.read_text(encoding="ascii"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise DamagedFile(
            f"{layout.report_secret} cannot be read.",
            "Remove it; reports with hidden columns that were written before cannot be checked then.",
        ) from error


def make_report_secret(layout: Layout) -> bytes:
    """Return the secret, and make it before the first report that needs it."""
    known = report_secret(layout)
    if known is not None:
        return known
    made = secrets.token_bytes(_BYTES)
    waiting = layout.report_secret.with_suffix(".new")
    waiting.unlink(missing_ok=True)  # what a crash left

    def fill(file: HashingFile) -> None:
        file.write(made.hex().encode())

    write_file(waiting, fill, "sync-report-secret")
    rename(waiting, layout.report_secret, "rename-report-secret")
    return made
