"""Every lens: one line each."""

from __future__ import annotations

from whence.cleaning.lens import Lens
from whence.cleaning.lenses.impute import Impute

LENSES: dict[str, Lens] = {
    lens.name: lens
    for lens in (
        Impute(),
    )
}  # fmt: skip
