"""The chosen device, observable: one value that all pickers of a session, its magics and its cells share."""

from __future__ import annotations

from weakref import WeakKeyDictionary

import traitlets

from cl_magic.errors import ClMagicError
from cl_magic.launch.controls import Controls
from cl_magic.launch.limits import DeviceInfo, DriverReport
from cl_magic.widgets.controls import controls_of


class DeviceChoice(traitlets.HasTraits):
    """Which devices there are and which one the next cell uses.

    Parameters
    ----------
    controls : Controls

    Attributes
    ----------
    reports : tuple of DriverReport
        As the last search found them.
    troubles : tuple of DriverReport
        Drivers that give no device, with the doctor's reason and remedy.
    value : DeviceInfo or None
        The current device; setting it selects it. None where there is no device.
    trouble : str
        Why there is none, or why a selection failed; "" where all is well.
    notice : str
        What the last refresh changed; "" where nothing did.

    Examples
    --------
    >>> choice = device_choice()
    >>> choice.value == choice.controls.device
    True
    """

    reports = traitlets.Tuple()
    troubles = traitlets.Tuple()
    value = traitlets.Instance(DeviceInfo, allow_none=True)
    trouble = traitlets.Unicode("")
    notice = traitlets.Unicode("")

    def __init__(self, controls: Controls) -> None:
        super().__init__()
        self.controls = controls
        self._heard: list[DeviceInfo] = []
        self._look(refresh=False)
        self._current()
        self.stop = controls.listen(self._selected)
        self.observe(self._asked, "value")

    @property
    def devices(self) -> tuple[DeviceInfo, ...]:
        """All devices of all drivers."""
        return _devices(self.reports)

    def select(self, selector: str | int | DeviceInfo | None) -> bool:
        """Make a device the current one, everywhere; False where nothing fits, and `trouble` says why."""
        try:
            self.controls.select(selector)
        except ClMagicError as error:
            self.trouble = str(error)
            return False
        return True

    def refresh(self, *, search: bool = True) -> None:
        """Search for devices again, or take over what a search elsewhere found.

        Where the chosen device is gone, the default takes its place, and `notice` says so.
        """
        before = self.value
        self.notice = ""
        self._look(refresh=search)
        there = None if before is None else _again(before, self.devices)
        if before is None:
            self._current()
        elif there is None:
            self._replace(before)
        elif there != before:  # its number is another one now
            self.select(there)

    def _replace(self, gone: DeviceInfo) -> None:
        """Go on without a device that was chosen."""
        if self.select(None) and self.value is not None:
            self.notice = f"{gone.short_name} is no longer there; {self.value.short_name} is used now"
        else:
            self.notice = f"{gone.short_name} is no longer there"
            self.value = None

    def _look(self, *, refresh: bool) -> None:
        found = self.controls.reports(refresh=refresh)
        self.troubles = self.controls.troubles()
        self.reports = found

    def _current(self) -> None:
        """Take over the session's device, or why there is none."""
        try:
            found = self.controls.device
        except ClMagicError as error:
            self.trouble = str(error)
            self.value = None
        else:
            self._selected(found)

    def _selected(self, device: DeviceInfo) -> None:
        """Somebody selected a device: a picker, a magic, the side panel."""
        if device not in self.devices and self.reports:
            self._look(refresh=False)  # a search was made since
        self._heard.append(device)
        try:
            self.trouble = ""
            self.value = device
        finally:
            self._heard.pop()

    def _asked(self, change: dict[str, DeviceInfo | None]) -> None:
        """Somebody set `value` here: tell the session, unless it is the one who told."""
        if not self._heard and change["new"] is not None:
            self.select(change["new"])


def _devices(reports: tuple[DriverReport, ...]) -> tuple[DeviceInfo, ...]:
    return tuple(device for report in reports for device in report.devices)


def _again(device: DeviceInfo, devices: tuple[DeviceInfo, ...]) -> DeviceInfo | None:
    """The same device in another search: its number, or the file that names its driver, may be another one."""
    for facts in (("driver", "local_id", "name"), ("platform_name", "name", "driver_version")):
        found = [d for d in devices if all(getattr(d, fact) == getattr(device, fact) for fact in facts)]
        if found:
            return found[0]
    return None


_known: WeakKeyDictionary[Controls, DeviceChoice] = WeakKeyDictionary()


def device_choice(controls: Controls | None = None) -> DeviceChoice:
    """Return the choice that all pickers of these controls share.

    Examples
    --------
    >>> device_choice() is device_choice()
    True
    """
    controls = controls or controls_of()
    found = _known.get(controls)
    if found is None:
        found = _known[controls] = DeviceChoice(controls)
    return found
