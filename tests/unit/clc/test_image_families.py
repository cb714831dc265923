"""R-46: with which functions a kernel touches each of its images, through helpers too."""

from __future__ import annotations

import pytest

from cl_magic.clc.frontend import front_end
from cl_magic.clc.signature import Parameter

SOURCE = """uint4 pixel(read_only image2d_t from, int2 place) { return read_imageui(from, place); }
float4 twice(read_only image2d_t a, read_only image2d_t b, int2 place)
{ return read_imagef(b, place) + convert_float4(pixel(a, place)); }
kernel void k(read_only image2d_t labels, read_only image2d_t photo, write_only image2d_t result, image3d_t unused,
              image1d_array_t counts, global int *out)
{
    int2 place = (int2)(get_global_id(0), get_global_id(1));
    write_imagef(result, place, twice(labels, photo, place));
    out[0] = get_image_width(unused) + read_imagei(counts, place).x;
}
"""


@pytest.fixture(scope="module")
def parameters() -> dict[str, Parameter]:
    seen = front_end().analyse(SOURCE)
    assert seen.available, seen.reason
    assert seen.diagnostics == ()
    return {parameter.name: parameter for parameter in seen.kernels[0].parameters}


@pytest.mark.parametrize(
    ("name", "families", "access"),
    [
        ("labels", ("ui",), "read_only"),
        ("photo", ("f",), "read_only"),
        ("result", ("f",), "write_only"),
        ("unused", (), "read_only"),
        ("counts", ("i",), "read_only"),
        ("out", (), "none"),
    ],
)
def test_families(parameters: dict[str, Parameter], name: str, families: tuple[str, ...], access: str) -> None:
    assert (parameters[name].image_families, parameters[name].access) == (families, access)


def test_an_image_that_is_read_both_ways() -> None:
    text = (
        "kernel void k(image2d_t i, global float4 *o)\n"
        "{ o[0] = read_imagef(i, (int2)(0)); o[1] = convert_float4(read_imageui(i, (int2)(0))); }\n"
    )
    assert front_end().analyse(text).kernels[0].parameters[0].image_families == ("f", "ui")
