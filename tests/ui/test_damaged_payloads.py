"""Payloads that are wrong anywhere: one line in place of the picture, no error of the page, no frozen tab (issue 6)."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import cl_magic as clm
from cl_magic.views.module import module_text
from cl_magic.views.ndrange import ndrange_payload

pytestmark = pytest.mark.ui

WRONG: tuple[Any, ...] = (None, "<img src=x onerror='window.hacked = 1'>", -1, 0, 10**18, {}, [], True, 0.5)
DRAW = """async (payload) => {
    const host = document.getElementById('host');
    const handle = clm.render(host, payload);
    await handle.ready;
    for (let n = 0; n < 2; n += 1) await new Promise((next) => requestAnimationFrame(next));
    for (const canvas of host.querySelectorAll('canvas')) {
        for (const key of ['ArrowRight', '+', 'Home']) {
            canvas.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
        }
    }
    await new Promise((next) => requestAnimationFrame(next));
    const text = host.innerText;
    handle.destroy();
    return text;
}"""


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    context = browser.new_context(viewport={"width": 900, "height": 900})
    opened = context.new_page()
    opened.set_content("<body><div id='host'></div></body>")
    opened.add_script_tag(content=f"{module_text()}\nwindow.clm = {{ render, selectionOf }};", type="module")
    opened.wait_for_function("window.clm")
    yield opened
    context.close()


def _payload() -> dict[str, Any]:
    program = clm.build("kernel void place(global int *out) { out[get_global_id(0)] = (int)get_group_id(0); }")
    run = program.place(np.zeros(61, np.int32), global_size=61, local_size=16)
    return ndrange_payload(run).saved()


def _changed(payload: dict[str, Any], path: tuple[Any, ...], value: object) -> dict[str, Any]:
    changed = copy.deepcopy(payload)
    inner: Any = changed
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = value
    return changed


def test_a_wrong_field_is_one_line_and_no_error_of_the_page(page: Any) -> None:
    """Sizes of 0, below 0, of 10^18, of other types: said in place of the picture, or drawn as far as it goes."""
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    payload = _payload()
    paths: list[tuple[Any, ...]] = [("head", name) for name in payload["head"]]
    paths += [("head", name, 0) for name in ("global_size", "local_size", "global_offset")]
    paths += [("head", "parts", 0, name) for name in ("offset", "size", "local", "role")]
    for path in paths:
        for value in WRONG:
            text = page.evaluate(DRAW, _changed(payload, path, value))
            assert text.strip(), (path, value)
            assert not faults, (path, value)
    assert page.evaluate("() => window.hacked") is None
    assert "Division by zero" in page.evaluate(DRAW, _changed(payload, ("head", "global_size", 0), 0))
    assert "61 items" in page.evaluate(DRAW, payload).replace("\u202f", "")


@pytest.mark.parametrize("kind", ["__proto__", "constructor", "toString"])
def test_a_kind_that_every_object_has_is_refused(page: Any, kind: str) -> None:
    assert f"draws no {kind}" in page.evaluate(DRAW, _payload() | {"kind": kind})


def test_a_view_that_failed_hears_no_more_of_its_run(page: Any) -> None:
    """The views of one run share their selection: a damaged one does not disturb the sound one."""
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    payload = _payload()
    page.evaluate(DRAW, _changed(payload, ("head", "parts"), None))
    page.evaluate(DRAW, _changed(payload, ("head", "limits"), 3))
    assert page.evaluate("record => clm.selectionOf(record).listeners.size", payload["record"]) == 0
    page.evaluate(DRAW, payload)
    assert not faults
