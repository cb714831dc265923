"""The NDRange picker: sizes of a kernel's launch, with the plan and its layout while one drags."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import anywidget
import traitlets

from cl_magic.display.ndrange import ndrange_html
from cl_magic.errors import NDRangeError
from cl_magic.launch.controls import Controls, KernelFacts
from cl_magic.launch.ndrange import NDRange
from cl_magic.launch.plan import LaunchPlan
from cl_magic.launch.set_sizes import Sizes
from cl_magic.launch.sizes import normalise_sizes
from cl_magic.show import text_of
from cl_magic.widgets.controls import controls_of
from cl_magic.widgets.front_end import shows_widgets
from cl_magic.widgets.module import FILLING, widget_module
from cl_magic.widgets.ndrange_state import Picked, picture_of, wish_of
from cl_magic.widgets.ndrange_steps import whole_number

_AXES = "xyz"
_FIRST = {1: (1024,), 2: (512, 512), 3: (64, 64, 64)}
"""Global sizes to begin with where nothing says better."""
_NOTHING = Picked(None)


class NDRangePicker(anywidget.AnyWidget):
    """Choose the sizes of a kernel's launch.

    Nothing is launched, and no device is asked: what is shown is planned from facts of the build. The kernel's calls
    that give no size use what is picked. A cell that runs again shows the sizes that were picked before, unless it
    asks for others.

    Parameters
    ----------
    kernel : Kernel
    global_size, local_size, global_offset
        As a call takes them, work-items, x first. Without a global size: what the kernel's sizes are set to, else one
        that fits its guards.
    controls : Controls, optional
        By default those of the default session.
    sets_kernel : bool
        Whether calls of the kernel that give no size use the picked one.

    Attributes
    ----------
    value : NDRange
        The last range that can be launched (observable); its local size is None where it is chosen automatically.
    plan : LaunchPlan
        Of `value` (observable).
    fault : str
        Why what is typed now cannot be launched; "" where it can (observable).
    asked : dict
        What the fields hold.
    call_bytes : int
        Local memory that a call gives, in bytes, for the bar.

    Examples
    --------
    >>> import cl_magic as clm
    >>> program = clm.build("kernel void f(global int *x) { x[get_global_id(0)] = 1; }")
    >>> picker = NDRangePicker(program.f, 1000, 250)
    >>> picker.value, picker.plan.groups
    (NDRange(global_size=(1000,), local_size=(250,), global_offset=None), (4,))
    >>> picker.value = NDRange((1000,), (64,))
    >>> picker.plan.mode
    'split'
    """

    _esm = widget_module("picker_style", "ndrange_style", "ndrange_layout", "ndrange_fields", "ndrange_picker")
    kernel = traitlets.Any()
    value = traitlets.Instance(NDRange, allow_none=True)
    plan = traitlets.Instance(LaunchPlan, allow_none=True)
    fault = traitlets.Unicode("")
    call_bytes = traitlets.Int(0, min=0)
    asked = traitlets.Dict()
    picture = traitlets.Dict().tag(sync=True)

    def __init__(
        self,
        kernel: Any,  # noqa: ANN401 - a Kernel
        global_size: Any = None,  # noqa: ANN401 - as a call takes it
        local_size: Any = None,  # noqa: ANN401
        global_offset: Any = None,  # noqa: ANN401
        *,
        controls: Controls | None = None,
        sets_kernel: bool = True,
        **traits: Any,  # noqa: ANN401 - of the widget
    ) -> None:
        self.controls: Controls = controls or controls_of()
        self.sets_kernel = sets_kernel
        self._facts = self.controls.facts(kernel)
        self._given = None if global_size is None else self._first(global_size, local_size, global_offset)
        self._last = _NOTHING
        super().__init__(kernel=kernel, asked={**self._begin(), "serial": 0}, **(FILLING | traits))
        self._wished({"new": self.asked})
        self.observe(self._wished, "asked")
        self.observe(self._valued, "value")
        self.observe(self._renewed, ["kernel", "call_bytes"])
        self.on_msg(self._heard)

    @property
    def facts(self) -> KernelFacts:
        """What the plan follows from."""
        return self._facts

    def _first(self, global_size: Any, local_size: Any, global_offset: Any) -> NDRange:  # noqa: ANN401 - as given
        return normalise_sizes(global_size, local_size, global_offset, kernel=self._facts.name)

    def _begin(self) -> dict[str, Any]:
        """Fields to begin with: what was picked before, what was asked for, what fits."""
        known = self.controls.recall(self._key)
        if known is not None and self._given in (None, known["given"]):
            return dict(known["wish"])
        return wish_of(self._given or self._fitting())

    @property
    def _key(self) -> str:
        return f"NDRange picker: {self._facts.name}"

    def _fitting(self) -> NDRange:
        sizes = self._facts.sizes
        if sizes.global_size is not None:
            return self._first(sizes.global_size, sizes.local_size, sizes.global_offset)
        required = self._facts.required or (1, 1, 1)
        seen = [guard.dimension + 1 for guard in self._facts.signature.guards]
        dimensions = max([1, *seen, *(axis + 1 for axis in range(3) if required[axis] != 1)])
        first = _FIRST[min(3, dimensions)]
        return NDRange(tuple(-(-n // k) * k for n, k in zip(first, required, strict=False)))

    def _renewed(self, _: object) -> None:
        """Another kernel, or other memory of the call: the same fields, planned anew."""
        self._facts = self.controls.facts(self.kernel)
        self._wish({key: value for key, value in self.asked.items() if key != "serial"})

    def _valued(self, change: dict[str, Any]) -> None:
        if change["new"] is not None and change["new"] != self._last.ndrange:
            self._wish(wish_of(change["new"]))

    def _heard(self, _: object, message: Mapping[str, Any], __: object) -> None:
        asked = message.get("asked")
        if message.get("type") == "ask" and isinstance(asked, dict):
            self.asked = asked

    def _wish(self, wish: Mapping[str, Any]) -> None:
        """Set the fields from here; the browser follows."""
        asked = {**wish, "serial": 0}
        if asked == self.asked:
            self._wished({"new": asked})
        else:
            self.asked = asked

    def _wished(self, change: Mapping[str, Any]) -> None:
        """Plan what the fields say, and show it."""
        asked = change["new"]
        picked = self._planned(asked)
        if picked.plan is not None:
            self._last = picked
        drawn = picture_of(self._facts, picked, self._last, self.call_bytes)
        with self.hold_sync():
            self.picture = {**drawn, "asked": asked, "serial": asked.get("serial", 0)}
            self.fault = "" if picked.error is None else str(picked.error)
        if picked.plan is not None:
            self._keep(asked)

    def _keep(self, asked: Mapping[str, Any]) -> None:
        """What can be launched is the value, remembered, and what the kernel's calls use."""
        ndrange = self._last.ndrange
        assert ndrange is not None  # noqa: S101 - it was planned
        wish = {key: value for key, value in asked.items() if key != "serial"}
        self.controls.remember(self._key, {"wish": wish, "given": self._given})
        if self.sets_kernel and not self._facts.sizes.fixed:
            self.controls.set_sizes(self.kernel, Sizes(ndrange.global_size, ndrange.local_size, ndrange.global_offset))
        self.plan = self._last.plan
        self.value = ndrange

    def _planned(self, asked: Mapping[str, Any]) -> Picked:
        ndrange = None
        try:
            ndrange = self._read(asked)
            self._facts.sizes.check(ndrange.global_size, ndrange.local_size, self._facts.name)
            sizes = (ndrange.global_size, ndrange.local_size, ndrange.global_offset)
            return Picked(ndrange, self.controls.plan(self._facts, *sizes))
        except NDRangeError as error:
            return Picked(ndrange, error=error)

    def _read(self, asked: Mapping[str, Any]) -> NDRange:
        """The fields as a range; they come from a browser, so nothing about them is sure."""
        name = self._facts.name
        sizes, offset = (self._numbers(asked.get(word), word) for word in ("global", "offset"))
        local = asked.get("local")
        group = None if local is None else self._numbers(local, "local")
        return normalise_sizes(sizes, group, offset if any(offset) else None, kernel=name)

    def _numbers(self, texts: Any, what: str) -> tuple[int, ...]:  # noqa: ANN401 - from a browser
        name = self._facts.name
        listed = list(texts) if isinstance(texts, (list, tuple)) else []
        if len(listed) > len(_AXES):
            message = f"{name}: {what} has {len(listed)} dimensions; an NDRange has 1 to 3"
            raise NDRangeError(message, kernel=name, value=texts)
        return tuple(whole_number(str(text), f"{what} {axis}", name) for axis, text in zip(_AXES, listed, strict=False))

    def _text(self) -> str:
        said = text_of(self.plan) if self.plan is not None else f"{self._facts.name}: no size is picked"
        return f"{said}\n{self.fault}" if self.fault else said

    def __repr__(self) -> str:
        return self._text()

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:  # noqa: ANN401 - IPython's
        if not shows_widgets():
            html = {} if self.plan is None else {"text/html": ndrange_html(self.plan, device=self._facts.device)}
            return {"text/plain": self._text(), **html}
        bundle: Any = super()._repr_mimebundle_(**kwargs)
        data, metadata = bundle
        return data | {"text/plain": self._text()}, metadata
