"""The sixteen inputs that templates as text were tried with: source, registered names, and what must come of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Launch:
    """A kernel by registered name on one array, and what the array must hold then."""

    name: str
    before: tuple[float, ...]
    after: tuple[float, ...]
    dtype: type = np.float32
    scalars: tuple[float, ...] = ()


@dataclass(frozen=True)
class Works:
    """An input that every device must build and run; each kernel takes scalars, then one array."""

    text: str
    launches: tuple[Launch, ...]


@dataclass(frozen=True)
class Refusal:
    """An input that is refused: lines and words of what is said."""

    text: str
    names: tuple[str, ...]
    said: tuple[tuple[int, str], ...]


WORKS = {
    "1 type and integer parameters": Works(
        """template<typename T, int N>
__kernel void f(__global T *y)
{
    for (int i = 0; i < N; i++) y[i] = y[i] * (T)2 + (T)N;
}
""",
        (
            Launch("f<float,4>", (0, 1, 2, 3, 9), (4, 6, 8, 10, 9)),
            Launch("f<int,2>", (0, 1, 9), (2, 4, 9), np.int32),
        ),
    ),
    "2 helper called with explicit arguments, functional cast": Works(
        """template<class T> T sq(T x) { return x * x; }
template<class T> __kernel void f(__global T *y) { y[0] = sq<T>(y[0]) + T(1); }
""",
        (Launch("f<float>", (3,), (10,)), Launch("f<int>", (4,), (17,), np.int32)),
    ),
    "3 helper with deduced arguments, also in a plain kernel": Works(
        """template<class T> T twice(T x) { return x + x; }
template<class T> kernel void f(global T *y) { y[0] = twice(y[0]); }
kernel void g(global float *y) { y[0] = twice((float4)(y[0])).w; }
""",
        (Launch("f<float>", (3,), (6,)), Launch("g", (5,), (10,))),
    ),
    "4 overloads chosen by a cast": Works(
        """__kernel void iota(int a, __global int *x) { x[0] = a; x[1] = a + 1; }
__kernel void iota(float a, __global float *x) { x[0] = a; x[1] = a + 0.5f; }
""",
        (
            Launch("(void(*)(int, __global int*))iota", (0, 0), (5, 6), np.int32, (5,)),
            Launch("(void(*)(float,global float*)) iota", (0, 0), (2.5, 3), np.float32, (2.5,)),
        ),
    ),
    "5 overloaded helpers in a plain kernel": Works(
        """int which(int a) { return 1; }
int which(float a) { return 2; }
int which(int4 a) { return 4; }
kernel void k(global int *x) { x[0] = which(1); x[1] = which(1.0f); x[2] = which((int4)(1)); }
""",
        (Launch("(k)", (0, 0, 0), (1, 2, 4), np.int32),),
    ),
    "6 recursion and a specialisation": Works(
        """template<int N> float pw(float x) { return x * pw<N - 1>(x); }
template<> float pw<0>(float x) { return 1.0f; }
template<int N> kernel void f(global float *x) { x[0] = pw<N>(x[0]); }
""",
        (Launch("f<5>", (2,), (32,)), Launch("f<0>", (2,), (1,))),
    ),
    "7 defaults, a typedef, four spellings of one instance": Works(
        """typedef float real;
template<typename T = float, int N = 2> kernel void f(global T *x) { x[0] *= N; }
""",
        tuple(Launch(name, (3,), (6,)) for name in ("f<>", "f<float,2>", "f<real, 2>", "f<float , 1+1>")),
    ),
    "11 deduced address space, static_cast, if constexpr, auto": Works(
        """template<class T> T first(T *p) { return p[0]; }
template<typename T, int N> kernel void f(global T *x)
{
    auto v = first(x) + static_cast<T>(1.9f);
    const auto w = v;
    if constexpr (N > 2) { x[0] = w; }
    else if constexpr (N == 2) x[0] = -w;
    else { x[0] = no_such_function(w); }
}
""",
        (
            Launch("f<int,3>", (4,), (5,), np.int32),
            Launch("f<int,2>", (4,), (-5,), np.int32),
            Launch("f<float,3>", (4,), (5.9,)),
        ),
    ),
    "13 struct without typedef, struct and float3 as arguments": Works(
        """struct Pair { float a; float b; };
template<class T> T take(global float *x);
template<> Pair take<Pair>(global float *x) { Pair p; p.a = x[0]; p.b = x[1]; return p; }
template<> float3 take<float3>(global float *x) { return (float3)(x[0], x[1], 0.0f); }
template<class T> T same(T value) { return value; }
template<class T> kernel void f(global float *x) { T t = same(take<T>(x)); x[0] = sizeof(t); }
""",
        (Launch("f<Pair>", (1, 2), (8, 2)), Launch("f<float3>", (1, 2), (16, 2))),
    ),
    "14 built-in overloads and macros": Works(
        """#define SCALE 2
#define TWICE(x) ((x) * SCALE)
template<class T> kernel void f(global T *x) { x[0] = TWICE(fmax(x[0], x[1])) + SCALE; }
""",
        (Launch("f<float>", (3, 7), (16, 7)),),
    ),
    "15 helper passed through a macro": Works(
        """#define APPLY(f, x) f(x)
template<class T> T sq(T x) { return x * x; }
template<class T> kernel void f(global T *x) { x[0] = APPLY(sq, x[0]); }
""",
        (Launch("f<float>", (3,), (9,)), Launch("f<int>", (4,), (16,), np.int32)),
    ),
    "S-25 a namespace": Works(
        """namespace mykernels {
template<class T> T one() { return T(1); }
kernel void bar(global int *x) { x[0] += one<int>(); }
template<class T> kernel void tmpl(global T *x) { x[0] += mykernels::one<T>(); }
}
""",
        (Launch("mykernels::bar", (1,), (2,), np.int32), Launch("mykernels::tmpl<float>", (1.5,), (2.5,))),
    ),
    "a parameter inside a macro's definition": Works(
        """#define ZERO ((T)(0))
template<class T> kernel void f(global T *x) { x[0] = ZERO + x[1]; }
kernel void g(global int *x) { int T = 4; x[0] = T; }
""",
        (Launch("f<int>", (5, 6), (6, 6), np.int32), Launch("g", (5,), (4,), np.int32)),
    ),
    "values: unsigned, negative, bool, char": Works(
        """template<uint U, int N, bool B, char C> kernel void f(global float *x)
{
    x[0] = (U > 0x7fffffffu ? 1 : 0) + (N < 0 ? 10 : 0) + (B ? 100 : 0) + (C == 'a' ? 1000 : 0);
}
""",
        (Launch("f<4294967295u, -3, true, 'a'>", (0,), (1111,)), Launch("f<1, 3, false, 98>", (7,), (0,))),
    ),
    "C++'s own words: constexpr, using, and, nullptr": Works(
        """constexpr int K = 3;
using real = float;
constexpr int twice(int a) { return 2 * a; }
template<class T> kernel void f(global T *x)
{
    constexpr int M = K + 1;
    real a[M];
    a[M - 1] = twice(K);
    if (x[0] == 0 and not (x[0] > 1)) x[0] = a[M - 1];
}
""",
        (Launch("f<float>", (0,), (6,)),),
    ),
    "a pointer as argument keeps its const": Works(
        """template<class P> float read(const P p) { return p[0]; }
kernel void f(global float *x) { x[1] = read(x); x[2] = read<global float *>(x); }
template<class T> kernel void g(global T *x) { x[0] = 1; }
""",
        (Launch("f", (2, 0, 0), (2, 2, 2)),),
    ),
    "a kernel specialised, two templates of one name, a forward declaration": Works(
        """template<class T> T pick(T a);
template<class T> kernel void f(global T *x) { x[0] = pick(x[0]) + pick(x, 1); }
template<> kernel void f<int>(global int *x) { x[0] = 100; }
template<class T> T pick(T a) { return a + 1; }
template<class T> T pick(global T *a, int b) { return a[b] + 10; }
kernel void g(global float *x) { x[0] = pick(x, 1); }
""",
        (Launch("f<int>", (1, 2), (100, 2), np.int32), Launch("g", (1, 2), (12, 2))),
    ),
    "linkage, attributes for overloads, a typedef between two declarations": Works(
        """extern "C" kernel void foo(global int *x) { x[0] = 1; }
extern "C" {
kernel void bar(global int *x) { x[0] = 2; }
}
int __attribute__((overloadable)) two(int a) { return a; }
int __attribute__((overloadable)) two(float a) { return 7; }
typedef unsigned int word;
word half_of(word a);
word half_of(unsigned int a) { return a / 2; }
template<class T> kernel void f(global T *x) { x[0] = half_of(two(x[0])) + two(1.0f); }
""",
        (
            Launch("foo", (0,), (1,), np.int32),
            Launch("bar", (0,), (2,), np.int32),
            Launch("f<int>", (8,), (11,), np.int32),
        ),
    ),
    "functions that macros make": Works(
        """#define MAKE(NAME, TYPE) \\
    TYPE help_##NAME(TYPE a) { return a + 1; } \\
    kernel void NAME(global TYPE *x) { x[0] = help_##NAME(x[0]); }
MAKE(one, int)
MAKE(two, float)
template<class T> kernel void f(global T *x) { x[0] = help_one(1) + T(2); }
""",
        (
            Launch("one", (3,), (4,), np.int32),
            Launch("(two)", (3,), (4,)),
            Launch("f<float>", (0,), (4,)),
        ),
    ),
    "types that stand behind the template": Works(
        """template<class T> T get(global T *x) { return x[1]; }
struct Late { float a; };
kernel void f(global float *x) { global Late *p = (global Late *)x; x[0] = get(p).a; }
""",
        (Launch("f", (2, 5), (5, 5)),),
    ),
}

REFUSED = {
    "8 class template": Refusal(
        "template<class T> struct Box { T a; T get() { return a; } };\n"
        "template<class T> kernel void f(global T *x) { Box<T> b; x[0] = b.a; }\n",
        ("f<int>",),
        ((1, "class template Box"),),
    ),
    "8 struct with a method": Refusal(
        "struct S {\n  int a;\n  int get() { return a; }\n};\nkernel void f(global int *x) { x[0] = 1; }\n",
        ("(f)",),
        ((3, "method get"),),
    ),
    "8 class": Refusal("class S { int a; };\nkernel void f(global int *x) {}\n", ("(f)",), ((1, "class S"),)),
    "9 reference parameter": Refusal(
        "\n\n\ntemplate<class T> void inc(T &a) { a += 1; }\n"
        "template<class T> kernel void f(global T *x) { T t = x[0]; inc(t); }\n",
        ("f<int>",),
        ((4, "reference parameter a"),),
    ),
    "lambda": Refusal(
        "template<class T> kernel void f(global T *x)\n{\n  auto g = [](T a) { return a; };\n  x[0] = g(x[0]);\n}\n",
        ("f<int>",),
        ((3, "lambda"),),
    ),
    "range-based for": Refusal(
        "template<class T> kernel void f(global T *x)\n{\n  T a[2] = {1, 2};\n  for (T v : a) x[0] += v;\n}\n",
        ("f<int>",),
        ((4, "range-based for"),),
    ),
    "16 parameter pack": Refusal(
        "template<class... Ts> int count(Ts... a) { return sizeof...(a); }\n"
        "kernel void f(global int *x) { x[0] = count(1, 2.0f); }\n",
        ("f",),
        ((1, "parameter pack Ts"),),
    ),
    "alias template": Refusal(
        "template<class T> using P = global T *;\nkernel void f(P<int> x) {}\n", ("f",), ((1, "alias template P"),)
    ),
    "variable template": Refusal(
        "template<class T> constexpr T half_of = T(1) / 2;\n"
        "kernel void f(global float *x) { x[0] = half_of<float>; }\n",
        ("f",),
        ((1, "a template that is no function"),),
    ),
    "default value of a parameter": Refusal(
        "template<class T> T add(T a,\n  T b = 1) { return a + b; }\nkernel void f(global int *x) { x[0] = add(1); }\n",
        ("f",),
        ((2, "default value of parameter b"),),
    ),
    "explicit instantiation": Refusal(
        "template<class T> kernel void f(global T *x) { x[0] = 1; }\ntemplate void f<int>(global int *);\n",
        ("f<int>",),
        ((2, "explicit instantiation"),),
    ),
    "12 arity, unknown name, no kernel, overload without a cast": Refusal(
        "template<class T> kernel void f(global T *x) { x[0] = 1; }\n"
        "template<class T> T h(T a) { return a; }\n"
        "kernel void k(int a) {}\nkernel void k(float a) {}\n",
        ("f<int,int>", "g<int>", "h<int>", "k", "f<int>", "f<nope>", "f", "ff<int>"),
        (
            (1, "'f<int,int>' does not fit f<T>"),
            (0, "'g<int>' names no kernel"),
            (2, "'h<int>' is no kernel"),
            (3, "'k' fits no kernel; choose one by its type: (void(*)(int))k; (void(*)(float))k"),
            (1, "'f<nope>' does not fit f<T>"),
            (1, "'f' does not fit f<T>"),
            (0, "did you mean f?"),
        ),
    ),
    "a template that a macro makes": Refusal(
        "#define MAKE(NAME) template<class T> T NAME(T a) { return a; }\nMAKE(same)\n"
        "kernel void f(global int *x) { x[0] = same(1); }\n",
        ("f",),
        ((2, "template same made by a macro"),),
    ),
    "without end": Refusal(
        "template<int N> int up(int a) { return up<N + 1>(a); }\nkernel void f(global int *x) { x[0] = up<0>(1); }\n",
        ("f",),
        ((1, "without end"),),
    ),
    "a call inside a macro's definition": Refusal(
        "template<class T> T sq(T x) { return x * x; }\n#define SQ(x) sq(x)\n"
        "kernel void f(global int *x) {\n  x[0] = SQ(x[0]);\n}\n",
        ("f",),
        ((4, "a call of sq stands inside a macro's definition"),),
    ),
}

MALFORMED = {
    "axpy<float": "not closed",
    "axpy<float>>": "closes nothing",
    "": "empty",
    "f<int>; } int evil": "';'",
    "f<int> /* x */": "'/* x */'",
    "f<\nint>": "line break",
    "f" * 2000: "2000 characters",
}
