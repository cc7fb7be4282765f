"""Two exposures of a sky, and the flow that finds its stars: 22 built-in operators and four of our own.

After the LSST flow of SubZero (Wu's thesis, Section 3.3.1), rebuilt with generated images.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from scipy import ndimage

import whence
from whence.arrays import (
    Add,
    Convolve,
    Crop,
    Divide,
    Emit,
    Merge,
    Multiply,
    Operator,
    Pad,
    Reduce,
    Shapes,
    Subtract,
    Threshold,
    Transpose,
    Where,
    neighbours,
)
from whence.arrays.shapes import Ids

SHAPE = (512, 2000)
RADIUS = 3
BLUR = (0.1, 0.2, 0.4, 0.2, 0.1)


def exposures(seed: int = 7) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Two images with the same stars and different cosmic rays, and the flat field of the camera."""
    random = np.random.default_rng(seed)
    height, width = SHAPE
    stars = np.zeros(SHAPE)
    for y, x, light in zip(
        random.integers(8, height - 8, 400),
        random.integers(8, width - 8, 400),
        random.uniform(60, 900, 400),
        strict=True,
    ):
        grid = np.mgrid[-7:8, -7:8]
        stars[y - 7 : y + 8, x - 7 : x + 8] += light * np.exp(-(grid**2).sum(axis=0) / 6)
    flat = 1 + 0.05 * np.cos(np.linspace(0, 3, width))[None, :] * np.ones((height, 1))
    images = []
    for _ in range(2):
        image = (stars + random.normal(100, 5, SHAPE) + np.linspace(0, 20, height)[:, None]) * flat + 12
        image[random.integers(0, height, 600), random.integers(0, width, 600)] += random.uniform(500, 4000, 600)
        images.append(image.astype(np.float32))
    return images[0], images[1], flat.astype(np.float32)


class _Comp(Operator):
    """A pixel that was hit depends on the 49 around it, any other on itself."""

    gives = {whence.Comp, whence.Full}

    def tell(self, mask: np.ndarray, emit: Emit, inputs: int) -> None:
        """Full for every pixel, or a note for those that were hit."""
        hits = np.flatnonzero(mask)
        if "full" in emit.wants:
            around, rest = neighbours(hits, RADIUS, mask.shape), np.flatnonzero(~mask.ravel())
            for number in range(inputs):
                emit.pairs(
                    np.concatenate([np.repeat(hits, around.lengths), rest]), np.concatenate([around.ids, rest]), number
                )
        emit.pay(hits, np.uint8(RADIUS))

    def map_b(self, out: Ids, shapes: Shapes, i: int = 0) -> object:
        """The pixel itself."""
        return out

    map_f = map_b

    def map_p(self, out: Ids, payload: Any, shapes: Shapes, i: int = 0) -> object:  # noqa: ANN401
        """Those around it."""
        return neighbours(out, RADIUS, shapes[i])


class CosmicRays(_Comp):
    """Pixels far above the median of those around them."""

    def run(self, inputs: Sequence[np.ndarray], emit: Emit) -> np.ndarray:
        """The mask."""
        (image,) = inputs
        middle = ndimage.median_filter(image, size=2 * RADIUS + 1, mode="nearest")
        sharp = image - ndimage.uniform_filter(image, size=3, mode="nearest")
        mask = (image - middle > 60) & (sharp > 0.6 * (image - middle))
        self.tell(mask, emit, 1)
        return mask


class RemoveRays(_Comp):
    """The median of the pixels around it where a ray was."""

    def run(self, inputs: Sequence[np.ndarray], emit: Emit) -> np.ndarray:
        """The cleaned image."""
        image, mask = inputs
        clean = np.where(mask, ndimage.median_filter(image, size=2 * RADIUS + 1, mode="nearest"), image)
        self.tell(mask, emit, 2)
        return clean.astype(np.float32)


class Stars(Operator):
    """Connected bright pixels get the number of their star; each depends on all pixels of it."""

    gives = {whence.Pay, whence.Full}

    def run(self, inputs: Sequence[np.ndarray], emit: Emit) -> np.ndarray:
        """The number of the star, 0 for the sky."""
        bright, _ = inputs
        labels, count = ndimage.label(bright)
        cells = np.flatnonzero(labels)
        own = labels.ravel()[cells]
        if "full" in emit.wants:
            emit.regions(cells, own, cells, own)
        if "pay" in emit.wants:
            order = np.argsort(own, kind="stable")
            ends = np.cumsum(np.bincount(own, minlength=count + 1)[1:])
            for members in np.split(cells[order], ends[:-1]):
                if len(members):
                    emit.pay(members, members.astype("<i4").tobytes())
        return labels.astype(np.int32)

    def map_p(self, out: Ids, payload: Any, shapes: Shapes, i: int = 0) -> object:  # noqa: ANN401
        """The pixels of the star, which are what was noted."""
        if i == 1:
            return np.zeros(len(out) + 1, dtype=np.int64), np.empty(0, dtype=np.int64)
        lists = [np.frombuffer(each, dtype="<i4") for each in payload]
        offsets = np.cumsum([0, *map(len, lists)])
        return offsets, np.concatenate([np.empty(0, dtype=np.int64), *lists])


Apply = Callable[..., object]


def flow(apply: Apply) -> None:
    """22 built-in operators and A, A, C, D of our own; `apply(operator, *inputs, name=...)` runs one."""
    for n in (1, 2):
        apply(Subtract(12.0), f"raw{n}", name=f"bias{n}")
        apply(Divide(), f"bias{n}", "flat", name=f"flat{n}")
        apply(Reduce("mean"), f"flat{n}", name=f"mean{n}")
        apply(Subtract(), f"flat{n}", f"mean{n}", name=f"sky{n}")
        apply(Reduce("std"), f"sky{n}", name=f"std{n}")
        apply(Divide(), f"sky{n}", f"std{n}", name=f"scaled{n}")
        apply(CosmicRays(), f"flat{n}", name=f"rays{n}")
    apply(Merge("mean"), "sky1", "sky2", name="merged")
    apply(Merge("max"), "rays1", "rays2", name="rays")
    apply(RemoveRays(), "merged", "rays", name="clean")
    apply(Convolve((BLUR,)), "clean", name="blur_x")
    apply(Convolve(tuple((weight,) for weight in BLUR)), "blur_x", name="blurred")
    apply(Threshold(15.0), "blurred", name="bright")
    apply(Stars(), "bright", "blurred", name="stars")
    apply(Multiply(0.5), "scaled1", name="half")
    apply(Where(), "bright", "clean", "half", name="shown")
    apply(Crop((0, 0), (512, 1000)), "shown", name="left")
    apply(Pad((1, 1), (1, 1)), "left", name="framed")
    apply(Transpose(), "framed", name="turned")
    apply(Add(1.0), "turned", name="lifted")


OWN = {"rays1", "rays2", "clean", "stars"}
"""The datasets that our own operators make."""
