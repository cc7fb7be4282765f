"""Makes names of files to hand out from names that users give."""

from __future__ import annotations

import re


def file_name(name: str, otherwise: str) -> str:
    """Return a name without what a file's name cannot hold.

    >>> file_name("prices: May/June", "dataset"), file_name("..", "dataset")
    ('prices_ May_June', 'dataset')
    """
    return re.sub(r'[\x00-\x1f/\\:*?"<>|]+', "_", name).strip(" .")[:100] or otherwise
