"""Every string goes through one function; hostile ones stay text (R-61, S-10)."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import values
from support.markup import read

import cl_magic.display  # noqa: F401 - registers the views
from cl_magic.clc.diagnostic import Diagnostic, FixIt
from cl_magic.display.devices import DevicesView
from cl_magic.display.escape import escape, plain, visible
from cl_magic.display.page import ID
from cl_magic.errors import ClMagicError
from cl_magic.launch.limits import DriverReport
from cl_magic.show import html_of, text_of


def test_controls_are_made_visible() -> None:
    assert visible("a\x00b\x1b[31m") == "a␀b␛[31m"
    assert visible("\u202eabc\u2066") == "[U+202E]abc[U+2066]"
    assert visible("\ud800") == "[U+D800]"
    assert visible("line\nnext\ttab\r\n") == "line\nnext\ttab\n"
    assert visible("\x7f") == "␡"
    assert visible("größe 1\u202f024 × µ") == "größe 1\u202f024 × µ"


def test_text_form_leaves_colour_codes_out() -> None:
    assert plain("\x1b[1;31merror\x1b[0m 1\u202f024 B\n\tx") == "error 1 024 B\n    x"


@given(st.text())
def test_escaped_text_is_no_markup_and_encodes(text: str) -> None:
    shown = escape(text)
    assert not set("<>\"'") & set(shown)
    assert ID not in shown
    shown.encode("utf-8")
    assert read(f"<p>{shown}</p>").words() == visible(text)


def _hostile_build(text: str, *, ok: bool) -> object:
    spec = dataclasses.replace(
        values.saxpy_spec(),
        source=f"{text}\n" * 3,
        source_map=dataclasses.replace(values.saxpy_spec().source_map, name=text),
    )
    found = Diagnostic(
        "error" if not ok else "warning",
        f"no '{text}' here",
        3,
        2,
        4,
        option=text,
        fixits=(FixIt(3, 1, 2, text, text),),
        notes=(Diagnostic("note", text, 2, 1, 2), Diagnostic("note", f"built-in: {text}")),
    )
    known = values.good_build() if ok else values.failed_build()
    kernels = tuple(
        dataclasses.replace(
            kernel,
            notes=(text,),
            signature=dataclasses.replace(
                kernel.signature,
                name=text,
                parameters=tuple(
                    dataclasses.replace(p, name=text, type_name=text) for p in kernel.signature.parameters
                ),
            ),
        )
        for kernel in known.kernels
    )
    return dataclasses.replace(
        known,
        spec=spec,
        diagnostics=(found,),
        kernels=kernels,
        log=text,
        unparsed=(text,),
        notes=(text,),
        options_used=text,
        device_name=text,
        language_version=text,
        status=text,
        platform_name=text,
    )


def _hostile_run(text: str) -> object:
    known = values.run_record()
    return dataclasses.replace(
        known,
        kernel=text,
        device=values.pocl_device(platform_name=text, name=text),
        plan=dataclasses.replace(known.plan, mode_reason=text, local_size_reason=text, notes=(text,)),
        arguments=tuple(dataclasses.replace(a, declaration=text, value=text) for a in known.arguments),
        events=tuple(dataclasses.replace(e, name=text) for e in known.events),
        transfers=tuple(dataclasses.replace(t, label=text, how=text, reason=text) for t in known.transfers),
        captures=tuple(dataclasses.replace(c, label=text, note=text) for c in known.captures),
        printf=text,
        error=text,
        notes=(text,),
    )


def _hostile_devices(text: str) -> object:
    device = values.pocl_device(
        name=text, platform_name=text, platform_version=text, opencl_c_version=text, svm=(text,), type=(text,), id=text
    )
    return DevicesView((DriverReport(text, (device,)), DriverReport(text, trouble=text, remedy=text)), text)


MAKERS = {
    "failed build": lambda text: _hostile_build(text, ok=False),
    "build": lambda text: _hostile_build(text, ok=True),
    "run": _hostile_run,
    "devices": _hostile_devices,
    "error": lambda text: ClMagicError(f"{text}\n{text}", remedy=text),
    "plan": lambda text: dataclasses.replace(values.plan_of((10,), (4,)), mode_reason=text, notes=(text,)),
}


@pytest.mark.parametrize("kind", MAKERS)
@pytest.mark.parametrize("text", values.HOSTILE, ids=range(len(values.HOSTILE)))
def test_hostile_strings_stay_text_in_every_view(kind: str, text: str) -> None:
    value = MAKERS[kind](text)
    html = html_of(value)
    html.encode("utf-8")
    root = read(html)
    assert not root.all("script")
    assert not [e for e in root.all() if any(name.startswith("on") for name in e.attributes)]
    assert all(image.attributes["src"].startswith("data:image/png;base64,") for image in root.all("img"))
    for character in "\x00\x1b\u202e\u202c":
        assert character not in html
    shown = text_of(value)
    shown.encode("utf-8")
    assert not set("\x00\x1b\u202e\u202c\u202f") & set(shown)
