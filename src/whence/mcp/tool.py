"""`Tool`: one question that agents ask, with the form of its arguments and the function that answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from whence.mcp.answer import Answer
from whence.mcp.context import ToolContext
from whence.model.errors import UserError


class Arguments(BaseModel):
    """The arguments of a tool. An unknown one is an error, as a typing mistake would otherwise change the question."""

    model_config = ConfigDict(extra="forbid")


class Pageable(Arguments):
    """Arguments of a tool whose answer may have several pages."""

    more: int = Field(
        default=0, ge=0, description="From which entry on; an answer that was cut says which number to give."
    )


Asked = TypeVar("Asked", bound=Arguments)


@dataclass(frozen=True)
class Tool(Generic[Asked]):
    """A tool: its name and title, its arguments, what it answers, and whether it changes the workspace."""

    name: str
    title: str
    arguments: type[Asked]
    run: Callable[[ToolContext, Asked], Answer]
    changes: bool = False
    output: type[BaseModel] | None = None
    """The shape of the answer as data, if it has one."""

    @property
    def description(self) -> str:
        """What an agent reads to choose the tool: the docstring of its function."""
        return " ".join((self.run.__doc__ or "").split())

    def answer(self, context: ToolContext, given: Mapping[str, object]) -> Answer:
        """Check the arguments and answer. Raise a user error with one sentence if they do not fit."""
        try:
            asked = self.arguments.model_validate(given)
        except ValidationError as error:
            raise UserError(_complaint(self.name, error)) from error
        return self.run(context, asked)


def _complaint(tool: str, error: ValidationError) -> str:
    """Return what is wrong with the first argument that does not fit."""
    first = error.errors(include_url=False, include_input=False)[0]
    place, message = ".".join(str(part) for part in first["loc"]), first["msg"]
    return f"{tool} cannot use these arguments: {place}: {message}." if place else f"{tool}: {message}."
