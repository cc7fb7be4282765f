"""Every view with something selected, and what of it does not fit the window."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Literal

from playwright.sync_api import Page, expect

from tests.web.servers import Served

SPARK = 120_000

_PROBLEMS = """
() => {
  const found = [];
  const { innerWidth: width, innerHeight: height } = window;
  const words = e => (e.innerText || e.getAttribute('aria-label') || '').trim().slice(0, 30);
  const name = e => `${e.tagName.toLowerCase()} "${words(e)}"`;
  const page = document.scrollingElement;
  if (page.scrollWidth > width) found.push(`the page is ${page.scrollWidth} px wide`);
  for (const part of document.querySelectorAll('main, nav, header, aside, footer, [data-region]')) {
    const box = part.getBoundingClientRect();
    if (box.width && (box.right > width + 1 || box.left < -1)) found.push(`${name(part)} leaves the window`);
    const style = getComputedStyle(part);
    if (part.scrollWidth > part.clientWidth + 1 && !['auto', 'scroll', 'hidden'].includes(style.overflowX))
      found.push(`${name(part)} overflows`);
  }
  const main = document.querySelector('main');
  if (main.scrollHeight > main.clientHeight + 1 && getComputedStyle(main).overflowY === 'visible')
    found.push(`main is ${main.scrollHeight} px high in ${main.clientHeight}`);
  const isScrolledAway = (element, box) => {
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    for (let each = element.parentElement; each; each = each.parentElement) {
      if (getComputedStyle(each).overflowY !== 'auto') continue;
      const frame = each.getBoundingClientRect();
      if (y < frame.top || y > frame.bottom || x < frame.left || x > frame.right) return true;
    }
    return false;
  };
  const isCovered = (element, box) => {
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    const top = document.elementFromPoint(x, y);
    return top === null || !(element.contains(top) || top.contains(element));
  };
  const primary = [...document.querySelectorAll('main button, main a')].filter(e => e.matches('[class*=primary]'));
  const bars = [...document.querySelectorAll('[class*=bar] > button, [class*=header] > button, [class*=header] > a')];
  for (const button of new Set([...primary, ...bars.filter(e => e.closest('main'))])) {
    const box = button.getBoundingClientRect();
    if (!box.width || isScrolledAway(button, box)) continue;
    if (box.left < 0 || box.right > width + 1) found.push(`${name(button)} is cut off`);
    else if (box.top >= 0 && box.bottom <= height && isCovered(button, box)) found.push(`${name(button)} is covered`);
  }
  const cell = document.querySelector(
    '[role=gridcell][data-active], [role=gridcell][aria-selected=true], td[aria-selected=true]'
  );
  if (cell) {
    const box = cell.getBoundingClientRect();
    if (box.bottom > height || box.right > width + 1 || box.left < 0 || isCovered(cell, box))
      found.push('the selected cell is hidden');
  }
  return found;
}
"""


def problems(page: Page, seconds: float = 10) -> list[str]:
    """What overflows, is cut off or is covered, once the page has come to rest: charts grow as they are drawn."""
    end = time.monotonic() + seconds
    found: list[str] = page.evaluate(_PROBLEMS)
    while found and time.monotonic() < end:
        page.wait_for_timeout(200)
        found = page.evaluate(_PROBLEMS)
    return found


def show(page: Page, served: Served, view: str) -> None:
    """Open a view of the tour, with a cell selected and the inspector open where there is one."""
    query, is_ready = VIEWS[view]
    page.goto(f"{served.address}/?{query}")
    is_ready(page)


def _has_selection(page: Page) -> None:
    expect(page.get_by_role("gridcell", selected=True)).to_be_visible()
    expect(page.get_by_role("complementary", name="Inspector")).to_be_visible()


def _shows(role: Literal["article", "button", "heading"], name: str) -> Callable[[Page], None]:
    return lambda page: expect(page.get_by_role(role, name=name).first).to_be_visible(timeout=SPARK)


VIEWS: dict[str, tuple[str, Callable[[Page], None]]] = {
    "notebook": ("notebook=tour", _shows("heading", "tour")),
    "notebook-inspecting": ("notebook=tour&dataset=prices&row=4&column=stock", _has_selection),
    "dataset": ("dataset=causes_of_death&row=3&column=Deaths", _has_selection),
    "result": ("dataset=by_supplier&row=2&column=average_price", _has_selection),
    "sheet": ("dataset=causes_of_death&view=sheet&row=3&column=Deaths", _has_selection),
    "caveats": ("view=caveats", _shows("article", "Group of caveats")),
    "lineage": ("view=lineage&dataset=by_supplier", _shows("heading", "Lineage")),
    "canvas": ("view=canvas", _shows("heading", "Charts")),
    "chart": ("view=chart&chart=deaths_chart@1", _shows("heading", "Chart")),
    "explain": ("view=explain&chart=deaths_chart@1", _shows("heading", "Why does it look odd?")),
    "history": ("notebook=tour&version=1", _shows("button", "Back to now")),
}
"""The address of each, and what to wait for."""
