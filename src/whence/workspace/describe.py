"""`ds.describe()`: the stored profiles in the form of pandas' `describe(include="all")`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from whence.model.lazy_module import LazyModule
from whence.store.profile import Profile

if TYPE_CHECKING:
    import pandas as pd
else:
    pd = LazyModule("pandas")

_QUARTERS = {0.25: "25%", 0.5: "50%", 0.75: "75%"}
_ORDER = ("count", "unique", "top", "freq", "mean", "std", "min", *_QUARTERS.values(), "max")


def describe_profiles(profiles: Iterable[Profile]) -> pd.DataFrame:
    """Return a frame with a column for each profile. A figure that a column does not have is NaN."""
    columns = {profile.column: _figures(profile) for profile in profiles}
    shown = [figure for figure in _ORDER if any(figure in figures for figures in columns.values())]
    return pd.DataFrame(
        {column: pd.Series([figures.get(each, np.nan) for each in shown], shown) for column, figures in columns.items()}
    )


def _figures(profile: Profile) -> dict[str, object]:
    figures: dict[str, object] = {"count": profile.count - profile.nulls - profile.nans}
    # As in pandas: numbers have a mean, dates only quantiles, and everything else a most frequent value.
    if profile.mean is not None:
        figures |= {"mean": profile.mean, "std": profile.std}
    elif profile.distinct is not None and not profile.quantiles:
        figures |= {"unique": profile.distinct} | _most_frequent(profile)
    if profile.quantiles:
        quarters = {_QUARTERS[share]: value for share, value in profile.quantiles if share in _QUARTERS}
        figures |= {"min": profile.min, "max": profile.max} | quarters
    return {name: np.nan if value is None else value for name, value in figures.items()}


def _most_frequent(profile: Profile) -> dict[str, object]:
    values = [(value, count) for value, count in profile.top if value is not None]
    return {"top": values[0][0], "freq": values[0][1]} if values else {}
