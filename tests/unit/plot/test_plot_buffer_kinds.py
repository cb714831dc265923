"""Figures of every kind of array: the values drawn are the array's, on the scale that was asked for."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.colors import LogNorm, SymLogNorm
from matplotlib.figure import Figure
from numpy.typing import NDArray

from cl_magic.errors import ArgumentError, RecordError
from cl_magic.plot import plot_buffer
from cl_magic.record.capture_arrays import Watch
from cl_magic.record.captures import Capture

RNG = np.random.default_rng(4)


def captured(before: NDArray[Any], after: NDArray[Any] | None = None, element_type: str = "") -> Capture:
    watch = Watch(before, "x", writes=after is not None)
    return replace(watch.finish(after), element_type=element_type)


def axes() -> Axes:
    return Figure().subplots()


def drawn(ax: Axes) -> Any:
    ax.figure.canvas.draw()
    return ax.images[0].get_array()


@pytest.mark.parametrize(
    ("array", "colours"),
    [
        (RNG.random((20, 30)), "gray"),
        (RNG.random((20, 30)) * 9, "cividis"),
        (RNG.integers(0, 256, (20, 30)).astype(np.uint8), "gray"),
        (RNG.random((20, 30)) > 0.5, "gray"),
        (np.full((4, 5), 7.0), "cividis"),
        (np.full((4, 5), np.nan), "cividis"),
    ],
    ids=["unit floats", "floats", "bytes", "bool", "constant", "all NaN"],
)
def test_an_image_shows_the_values_in_its_colours(array: NDArray[Any], colours: str) -> None:
    ax = axes()
    assert plot_buffer(captured(array, array.copy()), ax=ax) is ax
    shown = np.ma.filled(drawn(ax).astype(float), np.nan)
    np.testing.assert_array_equal(shown, array.astype(float))
    assert ax.images[0].get_cmap().name == colours


@pytest.mark.parametrize(("scale", "norm"), [("log", LogNorm), ("symmetric", SymLogNorm)])
@pytest.mark.parametrize("when", ["after", "difference"])
def test_scales(scale: Any, norm: type, when: Any) -> None:
    array = RNG.normal(size=(20, 30)) * 100
    ax = axes()
    plot_buffer(captured(array, array * 3), when=when, scale=scale, ax=ax)
    drawn(ax)
    assert isinstance(ax.images[0].norm, SymLogNorm if when == "difference" else norm)
    line = axes()
    plot_buffer(captured(array.reshape(-1)), scale=scale, ax=line)
    assert line.get_yscale() == {"log": "log", "symmetric": "symlog"}[scale]


def test_a_long_line_keeps_its_peak() -> None:
    array = np.zeros(1_000_000, np.float32)
    array[654_321] = 3
    ax = axes()
    plot_buffer(captured(array), ax=ax)
    x, y = ax.lines[0].get_data()
    assert y.max() == 3
    assert abs(x[np.argmax(y)] - 654_321) <= 32


def test_components_are_lines_of_their_own() -> None:
    vectors = RNG.normal(size=(40, 4)).astype(np.float32)
    ax = axes()
    plot_buffer(captured(vectors, element_type="float4"), ax=ax)
    assert [line.get_label() for line in ax.lines] == ["x", "y", "z", "w"]
    np.testing.assert_array_equal(ax.lines[2].get_ydata(), vectors[:, 2])
    one = axes()
    plot_buffer(captured(vectors, element_type="float4"), component=1, ax=one)
    assert len(one.lines) == 1
    parts = axes()
    plot_buffer(captured((vectors[:, 0] + 2j).astype(np.complex64)), ax=parts)
    assert [line.get_label() for line in parts.lines] == ["re", "im"]
    field = axes()
    wide = RNG.normal(size=(6, 7, 4)).astype(np.float32)
    plot_buffer(captured(wide, element_type="float4"), component=3, ax=field)
    np.testing.assert_array_equal(drawn(field), wide[..., 3])
    assert field.images[0].get_extent() == [-0.5, 6.5, 5.5, -0.5]


def test_planes_of_volumes() -> None:
    volume = RNG.normal(size=(5, 6, 7))
    ax = axes()
    plot_buffer(captured(volume), plane=4, ax=ax)
    np.testing.assert_array_equal(drawn(ax), volume[4])
    assert any("plane 4 of 5" in text.get_text() for text in ax.texts)
    with pytest.raises(ArgumentError, match="no plane 5"):
        plot_buffer(captured(volume), plane=5, ax=axes())
    deep = RNG.normal(size=(2, 3, 4, 5, 6))
    drawn_deep = axes()
    plot_buffer(captured(deep), ax=drawn_deep)
    np.testing.assert_array_equal(drawn(drawn_deep), deep[1, 1, 2])


def test_colour_images_and_what_has_no_picture() -> None:
    image = RNG.random((9, 8, 3)).astype(np.float32)
    ax = axes()
    plot_buffer(captured(image), ax=ax)
    np.testing.assert_allclose(drawn(ax), image)
    for array in (np.zeros((0, 3)), np.zeros(4, "V3")):
        with pytest.raises(RecordError):
            plot_buffer(captured(array), ax=axes())
    single = axes()
    plot_buffer(captured(np.array(2.5)), ax=single)
    assert single.lines[0].get_ydata().tolist() == [2.5]
