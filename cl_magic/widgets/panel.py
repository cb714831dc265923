"""The kernel panel: every argument, macro and size of a kernel as a control, and its run's pictures beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import anywidget
import traitlets

from cl_magic.errors import ClMagicError
from cl_magic.kernel import Kernel
from cl_magic.launch.controls import Controls, Launched
from cl_magic.launch.limits import DeviceInfo
from cl_magic.launch.ndrange import NDRange
from cl_magic.record.run import RunRecord
from cl_magic.views.payload import record_id
from cl_magic.widgets.choice import device_choice
from cl_magic.widgets.controls import controls_of
from cl_magic.widgets.front_end import shows_widgets
from cl_magic.widgets.live_answers import answer
from cl_magic.widgets.ndrange_picker import NDRangePicker
from cl_magic.widgets.panel_form import PanelForm
from cl_magic.widgets.panel_kept import keep, place_of, restored, with_values
from cl_magic.widgets.panel_launch import PanelLaunch
from cl_magic.widgets.panel_loop import KernelLoop
from cl_magic.widgets.panel_message import form_message
from cl_magic.widgets.panel_module import panel_module
from cl_magic.widgets.panel_summary import summary_html, summary_text
from cl_magic.widgets.panel_views import ShownRun, ending_words, error_words, head_words, picture_names, view_of
from cl_magic.widgets.run_queue import Outcome, RunQueue

_LOOKS = ("tab", "picture", "auto")
"""Values that change what is seen, and not what runs."""
_NOTHING: Mapping[str, Any] = {}
_SUMMARY_S = 10.0
_Asked = tuple[dict[str, Any], NDRange, DeviceInfo]


class KernelPanel(anywidget.AnyWidget):
    """Drive a kernel: change one thing, see what it does.

    A change runs the kernel again while ``auto`` is on. It only leaves a wish: one run is on its way, one wish waits,
    the latest wins, and Stop ends what runs. Where no widget can be shown, the cell shows the values as a table.

    Parameters
    ----------
    kernel : Kernel
    args : sequence
        Arguments by position, as a call has them; those that are missing are the notebook's variables that fit, or
        zeros of the global size that the panel makes.
    words : mapping
        Arguments by name, sizes, and ranges: ``{"gain": "0.0:2.0", "TILE": "4:64:x2"}``.
    controls : Controls, optional
        By default those of the default session.
    compact : bool
        Show only the controls of what has a range, and the picture.
    auto : bool
        Whether a change runs the kernel.

    Attributes
    ----------
    record : RunRecord or None
        Of the last run that ended well (observable).
    error : Exception or None
        Of the last run, where it failed (observable).
    ndrange : NDRangePicker
        The sizes; the same picker may be shown elsewhere.

    Examples
    --------
    >>> import cl_magic as clm
    >>> program = clm.build("kernel void f(global int *x, int n) { x[get_global_id(0)] = n; }")
    >>> panel = KernelPanel(program.f, words={"global_size": 4, "n": 3})
    >>> panel.run(timeout=60).kernel, panel.arrays["x"]
    ('f', array([3, 3, 3, 3], dtype=int32))
    """

    _esm = panel_module()
    form = traitlets.Dict().tag(sync=True)
    wish = traitlets.Dict().tag(sync=True, echo_update=False)
    sizes = traitlets.Dict().tag(sync=True)
    status = traitlets.Dict().tag(sync=True)
    view = traitlets.Dict().tag(sync=True)
    record = traitlets.Any(None)
    error = traitlets.Any(None)

    def __init__(
        self,
        kernel: Kernel,
        args: Sequence[Any] = (),
        words: Mapping[str, Any] = _NOTHING,
        *,
        controls: Controls | None = None,
        compact: bool = False,
        auto: bool = True,
    ) -> None:
        super().__init__()
        self.controls: Controls = controls or controls_of()
        self.compact = compact
        names = self.controls.names()
        self._form = PanelForm(kernel, names, args, words)
        self._launch = PanelLaunch(self.controls, self._form)
        self._device: DeviceInfo = kernel.program.device
        self._loop = KernelLoop()
        self._queue = RunQueue(self._begin, self._told)
        self._setting = False
        self.choice = device_choice(self.controls)
        self.ndrange = NDRangePicker(kernel, *self._form.first_sizes(names), controls=self.controls, sets_kernel=False)
        self._key = place_of(kernel.name, self)
        self._identity = record_id("panel", self._key, self.model_id)
        self._defaults = self._form.defaults | {"tab": "picture", "picture": "", "auto": auto}
        values = restored(self.controls, self._key, self._defaults)
        self._set_wish(values | {"sizes": dict(self.ndrange.asked), "device": self._device.id})
        self.status = {"state": "idle", "run": 0, "shown": 0, "head": [kernel.name]}
        self._show_sizes()
        self.observe(self._wished, "wish")
        self.ndrange.observe(self._show_sizes, "picture")
        self.choice.observe(self._chosen_elsewhere, "value")
        self.on_msg(self._heard)

    @property
    def arrays(self) -> dict[str, Any]:
        """Arrays that the panel made, by parameter."""
        return self._launch.arrays

    @property
    def kernel(self) -> Kernel:
        """The kernel that ran last: on the panel's device, with its macros."""
        return self._launch.kernel

    def set(self, **values: Any) -> None:  # noqa: ANN401 - of any control
        """Set values by name, as a control would: arguments, macros, ``auto``, ``tab``, ``picture``.

        Raises
        ------
        ArgumentError
            There is no such control.
        """
        self.wish = with_values(self.wish, values)

    def ask(self) -> None:
        """Run with the values as they are, and return at once; a wish that waits is dropped for this one."""
        if self.ndrange.fault or self.ndrange.value is None:
            self._refuse(self.ndrange.fault)
            return
        self._queue.ask((dict(self.wish), self.ndrange.value, self._device))

    def run(self, timeout: float | None = None) -> RunRecord:
        """Run with the values as they are, and wait for the record; raises what the run raised.

        Raises
        ------
        TimeoutError
            It was not over after `timeout` seconds; it goes on.
        """
        self.ask()
        if self.ndrange.fault:
            raise ClMagicError(self.ndrange.fault)
        record: RunRecord = self._queue.result(self._form.kernel.name, timeout)
        return record

    def stop(self) -> bool:
        """End the run that is on its way; False where none is."""
        return self._queue.stop()

    def close(self) -> None:
        """End the panel and its run; arrays stay where they are named."""
        self._queue.close()
        if self.comm is not None:
            self.choice.unobserve(self._chosen_elsewhere, "value")
            self.ndrange.close()
        super().close()

    # What the controls say

    def _set_wish(self, wish: dict[str, Any]) -> None:
        """Take over values without running."""
        self._setting = True
        try:
            self.wish = wish
        finally:
            self._setting = False
        keep(self.controls, self._key, self._defaults, self.wish)

    def _wished(self, change: Mapping[str, Any]) -> None:
        """A control changed, here or in the browser: note it, plan, and leave the wish."""
        if self._setting:
            return
        old, new = change["old"], change["new"]
        if new.get("sizes") != old.get("sizes"):
            self.ndrange.asked = dict(new["sizes"])
        if new.get("device") != old.get("device"):
            self._choose(new.get("device"))
            return
        keep(self.controls, self._key, self._defaults, new)
        if any(new.get(name) != old.get(name) for name in ("tab", "picture")):
            self._show_view()
        different = any(new.get(name) != old.get(name) for name in new if name not in _LOOKS)
        if new.get("auto") and (different or not old.get("auto")):
            self.ask()
        elif different:
            self._show_form()

    def _choose(self, selector: Any) -> None:  # noqa: ANN401 - from a browser
        """Make a device the one of the panel, and of every picker."""
        if self.choice.select(str(selector)):
            self._use(self.controls.device)
            return
        self._set_wish(dict(self.wish) | {"device": self._device.id})
        self._refuse(self.choice.trouble)

    def _refuse(self, why: str) -> None:
        """Say why nothing runs; the last picture stays."""
        title, _, text = why.partition("\n")
        self.status = self.status | {"state": "refused", "error": {"title": title, "text": text}}

    def _chosen_elsewhere(self, change: Mapping[str, Any]) -> None:
        if change["new"] is not None and self.comm is not None:
            self._use(change["new"])

    def _use(self, device: DeviceInfo) -> None:
        if device.id == self._device.id:
            return
        self._device = device
        self._set_wish(dict(self.wish) | {"device": device.id})
        self._show_form()
        if self.wish["auto"]:
            self.ask()

    def _heard(self, _: object, message: Mapping[str, Any], __: object) -> None:
        kind = message.get("type")
        if kind == "run" or (kind == "shown" and self.wish["auto"] and self.record is None and not self._queue.busy):
            self.ask()
        elif kind == "stop":
            self.stop()
        elif kind == "names":
            self._show_form()
        elif kind == "ask":
            self._answer(message)

    def _answer(self, message: Mapping[str, Any]) -> None:
        """A picture asks for exact elements."""
        request, record = dict(message.get("request", {})), self.record
        try:
            live = self.wish["tab"] == "picture" or record is None
            capture = None if live else record.capture(str(request.get("array")))
            facts, buffers = answer(self.kernel.name, capture, request)
        except ClMagicError as error:
            facts, buffers = {"error": str(error)}, []
        self.send({"type": "answer", "id": message.get("id")} | facts, buffers)

    # Runs, in the queue's thread

    def _begin(self, asked: _Asked) -> Launched:
        return self._launch.begin(*asked)

    def _told(self, outcome: Outcome) -> None:
        """A run began or ended; the traits change where the notebook's messages are handled."""
        if not outcome.over:
            self._loop.post(partial(self._show_begin, outcome.number))
            return
        view = {} if outcome.record is None else self._view(outcome.record)
        self._loop.post(partial(self._show_end, outcome, view))

    def _view(self, record: RunRecord) -> dict[str, Any]:
        wish, kernel = self.wish, self._launch.kernel
        run = ShownRun(record, self._launch.used, kernel.program.result, self.controls.facts(kernel), self._launch.made)
        try:
            return view_of(wish["tab"], run, identity=self._identity, picture=wish["picture"])
        except ClMagicError as error:
            return {"tab": wish["tab"], "text": "", "note": str(error)}

    # What is shown

    def _show_begin(self, number: int) -> None:
        self.status = self.status | {"state": "running", "run": number}

    def _show_end(self, outcome: Outcome, view: dict[str, Any]) -> None:
        """A run's pictures in place of the last one's; an error above them."""
        status = self.status | {"run": outcome.number, "elapsed": outcome.elapsed_s}
        if outcome.record is not None:
            head, pictures = head_words(outcome.record), picture_names(outcome.record, self._launch.made)
            status |= {"state": "complete", "shown": outcome.number, "head": head, "pictures": pictures}
            status.pop("error", None)
        elif outcome.stopped:
            status |= {"state": "stopped"}
        else:
            assert outcome.error is not None  # noqa: S101 - it is what there is instead of a record
            status |= {"state": "failed", "error": error_words(outcome.error)}
        with self.hold_sync():
            self.status = status
            if outcome.record is not None:
                self.view = view
        self.error = outcome.error
        if outcome.record is not None:
            self.record = outcome.record
            if view.get("tab") != self.wish["tab"]:
                self._show_view()
        if self.ndrange.kernel is not self._launch.kernel:
            self.ndrange.kernel = self._launch.kernel
        self._show_form()

    def _show_view(self) -> None:
        """The tab that is open, of the last good run; a run on its way brings its own."""
        if self.record is not None and not self._queue.busy:
            self.view = self._view(self.record)

    def _show_form(self) -> None:
        """The controls with the variables and devices that there are now."""
        size = (0,) if self.ndrange.value is None else self.ndrange.value.global_size
        devices = self.choice.devices or (self._device,)
        names = self.controls.names()
        self.form = form_message(self._form, names, self.wish, size, devices, compact=self.compact)

    def _show_sizes(self, _: object = None) -> None:
        """What the picker of the sizes says; sizes that were picked elsewhere become the panel's."""
        picture, asked = self.ndrange.picture, dict(self.ndrange.asked)
        self.sizes = {**picture, "fault": picture.get("fault")}
        if _sizes(asked) != _sizes(self.wish["sizes"]):
            self._set_wish(dict(self.wish) | {"sizes": asked})
            if self.wish["auto"]:
                self.ask()
        self._show_form()

    @property
    def _last(self) -> str:
        return "" if self._queue.last is None else ending_words(self._queue.last)

    def __repr__(self) -> str:
        return summary_text(self.form, self.wish, self.sizes, self._last)

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:  # noqa: ANN401 - IPython's
        if not shows_widgets():
            if self._queue.last is None and self.wish["auto"]:  # nobody else will run it
                self.ask()
                if not self._queue.join(_SUMMARY_S):
                    self.stop()
                    self._queue.join(_SUMMARY_S)
            html = summary_html(self.form, self.wish, self.sizes, self._last)
            return {"text/plain": repr(self), "text/html": html}
        bundle: Any = super()._repr_mimebundle_(**kwargs)
        data, metadata = bundle
        return data | {"text/plain": repr(self)}, metadata


def _sizes(asked: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in asked.items() if name != "serial"}
