"""Writes Iceberg tables byte by byte as their specification says, with what pyiceberg reads but does not write."""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import fastavro
import pyarrow as pa
import pyarrow.parquet as pq

DATA, POSITIONS, VALUES = 0, 1, 2


def field(name: str, kind: Any, number: int) -> dict[str, Any]:  # noqa: ANN401
    return {"name": name, "type": kind, "field-id": number}


def optional(name: str, kind: Any, number: int) -> dict[str, Any]:  # noqa: ANN401
    return {"name": name, "type": ["null", kind], "default": None, "field-id": number}


DATA_FILE = {
    "type": "record",
    "name": "r2",
    "fields": [
        field("content", "int", 134),
        field("file_path", "string", 100),
        field("file_format", "string", 101),
        field("partition", {"type": "record", "name": "r102", "fields": []}, 102),
        field("record_count", "long", 103),
        field("file_size_in_bytes", "long", 104),
        optional("key_metadata", "bytes", 131),
        optional("equality_ids", {"type": "array", "items": "int", "element-id": 136}, 135),
        optional("first_row_id", "long", 142),
        optional("referenced_data_file", "string", 143),
        optional("content_offset", "long", 144),
        optional("content_size_in_bytes", "long", 145),
    ],
}
ENTRY = {
    "type": "record",
    "name": "manifest_entry",
    "fields": [
        field("status", "int", 0),
        optional("snapshot_id", "long", 1),
        optional("sequence_number", "long", 3),
        optional("file_sequence_number", "long", 4),
        field("data_file", DATA_FILE, 2),
    ],
}
LIST = {
    "type": "record",
    "name": "manifest_file",
    "fields": [
        field("manifest_path", "string", 500),
        field("manifest_length", "long", 501),
        field("partition_spec_id", "int", 502),
        field("content", "int", 517),
        field("sequence_number", "long", 515),
        field("min_sequence_number", "long", 516),
        field("added_snapshot_id", "long", 503),
        field("added_files_count", "int", 504),
        field("existing_files_count", "int", 505),
        field("deleted_files_count", "int", 506),
        field("added_rows_count", "long", 512),
        field("existing_rows_count", "long", 513),
        field("deleted_rows_count", "long", 514),
        optional("first_row_id", "long", 520),
    ],
}


class IcebergWriter:
    """A table of format 2 or 3 in a folder. Every commit adds files to those of the commit before."""

    def __init__(self, folder: Path, columns: Mapping[str, str], version: int = 2) -> None:
        self.folder, self.version = folder, version
        self.columns = {name: (n + 1, kind) for n, (name, kind) in enumerate(columns.items())}
        self.snapshots: list[dict[str, Any]] = []
        self.entries: list[dict[str, Any]] = []
        self.next_row_id = 0
        (folder / "metadata").mkdir(parents=True)
        (folder / "data").mkdir()

    def address(self, name: str) -> str:
        return f"file://{self.folder}/data/{name}"

    def rows(self, name: str, table: pa.Table, numbers: Mapping[str, int] | None = None) -> dict[str, Any]:
        """Write rows and return them as a data file."""
        known = numbers or {each: number for each, (number, _) in self.columns.items()}
        metadata = [each.with_metadata({"PARQUET:field_id": str(known[each.name])}) for each in table.schema]
        path = self.folder / "data" / name
        pq.write_table(table.cast(pa.schema(metadata)), path)
        return self._file(name, "PARQUET", table.num_rows)

    def positions(self, name: str, deleted: Sequence[tuple[str, int]]) -> dict[str, Any]:
        files, places = [self.address(file) for file, _ in deleted], [place for _, place in deleted]
        table = pa.table({"file_path": files, "pos": pa.array(places, pa.int64())})
        return self.rows(name, table, {"file_path": 2147483546, "pos": 2147483545}) | {"content": POSITIONS}

    def values(self, name: str, table: pa.Table) -> dict[str, Any]:
        numbers = [self.columns[each][0] for each in table.column_names]
        return self.rows(name, table) | {"content": VALUES, "equality_ids": numbers}

    def vector(self, name: str, file: str, positions: Sequence[int]) -> dict[str, Any]:
        """Write a deletion vector: a Roaring bitmap for each 2**32 positions."""
        by_key = {key: [p & 0xFFFFFFFF for p in positions if p >> 32 == key] for key in {p >> 32 for p in positions}}
        bitmaps = b"".join(struct.pack("<I", key) + bitmap(some) for key, some in sorted(by_key.items()))
        body = bytes.fromhex("D1D33964") + struct.pack("<Q", len(by_key)) + bitmaps
        blob = struct.pack(">I", len(body)) + body + b"\0\0\0\0"
        about = {"referenced-data-file": self.address(file), "cardinality": str(len(positions))}
        blobs = [
            {
                "type": "deletion-vector-v1", "fields": [], "snapshot-id": -1, "sequence-number": -1, "offset": 4,
                "length": len(blob), "properties": about,
            }
        ]  # fmt: skip
        footer = json.dumps({"blobs": blobs}).encode()
        end = struct.pack("<i", len(footer)) + bytes(4) + b"PFA1"
        (self.folder / "data" / name).write_bytes(b"PFA1" + blob + b"PFA1" + footer + end)
        vector = {"content_offset": 4, "content_size_in_bytes": len(blob), "referenced_data_file": self.address(file)}
        return self._file(name, "PUFFIN", len(positions)) | {"content": POSITIONS} | vector

    def _file(self, name: str, form: str, rows: int) -> dict[str, Any]:
        size = (self.folder / "data" / name).stat().st_size
        return {
            "content": DATA, "file_path": self.address(name), "file_format": form, "partition": {},
            "record_count": rows, "file_size_in_bytes": size,
        }  # fmt: skip

    def commit(self, *added: Mapping[str, Any], without: Sequence[str] = ()) -> int:
        """Add files in a new snapshot, without those of the old ones that are named. Return its id."""
        sequence = len(self.snapshots) + 1
        snapshot = 1000 + sequence
        gone = {self.address(name) for name in without}
        kept = [each for each in self.entries if each["data_file"]["file_path"] not in gone]
        new: list[dict[str, Any]]
        new = [{"status": 1, "snapshot_id": snapshot, "data_file": dict(each)} for each in added]
        first, manifests = self.next_row_id, []
        for content in (0, 1):
            mine = [each for each in new if (each["data_file"]["content"] > 0) == bool(content)]
            olds = [each for each in kept if (each["data_file"]["content"] > 0) == bool(content)]
            for name, some in (("new", mine), ("old", olds)):
                if some:
                    manifests.append(self._manifest(f"{sequence}-{content}-{name}.avro", some, content, sequence))
        path = self.folder / "metadata" / f"snap-{sequence}.avro"
        with path.open("wb") as file:
            fastavro.writer(file, fastavro.parse_schema(LIST), manifests)
        for each in new:
            row_id = self._row_id(each["data_file"])
            kept.append({**each, "status": 0, "sequence_number": sequence, "file_sequence_number": sequence})
            kept[-1]["data_file"] = {**each["data_file"], "first_row_id": row_id}
        self.entries = kept
        self.snapshots.append(
            {
                "snapshot-id": snapshot, "sequence-number": sequence, "timestamp-ms": 1_700_000_000_000 + sequence,
                "manifest-list": f"file://{path}", "summary": {"operation": "append"}, "schema-id": 0,
                **({"parent-snapshot-id": snapshot - 1} if self.snapshots else {}),
                **({"first-row-id": first, "added-rows": self.next_row_id - first} if self.version > 2 else {}),
            }
        )  # fmt: skip
        self._write_metadata()
        return snapshot

    def _row_id(self, file: Mapping[str, Any]) -> int | None:
        if self.version < 3 or file["content"] != DATA:
            return None
        first = self.next_row_id
        self.next_row_id += file["record_count"]
        return first

    def _manifest(self, name: str, entries: Sequence[Mapping[str, Any]], content: int, sequence: int) -> dict[str, Any]:
        path = self.folder / "metadata" / name
        with path.open("wb") as file:
            fastavro.writer(file, fastavro.parse_schema(ENTRY), entries)
        inherits = self.version > 2 and content == 0
        return {
            "manifest_path": f"file://{path}", "manifest_length": path.stat().st_size, "partition_spec_id": 0,
            "content": content, "sequence_number": sequence, "min_sequence_number": 1,
            "added_snapshot_id": 1000 + sequence, "added_files_count": 0, "existing_files_count": 0,
            "deleted_files_count": 0, "added_rows_count": 0, "existing_rows_count": 0, "deleted_rows_count": 0,
            "first_row_id": self.next_row_id if inherits else None,
        }  # fmt: skip

    def _write_metadata(self) -> None:
        fields = [
            {"id": number, "name": name, "required": False, "type": kind}
            for name, (number, kind) in self.columns.items()
        ]
        current = self.snapshots[-1]["snapshot-id"]
        document = {
            "format-version": self.version,
            "table-uuid": "9c12d441-03fe-4693-9a96-a0705ddf69c1",
            "location": f"file://{self.folder}",
            "last-sequence-number": len(self.snapshots),
            "last-updated-ms": self.snapshots[-1]["timestamp-ms"],
            "last-column-id": len(fields),
            "current-schema-id": 0,
            "schemas": [{"type": "struct", "schema-id": 0, "fields": fields}],
            "default-spec-id": 0,
            "partition-specs": [{"spec-id": 0, "fields": []}],
            "last-partition-id": 999,
            "default-sort-order-id": 0,
            "sort-orders": [{"order-id": 0, "fields": []}],
            "snapshots": self.snapshots,
            "current-snapshot-id": current,
            "snapshot-log": [
                {"snapshot-id": each["snapshot-id"], "timestamp-ms": each["timestamp-ms"]} for each in self.snapshots
            ],
            "refs": {"main": {"snapshot-id": current, "type": "branch"}},
            **({"next-row-id": self.next_row_id} if self.version > 2 else {}),
        }
        number = len(self.snapshots)
        (self.folder / "metadata" / f"v{number}.metadata.json").write_text(json.dumps(document))
        (self.folder / "metadata" / "version-hint.text").write_text(str(number))


def bitmap(numbers: Sequence[int]) -> bytes:
    """Return numbers below 65536 as a Roaring bitmap of one array container."""
    assert max(numbers) < 65536
    return struct.pack("<IIHHI", 12346, 1, 0, len(numbers) - 1, 16) + struct.pack(f"<{len(numbers)}H", *sorted(numbers))
