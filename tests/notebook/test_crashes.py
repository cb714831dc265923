"""Kernels that reach where they must not, in a shell: a clear error, all else kept (issue 3, 1)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from support.shell import Lab, fresh_lab

from cl_magic.errors import KernelCrashedError, OutOfBoundsError
from cl_magic.launch.limits import DeviceInfo

WRITE = "%%opencl --device={device}\nkernel void poke(global int *y, long at) {{ y[at] = 42; }}"
PROBE = """%%opencl --device={device} --run='probe(z)' --global=4
kernel void probe(global int *z) {{ z[get_global_id(0)] = 3; }}"""
BARRIER = """%%opencl --device={device}
kernel void f(global int *y, local int *t) {{
    int l = get_local_id(0);
    t[l] = l;
    if (l < 5) {{ barrier(CLK_LOCAL_MEM_FENCE); }}
    y[get_global_id(0)] = t[(l + 1) % 8];
}}"""
SETUP = (
    "import numpy as np, cl_magic as clm\na = np.arange(16, dtype=np.int32)\nc = a.copy()\nz = np.zeros(4, np.int32)\n"
    "kept = {'list': [1, 2], 'text': 'x'}"
)


@pytest.fixture
def lab() -> Iterator[Lab]:
    with fresh_lab() as made:
        made.run(SETUP)
        yield made


def _is_right(lab: Lab, device: DeviceInfo) -> None:
    """The next cell runs and is right, and nothing of the notebook was changed."""
    outcome = lab.run(PROBE.format(device=device.id))
    assert outcome.error is None
    assert lab.names["z"].tolist() == [3, 3, 3, 3]
    assert lab.names["c"].tolist() == list(range(16))
    assert lab.names["kept"] == {"list": [1, 2], "text": "x"}


def _cpu(device: DeviceInfo) -> None:
    if device.simulator or "cpu" not in device.type:
        pytest.skip("a simulator finds these itself; a GPU may miss them")


@pytest.mark.parametrize("at", [16, -1, 1 << 30, -(1 << 30)])
def test_a_write_outside_the_array(lab: Lab, device: DeviceInfo, at: int) -> None:
    """Case 33: near and far, before and behind; found while it runs or after it."""
    _cpu(device)
    assert lab.run(WRITE.format(device=device.id)).error is None
    outcome = lab.run(f"poke(a, {at}, global_size=1)")
    assert isinstance(outcome.error, KernelCrashedError | OutOfBoundsError)
    assert "The kernel poke" in outcome.text
    assert "Your variables are kept" in outcome.text
    assert len(outcome.displays) == 1
    assert 'role="alert"' in outcome.displays[0]["text/html"]
    assert outcome.error_lines[-1].startswith(type(outcome.error).__name__)
    assert lab.names["a"].tolist() == list(range(16))
    _is_right(lab, device)


def test_a_barrier_that_not_all_reach(lab: Lab, device: DeviceInfo) -> None:
    """Case 31: undefined; the run may end anyhow, the notebook must not."""
    assert lab.run(BARRIER.format(device=device.id)).error is None
    outcome = lab.run("f(a, clm.local(32), global_size=16, local_size=8, timeout=10)")
    if outcome.error is not None:
        assert "Your variables are kept" in outcome.text
    _is_right(lab, device)


def test_an_error_outside_ipython_is_the_whole_report(real_device: DeviceInfo) -> None:
    """Design, 6: `str` of the error is the whole text form."""
    import cl_magic as clm  # noqa: PLC0415 - as a script would

    _cpu(real_device)
    program = clm.build("kernel void poke(global int *y, long at) { y[at] = 42; }", device=real_device)
    with pytest.raises(KernelCrashedError) as caught:
        program.poke(np.zeros(16, np.int32), 1 << 30, global_size=1)
    for words in ("The kernel poke wrote outside its arrays", "what ", "arrays ", "next "):
        assert words in str(caught.value)


def test_restart_ends_the_worker(lab: Lab) -> None:
    lab.run("%%opencl\nkernel void probe(global int *z) { z[get_global_id(0)] = 3; }")
    outcome = lab.run("%opencl restart")
    assert outcome.error is None
    assert "is ended" in outcome.text
    assert lab.run("probe(z, global_size=4)").error is None
    assert lab.names["z"].tolist() == [3, 3, 3, 3]
