"""Captures by type on every device: in terms of the user's array, also where another form travelled."""

from __future__ import annotations

import numpy as np

import cl_magic as clm
from cl_magic.launch.limits import DeviceInfo

SOURCE = """
struct P { char c; float3 pos; int n; };
kernel void f(global struct P *p, global float3 *v, global float4 *w, global uchar *b)
{
    int i = get_global_id(0);
    p[i].n = i; v[i] *= 2; w[i] += 1; b[i] = i;
}
"""


def test_captures_know_their_types(device: DeviceInfo) -> None:
    packed = np.zeros(40, [("c", "i1"), ("pos", "f4", 3), ("n", "i4")])
    packed["c"] = 7
    triples = np.ones((40, 3), np.float32)
    program = clm.build(SOURCE, device=device)
    run = program.f(packed, triples, np.zeros((40, 4), np.float32), np.zeros(40, np.uint8), global_size=40)
    records = run.capture("p")
    by_name = {member.name: member for member in records.members}
    assert records.element_type == "struct P"
    assert records.changed == 39
    assert by_name["n"].changed == 39
    assert by_name["c"].before.maximum == 7
    assert by_name["n"].after is not None
    assert by_name["n"].after.maximum == 39
    assert packed["n"].tolist() == list(range(40))
    assert (run.capture("v").shape, run.capture("v").element_type) == ((40, 3), "float3")
    after = run.capture("v").after
    assert after is not None
    assert (after.count, after.minimum) == (120, 2.0)
    assert run.capture("w").element_type == "float4"
    assert run.capture("b").excerpt is not None
