"""Routes that show what forgetting rows would reach, and forget them."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

from whence.model.errors import UserError
from whence.server.access import access
from whence.server.routers import new_router
from whence.server.wiring import WholeWorkspace
from whence.store.certificate_page import certificate_page
from whence.wire.forgetting import AskForgetting, AskForgettingPlan, CertificateView, ForgettingPlanView

if TYPE_CHECKING:
    from whence.workspace.forgetting.reach import ForgettingPlan

router = new_router()


@router.post("/api/datasets/{name:path}/forget/plan")
@access("session")
def plan_forgetting(workspace: WholeWorkspace, name: str, asked: AskForgettingPlan) -> ForgettingPlanView:
    """Return what forgetting the rows for which a condition holds would do. Nothing happens yet."""
    return _view(workspace.plan_forgetting(name, asked.where))


@router.post("/api/datasets/{name:path}/forget")
@access("session")
def forget_rows(workspace: WholeWorkspace, name: str, asked: AskForgetting) -> CertificateView:
    """Forget the rows for which a condition holds, for good, if the plan is still the one that was shown."""
    if asked.confirmation.strip() != name:
        raise UserError(f"The confirmation is not the name {name}.", "Type the name of the dataset as it is.")
    if _view(workspace.plan_forgetting(name, asked.where)).plan != asked.plan:
        raise UserError("The workspace has changed since the plan was shown.", "Look at the new plan first.")
    certificate = workspace.forget(name, where=asked.where, delete_unrepeatable=asked.delete_unrepeatable)
    return CertificateView(certificate=certificate.to_json(), key=certificate.key, page=certificate_page(certificate))


def _view(plan: ForgettingPlan) -> ForgettingPlanView:
    state = [plan.to_json(), [record.id for record in plan.versions], [each.rows.tolist() for each in plan.matching]]
    return ForgettingPlanView(
        plan=hashlib.sha256(json.dumps(state).encode()).hexdigest(),
        dataset=plan.dataset,
        rows=plan.rows,
        made_again=[record.label for record in plan.made_again],
        deleted={record.label: why for record, why in plan.deleted},
        out_of_reach=list(plan.out_of_reach),
    )
