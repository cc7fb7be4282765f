"""The picture of a query's stages: nested spans as they were measured, in boxes to scale."""

from __future__ import annotations

import time
from types import SimpleNamespace
from xml.etree import ElementTree

from bench._spans import WIDTH, Place, Recorder, Span, describe, draw

PAUSE = 0.02


def test_spans_nest_as_the_calls_do_and_calls_of_one_name_are_one() -> None:
    made = SimpleNamespace()
    made.inner = lambda: time.sleep(PAUSE)
    made.outer = lambda: [made.inner(), made.inner()]
    places = [Place(made, "outer", "outer"), Place(made, "inner", "inner")]
    recorder = Recorder()
    with recorder.watching(places):
        root = recorder.record("all", lambda: [made.outer(), made.inner()])
    assert set(root.parts) == {"outer", "inner"}
    assert root.parts["outer"].parts["inner"].seconds >= 2 * PAUSE
    assert root.seconds >= root.parts["outer"].seconds + root.parts["inner"].seconds >= 3 * PAUSE
    assert not hasattr(made.inner, "__wrapped__")


def test_boxes_are_to_scale_and_their_text_is_text() -> None:
    root = Span("a & b", 1.0, {"run": Span("run", 0.5, {"sync": Span("sync", 0.25)}), "tiny": Span("tiny", 0.0001)})
    picture = ElementTree.fromstring(draw([root]))
    place = "{http://www.w3.org/2000/svg}"
    boxes = {
        group.findtext(f"{place}title"): (float(box.attrib["x"]), float(box.attrib["width"]), int(box.attrib["y"]))
        for group in picture.iter(f"{place}g")
        if (box := group.find(f"{place}rect")) is not None
    }
    assert boxes == {
        "a & b: 1,000 ms": (0, WIDTH - 1, 0),
        "run: 500 ms": (0, WIDTH / 2 - 1, 20),
        "sync: 250 ms": (0, WIDTH / 4 - 1, 40),
    }
    assert [text.text for text in picture.iter(f"{place}text")] == ["a & b 1,000 ms", "run 500 ms", "sync 250 ms"]
    assert list(describe(root)) == ["a & b 1,000 ms", "  run 500 ms", "    sync 250 ms", "  tiny 0.1 ms"]
