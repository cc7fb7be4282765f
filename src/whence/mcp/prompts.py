"""Prompts: questions that people pick from a menu of their agent, with the tools that answer them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from mcp import types

from whence.model.errors import UserError


@dataclass(frozen=True)
class PromptForm:
    """A prompt: what a person reads in the menu, what they fill in, and the text with places for that."""

    name: str
    title: str
    description: str
    arguments: Mapping[str, str]
    text: str

    def to_prompt(self) -> types.Prompt:
        """Return the entry of the menu."""
        arguments = [
            types.PromptArgument(name=name, description=description, required=True)
            for name, description in self.arguments.items()
        ]
        return types.Prompt(name=self.name, title=self.title, description=self.description, arguments=arguments)

    def fill(self, given: Mapping[str, str]) -> types.GetPromptResult:
        """Return the message with what the person filled in."""
        missing = [name for name in self.arguments if not given.get(name, "").strip()]
        if missing:
            raise UserError(f"{self.title} needs {', '.join(missing)}.")
        text = self.text.format_map({name: given[name] for name in self.arguments})
        message = types.PromptMessage(role="user", content=types.TextContent(type="text", text=text))
        return types.GetPromptResult(description=self.description, messages=[message])


PROMPTS = {
    each.name: each
    for each in (
        PromptForm(
            "check_this_number",
            "Check this number",
            "Verify a number against the workspace, with where it came from and what is doubtful about it.",
            {"claim": "The claim, such as: the total of Ulm in 2024 is 412."},
            "Check this claim against the whence workspace: {claim}\n"
            "Find the dataset and the row with list_datasets and read_rows, then call verify_claim once. Answer with "
            "the verdict, where the value came from, every caveat behind it, and the link. If the value is in doubt, "
            "say so first.",
        ),
        PromptForm(
            "explain_this_outlier",
            "Explain this outlier",
            "Find out why a value of an aggregate looks odd.",
            {"dataset": "The dataset.", "column": "The column.", "value": "Which value looks odd, and how."},
            "In the dataset {dataset} of the whence workspace, a value of {column} looks odd: {value}\n"
            "Find its row with read_rows, call why_odd, and check the best explanation with what_if on the input. "
            "Ask can_i_trust about the value first. Answer with the explanation and its effect.",
        ),
        PromptForm(
            "review_this_notebook",
            "Review this notebook",
            "Read a notebook and judge what its results rest on.",
            {"notebook": "The notebook."},
            "Review the notebook {notebook} of the whence workspace. Read it with read_notebook, then ask can_i_trust "
            "about each dataset that it ends with, and where_from about one typical value of each. Report mistakes in "
            "the cells, doubts that are not acknowledged, and results whose lineage is not exact. Change nothing.",
        ),
    )
}


def list_prompts() -> types.ListPromptsResult:
    """Return the menu."""
    return types.ListPromptsResult(prompts=[each.to_prompt() for each in PROMPTS.values()])


def get_prompt(name: str, given: Mapping[str, str]) -> types.GetPromptResult:
    """Return a prompt, filled in."""
    if name not in PROMPTS:
        raise UserError(f"There is no prompt {name}.", f"There are: {', '.join(PROMPTS)}.")
    return PROMPTS[name].fill(given)
