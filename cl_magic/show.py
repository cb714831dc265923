"""How a value is shown, without knowing how: functions that the view packages fill.

`display` registers HTML and text, `plot` registers figures, plots and PNG, `views` what live views are drawn from,
`widgets` registers panels. A value shows itself by calling them (:class:`Shown` does it for notebooks), and imports no
view. One that is not filled raises with the extra to install.
"""

from __future__ import annotations

import importlib
from collections.abc import Container
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
def plot_of(value: Any, kind: str, **options: Any) -> Any:  # noqa: ANN401, ARG001 - a Matplotlib figure
    """Matplotlib figure of one aspect of a value: `kind` is "timeline", "ndrange" or "buffer"."""
    raise _unfilled(value, kind, "notebook")


@singledispatch
def live_of(value: Any) -> dict[str, Any]:  # noqa: ANN401, ARG001 - any value; JSON
    """What a live view is drawn from, by MIME type: JSON that a notebook keeps. Empty where there is no live view."""
    return {}


@singledispatch
def panel_of(value: Any, *args: Any, **words: Any) -> Any:  # noqa: ANN401, ARG001 - a widget
    """Interactive panel; what follows the value is up to it."""
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


class Panelled:
    """Mixin of values that have a panel of controls."""

    __slots__ = ()

    def panel(self, *args: Any, **words: Any) -> Any:  # noqa: ANN401 - as a call has them; a widget
        """Drive it by controls, its pictures beside them: arguments as for a call, ranges as text (``"0.0:2.0"``).

        Raises
        ------
        MissingExtraError
            ipywidgets and anywidget are not installed.
        """
        load_view("widgets")
        return panel_of(self, *args, **words)


class Shown:
    """Mixin of values that show themselves in a notebook: text always, HTML where a view for them is loaded.

    ``print`` and ``str`` give the text form, so that a script reads the same report. A PNG is made only when the front
    end, or ``display(value, include=["image/png"])``, asks for it by name.

    Examples
    --------
    >>> class Fact(Shown):
    ...     def __repr__(self):
    ...         return "a fact"
    >>> Fact()._repr_mimebundle_()
    {'text/plain': 'a fact'}
    """

    __slots__ = ()

    def __str__(self) -> str:
        load_view("display")
        return text_of(self)

    def _repr_mimebundle_(
        self, include: Container[str] | None = None, exclude: Container[str] | None = None
    ) -> dict[str, Any]:
        load_view("display")
        bundle: dict[str, Any] = {"text/plain": text_of(self)}
        if html_of.dispatch(type(self)) is not html_of.dispatch(object):
            bundle["text/html"] = html_of(self)
        if load_view("views"):
            bundle |= live_of(self)
        if include is not None and "image/png" in include and load_view("plot"):
            bundle["image/png"] = png_of(self)
        return {mime: data for mime, data in bundle.items() if mime not in (exclude or ())}
