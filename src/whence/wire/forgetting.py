"""Request and response models about forgetting rows."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, Field

LONGEST_CONDITION = 10_000


class AskForgettingPlan(BaseModel):
    """A SQL condition. The rows for which it holds are to be forgotten."""

    where: str = Field(min_length=1, max_length=LONGEST_CONDITION)


class ForgettingPlanView(BaseModel):
    """What forgetting rows would reach; `plan` names this state of the workspace.

    `rows` counts the rows that go from each version; `deleted` says of each version why it cannot be made again.
    """

    plan: str
    dataset: str
    rows: dict[str, int]
    made_again: list[str]
    deleted: dict[str, str]
    out_of_reach: list[str]


class AskForgetting(BaseModel):
    """The condition, the plan that its author has seen, and the name of the dataset, typed as a confirmation.

    `delete_unrepeatable` deletes results whose steps fail without the rows; else such a result ends the forgetting.
    """

    where: str = Field(min_length=1, max_length=LONGEST_CONDITION)
    plan: str = Field(min_length=1, max_length=100)
    confirmation: str = Field(max_length=500)
    delete_unrepeatable: bool = False


class CertificateView(BaseModel):
    """The certificate of forgotten rows, as data and as a page; the key is in this answer and kept nowhere."""

    certificate: dict[str, Any]
    key: str
    page: str
