"""Report of a listing: what each kernel takes, and its code beside the source lines that it was made from."""

from __future__ import annotations

from cl_magic.display.escape import escape, plain
from cl_magic.display.layout import clip, columns, sentence
from cl_magic.display.page import wrap
from cl_magic.display.parts import bold, dim, line, mono, quoted, section, table
from cl_magic.display.quantity import count, counted
from cl_magic.reflect.annotation import Stretch, annotated, code_text, stretches
from cl_magic.reflect.listing import KIND_WORDS, FunctionCode, Listing, Resources

_TEXT_LINES = 40
_HTML_LINES = 2000
_CALLS = 4
_HEADS = (
    ("instructions", "instructions"),
    ("vector", "widest vector<br>bits"),
    ("private", "private<br>B / item"),
    ("local", "local<br>B / group"),
    ("stack", "stack frame<br>B"),
    ("registers", "registers"),
    ("spilled", "spilled<br>B"),
)


def _numbers(resources: Resources) -> dict[str, int | None]:
    return {
        "instructions": resources.instructions,
        "vector": resources.vector_bits,
        "private": resources.private_bytes,
        "local": resources.local_bytes,
        "stack": resources.stack_bytes,
        "registers": resources.registers,
        "spilled": resources.spilled_bytes,
    }


def _told(listing: Listing) -> list[tuple[str, str]]:
    """The columns that any kernel has a number for: key and head."""
    numbers = [_numbers(kernel.resources) for kernel in listing.kernels]
    return [(key, head) for key, head in _HEADS if any(one[key] is not None for one in numbers)]


def _cell(key: str, number: int | None) -> str:
    if number is None:
        return "–"
    return "scalar" if key == "vector" and not number else count(number)


def _calls(resources: Resources) -> str:
    shown = ", ".join(resources.calls[:_CALLS])
    rest = len(resources.calls) - _CALLS
    return f"{shown} and {rest} more" if rest > 0 else shown


def _facts(listing: Listing) -> list[str]:
    """What the first line says, as plain text."""
    words = [KIND_WORDS[listing.kind]]
    if listing.kernels:
        words.append(counted(len(listing.kernels), "kernel"))
        known = [one.resources.instructions for one in listing.kernels if one.resources.instructions is not None]
        words += [counted(sum(known), "instruction")] if known else []
        words.append("with source lines" if listing.has_lines else "no source lines")
    elif listing.data:
        words.append(f"{count(len(listing.data))} B")
    return [*words, listing.source_map.name, listing.device]


def _resources_html(listing: Listing) -> str:
    told = _told(listing)
    if not told:
        return ""
    rows = []
    for kernel in listing.kernels:
        numbers = _numbers(kernel.resources)
        cells = [_cell(key, numbers[key]) for key, _ in told]
        calls = mono(_calls(kernel.resources)) if kernel.resources.calls else dim("none")
        rows.append([bold(mono(kernel.name)), *cells, calls])
    heads = ["kernel", *(f"#{head}" for _, head in told), "still calls"]
    most = max((one.resources.instructions or 0 for one in listing.kernels), default=0)
    conclusion = f"up to {counted(most, 'instruction')} a kernel"
    return section("Resources", conclusion, table(heads, rows, "resources of the kernels", css="kt"), opened=True)


def _stretch_html(one: Stretch) -> list[str]:
    code = "\n".join(code_text(row) for row in one.code)
    where = f"{escape(one.file)}:{one.line}" if one.file else str(one.line)
    return [where if one.line else "", mono(one.source), f"<pre>{escape(code)}</pre>"]


def _function_html(function: FunctionCode, listing: Listing) -> str:
    number = len(function.lines)
    words = [counted(number, "line")]
    if function.symbol and function.symbol != function.name:
        words.append(mono(function.symbol))
    shown = FunctionCode(function.name, function.symbol, function.kernel, function.lines[:_HTML_LINES])
    if function.has_lines and listing.kind != "source":
        rows = [_stretch_html(one) for one in stretches(shown, listing)]
        body = table(["#line", "source", "code"], rows, f"code of {function.name}", css="lst")
    else:
        code = "\n".join(code_text(row) for row in shown.lines)
        body = f'<pre class="code" tabindex="0" aria-label="code of {escape(function.name)}">{escape(code)}</pre>'
    cut = number - _HTML_LINES
    body += dim(f"{count(cut)} more lines: listing[{function.name!r}].text") if cut > 0 else ""
    title = "Source" if listing.kind == "source" else function.name
    return section(title, " · ".join(words), body, opened=function.kernel)


def listing_html(listing: Listing) -> str:
    """HTML report of a listing: resources, then the code of each kernel; what else the code holds is folded.

    Examples
    --------
    >>> from cl_magic.reflect.listing import CodeLine
    >>> code = FunctionCode("f", "f", True, (CodeLine("ret void", 1),), Resources(instructions=1))
    >>> "<b>LLVM IR</b>" in listing_html(Listing("llvm", "PoCL cpu", (code,), "x;"))
    True
    """
    first, *rest = _facts(listing)
    parts = [f"<b>{escape(first)}</b>", *map(escape, rest)]
    sections = [_resources_html(listing), *(_function_html(one, listing) for one in listing.functions)]
    if not listing.functions:
        body = f'<pre class="code" tabindex="0" aria-label="bytes">{escape(listing.text)}</pre>'
        sections.append(section("Bytes", f"{count(len(listing.data))} B", body))
    notes = "".join(f'<p class="dim after">{quoted(note)}</p>' for note in listing.notes)
    return wrap(line(parts, "ok", "".join(sections), opened=True) + notes, label=" · ".join(_facts(listing)))


def listing_text(listing: Listing) -> str:
    """Text report of a listing: resources, the begin of each kernel's code, notes; at most 100 columns.

    Examples
    --------
    >>> from cl_magic.reflect.listing import CodeLine
    >>> code = FunctionCode("f", "f", True, (CodeLine("ret void", 1),), Resources(instructions=1))
    >>> print(listing_text(Listing("llvm", "PoCL cpu", (code,), "x;")))
    LLVM IR · 1 kernel · 1 instruction · with source lines · source · PoCL cpu
      kernel  instructions
      f                  1
    f:
      ; line 1: x;
      ret void
    """
    lines = [sentence(" · ".join(_facts(listing)))]
    told = _told(listing)
    if told:
        rows = [["kernel", *(head.replace("<br>", " ") for _, head in told)]]
        for kernel in listing.kernels:
            numbers = _numbers(kernel.resources)
            rows.append([kernel.name, *(_cell(key, numbers[key]) for key, _ in told)])
        lines += columns(rows, right=range(1, len(told) + 1), indent="  ")
    for function in listing.kernels:
        lines += [f"{plain(function.name)}:", *_begin(annotated(function, listing), f"listing[{function.name!r}].text")]
    if not listing.kernels:
        lines += _begin(listing.text, "listing.text")
    return plain("\n".join([*lines, *(sentence(note) for note in listing.notes)]))


def _begin(text: str, all_of_it: str) -> list[str]:
    rows = [clip(f"  {plain(row)}") for row in text.split("\n")]
    more = len(rows) - _TEXT_LINES
    return [*rows[:_TEXT_LINES], f"  ({counted(more, 'more line')}: print({all_of_it}))"] if more > 0 else rows
