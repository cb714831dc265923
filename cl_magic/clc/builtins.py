"""Names and one-line signatures of OpenCL C's built-in functions: for spelling hints and notes (OpenCL C 3.0, 6.15).

The notation is the specification's: ``gentype`` stands for the types that the group of functions takes.
"""

from __future__ import annotations

import difflib
import functools
import re
from collections.abc import Iterable, Iterator

_WORK_ITEM = """\
uint get_work_dim()
size_t get_global_size(uint dimension)
size_t get_global_id(uint dimension)
size_t get_local_size(uint dimension)
size_t get_enqueued_local_size(uint dimension)
size_t get_local_id(uint dimension)
size_t get_num_groups(uint dimension)
size_t get_group_id(uint dimension)
size_t get_global_offset(uint dimension)
size_t get_global_linear_id()
size_t get_local_linear_id()
uint get_sub_group_size()
uint get_num_sub_groups()
uint get_sub_group_id()
uint get_sub_group_local_id()
void barrier(cl_mem_fence_flags flags)
void work_group_barrier(cl_mem_fence_flags flags)
void sub_group_barrier(cl_mem_fence_flags flags)
void mem_fence(cl_mem_fence_flags flags)
void read_mem_fence(cl_mem_fence_flags flags)
void write_mem_fence(cl_mem_fence_flags flags)
event_t async_work_group_copy(local gentype *dst, const global gentype *src, size_t elements, event_t event)
event_t async_work_group_strided_copy(local gentype *dst, const global gentype *src, size_t elements, size_t stride, \
event_t event)
void wait_group_events(int count, event_t *events)
void prefetch(const global gentype *p, size_t elements)
int printf(constant char *format, ...)
int work_group_all(int predicate)
int work_group_any(int predicate)
gentype work_group_broadcast(gentype a, size_t local_id)
gentype work_group_reduce_add(gentype x)
gentype work_group_reduce_min(gentype x)
gentype work_group_reduce_max(gentype x)
gentype work_group_scan_inclusive_add(gentype x)
gentype work_group_scan_exclusive_add(gentype x)
"""

_POINTERS = """\
gentype fract(gentype x, gentype *floor)
gentype frexp(gentype x, int *exponent)
gentype lgamma_r(gentype x, int *sign)
gentype modf(gentype x, gentype *integral)
gentype remquo(gentype x, gentype y, int *quotient)
gentype sincos(gentype x, gentype *cosine)
gentype ldexp(gentype x, int k)
gentype pown(gentype x, int y)
gentype rootn(gentype x, int y)
int ilogb(gentype x)
gentype nan(uint code)
"""

_GEOMETRY = """\
float4 cross(float4 p0, float4 p1)
float dot(gentype p0, gentype p1)
float distance(gentype p0, gentype p1)
float length(gentype p)
gentype normalize(gentype p)
float fast_distance(gentype p0, gentype p1)
float fast_length(gentype p)
gentype fast_normalize(gentype p)
gentype clamp(gentype x, gentype low, gentype high)
gentype mix(gentype x, gentype y, gentype a)
gentype step(gentype edge, gentype x)
gentype smoothstep(gentype edge0, gentype edge1, gentype x)
gentype degrees(gentype radians)
gentype radians(gentype degrees)
gentype sign(gentype x)
gentype select(gentype a, gentype b, igentype c)
gentype bitselect(gentype a, gentype b, gentype c)
int any(igentype x)
int all(igentype x)
gentype shuffle(gentypem x, ugentype mask)
gentype shuffle2(gentypem x, gentypem y, ugentype mask)
int vec_step(gentype a)
"""

_IMAGES = """\
float4 read_imagef(image, sampler_t sampler, coord)
int4 read_imagei(image, sampler_t sampler, coord)
uint4 read_imageui(image, sampler_t sampler, coord)
half4 read_imageh(image, sampler_t sampler, coord)
void write_imagef(image, coord, float4 color)
void write_imagei(image, coord, int4 color)
void write_imageui(image, coord, uint4 color)
void write_imageh(image, coord, half4 color)
int get_image_width(image)
int get_image_height(image)
int get_image_depth(image)
int get_image_channel_data_type(image)
int get_image_channel_order(image)
int2 get_image_dim(image)
size_t get_image_array_size(image)
"""

# Functions of one pattern: their signature, then their names.
_FAMILIES = {
    "gentype {}(gentype x)": (
        "acos acosh acospi asin asinh asinpi atan atanh atanpi cbrt ceil cos cosh cospi erf erfc exp exp2 exp10 "
        "expm1 fabs "
        "floor lgamma log log2 log10 log1p logb rint round rsqrt sin sinh sinpi sqrt tan tanh tanpi tgamma "
        "trunc half_cos "
        "half_exp half_exp2 half_exp10 half_log half_log2 half_log10 half_recip half_rsqrt half_sin half_sqrt half_tan "
        "native_cos native_exp native_exp2 native_exp10 native_log native_log2 native_log10 native_recip native_rsqrt "
        "native_sin native_sqrt native_tan clz ctz popcount"
    ),
    "gentype {}(gentype x, gentype y)": (
        "atan2 atan2pi copysign fdim fmax fmin fmod hypot maxmag minmag nextafter pow powr remainder "
        "half_divide half_powr "
        "native_divide native_powr max min add_sat sub_sat hadd rhadd mul_hi rotate mul24"
    ),
    "gentype {}(gentype a, gentype b, gentype c)": "fma mad mad_hi mad_sat mad24",
    "ugentype {}(gentype x)": "abs",
    "ugentype {}(gentype x, gentype y)": "abs_diff upsample",
    "int {}(gentype x, gentype y)": (
        "isequal isnotequal isgreater isgreaterequal isless islessequal islessgreater isordered isunordered"
    ),
    "int {}(gentype x)": "isfinite isinf isnan isnormal signbit",
    "int {}(volatile global int *p, int value)": (
        "atomic_add atomic_sub atomic_xchg atomic_min atomic_max atomic_and atomic_or atomic_xor"
    ),
    "int {}(volatile global int *p)": "atomic_inc atomic_dec",
    "int {}(volatile global int *p, int compare, int value)": "atomic_cmpxchg",
    "C {}(volatile A *object, M operand)": (
        "atomic_fetch_add atomic_fetch_sub atomic_fetch_or atomic_fetch_xor atomic_fetch_and atomic_fetch_min "
        "atomic_fetch_max atomic_exchange"
    ),
    "C {}(volatile A *object)": "atomic_load",
    "void {}(volatile A *object, C value)": "atomic_store atomic_init",
    "C {}(volatile A *object, M operand, memory_order order, memory_scope scope)": (
        "atomic_fetch_add_explicit atomic_fetch_sub_explicit atomic_fetch_min_explicit atomic_fetch_max_explicit "
        "atomic_exchange_explicit"
    ),
}

_SCALARS = ["char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "float", "double", "half"]
_FLOATS = frozenset({"float", "double", "half"})
_LENGTHS = (2, 3, 4, 8, 16)
_ROUNDINGS = ("", "_rte", "_rtz", "_rtp", "_rtn")
_CONSTANTS = [
    "CLK_LOCAL_MEM_FENCE",
    "CLK_GLOBAL_MEM_FENCE",
    "CLK_IMAGE_MEM_FENCE",
    "M_PI_F",
    "M_E_F",
    "M_PI",
    "M_E",
    "M_SQRT2_F",
    "M_PI_2_F",
    "FLT_MAX",
    "FLT_MIN",
    "FLT_EPSILON",
    "INT_MAX",
    "INT_MIN",
    "UINT_MAX",
    "LONG_MAX",
    "ULONG_MAX",
    "CHAR_BIT",
    "INFINITY",
    "NAN",
    "MAXFLOAT",
    "NULL",
    "CLK_NORMALIZED_COORDS_FALSE",
    "CLK_NORMALIZED_COORDS_TRUE",
    "CLK_ADDRESS_CLAMP",
    "CLK_ADDRESS_CLAMP_TO_EDGE",
    "CLK_ADDRESS_REPEAT",
    "CLK_ADDRESS_NONE",
    "CLK_FILTER_NEAREST",
    "CLK_FILTER_LINEAR",
]
_TYPES = (
    *_SCALARS,
    *(f"{scalar}{n}" for scalar in _SCALARS for n in _LENGTHS),
    *[
        "bool",
        "size_t",
        "ptrdiff_t",
        "intptr_t",
        "uintptr_t",
        "void",
        "event_t",
        "sampler_t",
        "queue_t",
        "image1d_t",
        "image1d_array_t",
    ],
    *["image1d_buffer_t", "image2d_t", "image2d_array_t", "image2d_depth_t", "image3d_t", "cl_mem_fence_flags"],
)
_CLOSE_ENOUGH = 0.75
_NAME = re.compile(r"(\w+)\(")


def _vector_memory() -> Iterator[str]:
    for n in _LENGTHS:
        yield f"gentype{n} vload{n}(size_t offset, const gentype *p)"
        yield f"void vstore{n}(gentype{n} data, size_t offset, gentype *p)"
    for width in ("", *map(str, _LENGTHS)):
        yield f"float{width} vload_half{width}(size_t offset, const half *p)"
        for rounding in _ROUNDINGS:
            yield f"void vstore_half{width}{rounding}(float{width} data, size_t offset, half *p)"


def _conversions() -> Iterator[str]:
    for scalar in _SCALARS:
        for name in (scalar, *(f"{scalar}{n}" for n in _LENGTHS)):
            yield f"{name} as_{name}(value of the same size)"
            for saturation in ("",) if scalar in _FLOATS else ("", "_sat"):
                for rounding in _ROUNDINGS:
                    yield f"{name} convert_{name}{saturation}{rounding}(value with as many components)"


@functools.cache
def _signatures() -> dict[str, str]:
    lines = [*(_WORK_ITEM + _POINTERS + _GEOMETRY + _IMAGES).splitlines(), *_vector_memory(), *_conversions()]
    lines += [pattern.format(name) for pattern, names in _FAMILIES.items() for name in names.split()]
    found = ((_NAME.search(line), line) for line in lines)
    return {match.group(1): line for match, line in found if match}


def builtin_names() -> frozenset[str]:
    """Names of the built-in functions in the table.

    Examples
    --------
    >>> {"get_global_id", "vload4", "convert_int4_sat_rte"} <= builtin_names()
    True
    """
    return frozenset(_signatures())


def builtin_signature(name: str) -> str:
    """Declaration of a built-in function, "" for other names.

    Examples
    --------
    >>> builtin_signature("get_global_id")
    'size_t get_global_id(uint dimension)'
    >>> builtin_signature("no_such_function")
    ''
    """
    return _signatures().get(name, "")


def did_you_mean(name: str, own_names: Iterable[str] = ()) -> str | None:
    """Most similar name of a built-in function, constant or type, or of the program's own.

    Parameters
    ----------
    name : str
        What nobody declares.
    own_names : iterable of str, optional
        Functions, variables and parameters of the program.

    Returns
    -------
    str or None
        None where nothing is similar enough to be worth a hint.

    Examples
    --------
    >>> did_you_mean("get_globl_id")
    'get_global_id'
    >>> did_you_mean("widht", ["width", "height"])
    'width'
    >>> did_you_mean("zzz") is None
    True
    """
    own = [other for other in dict.fromkeys(own_names) if other != name]
    for names in (own, [*_signatures(), *_CONSTANTS, *_TYPES]):
        # The program's own names come first: of two equally similar ones they are the likelier.
        same = [other for other in names if other.lower() == name.lower()]
        close = same or difflib.get_close_matches(name, names, 1, _CLOSE_ENOUGH)
        if close:
            return close[0]
    return None
