"""A monkey: clicks, types, drags and goes back at random through the page, and says what broke.

It acts as a hand does, on what is visible, enabled and not covered. It keeps every edit that the server acknowledged,
so that a test can ask the server for them again afterwards.
"""

from __future__ import annotations

import json
import random
import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal
from urllib.parse import quote

from playwright.sync_api import ConsoleMessage, Dialog, Page, Response
from playwright.sync_api import Error as BrowserError

CANDIDATES = Path(__file__).with_name("monkey_candidates.js").read_text(encoding="utf-8")
SETTLE_MS = 60
NOT_TOUCHED = re.compile(r"sign out|end all|copy a link|download|export", re.IGNORECASE)
"""They end the monkey's own session, or reach for the clipboard and the disk of whoever runs it."""
TEXTS = (
    "select * from deaths limit 5",
    "select 1 as one",
    "=[@Year]+1",
    "42",
    "'); drop table x; --",
    "print('hello')",
    "# A note",
    "ünïcødé 🐒",
    "",
)
KEYS = (
    *(
        "Enter",
        "Escape",
        "Tab",
        "Shift+Tab",
        "ArrowDown",
        "ArrowUp",
        "ArrowRight",
        "ArrowLeft",
        "Delete",
        "Home",
        "End",
    ),
    *(
        "Control+z",
        "Control+Shift+z",
        "Control+k",
        "Control+a",
        "Control+Enter",
        "Shift+Enter",
        "F8",
        "j",
        "k",
        "?",
        "PageDown",
    ),
)
PLACES = (
    "notebook=tour",
    "notebook=tour&version=3",
    "dataset=prices&row=3&column=price",
    "dataset=causes_of_death&view=sheet",
    "view=caveats",
    "view=lineage&dataset=by_supplier",
    "view=canvas",
    "view=chart&dataset=readings",
    "view=explain&chart=temperature_by_hour",
)
"""An address in every view; the monkey walks on from each of them."""
HARMLESS = re.compile(r"Failed to load resource|net::ERR_ABORTED|WebSocket connection")
"""What the browser itself notes about refused requests and closed pages; statuses are judged one by one."""


@dataclass
class Edits:
    """What the server acknowledged: versions of notebooks, and how many operations a sheet has."""

    versions: dict[str, set[int]] = field(default_factory=dict)
    operations: dict[str, int] = field(default_factory=dict)

    def note(self, response: Response) -> None:
        """Read an answer of the server that acknowledges an edit."""
        if response.request.method != "POST" or not response.ok:
            return
        path = response.url.partition("/api/")[2]
        notebook = re.fullmatch(r"notebooks/([^/]+)/cells(?:/[^/]+/(?:change|remove|move))?", path)
        sheet = re.fullmatch(r"sheets/([^/]+)/operations", path)
        if notebook:
            self.versions.setdefault(notebook[1], set()).add(response.json()["version"])
        elif sheet:
            self.operations[sheet[1]] = response.json()["operations"]
        elif renamed := re.fullmatch(r"notebooks/([^/]+)/rename", path):
            name = quote(json.loads(response.request.post_data or "")["name"].strip())
            self.versions[name] = self.versions.pop(renamed[1], set())
        elif gone := re.fullmatch(r"(notebooks|sheets)/([^/]+)/(?:remove|discard|apply)", path):
            (self.versions if gone[1] == "notebooks" else self.operations).pop(gone[2], None)

    def lost(self, ask: Callable[[str], Any]) -> list[str]:
        """Ask the server for all of them; return those it does not know."""
        missing = [
            f"version {version} of {notebook}"
            for notebook, versions in self.versions.items()
            for version in sorted(versions - {each["version"] for each in ask(f"notebooks/{notebook}/history")})
        ]
        for sheet, count in self.operations.items():
            if (held := ask(f"sheets/{sheet}")["operations"]) != count:
                missing.append(f"sheet {sheet} holds {held} operations of {count}")
        return missing


class Monkey:
    """One walk through the page, the same for the same seed as far as the page answers in the same time."""

    def __init__(self, page: Page, link: str, seed: int) -> None:
        self.page, self.link, self.random = page, link, random.Random(seed)
        self.edits, self.done, self.faults = Edits(), list[str](), list[str]()
        page.on("console", self._hear)
        page.on("pageerror", lambda error: self.faults.append(f"page error: {error}"))
        page.on("response", self._judge)
        page.on("dialog", self._answer)

    def walk(self, seconds: float) -> None:
        """Begin in every view in turn, and act until its share of the time is over or something broke."""
        home = self.page.url.partition("?")[0]
        for place in self.random.sample(PLACES, len(PLACES)):
            self._open(f"{home}?{place}")
            self._walk_on(seconds / len(PLACES))
            if self.faults:  # a picture of the page now shows what broke
                return

    def _open(self, address: str) -> None:
        """Go there; the answer to the last click may take the page elsewhere first, so it is tried more than once."""
        for _ in range(5):
            self.done.append(f"open {address}")
            try:
                self.page.goto(address, wait_until="domcontentloaded")
            except BrowserError as error:
                self.done.append(f"  (not done: {str(error).splitlines()[0]})")
            else:
                return
        self.faults.append(f"{address} did not open")

    def _walk_on(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end and not self.faults:
            self._act()
            self.page.wait_for_timeout(SETTLE_MS)

    def _act(self) -> None:
        things = self._things()
        if [each["name"] for each in things] == ["Try again"]:  # it chose Sign out by a key of the command palette
            return self._open(self.link)
        if not things:
            return self.faults.append(f"dead end at {self.page.url}: nothing to click")
        kinds = sorted({thing["kind"] for thing in things})  # or a grid's cells would get nearly all clicks
        kind = self.random.choice(kinds)
        thing = self.random.choice([each for each in things if each["kind"] == kind])
        action = self.random.choices(
            (self._click, self._type, self._press, self._drag, self._wheel, self._go_back, self._reload),
            (60, 12, 14, 5, 4, 4, 1),
        )[0]
        self.done.append(f"{action.__name__[1:]} {thing['kind']} {thing['name'][:60]!r} at {thing['x']},{thing['y']}")
        try:
            action(thing, things)
        except BrowserError as error:  # the page moved away under the hand, as it may
            self.done.append(f"  (not done: {str(error).splitlines()[0]})")

    def _things(self) -> list[dict[str, Any]]:
        """What a hand could reach now; a page that is about to change is looked at again."""
        for _ in range(300):
            if self.page.url == "about:blank":  # back twice leads beyond the link that it came by
                self._open(self.link)
            try:
                found: list[dict[str, Any]] = self.page.evaluate(CANDIDATES)
            except BrowserError as error:
                self.done.append(f"  (not seen: {str(error).splitlines()[0]})")
                found = []
            if reachable := [each for each in found if not NOT_TOUCHED.search(each["name"])]:
                return reachable
            self.page.wait_for_timeout(100)
        return []

    def _click(self, thing: dict[str, Any], _: list[dict[str, Any]]) -> None:
        button: Literal["left", "right"] = "right" if self.random.random() < 0.05 else "left"
        self.page.mouse.click(thing["x"], thing["y"], button=button, click_count=self.random.choice((1, 1, 1, 2)))

    def _type(self, thing: dict[str, Any], _: list[dict[str, Any]]) -> None:
        self.page.mouse.click(thing["x"], thing["y"])
        self.page.keyboard.type(self.random.choice(TEXTS))
        self.page.keyboard.press(self.random.choice(("Enter", "Escape", "Tab", "Control+Enter")))

    def _press(self, _: dict[str, Any], __: list[dict[str, Any]]) -> None:
        key = self.random.choice(KEYS)
        self.done.append(f"  key {key}")
        self.page.keyboard.press(key)

    def _drag(self, thing: dict[str, Any], things: list[dict[str, Any]]) -> None:
        target = self.random.choice(things)
        self.page.mouse.move(thing["x"], thing["y"])
        self.page.mouse.down()
        self.page.mouse.move(target["x"], target["y"], steps=4)
        self.page.mouse.up()

    def _wheel(self, thing: dict[str, Any], _: list[dict[str, Any]]) -> None:
        self.page.mouse.move(thing["x"], thing["y"])
        self.page.mouse.wheel(0, self.random.choice((-2000, -300, 300, 2000)))

    def _go_back(self, _: dict[str, Any], __: list[dict[str, Any]]) -> None:
        if self.page.evaluate("history.length") > 2:  # the first entry is the empty page before the link
            self.page.evaluate("history.back()")

    def _reload(self, _: dict[str, Any], __: list[dict[str, Any]]) -> None:
        self.page.reload(wait_until="domcontentloaded")

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type == "error" and not HARMLESS.search(message.text):
            self.faults.append(f"console: {message.text}")

    def _judge(self, response: Response) -> None:
        if response.status >= 500:
            self.faults.append(f"{response.status} of {response.request.method} {response.url}")
        try:
            if response.status >= 500:
                self.faults[-1] += f": {response.text()[:500]}"
            self.edits.note(response)
        except BrowserError:  # the page went away before the answer could be read
            return

    def _answer(self, dialog: Dialog) -> None:
        dialog.accept() if self.random.random() < 0.5 else dialog.dismiss()

    def story(self) -> str:
        """What it did last and what broke, for the message of a failing test."""
        return "\n".join([*self.done[-25:], "", *self.faults])
