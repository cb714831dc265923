"""Calls that cannot be right: arguments, sizes; and values that must come through unharmed."""

from __future__ import annotations

from random import Random

from campaign.case import ARGUMENT, DONE, NDRANGE, RIGHT, Case, Target

_KERNEL = """kernel void k(global const float *x, global float *y, float a, int n)
{
    int i = get_global_id(0);
    if (i < n) y[i] = a * x[i];
}
"""
_GOOD = {"x": "np.ones({n}, np.float32)", "y": "np.zeros({n}, np.float32)"}
_WRONG_ARRAYS = {
    "float64": "np.ones({n})",
    "int32": "np.ones({n}, np.int32)",
    "float16": "np.ones({n}, np.float16)",
    "complex64": "np.ones({n}, np.complex64)",
    "bool": "np.ones({n}, bool)",
    "objects": "np.array([None] * {n}, dtype=object)",
    "text": "np.array(['a'] * {n})",
    "dates": "np.zeros({n}, 'M8[s]')",
    "big-endian": "np.ones({n}, '>f4')",
    "records": "np.zeros({n}, [('a', 'f4'), ('b', 'i4')])",
    "a list": "[1.0] * {n}",
    "a tuple": "(1.0,) * {n}",
    "a number": "1.0",
    "a NumPy number": "np.float32(2)",
    "a text": "'x'",
    "bytes": "bytes({n})",
    "a dict": "{{}}",
    "a function": "len",
    "a type": "np.float32",
    "an iterator": "iter([1, 2])",
    "a module": "np",
}
_WRONG_NUMBERS = {
    "a": ("'2'", "None", "1j", "[1.0]", "np.zeros(3, np.float32)", "10**400", "b'1'", "object()", "{{}}"),
    "n": ("1.5", "2**31", "-2**40", "None", "'3'", "np.float32(1.5)", "10**30", "float('nan')", "[4]", "1 + 0j"),
}


def wrong_array(rng: Random, _target: Target) -> Case:
    """A value of another kind where a `float *` is wanted."""
    count = rng.choice((1, 7, 64, 1000))
    name = rng.choice(tuple(_WRONG_ARRAYS))
    where = rng.choice(("x", "y"))
    arrays = {key: text.format(n=count) for key, text in _GOOD.items()}
    wrong = _WRONG_ARRAYS[name].format(n=count)
    values = {"x": "x", "y": "y", where: f"({wrong})"}
    how = rng.choice(("{x}, {y}, 2.0, {n}", "{x}, n={n}, a=2.0, y={y}", "a=2.0, n={n}, x={x}, y={y}"))
    call = f"k({how.format(n=count, **values)}, global_size={count})"
    return Case("wrong argument", f"{name} of {count} for {where}", _KERNEL, call, (ARGUMENT,), arrays)


def wrong_number(rng: Random, _target: Target) -> Case:
    """A value that does not fit a `float` or an `int`."""
    count = rng.choice((1, 7, 64))
    where = rng.choice(("a", "n"))
    wrong = rng.choice(_WRONG_NUMBERS[where]).replace("{{}}", "{}")
    values = {"a": "2.0", "n": str(count), where: wrong}
    arrays = {key: text.format(n=count) for key, text in _GOOD.items()}
    call = f"k(x, y, {values['a']}, {values['n']}, global_size={count})"
    return Case("wrong argument", f"{wrong} for {where}, {count}", _KERNEL, call, (ARGUMENT,), arrays)


_WRONG_COUNTS = (
    "k(global_size=4)",
    "k(x, global_size=4)",
    "k(x, y, 2.0, global_size=4)",
    "k(x, y, 2.0, 4, 5, global_size=4)",
    "k(x, y, 2.0, 4, *range(100), global_size=4)",
    "k(x, y, 2.0, 4, x=x, global_size=4)",
    "k(x, y, 2.0, n=4, m=5, global_size=4)",
    "k(x=x, y=y, alpha=2.0, n=4, global_size=4)",
    "k(x, y, 2.0, 4, global_size=4, timeout=-1)",
    "k(x, y, 2.0, 4, global_size=4, timeout='soon')",
    "k(x, y, 2.0, 4, global_size=4, repeat=0)",
    "k(x, y, 2.0, 4, global_size=4, repeat=10**9)",
    "k(x, y, 2.0, 4, global_size=4, warmup=-1)",
    "k(x, y, 2.0, 4, global_size=4, capture='some')",
    "k(x, y, 2.0, 4, global_size=4, engine='cloud')",
    "k(x, y, 2.0, 4, global_size=4, remainder='maybe')",
    "k(x, y, 2.0, 4, global_size=4, queue=7)",
)


def wrong_count(rng: Random, _target: Target) -> Case:
    """Too few, too many, twice, unknown; launch words with values they cannot have."""
    call = rng.choice(_WRONG_COUNTS)
    arrays = {key: text.format(n=rng.choice((4, 5, 6, 8))) for key, text in _GOOD.items()}
    return Case("wrong call", call[2:-1], _KERNEL, call, (ARGUMENT,), arrays)


_WRONG_SIZES = (
    "-1", "0.5", "'16'", "(4, -4)", "(1, 2, 3, 4)", "(2, 2, 2, 2, 2)", "()", "2**64", "2**63", "10**30",
    "(2**40, 2**40)",
    "[None]", "None", "{}", "(4, '4')", "float('inf')", "float('nan')", "True", "object()", "(4.5, 4)", "1j",
    "4, local_size=-2", "4, local_size=0", "4, local_size=(2, 2)", "4, local_size='a'", "8, local_size=2**33",
    "8, local_size=10**6", "4, global_offset=-1", "4, global_offset=(1, 2)", "4, local_size=3, remainder='error'",
    "(8, 8), local_size=(8,)", "4, global_offset='x'", "(4, 4), local_size=(4096, 4096)", "4, global_offset=2**64",
)  # fmt: skip


def wrong_size(rng: Random, _target: Target) -> Case:
    """Sizes that no range can have."""
    size = rng.choice(_WRONG_SIZES)
    arrays = {key: text.format(n=rng.choice((16, 17, 32, 64))) for key, text in _GOOD.items()}
    call = f"k(x, y, 2.0, 4, global_size={size})"
    return Case("wrong size", size, _KERNEL, call, (NDRANGE, ARGUMENT), arrays)


_PATTERNS = (0x7FC00000, 0xFFC00000, 0x7F800001, 0x7FFFFFFF, 0xFF812345, 0x7F800000, 0x80000000, 0x00000001, 0x7FA00000)


def nan_flood(rng: Random, target: Target) -> Case:
    """Arrays full of NaN payloads, infinities and denormals: copied bit for bit, and added without an end."""
    count = rng.choice((1, 64, 1000, 65536)) if not target.simulator else 64
    pattern = rng.choice(_PATTERNS)
    arrays = {
        "x": f"(np.arange({count}, dtype=np.uint32) * {rng.choice((0, 1, 7))} + np.uint32({pattern})).view(np.float32)",
        "y": f"np.zeros({count}, np.float32)",
    }
    if rng.random() < 0.5:
        source = "kernel void k(global const uint *x, global uint *y) { size_t i = get_global_id(0); y[i] = x[i]; }"
        arrays = {name: f"({text}).view(np.uint32)" for name, text in arrays.items()}
        check, allowed = "same(x, y)", (RIGHT,)
    else:
        body = "size_t i = get_global_id(0); y[i] = x[i] * 1.5f + y[i];"
        source = f"kernel void k(global const float *x, global float *y) {{ {body} }}"
        check, allowed = "np.isnan(y[np.isnan(x)]).all()", (RIGHT,)
    call = f"k(x, y, global_size={count})"
    return Case("NaN flood", f"{pattern:#x} × {count}{' as uint' if 'uint' in source else ''}", source, call, allowed,
                arrays, check=check)  # fmt: skip


_OVERLAPS = (
    ("the same array twice", "base", "base"),
    ("overlapping slices", "base[:48]", "base[16:]"),
    ("one element shared", "base[:33]", "base[32:]"),
    ("a reversed view", "base", "base[::-1]"),
    ("every second", "base[::2]", "base[1::2]"),
    ("halves", "base[:32]", "base[32:]"),
    ("another shape", "base", "base.reshape(8, 8)"),
    ("transposed", "base.reshape(8, 8)", "base.reshape(8, 8).T"),
    ("another type", "base", "base.view(np.int32).view(np.float32)"),
    ("empty", "base", "base[:0]"),
)


def aliasing(rng: Random, _target: Target) -> Case:
    """Two arguments that share memory: the right value, or refused by name."""
    name, one, other = rng.choice(_OVERLAPS)
    many = rng.choice((1, 8, 16))
    written = rng.choice(("both", "one"))
    const = "const " if written == "one" else ""
    body = "b[i] = a[i] + 1.0f;" if written == "one" else "a[i] += 1.0f; b[i] += 1.0f;"
    guarded = f"int i = get_global_id(0); if (i < n) {{ {body} }}"
    source = f"kernel void k(global {const}float *a, global float *b, int n) {{ {guarded} }}"
    arrays = {"base": "np.arange(64, dtype=np.float32)", "a": one, "b": other}
    call = f"k(a, b, {many}, global_size={many})"
    allowed = (DONE, ARGUMENT)
    return Case("shared memory of arguments", f"{name}, {written} written, {many}", source, call, allowed, arrays)


def layout(rng: Random, _target: Target) -> Case:
    """Layouts that must come through right: strides, Fortran order, offsets, one element, read-only inputs."""
    made = rng.choice((
        "np.arange(128, dtype=np.float32)[::2]", "np.arange(128, dtype=np.float32)[::-2]",
        "np.asfortranarray(np.arange(64, dtype=np.float32).reshape(8, 8))",
        "np.arange(65, dtype=np.float32)[1:]", "np.frombuffer(bytes(260), np.uint8)[4:].view(np.float32)",
        "np.broadcast_to(np.float32(3), (64,))", "np.arange(256, dtype=np.float32).reshape(4, 64)[2]",
        "np.frombuffer(bytes(257), np.uint8)[1:].view(np.float32)",
    ))  # fmt: skip
    factor = rng.choice((0.5, 2.0, 3.0, -1.0))
    call = f"k(x, y, {factor}, 64, global_size=64)"
    arrays = {"x": made, "y": "np.zeros(64, np.float32)"}
    check = f"np.array_equal(y, np.float32({factor}) * x.ravel())"
    return Case("unusual layout", f"{made}, {factor}", _KERNEL, call, (RIGHT, ARGUMENT), arrays, check=check)
