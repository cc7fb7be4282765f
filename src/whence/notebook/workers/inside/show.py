"""`display` for user code, and the same under the names by which libraries look for it."""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from types import ModuleType
from typing import Any

from whence.notebook.workers.inside.mimebundle import Bundle, figure_png, mimebundle
from whence.notebook.workers.inside.streams import Output


class Display:
    """Sends objects to the notebook."""

    def __init__(self, output: Output) -> None:
        self._output = output

    def __call__(self, *values: object, raw: bool = False, **_: object) -> None:
        """Show objects; with `raw` they are mime bundles already."""
        for value in values:
            self.bundle(value if raw and isinstance(value, dict) else mimebundle(value))

    def bundle(self, bundle: Bundle) -> None:
        """Show what has these forms; those too large for the notebook are left out."""
        size = len(json.dumps(bundle, default=str))
        if not self._output.display({"t": "display", "data": bundle}, size):
            plain = str(bundle.get("text/plain", ""))[:200]
            self._output.text("stderr", f"An output of {size:,} bytes is more than a cell may show: {plain}\n")

    def figures(self) -> None:
        """Show matplotlib's open figures and close them."""
        pyplot: Any = sys.modules.get("matplotlib.pyplot")
        if pyplot is None:
            return
        for number in pyplot.get_fignums():
            figure = pyplot.figure(number)
            self.bundle({"text/plain": repr(figure), "image/png": figure_png(figure)})
        pyplot.close("all")


class AfterImport(importlib.abc.MetaPathFinder):
    """Changes modules as they are imported: `IPython.display.display` and `plt.show()` reach the notebook.

    `changes` are others, by the name of the module.
    """

    def __init__(self, display: Display, changes: Mapping[str, Callable[[Any], None]]) -> None:
        self._changes: dict[str, Callable[[Any], None]] = {
            **changes,
            "IPython.core.display_functions": lambda module: _publish_with(module, display),
            # By default it sends a page that fetches its scripts from the network; a notebook has its own.
            "altair": lambda module: module.renderers.enable("mimetype"),
            "matplotlib.pyplot": lambda module: setattr(module, "show", lambda *_, **__: display.figures()),
        }

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Only of the modules to change."""
        change = self._changes.get(fullname)
        found = None if change is None else importlib.machinery.PathFinder.find_spec(fullname, path)
        if change is None or found is None or found.loader is None:
            return None
        execute = found.loader.exec_module

        def exec_module(module: ModuleType) -> None:
            execute(module)
            change(module)

        found.loader.exec_module = exec_module  # type: ignore[method-assign]
        return found


def _publish_with(module: Any, display: Display) -> None:  # noqa: ANN401
    module.display = display
    module.publish_display_data = lambda data, *_, **__: display.bundle(data)
