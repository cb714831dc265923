"""What OpenCL C says of values, asked by evaluation on every device: each requirement's id stands in the test's id."""

from __future__ import annotations

import numpy as np
import pytest

from cl_magic.errors import BuildError, SourceError
from cl_magic.evaluate.evaluation import evaluate
from cl_magic.launch.limits import DeviceInfo
from cl_magic.record.evaluation import Evaluation

SIZES = {"char": 1, "short": 2, "int": 4, "long": 8, "half": 2, "float": 4, "double": 8, "size_t": 8}
TRIPLES = {"char3": 4, "uchar3": 4, "short3": 8, "int3": 16, "float3": 16, "double3": 32}

VALUES: dict[str, list[tuple[str, str]]] = {
    "C-01": [(f"sizeof({name})", f"size_t {size}") for name, size in SIZES.items()],
    "C-03": [(f"sizeof({name})", f"size_t {size}") for name, size in TRIPLES.items()],
    "C-17": [
        ("(char)100 + (char)100", "int 200"),
        ("(char4)(100) + (char4)(100)", "char4 {-56, -56, -56, -56}"),
    ],
    "C-18": [("(int4)(1,2,3,4) > 2", "int4 {0, 0, -1, -1}"), ("3 > 2", "int 1")],
    "C-19": [
        ("sizeof((double2)(1) < (double2)(2))", "size_t 16"),
        ("sizeof((uchar2)(1) < (uchar2)(2))", "size_t 2"),
        ("(uchar2)(1) < (uchar2)(2)", "char2 {-1, -1}"),
        ("(ushort2)(1) == (ushort2)(2)", "short2 {0, 0}"),
        ("(float2)(1) < (float2)(2)", "int2 {-1, -1}"),
        ("(double2)(1) < (double2)(2)", "long2 {-1, -1}"),
        ("(ulong2)(1) > (ulong2)(2)", "long2 {0, 0}"),
    ],
    "C-22": [("!(float4)(0, 1, 2, -0.0f)", "int4 {-1, 0, 0, -1}"), ("!NAN", "int 0"), ("!0", "int 1")],
    "C-25": [
        ("float one = 1, zero = 0", "float 0.0"),
        ("one / zero", "float inf"),
        ("-one / zero", "float -inf"),
        ("zero / zero", "float nan"),
    ],
    "C-26": [
        ("int i = 1", "int 1"),
        ("i << 33", "int 2"),
        ("(char)i << 9", "int 512"),
        ("(char2)(1) << (char2)(9)", "char2 {2, 2}"),
        ("(short2)(1) << (short2)(17)", "short2 {2, 2}"),
        ("(long)i << 65", "long 2"),
        ("i << -i", "int -2147483648"),
    ],
    "C-27": [("-8 >> 1", "int -4"), ("0xFFFFFFF8u >> 1", "uint 2147483644")],
    "C-29": [
        ("int4 c = (int4)(1, -1, 0, INT_MIN)", "int4 {1, -1, 0, -2147483648}"),
        ("c ? (int4)(10) : (int4)(20)", "int4 {20, 10, 20, 10}"),
    ],
    "C-30": [
        ("int4 k = (int4)(-1, 0, -1, 0)", "int4 {-1, 0, -1, 0}"),
        ("float4 v = (float4)(1, 2, 3, 4)", "float4 {1.0, 2.0, 3.0, 4.0}"),
        ("k ? v : 7.0f", "float4 {1.0, 7.0, 3.0, 7.0}"),
    ],
    "C-31": [
        ("int a[7] = {0}; sizeof(a)", "size_t 28"),
        ("int n = 1; sizeof(n++)", "size_t 4"),
        ("n", "int 1"),
        ("struct P { char c; double d; }; sizeof(struct P)", "size_t 16"),
    ],
    "C-34": [("int a = 1; (a++, a++, a)", "int 3")],
    "C-35": [("int4 v = 0; v = 7", "int4 {7, 7, 7, 7}")],
    "C-39": [
        ("int v = 8", "int 8"),
        ("v <<= 1", "int 16"),
        ("v |= 1", "int 17"),
        ("v %= 5", "int 2"),
        ("v ^= 2", "int 0"),
    ],
}  # fmt: skip

REFUSED = {
    "C-14 % on floats": ("5.0f % 2.0f", 1, 6),
    "C-15 char4 + int": ("int n = 1\nchar4 v = 1\nv + n", 3, 3),
    "C-28 scalar << vector": ("1 << (int2)(1, 2)", 1, 0),
    "C-30 float condition": ("float4 c = 1.0f\nc ? c : c", 2, 0),
    "C-30 widths": ("short4 c = 1; float4 v = 1\nc ? v : v", 2, 0),
    "C-30 no l-value": ("int c = 1, a = 2, b = 3\n(c ? a : b) = 1", 2, 0),
    "C-31 sizeof of a function": ("void f() {}\nsizeof(f)", 2, 0),
}


def last(evaluation: Evaluation) -> str:
    return evaluation.text()


@pytest.mark.parametrize("requirement", VALUES)
def test_values(requirement: str, device: DeviceInfo) -> None:
    given = VALUES[requirement]
    found = evaluate("\n".join(text for text, _ in given), devices=[device])
    shown = {row.line: found.text(index) for index, row in enumerate(found.rows)}
    assert list(shown.values()) == [expected for _, expected in given]


@pytest.mark.parametrize("requirement", REFUSED)
def test_refused_on_the_users_place(requirement: str, device: DeviceInfo) -> None:
    text, line, column = REFUSED[requirement]
    with pytest.raises(BuildError) as caught:
        evaluate(text, devices=[device])
    errors = [one for one in caught.value.result.diagnostics if one.severity == "error"]
    assert errors[0].line == line
    assert column in {0, errors[0].column}
    assert "cl_magic_out" not in str(caught.value)


def test_c_20_nan_equals_nothing(device: DeviceInfo) -> None:
    """C-20, also the simulator's wrong answer for a second component (it is no oracle here)."""
    found = evaluate(
        "float n = nan(0u)\nn != n\nn == n\nn < n\nfloat2 v = (float2)(1, n)\nv != v\nv == v", devices=[device]
    )
    assert [found.text(i) for i in (1, 2, 3)] == ["int 1", "int 0", "int 0"]
    assert found.rows[-1].type_name == "int2"
    if device.family != "oclgrind":
        assert [found.text(i) for i in (-2, -1)] == ["int2 {0, -1}", "int2 {-1, 0}"]


def test_c_21_logical_operators_and_their_side_effects(device: DeviceInfo) -> None:
    text = (
        "int f(int *n) { (*n)++; return 1; }\nint n = 0\n(int4)(0) && f(&n)\nn\n0 && f(&n)\nn\n1 || f(&n)\nn\n"
        "(int4)(2, 0, 1, 0) || (int4)(0)\n0.5f && 2.0f"
    )
    found = evaluate(text, devices=[device])
    shown = [found.text(i) for i in range(len(found.rows))]
    assert shown[1:3] == ["int4 {0, 0, 0, 0}", "int 1"]
    assert shown[3:7] == ["int 0", "int 1", "int 1", "int 1"]
    assert shown[7:] == ["int4 {-1, 0, -1, 0}", "int 1"]


@pytest.mark.parametrize(
    "text", ["7/0", "7 % 0", "int z = 0; 7 / z", "INT_MIN / -1", "(int2)(7) / (int2)(1, 0)", "x / (x - x)"]
)
def test_c_24_division_without_a_value_is_unspecified(text: str, device: DeviceInfo) -> None:
    found = evaluate(text, devices=[device], names={"x": 7})
    value = found.columns[0].values[-1]
    assert value.text == "unspecified"
    assert "6.3.a" in value.note


@pytest.mark.parametrize(
    ("text", "expected"), [("7/2", "int 3"), ("int z = 0; z ? 7 / z : 1", "int 1"), ("7 % -3", "int 1")]
)
def test_c_24_other_divisions_have_their_value(text: str, expected: str, device: DeviceInfo) -> None:
    assert evaluate(text, devices=[device]).text() == expected


@pytest.mark.parametrize("name", ["bool", "image2d_t", "sampler_t", "event_t"])
def test_c_32_such_a_size_is_the_implementations_own(name: str, device: DeviceInfo) -> None:
    found = evaluate(f"sizeof({name})", devices=[device])
    assert name in found.rows[0].notes[0]


def test_c_29_explains_the_top_bit(device: DeviceInfo) -> None:
    found = evaluate("(int2)(1, -1) ? (int2)(3) : (int2)(4)", devices=[device])
    assert "top bit" in found.rows[0].notes[0]


def test_names_statements_printf_and_structures(device: DeviceInfo) -> None:
    text = (
        "struct P { char c; float3 f; };\nstruct P p = {x, (float3)(y)}\nint sum = 0\n"
        'for (int i = 0; i < 4; ++i)\n  sum += i;\nprintf("sum %d\\n", sum);\n&sum\nbarrier(CLK_LOCAL_MEM_FENCE)'
    )
    found = evaluate(text, devices=[device], names={"x": np.int8(3), "y": np.float32(0.5)})
    assert found.text(0) == "struct P {.c = 3, .f = {0.5, 0.5, 0.5}}"
    assert (found.rows[2].name, found.text(2)) == ("sum", "int 6")
    assert found.columns[0].printf == "sum 6\n"
    assert found.rows[-2].type_name == "int*"
    assert found.columns[0].values[-2].text == ""
    assert found.rows[-1].type_name == "void"


def test_what_is_not_reached_has_no_value(real_device: DeviceInfo) -> None:
    found = evaluate("3\nreturn\n4", devices=[real_device])
    values = found.columns[0].values
    assert (values[0].text, values[-1].text) == ("3", "")
    assert "returns before" in values[-1].note


@pytest.mark.parametrize("text", ["} 3", "} kernel void g() { 3", "1))"])
def test_a_text_stays_inside_its_kernel(text: str, real_device: DeviceInfo) -> None:
    with pytest.raises(SourceError, match="closes a bracket"):
        evaluate(text, devices=[real_device])


@pytest.mark.parametrize("text", ["", "// nothing", ";"])
def test_nothing_to_evaluate(text: str, real_device: DeviceInfo) -> None:
    with pytest.raises(SourceError, match="nothing to evaluate"):
        evaluate(text, devices=[real_device])


def test_an_error_at_the_end_is_on_the_users_line(real_device: DeviceInfo) -> None:
    with pytest.raises(BuildError) as caught:
        evaluate("int a = 1\nsizeof(int", devices=[real_device])
    assert caught.value.result.diagnostics[0].line == 2


def test_side_by_side_with_a_device_that_fails(real_device: DeviceInfo) -> None:
    from cl_magic.device import devices  # noqa: PLC0415 - as in conftest

    found = evaluate("3 + x", devices=devices(), names={"x": 4})
    assert {column.values[0].text for column in found.columns} == {"7"}
    assert not found.differs(0)
    with pytest.raises(BuildError):
        evaluate("3 + ", devices=[real_device, real_device])


def test_a_name_that_the_text_declares_is_its_own(real_device: DeviceInfo) -> None:
    assert evaluate("float x = 1.5f\nx", devices=[real_device], names={"x": 3}).text() == "float 1.5"
    assert evaluate("N + 1", devices=[real_device], names={"N": 3}, options="-DN=40").text() == "int 41"
