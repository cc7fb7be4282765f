"""The `explain` cell kind: finds the rows that make values look odd, and can make a dataset of an answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from whence.explain.answer import Answer, Answers
from whence.explain.apply import with_caveats, with_label, without_rows
from whence.explain.distributed.search_in_spark import search_in_spark
from whence.explain.fetch import MarkedRows, fetch
from whence.explain.find import find
from whence.explain.meaning import Meaning
from whence.explain.question import check_numbers, marked_rows
from whence.explain.request import Request
from whence.model.dataset import DatasetRecord
from whence.model.errors import UnknownColumn, UserError
from whence.model.parameter import Parameter
from whence.notebook.cell import CellContext, CellKind, CellResult, Values, names_in
from whence.notebook.display import Rich
from whence.notebook.footprint import Footprint

_OTHERS = "others"
_BECOMES = ("filter", "label", "caveat")


class Explain(CellKind):
    """Find the rows that make values look odd: conditions from broad to narrow, each with its effect.

    One of the answers can become a dataset: the aggregate's input without those rows, with a column that labels them,
    or with a caveat on them.
    """

    name = "explain"
    title = "Explain"
    group = "Explain"
    parameters = (
        Parameter("source", "dataset", "the dataset that holds the aggregate", is_required=True),
        Parameter("column", "column", "the aggregate that looks odd", is_required=True),
        Parameter("outliers", "value", "which rows look odd: a condition in SQL, or row numbers", is_required=True),
        Parameter(
            "fine",
            "value",
            "which rows are as they should be: a condition, row numbers, or `others`",
            default=_OTHERS,
        ),
        Parameter("direction", "choice", "how they look", "high", choices=("high", "low", "wrong")),
        Parameter("attributes", "columns", "the columns to explain with; all that can tell something if open"),
        Parameter("c", "number", "0 wants the greatest effect, 1 the greatest per row; both are tried if open"),
        Parameter("becomes", "choice", "what an answer becomes", choices=_BECOMES),
        Parameter("answer", "number", "which answer that is", default=1),
        Parameter("name", "text", "what to call that dataset"),
    )  # fmt: skip

    def check(self, values: Values) -> None:
        super().check(values)
        check_numbers(cast("float | None", values.get("c")))
        if bool(values.get("becomes")) != bool(values.get("name")):
            raise UserError("A dataset needs a name and an answer that becomes it.", "Give both becomes and name.")

    def footprint(self, values: Values) -> Footprint:
        return Footprint(names_in(values, "source"), names_in(values, "name"), is_exact=True)

    def run(self, context: CellContext, values: Values) -> CellResult:
        record = context.dataset(values["source"])
        meaning, answers = _answer_question(context, record, values)
        told = Rich({"text/markdown": _text(meaning, answers), "text/plain": _plain(meaning, answers)})
        if not values.get("becomes"):
            return CellResult(displays=(told,))
        number = int(cast(float, values.get("answer") or 1))
        if not 1 <= number <= len(answers.items):
            raise UserError(f"There is no answer {number}: {_count(answers)}.", answers.reason)
        name = str(values["name"])
        made = _become(context, meaning, answers.items[number - 1], str(values["becomes"]), name)
        return CellResult({name: made}, displays=(told,))


def _answer_question(context: CellContext, record: DatasetRecord, values: Values) -> tuple[Meaning, Answers]:
    column = str(values["column"])
    if record.schema.position(column) is None:
        raise UnknownColumn(f"{record.label} has no column {column}.", f"It has {', '.join(record.schema.names)}.")
    if context.services is None:
        raise UserError("Lineage cannot be asked here, and without it nothing is explained.")
    outliers = _rows(context, record, values["outliers"])
    said = values.get("fine", _OTHERS) or ()
    fine = _OTHERS if said == _OTHERS else [row for row in _rows(context, record, said) if row not in outliers]
    complaints, kept = marked_rows(record, outliers, fine, str(values.get("direction") or "high"))
    given = values.get("attributes")
    wanted = None if not given else [given] if isinstance(given, str) else list(cast("Sequence[str]", given))
    marked = MarkedRows(complaints, kept, wanted)
    fetched = fetch(context.store, context.services.edges, context.engine, record=record, column=column, marked=marked)
    c = cast("float | None", values.get("c"))
    # The search calls this with each partial answer, so a cancelled cell stops at the next one.
    request = Request(c, partial=lambda _: context.run.is_cancelled())
    if fetched.spark_problem is not None:
        return Meaning(fetched, column), search_in_spark(fetched.spark_problem, request).answers
    return Meaning(fetched, column), find(fetched.problem, request)


def _rows(context: CellContext, record: DatasetRecord, said: object) -> list[int]:
    """Return row ids, given as a list or as a SQL condition over the dataset's columns."""
    if isinstance(said, str):
        return context.engine.rids_where(record, said)
    if isinstance(said, list | tuple) and all(isinstance(each, int) for each in said):
        return list(said)
    raise UserError(f"Rows are a condition in SQL or a list of row numbers, not {said!r}.", "For example: price > 100.")


def _become(context: CellContext, meaning: Meaning, answer: Answer, becomes: str, name: str) -> DatasetRecord:
    derive, given = context.derive, meaning.fetched.input
    condition = meaning.condition(answer.predicate)
    match becomes:
        case "filter":
            return without_rows(derive, given, condition, name, keep=False)
        case "label":
            return with_label(derive, given, condition, name, "explained")
    doubted = meaning.doubted()
    message = meaning.doubt(answer.predicate, doubted)
    return with_caveats(derive, given, condition, name, column=doubted, message=message)


def _text(meaning: Meaning, answers: Answers) -> str:
    lines = [] if answers.items else [f"**No explanation.** {answers.reason}"]
    lines += [
        f"{number}. `{answer.predicate.sql.replace('`', '')}`  \n   {meaning.sentence(answer, answers.before)}"
        for number, answer in enumerate(answers.items, 1)
    ]
    if answers.few is not None:
        lines += ["", meaning.few_sentence(answers.few, answers.before)]
    return "\n".join(lines)


def _plain(meaning: Meaning, answers: Answers) -> str:
    said = [f"{answer.predicate.sql}: {meaning.sentence(answer, answers.before)}" for answer in answers.items]
    said = said or [answers.reason]
    return "\n".join(said if answers.few is None else [*said, meaning.few_sentence(answers.few, answers.before)])


def _count(answers: Answers) -> str:
    return f"{len(answers.items)} were found" if answers.items else "none was found"
