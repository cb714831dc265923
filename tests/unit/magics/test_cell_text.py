"""Lines of a report are those of the editor (design 7, 'Lines'; case 51)."""

from __future__ import annotations

import pytest
from IPython.core.inputtransformer2 import TransformerManager

from cl_magic.errors import MagicLineError
from cl_magic.magics.cell_text import CellIdentity, cell_source
from cl_magic.magics.first_line import refuse, transform

BODY = "kernel void f(global int *x)\n{\n\tx[0] = oops;\n}\n"


def _from_ipython(raw: str) -> tuple[str, str]:
    """The line and body that IPython makes of a cell: the arguments of the call that it becomes."""
    manager = TransformerManager()
    manager.cleanup_transforms.append(transform)
    handed: list[tuple[str, str]] = []

    class Shell:
        def run_cell_magic(self, _name: str, line: str, body: str) -> None:
            handed.append((line, body))

    exec(manager.transform_cell(raw), {"get_ipython": Shell})  # noqa: S102 - IPython's own transformation
    return handed[0]


@pytest.mark.parametrize(
    ("raw", "first_line", "line", "column"),
    [
        (f"%%opencl -w\n{BODY}", 2, 4, 9),
        (f"\n\n%%opencl\n{BODY}", 4, 6, 9),
        (f"%%opencl\n\n\n{BODY}", 2, 6, 9),
        ("    %%opencl\n    kernel void f(global int *x)\n    {\n        x[0] = oops;\n    }", 2, 4, 16),
        ("  %%opencl\nkernel void f(global int *x) {\n x[0] = oops; }", 2, 3, 9),
        (f"%%opencl\r\n{BODY}".replace("\n", "\r\n").replace("\r\r", "\r"), 2, 4, 9),
        (f"%%opencl -DX='%%opencl'\n// %%opencl\n{BODY}", 2, 5, 9),
    ],
)
def test_positions_are_those_of_the_editor(raw: str, first_line: int, line: int, column: int) -> None:
    source = cell_source(_from_ipython(raw)[1], CellIdentity("cell [1]", texts=(raw,)))
    assert source.source_map.first_line == first_line
    assert source.document == raw
    lines = source.text.split("\n")
    row = next(i for i, text in enumerate(lines, 1) if "oops" in text)
    assert source.source_map.line(row) == line
    assert source.source_map.column(lines[row - 1].index("oops") + 1) == column


def test_time_above_opencl_counts_as_a_line() -> None:
    raw = f"%%time\n%%opencl\n{BODY}"
    source = cell_source(BODY, CellIdentity("cell [1]", texts=(raw,)))
    assert source.source_map.first_line == 3


@pytest.mark.parametrize("texts", [(), ("x = 1",), ("%%opencl\nanother body",), ("run('''\n%%opencl\nx''')",)])
def test_without_the_raw_cell_the_body_is_mapped_and_it_is_said(texts: tuple[str, ...]) -> None:
    source = cell_source(BODY, CellIdentity("cell [1]", texts=texts))
    assert source.text == BODY
    assert source.source_map.first_line == 2
    assert source.document == ""
    assert source.note


def test_the_second_text_is_used_where_the_first_is_another_cell() -> None:
    raw = f"\n%%opencl\n{BODY}"
    assert cell_source(BODY, CellIdentity("cell [1]", texts=("x = 1", raw))).source_map.first_line == 3


@pytest.mark.parametrize(
    ("above", "what"),
    [("# a note\n", "a comment"), ("x = 1\n", "Python"), ("# a\n\nprint(x)\n", "Python"), ("f(\n", "Python")],
)
def test_opencl_below_another_line_says_so(above: str, what: str) -> None:
    """Case 51."""
    raw = f"{above}%%opencl -w\n{BODY}"
    manager = TransformerManager()
    manager.cleanup_transforms.append(transform)
    with pytest.raises(MagicLineError) as caught:
        exec(manager.transform_cell(raw), {})  # noqa: S102 - IPython's own transformation
    assert caught.value.line_number == above.count("\n") + 1
    assert caught.value.above == what
    assert manager.check_complete(raw)[0] in {"complete", "incomplete"}


@pytest.mark.parametrize(
    "cell",
    [
        "x = 1\n",
        'text = """\n%%opencl\nkernel void f() { }\n"""\n',
        "text = '''a\n  %%opencl'''\n",
        "x = 1\n%%openclx\n",
        "x = '%%opencl'\ny = 2\n",
    ],
)
def test_other_cells_are_left_alone(cell: str) -> None:
    lines = cell.splitlines(keepends=True)
    assert transform(list(lines)) == lines


def test_an_empty_body_reaches_the_magic() -> None:
    assert _from_ipython("%%opencl --file=blur.cl") == ("--file=blur.cl", "\n")


def test_cells_of_other_magics_are_left_alone() -> None:
    lines = ["%%time\n", "%%opencl\n", "int x;\n"]
    assert transform(list(lines)) == lines


def test_a_tab_after_the_name_is_a_blank() -> None:
    assert _from_ipython("%%opencl\t-w\nint x;") == ("-w", "int x;\n")


@pytest.mark.parametrize("line", ["%opencl", "%opencl -DN=4", "%opencl --global=4"])
def test_one_per_cent_sign_above_a_kernel_is_named(line: str) -> None:
    call = transform([f"{line}\n", "__kernel void f(__global int *x)\n", "{ }\n"])
    with pytest.raises(MagicLineError, match="two per cent signs"):
        exec("".join(call), {})  # noqa: S102 - what the cell has become


@pytest.mark.parametrize("rest", ["x = 1\n", "s = 'kernel void f(int x)'\n", ""])
def test_a_line_magic_above_python_is_left_alone(rest: str) -> None:
    lines = ["%opencl\n", rest]
    assert transform(list(lines)) == lines


def test_refuse_names_the_remedy() -> None:
    with pytest.raises(MagicLineError) as caught:
        refuse(3, "Python")
    assert caught.value.remedy
