"""The language service in JupyterLab: marks while typing, also while a cell runs; completion; explanations; trust."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.lab import LabPage

pytestmark = pytest.mark.ui

KERNEL = """%%opencl -DN=4
struct Particle { float4 pos; int mass; };

// Moves a particle.
kernel void move(global struct Particle *p, float dt) {
    const size_t i = get_global_id(0);
    p[i].pos.x += dt * N;
}"""
OUTPUT = Path(__file__).resolve().parents[2] / "test-output"
_SWITCH = """async ([on]) => {
    const app = window.jupyterapp;
    const services = (app.pluginRegistry ?? app._pluginRegistry)._services;
    const token = [...services.keys()].find(token => token.name === '@jupyterlab/coreutils:ISettingRegistry');
    const registry = await app.resolveRequiredService(token);
    await registry.set('cl-magic:settings', 'liveDiagnostics', on);
}"""
_KEYS = """label => {
    window.clLast = 0; window.clMark = 0;
    const cell = [...document.querySelectorAll('.jp-Notebook .jp-Cell')][label];
    cell.addEventListener('keydown', () => { window.clLast = performance.now(); window.clMark = 0; }, true);
    const seen = () => {
        if (cell.querySelector('.cm-lintRange-error') && !window.clMark && window.clLast) {
            window.clMark = performance.now();
        }
    };
    new MutationObserver(seen).observe(cell, {subtree: true, childList: true, attributes: true});
}"""


def _open(open_cells: Callable[..., LabPage], name: str, *cells: str) -> LabPage:
    lab = open_cells(name, *cells)
    lab.page.evaluate("() => { window.jupyterapp.commands.execute('notebook:trust'); }")
    accept = lab.page.locator(".jp-Dialog .jp-mod-accept")
    accept.click(timeout=10_000)
    lab.page.wait_for_timeout(200)
    return lab


def _cursor(lab: LabPage, cell: int, text: str) -> None:
    """Put the cursor behind a text of a cell."""
    lab.cell(cell).locator(".cm-content").click()
    lab.page.evaluate(
        """([cell, text]) => {
            const panel = [...window.jupyterapp.shell.widgets('main')].find(w => w.sessionContext);
            const editor = panel.content.widgets[cell].editor;
            const offset = editor.model.sharedModel.getSource().indexOf(text) + text.length;
            editor.setCursorPosition(editor.getPositionAt(offset));
            editor.focus();
        }""",
        [cell, text],
    )


def _marks(lab: LabPage, cell: int) -> list[str]:
    return [str(text) for text in lab.cell(cell).locator(".cm-lintRange-error").all_inner_texts()]


def _wait_marks(lab: LabPage, cell: int, wanted: list[str], seconds: float = 10) -> None:
    deadline = time.monotonic() + seconds
    while _marks(lab, cell) != wanted and time.monotonic() < deadline:
        lab.page.wait_for_timeout(50)
    assert _marks(lab, cell) == wanted


def _start(lab: LabPage) -> None:
    """Wait until the kernel answers: the first question loads cl_magic and starts the front end."""
    _cursor(lab, 0, "dt * N")
    lab.page.keyboard.type("Q")
    _wait_marks(lab, 0, ["NQ"], 40)
    lab.page.keyboard.press("Backspace")
    _wait_marks(lab, 0, [])


def _latencies(lab: LabPage, cell: int, rounds: int) -> list[float]:
    """Milliseconds from the last key of a typo to its mark."""
    lab.page.evaluate(_KEYS, cell)
    found = []
    for _ in range(rounds):
        _cursor(lab, cell, "dt * N")
        lab.page.keyboard.type("Q", delay=20)
        lab.page.wait_for_function("() => window.clMark > 0", timeout=10_000)
        found.append(float(lab.page.evaluate("() => window.clMark - window.clLast")))
        lab.page.keyboard.press("Backspace")
        _wait_marks(lab, cell, [])
    return found


def test_a_typo_is_marked_before_any_run_and_while_a_cell_sleeps(
    open_cells: Callable[..., LabPage], picture: Callable[[LabPage, str], Path], record_property: Any
) -> None:
    lab = _open(open_cells, "typing", KERNEL, "import time; time.sleep(60)")
    _start(lab)
    idle = _latencies(lab, 0, 12)
    lab.cell(1).locator(".cm-content").click()
    lab.page.keyboard.press("Control+Enter")
    lab.page.wait_for_timeout(500)
    busy = _latencies(lab, 0, 12)
    for name, values in (("idle", idle), ("busy", busy)):
        record_property(f"{name}_median_ms", statistics.median(values))
        record_property(f"{name}_max_ms", max(values))
        print(name, "median", round(statistics.median(values)), "max", round(max(values)), "ms")  # noqa: T201
    assert statistics.median(idle) < 300
    assert statistics.median(busy) < 300
    _cursor(lab, 0, "dt * N")
    lab.page.keyboard.type("Q")
    _wait_marks(lab, 0, ["NQ"])
    picture(lab, "language_typing")
    assert lab.faults == []


def test_the_magic_line_is_marked_and_wrong_calls_too(open_cells: Callable[..., LabPage]) -> None:
    lab = _open(open_cells, "typing_line", "%%opencl --quiet\nkernel void f(global int *x) { x[0] = dot(1); }\n")
    _cursor(lab, 0, "--quiet")
    lab.page.keyboard.type(" --glbal=8")
    _wait_marks(lab, 0, ["--glbal=8", "dot"], 30)


def test_a_builds_marks_win_until_the_text_changes(open_cells: Callable[..., LabPage]) -> None:
    cell = "%%opencl\nkernel void f(global int *x) { x[0] = y; }"
    lab = _open(open_cells, "typing_build", "%load_ext cl_magic", cell)
    lab.run(0)
    lab.run(1)
    _wait_marks(lab, 1, ["y"])
    _cursor(lab, 1, "= y")
    lab.page.keyboard.type("z")
    _wait_marks(lab, 1, ["yz"])
    lab.page.keyboard.press("Backspace")
    _wait_marks(lab, 1, ["y"])
    lab.page.keyboard.press("Backspace")
    lab.page.keyboard.type("1")
    _wait_marks(lab, 1, [])


def test_an_untrusted_notebook_is_not_read(open_cells: Callable[..., LabPage]) -> None:
    lab = open_cells("typing_untrusted", KERNEL)
    _cursor(lab, 0, "dt * N")
    lab.page.keyboard.type("Q")
    lab.page.wait_for_timeout(3000)
    assert _marks(lab, 0) == []


def test_completion_offers_fields_components_functions_and_flags(
    open_cells: Callable[..., LabPage], picture: Callable[[LabPage, str], Path]
) -> None:
    lab = _open(open_cells, "completing", KERNEL)
    _start(lab)

    def offered(behind: str, typed: str) -> list[str]:
        if behind:
            _cursor(lab, 0, behind)
        lab.page.keyboard.type(typed)
        lab.page.keyboard.press("Tab")
        lab.page.wait_for_selector(".jp-Completer:not(.lm-mod-hidden) .jp-Completer-item", timeout=15_000)
        items = lab.page.locator(".jp-Completer:not(.lm-mod-hidden) .jp-Completer-item")
        return [str(value) for value in items.evaluate_all("found => found.map(item => item.dataset.value)")]

    found = offered("dt * N;", "\n    p[i].")
    assert {"pos", "mass"} == set(found)
    lab.page.keyboard.press("Escape")
    found = offered("", "pos.xy")
    assert any(item.startswith("xyz") for item in found)
    lab.page.keyboard.press("Escape")
    found = offered("", " = get_global_")
    assert any(item.startswith("get_global_size") for item in found)
    lab.page.wait_for_timeout(500)
    picture(lab, "language_completion")
    lab.page.keyboard.press("Escape")
    found = offered("-DN=4", " --te")
    assert any(item.startswith("--template=") for item in found)
    assert lab.faults == []


def test_a_hover_explains_the_language_and_the_cells_own_kernel(
    open_cells: Callable[..., LabPage],
) -> None:
    lab = _open(open_cells, "explaining", "%load_ext cl_magic", KERNEL)
    lab.run(0)
    lab.run(1)

    def hovered(word: str) -> str:
        lab.page.mouse.move(5, 5)
        lab.page.wait_for_timeout(400)
        spot = lab.page.evaluate(
            """word => {
                const walk = document.createTreeWalker(document.querySelectorAll('.jp-Cell .cm-content')[1], 4);
                for (let node = walk.nextNode(); node; node = walk.nextNode()) {
                    const at = node.data.indexOf(word);
                    if (at >= 0) {
                        const range = document.createRange();
                        range.setStart(node, at + 1); range.setEnd(node, at + 2);
                        const box = range.getBoundingClientRect();
                        return [box.left + 2, box.top + box.height / 2];
                    }
                }
            }""",
            word,
        )
        lab.page.mouse.move(*spot)
        lab.page.wait_for_selector(".cl-explanation", timeout=15_000)
        return str(lab.page.locator(".cl-explanation").first.inner_text())

    assert "OpenCL C 1.2, 6.12.1: work-item functions" in hovered("get_global_id")
    kernel = hovered("move")
    assert "Moves a particle." in kernel
    assert "best a multiple of" in kernel
    for theme in ("Light", "Dark"):
        lab.theme(f"JupyterLab {theme}")
        hovered("move")
        lab.page.screenshot(path=str(OUTPUT / f"language_hover.{theme.lower()}.png"))
    assert "16 bytes, aligned to 16" in hovered("float4")
    assert "Defines a macro" in hovered("-D")
    assert lab.faults == []


def test_marks_while_typing_can_be_switched_off(open_cells: Callable[..., LabPage]) -> None:
    lab = _open(open_cells, "typing_off", KERNEL)
    _start(lab)
    _cursor(lab, 0, "dt * N")
    lab.page.keyboard.type("Q")
    _wait_marks(lab, 0, ["NQ"])
    lab.page.evaluate(_SWITCH, [False])
    _wait_marks(lab, 0, [])
    lab.page.keyboard.type("R")
    lab.page.wait_for_timeout(1500)
    assert _marks(lab, 0) == []
    lab.page.evaluate(_SWITCH, [True])
    _wait_marks(lab, 0, ["NQR"])
