"""From what a panel's controls say to a launch: the program, the arguments, the sizes."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from cl_magic.build.parameter_annotations import macro_text, with_macros
from cl_magic.clc.signature import Parameter
from cl_magic.errors import ArgumentError
from cl_magic.kernel import Kernel
from cl_magic.launch.controls import Controls, Launched
from cl_magic.launch.device_arrays import local
from cl_magic.launch.limits import DeviceInfo
from cl_magic.launch.ndrange import NDRange
from cl_magic.widgets.arguments import NEW, named, new_value
from cl_magic.widgets.panel_form import GIVEN, PanelForm
from cl_magic.widgets.parameters import read_value


class PanelLaunch:
    """Launches what a panel's values say.

    Parameters
    ----------
    controls : Controls
    form : PanelForm

    Attributes
    ----------
    arrays : dict of str to ndarray
        Arrays that were made for parameters, by parameter.
    kernel : Kernel
        The one that was launched last.
    used : dict of str to object
        Values of the last launch, by parameter.
    """

    def __init__(self, controls: Controls, form: PanelForm) -> None:
        self.controls, self.form = controls, form
        self.arrays: dict[str, Any] = {}
        self.kernel: Kernel = form.kernel
        self.used: dict[str, Any] = {}

    @property
    def made(self) -> frozenset[str]:
        """Parameters that got an array of the panel's own in the last launch."""
        return frozenset(name for name, value in self.used.items() if value is self.arrays.get(name, self))

    def built(self, wish: Mapping[str, Any], device: DeviceInfo | None) -> Kernel:
        """The kernel on that device with these macros; builds it where it was not built before.

        Raises
        ------
        BuildError, KernelNotFoundError
        """
        origin = self.form.kernel
        there = device is None or device.id == origin.program.device.id
        macros = {
            name: macro_text(value, self.form.macros[name])
            for name, value in wish["macros"].items()
            if name in self.form.macros
        }
        changed = {name: text for name, text in macros.items() if text != self.form.macros[name]}
        if there and not changed:
            return origin
        spec = with_macros(origin.program.result.spec, changed) if changed else origin.program.result.spec
        program = self.controls.build(spec, origin.program.device if device is None else device)
        kernel: Kernel = program[origin.name]
        return kernel

    def begin(self, wish: Mapping[str, Any], ndrange: NDRange, device: DeviceInfo | None) -> Launched:
        """Build, bind and launch; returns at once.

        Raises
        ------
        ClMagicError
            As the call would.
        """
        kernel = self.built(wish, device)
        self.kernel = kernel
        values = [self._value(p, kernel, wish, ndrange) for p in kernel.signature.parameters]
        self.used = {p.name: value for p, value in zip(kernel.signature.parameters, values, strict=True)}
        words = {
            "global_size": ndrange.global_size,
            "local_size": ndrange.local_size,
            "global_offset": ndrange.global_offset,
            "capture": "auto",
        }
        return self.controls.submit(kernel, values, words)

    def _value(self, parameter: Parameter, kernel: Kernel, wish: Mapping[str, Any], ndrange: NDRange) -> Any:  # noqa: ANN401
        choice = wish["arguments"].get(parameter.name)
        if parameter.is_pointer and parameter.address == "local":
            return self._local(parameter, kernel, choice, ndrange)
        if choice == GIVEN and parameter.name in self.form.given:
            return self.form.given[parameter.name]
        if choice == NEW:
            return self._new(parameter, kernel, ndrange)
        name = named(choice)
        if name is None:
            return read_value(choice, parameter)
        names = self.controls.names()
        if name not in names:
            message = f"the variable {name}, chosen for {parameter.name}, is no longer there"
            remedy = "choose another array, or make it again"
            raise ArgumentError(message, remedy=remedy, kernel=kernel.name, parameter=parameter.name, value=name)
        return names[name]

    def _new(self, parameter: Parameter, kernel: Kernel, ndrange: NDRange) -> Any:  # noqa: ANN401
        """The panel's own array for a parameter: kept while size and type stay."""
        made = new_value(parameter, ndrange.global_size, kernel.program.result.layouts)
        if made is None:
            message = f"no array can be made for {parameter.declaration}: the type of its elements is not known"
            raise ArgumentError(message, remedy="choose a variable", kernel=kernel.name, parameter=parameter.name)
        kept = self.arrays.get(parameter.name)
        if _form(kept) != _form(made):
            self.arrays[parameter.name] = made
        return self.arrays[parameter.name]

    def _local(self, parameter: Parameter, kernel: Kernel, text: Any, ndrange: NDRange) -> Any:  # noqa: ANN401
        """Local memory: as many elements as the field says, else one a work-item of the group."""
        if text not in ("", None):
            return local(int(read_value(str(text), parameter)), parameter.element_type)
        plan = kernel.plan(ndrange.global_size, ndrange.local_size)
        return local(math.prod(plan.local_size or plan.global_size), parameter.element_type)


def _form(value: Any) -> tuple[Any, ...]:  # noqa: ANN401 - an array
    return (type(value), getattr(value, "shape", None), getattr(value, "dtype", None))
