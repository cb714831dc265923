"""Our own ``opencl-c-base.h``: the types, constants and macros of OpenCL C, made from the specification's tables.

libclang declares the built-in functions itself (``-fdeclare-opencl-builtins``) but expects this file for everything
else (OpenCL C 3.0, 6.3 built-in data types, 6.15 constants). The Python wheel of libclang does not carry it.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator

HEADER_NAME = "opencl-c-base.h"

VECTOR_LENGTHS = (2, 3, 4, 8, 16)
"""Components that a vector may have (OpenCL C 3.0, 6.3.2)."""

_INTEGERS = ("char", "uchar", "short", "ushort", "int", "uint", "long", "ulong")
_FLOATS = {"float": "", "double": "cl_khr_fp64", "half": "cl_khr_fp16"}

# What the runtime, not the compiler, defines (OpenCL C 3.0, 6.12); and vendors' extensions that libclang claims for its
# target while it does not declare their functions.
_PREDEFINED = """\
#ifndef __OPENCL_VERSION__
#define __OPENCL_VERSION__ 300
#endif
#undef cl_intel_subgroups
#undef cl_intel_subgroups_short
#undef cl_intel_device_side_avc_motion_estimation
#undef cl_amd_media_ops
#undef cl_amd_media_ops2
"""

_SCALARS = """\
#define NULL ((void*)0)
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef __INTPTR_TYPE__ intptr_t;
typedef __UINTPTR_TYPE__ uintptr_t;
"""

# Integer ranges (OpenCL C 3.0, 6.15.3).
_INTEGER_LIMITS = {
    "CHAR_BIT": "8",
    "CHAR_MAX": "SCHAR_MAX",
    "CHAR_MIN": "SCHAR_MIN",
    "SCHAR_MAX": "127",
    "SCHAR_MIN": "(-127 - 1)",
    "UCHAR_MAX": "255",
    "SHRT_MAX": "32767",
    "SHRT_MIN": "(-32767 - 1)",
    "USHRT_MAX": "65535",
    "INT_MAX": "2147483647",
    "INT_MIN": "(-2147483647 - 1)",
    "UINT_MAX": "0xffffffffU",
    "LONG_MAX": "0x7fffffffffffffffL",
    "LONG_MIN": "(-0x7fffffffffffffffL - 1)",
    "ULONG_MAX": "0xffffffffffffffffUL",
}

# Floating-point ranges (OpenCL C 3.0, 6.15.2, tables of FLT_*, DBL_* and HALF_*).
_FLOAT_LIMITS = {
    "FLT": (6, 24, 38, 128, -37, -125, "0x1.fffffep127f", "0x1.0p-126f", "0x1.0p-23f"),
    "DBL": (
        15,
        53,
        308,
        1024,
        -307,
        -1021,
        "0x1.fffffffffffffp1023",
        "0x1.0p-1022",
        "0x1.0p-52",
    ),
    "HALF": (3, 11, 4, 16, -4, -13, "0x1.ffcp15h", "0x1.0p-14h", "0x1.0p-10h"),
}
_FLOAT_LIMIT_NAMES = ("DIG", "MANT_DIG", "MAX_10_EXP", "MAX_EXP", "MIN_10_EXP", "MIN_EXP", "MAX", "MIN", "EPSILON")

# Mathematical constants, 25 digits: enough for double (OpenCL C 3.0, 6.15.2).
_MATH = {
    "M_E": "2.718281828459045235360287",
    "M_LOG2E": "1.442695040888963407359925",
    "M_LOG10E": "0.4342944819032518276511289",
    "M_LN2": "0.6931471805599453094172321",
    "M_LN10": "2.302585092994045684017991",
    "M_PI": "3.141592653589793238462643",
    "M_PI_2": "1.570796326794896619231322",
    "M_PI_4": "0.7853981633974483096156608",
    "M_1_PI": "0.3183098861837906715377675",
    "M_2_PI": "0.6366197723675813430755351",
    "M_2_SQRTPI": "1.128379167095512573896159",
    "M_SQRT2": "1.414213562373095048801689",
    "M_SQRT1_2": "0.7071067811865475244008444",
}

_MATH_OTHER = """\
#define MAXFLOAT 0x1.fffffep127f
#define HUGE_VALF (__builtin_huge_valf())
#define INFINITY (__builtin_inff())
#define NAN (__builtin_nanf(""))
#define FP_ILOGB0 INT_MIN
#define FP_ILOGBNAN INT_MAX
#define FP_FAST_FMAF 1
#define FLT_RADIX 2
#ifdef cl_khr_fp64
#define HUGE_VAL (__builtin_huge_val())
#endif
"""

# Fence flags (OpenCL C 3.0, 6.15.8) and sampler values (6.15.15.1, numbers of the SPIR 1.2 encoding).
_FENCES = """\
typedef uint cl_mem_fence_flags;
#define CLK_LOCAL_MEM_FENCE 0x01
#define CLK_GLOBAL_MEM_FENCE 0x02
#define CLK_IMAGE_MEM_FENCE 0x04
"""
_SAMPLER = {
    "CLK_ADDRESS_NONE": 0,
    "CLK_ADDRESS_CLAMP_TO_EDGE": 2,
    "CLK_ADDRESS_CLAMP": 4,
    "CLK_ADDRESS_REPEAT": 6,
    "CLK_ADDRESS_MIRRORED_REPEAT": 8,
    "CLK_NORMALIZED_COORDS_FALSE": 0,
    "CLK_NORMALIZED_COORDS_TRUE": 1,
    "CLK_FILTER_NEAREST": 0x10,
    "CLK_FILTER_LINEAR": 0x20,
}

# Values of get_image_channel_data_type and get_image_channel_order (cl.h's CL_SNORM_INT8 … and CL_R …).
_CHANNEL_TYPES = (
    "SNORM_INT8 SNORM_INT16 UNORM_INT8 UNORM_INT16 UNORM_SHORT_565 UNORM_SHORT_555 UNORM_INT_101010 "
    "SIGNED_INT8 SIGNED_INT16 SIGNED_INT32 UNSIGNED_INT8 UNSIGNED_INT16 UNSIGNED_INT32 HALF_FLOAT FLOAT UNORM_INT24 "
    "UNORM_INT_101010_2"
)
_CHANNEL_ORDERS = (
    "R A RG RA RGB RGBA BGRA ARGB INTENSITY LUMINANCE Rx RGx RGBx DEPTH DEPTH_STENCIL sRGB sRGBx sRGBA sBGRA ABGR"
)
_FIRST_CHANNEL_ORDER = 0x10B0
_FIRST_CHANNEL_TYPE = 0x10D0

# OpenCL C 2.0 and later: memory model (6.15.12), enqueue (6.15.16).
_FEATURES_CL2 = (
    "atomic_order_acq_rel atomic_order_seq_cst atomic_scope_device atomic_scope_all_devices device_enqueue "
    "generic_address_space pipes program_scope_global_variables read_write_images subgroups "
    "work_group_collective_functions images int64 fp64 3d_image_writes"
)
_CL2 = """\
#if __OPENCL_C_VERSION__ >= 200
typedef enum memory_scope {
  memory_scope_work_item = __OPENCL_MEMORY_SCOPE_WORK_ITEM,
  memory_scope_work_group = __OPENCL_MEMORY_SCOPE_WORK_GROUP,
  memory_scope_device = __OPENCL_MEMORY_SCOPE_DEVICE,
  memory_scope_all_svm_devices = __OPENCL_MEMORY_SCOPE_ALL_SVM_DEVICES,
  memory_scope_all_devices = memory_scope_all_svm_devices,
  memory_scope_sub_group = __OPENCL_MEMORY_SCOPE_SUB_GROUP
} memory_scope;
typedef enum memory_order {
  memory_order_relaxed = __ATOMIC_RELAXED,
  memory_order_acquire = __ATOMIC_ACQUIRE,
  memory_order_release = __ATOMIC_RELEASE,
  memory_order_acq_rel = __ATOMIC_ACQ_REL,
  memory_order_seq_cst = __ATOMIC_SEQ_CST
} memory_order;
#define ATOMIC_VAR_INIT(value) (value)
#define ATOMIC_FLAG_INIT 0
typedef enum kernel_enqueue_flags {
  CLK_ENQUEUE_FLAGS_NO_WAIT = 0,
  CLK_ENQUEUE_FLAGS_WAIT_KERNEL = 1,
  CLK_ENQUEUE_FLAGS_WAIT_WORK_GROUP = 2
} kernel_enqueue_flags_t;
typedef int clk_profiling_info;
typedef struct {
  uint workDimension;
  size_t globalWorkOffset[3], globalWorkSize[3], localWorkSize[3];
} ndrange_t;
#define CLK_PROFILING_COMMAND_EXEC_INFO 0x1
#define CLK_SUCCESS 0
#define CLK_ENQUEUE_FAILURE (-101)
#define CLK_INVALID_QUEUE (-102)
#define CLK_INVALID_NDRANGE (-160)
#define CLK_INVALID_EVENT_WAIT_LIST (-57)
#define CLK_DEVICE_QUEUE_FULL (-161)
#define CLK_INVALID_ARG_SIZE (-51)
#define CLK_EVENT_ALLOCATION_FAILURE (-100)
#define CLK_OUT_OF_RESOURCES (-5)
#define CLK_NULL_QUEUE 0
#define CLK_NULL_EVENT (__builtin_astype((size_t)(-1), clk_event_t))
#define CLK_NULL_RESERVE_ID (__builtin_astype((size_t)(-1), reserve_id_t))
#define PIPE_RESERVE_ID_VALID_BIT (1U << 30)
#endif
"""

_FUNCTIONS = """\
#if __OPENCL_C_VERSION__ >= 120
int printf(__constant const char *format, ...) __attribute__((format(printf, 1, 2)));
#endif
#define __kernel_exec(X, typen) kernel_exec(X, typen)
#define kernel_exec(X, typen) \\
  __kernel __attribute__((work_group_size_hint(X, 1, 1))) __attribute__((vec_type_hint(typen)))
"""


def _only(macro: str, lines: Iterable[str]) -> Iterator[str]:
    if macro:
        yield f"#ifdef {macro}"
    yield from lines
    if macro:
        yield "#endif"


def _vectors(scalar: str) -> Iterator[str]:
    for length in VECTOR_LENGTHS:
        yield f"typedef {scalar} {scalar}{length} __attribute__((ext_vector_type({length})));"


def _reinterpretations(scalar: str) -> Iterator[str]:
    for name in (scalar, *(f"{scalar}{length}" for length in VECTOR_LENGTHS)):
        yield f"#define as_{name}(x) __builtin_astype((x), {name})"


def _limits() -> Iterator[str]:
    for name, value in _INTEGER_LIMITS.items():
        yield f"#define {name} {value}"
    for prefix, values in _FLOAT_LIMITS.items():
        for name, number in zip(_FLOAT_LIMIT_NAMES, values, strict=True):
            yield f"#define {prefix}_{name} {number}"
    for name, value in _MATH.items():
        yield f"#define {name}_F {value}f"
        yield from _only("cl_khr_fp64", [f"#define {name} {value}"])
        yield from _only("cl_khr_fp16", [f"#define {name}_H {value}h"])


def _images() -> Iterator[str]:
    for name, value in _SAMPLER.items():
        yield f"#define {name} {value:#x}"
    for first, names in ((_FIRST_CHANNEL_ORDER, _CHANNEL_ORDERS), (_FIRST_CHANNEL_TYPE, _CHANNEL_TYPES)):
        for offset, name in enumerate(names.split()):
            yield f"#define CLK_{name} {first + offset:#x}"


def _features() -> Iterator[str]:
    # Without this one, builtins with pointer results (sincos, modf, fract …) stay undeclared.
    yield "#define __opencl_c_named_address_space_builtins 1"
    # What a device may lack is the device's to refuse: here every feature is there.
    yield "#if __OPENCL_C_VERSION__ >= 200"
    yield "#define __opencl_subgroup_builtins 1"
    for name in _FEATURES_CL2.split():
        yield from (f"#ifndef __opencl_c_{name}", f"#define __opencl_c_{name} 1", "#endif")
    yield "#endif"


@functools.cache
def base_header() -> str:
    """Text of the virtual ``opencl-c-base.h``.

    Returns
    -------
    str
        C text that declares nothing twice and depends on ``__OPENCL_C_VERSION__`` and the ``cl_khr_*`` macros only.

    Examples
    --------
    >>> "typedef float float4" in base_header()
    True
    >>> "#define M_PI_F 3.14159" in base_header()
    True
    """
    lines: list[str] = [_PREDEFINED, _SCALARS, *_features()]
    for scalar in (*_INTEGERS, *_FLOATS):
        lines += _only(_FLOATS.get(scalar, ""), [*_vectors(scalar), *_reinterpretations(scalar)])
    lines += ["#define as_size_t(x) __builtin_astype((x), size_t)", *_limits(), _MATH_OTHER, _FENCES, *_images()]
    return "\n".join([*lines, _CL2, _FUNCTIONS])
