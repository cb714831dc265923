"""The front end's signatures equal what the device says of its arguments (R-71, R-82)."""

from __future__ import annotations

import pytest

from cl_magic.build.spec import ProgramSpec
from cl_magic.clc.frontend import front_end
from cl_magic.clc.libclang_location import locate_libclang
from cl_magic.clc.signature import Parameter
from cl_magic.device import engine_for
from cl_magic.engine.commands import Build
from cl_magic.launch.limits import DeviceInfo

SOURCE = """
typedef struct { int a; float b; } Particle;
struct Named { int a; };
union Either { int a; float b; };
kernel void k(global const float *restrict a, global volatile int *b, constant float4 *c, local uint *d, const uchar e,
              global Particle *f, global struct Named *g, struct Named h, Particle i, global union Either *j,
              unsigned int l, global unsigned char *m, global float n[4], global void *o, global half *p, long q,
              int3 r) {}
"""


def facts(parameter: Parameter) -> tuple[object, ...]:
    # A device calls what is behind `constant` const as well; the front end says what is written.
    words = tuple(word for word in parameter.qualifiers if parameter.address != "constant")
    return parameter.name, parameter.type_name.replace(" ", ""), parameter.address, parameter.access, words


def test_arguments_as_the_device_describes_them(device: DeviceInfo) -> None:
    if locate_libclang().reason:
        pytest.skip(locate_libclang().reason)
    built = engine_for(device, "worker").submit(Build(ProgramSpec(SOURCE), device.local_id)).result()
    assert built.ok, built.log
    (said,) = [info.signature for info in built.kernels]
    assert said.origin == "device"
    (read,) = front_end().analyse(SOURCE).kernels
    assert [facts(p) for p in read.parameters] == [facts(p) for p in said.parameters]
