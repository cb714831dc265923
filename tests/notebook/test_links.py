"""Objects from cells, links of them, and the log as a value."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from support.shell import Lab, fresh_lab

from cl_magic.build.build_log import BuildLog
from cl_magic.errors import BuildError, MagicLineError

HELPER = "%%opencl --compile --as=helper\nint twice(int x)\n{\n    return 2 * x;\n}\n"
USER = """%%opencl --compile --as=user
int twice(int x);
kernel void put(global int *x) { x[get_global_id(0)] = twice(8); }
"""


@pytest.fixture
def lab() -> Iterator[Lab]:
    with fresh_lab() as made:
        made.run("import numpy as np\nx = np.zeros(2, dtype=np.int32)")
        yield made


def test_r_57_objects_of_cells_are_linked_and_their_kernels_run(lab: Lab) -> None:
    assert "defines twice" in lab.run(HELPER).text
    assert "needs twice" in lab.run(USER).text
    assert "put" not in lab.names
    outcome = lab.run("%opencl link helper user --as=prog")
    assert outcome.error is None
    assert lab.run("put(x, global_size=2)").error is None
    assert lab.names["x"].tolist() == [16, 16]
    assert lab.names["prog"].kernel_names == ("put",)


def test_s_33_what_is_missing_is_told_with_its_cell(lab: Lab) -> None:
    lab.run(USER)
    outcome = lab.run("%opencl link user --as=prog")
    assert isinstance(outcome.error, BuildError)
    message = outcome.error.result.diagnostics[0].message
    assert message.startswith("'twice' is used in cell [")
    assert ", line 3, and defined in no part" in message
    assert "prog" not in lab.names


def test_s_33_what_is_defined_twice_is_told_with_both_cells(lab: Lab) -> None:
    lab.run(HELPER)
    lab.run(USER)
    lab.run(HELPER.replace("helper", "again"))
    outcome = lab.run("%opencl link helper again user --as=prog")
    assert outcome.error is None, "the same text is the same object"
    lab.run(HELPER.replace("helper", "again").replace("2 *", "3 *"))
    outcome = lab.run("%opencl link helper again user --as=prog")
    assert isinstance(outcome.error, BuildError)
    message = outcome.error.result.diagnostics[0].message
    assert message.startswith("'twice' is defined in cell [")
    assert message.count("cell [") == 2


def test_a_library_is_linked_like_an_object(lab: Lab) -> None:
    lab.run(HELPER)
    lab.run(USER)
    outcome = lab.run("%opencl link helper -create-library --as=library")
    assert outcome.error is None
    assert "library library" in outcome.text
    assert lab.run("%opencl link library user --as=prog").error is None


def test_an_object_that_does_not_compile_is_unbound_and_its_log_kept(lab: Lab) -> None:
    lab.run(HELPER)
    outcome = lab.run(HELPER.replace("--as", "--save-log=log --as").replace("2 * x", "missing"))
    assert isinstance(outcome.error, BuildError)
    assert outcome.diagnostics[0]["line"] == 4
    assert "helper" not in lab.names
    log = lab.names["log"]
    assert isinstance(log, BuildLog)
    assert not log.ok
    assert "missing" in log


def test_s_12_s_15_a_log_is_a_text_with_the_facts_of_its_build(lab: Lab) -> None:
    cell = "%%opencl --save-log=log -DN=4\n#warning look here\nkernel void f(global int *x) { x[0] = N; }"
    lab.run(cell)
    log = lab.names["log"]
    assert "look here" in log
    assert (log.ok, log.options, log.diagnostics[0].line) == (True, ("-DN=4",), 2)
    lab.run(cell)
    assert lab.names["log"].from_cache
    assert lab.names["log"] == log


def test_what_link_and_compile_lines_refuse(lab: Lab) -> None:
    lab.run(HELPER)
    assert isinstance(lab.run("%%opencl --compile\nint f;").error, MagicLineError)
    assert isinstance(lab.run("%%opencl --compile --as=p --run='f()'\nint f;").error, MagicLineError)
    assert isinstance(lab.run("%opencl link").error, MagicLineError)
    assert "did you mean helper?" in str(lab.run("%opencl link helpr --as=p").error)
    assert isinstance(lab.run("%opencl link helper --device=cpu").error, MagicLineError)


def test_s_16_an_edited_header_renews_objects_and_what_is_linked_of_them(lab: Lab) -> None:
    lab.run("%%opencl --header=k.h\n#define K 3\nint square(int x);\n")
    lab.run('%%opencl --compile --as=helpers\n#include "k.h"\nint square(int x) { return x * x + K; }')
    user = '#include "k.h"\nkernel void go(global int *x) { x[get_global_id(0)] = square(4) + 100 * K; }'
    lab.run(f"%%opencl --compile --as=user\n{user}")
    lab.run("%opencl link user helpers --as=prog\nimport numpy as np\nx = np.zeros(2, dtype=np.int32)")
    lab.run("go(x, global_size=2)")
    assert lab.names["x"].tolist() == [319, 319]
    said = lab.run("%%opencl --header=k.h\n#define K 5\nint square(int x);\n").text
    assert "built again at the next run: go, prog" in said
    assert "compiled again at the next link: helpers, user" in said
    lab.run("go(x, global_size=2)")
    assert lab.names["x"].tolist() == [521, 521]
    lab.run("x[:] = 0")
    assert lab.run("%opencl link user helpers --as=again").error is None
    lab.run("again['go'](x, global_size=2)")
    assert lab.names["x"].tolist() == [521, 521]
    lab.run("%%opencl --header=k.h\n#define K 5\n#define square square_of\nint square(int x);\n")
    assert lab.run("%opencl link user --as=broken").error is not None


def test_s_33_a_link_that_an_edited_header_breaks_is_told_with_the_names(lab: Lab) -> None:
    lab.run("%%opencl --header=k.h\nint square(int x);\n")
    lab.run('%%opencl --compile --as=helpers\n#include "k.h"\nint square(int x) { return x * x; }')
    lab.run('%%opencl --compile --as=user\n#include "k.h"\nkernel void go(global int *x) { x[0] = square(4); }')
    lab.run("%opencl link user helpers --as=prog")
    lab.run("%%opencl --header=k.h\nint square(int x);\nint both(int x) { return x; }\n")
    error = lab.run("go(x, global_size=1)").error
    assert isinstance(error, BuildError)
    assert "'both' is defined in" in error.result.diagnostics[0].message
