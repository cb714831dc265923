"""The device's and the front end's diagnostics in one list (R-70, S-37; case 3: in line order)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from cl_magic.build.merge import merge
from cl_magic.clc.diagnostic import Diagnostic, FixIt

DEVICE = Diagnostic("error", "use of undeclared identifier 'oops'", 4, 12, 16)
FIX = FixIt(4, 12, 16, "loops", "did you mean 'loops'?")
NOTE = Diagnostic("note", "declared here", 1, 1, origin="front end")
FRONT = replace(DEVICE, origin="front end", fixits=(FIX,), notes=(NOTE,), end_column=17)


def front(severity: Any, message: str, line: int = 0, column: int = 0, **more: Any) -> Diagnostic:
    return Diagnostic(severity, message, line, column, origin="front end", **more)


def test_the_same_message_is_the_devices_with_what_the_front_end_adds() -> None:
    [found] = merge([DEVICE], [FRONT])
    assert (found.origin, found.message, found.severity) == ("device", DEVICE.message, "error")
    assert (found.end_column, found.fixits, found.notes) == (17, (FIX,), (NOTE,))


def test_other_words_at_the_same_place() -> None:
    device = Diagnostic("warning", "incompatible pointer types passing 'const __global int *__private'", 14, 27)
    ours = front(
        "warning", "incompatible pointer types passing 'const __global int *' to parameter", 14, 27,
        option="-Wincompatible-pointer-types",
    )  # fmt: skip
    [found] = merge([device], [ours])
    assert found.option == "-Wincompatible-pointer-types"


def test_the_device_decides_on_the_severity() -> None:
    """Intel calls an error what the front end warns of, and NVIDIA warns of what the front end calls an error."""
    for one, other in (("error", "warning"), ("warning", "error")):
        device = Diagnostic(one, "incompatible pointer types assigning to 'float *' from 'int *'", 3, 7)  # type: ignore[arg-type]
        [found] = merge([device], [front(other, device.message, 3, 7)])
        assert found.severity == one


def test_errors_of_the_front_end_alone_are_warnings_when_the_device_built() -> None:
    [found] = merge([], [front("error", "no builtin of that name", 2, 1)])
    assert (found.severity, found.origin) == ("warning", "front end")
    [kept] = merge([], [front("error", "no builtin of that name", 2, 1)], device_ok=False)
    assert kept.severity == "error"


def test_a_failed_build_keeps_them_errors() -> None:
    assert [d.severity for d in merge([DEVICE], [front("error", "quite another thing", 9, 1)])] == ["error", "error"]


def test_warnings_of_the_front_end_are_added_in_line_order() -> None:
    """S-37: PoCL refuses -Wall, so the front end's warning is the only one."""
    ours = front("warning", "unused variable 'n'", 3, 9, option="-Wunused-variable")
    assert merge([DEVICE], [ours]) == (ours, DEVICE)


def test_two_messages_on_one_line_stay_two() -> None:
    other = front("error", "expected ';' after expression", 4, 20)
    assert len(merge([DEVICE], [FRONT, other])) == 2


def test_the_most_similar_of_several_is_enriched() -> None:
    first = Diagnostic("error", "'bool' cannot be used as the type of a kernel parameter", 1, 45)
    second = Diagnostic("error", "argument whose type is, or contains, type _Bool", 1, 45)
    plain, enriched = merge([second, first], [front("error", first.message, 1, 45, end_column=47)])
    assert (plain.end_column, enriched.end_column) == (0, 47)


def test_doubles_are_dropped() -> None:
    assert merge([DEVICE, DEVICE], [FRONT, FRONT]) == merge([DEVICE], [FRONT])
    ours = front("warning", "w", 1, 1)
    assert merge([], [ours, ours]) == (ours,)


def test_messages_without_a_line_are_not_mixed_up() -> None:
    link = Diagnostic("error", "Cannot find symbol helper in kernel library")
    ours = front("warning", "Cannot find symbol helper in kernel library")
    assert len(merge([link], [ours])) == 2


def test_headers_and_cell_are_not_mixed_up() -> None:
    assert len(merge([DEVICE], [replace(FRONT, file="k.h")])) == 2


def test_own_messages_stand_by_themselves() -> None:
    device = Diagnostic("warning", "treating Unicode character as whitespace", 4, 10)
    own = Diagnostic("warning", "U+00A0 NO-BREAK SPACE is no character of OpenCL C", 4, 10, 11, origin="cl_magic")
    assert merge([device], [own]) == (device, own)


def test_nothing() -> None:
    assert merge([], []) == ()


messages = st.builds(
    Diagnostic,
    st.sampled_from(["error", "warning"]),
    st.sampled_from(["a b c", "a b d", "something else", ""]),
    st.integers(0, 3),
    st.integers(0, 2),
)


@settings(deadline=None)
@given(st.lists(messages, max_size=5), st.lists(messages, max_size=5))
def test_the_device_never_loses_a_message_nor_gains_an_error(device: list[Diagnostic], extra: list[Diagnostic]) -> None:
    ours = [replace(d, origin="front end") for d in extra]
    found = merge(device, ours)
    kept = [(d.severity, d.message, d.line) for d in found if d.origin == "device"]
    assert set(kept) == {(d.severity, d.message, d.line) for d in device}
    if not any(d.severity == "error" for d in device):
        assert not any(d.severity == "error" for d in found)
