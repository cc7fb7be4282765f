"""Finds the current metadata file of an Iceberg table: in its folder, or by asking a catalog."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

from whence.loading.iceberg_package import iceberg_package
from whence.model.errors import BadInput, WhenceError

if TYPE_CHECKING:
    from pyiceberg.catalog import Catalog
    from pyiceberg.table.metadata import TableMetadata

FOLDER = "metadata"
SUFFIX = ".metadata.json"
HINT = "version-hint.text"
SCHEME = "iceberg://"
_ADDRESS = re.compile(r"iceberg://(?P<catalog>[^/]+)/(?P<table>[^/]+\.[^/]+)")
_NUMBER = re.compile(r"v?(?P<number>\d+)(-[^.]*)?(\.gz)?\.metadata\.json(\.gz)?")


@dataclass(frozen=True)
class CatalogTable:
    """A table that a catalog of the package's configuration knows."""

    catalog: str
    name: str

    def open_catalog(self) -> Catalog:
        """Connect to the catalog as the user's configuration of the package says."""
        config = iceberg_package("utils.config").Config()
        if config.get_catalog_config(self.catalog) is None:
            raise BadInput(
                f"There is no Iceberg catalog {self.catalog}.", "Name it in ~/.pyiceberg.yaml or in the environment."
            )
        try:
            return iceberg_package("catalog").load_catalog(self.catalog, **config.get_catalog_config(self.catalog))
        # A driver of a catalog may raise anything.
        except Exception as error:
            raise _of_catalog(self.catalog, error) from error


def _of_catalog(name: str, error: Exception) -> WhenceError:
    if isinstance(error, WhenceError):
        return error
    return BadInput(f"The Iceberg catalog {name} cannot be reached: {first_line(error)}.")


def first_line(error: Exception) -> str:
    """Return the first line of a message, without the full stop."""
    return (str(error).strip() or type(error).__name__).split("\n", 1)[0].rstrip(".")


def is_iceberg_address(place: str) -> bool:
    """Whether a place names a table in a catalog."""
    return place.startswith(SCHEME)


def table_name(place: str) -> str | None:
    """Return the name of the table that an address or the path of a metadata file names, or None if it is neither.

    >>> table_name("iceberg://prod/shop.orders"), table_name("tables/orders/metadata/v3.metadata.json")
    ('shop.orders', 'orders')
    """
    if is_iceberg_address(place):
        return parse_address(place).name
    path = Path(place)
    return path.parent.parent.name if path.parent.name == FOLDER and _NUMBER.fullmatch(path.name) else None


def parse_address(address: str) -> CatalogTable:
    """Return what an address names.

    >>> parse_address("iceberg://prod/shop.orders")
    CatalogTable(catalog='prod', name='shop.orders')
    """
    found = _ADDRESS.fullmatch(address)
    if found is None:
        raise BadInput(f"{address} names no Iceberg table.", "For example: iceberg://prod/shop.orders.")
    return CatalogTable(unquote(found["catalog"]), unquote(found["table"]))


def metadata_in_catalog(address: str) -> Path:
    """Return the metadata file that a catalog names as the current one of a table."""
    wanted = parse_address(address)
    catalog = wanted.open_catalog()
    try:
        location = catalog.load_table(wanted.name).metadata_location
    except iceberg_package("exceptions").NoSuchTableError as error:
        raise BadInput(f"The Iceberg catalog {wanted.catalog} has no table {wanted.name}.") from error
    except Exception as error:
        raise _of_catalog(wanted.catalog, error) from error
    return file_of_address(location, f"The Iceberg table {wanted.name}")


def file_of_address(address: str, table: str) -> Path:
    """Return the path of a file that a table names. Addresses of Iceberg are written as they are, without escapes.

    >>> file_of_address("file:/tables/a b.parquet", "The table")
    PosixPath('/tables/a b.parquet')
    """
    scheme, colon, rest = address.partition(":")
    if colon and scheme.isalnum() and scheme != "file":
        raise BadInput(f"{table} has a file {address}, which is not on this machine.", "Copy the table.")
    return Path("/" + rest.lstrip("/")) if colon and scheme == "file" else Path(address)


def is_iceberg_table(path: Path) -> bool:
    """Whether a path is a folder of an Iceberg table or one of its metadata files."""
    if path.is_dir():
        return next(metadata_files(path), None) is not None
    return path.parent.name == FOLDER and _NUMBER.fullmatch(path.name) is not None and path.is_file()


def metadata_files(folder: Path) -> Iterator[Path]:
    """Yield the metadata files of a table's folder."""
    inner = folder / FOLDER
    return (each for each in inner.iterdir() if _NUMBER.fullmatch(each.name)) if inner.is_dir() else iter(())


def current_metadata(path: Path) -> Path:
    """Return a metadata file: the path itself, the one that the hint in a folder names, or the one of most commits."""
    if path.is_file():
        return path
    hint = path / FOLDER / HINT
    if hint.is_file():
        return _hinted(path, hint.read_text(encoding="utf-8").strip())
    files = sorted(metadata_files(path), key=lambda each: each.name)
    highest = max(map(metadata_number, files))
    found = [each for each in files if metadata_number(each) == highest]
    if len(found) > 1:
        raise BadInput(
            f"The Iceberg table {path} has {len(found)} metadata files of the number {highest}, and only its catalog "
            "knows which is current.",
            f"Name one of them, such as {found[0]}, or the table in its catalog, such as iceberg://prod/shop.orders.",
        )
    return found[0]


def _hinted(path: Path, hint: str) -> Path:
    for name in (hint, f"v{hint}{SUFFIX}", f"{hint}{SUFFIX}", f"v{hint}.gz{SUFFIX}"):
        if _NUMBER.fullmatch(name) and (path / FOLDER / name).is_file():
            return path / FOLDER / name
    raise BadInput(f"The Iceberg table {path} says that its version is {hint!r}, which is not there.", "Copy it again.")


def metadata_number(file: Path) -> int:
    """Return the number in the name of a metadata file, which grows by one with each commit."""
    found = _NUMBER.fullmatch(file.name)
    assert found
    return int(found["number"])


def read_metadata(file: Path) -> TableMetadata:
    """Read a metadata file."""
    try:
        data = file.read_bytes()
        text = (gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data).decode()
        return iceberg_package("table.metadata").TableMetadataUtil.parse_raw(text)
    except WhenceError:
        raise
    # The package raises errors of several libraries for what it does not know.
    except Exception as error:
        raise BadInput(f"The Iceberg metadata {file} cannot be read: {first_line(error)}.") from error
