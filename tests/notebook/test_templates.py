"""Function templates and overloads in cells: ``--template``, the kernels that it binds, errors on the cell's lines."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from support.shell import Lab, fresh_lab

from cl_magic.errors import BuildError, KernelNotFoundError
from cl_magic.magics.publish import DIAGNOSTICS_MIME

SCALE = """template<class T> kernel void scale(global T *x, T a)
{
    x[get_global_id(0)] *= a;
}
"""


@pytest.fixture
def lab() -> Iterator[Lab]:
    with fresh_lab() as made:
        made.run("import numpy as np\nx = np.arange(4, dtype=np.float32)")
        yield made


def test_s_23_instances_are_bound_by_their_raw_names_and_reached_by_the_registered_ones(lab: Lab) -> None:
    outcome = lab.run(f"%%opencl --template='scale<float>' --template 'scale<int4>' --as=p\n{SCALE}")
    assert outcome.error is None
    assert "scale<float>" in outcome.text
    lab.run("p['scale<float>'](x, 2.0, global_size=4)\nscale__float(x, 2.0, global_size=4)")
    assert lab.names["x"].tolist() == [0, 4, 8, 12]
    assert lab.names["p"].raw_name("scale<int4>") == "scale__int4"


def test_an_error_in_a_template_is_on_the_cells_line_and_unbinds_its_instances(lab: Lab) -> None:
    lab.run(f"%%opencl --template='scale<float>'\n{SCALE}")
    assert "scale__float" in lab.names
    outcome = lab.run(f"%%opencl --template='scale<float>' --template='scale<int>'\n{SCALE.replace('= a', '= aa')}")
    assert isinstance(outcome.error, BuildError)
    said = outcome.displays[0][DIAGNOSTICS_MIME]["diagnostics"]
    assert [(d["line"], d["severity"]) for d in said] == [(4, "error")]
    assert "in the instances scale<float> and scale<int>" in outcome.displays[0]["text/plain"]
    assert "scale__float" not in lab.names


def test_a_cell_of_templates_alone_says_how_to_name_an_instance(lab: Lab) -> None:
    outcome = lab.run(f"%%opencl\n{SCALE}")
    assert isinstance(outcome.error, KernelNotFoundError)
    assert "--template='scale<float>'" in outcome.error.remedy
