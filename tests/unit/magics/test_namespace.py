"""Kernels as variables: never over the user's own, never stale (design 6; cases 16 and 54)."""

from __future__ import annotations

from typing import Any

import pytest

from cl_magic.magics.kernel_names import kernel_names
from cl_magic.magics.namespace import KernelNamespace, Removed, cell_key


class Callee:
    """Stands for a kernel: the namespace asks nothing of one but its type."""


@pytest.fixture
def names() -> dict[str, Any]:
    return {}


@pytest.fixture
def ours(names: dict[str, Any]) -> KernelNamespace:
    return KernelNamespace(names, own_type=Callee)


def test_kernels_are_bound_and_rebound(ours: KernelNamespace, names: dict[str, Any]) -> None:
    first, second = Callee(), Callee()
    assert ours.bind("id a", "cell [1]", {"blur": first}).bound == ("blur",)
    binding = ours.bind("id b", "cell [2]", {"blur": second})
    assert binding.bound == ("blur",)
    assert binding.removed == ()
    assert names == {"blur": second}


def test_a_failed_build_unbinds_what_the_cell_had_bound(ours: KernelNamespace, names: dict[str, Any]) -> None:
    ours.bind("id a", "cell [1]", {"blur": Callee(), "sobel": Callee()})
    ours.bind("id b", "cell [2]", {"other": Callee()})
    assert ours.unbind("id a", ["blur"]).removed == (Removed("blur", "cell [1]"), Removed("sobel", "cell [1]"))
    assert list(names) == ["other"]


def test_a_failed_build_unbinds_the_same_kernel_of_another_cell(ours: KernelNamespace, names: dict[str, Any]) -> None:
    """Without a cell id (nbclient), and for a copied cell: the name would run other code than was just written."""
    ours.bind(cell_key("", "", ["blur"]), "cell [1]", {"blur": Callee()})
    assert ours.unbind(cell_key("", "", ["blur", "new"]), ["blur", "new"]).removed == (Removed("blur", "cell [1]"),)
    assert names == {}


def test_a_kernel_renamed_away_is_unbound(ours: KernelNamespace, names: dict[str, Any]) -> None:
    ours.bind("id a", "cell [1]", {"blur": Callee()})
    binding = ours.bind("id a", "cell [2]", {"smooth": Callee()})
    assert binding.removed == (Removed("blur", "cell [1]"),)
    assert list(names) == ["smooth"]


@pytest.mark.parametrize("value", [7, None, print])
def test_a_users_variable_is_not_overwritten(ours: KernelNamespace, names: dict[str, Any], value: object) -> None:
    names["count"] = value
    binding = ours.bind("id a", "cell [1]", {"count": Callee(), "blur": Callee()})
    assert names["count"] is value
    assert binding.bound == ("blur",)
    assert [kept.name for kept in binding.kept] == ["count"]
    assert type(value).__name__ in binding.kept[0].reason


@pytest.mark.parametrize("name", ["print", "sum", "max", "abs"])
def test_a_builtin_is_not_shadowed(ours: KernelNamespace, names: dict[str, Any], name: str) -> None:
    """Case 16."""
    assert ours.bind("id a", "cell [1]", {name: Callee()}).kept[0].name == name
    assert names == {}


def test_force_binds_over_both(ours: KernelNamespace, names: dict[str, Any]) -> None:
    names["count"] = 7
    binding = ours.bind("id a", "cell [1]", {"count": Callee(), "print": Callee()}, force=True)
    assert binding.bound == ("count", "print")
    assert isinstance(names["count"], Callee)


def test_a_python_keyword_is_never_bound(ours: KernelNamespace, names: dict[str, Any]) -> None:
    binding = ours.bind("id a", "cell [1]", {"lambda": Callee()}, force=True)
    assert [(kept.name, kept.forcible) for kept in binding.kept] == [("lambda", False)]
    assert names == {}


def test_a_variable_that_the_user_took_over_is_left_alone(ours: KernelNamespace, names: dict[str, Any]) -> None:
    ours.bind("id a", "cell [1]", {"blur": Callee()})
    names["blur"] = 7
    assert ours.unbind("id a", ["blur"]).removed == ()
    assert names == {"blur": 7}
    assert ours.bind("id a", "cell [2]", {"blur": Callee()}).bound == ()


def test_a_kernel_from_the_python_api_may_be_rebound(ours: KernelNamespace, names: dict[str, Any]) -> None:
    names["blur"] = Callee()
    assert ours.bind("id a", "cell [1]", {"blur": Callee()}).bound == ("blur",)


def test_the_program_of_as_is_an_assignment(ours: KernelNamespace, names: dict[str, Any]) -> None:
    names["program"] = 7
    program = object()
    ours.bind("id a", "cell [1]", {"blur": Callee()}, assigned={"program": program})
    assert names["program"] is program
    removed = ours.unbind("id a", []).removed
    assert {(r.name, r.what) for r in removed} == {("blur", "kernel"), ("program", "program")}


def test_a_cell_is_recognised_by_its_id_then_as_then_its_kernels() -> None:
    assert cell_key("x", "p", ["k"]) == cell_key("x", "", ["other"])
    assert cell_key("", "p", ["k"]) == cell_key("", "p", ["other"])
    assert cell_key("", "", ["a", "b"]) == cell_key("", "", ["b", "a"])
    assert len({cell_key("k", "", []), cell_key("", "k", []), cell_key("", "", ["k"])}) == 3


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("__kernel void a(global int *x) { } kernel void b() {", ("a", "b")),
        ("void kernel a(global int *x) {", ("a",)),
        ("kernel __attribute__((vec_type_hint(float4))) __attribute__((work_group_size_hint(8,1,1)))\nvoid a(", ("a",)),
        ("kernel void __attribute__((reqd_work_group_size(8, 8, 1))) a(int x)", ("a",)),
        ("// kernel void no(\n/* kernel void no( */ int kernel_size(int x) { return x; }", ()),
        ('constant char *s = "kernel void no(";', ()),
        ("#define K kernel void no(\\\n int x)\nkernel void a(int x) { }", ("a",)),
        ("kernel void a(int x) { } kernel void a(int y) { }", ("a",)),
        ("", ()),
    ],
)
def test_kernel_names_are_read_from_a_text_that_does_not_compile(source: str, expected: tuple[str, ...]) -> None:
    assert kernel_names(source) == expected
