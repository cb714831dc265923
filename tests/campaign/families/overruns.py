"""Accesses outside an array: near and far, before and behind, each way a kernel can make them."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from campaign.case import ARGUMENT, BOUNDS, CRASH, DONE, LOST, RIGHT, Case, Overrun, Target

TYPES = {
    "char": ("int8", 1),
    "ushort": ("uint16", 2),
    "int": ("int32", 4),
    "float": ("float32", 4),
    "long": ("int64", 8),
    "double": ("float64", 8),
    "float4": ("float32", 16),
}
ALIGNMENT = 64
"""Bytes: arrays begin at a multiple of it, so that less than this lies between one and the guard page behind it."""
PAGE = 4096
GUARD = 31 << 30
"""Bytes of addresses on each side of an array that lead to nothing else."""
ON_GPU = "a GPU has no guard pages: it may reach memory of the same device without a trap"
SLACK_READ = "a read of the bytes between an array and its guard page leaves no trace"
SIMULATED = "the simulator leaves the access out instead of making it, and tells it in its own log only"
FOREIGN_READ = "a read over 31 GiB away may find memory of the driver"
FOREIGN_WRITE = "a write over 31 GiB away may find memory of the driver, which has no canary"
_STOPPED, _FOUND = (CRASH,), (CRASH, BOUNDS)
_FAR = (1 << 20, 3 << 20, 16 << 20, 200 << 20, 1 << 30, 5 << 30, 1 << 36, 1 << 40, 1 << 46)


@dataclass(frozen=True, slots=True)
class _Arrays:
    """The arrays of one case: a random few of one type, one of which is hit."""

    ctype: str
    items: tuple[int, ...]
    hit: int

    @property
    def letters(self) -> str:
        return "abcd"[: len(self.items)]

    @property
    def name(self) -> str:
        return "abcd"[self.hit]

    @property
    def size(self) -> int:
        return TYPES[self.ctype][1]

    @property
    def count(self) -> int:
        return self.items[self.hit]

    @property
    def nbytes(self) -> int:
        return self.count * self.size

    @property
    def parameters(self) -> str:
        return ", ".join(f"global {self.ctype} *{letter}" for letter in self.letters)

    @property
    def made(self) -> dict[str, str]:
        dtype = TYPES[self.ctype][0]
        width = 4 if self.ctype == "float4" else 1
        shape = "({}, 4)" if width == 4 else "{}"
        return {
            letter: f"np.full({shape.format(items)}, 3, np.{dtype})"
            for letter, items in zip(self.letters, self.items, strict=True)
        }


def _arrays(rng: Random, target: Target, types: tuple[str, ...] = tuple(TYPES)) -> _Arrays:
    usable = [name for name in types if target.fp64 or name != "double"]
    count = rng.randint(1, 4)
    items = tuple(rng.choice((1, 3, 16, 33, 100, 128, 1000, 1024, rng.randint(1, 5000))) for _ in range(count))
    return _Arrays(rng.choice(usable), items, rng.randrange(count))


def _slack_behind(nbytes: int, target: Target) -> int:
    """Bytes between an array and its guard page: arrays begin at multiples of 64 on PoCL and of 128 elsewhere."""
    return -nbytes % (ALIGNMENT if target.family == "pocl" else 2 * ALIGNMENT)


def _slack_before(nbytes: int, target: Target) -> int:
    return -(nbytes + _slack_behind(nbytes, target)) % PAGE


def machine_excuse(target: Target) -> str:
    """Why this kind of device may let an overrun pass; "" on processors."""
    return SIMULATED if target.simulator else ON_GPU if target.gpu else ""


def _case(  # noqa: PLR0913, PLR0917 - the parts of a case
    family: str, name: str, source: str, call: str, arrays: _Arrays, overrun: Overrun, target: Target
) -> Case:
    allowed = _FOUND if overrun.kind == "write" else _STOPPED
    if overrun.excuse:
        allowed = (*allowed, DONE)
    if target.gpu:
        allowed = (*allowed, LOST)
    return Case(family, name, source, call, allowed, arrays.made, overrun=overrun)


def _near(arrays: _Arrays, kind: str, side: str, elements: int, target: Target) -> Overrun:
    gap = (elements - 1) * arrays.size
    slack = _slack_behind(arrays.nbytes, target) if side == "after" else _slack_before(arrays.nbytes, target)
    excuse = machine_excuse(target) or (SLACK_READ if kind == "read" and gap < slack else "")
    return Overrun(arrays.name, arrays.nbytes, kind, side, gap, excuse=excuse)  # type: ignore[arg-type]


def _words(arrays: _Arrays, elements: int, side: str) -> str:
    where = "past the end" if side == "after" else "in front"
    return f"{elements} {where} of {arrays.name} ({arrays.count} {arrays.ctype}) of {len(arrays.items)}"


WRITES = {
    "plain": "{a}[at] = ({t})7;",
    "helper": "put({a}, at, ({t})7);",
    "pointer": "global {t} *p = {a} + at; *p = ({t})7;",
    "added to": "{a}[at] += ({t})1;",
    "through bytes": "global uchar *p = (global uchar *)({a} + at); for (size_t i = 0; i < sizeof({t}); i++) p[i] = 7;",
    "casted": "((global {t} *)((size_t){a} + (size_t)at * sizeof({t})))[0] = ({t})7;",
    "in a loop": "for (long i = at; i < at + 1; i++) {a}[i] = ({t})7;",
    "behind a branch": "if (at != 0) {{ {a}[at] = ({t})7; }}",
}


def near_write(rng: Random, target: Target) -> Case:
    """One to 64 elements past the end, or in front of the begin."""
    arrays = _arrays(rng, target)
    side = rng.choice(("after", "after", "before"))
    elements = rng.choice((1, 1, 2, 3, 7, 16, 63, 64, rng.randint(1, 64)))
    at = arrays.count + elements - 1 if side == "after" else -elements
    form = rng.choice(tuple(WRITES))
    body = WRITES[form].format(a=arrays.name, t=arrays.ctype)
    source = (
        f"void put(global {arrays.ctype} *p, long i, {arrays.ctype} v) {{ p[i] = v; }}\n"
        f"kernel void k({arrays.parameters}, long at)\n{{\n    {body}\n}}\n"
    )
    call = f"k({', '.join(arrays.letters)}, {at}, global_size=1)"
    overrun = _near(arrays, "write", side, elements, target)
    name = f"write, {form}: {_words(arrays, elements, side)}"
    return _case("overrun near, write", name, source, call, arrays, overrun, target)


def near_write_of_a_range(rng: Random, target: Target) -> Case:
    """Every work-item writes behind its own: the last ones reach past the end. One or two dimensions."""
    arrays = _arrays(rng, target, ("char", "ushort", "int", "float", "long"))
    elements = rng.randint(1, 64)
    local = rng.choice((None, 1))
    if rng.random() < 0.4:
        width = rng.choice([w for w in (1, 2, 3, 4, 5, 8, 10, 16) if arrays.count % w == 0])
        index, sizes = f"get_global_id(1) * {width} + get_global_id(0)", f"({width}, {arrays.count // width})"
        local = None
    else:
        index, sizes = "get_global_id(0)", str(arrays.count)
    source = (
        f"kernel void k({arrays.parameters}, long by)\n{{\n    long i = {index};\n"
        f"    {arrays.name}[i + by] = ({arrays.ctype})i;\n}}\n"
    )
    call = f"k({', '.join(arrays.letters)}, {elements}, global_size={sizes}, local_size={local})"
    # The first element outside is always hit; how many more depends on the order of the work-items.
    overrun = _near(arrays, "write", "after", 1, target)
    name = f"write, {sizes.count(',') + 1}-D range: {_words(arrays, elements, 'after')}"
    return _case("overrun near, range", name, source, call, arrays, overrun, target)


def near_read(rng: Random, target: Target) -> Case:
    """Reads whose value is used, so that no compiler drops them."""
    arrays = _arrays(rng, target)
    side = rng.choice(("after", "after", "before"))
    elements = rng.choice((1, 2, 5, 16, 64, rng.randint(1, 64)))
    at = arrays.count + elements - 1 if side == "after" else -elements
    const = rng.choice(("const ", ""))
    form, body = rng.choice(
        (
            ("plain", "out[0] = {a}[at];"),
            ("helper", "out[0] = get({a}, at);"),
            ("compared", "{t} v = {a}[at]; out[0] = v;"),
        )
    )
    parameters = arrays.parameters.replace("global", f"global {const}") if const else arrays.parameters
    source = (
        f"{arrays.ctype} get(global const {arrays.ctype} *p, long i) {{ return p[i]; }}\n"
        f"kernel void k({parameters}, global {arrays.ctype} *out, long at)\n"
        f"{{\n    {body.format(a=arrays.name, t=arrays.ctype)}\n}}\n"
    )
    call = f"k({', '.join(arrays.letters)}, out, {at}, global_size=1)"
    overrun = _near(arrays, "read", side, elements, target)
    name = f"read, {form}{', const' if const else ''}: {_words(arrays, elements, side)}"
    made = _case("overrun near, read", name, source, call, arrays, overrun, target)
    made.arrays["out"] = _Arrays(arrays.ctype, (16,), 0).made["a"]
    return made


def far(rng: Random, target: Target) -> Case:
    """A MiB to the end of the address space away."""
    arrays = _arrays(rng, target, ("int", "float", "long"))
    distance = rng.choice(_FAR) + rng.choice((0, 0, 4096, 64)) + rng.choice((0, 8, 8 * rng.randrange(1000)))
    side = rng.choice(("after", "before"))
    at = (arrays.count if side == "after" else 0) + distance // arrays.size * (1 if side == "after" else -1)
    write = rng.random() < 0.6
    body = f"{arrays.name}[at] = ({arrays.ctype})7;" if write else f"out[0] = {arrays.name}[at];"
    source = f"kernel void k({arrays.parameters}, global {arrays.ctype} *out, long at)\n{{\n    {body}\n}}\n"
    call = f"k({', '.join(arrays.letters)}, out, {at}, global_size=1)"
    foreign = (FOREIGN_WRITE if write else FOREIGN_READ) if distance > GUARD else ""
    excuse = machine_excuse(target) or foreign
    kind = "write" if write else "read"
    overrun = Overrun(arrays.name, arrays.nbytes, kind, side, distance, far=True, excuse=excuse)  # type: ignore[arg-type]
    name = f"{kind}: {distance} bytes {side} {arrays.name} of {len(arrays.items)}"
    made = _case(f"overrun far, {kind}", name, source, call, arrays, overrun, target)
    made.arrays["out"] = _Arrays(arrays.ctype, (16,), 0).made["a"]
    return made


def atomic(rng: Random, target: Target) -> Case:
    """Atomic functions outside."""
    arrays = _arrays(rng, target, ("int",))
    elements = rng.randint(1, 64)
    form = rng.choice(("atomic_inc({p})", "atomic_add({p}, 5)", "atomic_xchg({p}, 9)", "atomic_xor({p}, 6)"))
    place = f"&{arrays.name}[at]"
    source = f"kernel void k({arrays.parameters}, long at)\n{{\n    {form.format(p=place)};\n}}\n"
    side = rng.choice(("after", "before"))
    at = arrays.count + elements - 1 if side == "after" else -elements
    call = f"k({', '.join(arrays.letters)}, {at}, global_size=1)"
    overrun = _near(arrays, "write", side, elements, target)
    return _case("atomic outside", f"{form}: {_words(arrays, elements, side)}", source, call, arrays, overrun, target)


def certain(rng: Random, target: Target) -> Case:
    """A range that certainly reaches past an array is refused before the launch."""
    arrays = _arrays(rng, target, ("int", "float"))
    more = rng.randint(1, 64)
    source = (
        f"kernel void k({arrays.parameters})\n{{\n    size_t i = get_global_id(0);\n"
        f"    {arrays.name}[i] = ({arrays.ctype})i;\n}}\n"
    )
    call = f"k({', '.join(arrays.letters)}, global_size={arrays.count + more})"
    name = f"a range {_words(arrays, more, 'after')}"
    return Case("range past an array", name, source, call, (ARGUMENT,), arrays.made)


def read_only(rng: Random, _target: Target) -> Case:
    """Writes into what the launch only reads: const cast away, a read-only or memory-mapped array."""
    count = rng.choice((1, 5, 64, 1000))
    at = rng.randrange(count)
    form = rng.choice(("cast", "cast in a helper", "flag", "broadcast", "bytes"))
    if form.startswith("cast"):
        cast = "((global int *)a)[at] = 9;" if form == "cast" else "put(a, at);"
        source = (
            "void put(global const int *p, int i) { ((global int *)p)[i] = 9; }\n"
            f"kernel void k(global const int *a, global int *out, int at)\n{{\n    {cast}\n    out[0] = a[at];\n}}\n"
        )
        arrays = {"a": f"np.full({count}, 3, np.int32)", "out": "np.zeros(4, np.int32)"}
        return Case("read-only memory", f"const {form}, element {at} of {count}", source,
                    f"k(a, out, {at}, global_size=1)", (CRASH, RIGHT), arrays, check=f"a[{at}] == 9")  # fmt: skip
    source = "kernel void k(global int *a, int at) { a[at] = 9; }"
    made = {
        "flag": f"np.require(np.full({count}, 3, np.int32), requirements='O'); a.setflags(write=False)",
        "broadcast": f"np.broadcast_to(np.int32(3), ({count},))",
        "bytes": f"np.frombuffer(bytes({4 * count}), np.int32)",
    }[form]
    return Case("read-only memory", f"read-only array ({form}) of {count}", source, f"k(a, {at}, global_size=1)",
                (ARGUMENT,), {"a": made})  # fmt: skip
