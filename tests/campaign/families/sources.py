"""Texts that are hard on compilers, giant ones, wrong options, and kernels that print without end."""

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
    MEMORY,
    OPTION,
    RIGHT,
    SOURCE,
    TIMEOUT,
    Case,
    Target,
)

_X = {"x": "np.zeros(8, np.int32)"}
_CALL = "k(x, global_size=1, timeout=10.0)"
_SET = "kernel void k(global int *x) { x[0] = 42; }\n"
_CHECK = "x[0] == 42"
_ANY_BUILD = (RIGHT, DONE, BUILD, COMPILER, BUILD_TIMEOUT, SOURCE, MEMORY, CRASH, LAUNCH)


def giant(rng: Random, _target: Target) -> Case:
    """One to five MB of text that means little: it builds, and gives the right value."""
    megabytes = rng.choice((1, 1, 2, 5))
    size = megabytes * 1_000_000
    form = rng.choice(("comment", "line comments", "blank lines", "one long line", "definitions", "table", "blanks"))
    text = {
        "comment": f"/*{'x' * size}*/\n{_SET}",
        "line comments": f"// {'y' * 96}\n" * (size // 100) + _SET,
        "blank lines": "\n" * size + _SET,
        "one long line": _SET.strip() + " " + "/**/" * (size // 4),
        "definitions": "".join(f"#define NAME_{i} {i}\n" for i in range(size // 100)) + _SET,
        "table": f"constant int t[] = {{{'1,' * (size // 50)}42}};\n" + _SET.replace("42", f"t[{size // 50}]"),
        "blanks": _SET.replace("{", "{" + " " * size),
    }[form]
    # Drivers may refuse such lengths; a limit that is told is right, another value is not.
    return Case("giant source", f"{form}, {megabytes} MB", text, _CALL, (RIGHT, BUILD, SOURCE), dict(_X), check=_CHECK)


def _kernel(body: str) -> str:
    return f"kernel void k(global int *x) {{ {body} }}"


def _bomb(last: int) -> str:
    """A macro of 2 ** `last` terms."""
    defined = "".join(f"#define A{i} A{i - 1}+A{i - 1}\n" for i in range(1, 60))
    return f"#define A0 1+1\n{defined}" + _kernel(f"x[0] = A{last};")


def _nested(depth: int) -> dict[str, str]:
    """Texts of that depth or length that are hard to read."""
    name = "n" * depth * 100
    else_ifs = "".join(f"if (x[1] == {i + 1}) x[0] = {i}; else " for i in range(depth))
    cases = "".join(f"case {i + 1}: x[0] = {i}; break; " for i in range(depth))
    structs = "".join(f"struct S{i} {{ " for i in range(depth))
    members = "".join(f" }} m{i};" for i in range(depth))
    parameters = ", ".join(f"int a{i}" for i in range(depth))
    return {
        "parentheses": _kernel(f"x[0] = {'(' * depth}42{')' * depth};"),
        "braces": _kernel(f"{'{' * depth}x[0] = 42;{'}' * depth}"),
        "open braces": _kernel("{" * depth),
        "ifs": _kernel(f"{'if (x[1] == 0) ' * depth} x[0] = 42;"),
        "conditionals": _kernel(f"x[0] = {'x[1] ? 1 : ' * depth} 42;"),
        "unary": _kernel(f"x[0] = {'- ' * (2 * depth)}42;"),
        "a sum": _kernel(f"x[0] = 42{' + x[1]' * depth};"),
        "pointers": _kernel(f"int {'*' * depth}p = 0; x[0] = p ? 1 : 42;"),
        "#if": "#if 1\n" * depth + _SET + "#endif\n" * depth,
        "#if that stay open": "#if 1\n" * depth + _SET,
        "structs": f"{structs}int v;{members}\n{_SET}",
        "a bomb of macros": _bomb(min(12, max(4, depth // 100))),
        "a macro of itself": "#define M M M\n" + _SET.replace("42", "sizeof(#M)"),
        "a long else": _kernel(f"{else_ifs} x[0] = 42;"),
        "a switch": _kernel(f"switch (x[1]) {{ {cases} default: x[0] = 42; }}"),
        "unrolling": _kernel(
            f"int s = 0;\n#pragma unroll\nfor (int i = 0; i < {depth}; i++) s += x[i & 7] * i;\nx[0] = s + 42;"
        ),
        "parameters": f"{_SET}void many({parameters}) {{ }}",
        "an include of itself": "#include __FILE__\n" + _SET,
        "an endless string": f'constant char *s = "{"s" * depth};\n{_SET}',
        "a name": _kernel(f"int {name} = 42; x[0] = {name};"),
        "a type of that width": f"typedef int wide __attribute__((ext_vector_type({depth})));\n{_SET}",
        "garbage": "\x7f}{)(;;@`$" * depth,
        "kernels": _SET + "".join(_SET.replace("void k", f"void k{i}") for i in range(min(depth, 40))),
    }


def compiler(rng: Random, target: Target) -> Case:
    """Nesting, bombs, unrolling: any end that is told is right, and the next cell works."""
    depth = rng.choice((100, 250, 300, 1000) if target.simulator else (100, 250, 300, 1000, 3000))
    texts = _nested(depth)
    form = rng.choice(tuple(texts))
    return Case("hard on compilers", f"{form}, {depth}", texts[form], _CALL, _ANY_BUILD, dict(_X), check=_CHECK,
                stop_after_s=20.0)  # fmt: skip


def monstrous(rng: Random, _target: Target) -> Case:
    """What makes a compiler run for minutes or fall over: ended by Jupyter's stop button where it does not end."""
    depth = rng.choice((10_000, 30_000, 100_000))
    texts = _nested(depth)
    texts["a bomb of macros"] = _bomb(rng.choice((24, 40)))
    names = (
        "parentheses",
        "braces",
        "ifs",
        "conditionals",
        "unary",
        "a sum",
        "pointers",
        "structs",
        "a bomb of macros",
    )
    form = rng.choice(names)
    allowed = (*_ANY_BUILD, INTERRUPTED, TIMEOUT)
    return Case("monstrous", f"{form}, {depth}", texts[form], _CALL, allowed, dict(_X), stop_after_s=3.0)


_OPTIONS = (
    "-DX=(", "-cl-std=CL9.9", "--foo", "-D", "-I", "-cl-fast-and-furious", "-D1X=3", '-DX="', "-O9", "-x c++",
    "-Wall -Werror",
    "-include nothing.h", "-U", "-DX=1 -DX=2", "-cl-std=", "@file", "-", "-D X Y Z", "-march=native", "-o /tmp/x",
    "-DX='a b' -cl-std=CL7", "-DX=\\", "-cl-std=C++", "-I/nowhere -Dx", "-fplugin=x.so", "-DX=$(id)", "-D;", "-###",
    "-emit-llvm", "-save-temps=/nowhere", "-mllvm -debug", "-fsyntax-only", "-cl-opt-disable -cl-opt-disable",
)  # fmt: skip


def options(rng: Random, _target: Target) -> Case:
    """Options that mean nothing, or something else: told, or without effect."""
    text = rng.choice(_OPTIONS)
    more = rng.choice(("", " -DUNUSED=1", " -cl-mad-enable"))
    if rng.random() < 0.1:
        text = f"-DX={'9' * rng.choice((10_000, 100_000))}"
    allowed = (RIGHT, OPTION, BUILD, COMPILER)
    shown = text if len(text) < 60 else f"{text[:12]}… of {len(text)}"
    return Case("wrong option", shown + more, _SET, _CALL, allowed, dict(_X), check=_CHECK, options=text + more)


_FORMATS = (
    ('printf("%d\\n", (int)get_global_id(0));', 1),
    ('printf("work-item %d of %d says hello\\n", (int)get_global_id(0), (int)get_global_size(0));', 1),
    ('for (int i = 0; i < 4; i++) printf("%d:%d\\n", (int)get_global_id(0), i);', 4),
    ('printf("<b>%d</b> & \\"quoted\\"\\n", (int)get_global_id(0));', 1),
    ('printf("%s\\n", "one line");', 1),
    ('printf("%f %e %g\\n", 1.5f, 1e30f, 0.1f);', 1),
    ('printf("%v4f\\n", (float4)(1, 2, 3, 4));', 1),
    ('printf("%%\\n");', 1),
)


def printf_flood(rng: Random, target: Target) -> Case:
    """Many lines: all of them in the record, and not all of them in the notebook."""
    text, lines = rng.choice(_FORMATS)
    items = rng.choice((100, 400) if target.simulator else (1000, 5000, 20000))
    source = f"kernel void k(global int *x)\n{{\n    {text}\n    if (get_global_id(0) == 0) x[0] = 42;\n}}\n"
    call = f"k(x, global_size={items})"
    check = f"x[0] == 42 and run.printf.count(chr(10)) == {items * lines}"
    return Case("printf flood", f"{items * lines} lines: {text[:50]}", source, call, (RIGHT,), dict(_X), check=check,
                magic=rng.random() < 0.5)  # fmt: skip


def printf_without_end(rng: Random, _target: Target) -> Case:
    """A kernel that prints for ever, ended by `timeout=`."""
    text = rng.choice(('printf("%d\\n", x[1]++);', 'printf("and on ");', f'printf("{"z" * 200}\\n");'))
    source = f"kernel void k(volatile global int *x)\n{{\n    while (x[0] == 0) {{ {text} }}\n}}\n"
    call = f"k(x, global_size=1, timeout={ENDLESS_S})"
    return Case("printf without end", text[:40], source, call, (TIMEOUT,), dict(_X))


_NOT_OPENCL_C = (
    ("a function nobody has", "int nobody_has_this(int);\n" + _kernel("x[0] = nobody_has_this(1);")),
    ("malloc", "void *malloc(ulong);\n" + _kernel("int *p = malloc(64); x[0] = p ? 42 : 0;")),
    ("no kernel", "void helper(global int *x) { x[0] = 1; }"),
    ("only a comment", "// nothing"),
    ("another language", "def k(x):\n    x[0] = 42\n"),
    ("C++", "template <class T> __kernel void k(__global T *x) { x[0] = 42; }"),
    ("a kernel that calls a kernel", "kernel void one(global int *x) { x[0] = 42; }\n" + _kernel("one(x);")),
    ("two kernels of one name", _SET + _SET),
    ("a kernel that returns", "kernel int k(global int *x) { x[0] = 42; return 1; }"),
    ("a private pointer parameter", "kernel void k(int *x) { x[0] = 42; }"),
    ("a variadic kernel", "kernel void k(global int *x, ...) { x[0] = 42; }"),
    ("an array of unknown length", _kernel("int n = x[1] + 3; int t[n]; t[0] = 42; x[0] = t[0];")),
    ("a function pointer", "int g(int v) { return v; }\n" + _kernel("int (*f)(int) = g; x[0] = f(42);")),
)


def unresolved(rng: Random, _target: Target) -> Case:
    """Functions that do not exist, are not in C, or call back into a kernel."""
    name, text = rng.choice(_NOT_OPENCL_C)
    allowed = (*_ANY_BUILD, ARGUMENT, "KernelNotFoundError")
    more = rng.choice(("", "\n", "\n\n// end\n"))
    return Case(
        "not OpenCL C", f"{name}{' ' * len(more)}", text + more, _CALL, allowed, dict(_X), magic=rng.random() < 0.3
    )
