"""The route that suggests checks of a dataset."""

from __future__ import annotations

from typing import TYPE_CHECKING

from whence.model.lazy_module import LazyModule
from whence.server.access import access
from whence.server.routers import new_router
from whence.server.wiring import WholeWorkspace, find
from whence.wire.datasets import SuggestedChecks

# Loaded on first use: the contract of the API is made without Spark.
if TYPE_CHECKING:
    import whence.checks.form as check_form
else:
    check_form = LazyModule("whence.checks.form")

router = new_router()


@router.get("/api/datasets/{name:path}/checks")
@access("session")
def suggest_checks(workspace: WholeWorkspace, name: str) -> SuggestedChecks:
    """Checks that hold for every row now, as the values of an `expect` cell; found without Spark."""
    checks = workspace.suggest_checks(find(workspace, name, None))
    return SuggestedChecks(values=check_form.as_fields(checks))
