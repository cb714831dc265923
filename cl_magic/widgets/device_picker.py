"""The device picker: every device with its facts, the chosen one used by the next cell."""

from __future__ import annotations

import threading
from typing import Any

import anywidget
import traitlets

from cl_magic.display.devices import DevicesView, devices_html, devices_text
from cl_magic.launch.controls import Controls
from cl_magic.launch.limits import DeviceInfo
from cl_magic.widgets.choice import DeviceChoice, device_choice
from cl_magic.widgets.device_rows import picture_of
from cl_magic.widgets.front_end import shows_widgets
from cl_magic.widgets.module import FILLING, widget_module

_FILTER = "device picker: filter"
_SHOWN = ["reports", "value", "trouble", "notice"]


class DevicePicker(anywidget.AnyWidget):
    """Choose the device of the next cells.

    All pickers of a session, ``%opencl device`` and ``clm.session().select`` share one choice: a change in one is seen
    in all. Where no widget can be shown, the cell shows the table of devices instead.

    Parameters
    ----------
    controls : Controls, optional
        By default those of the default session.

    Attributes
    ----------
    value : DeviceInfo or None
        The chosen device (observable); setting it selects it. None where there is no device.
    filter : str
        Words that a shown device has all of: ``"cpu fp16"``.

    Examples
    --------
    >>> import cl_magic as clm
    >>> picker = DevicePicker()
    >>> picker.value == clm.session().device
    True
    """

    _esm = widget_module("picker_style", "device_picker")
    value = traitlets.Instance(DeviceInfo, allow_none=True)
    filter = traitlets.Unicode("").tag(sync=True)
    chosen = traitlets.Unicode("").tag(sync=True)
    picture = traitlets.Dict().tag(sync=True)
    notice = traitlets.Unicode("").tag(sync=True)
    trouble = traitlets.Unicode("").tag(sync=True)
    searching = traitlets.Bool(default_value=False).tag(sync=True)
    _follows = False

    def __init__(self, controls: Controls | None = None, **traits: Any) -> None:  # noqa: ANN401 - of the widget
        self.choice: DeviceChoice = device_choice(controls)
        self.choice.refresh(search=False)
        remembered = self.choice.controls.recall(_FILTER)
        super().__init__(**(FILLING | {"filter": remembered or ""} | traits))
        self._take()
        self.choice.observe(self._take, _SHOWN)
        self._follows = True
        self.observe(self._valued, "value")
        self.observe(self._picked, "chosen")
        self.observe(self._filtered, "filter")
        self.on_msg(self._heard)

    def refresh(self) -> None:
        """Search for devices again; drivers that were installed since are seen."""
        self.searching = True
        try:
            self.choice.refresh()
        finally:
            self.searching = False

    def close(self) -> None:
        """End the widget; the choice stays. Once is enough: the garbage collector does it again."""
        if self._follows:
            self._follows = False
            self.choice.unobserve(self._take, _SHOWN)
        super().close()

    def _take(self, _: object = None) -> None:
        """Show the choice as it is now."""
        choice = self.choice
        with self.hold_sync():
            self.picture = picture_of(choice.reports, choice.troubles, choice.value)
            self.notice, self.trouble = choice.notice, choice.trouble
            self.chosen = "" if choice.value is None else choice.value.id
            self.value = choice.value

    def _valued(self, change: dict[str, Any]) -> None:
        if change["new"] is not None and change["new"] != self.choice.value:
            self.choice.select(change["new"])

    def _picked(self, change: dict[str, Any]) -> None:
        """A row was clicked; one that is no longer there is said, and the mark goes back."""
        current = self.choice.value
        if change["new"] and (current is None or change["new"] != current.id):
            self.choice.select(self._device_of(change["new"]))
            self._take()

    def _device_of(self, device_id: str) -> DeviceInfo | str:
        return next((device for device in self.choice.devices if device.id == device_id), device_id)

    def _filtered(self, change: dict[str, Any]) -> None:
        self.choice.controls.remember(_FILTER, change["new"])

    def _heard(self, _: object, message: dict[str, Any], __: object) -> None:
        if message.get("type") == "refresh" and not self.searching:
            self.searching = True
            # A driver that hangs takes 20 s: cells and other widgets go on meanwhile.
            threading.Thread(target=self.refresh, name="cl_magic device search", daemon=True).start()

    @property
    def summary(self) -> DevicesView:
        """The same as a table, for where no widget is shown."""
        return DevicesView(tuple(self.choice.reports), self.chosen)

    def __repr__(self) -> str:
        return devices_text(self.summary)

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:  # noqa: ANN401 - IPython's
        if not shows_widgets():
            return {"text/plain": devices_text(self.summary), "text/html": devices_html(self.summary)}
        bundle: Any = super()._repr_mimebundle_(**kwargs)
        data, metadata = bundle
        return data | {"text/plain": repr(self)}, metadata
