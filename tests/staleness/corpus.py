"""Real notebooks that need no network: the worked examples of installed packages, and of their source packages."""

from __future__ import annotations

import ast
import doctest
import importlib
import inspect
import json
import re
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

# Examples that draw, fetch, write files, ask the user, or show what differs from run to run anyway.
_UNFIT = re.compile(
    r"\+SKIP|plt|matplotlib|\.plot|fetch_|https?:|open\(|input\(|\.to_(csv|excel|pickle|json|hdf|parquet|feather|sql|stata|"
    r"latex|clipboard|markdown|xml)|read_|savetxt|savez|np\.save|np\.load|\btime\b|perf_counter|n_jobs|now\(|today\(|"
    r"memmap|tempfile|\bid\(|getsizeof|memory_usage|sys\.|os\.|subprocess|multiprocess|breakpoint|exit\(|SparseEfficiency|"
    r"write_|sink_|scan_|default_rng\(\)|collect_all|show_versions|show_config"
)
_MODULES = (
    "numpy", "numpy.linalg", "numpy.fft", "numpy.ma", "numpy.polynomial.polynomial", "numpy.strings",
    "pandas", "pandas.api.types", "scipy.stats", "scipy.optimize", "scipy.interpolate", "scipy.linalg", "scipy.signal",
    "scipy.spatial", "scipy.special", "scipy.integrate", "scipy.ndimage", "scipy.sparse", "polars",
    "sklearn.cluster", "sklearn.compose", "sklearn.datasets", "sklearn.decomposition", "sklearn.ensemble",
    "sklearn.feature_extraction.text", "sklearn.feature_selection", "sklearn.impute", "sklearn.linear_model",
    "sklearn.metrics", "sklearn.model_selection", "sklearn.naive_bayes", "sklearn.neighbors", "sklearn.pipeline",
    "sklearn.preprocessing", "sklearn.svm", "sklearn.tree", "sklearn.utils",
    "collections", "itertools", "statistics", "fractions", "textwrap", "difflib", "heapq", "random", "enum", "typing",
)  # fmt: skip
_CLASSES = {
    "pandas": ("DataFrame", "Series", "Index", "Timestamp", "Categorical"),
    "polars": ("DataFrame", "Series", "Expr"),
}
_SETUP = "import numpy as np\nimport pandas as pd\nimport scipy\nimport polars as pl"


@dataclass(frozen=True)
class Notebook:
    """Cells to run in order, and where they come from."""

    origin: str
    cells: tuple[str, ...]


def docstring_notebooks() -> list[Notebook]:
    """The examples in the docstrings of installed packages, a notebook for each function or class."""
    found: dict[tuple[str, ...], Notebook] = {}
    for name in _MODULES:
        module = importlib.import_module(name)
        for origin, text in _docstrings(module):
            cells = _examples(text)
            if cells:
                found.setdefault(cells, Notebook(origin, (_SETUP, *cells)))
    return sorted(found.values(), key=lambda notebook: notebook.origin)


def _docstrings(module: ModuleType) -> Iterator[tuple[str, str]]:
    names = getattr(module, "__all__", None) or [name for name in dir(module) if not name.startswith("_")]
    for name in sorted(names):
        try:
            value = getattr(module, name, None)
        except ImportError:  # sklearn hides what is experimental
            continue
        if isinstance(value, ModuleType) or not callable(value):
            continue
        yield f"{module.__name__}.{name}", inspect.getdoc(value) or ""
        if name in _CLASSES.get(module.__name__, ()):
            for member in sorted(vars(value)):
                if not member.startswith("_"):
                    yield f"{module.__name__}.{name}.{member}", inspect.getdoc(getattr(value, member)) or ""


def _examples(text: str) -> tuple[str, ...]:
    if ">>>" not in text or _UNFIT.search(text):
        return ()
    try:
        examples = doctest.DocTestParser().get_examples(text)
    except ValueError:
        return ()
    return tuple(example.source.rstrip() for example in examples)


def archive_notebooks(archive: Path) -> list[Notebook]:
    """The notebooks, and the example scripts written as cells (`# %%`), of a source package."""
    found: list[Notebook] = []
    with tarfile.open(archive) as files:
        for member in sorted(files.getmembers(), key=lambda entry: entry.name):
            content = files.extractfile(member) if member.isfile() else None
            if content is None or not re.search(
                r"/(examples|doc|docs|tutorials|galleries)/.*\.(py|ipynb)$", member.name
            ):
                continue
            text = content.read().decode(errors="replace")
            cells = _file_cells(text) if member.name.endswith(".ipynb") else _script_cells(text)
            if cells and not _UNFIT_FILES.search(text):
                found.append(Notebook(member.name, cells))
    return found


_UNFIT_FILES = re.compile(
    r"fetch_|https?://(?!\S*(license|spdx))\S+\.(csv|zip|gz|data)|n_jobs=-1|read_csv\(|%timeit|plotly"
)


def _file_cells(text: str) -> tuple[str, ...]:
    try:
        cells = json.loads(text)["cells"]
    except (ValueError, KeyError, TypeError):
        return ()
    return tuple("".join(cell["source"]) for cell in cells if cell.get("cell_type") == "code")


def _script_cells(text: str) -> tuple[str, ...]:
    try:
        ast.parse(text)
    except SyntaxError:
        return ()
    cells = re.split(r"(?m)^# %%.*\n|^#{20,}\n", text)
    return tuple(cell for cell in cells if cell.strip()) if len(cells) > 1 else ()
