"""The device picker as an output of its own, where the notebook's front end shows widgets."""

from __future__ import annotations

from typing import Any

from cl_magic.magics.notebook import Notebook


def device_picker() -> Any:  # noqa: ANN401 - a DevicePicker
    """Return a device picker; None where it would not be seen, or its packages are not installed.

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
    return DevicePicker() if shows_widgets() else None


def publish_widget(notebook: Notebook, widget: Any) -> None:  # noqa: ANN401 - any widget
    """Show a widget as an output of the running cell."""
    data, metadata = widget._repr_mimebundle_()
    notebook.shell.display_pub.publish(data, metadata)
