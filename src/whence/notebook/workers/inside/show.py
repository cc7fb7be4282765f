"""`display` for user code, and changes to libraries so that what they show reaches the notebook, too."""

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
    """The function `display`: sends objects to the notebook."""

    def __init__(self, output: Output) -> None:
        self._output = output

    def __call__(self, *values: object, raw: bool = False, **_: object) -> None:
        """Show objects. With `raw`, dictionaries are taken for MIME bundles."""
        for value in values:
            self.bundle(value if raw and isinstance(value, dict) else mimebundle(value))

    def bundle(self, bundle: Bundle) -> None:
        """Show an output in these forms, by MIME type. If it is too large, show a note in its place."""
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
    """An import hook that changes modules, so that `IPython.display.display` and `plt.show()` reach the notebook.

    `changes` holds further changes, by module name.
    """

    def __init__(self, display: Display, changes: Mapping[str, Callable[[Any], None]]) -> None:
        self._changes: dict[str, Callable[[Any], None]] = {
            **changes,
            "IPython.core.display_functions": lambda module: _publish_with(module, display),
            # By default altair sends a page that fetches scripts from the network. The notebook draws charts itself.
            "altair": lambda module: module.renderers.enable("mimetype"),
            "matplotlib.pyplot": lambda module: setattr(module, "show", lambda *_, **__: display.figures()),
        }

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Return the spec of a module to change, with a loader that changes it; None for all other modules."""
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
