"""Shapes of bound arrays and images, as proposals and notes about a range need them."""

from __future__ import annotations

from typing import Any

from cl_magic.launch.arguments import BoundArguments
from cl_magic.launch.images import pixel_grid


def shaped(bound: BoundArguments | None) -> dict[str, Any]:
    """Everything that has a shape, by parameter; an image has that of its pixels, without channels.

    Examples
    --------
    >>> shaped(None)
    {}
    """
    if bound is None:
        return {}
    arrays = {array.name: bound.values[array.slot] for array in bound.arrays}
    return arrays | {image.name: pixel_grid(image) for image in bound.images}


def written_shapes(bound: BoundArguments) -> dict[str, tuple[int, ...]]:
    """Shapes of what the kernel writes, by the expression whose NumPy shape it is: ``dst[..., 0]`` without channels.

    Examples
    --------
    >>> from cl_magic.clc.signature import KernelSignature
    >>> written_shapes(BoundArguments(KernelSignature("f")))
    {}
    """
    shapes = {array.name: array.shape for array in bound.arrays if array.direction != "in"}
    for image in bound.images:
        if image.direction != "in":
            flat = len(image.shape) == len(image.pixels)
            shapes[image.name if flat else f"{image.name}[..., 0]"] = image.pixels[::-1]
    return shapes
