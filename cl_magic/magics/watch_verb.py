"""``%opencl watch KERNEL``: a picture below the cell that follows the launches of a kernel."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cl_magic.errors import MissingExtraError
from cl_magic.kernel import Kernel
from cl_magic.magics.line_error import Place, line_error
from cl_magic.magics.nearest import nearest
from cl_magic.magics.notebook import Notebook
from cl_magic.magics.words import Word
from cl_magic.show import load_view


def watch_line(notebook: Notebook, text: str, words: Sequence[Word]) -> Any:  # noqa: ANN401 - a widget
    """Show a view that follows a kernel, and return it.

    Parameters
    ----------
    notebook : Notebook
    text : str
        The line after ``%opencl``.
    words : sequence of Word
        After the verb: the name of a kernel, as a variable of the notebook.

    Raises
    ------
    MagicLineError
        No name, or the name of no kernel.
    MissingExtraError
        Widgets are not installed.
    """
    kernel = _kernel(notebook, text, words)
    if not load_view("widgets"):
        message = "a live view is made of ipywidgets and anywidget, which are not installed"
        raise MissingExtraError(message, remedy="pip install 'cl_magic[notebook]'", view="panel")
    from cl_magic.widgets.live_run import watch  # noqa: PLC0415 - the line above says whether it can be

    return watch(kernel)


def _kernel(notebook: Notebook, text: str, words: Sequence[Word]) -> Kernel:
    known = {name: value for name, value in notebook.names.items() if isinstance(value, Kernel)}
    listed = ", ".join(sorted(known)) or "none yet"
    if not words:
        message = "watch which kernel?"
        raise line_error(message, Place(text, len(text), len(text)), f"kernels here: {listed}")
    first, *rest = words
    if rest:
        message = "one kernel at a time"
        raise line_error(message, Place(text, rest[0].start, rest[0].end), f"%opencl watch {first.text}")
    if first.text not in known:
        near = nearest(first.text, known)
        message = f"{first.text} is no kernel of this notebook"
        remedy = f"did you mean {near}?" if near else f"kernels here: {listed}"
        raise line_error(message, Place(text, first.start, first.end), remedy)
    return known[first.text]
