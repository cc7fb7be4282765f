"""The profile of a column, such as its counts, quantiles and histogram, and its file format."""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path

from whence.model.errors import DamagedFile
from whence.store.durable import writing
from whence.store.histogram import Histogram
from whence.store.plain import from_json, to_json


@dataclass(frozen=True)
class Profile:
    """The profile of one column of a dataset version.

    NaN is a value for `distinct` and `top`, and is left out of everything else. `mean`, `std` and `histogram` are of
    finite numbers. `distinct_error` is the standard error of `distinct` as a share of it. `quantile_error` is how far
    the share of rows below a quantile may be off. `top_error` is the most by which a count of `top` may be too low.
    Each error is 0 where the figures are exact.
    """

    column: str
    type: str
    count: int
    nulls: int
    nans: int = 0
    infinite: int = 0
    distinct: int | None = None
    distinct_error: float = 0.0
    min: object = None
    max: object = None
    mean: float | None = None
    std: float | None = None
    quantiles: tuple[tuple[float, object], ...] = ()
    quantile_error: float = 0.0
    top: tuple[tuple[object, int], ...] = ()
    top_error: int = 0
    histogram: Histogram | None = None


def write_profile(path: Path, profile: Profile) -> None:
    """Write a profile. The file appears when it is complete, and is not synced, because it can be computed again."""
    content = asdict(profile)
    for name in ("min", "max"):
        content[name] = to_json(content[name])
    content["quantiles"] = [[share, to_json(value)] for share, value in profile.quantiles]
    content["top"] = [[to_json(value), count] for value, count in profile.top]
    if profile.histogram is not None:
        content["histogram"]["edges"] = [to_json(edge) for edge in profile.histogram.edges]
    data = json.dumps(content).encode()
    waiting = path.with_name(f"{path.name}.{os.urandom(4).hex()}")
    with writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            waiting.write_bytes(hashlib.sha256(data).hexdigest().encode() + b"\n" + data)
            waiting.replace(path)
        finally:
            waiting.unlink(missing_ok=True)


def read_profile(path: Path) -> Profile:
    """Read a profile. Raise `DamagedFile` if its bytes are not those that were written."""
    try:
        checksum, _, data = path.read_bytes().partition(b"\n")
    except OSError as error:
        raise DamagedFile(f"The file {path} cannot be read: {error.strerror}.") from error
    if hashlib.sha256(data).hexdigest().encode() != checksum:
        raise DamagedFile(f"The file {path} is not what was written.", "Delete it; it is made again.")
    content = json.loads(data)
    for name in ("min", "max"):
        content[name] = from_json(content[name])
    content["quantiles"] = tuple((share, from_json(value)) for share, value in content["quantiles"])
    content["top"] = tuple((from_json(value), count) for value, count in content["top"])
    bins = content["histogram"]
    if bins is not None:
        content["histogram"] = Histogram(tuple(from_json(edge) for edge in bins["edges"]), tuple(bins["counts"]))
    return Profile(**content)
