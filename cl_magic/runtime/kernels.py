"""Kernels of a built program: one object each, their signatures and work-group facts as the device tells them."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, cast

from cl_magic.build.result import KernelInfo, WorkGroupInfo
from cl_magic.clc.signature import AccessQualifier, AddressQualifier, KernelSignature, Parameter
from cl_magic.runtime.opencl import opencl

_ATTRIBUTE_SIZES = r"{}\s*\(\s*(\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*\)"
_POCL_PREFIX = "_cl_"
_CALLED = re.compile(r"\b([A-Za-z_]\w*)\s*\(")
_VEC_TYPE = re.compile(r"vec_type_hint\s*\(\s*(\w+)\s*\)")


def kernels_of(raw: Any, text: str) -> dict[str, Any]:  # noqa: ANN401 - PyOpenCL's objects
    """Kernel objects by the name in the source, in its order; each is made once and used for every launch."""
    made = {written_name(name_on_device(kernel), text): kernel for kernel in raw.all_kernels()}
    places: dict[str, int] = {}
    for match in _CALLED.finditer(text):  # one pass: a program may have thousands of kernels
        places.setdefault(match[1], match.start())
    return {name: made[name] for name in sorted(made, key=lambda name: places.get(name, len(text)))}


def name_on_device(kernel: Any) -> str:  # noqa: ANN401 - PyOpenCL's kernel
    """The name that the driver knows a kernel by."""
    return str(kernel.function_name).rstrip("\0")


def written_name(name: str, text: str) -> str:
    """The name in the source for a name on the device.

    PoCL's headers define its built-in functions as macros (``#define dot _cl_dot``), which renames a user's kernel
    ``dot`` too.

    Examples
    --------
    >>> written_name("_cl_dot", "kernel void dot(global float *x) { }")
    'dot'
    >>> written_name("_cl_dot", "kernel void _cl_dot(global float *x) { }")
    '_cl_dot'
    """
    plain = name.removeprefix(_POCL_PREFIX)
    renamed = plain != name and not _has_word(name, text) and _has_word(plain, text)
    return plain if renamed else name


def _has_word(word: str, text: str) -> bool:
    return re.search(rf"\b{re.escape(word)}\b", text) is not None


def describe_kernel(name: str, kernel: Any, device: Any) -> KernelInfo:  # noqa: ANN401 - PyOpenCL's objects
    """Signature (clGetKernelArgInfo) and work-group facts (clGetKernelWorkGroupInfo; OpenCL 1.2, 5.7.3)."""
    work_group = _work_group(kernel, device)
    attributes = str(_asked(lambda: kernel.attributes, ""))
    required = work_group.compile_work_group_size
    signature = KernelSignature(
        name,
        parameters=tuple(_parameter(kernel, index) for index in range(int(kernel.num_args))),
        reqd_work_group_size=required if any(required) else _sizes("reqd_work_group_size", attributes),
        work_group_size_hint=_sizes("work_group_size_hint", attributes),
        vec_type_hint=found[1] if (found := _VEC_TYPE.search(attributes)) else None,
        origin="device",
    )
    return KernelInfo(signature, work_group)


def _asked(question: Callable[[], Any], default: Any) -> Any:  # noqa: ANN401 - any fact
    try:
        return question()
    except opencl().Error:
        return default


def _sizes(attribute: str, text: str) -> tuple[int, int, int] | None:
    found = re.search(_ATTRIBUTE_SIZES.format(attribute), text)
    return (int(found[1]), int(found[2]), int(found[3])) if found else None


def _work_group(kernel: Any, device: Any) -> WorkGroupInfo:  # noqa: ANN401 - PyOpenCL's objects
    queries = opencl().kernel_work_group_info

    def ask(name: str, default: Any) -> Any:  # noqa: ANN401 - a number or three
        return _asked(lambda: kernel.get_work_group_info(getattr(queries, name), device), default)

    x, y, z = (int(size) for size in ask("COMPILE_WORK_GROUP_SIZE", (0, 0, 0)))
    return WorkGroupInfo(
        max_work_group_size=int(ask("WORK_GROUP_SIZE", 1)),
        preferred_multiple=int(ask("PREFERRED_WORK_GROUP_SIZE_MULTIPLE", 1)),
        compile_work_group_size=(x, y, z),
        local_mem_bytes=int(ask("LOCAL_MEM_SIZE", 0)),
        private_mem_bytes=int(ask("PRIVATE_MEM_SIZE", 0)),
    )


def _parameter(kernel: Any, index: int) -> Parameter:  # noqa: ANN401 - PyOpenCL's kernel
    cl = opencl()
    queries = cl.kernel_arg_info

    def ask(name: str, default: Any) -> Any:  # noqa: ANN401 - a text or a number
        return _asked(lambda: kernel.get_arg_info(index, getattr(queries, name)), default)

    type_name = str(ask("TYPE_NAME", "")).strip()
    bits = int(ask("TYPE_QUALIFIER", 0))
    kinds = cl.kernel_arg_type_qualifier
    return Parameter(
        index,
        name=str(ask("NAME", "")).strip() or f"arg{index}",
        type_name=type_name,
        address=cast(
            "AddressQualifier", _word(cl.kernel_arg_address_qualifier, ask("ADDRESS_QUALIFIER", 0), "private")
        ),
        access=cast("AccessQualifier", _word(cl.kernel_arg_access_qualifier, ask("ACCESS_QUALIFIER", 0), "none")),
        qualifiers=tuple(q for q in ("const", "restrict", "volatile") if bits & int(getattr(kinds, q.upper()))),
        written_type=type_name,
    )


def _word(constants: Any, number: int, default: str) -> str:  # noqa: ANN401 - a class of PyOpenCL's constants
    return next(
        (name.lower() for name, value in vars(constants).items() if name.isupper() and value == number), default
    )
