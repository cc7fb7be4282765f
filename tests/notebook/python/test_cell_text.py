"""What the text of a Python cell is understood to read and write, and how its errors and outputs look."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest

from tests.notebook.python.conftest import RunPython
from whence.notebook.cell import Function
from whence.notebook.cell_error import CellFailed
from whence.notebook.display import Rich, Stream
from whence.notebook.python.predict import PRELUDE, predict
from whence.notebook.workers.inside.trouble import trouble


@pytest.mark.parametrize(
    ("source", "reads", "writes"),
    [
        ("ws['a'].to_pandas()", {"a"}, set()),
        ("ws['b'] = ws['a']", {"a"}, {"b"}),
        ("for n in range(3):\n    ws['b'] = [{'n': n}]", set(), {"b"}),
        ("del ws['a']", set(), {"a"}),
        ("if 'a' in ws:\n    pass", {"a"}, set()),
        ("ws.parameters['p'] + 1", {"p"}, set()),
        ("ws.parameters.get('p', 2)", {"p"}, set()),
        ("ws.parameters['p'] = 1", set(), {"p"}),
        ("ws.parameters['p'] += 1", {"p"}, {"p"}),
        ("ws[name]", None, set()),
        ("ws[f'a{1}'] = x", {"x"}, None),
        ("w = ws\nw['a']", None, None),
        ("for each in ws:\n    print(each)", None, None),
        ("ws.datasets()", None, None),
        ("getattr(ws, 'parameters')", None, None),
        ("eval('1')", None, None),
        ("@ws.export\ndef f(x):\n    return x", set(), {"f"}),
        ("def f(x):\n    return x\nws.export(f, returns='int')", set(), {"f"}),
        ("def g(x):\n    return clean(ws['a'])", {"a", "clean"}, set()),
        ("ws.spark.range(3).count()", set(), set()),
        ("not python at all", set(), set()),
        ("import ws2 as other\nlist(map(str, [1]))", set(), set()),
    ],
)
def test_reads_and_writes_are_told_from_the_text(source: str, reads: set[str] | None, writes: set[str] | None) -> None:
    found = predict(source)
    assert (found.reads if found.reads is None else found.reads - {PRELUDE}) == reads
    assert found.writes == writes


def test_errors_name_the_line_and_fold_libraries(python: RunPython) -> None:
    source = "import pandas as pd\n\ndef look(frame):\n    return frame['missing']\n\nlook(ws['parts'].to_pandas())\n"
    with pytest.raises(CellFailed) as failed:
        python(source)
    error = failed.value.error
    assert (error.message, error.line, error.kind) == ("KeyError: 'missing'", 4, "KeyError")
    assert "line 6, in <module>" in error.traceback
    assert "frames, down to get_loc in pandas/" in error.traceback
    assert "whence" not in error.traceback
    with pytest.raises(CellFailed) as failed:
        python("x = 1\nif x\n    y")
    assert (failed.value.error.line, failed.value.error.kind) == (2, "SyntaxError")
    with pytest.raises(CellFailed, match=r"^No dataset is named party here\. Did you mean parts\?$") as failed:
        python("\nws['party']")
    assert failed.value.error.line == 2
    with pytest.raises(CellFailed, match=r"^No dataset is named weather here\. There are: parts, secret\.$"):
        python("ws['weather']")
    python("try:\n    ws['party']\nexcept KeyError:\n    pass")
    with pytest.raises(CellFailed, match=r'^NameError: name .parts. is not defined; the dataset is ws\["parts"\]$'):
        python("def f():\n    return parts.head()\nf()")
    with pytest.raises(CellFailed, match=r"^NameError: name .nothing. is not defined$"):
        python("nothing + 1")


_SHOWN = """
print("one")
class Odd:
    def _repr_html_(self): return "<b>odd</b>"
    def _repr_latex_(self): return "$x$"
    def _repr_png_(self): return b"png"
    def _repr_json_(self): raise ValueError
display(Odd())
import sys
print("two", file=sys.stderr)
class Bundle:
    def _repr_mimebundle_(self, include=None, exclude=None):
        return {"application/vnd.vegalite.v5+json": {"mark": "bar", "x": float("nan")}, "text/markdown": "*hi*"}
display(Bundle())
import os
os.system("echo three")
ws["parts"]
"""


def test_outputs_come_in_order_and_in_every_form(python: RunPython) -> None:
    displays = python(_SHOWN).displays
    kinds = [each.text if isinstance(each, Stream) else sorted(each.data) for each in displays]
    assert kinds[0] == "one\n"
    assert kinds[1] == ["image/png", "text/html", "text/latex", "text/plain"]
    assert kinds[2] == "two\n"
    bundle = displays[3]
    assert isinstance(bundle, Rich)
    assert bundle.data["application/vnd.vegalite.v5+json"] == {"mark": "bar", "x": None}
    assert "three\n" in kinds
    last = displays[-1] if isinstance(displays[-1], Rich) else displays[-2]
    assert isinstance(last, Rich)
    assert last.data["application/vnd.whence.dataset+json"] == {"name": "parts", "version": 1, "rows": 4}


def test_libraries_that_draw_reach_the_notebook(python: RunPython) -> None:
    pytest.importorskip("matplotlib")
    source = (
        "import matplotlib.pyplot as plt\nfrom IPython.display import HTML, display as show\n"
        "plt.plot([1, 2])\nplt.show()\nshow(HTML('<i>x</i>'))\nfig, ax = plt.subplots()\nax.bar(['a'], [1])\nNone"
    )
    shown = [each for each in python(source).displays if isinstance(each, Rich)]
    assert [sorted(each.data) for each in shown] == [
        ["image/png", "text/plain"],
        ["text/html", "text/plain"],
        ["image/png", "text/plain"],
    ]
    assert base64.b64decode(str(shown[0].data["image/png"])).startswith(b"\x89PNG")


def test_charts_of_altair_and_plotly_are_shown(python: RunPython) -> None:
    pytest.importorskip("altair")
    pytest.importorskip("plotly")
    source = (
        "import altair, pandas as pd, plotly.graph_objects as go\n"
        "display(altair.Chart(pd.DataFrame({'a': [1, 2]})).mark_bar().encode(x='a:Q'))\n"
        "go.Figure(go.Bar(y=[1, 2]))"
    )
    shown = [each for each in python(source).displays if isinstance(each, Rich)]
    forms = [mime for each in shown for mime in each.data]
    assert any(mime.startswith("application/vnd.vegalite") for mime in forms)
    assert "application/vnd.plotly.v1+json" in forms


def test_parameters_files_functions_and_prelude(python: RunPython, tmp_path: Path) -> None:
    (tmp_path / "rates.csv").write_text("currency,rate\neur,1.1\n")
    prelude = python("import math\nHALF = 0.5", prelude=True).functions
    assert list(prelude) == [PRELUDE]
    exporting = python(
        "import re\nWORD = 'a'\ndef helper(x): return re.sub(WORD, 'b', x)\n"
        "@ws.export\ndef clean(x: str) -> str:\n    return helper(x).strip()\nws.parameters['found'] = 3",
    )
    assert exporting.parameters == {"found": 3}
    clean = exporting.functions["clean"]
    assert clean.returns == "string"
    used = python(
        "import pandas as pd\nrates = pd.read_csv(ws.open('rates.csv'))\n"
        "print(clean(' a '), HALF, ws.parameters['Most'], rates.rate[0])",
        parameters={"most": 7, "other": 8},
        functions={**prelude, "clean": clean, "unused": Function("unused", "1/0")},
        files=tmp_path,
    )
    assert used.displays == (Stream("stdout", "b 0.5 7 1.1\n"),)
    assert used.reads == frozenset({"Most", "clean", PRELUDE})
    with pytest.raises(CellFailed, match="outside the folder"):
        python("ws.open('../rates.csv')", files=tmp_path / "sub")
    with pytest.raises(CellFailed, match="it uses ws"):
        python("def f(x):\n    return ws['parts']\nws.export(f)")
    with pytest.raises(Exception, match="A prelude cannot use ws"):
        python("ws['parts']", prelude=True)


def test_a_cell_that_fails_keeps_nothing(python: RunPython) -> None:
    with pytest.raises(CellFailed, match="ZeroDivisionError"):
        python("ws['half'] = [{'a': 1}]\n1 / 0")
    assert "half" not in {record.name for record in python.store.datasets()}


def test_top_level_await_and_quiet_semicolons(python: RunPython) -> None:
    result = python("import asyncio\nawait asyncio.sleep(0)\n42;")
    assert result.displays == ()


def test_an_import_from_the_future_may_stand_anywhere(python: RunPython) -> None:
    source = "x = 1\nfrom __future__ import annotations\ndef f(y: missing) -> None: ...\nx"
    (shown,) = python(source).displays
    assert isinstance(shown, Rich)
    assert shown.data["text/plain"] == "1"
    assert predict("x = y\nfrom __future__ import annotations").reads == frozenset({"y", PRELUDE})


@pytest.mark.parametrize(
    ("said", "hint"),
    [
        ("[JVM_ATTRIBUTE_NOT_SUPPORTED] Attribute `sparkContext` is not supported.", "use DataFrames"),
        ("[NOT_IMPLEMENTED] rdd is not implemented.", "use DataFrames"),
        ("[TABLE_OR_VIEW_NOT_FOUND] The table or view `v` cannot be found.", 'ws["name"].df'),
    ],
)
def test_what_pyspark_cannot_do_in_cells_says_what_to_write_instead(said: str, hint: str) -> None:
    told = str(trouble(RuntimeError(f"{said}\nJVM stacktrace"), frozenset())["message"])
    assert told.startswith(f"{said}\n")
    assert hint in told
