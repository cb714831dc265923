"""How a value is shown, without knowing how: four functions that the view packages fill.

`display` registers HTML and text, `plot` registers figures and PNG, `widgets` registers panels. A value shows itself by
calling them, and imports no view. One that is not filled raises with the extra to install.
"""

from __future__ import annotations

import importlib
from functools import singledispatch
from typing import Any

from cl_magic.errors import MissingExtraError


def _unfilled(value: object, view: str, extra: str) -> MissingExtraError:
    message = f"no {view} view of {type(value).__name__} is loaded"
    return MissingExtraError(message, remedy=f"pip install 'cl_magic[{extra}]'", view=view)


@singledispatch
def text_of(value: Any) -> str:  # noqa: ANN401 - any value
    """Text form: at most 100 columns, no markup."""
    return repr(value)


@singledispatch
def html_of(value: Any) -> str:  # noqa: ANN401 - any value
    """HTML form, every string escaped."""
    raise _unfilled(value, "HTML", "notebook")


@singledispatch
def png_of(value: Any) -> bytes:  # noqa: ANN401 - any value
    """PNG form."""
    raise _unfilled(value, "PNG", "notebook")


@singledispatch
def figure_of(value: Any) -> Any:  # noqa: ANN401 - a Matplotlib figure
    """Matplotlib figure."""
    raise _unfilled(value, "figure", "notebook")


@singledispatch
def panel_of(value: Any) -> Any:  # noqa: ANN401 - a widget
    """Interactive panel."""
    raise _unfilled(value, "panel", "notebook")


def load_view(package: str) -> bool:
    """Import a view package so that it registers itself; False where what it needs is not installed.

    Examples
    --------
    >>> load_view("display")
    True
    """
    try:
        importlib.import_module(f"cl_magic.{package}")
    except ImportError:
        return False
    return True
