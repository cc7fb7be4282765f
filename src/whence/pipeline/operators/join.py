"""Add columns of another dataset."""

from __future__ import annotations

from collections.abc import Sequence

from whence.model.errors import UserError
from whence.model.schema import unique_names
from whence.pipeline.applied import Applied, Output, Whole
from whence.pipeline.given import Given, listed
from whence.pipeline.operator import Operator
from whence.pipeline.template import Read, Template
from whence.plan.sql_text import quoted

_HOW = {"inner": "inner", "left": "left outer", "right": "right outer", "full": "full outer"}


class Join(Operator):
    """Rows are put together with the rows of another dataset that are equal in the columns `on`; `how` is inner, left,
    right or full. A row with one match stays the same record, further matches are new ones."""

    name = "join"
    title = "Join"
    core = "join"
    provenance = "cells are copies of the row's own and of the matching row's; the keys were joined"

    def apply(self, given: Given, other: object, on: str | Sequence[str], how: str = "inner") -> Applied:
        record = given.find_dataset(other)
        if how not in _HOW:
            raise UserError(f"join does not know how={how}.", f"Use {', '.join(_HOW)}.")
        keys = [column.name for column in given.columns(on)]
        for key in keys:
            if record.schema.position(key) is None:
                raise UserError(f"{record.label} has no column {key} to join on.")
        theirs = [field.name for field in record.schema if field.name not in keys]
        names = unique_names([*given.schema.names, *theirs])
        new = names[len(given.schema) :]
        own = [
            f"{_key(name, how)} as {quoted(name)}" if name in keys else f"l.{quoted(name)}"
            for name in given.schema.names
        ]
        taken = [f"r.{quoted(name)} as {quoted(as_)}" for name, as_ in zip(theirs, new, strict=True)]
        condition = " and ".join(f"l.{quoted(key)} = r.{quoted(key)}" for key in keys)
        query = f"select {', '.join([*own, *taken])} from {{given}} l {_HOW[how]} join {{other0}} r on {condition}"
        joined = tuple(Read(key, "joined") for key in keys)
        templates = [
            Template((Read(name, "copied", 1), *joined), (as_,)) for name, as_ in zip(theirs, new, strict=True)
        ]
        if how in ("right", "full"):
            templates += [Template((Read(key, "copied"), Read(key, "copied", 1)), (key,)) for key in keys]
        outputs = tuple(Output(name, "") for name in names)
        return Applied(
            f"Joined {record.label} on {listed(keys)} ({how}).",
            outputs,
            tuple(templates),
            whole=Whole(query, (record,), drops=f"no row of {record.label} is equal in {listed(keys)}"),
        )


def _key(name: str, how: str) -> str:
    sides = {"right": f"r.{quoted(name)}", "full": f"coalesce(l.{quoted(name)}, r.{quoted(name)})"}
    return sides.get(how, f"l.{quoted(name)}")
