"""Fills the placeholders of a query: `{name}` stands for rows or a dataset that the caller passes under that name."""

from __future__ import annotations

import re
from collections.abc import Mapping

from whence.engine.engine import Engine
from whence.model.errors import UserError
from whence.workspace.dataset import Dataset
from whence.workspace.rows import Rows


def fill_placeholders(engine: Engine, text: str, values: Mapping[str, object]) -> str:
    """Return the query with the name of a Spark view in place of each placeholder. Every other brace is text."""
    for key, value in values.items():
        text = re.sub(r"\{" + re.escape(key) + r"\}", _make_view(engine, key, value), text)
    return text


def _make_view(engine: Engine, key: str, value: object) -> str:
    if not isinstance(value, Rows | Dataset):
        raise UserError(f"{{{key}}} takes a dataset or rows, not {type(value).__name__}.")
    view = f"__whence_{key}"
    engine.name(view, value.df)
    return view
