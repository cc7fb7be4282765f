"""The IPython extension `whence.safety`: follows the cells of the shell that it is loaded into."""

from __future__ import annotations

from IPython.core.interactiveshell import InteractiveShell

from whence.staleness.jupyter.messages import CommServer
from whence.staleness.jupyter.reactive import Reactor
from whence.staleness.jupyter.shell import ShellFollower

_ATTRIBUTE = "whence_safety"  # the shell owns its follower, so that several shells may live in one process

_MAGIC = "safety"


class Extension:
    """A loaded extension: the follower, its comm server, reactive mode and the magic command `%safety`."""

    def __init__(self, shell: InteractiveShell) -> None:
        self.follower = ShellFollower(shell)
        self.server = CommServer(self.follower)
        self.reactor = Reactor(self.follower, self.server)

    def describe(self, line: str = "") -> None:
        """`%safety`: the highlighted cells with their reasons; `%safety CELL`: what to run before a cell.

        `%safety reactive on` runs the cells that become fresh after each run, `off` stops that; `%safety slice NAME`
        prints the statements that made a value.
        """
        for answer in self._answer(line.split()):
            print(answer)  # noqa: T201  # the answer to a magic

    def _answer(self, words: list[str]) -> list[str]:
        notebook = self.follower.notebook
        match words:
            case []:
                reasons = notebook.highlights().reasons
                return [self._readable(f"{cell}: {reason}") for cell, reason in reasons.items()]
            case ["reactive"]:
                return [f"reactive mode is {'on' if self.reactor.is_on else 'off'}"]
            case ["reactive", "on" | "off" as wanted]:
                self.reactor.is_on = wanted == "on"
                return [f"reactive mode is {wanted}"]
            case ["slice", name] if name in notebook.lineage.names:
                return [notebook.slice(name)]
            case [cell] if self._cell(cell) in notebook.cells:
                return [self._readable(" -> ".join(notebook.upstream(self._cell(cell)).cells))]
            case _:
                return [f"There is no cell or variable {' '.join(words)!r}; see %safety? for what to ask."]

    def _readable(self, text: str) -> str:
        """Return the text with cell ids, which mean nothing to a reader, replaced by the numbers in brackets."""
        for cell in sorted(self.follower.notebook.cells, key=len, reverse=True):
            if cell in self.follower.prompts:
                text = text.replace(cell, f"In[{self.follower.prompts[cell]}]")
        return text

    def _cell(self, word: str) -> str:
        """Return the cell that a word names: by its id, or by its number as in `In[3]` or `3`."""
        number = word.removeprefix("In[").removesuffix("]")
        named = [cell for cell, prompt in self.follower.prompts.items() if str(prompt) == number]
        return named[0] if named and word not in self.follower.notebook.cells else word


def load(shell: InteractiveShell) -> Extension:
    """Load the extension into a shell, unless it is loaded already, and return it."""
    loaded: Extension | None = getattr(shell, _ATTRIBUTE, None)
    if loaded is None:
        loaded = Extension(shell)
        loaded.follower.attach()
        loaded.server.start()
        magics = shell.magics_manager
        magics.register_function(loaded.describe, "line", _MAGIC)
        setattr(shell, _ATTRIBUTE, loaded)
    return loaded


def unload(shell: InteractiveShell) -> None:
    """Stop following a shell, and take the magic command away."""
    loaded: Extension | None = getattr(shell, _ATTRIBUTE, None)
    if loaded is not None:
        loaded.follower.detach()
        loaded.server.stop()
        shell.magics_manager.magics["line"].pop(_MAGIC, None)
        delattr(shell, _ATTRIBUTE)
