"""A widget's JavaScript as the one text that anywidget is given: the live views' ground, then the widget's own."""

from __future__ import annotations

import functools
from importlib import resources
from typing import Any

from cl_magic.views.module import glued

_GROUND = ("tokens", "style", "base")
FILLING: dict[str, Any] = {"layout": {"width": "100%", "min_width": "0", "margin": "0"}}
"""Traits of a widget that fills its place: what follows the width of a container has none of its own."""


@functools.cache
def widget_module(*names: str) -> str:
    """Return the files of `js` beside this module, each after those it imports; the last one has the ``render``.

    Parameters
    ----------
    *names : str
        Without the ending; no name may be declared in two of them, or in those of the live views' ground.

    Examples
    --------
    >>> text = widget_module("picker_style", "device_picker")
    >>> "import {" in text, text.endswith("export default { render };")
    (False, True)
    """
    ground = resources.files("cl_magic.views").joinpath("js")
    own = resources.files("cl_magic.widgets").joinpath("js")
    texts = [ground.joinpath(f"{name}.js").read_text(encoding="utf-8") for name in _GROUND]
    texts += [own.joinpath(f"{name}.js").read_text(encoding="utf-8") for name in names]
    return glued(texts) + "\nexport default { render };"
