"""Kernels that do not end, or end their process: endless loops, null, deep stacks, barriers, traps, the C library."""

from __future__ import annotations

from random import Random

from campaign.case import (
    ARGUMENT,
    BUILD,
    BUILD_TIMEOUT,
    COMPILER,
    CRASH,
    DONE,
    ENDLESS_S,
    INTERRUPTED,
    LAUNCH,
    NDRANGE,
    RIGHT,
    TIMEOUT,
    Case,
    Target,
)

_X = {"x": "np.zeros(64, np.int32)"}
_LOOPS = {
    "while on memory": "while (x[0] == 0) { if (x[1] == 12345) x[2] += 1; }",
    "for without end": "for (;;) { x[3]++; }",
    "do on itself": "do { x[1] = x[1] ^ 1; } while (x[2] == 0);",
    "a lock never freed": "x[0] = 1; while (atomic_cmpxchg((volatile global int *)x, 0, 1) != 0) { }",
    "one work-item of many": "if (get_global_id(0) == {item}) {{ while (x[9] == 0) x[1]++; }}",
    "a counter that wraps": "for (volatile uint i = 0; i >= 0; i++) {{ x[i & 7]++; }}",
    "two that wait for each other": "while (x[1 + get_global_id(0) % 2] == 0) {{ x[5]++; }}",
    "nested": "for (volatile long i = 0; i < (1L << 40); i++) for (volatile long j = 0; j < (1L << 40); j++) x[4]++;",
    "in a helper": "wait_for(x);",
    "goto": "again: x[0]++; goto again;",
}


def endless(rng: Random, _target: Target) -> Case:
    """Loops without end, ended by `timeout=`."""
    name = rng.choice(tuple(_LOOPS))
    items = rng.choice((1, 2, 16, 64))
    body = _LOOPS[name].replace("{item}", str(rng.randrange(items))).replace("{{", "{").replace("}}", "}")
    source = (
        "void wait_for(volatile global int *x) { while (x[0] == 0) { x[1] = 5; } }\n"
        f"kernel void k(volatile global int *x)\n{{\n    {body}\n}}\n"
    )
    seconds = rng.choice((ENDLESS_S, ENDLESS_S, 0.2, 0.4))
    call = f"k(x, global_size={items}, timeout={seconds})"
    return Case("endless", f"{name}, {items} work-items, timeout={seconds}", source, call, (TIMEOUT,), dict(_X))


def stopped_by_hand(rng: Random, _target: Target) -> Case:
    """Loops without end, ended by Jupyter's stop button."""
    name = rng.choice(("while on memory", "for without end", "do on itself"))
    source = f"kernel void k(volatile global int *x)\n{{\n    {_LOOPS[name]}\n}}\n"
    call = "k(x, global_size=1)"
    return Case("stop button", name, source, call, (INTERRUPTED,), dict(_X), stop_after_s=rng.choice((0.4, 0.6)))


_NULL = {
    "write": ("a[0] = 1;", (CRASH,)),
    "read": ("out[0] = a[0];", (CRASH,)),
    "write at an index": ("a[at] = 1;", (CRASH,)),
    "in a helper": ("put(a, 1);", (CRASH,)),
    "guarded": ("if (a) a[0] = 1; out[0] = 5;", (RIGHT,)),
    "not used": ("out[0] = 5;", (RIGHT,)),
    "a made-up address": ("*(global int *)(size_t)({address}UL) = 1;", (CRASH,)),
    "a private null": ("int *p = (int *)(size_t)at; *p = 3;", (CRASH,)),
    "a null of the kernel": ("global int *p = a; *p = 3;", (CRASH,)),
}


def null(rng: Random, _target: Target) -> Case:
    """Null pointers and addresses made up by the kernel."""
    name = rng.choice(tuple(_NULL))
    body, allowed = _NULL[name]
    address = rng.choice((8, 4096, 0xDEADBEEF, 0x7FFFFFFFFFFF, 1 << 47))
    body = body.replace("{address}", str(address))
    source = (
        "void put(global int *p, int v) { *p = v; }\n"
        f"kernel void k(global int *a, global int *out, long at)\n{{\n    {body}\n}}\n"
    )
    at = rng.choice((0, 1, 2, 100))
    call = f"k(None, out, {at}, global_size=1)"
    # Oclgrind does not make a wrong access; casts of numbers to pointers are foreign to it.
    simulated = (*allowed, DONE, RIGHT)
    shown = f"{name}, {address:#x}" if "made-up" in name else f"{name}, {at}"
    return Case("null pointer", shown, source, call, allowed, {"out": "np.zeros(4, np.int32)"}, check="out[0] == 5",
                only={"oclgrind": simulated})  # fmt: skip


def recursion(rng: Random, _target: Target) -> Case:
    """Functions that call each other without end (OpenCL C 1.2, 6.9.i forbids it; compilers do not always see it)."""
    functions = rng.choice((1, 2, 3))
    names = [f"f{number}" for number in range(functions)]
    declared = "\n".join(f"int {name}(int n, global int *x);" for name in names)
    bodies = "\n".join(
        f"int {name}(int n, global int *x) {{ volatile int pad[{rng.choice((1, 16, 256))}]; pad[0] = n; x[n & 7] += 1; "
        f"return {names[(number + 1) % functions]}(n + 1, x) + pad[0]; }}"
        for number, name in enumerate(names)
    )
    source = f"{declared}\n{bodies}\nkernel void k(global int *x) {{ x[0] = f0(x[1], x); }}"
    allowed = (BUILD, CRASH, COMPILER, LAUNCH, TIMEOUT)
    # Oclgrind grows its own stack; without end is also an end of memory there.
    return Case("recursion", f"{functions} functions in a ring", source, f"k(x, global_size=1, timeout={2.0})", allowed,
                dict(_X))  # fmt: skip


def call_chain(rng: Random, target: Target) -> Case:
    """Many functions, each of which calls the next one: allowed, and the value is right."""
    depth = rng.choice((20, 50, 100) if target.simulator else (50, 200, 400))
    functions = [f"int f{depth}(int n) {{ return n; }}"]
    functions += [f"int f{i}(int n) {{ return f{i + 1}(n + 1); }}" for i in range(depth - 1, -1, -1)]
    source = "\n".join(functions) + "\nkernel void k(global int *x) { x[0] = f0(x[1]); }"
    return Case("call chain", f"{depth} deep", source, "k(x, global_size=1)", (RIGHT,), dict(_X),
                check=f"x[0] == {depth}")  # fmt: skip


def huge_private(rng: Random, _target: Target) -> Case:
    """Private arrays of up to a GiB."""
    kib = rng.choice((64, 512, 4096, 16384, 262144, 1048576))
    items = kib * 256
    source = (
        f"kernel void k(global int *x)\n{{\n    volatile int big[{items}];\n"
        f"    for (int i = 0; i < {items}; i += {max(1, items // 64)}) big[i] = i + x[0];\n"
        f"    x[0] = big[{items // 2}];\n}}\n"
    )
    allowed = (RIGHT, DONE, CRASH, BUILD, COMPILER, LAUNCH, ARGUMENT, NDRANGE, TIMEOUT)
    return Case("huge private array", f"{kib} KiB", source, "k(x, global_size=1, timeout=3.0)", allowed, dict(_X))


def huge_local(rng: Random, target: Target) -> Case:
    """Local memory far over the device's limit: in the source, or as an argument."""
    limit = target.local_mem_bytes or 32768
    nbytes = rng.choice((limit * 2, limit * 16, limit + 4, 1 << 28, 1 << 33, (1 << 31) + 4, 1 << 40))
    if rng.random() < 0.5:
        source = "kernel void k(global int *x, local int *t) { t[get_local_id(0)] = 1; x[0] = t[0]; }"
        call = f"k(x, clm.local({nbytes}), global_size=8, local_size=8)"
        return Case("huge local memory", f"argument of {nbytes} bytes", source, call, (ARGUMENT,), dict(_X))
    items = nbytes // 4
    source = f"kernel void k(global int *x) {{ local int t[{items}]; t[get_local_id(0)] = 1; x[0] = t[0]; }}"
    call = "k(x, global_size=8, local_size=8, timeout=3.0)"
    refused = (ARGUMENT, BUILD, LAUNCH, NDRANGE, CRASH, COMPILER)
    return Case("huge local memory", f"array of {nbytes} bytes", source, call, refused, dict(_X))


_BARRIERS = {
    "in a branch": "if (l < 5) { barrier(CLK_LOCAL_MEM_FENCE); }",
    "in one side": "if (l & 1) { barrier(CLK_LOCAL_MEM_FENCE); } else { t[l] = 2; }",
    "in both sides": "if (l & 1) { barrier(CLK_LOCAL_MEM_FENCE); } else { barrier(CLK_LOCAL_MEM_FENCE); }",
    "in a loop by id": "for (int i = 0; i <= l; i++) { t[l] += i; barrier(CLK_LOCAL_MEM_FENCE); }",
    "after a return": "if (l > 2) return; barrier(CLK_LOCAL_MEM_FENCE);",
    "in a switch": "switch (l & 3) { case 0: barrier(CLK_LOCAL_MEM_FENCE); break; default: t[l] = 3; }",
    "in a helper": "if (l == 3) meet(t);",
    "break in front": "for (int i = 0; i < 8; i++) { if (i == l) break; barrier(CLK_LOCAL_MEM_FENCE); }",
    "while on data": "while (t[l] < l) { t[l]++; barrier(CLK_GLOBAL_MEM_FENCE); }",
    "nested": "for (int i = 0; i < 4; i++) if (l > i) { barrier(CLK_LOCAL_MEM_FENCE); if (l > 2) meet(t); }",
}


def barrier(rng: Random, _target: Target) -> Case:
    """Barriers that not all work-items of a group reach: undefined, so any end is right; the notebook stays."""
    name = rng.choice(tuple(_BARRIERS))
    items, local = rng.choice(((16, 8), (8, 8), (64, 16), (32, 32)))
    source = (
        "void meet(local int *t) { t[0] = 1; barrier(CLK_LOCAL_MEM_FENCE); }\n"
        f"kernel void k(global int *x, local int *t)\n{{\n    int l = get_local_id(0);\n    t[l] = l;\n"
        f"    {_BARRIERS[name]}\n    x[get_global_id(0)] = t[(l + 1) % {local}];\n}}\n"
    )
    call = f"k(x, clm.local({4 * local}), global_size={items}, local_size={local}, timeout=1.0)"
    allowed = (DONE, TIMEOUT, CRASH, BUILD, COMPILER, LAUNCH)
    return Case("barrier not reached by all", f"{name}, groups of {local}", source, call, allowed, dict(_X))


_DIVISIONS = {
    "int": ("int", "v / d", "0"),
    "uint": ("uint", "v / d", "0"),
    "long": ("long", "v / d", "0"),
    "ulong": ("ulong", "v / d", "0"),
    "short": ("short", "(short)(v / d)", "0"),
    "int modulo": ("int", "v % d", "0"),
    "uint modulo": ("uint", "v % d", "0"),
    "long modulo": ("long", "v % d", "0"),
    "the least by minus one": ("int", "(int)(v + 0x80000000u) / d", "-1"),
    "the least modulo minus one": ("int", "(int)(v + 0x80000000u) % d", "-1"),
}


def division(rng: Random, _target: Target) -> Case:
    """Integer division by zero: undefined (OpenCL C 1.2, 6.3.a); a trap here, a number there."""
    name = rng.choice(tuple(_DIVISIONS))
    ctype, expression, divisor = _DIVISIONS[name]
    lanes = rng.choice((1, 1, 4))
    items = rng.choice((1, 4, 16))
    vector = ctype if lanes == 1 or "least" in name else f"{ctype}4"
    expression = expression.replace("(short)", f"convert_{vector}") if vector == "short4" else expression
    source = (
        f"kernel void k(global {vector} *a, {ctype} by)\n{{\n    size_t i = get_global_id(0);\n"
        f"    {vector} v = a[i], d = ({vector})(by);\n    a[i] = {expression};\n}}\n"
    )
    numpy = {"uint": "uint32", "ulong": "uint64", "int": "int32", "long": "int64", "short": "int16"}[ctype]
    arrays = {"a": f"np.zeros(64, np.{numpy})" if "least" in name else f"np.arange(64, dtype=np.{numpy})"}
    call = f"k(a, {divisor}, global_size={items}, timeout=3.0)"
    allowed = (DONE, CRASH, BUILD, LAUNCH)
    return Case("division by zero", f"{name}{' of 4' if vector != ctype else ''}, {items} work-items", source, call,
                allowed, arrays)  # fmt: skip


_TRAPS = {
    "__builtin_trap": ("", "__builtin_trap();", (CRASH, BUILD)),
    "__builtin_unreachable": ("", "__builtin_unreachable();", (DONE, CRASH, BUILD, TIMEOUT, COMPILER)),
    "an illegal instruction": ("", '__asm__ volatile("ud2");', (CRASH, BUILD, COMPILER)),
    "a breakpoint": ("", '__asm__ volatile("int3");', (CRASH, BUILD, COMPILER, DONE)),
    "exit": ("void exit(int);", "exit(0);", ()),
    "_exit": ("void _exit(int);", "_exit(7);", ()),
    "abort": ("void abort(void);", "abort();", ()),
    "raise": ("int raise(int);", "raise({signal});", ()),
    "pause": ("int pause(void);", "pause();", ()),
    "close of all files": ("int close(int);", "for (int i = 0; i < 64; i++) close(i);", ()),
}


def trap(rng: Random, _target: Target) -> Case:
    """Instructions and library calls that end a process, or cut its channel to the notebook."""
    name = rng.choice(tuple(_TRAPS))
    declared, body, allowed = _TRAPS[name]
    body = body.replace("{signal}", str(rng.choice((4, 6, 7, 8, 9, 11))))
    source = f"{declared}\nkernel void k(global int *x)\n{{\n    x[0] = 1;\n    {body}\n}}\n"
    call = "k(x, global_size=1, timeout=1.0)"
    # A compiler that does not know the function refuses the build or the link; a driver may drop it.
    anything: tuple[str, ...] = (CRASH, BUILD, COMPILER, LAUNCH, TIMEOUT, BUILD_TIMEOUT, "WorkerDiedError")
    if name.startswith("close"):
        anything = (*anything, DONE)
    only = {"oclgrind": (*anything, DONE)}
    return Case("traps and library calls", body if "raise" in name else name, source, call, allowed or anything,
                dict(_X), only=only)  # fmt: skip
