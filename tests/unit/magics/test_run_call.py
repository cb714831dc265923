"""``--run``: a call as text, checked against the kernels, evaluated in the notebook."""

from __future__ import annotations

import pytest

from cl_magic.errors import MagicLineError
from cl_magic.magics.run_call import check_kernel, evaluate_arguments, parse_run_call


@pytest.mark.parametrize(
    "text", ["blur", "blur(", "1 + 2", "a.blur(x)", "blur(x); sobel(x)", "x = blur(y)", "", "f()()"]
)
def test_what_is_no_call_of_a_name_is_refused(text: str) -> None:
    with pytest.raises(MagicLineError) as caught:
        parse_run_call(text)
    assert caught.value.run == text
    assert caught.value.remedy


def test_arguments_and_keywords_are_evaluated_in_the_notebook() -> None:
    call = parse_run_call(" blur(src, *rest, width=w * 2, **more, global_size=[w, h][::-1]) ")
    values = evaluate_arguments(call, {"src": 1, "rest": (2, 3), "w": 4, "h": 5, "more": {"k": 6}})
    assert values.args == (1, 2, 3)
    assert values.keywords == {"width": 8, "k": 6, "global_size": [5, 4]}
    assert values.sizes is None


def test_comprehensions_see_the_notebooks_variables() -> None:
    assert evaluate_arguments(parse_run_call("f([n * i for i in r])"), {"n": 2, "r": (1, 2)}).args == ([2, 4],)


def test_sizes_in_brackets_are_evaluated_too() -> None:
    values = evaluate_arguments(parse_run_call("blur[(w, h), None](x)"), {"w": 4, "h": 5, "x": 0})
    assert values.sizes == ((4, 5), None)


def test_the_kernels_name_need_not_be_a_variable() -> None:
    assert evaluate_arguments(parse_run_call("print(1)"), {}).args == (1,)


def test_a_missing_variable_is_named() -> None:
    with pytest.raises(MagicLineError) as caught:
        evaluate_arguments(parse_run_call("blur(source)"), {"sources": 1})
    assert caught.value.name == "source"
    assert caught.value.suggestion == "sources"


def test_a_failing_argument_is_reported_with_its_reason() -> None:
    with pytest.raises(MagicLineError, match="ZeroDivisionError") as caught:
        evaluate_arguments(parse_run_call("blur(1 / 0)"), {})
    assert isinstance(caught.value.__cause__, ZeroDivisionError)


def test_an_unknown_kernel_gets_a_proposal() -> None:
    call = parse_run_call("blurr(x)")
    check_kernel(parse_run_call("blur(x)"), ["sobel", "blur"])
    with pytest.raises(MagicLineError) as caught:
        check_kernel(call, ["sobel", "blur"])
    assert (caught.value.name, caught.value.suggestion) == ("blurr", "blur")
    assert caught.value.kernels == ("sobel", "blur")
