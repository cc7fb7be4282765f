"""Makes the short silent film of the tour that the documentation shows, in both themes, by playing the tour."""

from __future__ import annotations

import io
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from PIL import Image
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tools.environment import ROOT
from tools.pictures import CHROMIUM, IMAGES, served
from tools.played_tour import play_tour

MAKE = """
import sys, whence
from whence.workspace.tour.tour import make_tour
with whence.open(sys.argv[1]) as ws:
    make_tour(ws)
"""
SIZE = {"width": 1280, "height": 800}
WIDTH = 960
MILLISECONDS = 2600
"""How long each picture is shown: as long as it takes to read its caption and look."""
CAPTION = """words => {
    const line = document.createElement("div");
    line.id = "caption";
    line.textContent = words;
    line.style.cssText = "position: fixed; inset: auto 0 0 0; z-index: 99; padding: 14px; text-align: center;"
        + "font: 600 22px sans-serif; background: #23274a; color: #fff";
    document.querySelector("#caption")?.remove();
    document.body.append(line);
}"""
Theme = Literal["light", "dark"]


def main(folder: Path = IMAGES) -> None:
    """Play the tour once for each theme, and write a film of each."""
    expect.set_options(timeout=60_000)
    with tempfile.TemporaryDirectory() as place, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        themes: tuple[Theme, ...] = ("light", "dark")
        for theme in themes:
            workspace = Path(place) / theme / "tour.whence"
            workspace.parent.mkdir()
            subprocess.run([sys.executable, "-c", MAKE, str(workspace)], cwd=ROOT, check=True)
            with served(workspace) as link:
                write_film(
                    [*_pictures(browser, link, theme)], folder / f"tour{'-dark' if theme == 'dark' else ''}.webp"
                )
        browser.close()


def write_film(pictures: list[Image.Image], path: Path) -> None:
    """Write pictures as one that moves, and begins again after its end."""
    first, *rest = pictures
    first.save(
        path, save_all=True, append_images=rest, duration=MILLISECONDS, loop=0, quality=70, method=6, minimize_size=True
    )


def _pictures(browser: Browser, link: str, theme: Theme) -> Iterator[Image.Image]:
    page = browser.new_context(viewport=SIZE, color_scheme=theme).new_page()  # type: ignore[arg-type]
    page.goto(link)
    for caption in play_tour(page, link.partition("/login")[0]):
        yield _picture(page, caption)
    page.context.close()


def _picture(page: Page, caption: str) -> Image.Image:
    page.wait_for_timeout(600)  # fonts, fading and the frame of a note
    page.evaluate(CAPTION, caption)
    picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    page.evaluate("document.querySelector('#caption').remove()")
    return picture.resize((WIDTH, WIDTH * SIZE["height"] // SIZE["width"]), Image.Resampling.LANCZOS)


if __name__ == "__main__":
    main(*(Path(each) for each in sys.argv[1:]))
