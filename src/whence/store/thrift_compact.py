"""Thrift's compact protocol, as far as Parquet's footers use it: bytes to fields and back, whatever they mean.

https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

_STOP = 0
TRUE, FALSE, BYTE, I16, I32, I64, DOUBLE, BINARY, LIST, SET, MAP, STRUCT = range(1, 13)
_LONG_LIST = 15
"""A list of as many elements or more states its length in bytes of its own."""


@dataclass
class ThriftList:
    """A list: the type of its elements, and the elements."""

    kind: int
    items: list[Any]


@dataclass
class ThriftStruct:
    """A struct: type and value of each field that is set, by field number."""

    fields: dict[int, tuple[int, Any]]

    def __getitem__(self, number: int) -> Any:  # noqa: ANN401 - a number, bytes, a list or a struct
        return self.fields[number][1]

    def get(self, number: int) -> Any:  # noqa: ANN401 - as above
        """Return the value of a field, or None if it is not set."""
        return self.fields[number][1] if number in self.fields else None

    def put(self, number: int, value: Any) -> None:  # noqa: ANN401 - as above
        """Change the value of a field that is set."""
        self.fields[number] = self.fields[number][0], value

    def without(self, *numbers: int) -> ThriftStruct:
        """Return the struct without these fields."""
        return ThriftStruct({each: field for each, field in self.fields.items() if each not in numbers})


def parse_struct(data: bytes) -> ThriftStruct:
    """Return the struct that these bytes hold.

    >>> parse_struct(bytes([0x15, 0x02, 0x18, 0x01, 0x61, 0x00])).fields
    {1: (5, 1), 2: (8, b'a')}
    """
    return _Reader(data).struct()


def struct_bytes(struct: ThriftStruct) -> bytes:
    """Return the bytes of a struct.

    >>> struct_bytes(ThriftStruct({1: (I32, 1), 2: (BINARY, b"a")})).hex()
    '150218016100'
    """
    writer = _Writer()
    writer.struct(struct)
    return bytes(writer.data)


class _Reader:
    """Reads values one after the other."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._place = 0

    def struct(self) -> ThriftStruct:
        fields: dict[int, tuple[int, Any]] = {}
        number = 0
        while (head := self._byte()) != _STOP:
            kind, step = head & 0x0F, head >> 4
            number = number + step if step else self._signed()
            fields[number] = kind, self._value(kind)
        return ThriftStruct(fields)

    def _value(self, kind: int, *, in_list: bool = False) -> Any:  # noqa: ANN401 - what the kind says
        if kind in (TRUE, FALSE):  # a field says it in its type; an element is a byte
            return self._byte() == TRUE if in_list else kind == TRUE
        if kind == BYTE:
            return self._byte()
        if kind in (I16, I32, I64):
            return self._signed()
        if kind == DOUBLE:
            return self._bytes(8)
        if kind == BINARY:
            return self._bytes(self._unsigned())
        if kind in (LIST, SET):
            return self._list()
        if kind == STRUCT:
            return self.struct()
        raise ValueError(f"Parquet's footers have no values of Thrift's type {kind}.")

    def _list(self) -> ThriftList:
        head = self._byte()
        count = head >> 4 if head >> 4 != _LONG_LIST else self._unsigned()
        return ThriftList(head & 0x0F, [self._value(head & 0x0F, in_list=True) for _ in range(count)])

    def _byte(self) -> int:
        self._place += 1
        return self._data[self._place - 1]

    def _bytes(self, count: int) -> bytes:
        self._place += count
        return self._data[self._place - count : self._place]

    def _unsigned(self) -> int:
        number = shift = 0
        while (byte := self._byte()) & 0x80:
            number |= (byte & 0x7F) << shift
            shift += 7
        return number | byte << shift

    def _signed(self) -> int:
        number = self._unsigned()
        return number >> 1 ^ -(number & 1)


class _Writer:
    """Appends values one after the other to `data`."""

    def __init__(self) -> None:
        self.data = bytearray()

    def struct(self, struct: ThriftStruct) -> None:
        before = 0
        for number in sorted(struct.fields):
            kind, value = struct.fields[number]
            step = number - before
            head = kind if kind not in (TRUE, FALSE) else TRUE if value else FALSE
            if 0 < step < 16:
                self.data.append(step << 4 | head)
            else:
                self.data.append(head)
                self._signed(number)
            if kind not in (TRUE, FALSE):
                self._value(kind, value)
            before = number
        self.data.append(_STOP)

    def _value(self, kind: int, value: Any) -> None:  # noqa: ANN401 - what the kind says
        if kind in (I16, I32, I64):
            self._signed(value)
        elif kind == BINARY:
            self._unsigned(len(value))
            self.data += value
        elif kind == STRUCT:
            self.struct(value)
        elif kind in (LIST, SET):
            self._list(value)
        elif kind in (TRUE, FALSE):
            self.data.append(TRUE if value else FALSE)
        elif kind == BYTE:
            self.data.append(value)
        else:
            self.data += value

    def _list(self, value: ThriftList) -> None:
        count = len(value.items)
        is_long = count >= _LONG_LIST
        self.data.append((_LONG_LIST if is_long else count) << 4 | value.kind)
        if is_long:
            self._unsigned(count)
        for item in value.items:
            self._value(value.kind, item)

    def _unsigned(self, number: int) -> None:
        while number > 0x7F:
            self.data.append(number & 0x7F | 0x80)
            number >>= 7
        self.data.append(number)

    def _signed(self, number: int) -> None:
        self._unsigned(number << 1 if number >= 0 else (-number << 1) - 1)
