"""``%opencl watch``: a view of a kernel's launches, and plain words where there is no such kernel."""

from __future__ import annotations

from support.shell import fresh_lab

from cl_magic.engine import following
from cl_magic.errors import MagicLineError

CELL = """%%opencl
kernel void tick(global int *x) { x[get_global_id(0)] += 1; }"""


def test_a_kernel_is_watched() -> None:
    with fresh_lab() as lab:
        lab.run(CELL)
        before = len(following.FOLLOWERS)
        shown = lab.run("%opencl watch tick")
        assert shown.error is None
        assert len(following.FOLLOWERS) == before + 1
        lab.run("import numpy as np\nx = np.zeros(4, np.int32)\nfor _ in range(3): tick(x, global_size=4)")
        view = next(one._view() for one in following.FOLLOWERS[before:])
        assert view.launches == 3
        view.stop()
        assert len(following.FOLLOWERS) == before


def test_what_is_no_kernel_is_said() -> None:
    with fresh_lab() as lab:
        lab.run(CELL)
        for line, words in (
            ("%opencl watch", "kernels here: tick"),
            ("%opencl watch tock", "did you mean tick?"),
            ("%opencl watch tick tock", "one kernel at a time"),
        ):
            error = lab.run(line).error
            assert isinstance(error, MagicLineError)
            assert words in f"{error} {error.remedy}"
        assert "watch" in lab.run("%opencl help").text
