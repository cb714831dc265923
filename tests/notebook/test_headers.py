"""Header cells: found by name, errors on their lines, users built again after an edit."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from support.shell import Lab, fresh_lab

from cl_magic.errors import BuildError, KernelNotFoundError, MagicLineError, SourceError
from cl_magic.magics.publish import DIAGNOSTICS_MIME

USER = '%%opencl\n#include "values.h"\nkernel void put(global int *x) { x[get_global_id(0)] = VALUE; }'


@pytest.fixture
def lab() -> Iterator[Lab]:
    with fresh_lab() as made:
        made.run("import numpy as np\nx = np.zeros(2, dtype=np.int32)")
        yield made


def value(lab: Lab) -> list[int]:
    outcome = lab.run("put(x, global_size=2)")
    assert outcome.error is None
    found: list[int] = lab.names["x"].tolist()
    return found


def test_s_16_a_header_cell_builds_nothing_and_is_found_by_later_cells(lab: Lab) -> None:
    outcome = lab.run("%%opencl --header=values.h\n#define VALUE 9\n")
    assert outcome.error is None
    assert outcome.value is None
    assert "values.h" in outcome.text
    assert "1 line" in outcome.text
    built = lab.run(USER)
    assert built.error is None
    assert "Header: values.h (cell [" in built.text
    assert value(lab) == [9, 9]


def test_s_16_an_edited_header_rebuilds_its_users_at_their_next_run(lab: Lab) -> None:
    lab.run("%%opencl --header=values.h\n#define VALUE 9\n")
    lab.run("%%opencl --header=other.h\n#define VALUE 1\n")
    lab.run(USER)
    lab.run(USER.replace("values.h", "other.h").replace("put", "keep"))
    outcome = lab.run("%%opencl --header=values.h\n#define VALUE 10\n")
    assert "built again at the next run: put" in outcome.text
    assert "keep" not in outcome.text
    assert value(lab) == [10, 10]
    lab.run("%%opencl --header=values.h\n#define VALUE 9\n")
    assert value(lab) == [9, 9]


def test_a_launch_without_waiting_of_an_outdated_kernel_is_built_again_too(lab: Lab) -> None:
    lab.run("%%opencl --header=values.h\n#define VALUE 9\n")
    lab.run(USER)
    lab.run("import cl_magic as clm\ny = clm.zeros(2, dtype='int32')\nput(y, global_size=2, wait=False).wait()")
    lab.run("%%opencl --header=values.h\n#define VALUE 10\n")
    lab.run("put(y, global_size=2, wait=False).wait()")
    assert lab.names["y"].numpy().tolist() == [10, 10]


def test_errors_in_a_header_stand_on_the_header_cells_line(lab: Lab) -> None:
    lab.run("%%opencl --header=values.h\n#define VALUE 9\nint half_of(int x) { return x / missing; }\n")
    outcome = lab.run(USER)
    assert isinstance(outcome.error, BuildError)
    said = outcome.displays[0][DIAGNOSTICS_MIME]["diagnostics"]
    first = next(d for d in said if d["severity"] == "error")
    assert (first["file"], first["line"]) == ("values.h", 3)
    assert "return x / missing" in outcome.displays[0]["text/plain"]
    lab.run("%%opencl --header=values.h\n#define VALUE 9\n")
    assert lab.run(USER).error is None


def test_an_edit_that_does_not_build_fails_the_next_run_with_the_headers_line(lab: Lab) -> None:
    lab.run("%%opencl --header=values.h\n#define VALUE 9\n")
    lab.run(USER)
    lab.run("%%opencl --header=values.h\n#define VALUE nothing_here\n")
    outcome = lab.run("put(x, global_size=2)")
    assert isinstance(outcome.error, BuildError)
    lab.run("%%opencl --header=values.h\n#define VALUE 5\n")
    assert value(lab) == [5, 5]


def test_s_20_a_missing_header_names_the_places_searched(lab: Lab) -> None:
    lab.run("%%opencl --header=values.h\n#define VALUE 9\n")
    outcome = lab.run(USER.replace("values.h", "value.h"))
    assert isinstance(outcome.error, BuildError)
    assert "searched: virtual headers" in outcome.displays[0]["text/plain"]


@pytest.mark.parametrize("name", ["/usr/include/a.h", "../a.h", "a/../../b.h", "opencl-c.h", "C:/a.h"])
def test_names_like_system_paths_are_refused(lab: Lab, name: str) -> None:
    outcome = lab.run(f"%%opencl --header={name}\nint x;")
    assert isinstance(outcome.error, SourceError)
    assert outcome.error.name == name


def test_a_header_cell_takes_no_flag_of_a_build(lab: Lab) -> None:
    assert isinstance(lab.run("%%opencl --header=a.h -DN=4\nint x;").error, MagicLineError)


def test_s_16_a_kernel_that_an_edited_header_took_away_is_told_with_what_to_do(lab: Lab) -> None:
    lab.run("%%opencl --header=kernels.h\nkernel void put(global int *x) { x[get_global_id(0)] = 7; }\n")
    lab.run('%%opencl\n#include "kernels.h"\nkernel void keep(global int *x) { x[get_global_id(0)] = 1; }')
    assert value(lab) == [7, 7]
    lab.run("%%opencl --header=kernels.h\nkernel void put_two(global int *x) { x[get_global_id(0)] = 8; }\n")
    for call in ("put(x, global_size=2)", "put.specialize(local_size=2)", "put.prepare(x, global_size=2)"):
        error = lab.run(call).error
        assert isinstance(error, KernelNotFoundError)
        assert (error.name, error.kernels, error.headers) == ("put", ("put_two", "keep"), ("kernels.h",))
        assert "kernels.h" in error.remedy
    assert lab.run("keep(x, global_size=2)").error is None
    lab.run("%%opencl --header=kernels.h\nkernel void put(global int *x) { x[get_global_id(0)] = 9; }\n")
    assert value(lab) == [9, 9]
