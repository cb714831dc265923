"""The device picker as an output of its own, where the notebook's front end shows widgets."""

from __future__ import annotations

from typing import Any

from cl_magic.magics.notebook import Notebook

_shown: list[Any] = []


def device_picker() -> Any:  # noqa: ANN401 - a DevicePicker
    """Return the device picker of ``%opencl devices``; None where it would not be seen, or its packages are missing.

    It is one widget, however often it is shown: a cell that runs a hundred times leaves one that follows the choice.

    Examples
    --------
    >>> device_picker() is None  # no notebook here
    True
    """
    try:
        from cl_magic.widgets import DevicePicker  # noqa: PLC0415 - what it needs is an extra
        from cl_magic.widgets.front_end import shows_widgets  # noqa: PLC0415
    except ImportError:
        return None
    if not shows_widgets():
        return None
    if not _shown or _shown[0].comm is None:  # closed meanwhile
        _shown[:] = [DevicePicker()]
    _shown[0].choice.refresh(search=False)
    return _shown[0]


def publish_widget(notebook: Notebook, widget: Any) -> None:  # noqa: ANN401 - any widget
    """Show a widget as an output of the running cell."""
    data, metadata = widget._repr_mimebundle_()
    notebook.shell.display_pub.publish(data, metadata)
