"""A notebook that runs its cells itself, in any order, in one interpreter."""

from __future__ import annotations

import builtins
from collections.abc import Iterable

from whence.staleness.execution import RunResult, execute
from whence.staleness.highlights import Highlights
from whence.staleness.notebook import Notebook
from whence.staleness.upstream import Upstream


class Session(Notebook):
    """Runs cells and knows which of them are out of date.

    >>> s = Session()
    >>> for cell, code in [("c1", "a = 4"), ("c2", "b = a"), ("c3", "c = a + b"), ("c1", "a = 5")]:
    ...     _ = s.run(cell, code)
    >>> s.highlights().stale, s.highlights().refresher
    (frozenset({'c3'}), frozenset({'c2'}))
    >>> s.highlights().reasons["c3"]
    'uses `b` from cell c2, which was built with the old `a`; run cell c2 first'
    """

    def __init__(self, namespace: dict[str, object] | None = None) -> None:
        super().__init__({"__name__": "__main__", "__builtins__": builtins} if namespace is None else namespace)

    def run(self, cell: str, code: str | None = None) -> RunResult:
        """Run a cell, with new text if given; errors of the user's code are in the result, not raised.

        >>> Session().run("c1", "print('hello')\\n1 + 1").output
        'hello\\n2\\n'
        """
        if code is not None:
            self.edit(cell, code)
        return execute(self, cell)

    def edit(self, cell: str, code: str) -> None:
        """Change a cell's text without running it: from now on it is judged by the new text.

        >>> s = Session()
        >>> _ = s.run("c1", "x = 1"), s.run("c2", "y = x"), s.run("c1", "x = 2")
        >>> s.edit("c2", "y = 0")
        >>> s.highlights().fresh
        frozenset()
        """
        super().edit(cell, code)

    def highlights(self) -> Highlights:
        """Return the stale, fresh and refresher cells, each with the reason.

        >>> s = Session()
        >>> _ = s.run("c1", "x = 1"), s.run("c2", "print(x)"), s.run("c1", "x = 2")
        >>> s.highlights().fresh
        frozenset({'c2'})
        """
        return super().highlights()

    def run_with_upstream(self, cell: str) -> list[tuple[str, RunResult]]:
        """Run what a cell needs, in order, then the cell; stop at the first that fails.

        >>> s = Session()
        >>> for c, code in [("c1", "a = 4"), ("c2", "b = a"), ("c3", "print(b)"), ("c1", "a = 5")]:
        ...     _ = s.run(c, code)
        >>> [(c, result.output) for c, result in s.run_with_upstream("c3")]
        [('c2', ''), ('c3', '5\\n')]
        """
        return self._run_all(self.upstream(cell).cells)

    def react(self) -> list[tuple[str, RunResult]]:
        """Run the fresh cells, in the order of the notebook, until none is left; each at most once.

        >>> s = Session()
        >>> for c, code in [("c1", "a = 4"), ("c2", "b = a"), ("c3", "print(b)"), ("c1", "a = 5")]:
        ...     _ = s.run(c, code)
        >>> [c for c, _ in s.react()]
        ['c2', 'c3']
        """
        done: list[tuple[str, RunResult]] = []
        while all(result.ok for _, result in done):
            ran = {cell for cell, _ in done}
            fresh = self.highlights().fresh
            waiting = [cell for cell in self.cells if cell in fresh and cell not in ran]
            if not waiting:
                break
            # One at a time: each run may change which cells are fresh.
            done += self._run_all(waiting[:1])
        return done

    def _run_all(self, cells: Iterable[str]) -> list[tuple[str, RunResult]]:
        done: list[tuple[str, RunResult]] = []
        for cell in cells:
            done.append((cell, self.run(cell)))
            if not done[-1][1].ok:
                break
        return done

    def slice(self, name: str) -> str:
        """Return the code behind a variable's value as a script.

        >>> s = Session()
        >>> _ = s.run("c1", "a = 1"), s.run("c2", "z = 9"), s.run("c3", "b = a + 1")
        >>> print(s.slice("b"))
        # cell c1, run 1
        a = 1
        <BLANKLINE>
        # cell c3, run 3
        b = a + 1
        <BLANKLINE>
        """
        return super().slice(name)

    def upstream(self, cell: str) -> Upstream:
        """Return the cells to run, in order, so that the given one, the last, uses nothing out of date.

        >>> s = Session()
        >>> for c, code in [("c1", "a = 4"), ("c2", "b = a"), ("c3", "c = b"), ("c1", "a = 5")]:
        ...     _ = s.run(c, code)
        >>> s.upstream("c3").cells
        ('c2', 'c3')
        """
        return super().upstream(cell)
